//! `/overview`: the page after the log-in. How to start, what is left of the month, the latest runs.

use actix_web::http::StatusCode;
use actix_web::web;
use askama::Template;
use jiff::Timestamp;
use wayfile_core::calendar::Month;
use wayfile_core::plan::Plan;

use super::runs::{self, RunRow};
use super::usage::{Meter, meters};
use super::{Layout, OVERVIEW, SignedIn, render, words};
use crate::error::ApiResult;
use crate::paths::api::GENERATE;
use crate::service::Service;

const NEWEST: usize = 5;

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage<'a> {
    layout: Layout,
    plan: Plan,
    month: String,
    resets: Timestamp,
    upgrade: Option<&'a str>,
    endpoint: String,
    rows: Vec<KeyRow>,
    runs: Vec<RunRow>,
}

struct KeyRow {
    name: String,
    last4: String,
    meters: [Meter; 2],
}

pub(crate) async fn overview(service: web::Data<Service>, person: SignedIn) -> ApiResult {
    let (store, now) = (service.ledger.store(), Timestamp::now());
    let month = Month::of(now);
    let keys = store.working_keys(person.account).await?;
    let used = store.usage_of_month(person.account, month).await?;
    let plans = service.plans.get();
    let limits = plans.limits(person.plan);
    let rows = keys.into_iter().map(|key| KeyRow {
        meters: meters(key.id, limits, &used),
        name: key.name,
        last4: key.last4,
    });
    let mut runs = runs::latest(&service, &person, None).await?;
    runs.truncate(NEWEST);
    let page = OverviewPage {
        layout: Layout::of(&person, OVERVIEW),
        plan: person.plan,
        month: words::month(now),
        resets: month.end(),
        upgrade: service.upgrade(person.plan),
        endpoint: service.address(GENERATE),
        rows: rows.collect(),
        runs,
    };
    render(StatusCode::OK, &page)
}
