//! `Idempotency-Key`: a client that sends a request again gets the answer it missed, and pays once.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::header::HeaderName;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use tokio::time::{Instant, timeout_at};
use wayfile_actors::ledger::KeyId;

use crate::error::{ApiError, ApiResult, Code};
use crate::store::{Claimed, Earlier, Ledger};

/// Says that an answer was given before.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const HEADER: &str = "idempotency-key";
/// Characters of the client's name for a request.
const MAX_CHARS: usize = 255;

/// The header, as the OpenAPI document describes it.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes the header")]
pub(crate) struct RequestName {
    /// Names this request for 24 hours, unless the operator keeps answers for another time (`database.keep.answers`), or until
    /// the account has too many newer ones: the same name and body gives the same answer again, at no cost.
    #[param(rename = "Idempotency-Key", required = false, max_length = 255, pattern = "^[!-~]+$")]
    name: String,
}

pub(crate) enum IdempotencyTurn {
    /// Run, and keep the answer if the request has a name.
    Run(Option<Claimed>),
    /// Give the answer that the first request of its name got.
    Replay(String),
}

/// Waits until the request may run or its answer is there. A request without a name runs at once.
/// Errors: 400 for a name that cannot be kept, 409 for another request under the same name, 503 when the first one is not
/// answered within `max_wait`.
pub(crate) async fn turn(
    request: &HttpRequest,
    body: &[u8],
    ledger: &Ledger,
    key: KeyId,
    max_wait: Duration,
) -> ApiResult<IdempotencyTurn> {
    let Some(name) = name(request)? else { return Ok(IdempotencyTurn::Run(None)) };
    // The path counts: the same body is another request to another endpoint.
    let hash =
        Sha256::new().chain_update(request.path()).chain_update([0]).chain_update(body).finalize().into();
    let (until, mut has_waited) = (Instant::now() + max_wait, false);
    while Instant::now() < until {
        match ledger.claim_answer(key, name, hash, Timestamp::now()).await? {
            Earlier::Nothing(claimed) => return Ok(IdempotencyTurn::Run(Some(claimed))),
            Earlier::Answered(body) => return Ok(IdempotencyTurn::Replay(body)),
            // A client that corrects what has just failed comes before the name is free.
            Earlier::AnotherBody(Some(ending)) if !has_waited => {
                drop(timeout_at(until, ending.wait()).await);
                has_waited = true;
            }
            Earlier::AnotherBody(_) => return Err(ApiError::new(Code::IdempotencyKeyReused)),
            Earlier::Running(ending) => drop(timeout_at(until, ending.wait()).await),
        }
    }
    Err(ApiError::saying(
        Code::Busy,
        "The first request with this Idempotency-Key is not done yet. Send it again with the same key for its answer.",
    ))
}

fn name(request: &HttpRequest) -> ApiResult<Option<&str>> {
    let mut sent = request.headers().get_all(HEADER);
    let Some(value) = sent.next() else { return Ok(None) };
    if sent.next().is_some() {
        return Err(ApiError::repeated("Idempotency-Key"));
    }
    let name = value.to_str().unwrap_or_default();
    if !(1..=MAX_CHARS).contains(&name.len()) || !name.bytes().all(|b| b.is_ascii_graphic()) {
        let message = format!("`Idempotency-Key` must be 1 to {MAX_CHARS} visible ASCII characters.");
        return Err(ApiError::about(Code::InvalidHeader, "Idempotency-Key", message));
    }
    Ok(Some(name))
}
