//! `/signup` and `/verify`: the account exists once the link of the mail was used.
//!
//! Opening the link does nothing yet, since mail scanners open links, too; its button does, with the password that the sign-up
//! was made with: somebody else may have signed up with this address, and whoever confirms that would open an account to them.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use jiff::Timestamp;
use wayfile_core::plan::Plan;

use super::{
    FilledIn, FormKind, HOME, LOG_IN, MessagePage, People, SIGN_UP, form_page, message_page, spent,
    with_cookie,
};
use crate::auth::{Email, Password};
use crate::dashboard::{Form, Layout, MaybeSignedIn, Problems, render, see};
use crate::error::{ApiError, ApiResult, Code, sentence};
use crate::store::{LinkKind, MailKind, SignedUp};

const FIRST_PLAN: Plan = Plan::Free;
const AGAIN: (&str, &str) = (SIGN_UP, "Sign up again");
const NOT_YOURS: &str = "This is not the password of this sign-up. Somebody else may have begun it: use the newest mail, \
                         or sign up again.";
const NONE_TYPED: &str = "Type the password that you chose when you signed up.";

pub(super) async fn show(visitor: MaybeSignedIn) -> ApiResult {
    if visitor.0.is_some() {
        return Ok(see(HOME));
    }
    form_page(FormKind::SignUp, "", "", Problems::default())
}

pub(super) async fn submit(request: HttpRequest, form: Form, people: web::Data<People>) -> ApiResult {
    FilledIn::keep(FormKind::SignUp, &form, &request);
    people.admit(&request)?;
    let (typed, mut problems) = (form.text("email"), Problems::default());
    let email: Option<Email> = typed.parse().map_err(|error| problems.add("email", sentence(&error))).ok();
    let password = Password::parse(form.text("password"), typed)
        .map_err(|error| problems.add("password", sentence(&error)))
        .ok();
    let (Some(email), Some(password)) = (email, password) else {
        return form_page(FormKind::SignUp, typed, "", problems);
    };
    people.throttle.mail(&email).await?;
    let hash = people.hasher.hash(password.into_secret()).await?;
    people.send(MailKind::SignUp, &email, Some(&hash)).await?;
    sent(&email)
}

/// Has the mail of a sign-up sent again. What is sent, if anything, is decided where mails are delivered.
pub(super) async fn again(request: HttpRequest, form: Form, people: web::Data<People>) -> ApiResult {
    people.admit(&request)?;
    let email = form.text("email").parse::<Email>();
    let email = email.map_err(|error| ApiError::saying(Code::BadRequest, sentence(&error)))?;
    people.throttle.mail(&email).await?;
    people.send(MailKind::SignUp, &email, None).await?;
    sent(&email)
}

fn sent(email: &Email) -> ApiResult {
    let message = format!("We have sent a mail to {email}. Open the link in it to confirm your address.");
    let page = MessagePage {
        layout: Layout::of(None, ""),
        title: "Look into your mailbox",
        message: &message,
        go_on: (LOG_IN, "Log in"),
        again: Some(email.as_str()),
    };
    render(StatusCode::OK, &page)
}

pub(super) async fn show_link(request: HttpRequest, people: web::Data<People>) -> ApiResult {
    people.show_link(&request, LinkKind::Verify, FormKind::Verify, AGAIN).await
}

pub(super) async fn confirm(
    request: HttpRequest,
    form: Form,
    visitor: MaybeSignedIn,
    people: web::Data<People>,
) -> ApiResult {
    people.admit(&request)?;
    let opened = people.opened(LinkKind::Verify, &form).await?;
    let Some((token, link)) = opened else { return spent(AGAIN) };
    let wrong = |why| {
        form_page(FormKind::Verify, link.email.as_str(), token.expose(), Problems::about("password", why))
    };
    if form.text("password").is_empty() {
        return wrong(NONE_TYPED);
    }
    if !people.hasher.verify(form.text("password").into(), link.password_hash.clone()).await? {
        return wrong(NOT_YOURS);
    }
    match people.store.sign_up(token.hash(), FIRST_PLAN, Timestamp::now()).await? {
        // The password was given just now: it need not be typed once more.
        Some(SignedUp::Now) => {
            let password = form.text("password");
            match people.begin_session(&request, &link.email, password, visitor).await? {
                Some(cookie) => with_cookie(see(HOME), &cookie),
                None => Ok(see(LOG_IN)),
            }
        }
        Some(SignedUp::Before) => {
            let message = "Nothing about it was changed.";
            message_page(StatusCode::OK, "You already have an account", message, (LOG_IN, "Log in"))
        }
        None => spent(AGAIN),
    }
}
