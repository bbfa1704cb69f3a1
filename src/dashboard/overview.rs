//! `/`: what this is, and what it costs. `/overview`, the page after the log-in: how to start, what is left of the month, the
//! latest runs.

use actix_web::http::StatusCode;
use actix_web::web;
use askama::Template;
use jiff::Timestamp;
use wayfile_core::calendar::Month;
use wayfile_core::plan::{Plan, PlanLimits};

use super::runs::{self, RunRow};
use super::usage::{Meter, meters};
use super::{LANDING, Layout, MaybeSignedIn, OVERVIEW, SignedIn, render, words};
use crate::error::ApiResult;
use crate::paths::api::GENERATE;
use crate::service::Service;
use crate::store::Key;

const NEWEST: usize = 5;

#[derive(Template)]
#[template(path = "landing.html")]
struct LandingPage<'a> {
    layout: Layout,
    endpoint: String,
    plans: Vec<(Plan, &'a PlanLimits)>,
}

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage<'a> {
    layout: Layout,
    plan: Plan,
    month: String,
    resets: Timestamp,
    upgrade: Option<&'a str>,
    endpoint: String,
    rows: Vec<([Meter; 2], Key)>,
    runs: Vec<RunRow>,
}

pub(crate) async fn landing(service: web::Data<Service>, visitor: MaybeSignedIn) -> ApiResult {
    let layout = Layout::of(visitor.0.as_ref(), LANDING);
    let limits = service.plans.get();
    let plans = Plan::ALL.map(|plan| (plan, limits.limits(plan)));
    render(StatusCode::OK, &LandingPage { layout, endpoint: service.address(GENERATE), plans: plans.into() })
}

pub(crate) async fn overview(service: web::Data<Service>, person: SignedIn) -> ApiResult {
    let (store, now) = (service.ledger.store(), Timestamp::now());
    let month = Month::of(now);
    let keys = store.working_keys(person.account).await?;
    let used = store.usage_of_month(person.account, month).await?;
    let plans = service.plans.get();
    let limits = plans.limits(person.plan);
    let rows = keys.into_iter().map(|key| (meters(key.id, limits, &used), key));
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
