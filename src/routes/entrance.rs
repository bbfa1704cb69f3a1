//! How a request with a key comes in: looked up before its body is read, or presumed to be good until it is charged.

use actix_web::HttpRequest;
use wayfile_actors::ledger::{KeptAnswer, KeyHash};
use wayfile_actors::{Pass, Presumed};
use wayfile_core::plan::Endpoint;

use super::{credentials, frame, idempotency};
use crate::app::Service;
use crate::error::ApiError;

/// A request that may be read.
pub(crate) enum Entrance {
    /// The store was asked: the key is good and its rate has room.
    Entered(Box<Pass>),
    /// The key was good a moment ago. The store is asked before anything is said or fetched.
    Presumed(Presumed, KeyHash, Endpoint),
}

impl Entrance {
    /// Asks the store, unless the key may be presumed to be good. A request with a name asks: its answer may be there, and
    /// costs nothing then.
    ///
    /// # Errors
    /// As [`Service::admit`].
    pub(crate) async fn of(
        service: &Service,
        request: &HttpRequest,
        endpoint: Endpoint,
    ) -> Result<Self, ApiError> {
        let key = credentials::key(request)?;
        let presumed = || service.guards.presume(key, endpoint);
        match (!idempotency::is_named(request)).then(presumed).flatten() {
            Some(presumed) => Ok(Self::Presumed(presumed, key, endpoint)),
            None => service.admit_key(request, key, endpoint).await.map(|pass| Self::Entered(Box::new(pass))),
        }
    }

    /// Lets the request in before work that is not done at once.
    ///
    /// # Errors
    /// As [`Service::admit`].
    pub(crate) async fn enter(self, service: &Service, request: &HttpRequest) -> Result<Pass, ApiError> {
        match self {
            Self::Entered(pass) => Ok(*pass),
            Self::Presumed(_, key, endpoint) => service.admit_key(request, key, endpoint).await,
        }
    }

    /// What is said of a request that came to nothing by this error: whether its key is good goes before.
    pub(crate) async fn refuse(self, service: &Service, request: &HttpRequest, error: ApiError) -> ApiError {
        self.enter(service, request).await.err().unwrap_or(error)
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
        let mut pass = match self {
            Self::Entered(pass) => *pass,
            Self::Presumed(presumed, key, endpoint) => match presumed.charge().await {
                Ok(Some(pass)) => {
                    frame::tell_pass(request, &pass);
                    return Ok(());
                }
                Ok(None) => service.admit_key(request, key, endpoint).await?,
                Err(refusal) => {
                    refusal.figures().into_iter().for_each(|figures| frame::tell_figures(request, figures));
                    return Err(refusal.into());
                }
            },
        };
        let charged = pass.charge(kept).await;
        frame::tell_figures(request, pass.figures());
        Ok(charged?)
    }
}
