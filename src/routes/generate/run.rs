//! One run, from an admitted key to the files: the same for the API and the dashboard.

use std::sync::Arc;
use std::time::Instant;

use actix_web::{HttpMessage, HttpRequest};
use wayfile_actors::ledger::KeptAnswer;
use wayfile_actors::{Admission, Engine, Generated, Job, Joined, OutputOptions};
use wayfile_core::llms_txt::FileType;
use wayfile_core::plan::{Endpoint, Grant};
use wayfile_core::site::globs::Selection;
use wayfile_core::url::Seed;

use crate::error::{ApiError, ApiResult, Code, sentence};
use crate::middleware::Arrived;
use crate::routes::progress::Started;
use crate::routes::{answer, body, preferences};
use crate::service::Service;
use crate::shutdown_gate;
use crate::store::EndedRun;

/// Patterns of `include`, and of `exclude`.
const MAX_PATTERNS: usize = 20;
pub(crate) const MAX_INSTRUCTIONS: usize = 4_000;

pub(crate) struct GenerateParams {
    seed: Seed,
    file_type: FileType,
    instructions: Option<String>,
    max_pages: Option<usize>,
    selection: Selection,
}

impl GenerateParams {
    /// Errors: 400: a field has a value that cannot be used.
    pub(crate) fn new(url: &str, file_type: Option<&str>, instructions: Option<String>) -> ApiResult<Self> {
        let seed = body::site(url)?;
        let unknown =
            |error| ApiError::about(Code::InvalidField, "fileType", format!("`fileType`: {error}."));
        let file_type = file_type.map_or(Ok(FileType::default()), str::parse).map_err(unknown)?;
        if instructions.as_ref().is_some_and(|text| text.chars().count() > MAX_INSTRUCTIONS) {
            let message = format!("`instructions` is longer than {MAX_INSTRUCTIONS} characters.");
            return Err(ApiError::about(Code::InvalidField, "instructions", message));
        }
        Ok(Self { seed, file_type, instructions, max_pages: None, selection: Selection::default() })
    }

    /// The same for fewer pages: at most so many, and only those that the patterns choose.
    /// Errors: 400: no page at all, too many patterns, or a text that is none.
    pub(crate) fn narrowed(
        self,
        max_pages: Option<usize>,
        include: &[String],
        exclude: &[String],
    ) -> ApiResult<Self> {
        let wrong = |name: &str, message: String| Err(ApiError::about(Code::InvalidField, name, message));
        if max_pages == Some(0) {
            return wrong("maxPages", "`maxPages` is 0; a file has 1 page at least.".to_owned());
        }
        for (name, patterns) in [("include", include), ("exclude", exclude)] {
            if patterns.len() > MAX_PATTERNS {
                return wrong(name, format!("`{name}` has more than {MAX_PATTERNS} patterns."));
            }
            if let Err(error) = Selection::parse(patterns, &[]) {
                return wrong(name, format!("`{name}`: {error}."));
            }
        }
        let selection = Selection::parse(include, exclude).map_err(|_| ApiError::new(Code::Internal))?;
        Ok(Self { max_pages, selection, ..self })
    }

    pub(crate) fn check(&self, service: &Service) -> ApiResult<()> {
        body::check_site(service, &self.seed)
    }
}

/// Lets the plan decide what is made, waits for the key's turn to crawl and reserves a unit of its quota; the work that is
/// left crawls, and settles or refunds the unit. `write` makes the answer of it, and what is kept of that.
/// Errors: 403, 429 or 503 before anything is fetched; what fails later is the work's.
pub(crate) async fn start<T>(
    service: &Service,
    request: &HttpRequest,
    (mut admission, inside): (Admission, shutdown_gate::InFlight),
    asked: GenerateParams,
    write: impl FnOnce(Generated) -> ApiResult<(T, Option<KeptAnswer>)> + 'static,
) -> ApiResult<Started<T>> {
    let Grant { file_type, note } = service
        .plans
        .get()
        .grant(admission.record.plan, asked.file_type)
        .map_err(|error| ApiError::about(Code::NotInPlan, "fileType", sentence(&error)))?;
    let mut job = job(asked, file_type, &admission, request)?;
    let events = job.events.listen();
    let joined = service.engine.join(&job).await;
    if joined.is_none() {
        job.slot = Some(Arc::new(admission.crawl_slot().await?));
    }
    let reservation = answer::reserve(request, &mut admission).await?;

    let (engine, request) = (service.engine.clone(), request.clone());
    let (site, store, key) = (job.seed.url.to_string(), service.ledger.store().clone(), admission.record.key);
    let began = Instant::now();
    let work = Box::pin(async move {
        let _inside = inside;
        let mut said = String::new();
        // Of a run that failed, `write` is dropped last: a name it holds for the client's request is free after the refund.
        let outcome = match crawl(&engine, &admission, joined, job).await {
            Ok(mut made) => {
                // That less was made than was asked for comes first.
                let notes: Vec<String> = note.into_iter().chain(made.note.take()).collect();
                said = format!("Pages read: {}.", made.stats.pages);
                if !notes.is_empty() {
                    said = format!("{said} {}", notes.join(" "));
                    made.note = Some(notes.join(" "));
                }
                write(made)
            }
            Err(error) => Err(error),
        };
        let (outcome_told, answer) = match &outcome {
            Ok((_, kept)) => (file_type.to_string(), kept.as_ref().map(|kept| kept.name.clone())),
            Err(error) => {
                said.clone_from(&error.message);
                (error.code.name().to_owned(), None)
            }
        };
        let (endpoint, took) = (Endpoint::Generate, began.elapsed());
        let run = EndedRun { key, endpoint, site, outcome: outcome_told, said, took, answer };
        let paid = answer::paid(outcome, &request, admission, reservation).await;
        answer::remember(&store, run);
        paid
    });
    Ok(Started { work, events })
}

/// A crawl needs a slot: a request that joined a crawl that came to nothing waits for one now.
async fn crawl(
    engine: &Engine,
    admission: &Admission,
    joined: Option<Joined>,
    mut job: Job,
) -> ApiResult<Generated> {
    if let Some(joined) = joined {
        if let Some(result) = joined.answer().await {
            return Ok(result?);
        }
        job.slot = Some(Arc::new(admission.crawl_slot().await?));
    }
    Ok(engine.generate(job).await?)
}

fn job(
    asked: GenerateParams,
    file_type: FileType,
    admission: &Admission,
    request: &HttpRequest,
) -> ApiResult<Job> {
    let limits = &admission.limits;
    let most = if file_type.index() { limits.index_pages } else { limits.full_pages };
    let max_pages = asked.max_pages.unwrap_or(most);
    if max_pages > most {
        let message =
            format!("`maxPages` is {max_pages}; the {} plan has 1 to {most}.", admission.record.plan);
        return Err(ApiError::about(Code::InvalidField, "maxPages", message));
    }
    let output = OutputOptions {
        file_type,
        instructions: asked.instructions,
        index_pages: limits.index_pages.min(max_pages),
        full_pages: limits.full_pages.min(max_pages),
    };
    let arrived = request.extensions().get::<Arrived>().copied();
    let mut job = Job { selection: asked.selection, ..Job::new(asked.seed, output) };
    job.since = arrived.map_or(job.since, |Arrived(at)| at);
    job.freshness = preferences::freshness(request);
    Ok(job)
}
