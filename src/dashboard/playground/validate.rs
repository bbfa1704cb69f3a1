//! The playground's second page: what a file is worth.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use askama::Template;
use wayfile_core::llms_txt::lint::report::Report;
use wayfile_core::plan::Endpoint;

use super::verdict::VerdictView;
use super::{KEY, admit, problems};
use crate::dashboard::{Form, Layout, Problems, SignedIn, VALIDATE, render, words};
use crate::error::ApiResult;
use crate::routes::validate::{MAX_CONTENT, ValidateParams, run};
use crate::service::Service;
use crate::store::Key;

/// A form writes one byte in up to three: `%0A`; a line end, which counts as one byte, in six.
const MAX_ESCAPE: usize = 6;
/// Bytes of the form: the longest text with every byte escaped, and the other fields.
const MAX_FORM: usize = MAX_ESCAPE * MAX_CONTENT + (16 << 10);
const URL: &str = "url";
const CONTENT: &str = "content";
const CHECK_LINKS: &str = "checkLinks";

#[derive(Template)]
#[template(path = "playground/validate.html")]
struct ValidatePage<'a> {
    layout: Layout,
    keys: Vec<Key>,
    /// Number of the key that was picked.
    picked: &'a str,
    url: &'a str,
    content: &'a str,
    check_links: bool,
    problems: Problems,
    verdict: Option<VerdictView<'a>>,
}

/// The form, filled in as the address says.
pub(crate) async fn show(request: HttpRequest, service: web::Data<Service>, person: SignedIn) -> ApiResult {
    let form = Form::query(&request);
    page(&service, &person, &form, (StatusCode::OK, Problems::default()), true, None).await
}

pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    service: web::Data<Service>,
    person: SignedIn,
) -> ApiResult {
    let form = Form::read(&request, payload, MAX_FORM).await?;
    let check_links = form.has(CHECK_LINKS);
    let validated = validate(&request, &service, &person, &form, check_links).await;
    let problems = problems(validated.as_ref().err(), &[KEY, URL, CONTENT]);
    let fetched = validated.as_ref().map(|(_, file)| String::from_utf8_lossy(file)).unwrap_or_default();
    let text = if fetched.is_empty() { form.text(CONTENT) } else { &fetched };
    let verdict = validated.as_ref().ok().map(|(report, _)| VerdictView::of(report, text));
    page(&service, &person, &form, problems, check_links, verdict).await
}

/// Understands the form, lets the picked key in and looks, as the API's route does.
async fn validate(
    request: &HttpRequest,
    service: &Service,
    person: &SignedIn,
    form: &Form,
    check_links: bool,
) -> ApiResult<(Report, Vec<u8>)> {
    let admission = admit(service, request, person, form.text(KEY), Endpoint::Validate).await?;
    let _inside = service.enter()?;
    let filled = |name| Some(form.text(name)).filter(|text| !text.trim().is_empty());
    let asked = ValidateParams::new(filled(URL), filled(CONTENT).map(str::to_owned), check_links)?;
    asked.check(service)?;
    run(service, request, admission, asked, |validated| Ok((validated, None))).await
}

async fn page(
    service: &Service,
    person: &SignedIn,
    form: &Form,
    (status, problems): (StatusCode, Problems),
    check_links: bool,
    verdict: Option<VerdictView<'_>>,
) -> ApiResult {
    let page = ValidatePage {
        layout: Layout::of(person, VALIDATE),
        keys: service.ledger.store().working_keys(person.account).await?,
        picked: form.text(KEY),
        url: form.text(URL),
        content: form.text(CONTENT),
        check_links,
        problems,
        verdict,
    };
    render(status, &page)
}
