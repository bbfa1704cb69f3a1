//! How mails are sent: by an SMTP server, or to the log where none is configured.

use std::time::Duration;

use anyhow::Context;
use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio::time::error::Elapsed;
use wayfile_actors::settings::masked;

use super::templates::MailText;
use crate::auth::Email;
use crate::store::StoreError;

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

impl MailTransport {
    /// Errors: `mail.smtp_url` or `mail.from` cannot be used.
    pub(crate) fn new(settings: &MailSettings) -> anyhow::Result<Self> {
        let Some(url) = settings.server() else { return Ok(Self::Log) };
        let from = settings.from.parse();
        let from = from.with_context(|| format!("mail.from is {:?}, which is no address", settings.from))?;
        // The address may hold a password, which the error would tell.
        let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| {
            anyhow::anyhow!(
                "mail.smtp_url cannot be used: write smtps://USER:PASSWORD@HOST or smtp://HOST:PORT"
            )
        })?;
        let server = server.timeout(Some(settings.timeout)).build();
        Ok(Self::Smtp { server: Box::new(server), from })
    }

    pub(crate) async fn send(&self, to: &Email, mail: MailText) -> Result<(), Undelivered> {
        let Self::Smtp { server, from } = self else {
            let MailText { subject, text } = mail;
            tracing::info!(%to, subject, "without mail.smtp_url mails go to this log:\n\n{text}");
            return Ok(());
        };
        let to: Address = to.as_str().parse().map_err(unwritable)?;
        let message = Message::builder().from(from.clone()).to(to.into()).subject(mail.subject);
        let message = message.message_id(None).header(ContentType::TEXT_PLAIN).body(mail.text);
        let mut message = message.map_err(unwritable)?;
        message.headers_mut().insert_raw(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".to_owned()));
        server.send(message).await?;
        Ok(())
    }
}

/// The status alone: the server's words may name the address.
fn reason(error: &lettre::transport::smtp::Error) -> String {
    error.status().map_or_else(|| error.to_string(), |code| format!("it answered {code}"))
}

fn unwritable(error: impl std::fmt::Display) -> Undelivered {
    Undelivered::Unwritable(error.to_string())
}
