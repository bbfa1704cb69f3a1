//! `/docs`: Swagger UI, served from the binary: no request leaves the machine.

use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, LOCATION};
use actix_web::{HttpResponse, web};
use utoipa_swagger_ui::Config;

use crate::error::{ApiError, Code};

/// Swagger UI writes styles into its elements; everything else comes from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// To the page itself: its files lie beside it.
pub(crate) async fn enter() -> HttpResponse {
    HttpResponse::MovedPermanently().insert_header((LOCATION, "/docs/")).body("See /docs/.")
}

/// One file of the page.
pub(crate) async fn file(path: web::Path<String>) -> Result<HttpResponse, ApiError> {
    let config = Arc::new(Config::from(super::OPENAPI));
    let found = utoipa_swagger_ui::serve(&path, config).map_err(|error| {
        tracing::error!(%error, "a file of the documentation page cannot be made");
        ApiError::new(Code::Internal)
    })?;
    let Some(file) = found else { return Err(ApiError::new(Code::NotFound)) };
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_SECURITY_POLICY, POLICY)).insert_header((CACHE_CONTROL, "no-cache"));
    if file.gzpipped {
        response.insert_header((CONTENT_ENCODING, "gzip"));
    }
    Ok(response.content_type(file.content_type).body(file.bytes.into_owned()))
}
