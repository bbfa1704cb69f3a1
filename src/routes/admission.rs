//! Admission of a request with a key: the store is asked before its body is read.

use actix_web::HttpRequest;
use tracing::Span;
use wayfile_actors::ledger::KeyHash;
use wayfile_actors::{Admission, Refusal};
use wayfile_core::plan::Endpoint;

use super::credentials;
use crate::error::ApiResult;
use crate::middleware;
use crate::service::Service;

/// The request's key is good and its rate has room. Its limits are told with the answer.
/// Errors: 401, 429, 503.
pub(crate) async fn admit(
    service: &Service,
    request: &HttpRequest,
    endpoint: Endpoint,
) -> ApiResult<Admission> {
    admit_key(service, request, credentials::key(request)?, endpoint).await
}

/// As [`admit`], for a key that the owner of a session has picked.
/// Errors: 401, 429, 503.
pub(crate) async fn admit_key(
    service: &Service,
    request: &HttpRequest,
    key: KeyHash,
    endpoint: Endpoint,
) -> ApiResult<Admission> {
    let admitted = service.guards.admit(key, endpoint).await;
    match &admitted {
        Ok(admission) => {
            Span::current().record("key.id", admission.record.key.0);
            middleware::tell_figures(request, &admission.figures);
        }
        Err(Refusal::AtLimit { figures, .. }) => middleware::tell_figures(request, figures),
        Err(_) => {}
    }
    Ok(admitted?)
}
