//! `/login` and `/logout`.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use askama::Template;

use super::{HOME, LOG_IN, MEND, People, email_in, next};
use crate::dashboard::{Form, LANDING, Layout, MaybeSignedIn, Problems, render, see};
use crate::error::ApiResult;

/// The same for whatever is wrong.
const REFUSED: &str = "The address or the password is wrong, or the address was never confirmed.";

#[derive(Template)]
#[template(path = "people/log_in.html")]
struct LogInPage<'a> {
    layout: Layout,
    email: &'a str,
    /// Where it goes on; empty: wherever is usual.
    next: &'a str,
    problems: Problems,
}

pub(super) async fn show(request: HttpRequest, visitor: MaybeSignedIn) -> ApiResult {
    let wanted = next::local(Form::query(&request).text("next"));
    if visitor.0.is_some() {
        return Ok(see(wanted.as_deref().unwrap_or(HOME)));
    }
    page(StatusCode::OK, "", wanted.as_deref(), Problems::default())
}

pub(super) async fn log_in(
    request: HttpRequest,
    form: Form,
    visitor: MaybeSignedIn,
    people: web::Data<People>,
) -> ApiResult {
    people.admit(&request)?;
    let (typed, wanted) = (form.text("email"), next::local(form.text("next")));
    let email = match email_in(&form) {
        Ok(email) => email,
        Err(problems) => return page(MEND, typed, wanted.as_deref(), problems),
    };
    let Some(cookie) = people.begin_session(&email, form.text("password")).await? else {
        return page(MEND, typed, wanted.as_deref(), Problems::about("", REFUSED));
    };
    if let Some(before) = visitor.0 {
        people.store.end_session(before.id).await?;
    }
    let mut response = see(wanted.as_deref().unwrap_or(HOME));
    super::set(&mut response, &cookie)?;
    Ok(response)
}

pub(super) async fn log_out(visitor: MaybeSignedIn, people: web::Data<People>) -> ApiResult {
    if let Some(signed_in) = visitor.0 {
        people.store.end_session(signed_in.id).await?;
    }
    let mut response = see(LANDING);
    super::set(&mut response, &people.cookie.gone())?;
    Ok(response)
}

fn page(status: StatusCode, email: &str, next: Option<&str>, problems: Problems) -> ApiResult {
    render(
        status,
        &LogInPage { layout: Layout::public(LOG_IN), email, next: next.unwrap_or_default(), problems },
    )
}
