//! People: their accounts, passwords and sessions, and the mails to them.

mod accounts;
mod links;
mod mails;
mod passwords;
mod sessions;

pub(super) use accounts::plan;
pub use accounts::{AccountId, Credentials};
pub(crate) use links::MailLink;
pub use links::{LinkKind, SignedUp};
pub use mails::MailKind;
pub(crate) use mails::WaitingMail;
pub use sessions::Lifetime;
pub(crate) use sessions::Session;
