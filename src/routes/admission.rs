//! Admission of a request with a key: the store is asked before its body is read, or, optimistically, by the statement that
//! charges it.

use actix_web::HttpRequest;
use wayfile_actors::ledger::{KeptAnswer, KeyHash};
use wayfile_actors::{Admission, OptimisticAdmission};
use wayfile_core::plan::Endpoint;

use super::{credentials, idempotency};
use crate::error::ApiError;
use crate::middleware;
use crate::service::Service;

/// A request that may be read.
pub(crate) enum RequestAdmission {
    /// The store was asked: the key is good and its rate has room.
    Admitted(Box<Admission>),
    /// The key was good a moment ago. The store is asked before anything is said or fetched.
    Optimistic(OptimisticAdmission, KeyHash, Endpoint),
}

impl RequestAdmission {
    /// Asks the store, unless the key was good a moment ago. A request with a name asks: its answer may be there, and
    /// costs nothing then.
    ///
    /// # Errors
    /// As [`admit`].
    pub(crate) async fn of(
        service: &Service,
        request: &HttpRequest,
        endpoint: Endpoint,
    ) -> Result<Self, ApiError> {
        let key = credentials::key(request)?;
        let optimistic = || service.guards.admit_optimistically(key, endpoint);
        match (!idempotency::is_named(request)).then(optimistic).flatten() {
            Some(optimistic) => Ok(Self::Optimistic(optimistic, key, endpoint)),
            None => admit_key(service, request, key, endpoint)
                .await
                .map(|admission| Self::Admitted(Box::new(admission))),
        }
    }

    /// Admits the request before work that is not done at once.
    ///
    /// # Errors
    /// As [`admit`].
    pub(crate) async fn admit(self, service: &Service, request: &HttpRequest) -> Result<Admission, ApiError> {
        match self {
            Self::Admitted(admission) => Ok(*admission),
            Self::Optimistic(_, key, endpoint) => admit_key(service, request, key, endpoint).await,
        }
    }

    /// What is said of a request that came to nothing by this error: whether its key is good goes before.
    pub(crate) async fn refuse(self, service: &Service, request: &HttpRequest, error: ApiError) -> ApiError {
        self.admit(service, request).await.err().unwrap_or(error)
    }

    /// Uses one unit of the quota for work that is done, and lets the request in where that is still to be done.
    ///
    /// # Errors
    /// 401, 429, 503: the answer must not be sent.
    pub(crate) async fn charge(
        self,
        service: &Service,
        request: &HttpRequest,
        kept: Option<KeptAnswer>,
    ) -> Result<(), ApiError> {
        let mut admission = match self {
            Self::Admitted(admission) => *admission,
            Self::Optimistic(optimistic, key, endpoint) => match optimistic.charge().await {
                Ok(Some(admission)) => {
                    middleware::tell_admission(request, &admission);
                    return Ok(());
                }
                Ok(None) => admit_key(service, request, key, endpoint).await?,
                Err(refusal) => {
                    refusal
                        .figures()
                        .into_iter()
                        .for_each(|figures| middleware::tell_figures(request, figures));
                    return Err(refusal.into());
                }
            },
        };
        let charged = admission.charge(kept).await;
        middleware::tell_figures(request, admission.figures());
        Ok(charged?)
    }
}

/// The request's key is good and its rate has room. Its limits are told with the answer.
///
/// # Errors
/// 401, 429, 503.
pub(crate) async fn admit(
    service: &Service,
    request: &HttpRequest,
    endpoint: Endpoint,
) -> Result<Admission, ApiError> {
    admit_key(service, request, credentials::key(request)?, endpoint).await
}

/// As [`admit`], for a key that the owner of a session has picked.
///
/// # Errors
/// 401, 429, 503.
pub(crate) async fn admit_key(
    service: &Service,
    request: &HttpRequest,
    key: KeyHash,
    endpoint: Endpoint,
) -> Result<Admission, ApiError> {
    let admitted = service.guards.admit(key, endpoint).await;
    match &admitted {
        Ok(admission) => middleware::tell_admission(request, admission),
        Err(refusal) => refusal.figures().into_iter().for_each(|f| middleware::tell_figures(request, f)),
    }
    Ok(admitted?)
}
