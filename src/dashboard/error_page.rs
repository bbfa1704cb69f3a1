//! Errors as pages.

use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, RETRY_AFTER};
use actix_web::{FromRequest, HttpMessage, HttpRequest, HttpResponse};
use askama::Template;

use super::people::FilledIn;
use super::{Layout, MaybeSignedIn, SignedIn};
use crate::error::{ApiError, Code};
use crate::middleware::{RequestId, error_of};
use crate::routes::preferences;

/// What a form is refused with that can be sent again.
const FOR_NOW: [StatusCode; 2] = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];

#[derive(Template)]
#[template(path = "error.html")]
struct FailurePage<'a> {
    layout: Layout,
    status: u16,
    title: &'static str,
    message: &'a str,
    request_id: &'a str,
}

/// The answer, or where something failed a page that tells so. A script that listens for events gets the API's body.
pub(super) async fn instead(response: ServiceResponse) -> ServiceResponse {
    if preferences::wants_events(response.request()) {
        return response;
    }
    let Some(error) = error_of(&response) else { return response };
    // Who is asked for only now: a page that went well has asked already.
    let visitor = MaybeSignedIn::extract(response.request()).await.ok().and_then(|visitor| visitor.0);
    match page(&error, response.request(), visitor.as_ref()) {
        Some(page) => response.into_response(page),
        None => response,
    }
}

/// `None`: even that cannot be written, and the API's body has to do.
pub(super) fn page(
    error: &ApiError,
    request: &HttpRequest,
    visitor: Option<&SignedIn>,
) -> Option<HttpResponse> {
    let id = RequestId::get(request);
    let status = error.code.status();
    let layout = Layout::of(visitor, "");
    let title = title(status.as_u16());
    let message = match error.code {
        // The API's own words speak to programs.
        Code::NotFound if error.message == Code::NotFound.entry().2 => {
            "The link may be old, or the address misspelt."
        }
        _ => &error.message,
    };
    let filled_in = request.extensions();
    let filled_in = filled_in.get::<FilledIn>().filter(|_| FOR_NOW.contains(&status));
    let page = FailurePage { layout, status: status.as_u16(), title, message, request_id: id.as_str() };
    let page = filled_in.map_or_else(|| super::render(status, &page), |form| form.again(status, message));
    let mut response = page.ok()?;
    // The headers that belong to the error stay: when to come back, and with which methods.
    let told = error.response(id.as_str());
    for name in [RETRY_AFTER, ALLOW] {
        if let Some(value) = told.headers().get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    Some(response)
}

fn title(status: u16) -> &'static str {
    match status {
        400 | 413 | 415 | 408 => "That request cannot be used",
        401 | 403 => "That is not allowed",
        404 => "There is no such page",
        405 => "That is not how this page works",
        429 => "That was too much at once",
        503 => "Not at the moment",
        _ => "Something failed on our side",
    }
}
