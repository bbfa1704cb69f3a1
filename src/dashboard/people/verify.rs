//! `/verify`: the link of a sign-up. Opening it does nothing yet, since mail scanners open links, too; its button does.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use jiff::Timestamp;
use wayfile_core::plan::Plan;

use super::{LOG_IN, People, SIGN_UP, TOKEN, said, spent, token_of};
use crate::auth::Secret;
use crate::dashboard::form::Form;
use crate::dashboard::frame::Frame;
use crate::dashboard::render;
use crate::error::ApiError;
use crate::store::{LinkKind, SignedUp};

/// What every account begins with.
const FIRST_PLAN: Plan = Plan::Free;
const AGAIN: (&str, &str) = (SIGN_UP, "Sign up again");

#[derive(Template)]
#[template(path = "people/verify.html")]
struct Page<'a> {
    frame: Frame,
    email: &'a str,
    token: &'a str,
}

pub(super) async fn show(request: HttpRequest, people: web::Data<People>) -> Result<HttpResponse, ApiError> {
    let Some(token) = token_of(&request) else { return spent(AGAIN) };
    match people.store.link(LinkKind::Verify, token.hash(), Timestamp::now()).await? {
        Some(email) => {
            let page = Page { frame: Frame::public(""), email: &email, token: token.expose() };
            render(StatusCode::OK, &page)
        }
        None => spent(AGAIN),
    }
}

pub(super) async fn confirm(
    request: HttpRequest,
    form: Form,
    people: web::Data<People>,
) -> Result<HttpResponse, ApiError> {
    people.admit(&request)?;
    let Ok(token) = Secret::parse(form.text(TOKEN)) else { return spent(AGAIN) };
    let (title, message) = match people.store.sign_up(token.hash(), FIRST_PLAN, Timestamp::now()).await? {
        Some(SignedUp::Now) => ("Your address is confirmed", "Log in with the password that you chose."),
        Some(SignedUp::Before) => ("You already have an account", "Nothing about it was changed."),
        None => return spent(AGAIN),
    };
    said(StatusCode::OK, title, message, (LOG_IN, "Log in"))
}
