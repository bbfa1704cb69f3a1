//! Mails to account holders. Requests only note that one is due; it is written and sent in the background, with retries, and
//! survives a restart.

mod settings;
mod templates;
mod transport;
mod worker;

pub(crate) use settings::MailSettings;
pub(crate) use transport::MailTransport;
pub(crate) use worker::{MailLinks, MailSignal, MailWorker};
