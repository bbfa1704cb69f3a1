//! Signing up, logging in, forgotten passwords, the account: the pages of accounts.
//!
//! Every answer is the same for an address that is known and one that is not: its text, its status, and the work behind it.
//! What fails is answered 429, where there were too many tries, or 503, where the store is away.

mod account;
mod reset;
mod session;
mod sign_up;
mod signed_in;

use std::net::Ipv4Addr;

use actix_web::cookie::Cookie;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderName;
use actix_web::web::post;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use askama::Template;
use ipnet::IpNet;
use jiff::Timestamp;

use super::throttle::Throttle;
use super::{ACT, FORM, Form, Layout, Problems, page, render};
use crate::auth::{AddressRange, Email, HashError, Hasher, Password, PasswordHash, Secret, client_address};
use crate::config::AccountsSettings;
use crate::error::{ApiError, ApiResult, Code, sentence};
use crate::mail::MailSignal;
use crate::paths::TOKEN;
use crate::paths::pages::{
    ACCOUNT, AGAIN, DELETE, FORGOTTEN, LOG_IN, LOG_OUT, OVERVIEW, PASSWORD, RESET, SIGN_UP, VERIFY,
};
use crate::routes::{READS, read};
use crate::store::{Credentials, LinkKind, MailKind, MailLink, Store};

use signed_in::local_path;
pub(crate) use signed_in::{CookieStyle, MaybeSignedIn, SignedIn};

const HOME: &str = OVERVIEW;
/// A form that cannot be taken as it is.
const MEND: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

pub(crate) fn configure(service: &mut web::ServiceConfig) {
    service
        .service(page(SIGN_UP, FORM, [read(sign_up::show), post().to(sign_up::submit)]))
        .service(page(AGAIN, ACT, [post().to(sign_up::again)]))
        .service(page(VERIFY, FORM, [read(sign_up::show_link), post().to(sign_up::confirm)]))
        .service(page(LOG_IN, FORM, [read(session::show), post().to(session::log_in)]))
        .service(page(FORGOTTEN, FORM, [read(reset::show_forgotten), post().to(reset::forgotten)]))
        .service(page(RESET, FORM, [read(reset::show), post().to(reset::choose)]))
        .service(page(ACCOUNT, READS, [read(account::show)]))
        .service(page(LOG_OUT, ACT, [post().to(session::log_out)]))
        .service(page(PASSWORD, ACT, [post().to(account::change_password)]))
        .service(page(DELETE, ACT, [post().to(account::delete)]));
}

pub(crate) struct People {
    pub(crate) store: Store,
    pub(crate) hasher: Hasher,
    pub(crate) throttle: Throttle,
    pub(crate) settings: AccountsSettings,
    pub(crate) cookie: CookieStyle,
    /// The service's own origin, where it is configured.
    pub(crate) origin: Option<String>,
    pub(crate) trusted_proxies: Vec<IpNet>,
    pub(crate) mail_signal: MailSignal,
}

impl People {
    fn holding(&self, session: &Secret) -> Cookie<'static> {
        self.cookie.holding(session, self.settings.session_longest)
    }

    /// Takes a form of a client that is not signed in, within the rate of its network range.
    fn admit(&self, request: &HttpRequest) -> ApiResult<()> {
        self.throttle.form(self.range(request))
    }

    /// Where a request comes from.
    fn range(&self, request: &HttpRequest) -> AddressRange {
        // Without a peer there is no network, and all such requests count as one.
        let peer = request.peer_addr().map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.ip());
        let lines = request.headers().get_all(X_FORWARDED_FOR);
        let lines: Vec<&str> = lines.map(|line| line.to_str().unwrap_or_default()).collect();
        AddressRange::of(client_address(peer, lines.into_iter(), &self.trusted_proxies))
    }

    /// The credentials of the account with this address, if `password` is its own, which is tried `from` a range; without one by
    /// whoever is signed in. An address without an account costs the same work, and the same tries.
    async fn shown(
        &self,
        email: &Email,
        password: &str,
        from: Option<AddressRange>,
    ) -> ApiResult<Option<Credentials>> {
        self.throttle.log_in(email, from).await?;
        let known = self.store.credentials(email).await?;
        let hash = known.as_ref().map(|known| known.password_hash.clone());
        let is_right = self.hasher.verify(password.into(), hash).await?;
        if is_right {
            self.throttle.logged_in(email, from).await?;
        }
        Ok(known.filter(|_| is_right))
    }

    /// Begins a session of the account with this address, if `password` is its own, and ends the `visitor`'s: the cookie that
    /// holds it.
    async fn begin_session(
        &self,
        request: &HttpRequest,
        email: &Email,
        password: &str,
        visitor: MaybeSignedIn,
    ) -> ApiResult<Option<Cookie<'static>>> {
        let from = self.range(request);
        let Some(shown) = self.shown(email, password, Some(from)).await? else { return Ok(None) };
        // Never an id that was there before: somebody else may have planted it.
        let session = secret()?;
        let begun = self
            .store
            .begin_session(&shown, session.hash(), self.settings.lifetime(), Timestamp::now())
            .await?;
        if let Some(before) = visitor.0.filter(|_| begun) {
            self.store.end_session(before.id).await?;
        }
        Ok(begun.then(|| self.holding(&session)))
    }

    /// The link in a mail that was opened with the token of this query, or of the form behind it, as long as it can be used.
    /// Looking does not spend it.
    async fn opened(&self, kind: LinkKind, fields: &Form) -> ApiResult<Option<(Secret, MailLink)>> {
        let Some(token) = Secret::parse(fields.text(TOKEN)) else { return Ok(None) };
        let link = self.store.link(kind, token.hash(), Timestamp::now()).await?;
        Ok(link.map(|link| (token, link)))
    }

    /// The form behind a link of a mail, or where to ask for it `again`. Mail scanners open links, too, so it does nothing yet.
    async fn show_link(
        &self,
        request: &HttpRequest,
        kind: LinkKind,
        form: FormKind,
        again: (&'static str, &'static str),
    ) -> ApiResult {
        match self.opened(kind, &Form::query(request)).await? {
            Some((token, link)) => form_page(form, link.email.as_str(), token.expose(), Problems::default()),
            None => spent(again),
        }
    }

    async fn send(&self, kind: MailKind, email: &Email, hash: Option<&PasswordHash>) -> ApiResult<()> {
        self.store.queue_mail(kind, email, hash, Timestamp::now()).await?;
        self.mail_signal.notify_one();
        Ok(())
    }
}

impl From<HashError> for ApiError {
    fn from(error: HashError) -> Self {
        match error {
            HashError::Full => {
                Self::saying(Code::Busy, "Too many people log in at this moment. Try again in a few seconds.")
            }
            HashError::Failed(why) => {
                tracing::error!(why, "a password cannot be hashed");
                Self::new(Code::Internal)
            }
        }
    }
}

/// The answer with a cookie that the browser is to keep, or to forget.
fn with_cookie(mut response: HttpResponse, cookie: &Cookie<'_>) -> ApiResult {
    response.add_cookie(cookie).map_err(|_| ApiError::new(Code::Internal))?;
    Ok(response)
}

fn secret() -> ApiResult<Secret> {
    Secret::generate().map_err(|error| {
        tracing::error!(%error, "the system has no randomness to give");
        ApiError::new(Code::Internal)
    })
}

/// The forms of people who are not signed in.
#[derive(Debug, Clone, Copy)]
enum FormKind {
    SignUp,
    LogIn,
    Forgotten,
    Verify,
    Reset,
}

impl FormKind {
    /// Its path, where the layout's menu has it.
    fn path(self) -> &'static str {
        match self {
            Self::SignUp => SIGN_UP,
            Self::LogIn => LOG_IN,
            Self::Forgotten => FORGOTTEN,
            Self::Verify | Self::Reset => "",
        }
    }
}

#[derive(Template)]
#[template(path = "people/form.html")]
struct FormPage<'a> {
    layout: Layout,
    kind: FormKind,
    email: &'a str,
    /// What it sends along: the token of a link in a mail, or where a log-in leads to.
    carried: &'a str,
    problems: Problems,
}

/// A form: empty, or as it was filled in and with what has to be mended.
fn form_page(kind: FormKind, email: &str, carried: &str, problems: Problems) -> ApiResult {
    let status = if problems.all().is_empty() { StatusCode::OK } else { MEND };
    form_with(status, kind, email, carried, problems)
}

fn form_with(
    status: StatusCode,
    kind: FormKind,
    email: &str,
    carried: &str,
    problems: Problems,
) -> ApiResult {
    render(status, &FormPage { layout: Layout::of(None, kind.path()), kind, email, carried, problems })
}

/// A form as it was filled in, kept beside its request: whoever is refused for now types nothing again but the password.
pub(super) struct FilledIn {
    kind: FormKind,
    email: String,
    carried: String,
}

impl FilledIn {
    /// Keeps a form; what it sends along is where a log-in leads to.
    fn keep(kind: FormKind, form: &Form, request: &HttpRequest) {
        let carried = local_path(form.text("next")).unwrap_or_default();
        request.extensions_mut().insert(Self { kind, email: form.text("email").to_owned(), carried });
    }

    /// The form again, with why it was refused.
    pub(super) fn again(&self, status: StatusCode, why: &str) -> ApiResult {
        form_with(status, self.kind, &self.email, &self.carried, Problems::about("", why))
    }
}

/// A page that says one thing, and where to go on.
#[derive(Template)]
#[template(path = "people/message.html")]
struct MessagePage<'a> {
    layout: Layout,
    title: &'static str,
    message: &'a str,
    go_on: (&'static str, &'static str),
    /// The address that its mail can be sent to again.
    again: Option<&'a str>,
}

fn message_page(
    status: StatusCode,
    title: &'static str,
    message: &str,
    go_on: (&'static str, &'static str),
) -> ApiResult {
    render(status, &MessagePage { layout: Layout::of(None, ""), title, message, go_on, again: None })
}

fn email_in(form: &Form) -> Result<Email, Problems> {
    form.text("email").parse::<Email>().map_err(|error| problem("email", &error))
}

/// The password that was chosen in a field of a form for the account of `email`, or what is wrong with it.
fn password_in(form: &Form, field: &'static str, email: &str) -> Result<Password, Problems> {
    Password::parse(form.text(field), email).map_err(|error| problem(field, &error))
}

fn problem(field: &'static str, error: &impl std::fmt::Display) -> Problems {
    Problems::about(field, sentence(&error))
}

/// The page of a link that was used, is too old, or was never ours. It does not tell which.
fn spent(again: (&'static str, &'static str)) -> ApiResult {
    let message = "It was used already, or it is too old. Links work once, and only for a while.";
    message_page(StatusCode::GONE, "This link does not work any more", message, again)
}
