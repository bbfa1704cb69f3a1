//! The API: one file a path, beside those that several share.

pub(crate) mod address;
pub(crate) mod admission;
mod agents;
pub(crate) mod answer;
pub(crate) mod body;
pub(crate) mod credentials;
pub(crate) mod generate;
pub(crate) mod health;
pub(crate) mod idempotency;
pub(crate) mod interned;
pub(crate) mod metrics;
pub(crate) mod preferences;
pub(crate) mod progress;
pub(crate) mod usage;
pub(crate) mod validate;

use actix_web::dev::HttpServiceFactory;
use actix_web::{FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, web};
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
        .service(work(GENERATE, generate::generate))
        .service(work(VALIDATE, validate::validate))
        .service(
            readable(USAGE, usage::usage)
                .default_service(web::to(|request, service| keyed_not_allowed(request, service, READS))),
        )
        .service(read_only(OPENAPI, openapi))
        .service(read_only(HEALTHZ, health::healthz))
        .service(read_only(READYZ, health::readyz))
        .service(read_only(LLMS, agents::text(agents::INDEX)))
        .service(read_only(LLMS_FULL, agents::text(agents::FULL)))
        .service(read_only(ROBOTS, agents::text(agents::ROBOTS)));
}

/// Mounts `/metrics`: on the main listener, or on one of its own.
pub(crate) fn mount_metrics(service: &mut web::ServiceConfig) {
    service.service(read_only(METRICS, metrics::metrics));
}

/// A path that does something.
fn work<A: FromRequest + 'static>(
    path: &'static str,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> impl HttpServiceFactory + 'static {
    web::resource(path)
        .route(web::post().to(handler))
        .default_service(web::to(|request, service| keyed_not_allowed(request, service, "POST")))
}

/// A path that can be read and nothing else.
fn read_only<A: FromRequest + 'static>(
    path: &'static str,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> impl HttpServiceFactory + 'static {
    readable(path, handler).default_service(web::to(|| async { not_allowed(READS) }))
}

/// A path that can be read; actix leaves the body of a HEAD's answer out.
pub(crate) fn readable<A: FromRequest + 'static>(
    path: &'static str,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Resource {
    web::resource(path).route(web::get().to(handler.clone())).route(web::head().to(handler))
}

pub(crate) fn not_allowed(methods: &'static str) -> ApiResult {
    Err(ApiError::not_allowed(methods))
}

/// On a path that takes keys, a good one has its limits told with the refusal too; a bad one changes nothing about it.
async fn keyed_not_allowed(
    request: HttpRequest,
    service: web::Data<Service>,
    methods: &'static str,
) -> ApiResult {
    let _ = admission::admit(&service, &request, Endpoint::Generate).await;
    not_allowed(methods)
}
