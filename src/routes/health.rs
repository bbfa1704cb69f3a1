//! For operators. `/healthz`: the process answers. `/readyz`: it can do its work. `/metrics`: the closed catalogue in Prometheus'
//! text format.

use actix_web::{HttpResponse, web};
use metrics_exporter_prometheus::PrometheusHandle;
use metrics_process::Collector;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ApiResult, Code};
use crate::service::Service;

/// How the service is.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`
    #[schema(example = "ok")]
    status: &'static str,
}

const OK: Health = Health { status: "ok" };

/// Whether the process answers
#[utoipa::path(get, path = crate::paths::api::HEALTHZ, tag = "Operation", responses(
    (status = 200, description = "The process answers", body = Health),
    crate::error_responses::EveryError,
))]
pub(crate) async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(OK)
}

/// Whether the service takes requests: it is not shutting down, its store takes changes, its pages are read and its tasks run
#[utoipa::path(get, path = crate::paths::api::READYZ, tag = "Operation", responses(
    (status = 200, description = "The service takes requests", body = Health),
    crate::error_responses::ReadyErrors,
))]
pub(crate) async fn readyz(service: web::Data<Service>) -> ApiResult {
    if service.shutdown.is_closed() {
        return Err(ApiError::new(Code::ShuttingDown));
    }
    service.readiness.check()?;
    Ok(HttpResponse::Ok().json(OK))
}

#[derive(Clone)]
pub(crate) struct Scrape {
    pub(crate) recorder: PrometheusHandle,
    pub(crate) process: Collector,
}

pub(crate) async fn metrics(scrape: web::Data<Scrape>) -> HttpResponse {
    scrape.process.collect();
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(scrape.recorder.render())
}
