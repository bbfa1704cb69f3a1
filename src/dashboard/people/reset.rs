//! `/forgot` and `/reset`: a forgotten password, and the link to choose another.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use jiff::Timestamp;

use super::{
    FORGOTTEN, FilledIn, FormKind, LOG_IN, People, email_in, form_page, message_page, password_in, spent,
};
use crate::dashboard::{Form, Problems};
use crate::error::ApiResult;
use crate::store::{LinkKind, MailKind, MailLink};

const AGAIN: (&str, &str) = (FORGOTTEN, "Ask for a new link");

pub(super) async fn show_forgotten() -> ApiResult {
    form_page(FormKind::Forgotten, "", "", Problems::default())
}

pub(super) async fn forgotten(request: HttpRequest, form: Form, people: web::Data<People>) -> ApiResult {
    FilledIn::keep(FormKind::Forgotten, &form, &request);
    people.admit(&request)?;
    let email = match email_in(&form) {
        Ok(email) => email,
        Err(problems) => return form_page(FormKind::Forgotten, form.text("email"), "", problems),
    };
    people.throttle.mail(&email).await?;
    people.send(MailKind::Reset, &email, None).await?;
    let message = format!("If there is an account for {email}, a mail with a link is on its way.");
    message_page(StatusCode::OK, "Look into your mailbox", &message, (LOG_IN, "Log in"))
}

pub(super) async fn show(request: HttpRequest, people: web::Data<People>) -> ApiResult {
    people.show_link(&request, LinkKind::Reset, FormKind::Reset, AGAIN).await
}

pub(super) async fn choose(request: HttpRequest, form: Form, people: web::Data<People>) -> ApiResult {
    people.admit(&request)?;
    // It is not spent by a password that cannot be taken.
    let opened = people.opened(LinkKind::Reset, &form).await?;
    let Some((token, MailLink { email, .. })) = opened else { return spent(AGAIN) };
    let password = match password_in(&form, "password", email.as_str()) {
        Ok(password) => password,
        Err(problems) => return form_page(FormKind::Reset, email.as_str(), token.expose(), problems),
    };
    let hash = people.hasher.hash(password.into_secret()).await?;
    if !people.store.reset_password(token.hash(), &hash, Timestamp::now()).await? {
        return spent(AGAIN);
    }
    // Somebody else's guesses do not keep the owner out any longer.
    if let Err(error) = people.throttle.logged_in(&email, Some(people.range(&request))).await {
        // The password is changed all the same.
        tracing::warn!(error = %error, "earlier tries of a password still count");
    }
    people.mail_signal.notify_one();
    let message = "All sessions of your account have ended. Log in with the new password.";
    message_page(StatusCode::OK, "Your password was changed", message, (LOG_IN, "Log in"))
}
