//! Where mails are handed over: to an SMTP server, or to the log where there is none.

use anyhow::Context;
use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use super::letter::Letter;
use crate::auth::Email;
use crate::config::MailSettings;

/// Keeps machines from answering (RFC 3834).
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

/// The way out.
pub(crate) enum Post {
    /// To a server, which takes care of the rest.
    Smtp { server: Box<AsyncSmtpTransport<Tokio1Executor>>, from: Mailbox },
    /// To the log, for whoever tries the service out.
    Log,
}

/// Why a mail was not handed over. It names neither the address nor the text.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PostError {
    /// The address or the text makes no mail.
    #[error("the mail cannot be written: {0}")]
    Unwritable(String),
    /// The server did not take it.
    #[error("the mail server did not take it: {}", reason(.0))]
    Refused(#[from] lettre::transport::smtp::Error),
}

impl Post {
    /// # Errors
    /// `mail.smtp_url` or `mail.from` cannot be used.
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

    /// Hands one over.
    ///
    /// # Errors
    /// [`PostError`].
    pub(crate) async fn hand_over(&self, to: &Email, letter: Letter) -> Result<(), PostError> {
        let Self::Smtp { server, from } = self else {
            let Letter { subject, text } = letter;
            tracing::info!(%to, subject, "without mail.smtp_url mails go to this log:\n\n{text}");
            return Ok(());
        };
        let to: Address = to.as_str().parse().map_err(unwritable)?;
        let mail = Message::builder().from(from.clone()).to(to.into()).subject(letter.subject);
        let mail = mail.message_id(None).header(ContentType::TEXT_PLAIN).body(letter.text);
        let mut mail = mail.map_err(unwritable)?;
        mail.headers_mut().insert_raw(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".to_owned()));
        server.send(mail).await?;
        Ok(())
    }
}

/// What servers say in words names the address.
fn reason(error: &lettre::transport::smtp::Error) -> String {
    error.status().map_or_else(|| error.to_string(), |code| format!("it answered {code}"))
}

fn unwritable(error: impl std::fmt::Display) -> PostError {
    PostError::Unwritable(error.to_string())
}
