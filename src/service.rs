//! What all requests share.

use std::sync::Arc;
use std::time::Duration;

use actix_web::web::Bytes;
use url::Url;
use wayfile_actors::settings::Live;
use wayfile_actors::{Engine, KeyGuards, Validator};
use wayfile_core::plan::{Plan, Plans};

use crate::error::{ApiError, ApiResult, Code};
use crate::readiness::Readiness;
use crate::shutdown_gate::{self, ShutdownGate};
use crate::store::Ledger;

pub(crate) struct Service {
    pub(crate) engine: Engine,
    pub(crate) validator: Validator,
    pub(crate) guards: KeyGuards,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) plans: Live<Plans>,
    /// The longest that a run takes.
    pub(crate) deadline: Duration,
    pub(crate) shutdown: ShutdownGate,
    pub(crate) readiness: Arc<Readiness>,
    pub(crate) openapi: Bytes,
    pub(crate) base: Url,
    pub(crate) upgrade_url: Option<String>,
}

impl Service {
    /// Where a path of the service is reached from outside.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base.as_str().trim_end_matches('/'))
    }

    /// Where a larger plan than this is had, if there is one and the operator has named it.
    pub(crate) fn upgrade(&self, plan: Plan) -> Option<&str> {
        self.upgrade_url.as_deref().filter(|_| !plan.is_largest())
    }

    /// Work may begin.
    /// Errors: 503: the service is shutting down.
    pub(crate) fn enter(&self) -> ApiResult<shutdown_gate::InFlight> {
        self.shutdown.enter().ok_or_else(|| ApiError::new(Code::ShuttingDown))
    }
}
