//! `POST /api/v1/generate`: parse, admit, crawl, settle, answer.

use std::future::ready;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use serde::Serialize;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use utoipa::ToSchema;
use wayfile_actors::{Event, Events, Freshness, Generated, Job, Pass, Wish};
use wayfile_core::llms_txt::FileType;
use wayfile_core::plan::{Endpoint, Grant};
use wayfile_core::site::url::Seed;

use super::address;
use super::answer;
use super::body::{self, Fields, Kind};
use super::frame::{self, Arrived, RequestId};
use super::idempotency::{self, Turn};
use super::progress::{self, Run};
use crate::app::Service;
use crate::error::{ApiError, Code, sentence};

/// The request's fields.
pub(crate) const FIELDS: [&str; 3] = ["url", "fileType", "instructions"];
/// Characters of `instructions`.
pub(crate) const MAX_INSTRUCTIONS: usize = 4_000;
/// Bytes of the body: instructions and address at their longest, every character escaped.
const MAX_BODY: usize = 64 << 10;

/// What is asked for.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the request; its fields are read one by one, to name what is wrong")]
struct GenerateRequest {
    /// The site: a bare domain or a full http(s) address. An address with a path limits the run to that path.
    #[schema(min_length = 1, max_length = 2048, example = "docs.rs")]
    url: String,
    /// Which files are made.
    #[schema(required = false, default = "both", value_type = FileTypeName)]
    file_type: String,
    /// Guidance for the readers of the file; it goes into its "Instructions for LLM Agents".
    #[schema(required = false, max_length = 4000)]
    instructions: String,
}

/// `llms`: llms.txt alone; `llms-full`: llms-full.txt alone; `both`.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "describes the request")]
enum FileTypeName {
    Llms,
    LlmsFull,
    Both,
}

/// The API's answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GenerateResponse<'a> {
    /// The site's address, after its redirects.
    #[schema(example = "https://docs.rs/")]
    url: &'a str,
    /// The site's host.
    #[schema(example = "docs.rs")]
    domain: &'a str,
    /// What was made, after a downgrade.
    #[schema(value_type = FileTypeName)]
    file_type: FileType,
    /// llms.txt; null for `llms-full`.
    #[schema(required = true)]
    llms_txt: Option<&'a str>,
    /// llms-full.txt; null for `llms`.
    #[schema(required = true)]
    llms_full_txt: Option<&'a str>,
    /// Whether a model wrote the summary and the descriptions.
    llm_enhanced: bool,
    /// What the caller should know about the run; null when there is nothing to say.
    #[schema(required = true)]
    note: Option<String>,
}

impl<'a> GenerateResponse<'a> {
    /// `before` goes before the run's own note.
    pub(crate) fn new(generated: &'a Generated, before: Option<&str>) -> Self {
        let notes: Vec<&str> = before.into_iter().chain(generated.note.as_deref()).collect();
        Self {
            url: generated.url.as_str(),
            domain: &generated.domain,
            file_type: generated.file_type,
            llms_txt: generated.llms_txt.as_deref(),
            llms_full_txt: generated.llms_full_txt.as_deref(),
            llm_enhanced: generated.llm_enhanced,
            note: (!notes.is_empty()).then(|| notes.join(" ")),
        }
    }
}

/// A request as it was understood.
struct Asked {
    seed: Seed,
    file_type: FileType,
    instructions: Option<String>,
}

/// Makes llms.txt and llms-full.txt of a site
///
/// Answers when the files are ready, at the latest at the service's deadline (110 seconds unless the operator says
/// otherwise) with what there is by then. With `Accept: text/event-stream` the answer is a stream of events:
/// `accepted`, `discovered`, `page`, `described`, and last `done` with the same JSON or `error` with the error's body.
#[utoipa::path(
    post, path = super::GENERATE, tag = "Files", security(("apiKey" = []), ("bearer" = [])),
    params(
        ("Idempotency-Key" = Option<String>, Header, max_length = 255, pattern = "^[!-~]+$",
            description = "Names this request for 24 hours: the same name and body gives the same answer again, \
                           at no cost"),
    ),
    request_body(content = GenerateRequest, example = json!({"url": "docs.rs", "fileType": "both"})),
    responses(
        (status = 200, description = "The files", content(
            (GenerateResponse = "application/json", example = json!({
                "url": "https://docs.rs/", "domain": "docs.rs", "fileType": "llms",
                "llmsTxt": "# Docs.rs\n\n> Documentation of Rust packages.\n\n## About\n\n\
                            - [About](https://docs.rs/about): How the service works\n",
                "llmsFullTxt": null, "llmEnhanced": false,
                "note": "Only llms.txt was made: the free plan does not include llms-full.txt. \
                         Upgrade to the starter plan to get both."
            })),
            (String = "text/event-stream", example = json!(
                "event: accepted\ndata: {}\n\nevent: discovered\ndata: {\"discovered\":12,\"fetched\":1,\"failed\":0,\"described\":0}\n\n"
            )),
        ), headers(
            ("RateLimit-Policy" = String, description = "The limits of the key's plan"),
            ("RateLimit" = String, description = "What is left of them"),
            ("Idempotent-Replayed" = Option<bool>, description = "The answer was given before"),
        )),
        crate::openapi::GenerateErrors,
    ),
)]
pub(crate) async fn generate(
    request: HttpRequest,
    payload: web::Payload,
    service: web::Data<Service>,
) -> Result<HttpResponse, ApiError> {
    // First the key: who is turned away because the service shuts down still learns how the key's limits stand.
    let mut pass = service.admit(&request, Endpoint::Generate).await?;
    let inside = service.enter()?;
    let body = body::read(&request, payload, Kind::Json, MAX_BODY).await?;
    let asked = parse(&body)?;
    address::check(&service, &asked.seed)?;
    let (streamed, id) = (progress::wants_events(&request), RequestId::get(&request));
    let turn = idempotency::turn(&request, &body, &service.ledger, pass.key(), service.deadline).await?;
    let claimed = match turn {
        Turn::Run(claimed) => claimed,
        Turn::Replay(answer) => return Ok(replayed(answer, streamed, &id)),
    };
    let Grant { file_type, note } = service
        .plans
        .grant(pass.plan(), asked.file_type)
        .map_err(|error| ApiError::about(Code::NotInPlan, "fileType", sentence(&error.to_string())))?;
    let job = job(asked, file_type, &pass, &request);
    let slot = if service.engine.would_join(&job) { None } else { Some(pass.crawl_slot().await?) };
    let reservation = pass.reserve().await?;
    frame::tell_figures(&request, pass.figures());

    let events = job.events.listen();
    let engine = service.engine.clone();
    let run: Run = Box::pin(async move {
        let (_inside, _slot) = (inside, slot);
        let outcome = engine.generate(job).await.map_err(ApiError::from).and_then(|generated| {
            serde_json::to_string(&GenerateResponse::new(&generated, note.as_deref()))
                .map_err(|_| ApiError::new(Code::Internal))
        });
        answer::paid(outcome, &request, pass, reservation, claimed).await
    });
    if streamed { watched(run, events, &id).await } else { Ok(answer::json(run.await?)) }
}

fn parse(body: &[u8]) -> Result<Asked, ApiError> {
    let mut fields = Fields::parse(body)?;
    let url = fields.required_text("url")?;
    let file_type = fields.text("fileType")?;
    let instructions = fields.text("instructions")?;
    fields.end(&FIELDS)?;
    let seed = address::parse(&url)?;
    let file_type = file_type
        .map_or(Ok(FileType::default()), |name| name.parse())
        .map_err(|error| ApiError::about(Code::InvalidField, "fileType", format!("`fileType`: {error}.")))?;
    if instructions.as_ref().is_some_and(|text| text.chars().count() > MAX_INSTRUCTIONS) {
        let message = format!("`instructions` is longer than {MAX_INSTRUCTIONS} characters.");
        return Err(ApiError::about(Code::InvalidField, "instructions", message));
    }
    Ok(Asked { seed, file_type, instructions })
}

fn job(asked: Asked, file_type: FileType, pass: &Pass, request: &HttpRequest) -> Job {
    let limits = pass.limits();
    let wish = Wish {
        file_type,
        instructions: asked.instructions,
        index_pages: limits.index_pages,
        full_pages: limits.full_pages,
    };
    let arrived = request.extensions().get::<Arrived>().copied();
    let no_cache = frame::header_says(request, CACHE_CONTROL.as_str(), "no-cache");
    let mut job = Job::new(asked.seed, wish);
    job.since = arrived.map_or(job.since, |Arrived(at)| at);
    job.freshness = if no_cache { Freshness::Now } else { Freshness::Lately };
    job
}

/// Until the crawl begins, failures are plain answers; from then on they end the stream.
async fn watched(
    mut run: Run,
    mut events: Receiver<Event>,
    id: &RequestId,
) -> Result<HttpResponse, ApiError> {
    let begun = tokio::select! {
        biased;
        begun = events.recv() => begun,
        answer = &mut run => {
            run = Box::pin(ready(answer));
            Err(RecvError::Closed)
        }
    };
    match begun {
        Ok(event) => Ok(progress::stream(run, Some(event), events, id)),
        Err(RecvError::Lagged(_)) => Ok(progress::stream(run, None, events, id)),
        // It ended before it began.
        Err(RecvError::Closed) => {
            let answer = run.await?;
            Ok(progress::stream(Box::pin(ready(Ok(answer))), None, events, id))
        }
    }
}

fn replayed(body: String, streamed: bool, id: &RequestId) -> HttpResponse {
    answer::replayed(if streamed {
        let over = Events::default().listen();
        progress::stream(Box::pin(async move { Ok(body) }), None, over, id)
    } else {
        answer::json(body)
    })
}
