//! `/signup`: the account exists once the link of the mail was used.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};

use super::{FormKind, HOME, LOG_IN, MessagePage, People, form_page};
use crate::auth::{Email, Password};
use crate::dashboard::{Form, Layout, MaybeSignedIn, Problems, render, see};
use crate::error::{ApiError, ApiResult, Code, sentence};
use crate::store::MailKind;

pub(super) async fn show(visitor: MaybeSignedIn) -> ApiResult {
    if visitor.0.is_some() {
        return Ok(see(HOME));
    }
    form_page(FormKind::SignUp, "", "", Problems::default())
}

pub(super) async fn submit(request: HttpRequest, form: Form, people: web::Data<People>) -> ApiResult {
    people.admit(&request)?;
    let (typed, mut problems) = (form.text("email"), Problems::default());
    let email: Option<Email> = typed.parse().map_err(|error| problems.add("email", sentence(&error))).ok();
    let password = Password::parse(form.text("password"), typed)
        .map_err(|error| problems.add("password", sentence(&error)))
        .ok();
    let (Some(email), Some(password)) = (email, password) else {
        return form_page(FormKind::SignUp, typed, "", problems);
    };
    people.admit_mail(&email).await?;
    let hash = people.hasher.hash(password.into_secret()).await?;
    people.send(MailKind::SignUp, &email, Some(&hash)).await?;
    sent(&email)
}

/// Has the mail of a sign-up sent again. What is sent, if anything, is decided where mails are delivered.
pub(super) async fn again(request: HttpRequest, form: Form, people: web::Data<People>) -> ApiResult {
    people.admit(&request)?;
    let email = form.text("email").parse::<Email>();
    let email = email.map_err(|error| ApiError::saying(Code::BadRequest, sentence(&error)))?;
    people.admit_mail(&email).await?;
    people.send(MailKind::SignUp, &email, None).await?;
    sent(&email)
}

fn sent(email: &Email) -> ApiResult {
    let message = format!("We have sent a mail to {email}. Open the link in it to confirm your address.");
    let page = MessagePage {
        layout: Layout::public(""),
        title: "Look into your mailbox",
        message: &message,
        go_on: (LOG_IN, "Log in"),
        again: Some(email.as_str()),
    };
    render(StatusCode::OK, &page)
}
