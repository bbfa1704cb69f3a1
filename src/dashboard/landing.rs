//! `/`: what this is, and what it costs.

use actix_web::http::StatusCode;
use actix_web::web;
use askama::Template;
use wayfile_core::plan::{Plan, PlanLimits};

use super::{LANDING, Layout, MaybeSignedIn, render, words};
use crate::error::ApiResult;
use crate::paths::api::GENERATE;
use crate::service::Service;

#[derive(Template)]
#[template(path = "landing.html")]
struct LandingPage<'a> {
    layout: Layout,
    endpoint: String,
    plans: Vec<(Plan, &'a PlanLimits)>,
}

pub(crate) async fn landing(service: web::Data<Service>, visitor: MaybeSignedIn) -> ApiResult {
    let layout = Layout::for_visitor(visitor.0.as_ref(), LANDING);
    let limits = service.plans.get();
    let plans = Plan::ALL.map(|plan| (plan, limits.limits(plan)));
    render(StatusCode::OK, &LandingPage { layout, endpoint: service.address(GENERATE), plans: plans.into() })
}
