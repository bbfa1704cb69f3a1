//! `/account`: change the password, delete the account. Both ask for the password: a session alone may be somebody else's.

use actix_web::http::StatusCode;
use actix_web::web;
use askama::Template;
use jiff::Timestamp;
use wayfile_core::plan::Plan;

use super::{ACCOUNT, MEND, People, SIGN_UP, message_page, password_in, secret, with_cookie};
use crate::auth::Email;
use crate::dashboard::{Form, Layout, Problems, SignedIn, render};
use crate::error::ApiResult;
use crate::store::StoreError;

const WRONG: &str = "This is not the password of your account.";

#[derive(Template)]
#[template(path = "people/account.html")]
struct AccountPage {
    layout: Layout,
    email: Email,
    plan: Plan,
    /// What was done just now; empty: nothing.
    done: &'static str,
    changing: Problems,
    deleting: Problems,
}

pub(super) async fn show(signed_in: SignedIn) -> ApiResult {
    render(StatusCode::OK, &AccountPage::of(&signed_in))
}

pub(super) async fn change_password(signed_in: SignedIn, form: Form, people: web::Data<People>) -> ApiResult {
    let refused = |changing| render(MEND, &AccountPage { changing, ..AccountPage::of(&signed_in) });
    let wrong = || refused(Problems::about("current", WRONG));
    let password = match password_in(&form, "new", signed_in.email.as_str()) {
        Ok(password) => password,
        Err(changing) => return refused(changing),
    };
    let Some(shown) = people.shown(&signed_in.email, form.text("current"), None).await? else {
        return wrong();
    };
    let (hash, session) = (people.hasher.hash(password.into_secret()).await?, secret()?);
    let now = Timestamp::now();
    if !people.store.change_password(&shown, &hash, session.hash(), people.settings.lifetime(), now).await? {
        return wrong();
    }
    people.mail_signal.notify_one();
    let done = "Your password was changed. Whoever else was logged in is not any more.";
    let page = AccountPage { done, ..AccountPage::of(&signed_in) };
    with_cookie(render(StatusCode::OK, &page)?, &people.holding(&session))
}

pub(super) async fn delete(signed_in: SignedIn, form: Form, people: web::Data<People>) -> ApiResult {
    let email = &signed_in.email;
    if people.shown(email, form.text("password"), None).await?.is_none() {
        let deleting = Problems::about("password", WRONG);
        return render(MEND, &AccountPage { deleting, ..AccountPage::of(&signed_in) });
    }
    match people.store.delete_account(email, Timestamp::now()).await {
        // Who sends the form twice is told so twice.
        Ok(()) | Err(StoreError::NoAccount(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let message = "Its keys are refused from now on, and nothing that tells of you is kept.";
    let page = message_page(StatusCode::OK, "Your account is deleted", message, (SIGN_UP, "Sign up again"))?;
    with_cookie(page, &people.cookie.gone())
}

impl AccountPage {
    fn of(signed_in: &SignedIn) -> Self {
        Self {
            layout: Layout::of(signed_in, ACCOUNT),
            email: signed_in.email.clone(),
            plan: signed_in.plan,
            done: "",
            changing: Problems::default(),
            deleting: Problems::default(),
        }
    }
}
