//! The one error that clients see: a code, and with it a status, a message and what belongs to it.

use std::fmt;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use utoipa::ToSchema;
use wayfile_actors::ledger::LedgerError;
use wayfile_actors::{CrawlError, PlanLimit, Refusal, ValidateError};
use wayfile_core::limits::whole_seconds;

use crate::store::StoreError;

/// The table of what can go wrong: each code with its status, its name on the wire, which never changes, and what it says
/// when nothing more precise is known.
macro_rules! codes {
    ($($code:ident $status:ident $name:literal $says:literal;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Code {
            $($code),*
        }

        impl Code {
            /// Status, name and message.
            pub(crate) fn entry(self) -> (StatusCode, &'static str, &'static str) {
                match self {
                    $(Self::$code => (StatusCode::$status, $name, $says)),*
                }
            }
        }
    };
}

codes! {
    BadRequest BAD_REQUEST "bad_request"
        "The request cannot be read. Check its form and send it again.";
    InvalidJson BAD_REQUEST "invalid_json"
        "The body is no JSON object. Send one, such as {\"url\": \"docs.rs\"}.";
    MissingField BAD_REQUEST "missing_field"
        "A required field is missing.";
    InvalidField BAD_REQUEST "invalid_field"
        "A field has a value that cannot be used.";
    UnknownField BAD_REQUEST "unknown_field"
        "There is no such field.";
    AddressNotPublic BAD_REQUEST "address_not_public"
        "The address is not public, so it cannot be fetched. Name a site on the public internet.";
    InvalidHeader BAD_REQUEST "invalid_header"
        "A header has a value that cannot be used.";
    Unauthorized UNAUTHORIZED "unauthorized"
        "The API key is missing, invalid or revoked. Send a valid one as `x-api-key: KEY` or `Authorization: Bearer KEY`.";
    NotInPlan FORBIDDEN "not_in_plan"
        "The plan does not include this.";
    SiteRefused FORBIDDEN "site_refused"
        "The site refuses access.";
    CrossSite FORBIDDEN "cross_site"
        "Another site sent this, so nothing was done.";
    NotFound NOT_FOUND "not_found"
        "There is nothing at this path. /openapi.json describes what there is.";
    MethodNotAllowed METHOD_NOT_ALLOWED "method_not_allowed"
        "This path has no such method; see the Allow header.";
    RequestTimeout REQUEST_TIMEOUT "request_timeout"
        "The request came too slowly. Send it again.";
    IdempotencyKeyReused CONFLICT "idempotency_key_reused"
        "This Idempotency-Key came with another body before. Use a new one for a new request.";
    BodyTooLarge PAYLOAD_TOO_LARGE "body_too_large"
        "The request's body is too large.";
    UnsupportedMediaType UNSUPPORTED_MEDIA_TYPE "unsupported_media_type"
        "The body must be plain JSON. Send it with `content-type: application/json`.";
    RateLimited TOO_MANY_REQUESTS "rate_limited"
        "The rate limit of this key's plan is reached.";
    QuotaExceeded TOO_MANY_REQUESTS "quota_exceeded"
        "The month's quota of this key's plan is used up.";
    TooManyCrawls TOO_MANY_REQUESTS "too_many_crawls"
        "This key has as many runs going as its plan allows. Wait for one to end.";
    SiteUnreachable INTERNAL_SERVER_ERROR "site_unreachable"
        "The site cannot be reached.";
    NothingToRead INTERNAL_SERVER_ERROR "nothing_to_read"
        "The site has no page to write about.";
    Internal INTERNAL_SERVER_ERROR "internal"
        "Something failed on our side. Try again; if it stays, report the requestId.";
    Busy SERVICE_UNAVAILABLE "busy"
        "As many runs are going as the service can take. Try again in a moment.";
    OutOfTime SERVICE_UNAVAILABLE "out_of_time"
        "The time was up before the files were written. Try again in a moment.";
    StoreUnavailable SERVICE_UNAVAILABLE "store_unavailable"
        "Keys and quotas cannot be looked up at the moment. Try again shortly.";
    NotReady SERVICE_UNAVAILABLE "not_ready"
        "A part of the service is down. Try again shortly.";
    ShuttingDown SERVICE_UNAVAILABLE "shutting_down"
        "The service is shutting down. Try again in a moment.";
}

impl Code {
    pub(crate) fn status(self) -> StatusCode {
        self.entry().0
    }

    pub(crate) fn name(self) -> &'static str {
        self.entry().1
    }

    /// What a status that the framework gave means.
    fn of(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND => Self::NotFound,
            StatusCode::METHOD_NOT_ALLOWED => Self::MethodNotAllowed,
            StatusCode::REQUEST_TIMEOUT => Self::RequestTimeout,
            StatusCode::PAYLOAD_TOO_LARGE => Self::BodyTooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self::UnsupportedMediaType,
            status if status.is_client_error() => Self::BadRequest,
            _ => Self::Internal,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct ApiError {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) param: Option<String>,
    retry_after: Option<Duration>,
    /// The methods there are, for a 405.
    allow: Option<&'static str>,
}

/// The body of every error.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Error)]
pub(crate) struct ErrorBody<'a> {
    /// The HTTP status.
    #[schema(example = 400)]
    pub(crate) status_code: u16,
    /// What failed, why, and what to do about it, for people.
    pub(crate) message: &'a str,
    /// What failed, for programs: it never changes.
    #[schema(example = "missing_field")]
    pub(crate) code: &'static str,
    /// Names this request in the service's log; also in `x-request-id`.
    pub(crate) request_id: &'a str,
    /// The field or header that is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) param: Option<&'a str>,
}

pub(crate) type ApiResult<T = HttpResponse> = Result<T, ApiError>;

/// Characters of a message, and of the name of what it is about: both may quote what a client sent.
const TOLD_MAX_CHARS: usize = 1_000;

/// A client that is told to come back without a time that is known comes back after this.
const SOON: Duration = Duration::from_secs(5);

impl ApiError {
    pub(crate) fn new(code: Code) -> Self {
        Self::saying(code, code.entry().2)
    }

    pub(crate) fn saying(code: Code, message: impl Into<String>) -> Self {
        let retry_after = (code.status() == StatusCode::SERVICE_UNAVAILABLE).then_some(SOON);
        Self { code, message: message.into(), param: None, retry_after, allow: None }
    }

    pub(crate) fn about(code: Code, param: &str, message: impl Into<String>) -> Self {
        Self { param: Some(param.to_owned()), ..Self::saying(code, message) }
    }

    /// A header that can be there once came again: a proxy may have read the other one (RFC 9110 section 5.3).
    pub(crate) fn repeated(header: &str) -> Self {
        let message = format!("`{header}` is there more than once; send it once.");
        Self::about(Code::InvalidHeader, header, message)
    }

    pub(crate) fn not_allowed(allow: &'static str) -> Self {
        Self { allow: Some(allow), ..Self::new(Code::MethodNotAllowed) }
    }

    pub(crate) fn retry_after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }

    pub(crate) fn of_status(status: StatusCode) -> Self {
        // Only the coding of an answer is negotiated.
        if status == StatusCode::NOT_ACCEPTABLE {
            let message = "`Accept-Encoding` refuses every form of this answer; leave `identity` allowed.";
            return Self::about(Code::InvalidHeader, "Accept-Encoding", message);
        }
        Self::new(Code::of(status))
    }

    pub(crate) fn body<'a>(&'a self, request_id: &'a str) -> ErrorBody<'a> {
        ErrorBody {
            status_code: self.code.status().as_u16(),
            message: shortened(&self.message, TOLD_MAX_CHARS),
            code: self.code.name(),
            request_id,
            param: self.param.as_deref().map(|param| shortened(param, TOLD_MAX_CHARS)),
        }
    }

    /// The answer, with the headers that belong to it.
    pub(crate) fn response(&self, request_id: &str) -> HttpResponse {
        let mut response = HttpResponse::build(self.code.status());
        response.insert_header((CONTENT_TYPE, HeaderValue::from_static("application/json")));
        if let Some(wait) = self.retry_after {
            response.insert_header((RETRY_AFTER, whole_seconds(wait).max(1)));
        }
        if let Some(allow) = self.allow {
            response.insert_header((ALLOW, allow));
        }
        if self.code == Code::Unauthorized {
            response.insert_header(("www-authenticate", "Bearer"));
        }
        response.body(serde_json::to_string(&self.body(request_id)).unwrap_or_default())
    }
}

impl ApiError {
    /// What the log holds of an error: of what a client asked for, which its words may quote, no more than the code.
    pub(crate) fn logged(error: &actix_web::Error) -> String {
        let Some(own) = error.as_error::<Self>() else { return error.to_string() };
        let is_ours = matches!(own.code, Code::StoreUnavailable | Code::NotReady | Code::Internal);
        if is_ours { own.to_string() } else { own.code.name().to_owned() }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.code.status()
    }

    fn error_response(&self) -> HttpResponse {
        self.response("")
    }
}

impl From<CrawlError> for ApiError {
    fn from(error: CrawlError) -> Self {
        let code = match &error {
            CrawlError::Refused(_) => Code::SiteRefused,
            // The caller's own address was checked before; this is where the site sent us.
            CrawlError::NotPublic(_) | CrawlError::Unreachable(_) | CrawlError::Failed(_) => {
                Code::SiteUnreachable
            }
            CrawlError::NothingThere(_) => Code::NothingToRead,
            CrawlError::OutOfTime(_) => Code::OutOfTime,
            CrawlError::Closing => return Self::new(Code::ShuttingDown),
            CrawlError::Busy => return Self::new(Code::Busy),
            CrawlError::Cancelled | CrawlError::Internal => return Self::new(Code::Internal),
        };
        // It begins with the site's address, which keeps its spelling.
        Self::saying(code, format!("{error}."))
    }
}

impl From<ValidateError> for ApiError {
    fn from(error: ValidateError) -> Self {
        match error {
            ValidateError::NotPublic(_) => Self::about(Code::AddressNotPublic, "url", format!("{error}.")),
            ValidateError::Busy => Self::saying(Code::Busy, sentence(&error)),
            ValidateError::Closing => Self::new(Code::ShuttingDown),
            ValidateError::Internal => Self::new(Code::Internal),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let (code, wait) = match refusal {
            Refusal::UnknownKey => return Self::new(Code::Unauthorized),
            Refusal::StoreAway => return Self::new(Code::StoreUnavailable),
            Refusal::AtLimit { limit: PlanLimit::Rate, wait, .. } => (Code::RateLimited, wait),
            Refusal::AtLimit { limit: PlanLimit::Month(..), wait, .. } => (Code::QuotaExceeded, wait),
            Refusal::AtLimit { limit: PlanLimit::Crawls(_), wait, .. } => (Code::TooManyCrawls, wait),
        };
        Self::saying(code, sentence(&refusal)).retry_after(wait)
    }
}

impl From<LedgerError> for ApiError {
    fn from(error: LedgerError) -> Self {
        tracing::error!(%error, "a request failed: the store does not answer");
        Self::new(Code::StoreUnavailable)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        if matches!(error, StoreError::TooMuchMail) {
            tracing::error!(%error, "a mail was refused");
            return Self::saying(
                Code::Busy,
                "Mails cannot be sent at the moment. Try again in a few minutes.",
            );
        }
        LedgerError::from(error).into()
    }
}

/// What is told of a text that may be of any length: so many characters at most.
pub(crate) fn shortened(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// A text as a sentence of its own: with a capital letter and a full stop.
pub(crate) fn sentence(text: &impl fmt::Display) -> String {
    let text = text.to_string();
    let mut chars = text.chars();
    let first: String = chars.next().map_or_else(String::new, |first| first.to_uppercase().collect());
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_sent_is_quoted_in_short_however_long_it_is() {
        let long = "é".repeat(100_000);
        let error = ApiError::about(Code::InvalidField, &long, format!("`{long}` is no field."));
        let body = error.body("id");
        assert_eq!(body.message.chars().count(), TOLD_MAX_CHARS);
        assert_eq!(body.param.map(|param| param.chars().count()), Some(TOLD_MAX_CHARS));
    }
}
