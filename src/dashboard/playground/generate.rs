//! The playground's first page: the files of a site. A plain form answers with the page; a script may listen to the run.

use std::borrow::Cow;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use jiff::Timestamp;
use uuid::Uuid;
use wayfile_actors::Generated;
use wayfile_actors::ledger::{KeptAnswer, KeyId};
use wayfile_core::plan::Endpoint;

use super::{KEY, admit, problems};
use crate::dashboard::{Form, Layout, PLAYGROUND, Problems, SignedIn, render, see, words};
use crate::error::{ApiResult, shortened};
use crate::middleware::RequestId;
use crate::routes::generate::{GenerateParams, GenerateResponse, MAX_INSTRUCTIONS, start};
use crate::routes::progress::Started;
use crate::routes::{answer, preferences, progress};
use crate::service::Service;
use crate::store::{Claimed, Earlier, Key};

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
    keys: Vec<Key>,
    /// Number of the key that was picked.
    picked: &'a str,
    url: &'a str,
    file_type: &'a str,
    instructions: &'a str,
    full: bool,
    upgrade: Option<&'a str>,
    /// The longest that a run takes, in seconds.
    max_seconds: u64,
    problems: Problems,
    /// The site of the run, what is to be known of it, and its files: empty before there is one.
    site: &'a str,
    note: &'a str,
    files: Vec<FileView<'a>>,
}

struct FileView<'a> {
    name: &'static str,
    text: Cow<'a, str>,
}

impl FileView<'_> {
    fn shown(&self) -> &str {
        shortened(&self.text, SHOWN)
    }

    fn is_cut(&self) -> bool {
        self.shown().len() < self.text.len()
    }
}

/// The files of a run, as they are shown.
fn files(made: &Generated) -> Vec<FileView<'_>> {
    let index = made.llms_txt.as_ref().map(|text| ("llms.txt", text.as_str().into()));
    let full = made.llms_full_txt.as_ref().map(|text| ("llms-full.txt", text.to_string().into()));
    index.into_iter().chain(full).map(|(name, text)| FileView { name, text }).collect()
}

/// The form, filled in as the address says.
pub(crate) async fn show(request: HttpRequest, service: web::Data<Service>, person: SignedIn) -> ApiResult {
    let form = Form::query(&request);
    page(&service, &person, &form, (StatusCode::OK, Problems::default()), None).await
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
        let write = |made: Generated, claimed| answer::written(&GenerateResponse::from(&made), claimed);
        let started = begin(&request, &service, &person, &form, write).await?;
        return progress::watch(started, &RequestId::get(&request)).await;
    }
    let keep = |made: Generated, claimed| {
        let kept = answer::written(&GenerateResponse::from(&made), claimed)?.1;
        Ok((made, kept))
    };
    let made = match begin(&request, &service, &person, &form, keep).await {
        Ok(started) => started.answer().await,
        Err(error) => Err(error),
    };
    let problems = problems(made.as_ref().err(), &[KEY, URL, FILE_TYPE, INSTRUCTIONS]);
    page(&service, &person, &form, problems, made.as_ref().ok()).await
}

/// Understands the form, lets the picked key in and starts the run, as the API's route does.
async fn begin<T>(
    request: &HttpRequest,
    service: &Service,
    person: &SignedIn,
    form: &Form,
    write: impl FnOnce(Generated, Option<Claimed>) -> ApiResult<(T, Option<KeptAnswer>)> + 'static,
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
    made: Option<&Generated>,
) -> ApiResult {
    let page = GeneratePage {
        layout: Layout::of(person, PLAYGROUND),
        keys: service.ledger.store().working_keys(person.account).await?,
        picked: form.text(KEY),
        url: form.text(URL),
        file_type: form.text(FILE_TYPE),
        instructions: form.text(INSTRUCTIONS),
        full: service.plans.get().limits(person.plan).full_pages > 0,
        upgrade: service.upgrade(person.plan),
        max_seconds: service.deadline.as_secs(),
        problems,
        site: made.map_or("", |made| made.url.as_str()),
        note: made.and_then(|made| made.note.as_deref()).unwrap_or_default(),
        files: made.map(files).unwrap_or_default(),
    };
    render(status, &page)
}
