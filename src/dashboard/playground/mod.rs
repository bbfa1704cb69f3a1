//! `/playground`: both endpoints in the browser, charged to a key of the account.

pub(crate) mod generate;
pub(crate) mod validate;
mod verdict;

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use wayfile_actors::Admission;
use wayfile_actors::ledger::KeyId;
use wayfile_core::plan::Endpoint;

use super::{Problems, SignedIn};
use crate::error::{ApiError, ApiResult, Code};
use crate::routes::admission;
use crate::service::Service;
use crate::store::StoreError;

/// The field that names the key; the others are called as the API calls them.
const KEY: &str = "key";

/// Lets a request in as one of the picked key's: its guard, its rate, its plan, as if a program had sent it.
/// Errors: 400: no working key of this account was picked; 429, 503.
async fn admit(
    service: &Service,
    request: &HttpRequest,
    person: &SignedIn,
    picked: &str,
    endpoint: Endpoint,
) -> ApiResult<Admission> {
    let none =
        || ApiError::about(Code::InvalidField, KEY, "Pick a key of yours that works; this one does not.");
    let id = picked.parse().map(KeyId).map_err(|_| none())?;
    let hash = match service.ledger.store().key_hash(person.account, id).await {
        Ok(hash) => hash,
        Err(StoreError::NoKey(_)) => return Err(none()),
        Err(error) => return Err(error.into()),
    };
    admission::admit_key(service, request, hash, endpoint).await.map_err(|error| match error.code {
        // It was revoked between the two looks.
        Code::Unauthorized => none(),
        _ => error,
    })
}

/// An error as something to mend in the form with these fields, and the status that goes with it.
fn problems(error: Option<&ApiError>, fields: &[&'static str]) -> (StatusCode, Problems) {
    let Some(error) = error else { return (StatusCode::OK, Problems::default()) };
    let to_blame = fields.iter().find(|field| error.param.as_deref() == Some(**field));
    (error.code.status(), Problems::about(to_blame.copied().unwrap_or_default(), error.message.as_str()))
}
