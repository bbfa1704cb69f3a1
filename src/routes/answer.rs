//! Answers that cost a unit of quota: paid for before they leave, kept for a client that asks again.
//!
//! Bodies of large ones are in memory once however many clients are reading them: joined runs and answers that are given again
//! are alike to the last byte, and a client may take an hour over one.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, LazyLock, Weak};

use actix_web::http::header::HeaderValue;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use parking_lot::Mutex;
use serde::Serialize;
use wayfile_actors::ledger::KeptAnswer;
use wayfile_actors::{Admission, Reservation};

use super::idempotency::REPLAYED;
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
    let kept = claimed.map(|claimed| claimed.answer(&json));
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

/// Bytes of a body that is worth the look.
const LARGE: usize = 64 << 10;

/// The bodies that are being read, by their hash; of two with one hash the later one is shared.
static BODIES: LazyLock<Mutex<HashMap<u64, Weak<InternedBody>>>> = LazyLock::new(Mutex::default);
static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Forgotten with its last reader.
struct InternedBody {
    text: String,
    hash: u64,
}

/// One reader's hold on a body.
struct Reader(Arc<InternedBody>);

impl AsRef<[u8]> for Reader {
    fn as_ref(&self) -> &[u8] {
        self.0.text.as_bytes()
    }
}

impl Drop for InternedBody {
    fn drop(&mut self) {
        let mut bodies = BODIES.lock();
        if bodies.get(&self.hash).is_some_and(|body| body.strong_count() == 0) {
            bodies.remove(&self.hash);
        }
    }
}

/// The body, or the equal one that is being read already.
pub(crate) fn interned(text: String) -> Bytes {
    if text.len() < LARGE {
        return text.into();
    }
    let hash = HASHER.hash_one(&text);
    // Let go of behind the lock: it may be the last share, and that one asks for the lock.
    let known = BODIES.lock().get(&hash).and_then(Weak::upgrade);
    if let Some(known) = known.filter(|known| known.text == text) {
        return Bytes::from_owner(Reader(known));
    }
    let body = Arc::new(InternedBody { text, hash });
    BODIES.lock().insert(hash, Arc::downgrade(&body));
    Bytes::from_owner(Reader(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bodies_are_one_as_long_as_somebody_reads_it() {
        let text = |c: &str| c.repeat(LARGE);
        let (one, two, other) = (interned(text("a")), interned(text("a")), interned(text("b")));
        assert_eq!((one.as_ptr(), &one), (two.as_ptr(), &two));
        assert_eq!((&other[..1], other.len()), (&b"b"[..], LARGE));
        let hash = HASHER.hash_one(text("a"));
        drop(one);
        assert!(BODIES.lock().contains_key(&hash));
        drop(two);
        assert!(!BODIES.lock().contains_key(&hash));
    }
}
