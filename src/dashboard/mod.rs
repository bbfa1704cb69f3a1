//! The dashboard: pages for people, rendered on the server and complete without JavaScript.
//!
//! A page is a handler and a template. Whatever a stranger wrote (a crawled site, a key's name, instructions) reaches a
//! page as escaped text only.

pub(crate) mod assets;
mod error_page;
mod form;
mod headers;
mod keys;
mod landing;
mod layout;
mod overview;
pub(crate) mod people;
mod playground;
mod reference;
mod runs;
mod same_origin;
pub(crate) mod session;
pub(crate) mod throttle;
mod usage;
mod words;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{HttpServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{ContentType, LOCATION};
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, FromRequest, Handler, HttpResponse, Resource, Responder, web};
use askama::Template;

use crate::error::{ApiError, ApiResult, Code};
use crate::paths::pages::{
    ASSET, DOCS, DOCS_BEFORE, GENERATE, KEYS, LANDING, OVERVIEW, PLAYGROUND, REVOKE, RUN, RUN_FILE, RUNS,
    USAGE, VALIDATE,
};
use crate::routes::{READS, not_allowed, readable};
use crate::service::Service;
use form::{Form, Problems};
use layout::Layout;
use session::{MaybeSignedIn, SignedIn};

pub(crate) fn configure(service: &mut web::ServiceConfig) {
    service
        .service(readable(ASSET, assets::asset))
        .service(view(LANDING, landing::landing))
        .service(view(OVERVIEW, overview::overview))
        .service(view(RUNS, runs::list))
        .service(view(RUN, runs::one))
        .service(view(RUN_FILE, runs::file))
        .service(view(DOCS, reference::reference))
        .service(readable(DOCS_BEFORE, || async { see(DOCS) }))
        .service(form(KEYS, keys::list, keys::create))
        .service(form(REVOKE, keys::ask, keys::revoke))
        .service(view(USAGE, usage::usage))
        .service(view(PLAYGROUND, playground::generate::show))
        .service(form(GENERATE, playground::generate::back, playground::generate::submit))
        .service(form(VALIDATE, playground::validate::show, playground::validate::submit))
        .configure(people::configure)
        .default_service(web::to(error_page::nothing_here));
}

/// A resource as a page: its errors are pages too, browsers are told to be strict with it, and only pages of ours may
/// change anything. `methods`: those it has, for the refusal of others.
fn page(resource: Resource, methods: &'static str) -> impl HttpServiceFactory + 'static {
    resource
        .default_service(web::to(move || async move { not_allowed(methods) }))
        .wrap(from_fn(same_origin::guard))
        .wrap(from_fn(while_open))
        .wrap(from_fn(error_page::as_page))
        .wrap(from_fn(headers::strict))
}

/// A service that shuts down waits for what is under way, and begins nothing new.
async fn while_open(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let inside = request.app_data::<web::Data<Service>>().map(|service| service.enter()).transpose();
    match inside {
        Ok(_inside) => Ok(next.call(request).await?.map_into_boxed_body()),
        Err(error) => Ok(request.error_response(error)),
    }
}

/// A page that can be read and nothing else.
fn view<A: FromRequest + 'static>(
    path: &'static str,
    show: impl Handler<A, Output: Responder + 'static>,
) -> impl HttpServiceFactory + 'static {
    page(readable(path, show), READS)
}

/// A page with a form that is sent back to it.
fn form<A: FromRequest + 'static, B: FromRequest + 'static>(
    path: &'static str,
    show: impl Handler<A, Output: Responder + 'static>,
    take: impl Handler<B, Output: Responder + 'static>,
) -> impl HttpServiceFactory + 'static {
    page(readable(path, show).route(web::post().to(take)), "GET, HEAD, POST")
}

/// A path that forms are sent to.
fn act<A: FromRequest + 'static>(
    path: &'static str,
    take: impl Handler<A, Output: Responder + 'static>,
) -> impl HttpServiceFactory + 'static {
    page(web::resource(path).route(web::post().to(take)), "POST")
}

/// The answer to a form that was taken: where to go on.
pub(crate) fn see(place: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((LOCATION, place)).finish()
}

pub(crate) fn render(status: StatusCode, page: &impl Template) -> ApiResult {
    let html = page.render().map_err(|error| {
        tracing::error!(%error, "a page cannot be written");
        ApiError::new(Code::Internal)
    })?;
    let mut response = HttpResponse::build(status);
    Ok(response.insert_header(ContentType::html()).body(html))
}
