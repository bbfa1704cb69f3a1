//! The playground's first page: the files of a site. A plain form answers with the page; a script may listen to the run.

use std::borrow::Cow;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use jiff::Timestamp;
use uuid::Uuid;
use wayfile_actors::ledger::{KeptAnswer, KeyId};
use wayfile_core::plan::Endpoint;

use super::{KEY, KeyChoice, admit, keys, problems};
use crate::dashboard::{Form, Layout, PLAYGROUND, Problems, SignedIn, render, see, words};
use crate::error::ApiResult;
use crate::middleware::RequestId;
use crate::routes::generate::{GenerateParams, MAX_INSTRUCTIONS, RunOutput, start};
use crate::routes::progress::Started;
use crate::routes::{answer, preferences, progress};
use crate::service::Service;
use crate::store::{Claimed, Earlier};

/// Bytes of the form: instructions and address at their longest, every byte of every character escaped.
const MAX_FORM: usize = 64 << 10;
/// Characters of a file that the page shows; the download has all of it.
const SHOWN: usize = 100_000;
const URL: &str = "url";
const FILE_TYPE: &str = "fileType";
const INSTRUCTIONS: &str = "instructions";

#[derive(Template)]
#[template(path = "playground/generate.html")]
struct GeneratePage<'a> {
    layout: Layout,
    keys: Vec<KeyChoice>,
    url: &'a str,
    file_type: &'a str,
    instructions: &'a str,
    full: bool,
    upgrade: Option<&'a str>,
    /// The longest that a run takes, in seconds.
    max_seconds: u64,
    problems: Problems,
    /// Without files before there is one.
    outcome: RunResult<'a>,
}

#[derive(Default)]
struct RunResult<'a> {
    url: &'a str,
    /// What is to be known about the run; empty: nothing.
    note: String,
    files: Vec<FileView<'a>>,
}

struct FileView<'a> {
    name: &'static str,
    text: Cow<'a, str>,
    /// Where what is shown of it ends.
    end: usize,
}

impl<'a> FileView<'a> {
    fn new(name: &'static str, text: impl Into<Cow<'a, str>>) -> Self {
        let text = text.into();
        let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at);
        Self { name, text, end }
    }

    fn shown(&self) -> &str {
        self.text.get(..self.end).unwrap_or(&self.text)
    }

    fn is_cut(&self) -> bool {
        self.end < self.text.len()
    }
}

impl<'a> RunResult<'a> {
    fn of(made: &'a RunOutput) -> Self {
        let response = made.response();
        let index = response.llms_txt.map(|text| FileView::new("llms.txt", text));
        let full = response.llms_full_txt.map(|text| FileView::new("llms-full.txt", text.to_string()));
        Self {
            url: response.url,
            note: response.note.unwrap_or_default(),
            files: index.into_iter().chain(full).collect(),
        }
    }
}

/// The form, filled in as the address says.
pub(crate) async fn show(request: HttpRequest, service: web::Data<Service>, person: SignedIn) -> ApiResult {
    let form = Form::query(&request);
    page(&service, &person, &form, (StatusCode::OK, Problems::default()), RunResult::default()).await
}

/// Where the form is sent to has nothing to show: it is on the page before it.
pub(crate) async fn back() -> HttpResponse {
    see(PLAYGROUND)
}

pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    service: web::Data<Service>,
    person: SignedIn,
) -> ApiResult {
    let form = Form::read(&request, payload, MAX_FORM).await?;
    if preferences::wants_events(&request) {
        let write = |made: RunOutput, claimed| answer::written(&made.response(), claimed);
        let started = begin(&request, &service, &person, &form, write).await?;
        return progress::watch(started, &RequestId::get(&request)).await;
    }
    let keep = |made: RunOutput, claimed| {
        let kept = answer::written(&made.response(), claimed)?.1;
        Ok((made, kept))
    };
    let made = match begin(&request, &service, &person, &form, keep).await {
        Ok(started) => started.answer().await,
        Err(error) => Err(error),
    };
    let outcome = made.as_ref().map(RunResult::of).unwrap_or_default();
    let problems = problems(made.as_ref().err(), &[KEY, URL, FILE_TYPE, INSTRUCTIONS]);
    page(&service, &person, &form, problems, outcome).await
}

/// Understands the form, lets the picked key in and starts the run, as the API's route does.
async fn begin<T>(
    request: &HttpRequest,
    service: &Service,
    person: &SignedIn,
    form: &Form,
    write: impl FnOnce(RunOutput, Option<Claimed>) -> ApiResult<(T, Option<KeptAnswer>)> + 'static,
) -> ApiResult<Started<T>> {
    let admission = admit(service, request, person, form.text(KEY), Endpoint::Generate).await?;
    let inside = service.enter()?;
    let instructions = Some(form.text(INSTRUCTIONS).to_owned()).filter(|text| !text.trim().is_empty());
    let file_type = Some(form.text(FILE_TYPE)).filter(|name| !name.is_empty());
    let asked = GenerateParams::new(form.text(URL), file_type, instructions)?;
    asked.check(service)?;
    let claimed = claim(service, admission.record.key).await?;
    start(service, request, (admission, inside), asked, |made| write(made, claimed)).await
}

/// A name under which the answer is kept, so that its files can be had again. No program's request is called so: there is
/// a space in it.
async fn claim(service: &Service, key: KeyId) -> ApiResult<Option<Claimed>> {
    let name = format!("playground {}", Uuid::now_v7());
    Ok(match service.ledger.claim_answer(key, &name, [0; 32], Timestamp::now()).await? {
        Earlier::Nothing(claimed) => Some(claimed),
        _ => None,
    })
}

async fn page(
    service: &Service,
    person: &SignedIn,
    form: &Form,
    (status, problems): (StatusCode, Problems),
    outcome: RunResult<'_>,
) -> ApiResult {
    let page = GeneratePage {
        layout: Layout::of(person, PLAYGROUND),
        keys: keys(service, person, form.text(KEY)).await?,
        url: form.text(URL),
        file_type: form.text(FILE_TYPE),
        instructions: form.text(INSTRUCTIONS),
        full: service.plans.get().limits(person.plan).full_pages > 0,
        upgrade: service.upgrade(person.plan),
        max_seconds: service.deadline.as_secs(),
        problems,
        outcome,
    };
    render(status, &page)
}
