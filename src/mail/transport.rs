//! How mails are sent: by an SMTP server, or to the log where none is configured.

use std::time::Duration;

use anyhow::Context;
use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue, MIME_VERSION_1_0};
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio::time::error::Elapsed;
use wayfile_actors::settings::masked;

use super::templates::MailText;
use crate::auth::{Email, Secret};
use crate::store::StoreError;

/// What a server answers that has no such mailbox.
const NO_MAILBOX: [u16; 3] = [550, 551, 553];

/// Keeps machines from answering (RFC 3834).
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

/// The section `[mail]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    #[serde(serialize_with = "masked")]
    pub smtp_url: Option<SecretString>,
    pub from: String,
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    pub tries: u32,
    #[serde(with = "humantime_serde")]
    pub first_wait: Duration,
}

impl MailSettings {
    /// The mail server, unless mails go to the log.
    pub fn server(&self) -> Option<&str> {
        self.smtp_url.as_ref().map(|url| url.expose_secret().trim()).filter(|url| !url.is_empty())
    }
}

pub(crate) enum MailTransport {
    Smtp {
        server: Box<AsyncSmtpTransport<Tokio1Executor>>,
        from: Mailbox,
    },
    /// To the log: no server is configured.
    Log,
}

/// Why a mail was not handed over. It names neither the address nor the text.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Undelivered {
    #[error("the mail cannot be written: {0}")]
    Unwritable(String),
    #[error("the mail server did not take it: {}", reason(.0))]
    Refused(#[from] lettre::transport::smtp::Error),
    #[error("it took longer than mail.timeout")]
    Late(#[from] Elapsed),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Undelivered {
    /// Whether another try is futile: there is no such mailbox (RFC 5321 section 4.2.3), or no mail to send.
    pub(crate) fn is_final(&self) -> bool {
        match self {
            Self::Unwritable(_) => true,
            Self::Refused(error) => error.status().is_some_and(|code| NO_MAILBOX.contains(&u16::from(code))),
            Self::Late(_) | Self::Store(_) => false,
        }
    }
}

impl MailTransport {
    /// Errors: `mail.smtp_url` or `mail.from` cannot be used.
    ///
    /// # Panics
    /// Outside of a Tokio runtime: the connections are looked after in the background.
    pub(crate) fn new(settings: &MailSettings) -> anyhow::Result<Self> {
        let Some((server, from)) = way_out(settings)? else { return Ok(Self::Log) };
        Ok(Self::Smtp { server: Box::new(server.build()), from })
    }

    pub(crate) async fn send(&self, to: &Email, mail: MailText) -> Result<(), Undelivered> {
        let Self::Smtp { server, from } = self else {
            let MailText { subject, text } = mail;
            tracing::info!(%to, subject, "without mail.smtp_url mails go to this log:\n\n{text}");
            return Ok(());
        };
        let to: Address = to.as_str().parse().map_err(unwritable)?;
        // Of the sender, and not of the machine, whose name is nobody's business.
        let id = Secret::generate().map_err(unwritable)?.expose().to_owned();
        let id = format!("<{id}@{}>", from.email.domain());
        let message = Message::builder().from(from.clone()).to(to.into()).subject(mail.subject);
        let message = message.message_id(Some(id)).header(MIME_VERSION_1_0).header(ContentType::TEXT_PLAIN);
        let mut message = message.body(mail.text).map_err(unwritable)?;
        message.headers_mut().insert_raw(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".to_owned()));
        server.send(message).await?;
        Ok(())
    }
}

/// Whether the settings of mail can be used. Errors: as [`MailTransport::new`], which needs a runtime.
pub(crate) fn check(settings: &MailSettings) -> anyhow::Result<()> {
    way_out(settings).map(drop)
}

fn way_out(settings: &MailSettings) -> anyhow::Result<Option<(AsyncSmtpTransportBuilder, Mailbox)>> {
    let Some(url) = settings.server() else { return Ok(None) };
    let from = settings.from.parse();
    let from = from.with_context(|| format!("mail.from is {:?}, which is no address", settings.from))?;
    // The address may hold a password, which the error would tell.
    let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| {
        anyhow::anyhow!("mail.smtp_url cannot be used: write smtps://USER:PASSWORD@HOST or smtp://HOST:PORT")
    })?;
    Ok(Some((server.timeout(Some(settings.timeout)), from)))
}

/// The status alone: the server's words may name the address.
fn reason(error: &lettre::transport::smtp::Error) -> String {
    error.status().map_or_else(|| error.to_string(), |code| format!("it answered {code}"))
}

fn unwritable(error: impl std::fmt::Display) -> Undelivered {
    Undelivered::Unwritable(error.to_string())
}
