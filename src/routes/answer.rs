//! Answers that cost a unit of quota: paid for before they leave, kept for a client that asks again.

use actix_web::http::header::HeaderValue;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde::Serialize;
use wayfile_actors::ledger::KeptAnswer;
use wayfile_actors::{Admission, Reservation};

use super::idempotency::REPLAYED;
use super::interned::interned;
use crate::error::{ApiError, ApiResult, Code};
use crate::middleware::tell_figures;
use crate::store::{Claimed, EndedRun, Store};

/// Reserves a unit of the key's quota. What is left of it is told with the answer, also beside a refusal.
/// Errors: 401, 429, 503.
pub(crate) async fn reserve(request: &HttpRequest, admission: &mut Admission) -> ApiResult<Reservation> {
    let reserved = admission.reserve().await;
    tell_figures(request, &admission.figures);
    Ok(reserved?)
}

/// Counts the unit and keeps what is to be kept of work that went well; frees the unit of work that failed and tells the client so.
/// Errors: The work's own. A store that went away while the work was done takes no answer away: the unit stays reserved until
/// it can be counted.
pub(crate) async fn paid<T>(
    outcome: ApiResult<(T, Option<KeptAnswer>)>,
    request: &HttpRequest,
    mut admission: Admission,
    reservation: Reservation,
) -> ApiResult<T> {
    match outcome {
        Ok((answer, kept)) => {
            if let Err(error) = reservation.settle(kept).await {
                tracing::error!(%error, "a run was answered and is counted later");
            }
            Ok(answer)
        }
        Err(error) => {
            // What cannot be refunded now is refunded by the store later.
            if admission.give_back(reservation).await.is_ok() {
                tell_figures(request, &admission.figures);
            }
            Err(error)
        }
    }
}

/// An answer as JSON, shared with those who get the same, and what is kept of it for a client that named its request.
pub(crate) fn written(
    answer: &impl Serialize,
    claimed: Option<Claimed>,
) -> ApiResult<(Bytes, Option<KeptAnswer>)> {
    let json = serde_json::to_string(answer).map_err(|_| ApiError::new(Code::Internal))?;
    let kept = claimed.map(|claimed| claimed.answer(json.clone()));
    Ok((interned(json), kept))
}

/// Has a run that ended remembered, for its owner to look at, in the background.
pub(crate) fn remember(store: &Store, run: EndedRun) {
    let own = store.clone();
    store.spawn(async move {
        if let Err(error) = own.remember_run(&run, Timestamp::now()).await {
            tracing::warn!(%error, "a run is missing among the latest ones");
        }
    });
}

pub(crate) fn json(body: Bytes) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(body)
}

pub(crate) fn replayed(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    response
}
