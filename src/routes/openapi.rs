//! `/openapi.json`: the contract, as machines read it.

use actix_web::{HttpResponse, web};

use crate::service::Service;

/// The document, written once at start.
pub(crate) async fn openapi(service: web::Data<Service>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(service.openapi.clone())
}
