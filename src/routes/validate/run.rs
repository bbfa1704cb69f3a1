//! One validation, from an admitted key to the report: the same for the API and the dashboard.

use std::time::Instant;

use actix_web::HttpRequest;
use wayfile_actors::ledger::KeptAnswer;
use wayfile_actors::{Admission, Freshness, LinkChecks};
use wayfile_core::llms_txt::lint::report::Report;
use wayfile_core::plan::Endpoint;
use wayfile_core::url::Seed;

use crate::error::{ApiError, ApiResult, Code};
use crate::middleware;
use crate::routes::{answer, body, preferences};
use crate::service::Service;
use crate::store::EndedRun;

/// Bytes of `content` as UTF-8, however it was sent.
pub(crate) const MAX_CONTENT: usize = 512_000;

pub(crate) struct ValidateParams {
    subject: ValidateSubject,
    pub(super) links: LinkChecks,
}

enum ValidateSubject {
    Site(Seed),
    Text(String),
}

impl ValidateParams {
    /// Errors: 400: neither or both are there, or no address; 413: the text is too long.
    pub(crate) fn new(url: Option<&str>, content: Option<String>, check_links: bool) -> ApiResult<Self> {
        let subject = match (url, content) {
            (Some(url), None) => ValidateSubject::Site(body::site(url)?),
            (None, Some(content)) if content.len() > MAX_CONTENT => {
                let message =
                    format!("`content` has {} bytes; at most {MAX_CONTENT} can be validated.", content.len());
                return Err(ApiError::about(Code::BodyTooLarge, "content", message));
            }
            (None, Some(content)) => ValidateSubject::Text(content),
            (None, None) => {
                let message = "`url` and `content` are missing; send one of them: a site or a text.";
                return Err(ApiError::about(Code::MissingField, "url", message));
            }
            (Some(_), Some(_)) => {
                let message = "`url` and `content` exclude each other; send one of them: a site or a text.";
                return Err(ApiError::about(Code::InvalidField, "content", message));
            }
        };
        let links = if check_links { LinkChecks::Try } else { LinkChecks::Leave };
        Ok(Self { subject, links })
    }

    pub(crate) fn check(&self, service: &Service) -> ApiResult<()> {
        self.site().map_or(Ok(()), |seed| body::check_site(service, seed))
    }

    fn site(&self) -> Option<&Seed> {
        match &self.subject {
            ValidateSubject::Site(seed) => Some(seed),
            ValidateSubject::Text(_) => None,
        }
    }
}

/// Validates for one unit of the key's quota. `write` makes the answer of the report and the site's file, and what is kept of it.
///
/// The unit is reserved before anything is fetched, and settled or refunded afterwards. What fetches nothing is done by the
/// time a unit could be reserved: it is charged with its answer.
/// Errors: 429, 500, 503.
pub(crate) async fn run<T>(
    service: &Service,
    request: &HttpRequest,
    mut admission: Admission,
    asked: ValidateParams,
    write: impl FnOnce((Report, Vec<u8>)) -> ApiResult<(T, Option<KeptAnswer>)>,
) -> ApiResult<T> {
    if matches!((&asked.subject, asked.links), (ValidateSubject::Text(_), LinkChecks::Leave)) {
        let (answer, kept) = validate(service, asked, Freshness::Lately).await.and_then(write)?;
        let charged = admission.charge(kept).await;
        middleware::tell_figures(request, &admission.figures);
        return Ok(charged.map(|()| answer)?);
    }
    let reservation = answer::reserve(request, &mut admission).await?;
    let site = asked.site().map(|seed| seed.url.to_string());
    let (key, began) = (admission.record.key, Instant::now());
    // If it failed, `write` is dropped last: a name it holds for the client's request is free after the refund.
    let validated = validate(service, asked, preferences::freshness(request)).await;
    let (told, said) = match &validated {
        Ok((report, _)) => (report.status.as_str(), in_short(report)),
        Err(error) => (error.code.name(), error.message.clone()),
    };
    let outcome = match validated {
        Ok(validated) => write(validated),
        Err(error) => Err(error),
    };
    let paid = answer::paid(outcome, request, admission, reservation).await;
    if let Some(site) = site {
        let (endpoint, outcome, took) = (Endpoint::Validate, told.to_owned(), began.elapsed());
        let run = EndedRun { key, endpoint, site, outcome, said, took, answer: None };
        answer::remember(service.ledger.store(), run);
    }
    paid
}

/// What its owner wants to know of it later.
fn in_short(report: &Report) -> String {
    let scores = format!("Form {}, readiness {}.", report.score, report.readiness_score);
    let links = report.link_stats.as_ref().map_or_else(String::new, |links| {
        format!(" Links tried: {} answer, {} dead, {} unknown.", links.ok, links.dead, links.unknown)
    });
    scores + &links
}

/// The report, and the site's file as it came, empty if none did; of a text that was sent, its sender has it.
async fn validate(
    service: &Service,
    asked: ValidateParams,
    freshness: Freshness,
) -> ApiResult<(Report, Vec<u8>)> {
    Ok(match asked.subject {
        ValidateSubject::Site(seed) => service.validator.site(seed, asked.links, freshness).await?,
        ValidateSubject::Text(text) => {
            (service.validator.text(text.into_bytes(), None, asked.links).await?, Vec::new())
        }
    })
}
