//! Mails to account holders. Requests only note that one is due; it is written and sent in the background, with retries, and
//! survives a restart.

mod templates;
mod transport;
mod worker;

pub(crate) use transport::{MailSettings, MailTransport, check};
pub(crate) use worker::{MailSignal, MailWorker};
