//! `/`: what this is, and what it costs.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use wayfile_core::plan::{Plan, PlanLimits};

use super::frame::Frame;
use super::{LANDING, render};
use crate::app::Service;
use crate::error::ApiError;
use crate::routes::GENERATE;

#[derive(Template)]
#[template(path = "landing.html")]
struct Page<'a> {
    frame: Frame,
    /// Where the API is asked.
    endpoint: String,
    plans: Vec<(Plan, &'a PlanLimits)>,
}

pub(crate) async fn landing(
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let endpoint = format!("http://{}{GENERATE}", request.app_config().local_addr());
    let plans = Plan::ALL.map(|plan| (plan, service.plans.limits(plan)));
    render(StatusCode::OK, &Page { frame: Frame::public(LANDING), endpoint, plans: plans.into() })
}
