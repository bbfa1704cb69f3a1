//! `POST /api/v1/validate`: parse, admit, validate, settle, answer.

mod run;

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use utoipa::ToSchema;
use wayfile_core::llms_txt::lint::report::Report;
use wayfile_core::plan::Endpoint;

use super::idempotency::{self, IdempotencyTurn};
use super::{admission, answer, body};
use crate::error::ApiResult;
use crate::error_responses::error_responses;
use crate::service::Service;

pub(crate) use run::{MAX_CONTENT, ValidateParams, run};

/// What is asked for: a site or a text.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the request; its fields are read one by one, to name what is wrong")]
enum ValidateRequest {
    Site(ValidateSite),
    Content(ValidateContent),
}

/// The file of a site.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes the request")]
struct ValidateSite {
    /// The site: a bare domain or a full http(s) address. With a path, the most specific file that covers it is taken; an
    /// address that ends in `.txt` or `.md` is the file.
    #[schema(min_length = 1, max_length = 2048, example = "docs.rs")]
    url: String,
    /// Whether up to 50 links of the file are tried, relative ones from its address; without this they are.
    #[schema(required = false)]
    check_links: bool,
}

/// A text.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes the request")]
struct ValidateContent {
    /// The text, at most 512,000 bytes as UTF-8.
    #[schema(max_length = 512_000)]
    content: String,
    /// Whether up to 50 of its absolute links are tried, and nothing else is fetched; without this they are.
    #[schema(required = false)]
    check_links: bool,
}

/// A request before it is known whether it is about a site or a text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ValidateFields {
    url: Option<String>,
    content: Option<String>,
    check_links: Option<bool>,
}

/// JSON writes one byte in up to six: `\u000a`.
const MAX_ESCAPE: usize = 6;
/// Bytes of the body: the longest content with every character escaped, and the other fields.
const MAX_BODY: usize = MAX_ESCAPE * MAX_CONTENT + (16 << 10);

error_responses!(
    /// Of a validation.
    ValidateErrors: BadRequest InvalidJson MissingField InvalidField UnknownField
        AddressNotPublic InvalidHeader Unauthorized RequestTimeout IdempotencyKeyReused BodyTooLarge
        UnsupportedMediaType RateLimited QuotaExceeded Internal Busy StoreUnavailable ShuttingDown
);

/// Says what an llms.txt is worth
///
/// Finds the file of a site, or takes a text as it is, and answers with two scores, every check with its line and how
/// to mend it, and whether the links lead anywhere. A site without a file, or one that cannot be reached, is an answer
/// like any other. At the deadline (30 seconds unless the operator says otherwise) what is not known is left out, and
/// links are unknown.
#[utoipa::path(
    post, path = crate::paths::api::VALIDATE, tag = "Files", security(("apiKey" = []), ("bearer" = [])),
    params(idempotency::RequestName),
    request_body(content = ValidateRequest, examples(
        ("A site" = (value = json!({"url": "docs.rs"}))),
        ("A text" = (value = json!({"content": "# Tide\n\n> Keeps levels of harbours.\n", "checkLinks": false}))),
    )),
    responses(
        (status = 200, description = "What the file is worth", content((Report = "application/json", examples(
            ("A site" = (value = json!({
                "mode": "url", "url": "https://docs.rs/", "targetUrl": "https://docs.rs/llms.txt",
                "score": 92, "readinessScore": 71, "status": "warnings", "health": "live",
                "checks": [
                    {"id": "h1-present", "tier": "structure", "pass": true, "label": "Has an H1 title",
                     "weight": 12, "detail": null, "line": null, "fix": null},
                ],
                "usesInstructionsPattern": true, "hasLlmsFull": false, "contentLength": 1816,
                "linkStats": {"checked": 11, "ok": 10, "dead": 1, "unknown": 1, "deadLinks": [
                    {"url": "https://docs.rs/gone", "line": 14, "reason": "404"},
                ]}
            }))),
            ("A text" = (value = json!({
                "mode": "content", "score": 59, "readinessScore": 48, "status": "invalid",
                "checks": [
                    {"id": "links-present", "tier": "structure", "pass": false, "label": "Has links",
                     "weight": 8, "detail": "there is no link", "line": null,
                     "fix": "List the pages that matter as `- [name](url): notes`."},
                ],
                "usesInstructionsPattern": false, "hasLlmsFull": false, "contentLength": 36
            }))),
        ))), headers(
            ("RateLimit-Policy" = String, description = "The limits of the key's plan"),
            ("RateLimit" = String, description = "What is left of them"),
            ("Idempotent-Replayed" = bool, description = "The answer was given before"),
        )),
        ValidateErrors,
    ),
)]
pub(crate) async fn validate(
    request: HttpRequest,
    payload: web::Payload,
    service: web::Data<Service>,
) -> ApiResult {
    let admission = admission::admit(&service, &request, Endpoint::Validate).await?;
    let _inside = service.enter()?;
    let body::Received { bytes: body, room: _room } =
        body::receive(&service, &request, payload, MAX_BODY).await?;
    let asked = parse(&body)?;
    asked.check(&service)?;
    let turn = idempotency::turn(&request, &body, &service.ledger, admission.record.key, service.deadline);
    let claimed = match turn.await? {
        IdempotencyTurn::Run(claimed) => claimed,
        IdempotencyTurn::Replay(earlier) => {
            return Ok(answer::replayed(answer::json(answer::interned(earlier))));
        }
    };
    // The text is held once while the work runs.
    drop(body);
    let write = |(report, _): (Report, _)| answer::written(&report, claimed);
    Ok(answer::json(run(&service, &request, admission, asked, write).await?))
}

fn parse(body: &[u8]) -> ApiResult<ValidateParams> {
    let ValidateFields { url, content, check_links } = body::parse(body)?;
    ValidateParams::new(url.as_deref(), content, check_links.unwrap_or(true))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wayfile_actors::LinkChecks;

    use super::*;
    use crate::error::Code;

    /// A body whose content has `bytes` bytes, each written by `escape`.
    fn body(bytes: usize, escape: &str) -> Vec<u8> {
        format!("{{\"content\": \"{}\", \"checkLinks\": false}}", escape.repeat(bytes)).into_bytes()
    }

    #[test]
    fn escapes_do_not_count() {
        for escape in ["a", "\\n", "\\u0061"] {
            let body = body(MAX_CONTENT, escape);
            assert!(body.len() <= MAX_BODY && parse(&body).is_ok(), "{escape}");
        }
        let error = parse(&body(MAX_CONTENT + 1, "a")).map(drop).unwrap_err();
        assert_eq!(error.code, Code::BodyTooLarge);
    }

    #[test]
    fn links_are_tried_unless_the_client_says_otherwise() {
        let links = |body: serde_json::Value| parse(body.to_string().as_bytes()).map(|asked| asked.links);
        assert_eq!(links(json!({"content": ""})).unwrap(), LinkChecks::Try);
        assert_eq!(links(json!({"url": "tide.dev", "checkLinks": true})).unwrap(), LinkChecks::Try);
        assert_eq!(links(json!({"url": "tide.dev", "checkLinks": false})).unwrap(), LinkChecks::Leave);
    }
}
