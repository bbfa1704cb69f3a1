//! `POST /api/v1/generate`: parse, admit, crawl, settle, answer.

mod run;

use std::time::Duration;

use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use utoipa::ToSchema;
use wayfile_actors::{Admission, Events, Generated};
use wayfile_core::llms_txt::FileType;
use wayfile_core::llms_txt::compose::FullText;
use wayfile_core::plan::Endpoint;

use super::idempotency::{self, IdempotencyTurn};
use super::progress::Started;
use super::{admission, answer, body, preferences, progress};
use crate::error::ApiResult;
use crate::error_responses::error_responses;
use crate::middleware::{self, RequestId};
use crate::service::Service;
use crate::shutdown_gate;

pub(crate) use run::{GenerateParams, MAX_INSTRUCTIONS, start};

/// A request for a stream that waits longer for another one of its name begins to stream.
const PLAIN_WAIT: Duration = Duration::from_secs(5);
/// Bytes of the body: instructions, address and patterns at their longest, every character escaped.
const MAX_BODY: usize = 192 << 10;

/// What is asked for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct GenerateRequest {
    /// The site: a bare domain or a full http(s) address. An address with a path limits the run to that path.
    #[schema(required = true, nullable = false, min_length = 1, max_length = 2048, example = "docs.rs")]
    url: Option<String>,
    /// Which files are made; without this, both.
    #[schema(nullable = false, value_type = Option<FileType>)]
    file_type: Option<String>,
    /// Guidance for the readers of the file; it goes into its "Instructions for LLM Agents".
    #[schema(nullable = false, max_length = 4000)]
    instructions: Option<String>,
    /// Pages in a file at most: from 1 to what the plan has, which it is without this.
    #[serde(default, deserialize_with = "body::count")]
    #[schema(nullable = false, value_type = Option<u32>, minimum = 1, maximum = 1_000_000)]
    max_pages: Option<usize>,
    /// Patterns of the paths that are listed, such as `/docs/**`: `*` stops at a slash, `**` does not. Without any, all are.
    #[schema(nullable = false, max_items = 20, example = json!(["/docs/**"]))]
    include: Option<Vec<String>>,
    /// Patterns of the paths that are not, whatever includes them.
    #[schema(nullable = false, max_items = 20, example = json!(["/docs/old/**"]))]
    exclude: Option<Vec<String>>,
}

/// The API's answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GenerateResponse<'a> {
    /// The site's address, after its redirects.
    #[schema(example = "https://docs.rs/")]
    pub(crate) url: &'a str,
    /// The site's host.
    #[schema(example = "docs.rs")]
    pub(crate) domain: &'a str,
    /// What was made, after a downgrade.
    pub(crate) file_type: FileType,
    /// llms.txt; null for `llms-full`.
    #[schema(required = true)]
    pub(crate) llms_txt: Option<&'a str>,
    /// llms-full.txt; null for `llms`.
    #[schema(required = true, value_type = Option<String>)]
    pub(crate) llms_full_txt: Option<&'a FullText>,
    /// Whether a model wrote the summary and the descriptions.
    pub(crate) llm_enhanced: bool,
    /// What the caller should know about the run; null when there is nothing to say.
    #[schema(required = true)]
    pub(crate) note: Option<&'a str>,
}

impl<'a> From<&'a Generated> for GenerateResponse<'a> {
    fn from(generated: &'a Generated) -> Self {
        Self {
            url: generated.url.as_str(),
            domain: &generated.domain,
            file_type: generated.file_type,
            llms_txt: generated.llms_txt.as_deref().map(String::as_str),
            llms_full_txt: generated.llms_full_txt.as_deref(),
            llm_enhanced: generated.llm_enhanced,
            note: generated.note.as_deref(),
        }
    }
}

error_responses!(
    /// Of a generate run.
    GenerateErrors: BadRequest InvalidJson MissingField InvalidField UnknownField
        AddressNotPublic InvalidHeader Unauthorized NotInPlan SiteRefused RequestTimeout IdempotencyKeyReused
        BodyTooLarge UnsupportedMediaType RateLimited QuotaExceeded TooManyCrawls SiteUnreachable
        NothingToRead Internal Busy OutOfTime StoreUnavailable ShuttingDown
);

/// Makes llms.txt and llms-full.txt of a site
///
/// Answers when the files are ready, at the latest at the service's deadline (110 seconds unless the operator says
/// otherwise) with what there is by then. With `Accept: text/event-stream` the answer is a stream of events instead
/// (`x-events` in the OpenAPI document), with a comment every 15 seconds.
#[utoipa::path(
    post, path = crate::paths::api::GENERATE, tag = "Files", security(("apiKey" = []), ("bearer" = [])),
    params(idempotency::RequestName),
    request_body(content = GenerateRequest, example = json!({"url": "docs.rs", "fileType": "both"})),
    responses(
        (status = 200, description = "The files", content((
            GenerateResponse = "application/json", example = json!({
                "url": "https://docs.rs/", "domain": "docs.rs", "fileType": "llms",
                "llmsTxt": "# Docs.rs\n\n> Documentation of Rust packages.\n\n## About\n\n\
                            - [About](https://docs.rs/about): How the service works\n",
                "llmsFullTxt": null, "llmEnhanced": false,
                "note": "Only llms.txt was made: the free plan does not include llms-full.txt. \
                         Upgrade to the starter plan to get both."
            })
        )), headers(
            ("RateLimit-Policy" = String, description = "The limits of the key's plan"),
            ("RateLimit" = String, description = "What is left of them"),
            ("Idempotent-Replayed" = bool, description = "The answer was given before"),
        )),
        GenerateErrors,
    ),
    extensions(("x-events" = json!([
        {"event": "accepted", "data": "{}", "description": "The run has begun"},
        {"event": "discovered", "data": "Progress", "description": "New pages are known"},
        {"event": "page", "data": "PageEvent", "description": "A page was settled, one way or the other"},
        {"event": "described", "data": "Progress", "description": "A model has described a page, or failed to"},
        {"event": "done", "data": "GenerateResponse", "description": "The last one: the files are ready"},
        {"event": "error", "data": "Error", "description": "The last one: the run failed"},
    ]))),
)]
pub(crate) async fn generate(
    request: HttpRequest,
    payload: web::Payload,
    service: web::Data<Service>,
) -> ApiResult {
    // First the key: who is turned away because the service shuts down still learns how the key's limits stand.
    let admission = admission::admit(&service, &request, Endpoint::Generate).await?;
    let inside = service.enter()?;
    let body = body::receive(&service, &request, payload, MAX_BODY).await?.bytes;
    let asked = parse(&body)?;
    asked.check(&service)?;
    let (streamed, id) = (preferences::wants_events(&request), RequestId::get(&request));
    let mut turn = Box::pin({
        let (request, service, key) = (request.clone(), service.clone(), admission.record.key);
        async move { idempotency::turn(&request, &body, &service.ledger, key, service.deadline).await }
    });
    let in_time = if streamed { timeout(PLAIN_WAIT, &mut turn).await.ok() } else { Some((&mut turn).await) };
    let let_in = (admission, inside);
    let Some(in_time) = in_time else {
        // The run of the other request is not this one's to hear of; but its client hears that there is something to wait for.
        let waiting = async move {
            match begin(&service, &request, let_in, asked, turn.await?).await? {
                Begun::Replay(answer) => Ok(answer),
                Begun::Run(started) => started.answer().await,
            }
        };
        return Ok(progress::stream(Box::pin(waiting), None, Events::default().listen(), &id));
    };
    match begin(&service, &request, let_in, asked, in_time?).await? {
        Begun::Replay(answer) => Ok(replayed(answer, streamed, &id)),
        Begun::Run(started) if streamed => progress::watch(started, &id).await,
        Begun::Run(started) => Ok(answer::json(started.answer().await?)),
    }
}

/// What the turn of a request has come to.
enum Begun {
    Replay(Bytes),
    Run(Started<Bytes>),
}

async fn begin(
    service: &Service,
    request: &HttpRequest,
    let_in: (Admission, shutdown_gate::InFlight),
    asked: GenerateParams,
    turn: IdempotencyTurn,
) -> ApiResult<Begun> {
    let claimed = match turn {
        IdempotencyTurn::Run(claimed) => claimed,
        IdempotencyTurn::Replay(answer) => return Ok(Begun::Replay(answer::interned(answer))),
    };
    // Behind one of the same name that came to nothing, all the time may have passed.
    if claimed.is_some() {
        middleware::arrives_now(request);
    }
    let write = |made: Generated| answer::written(&GenerateResponse::from(&made), claimed);
    Ok(Begun::Run(start(service, request, let_in, asked, write).await?))
}

fn parse(body: &[u8]) -> ApiResult<GenerateParams> {
    let GenerateRequest { url, file_type, instructions, max_pages, include, exclude } = body::parse(body)?;
    let url = body::required("url", url)?;
    let (include, exclude) = (include.unwrap_or_default(), exclude.unwrap_or_default());
    GenerateParams::new(&url, file_type.as_deref(), instructions)?.narrowed(max_pages, &include, &exclude)
}

fn replayed(body: Bytes, streamed: bool, id: &RequestId) -> HttpResponse {
    answer::replayed(if streamed {
        let over = Events::default().listen();
        progress::stream(Box::pin(async move { Ok(body) }), None, over, id)
    } else {
        answer::json(body)
    })
}
