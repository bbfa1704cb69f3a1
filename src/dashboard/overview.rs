//! `/overview`: the page after the log-in. How to start, what is left of the month, the latest runs and
//! their files.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::{HttpResponse, web};
use askama::Template;
use jiff::Timestamp;
use serde_json::Value;
use wayfile_core::calendar::Month;
use wayfile_core::plan::{Endpoint, Plan};

use super::usage::{Meter, meters};
use super::{Layout, OVERVIEW, SignedIn, render, words};
use crate::error::{ApiError, ApiResult, Code};
use crate::paths::api::GENERATE;
use crate::service::Service;
use crate::store::LatestRun;

/// The files of a run, and the fields of its answer that hold them.
const FILES: [(&str, &str); 2] = [("llms.txt", "llmsTxt"), ("llms-full.txt", "llmsFullTxt")];

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage<'a> {
    layout: Layout,
    plan: Plan,
    month: String,
    resets: Timestamp,
    upgrade: Option<&'a str>,
    endpoint: String,
    rows: Vec<KeyRow>,
    runs: Vec<RunRow>,
}

/// A key and what it used this month.
struct KeyRow {
    name: String,
    last4: String,
    meters: [Meter; 2],
}

struct RunRow {
    id: i64,
    site: String,
    endpoint: Endpoint,
    outcome: String,
    /// `good`, `warn` or `bad`.
    class: &'static str,
    at: Timestamp,
    files: &'static [&'static str],
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
        Self { id: run.id, site, endpoint: run.endpoint, outcome, class, at: run.at, files }
    }
}

pub(crate) async fn overview(service: web::Data<Service>, person: SignedIn) -> ApiResult {
    let (store, now) = (service.ledger.store(), Timestamp::now());
    let month = Month::of(now);
    let keys = store.working_keys(person.account).await?;
    let used = store.usage_of_month(person.account, month).await?;
    let plans = service.plans.get();
    let limits = plans.limits(person.plan);
    let rows = keys.into_iter().map(|key| KeyRow {
        meters: meters(key.id, limits, &used),
        name: key.name,
        last4: key.last4,
    });
    let page = OverviewPage {
        layout: Layout::of(&person, OVERVIEW),
        plan: person.plan,
        month: words::month(now),
        resets: month.end(),
        upgrade: service.upgrade(person.plan),
        endpoint: service.address(GENERATE),
        rows: rows.collect(),
        runs: store.latest_runs(person.account).await?.into_iter().map(RunRow::from).collect(),
    };
    render(StatusCode::OK, &page)
}

/// A file of a run, once more.
pub(crate) async fn file(
    service: web::Data<Service>,
    person: SignedIn,
    path: web::Path<(i64, String)>,
) -> ApiResult {
    let (run, name) = path.into_inner();
    let gone = || ApiError::saying(Code::NotFound, "This file is not kept any more. Have it made anew.");
    let (name, field) = FILES.into_iter().find(|(file, _)| *file == name).ok_or_else(gone)?;
    let answer = service.ledger.store().answer_of_run(person.account, run).await?.ok_or_else(gone)?;
    let answer: Value = serde_json::from_str(&answer).map_err(|_| ApiError::new(Code::Internal))?;
    let text = answer[field].as_str().ok_or_else(gone)?;
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_kept_files_can_be_downloaded() {
        let run = |outcome: &str, kept| LatestRun {
            id: 1,
            endpoint: Endpoint::Generate,
            site: "https://tide.dev/".to_owned(),
            outcome: outcome.to_owned(),
            kept,
            at: Timestamp::UNIX_EPOCH,
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
