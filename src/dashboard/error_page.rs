//! Errors as pages.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT, ALLOW, RETRY_AFTER};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpRequest, HttpResponse};
use askama::Template;

use super::{Layout, MaybeSignedIn, SignedIn, headers};
use crate::error::{ApiError, ApiResult, Code};
use crate::middleware::{RequestId, error_of, header_says};
use crate::routes::preferences;

#[derive(Template)]
#[template(path = "error.html")]
struct FailurePage<'a> {
    layout: Layout,
    status: u16,
    title: &'static str,
    message: &'a str,
    request_id: &'a str,
}

/// The middleware of every page: what failed is told as a page. A script that listens for events gets the API's body.
pub(crate) async fn as_page(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let response = next.call(request).await?.map_into_boxed_body();
    if preferences::wants_events(response.request()) {
        return Ok(response);
    }
    let Some(error) = error_of(&response) else { return Ok(response) };
    // Who is asked for only now: a page that went well has asked already.
    let visitor = MaybeSignedIn::extract(response.request()).await.ok().and_then(|visitor| visitor.0);
    Ok(match page(&error, response.request(), visitor.as_ref()) {
        Some(page) => response.into_response(page),
        None => response,
    })
}

/// `None`: even that cannot be written, and the API's body has to do.
fn page(error: &ApiError, request: &HttpRequest, visitor: Option<&SignedIn>) -> Option<HttpResponse> {
    let id = RequestId::get(request);
    let status = error.code.status();
    let layout = Layout::for_visitor(visitor, "");
    let title = title(status.as_u16());
    let message = match error.code {
        // The API's own words speak to programs.
        Code::NotFound if error.message == Code::NotFound.entry().2 => {
            "The link may be old, or the address misspelt."
        }
        _ => &error.message,
    };
    let page = FailurePage { layout, status: status.as_u16(), title, message, request_id: id.as_str() };
    let mut response = super::render(status, &page).ok()?;
    // The headers that belong to the error stay: when to come back, and with which methods.
    let told = error.response(id.as_str());
    for name in [RETRY_AFTER, ALLOW] {
        if let Some(value) = told.headers().get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    Some(response)
}

/// The answer to whatever has no route: a page for browsers, the API's body for programs.
/// Errors: 404 for programs.
pub(crate) async fn nothing_here(request: HttpRequest) -> ApiResult {
    let error = ApiError::new(Code::NotFound);
    let browses = header_says(&request, ACCEPT.as_str(), "text/html") && !request.path().starts_with("/api");
    let page = if browses { page(&error, &request, None) } else { None };
    let mut page = page.ok_or(error)?;
    headers::tell(page.headers_mut());
    Ok(page)
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
