//! The API: one file a path, beside those that several share.

pub(crate) mod admission;
mod agents;
pub(crate) mod answer;
pub(crate) mod body;
pub(crate) mod generate;
pub(crate) mod health;
pub(crate) mod idempotency;
pub(crate) mod preferences;
pub(crate) mod progress;
pub(crate) mod usage;
pub(crate) mod validate;

use actix_web::{FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, Route, guard, web};
use wayfile_core::plan::Endpoint;

use crate::error::{ApiError, ApiResult};
use crate::paths::api::{
    GENERATE, HEALTHZ, LLMS, LLMS_FULL, METRICS, OPENAPI, READYZ, ROBOTS, USAGE, VALIDATE,
};
use crate::service::Service;

/// The contract, as machines read it; written once at start.
async fn openapi(service: web::Data<Service>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(service.openapi.clone())
}

/// The methods of a path that can be read.
pub(crate) const READS: &str = "GET, HEAD";

/// Mounts all paths but `/metrics`.
pub(crate) fn mount(service: &mut web::ServiceConfig) {
    service
        .service(keyed(GENERATE, web::post().to(generate::generate), "POST"))
        .service(keyed(VALIDATE, web::post().to(validate::validate), "POST"))
        .service(keyed(USAGE, read(usage::usage), READS))
        .service(read_only(OPENAPI, read(openapi)))
        .service(read_only(HEALTHZ, read(health::healthz)))
        .service(read_only(READYZ, read(health::readyz)))
        .service(read_only(LLMS, read(agents::text(agents::INDEX))))
        .service(read_only(LLMS_FULL, read(agents::text(agents::FULL))))
        .service(read_only(ROBOTS, read(agents::text(agents::ROBOTS))));
}

/// Mounts `/metrics`: on the main listener, or on one of its own.
pub(crate) fn mount_metrics(service: &mut web::ServiceConfig) {
    service.service(read_only(METRICS, read(health::metrics)));
}

/// What answers to reads; actix leaves the body of a HEAD's answer out.
pub(crate) fn read<A: FromRequest + 'static>(handler: impl Handler<A, Output: Responder + 'static>) -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head())).to(handler)
}

/// A path that can be read and nothing else.
fn read_only(path: &'static str, read: Route) -> Resource {
    web::resource(path).route(read).default_service(web::to(|| async { not_allowed(READS) }))
}

/// A path that takes keys. On a refusal, too, a good one has its limits told; a bad one changes nothing about it.
fn keyed(path: &'static str, route: Route, methods: &'static str) -> Resource {
    let refuse = move |request: HttpRequest, service: web::Data<Service>| async move {
        let _ = admission::admit(&service, &request, Endpoint::Generate).await;
        not_allowed(methods)
    };
    web::resource(path).route(route).default_service(web::to(refuse))
}

pub(crate) fn not_allowed(methods: &'static str) -> ApiResult {
    Err(ApiError::not_allowed(methods))
}
