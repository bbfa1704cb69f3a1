//! The dashboard: pages for people, rendered on the server and complete without JavaScript.
//!
//! A page is a handler and a template. Whatever a stranger wrote (a crawled site, a key's name, instructions) reaches a
//! page as escaped text only.

pub(crate) mod assets;
mod error_page;
mod form;
mod keys;
mod layout;
mod middleware;
mod overview;
pub(crate) mod people;
mod playground;
mod reference;
mod runs;
pub(crate) mod throttle;
mod usage;
mod words;

use actix_web::dev::HttpServiceFactory;
use actix_web::http::StatusCode;
use actix_web::http::header::{ContentType, LOCATION};
use actix_web::middleware::from_fn;
use actix_web::web::post;
use actix_web::{HttpResponse, Resource, Route, web};
use askama::Template;

use crate::error::{ApiError, ApiResult, Code};
use crate::paths::pages::{
    ASSET, DOCS, DOCS_BEFORE, GENERATE, KEYS, LANDING, OVERVIEW, PLAYGROUND, REVOKE, RUN, RUN_FILE, RUNS,
    USAGE, VALIDATE,
};
use crate::routes::{READS, not_allowed, read};
use form::{Form, Problems};
use layout::Layout;
use people::{MaybeSignedIn, SignedIn};
use playground::{generate, validate};

/// The methods of a page with a form that is sent back to it.
const FORM: &str = "GET, HEAD, POST";
/// The method of a path that forms are sent to.
const ACT: &str = "POST";

pub(crate) fn configure(service: &mut web::ServiceConfig) {
    service
        .service(web::resource(ASSET).route(read(assets::asset)))
        .service(page(LANDING, READS, [read(overview::landing)]))
        .service(page(OVERVIEW, READS, [read(overview::overview)]))
        .service(page(RUNS, READS, [read(runs::list)]))
        .service(page(RUN, READS, [read(runs::one)]))
        .service(page(RUN_FILE, READS, [read(runs::file)]))
        .service(page(DOCS, READS, [read(reference::reference)]))
        .service(web::resource(DOCS_BEFORE).route(read(|| async { see(DOCS) })))
        .service(page(KEYS, FORM, [read(keys::list), post().to(keys::create)]))
        .service(page(REVOKE, FORM, [read(keys::ask), post().to(keys::revoke)]))
        .service(page(USAGE, READS, [read(usage::usage)]))
        .service(page(PLAYGROUND, READS, [read(generate::show)]))
        .service(page(GENERATE, FORM, [read(generate::back), post().to(generate::submit)]))
        .service(page(VALIDATE, FORM, [read(validate::show), post().to(validate::submit)]))
        .configure(people::configure)
        .default_service(web::to(middleware::nothing_here));
}

/// A page, or what forms are sent to. `methods`: those of its routes, for the refusal of others.
fn page(
    path: &'static str,
    methods: &'static str,
    routes: impl IntoIterator<Item = Route>,
) -> impl HttpServiceFactory + 'static {
    let page = routes.into_iter().fold(web::resource(path), Resource::route);
    let page = page.default_service(web::to(move || async move { not_allowed(methods) }));
    page.wrap(from_fn(middleware::wrap))
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
