//! `/keys`: made, shown once, listed, revoked.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use askama::Template;
use jiff::Timestamp;
use wayfile_actors::ledger::KeyId;
use wayfile_core::plan::Plan;

use super::people::People;
use super::{Form, KEYS, Layout, Problems, SignedIn, render, see, words};
use crate::error::{ApiError, ApiResult, Code, sentence};
use crate::paths::api::GENERATE;
use crate::service::Service;
use crate::store::{Key, StoreError};

/// The newest of the revoked keys, as many as one page shows.
pub(super) const REVOKED_SHOWN: usize = 50;
/// The query of the list after a key was revoked.
const REVOKED: &str = "revoked";

#[derive(Template)]
#[template(path = "keys/list.html")]
struct KeyListPage<'a> {
    layout: Layout,
    working: Vec<Key>,
    revoked: Vec<Key>,
    plan: Plan,
    at_most: usize,
    /// What was typed as the name of a new one.
    typed: &'a str,
    problems: Problems,
    just_revoked: bool,
    upgrade: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "keys/made.html")]
struct KeyMadePage<'a> {
    layout: Layout,
    name: &'a str,
    key: &'a str,
    endpoint: String,
}

#[derive(Template)]
#[template(path = "keys/revoke.html")]
struct RevokePage<'a> {
    layout: Layout,
    key: &'a Key,
}

pub(crate) async fn list(request: HttpRequest, service: web::Data<Service>, person: SignedIn) -> ApiResult {
    let just_revoked = request.query_string() == REVOKED;
    listed(&service, &person, StatusCode::OK, ("", Problems::default()), just_revoked).await
}

async fn listed(
    service: &Service,
    person: &SignedIn,
    status: StatusCode,
    (typed, problems): (&str, Problems),
    just_revoked: bool,
) -> ApiResult {
    let store = service.ledger.store();
    let working = store.working_keys(person.account).await?;
    let revoked = store.revoked_keys(person.account, None, REVOKED_SHOWN).await?;
    let (layout, at_most) = (Layout::of(person, KEYS), service.plans.get().limits(person.plan).keys);
    let (plan, upgrade) = (person.plan, service.upgrade(person.plan));
    render(
        status,
        &KeyListPage { layout, working, revoked, plan, at_most, typed, problems, just_revoked, upgrade },
    )
}

pub(crate) async fn create(
    service: web::Data<Service>,
    people: web::Data<People>,
    person: SignedIn,
    form: Form,
) -> ApiResult {
    people.throttle.key(person.account)?;
    let (name, at_most) = (form.text("name"), service.plans.get().limits(person.plan).keys);
    match service.ledger.store().create_key(person.account, name, at_most, Timestamp::now()).await {
        Ok(key) => {
            let endpoint = service.address(GENERATE);
            let (layout, name) = (Layout::of(&person, KEYS), name.trim());
            render(StatusCode::CREATED, &KeyMadePage { layout, name, key: key.expose(), endpoint })
        }
        Err(
            error @ (StoreError::TooManyKeys { .. } | StoreError::NameTaken(_) | StoreError::BadName { .. }),
        ) => {
            let problems = Problems::about("name", sentence(&error));
            listed(&service, &person, StatusCode::UNPROCESSABLE_ENTITY, (name, problems), false).await
        }
        Err(error) => Err(error.into()),
    }
}

pub(crate) async fn ask(service: web::Data<Service>, person: SignedIn, id: web::Path<i64>) -> ApiResult {
    let keys = service.ledger.store().working_keys(person.account).await?;
    let key = keys.iter().find(|key| key.id.0 == *id).ok_or_else(no_such_key)?;
    render(StatusCode::OK, &RevokePage { layout: Layout::of(&person, KEYS), key })
}

pub(crate) async fn revoke(service: web::Data<Service>, person: SignedIn, id: web::Path<i64>) -> ApiResult {
    match service.ledger.store().revoke_key(person.account, KeyId(*id), Timestamp::now()).await {
        Ok(()) => Ok(see(&format!("{KEYS}?{REVOKED}"))),
        Err(StoreError::NoKey(_)) => Err(no_such_key()),
        Err(error) => Err(error.into()),
    }
}

fn no_such_key() -> ApiError {
    ApiError::saying(Code::NotFound, "You have no such key, or it was revoked already.")
}
