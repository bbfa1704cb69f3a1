//! `/login` and `/logout`.

use actix_web::{HttpRequest, web};

use super::{FilledIn, FormKind, HOME, People, email_in, form_page, local_path, with_cookie};
use crate::dashboard::{Form, LANDING, MaybeSignedIn, Problems, see};
use crate::error::ApiResult;

/// The same for whatever is wrong.
const REFUSED: &str = "The address or the password is wrong, or the address was never confirmed.";

pub(super) async fn show(request: HttpRequest, visitor: MaybeSignedIn) -> ApiResult {
    let wanted = local_path(Form::query(&request).text("next"));
    if visitor.0.is_some() {
        return Ok(see(wanted.as_deref().unwrap_or(HOME)));
    }
    form_page(FormKind::LogIn, "", wanted.as_deref().unwrap_or_default(), Problems::default())
}

pub(super) async fn log_in(
    request: HttpRequest,
    form: Form,
    visitor: MaybeSignedIn,
    people: web::Data<People>,
) -> ApiResult {
    FilledIn::keep(FormKind::LogIn, &form, &request);
    people.admit(&request)?;
    let wanted = local_path(form.text("next"));
    let again = |problems| {
        form_page(FormKind::LogIn, form.text("email"), wanted.as_deref().unwrap_or_default(), problems)
    };
    let email = match email_in(&form) {
        Ok(email) => email,
        Err(problems) => return again(problems),
    };
    let Some(cookie) = people.begin_session(&request, &email, form.text("password"), visitor).await? else {
        return again(Problems::about("", REFUSED));
    };
    with_cookie(see(wanted.as_deref().unwrap_or(HOME)), &cookie)
}

pub(super) async fn log_out(visitor: MaybeSignedIn, people: web::Data<People>) -> ApiResult {
    if let Some(signed_in) = visitor.0 {
        people.store.end_session(signed_in.id).await?;
    }
    with_cookie(see(LANDING), &people.cookie.gone())
}
