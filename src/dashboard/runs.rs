//! `/runs`: those that ended last, a page of each, and their files once more.

use actix_web::http::StatusCode;
use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;
use serde_json::Value;
use wayfile_core::plan::Endpoint;

use super::{Layout, OVERVIEW, SignedIn, render, words};
use crate::error::{ApiError, ApiResult, Code};
use crate::service::Service;
use crate::store::{LatestRun, StoreResult};

/// The files of a run, and the fields of its answer that hold them.
const FILES: [(&str, &str); 2] = [("llms.txt", "llmsTxt"), ("llms-full.txt", "llmsFullTxt")];
/// How runs ended, as a filter and the style sheet call it, and in words.
const ENDINGS: [(&str, &str); 3] = [("good", "went well"), ("warn", "with warnings"), ("bad", "failed")];

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct RunFilter {
    /// A part of the site's address.
    site: String,
    /// One of `ENDINGS`; all of them where it is none.
    ended: String,
}

#[derive(Template)]
#[template(path = "runs/list.html")]
struct RunListPage {
    layout: Layout,
    filter: RunFilter,
    runs: Vec<RunRow>,
}

#[derive(Template)]
#[template(path = "runs/one.html")]
struct RunPage {
    layout: Layout,
    run: RunRow,
    /// The files that can be had, and their bytes.
    files: Vec<(&'static str, usize)>,
}

pub(super) struct RunRow {
    pub(super) run: LatestRun,
    /// The address as people write it.
    pub(super) site: String,
    pub(super) outcome: String,
    /// One of `ENDINGS`.
    pub(super) class: &'static str,
    pub(super) files: &'static [&'static str],
}

impl From<LatestRun> for RunRow {
    fn from(run: LatestRun) -> Self {
        let (outcome, class, files): (_, _, &[_]) = match run.outcome.as_str() {
            "both" => ("both files".to_owned(), "good", &["llms.txt", "llms-full.txt"]),
            "llms" => ("llms.txt".to_owned(), "good", &["llms.txt"]),
            "llms-full" => ("llms-full.txt".to_owned(), "good", &["llms-full.txt"]),
            "valid" => ("valid".to_owned(), "good", &[]),
            "warnings" => ("warnings".to_owned(), "warn", &[]),
            other => (other.replace('_', " "), "bad", &[]),
        };
        let files = if run.kept { files } else { &[] };
        let site = run.site.trim_start_matches("https://").trim_end_matches('/').to_owned();
        Self { run, site, outcome, class, files }
    }
}

impl RunRow {
    /// Where the same can be asked for again.
    fn again(&self) -> &'static str {
        match self.run.endpoint {
            Endpoint::Generate => super::PLAYGROUND,
            Endpoint::Validate => super::VALIDATE,
        }
    }
}

/// The runs of an account that are remembered, the newest first; `run` alone where that is given.
pub(super) async fn latest(
    service: &Service,
    person: &SignedIn,
    run: Option<i64>,
) -> StoreResult<Vec<RunRow>> {
    let runs = service.ledger.store().latest_runs(person.account, run).await?;
    Ok(runs.into_iter().map(RunRow::from).collect())
}

pub(crate) async fn list(
    service: web::Data<Service>,
    person: SignedIn,
    filter: web::Query<RunFilter>,
) -> ApiResult {
    let (filter, mut runs) = (filter.into_inner(), latest(&service, &person, None).await?);
    let site = filter.site.trim().to_lowercase();
    let any = ENDINGS.iter().all(|(class, _)| *class != filter.ended);
    runs.retain(|row| row.run.site.to_lowercase().contains(&site) && (any || row.class == filter.ended));
    render(StatusCode::OK, &RunListPage { layout: Layout::of(&person, OVERVIEW), filter, runs })
}

pub(crate) async fn one(service: web::Data<Service>, person: SignedIn, id: web::Path<i64>) -> ApiResult {
    let unknown =
        || ApiError::saying(Code::NotFound, "You have no such run, or it is not remembered any more.");
    let run = latest(&service, &person, Some(*id)).await?.pop().ok_or_else(unknown)?;
    let answer = answer(&service, &person, *id).await?;
    let size = |(name, field): (_, &str)| Some((name, answer.as_ref()?[field].as_str()?.len()));
    let files = FILES.into_iter().filter_map(size).collect();
    render(StatusCode::OK, &RunPage { layout: Layout::of(&person, OVERVIEW), run, files })
}

pub(crate) async fn file(
    service: web::Data<Service>,
    person: SignedIn,
    path: web::Path<(i64, String)>,
) -> ApiResult {
    let (run, name) = path.into_inner();
    let gone = || ApiError::saying(Code::NotFound, "This file is not kept any more. Have it made anew.");
    let (name, field) = FILES.into_iter().find(|(file, _)| *file == name).ok_or_else(gone)?;
    let answer = answer(&service, &person, run).await?.ok_or_else(gone)?;
    let text = answer[field].as_str().ok_or_else(gone)?;
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
        .body(text.to_owned()))
}

/// The answer to a run of the person's, while it is kept.
async fn answer(service: &Service, person: &SignedIn, run: i64) -> ApiResult<Option<Value>> {
    let kept = service.ledger.store().answer_of_run(person.account, run).await?;
    kept.map(|json| serde_json::from_str(&json)).transpose().map_err(|_| ApiError::new(Code::Internal))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn only_kept_files_can_be_downloaded() {
        let run = |outcome: &str, kept| LatestRun {
            id: 1,
            endpoint: Endpoint::Generate,
            site: "https://tide.dev/".to_owned(),
            outcome: outcome.to_owned(),
            said: String::new(),
            kept,
            at: Timestamp::UNIX_EPOCH,
            took: None,
        };
        let shown = |outcome, kept| {
            let run = RunRow::from(run(outcome, kept));
            (run.site, run.outcome, run.class, run.files.len())
        };
        let row = |outcome: &str, class, files| ("tide.dev".to_owned(), outcome.to_owned(), class, files);
        assert_eq!(shown("both", true), row("both files", "good", 2));
        assert_eq!(shown("llms", false), row("llms.txt", "good", 0));
        assert_eq!(shown("site_unreachable", false), row("site unreachable", "bad", 0));
    }
}
