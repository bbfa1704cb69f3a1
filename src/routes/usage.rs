//! `GET /api/v1/usage`: how much of its quotas a key has used.

use actix_web::{HttpRequest, HttpResponse, web};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use wayfile_actors::Admission;
use wayfile_core::plan::Endpoint;

use super::admission;
use crate::error::ApiResult;
use crate::service::Service;

/// Plan and quotas of the key that asks.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Usage {
    /// The plan of the key's account at this moment.
    #[schema(example = "starter")]
    plan: &'static str,
    /// Runs of `POST /api/v1/generate`.
    generate: MonthUse,
    /// Runs of `POST /api/v1/validate`.
    validate: MonthUse,
    /// When both start anew: the first moment of the next month in UTC.
    #[schema(format = DateTime, value_type = String, example = "2026-12-01T00:00:00Z")]
    resets_at: Timestamp,
}

/// What is used of one quota this month.
#[derive(Serialize, ToSchema)]
pub(crate) struct MonthUse {
    /// Runs in a month.
    #[schema(example = 100)]
    quota: u64,
    /// Runs so far, those under way included.
    #[schema(example = 3)]
    used: u64,
    /// Runs that are left.
    #[schema(example = 97)]
    remaining: u64,
}

impl MonthUse {
    fn of(admission: &Admission, endpoint: Endpoint) -> Self {
        let (quota, used) = (admission.limits.per_month(endpoint), admission.record.used.of(endpoint));
        Self { quota, used, remaining: quota.saturating_sub(used) }
    }
}

/// Plan, quotas and when they start anew
#[utoipa::path(get, path = crate::paths::api::USAGE, tag = "Files", security(("apiKey" = []), ("bearer" = [])), responses(
    (status = 200, description = "Plan and quotas", body = Usage, headers(
        ("RateLimit-Policy" = String, description = "The limits of the key's plan"),
        ("RateLimit" = String, description = "What is left of them"),
    ), example = json!({
        "plan": "starter", "generate": {"quota": 100, "used": 3, "remaining": 97},
        "validate": {"quota": 1000, "used": 0, "remaining": 1000}, "resetsAt": "2026-12-01T00:00:00Z"
    })),
    crate::error_responses::KeyErrors,
))]
pub(crate) async fn usage(request: HttpRequest, service: web::Data<Service>) -> ApiResult {
    let admission = admission::admit(&service, &request, Endpoint::Generate).await?;
    let _inside = service.enter()?;
    Ok(HttpResponse::Ok().json(Usage {
        plan: admission.record.plan.name(),
        generate: MonthUse::of(&admission, Endpoint::Generate),
        validate: MonthUse::of(&admission, Endpoint::Validate),
        resets_at: admission.record.month.end(),
    }))
}
