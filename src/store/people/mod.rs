//! People: their accounts, passwords and sessions, and the mails to them.

mod accounts;
mod deletion;
mod links;
mod mails;
mod passwords;
mod sessions;

pub(super) use accounts::plan;
pub use accounts::{Account, AccountId, Credentials};
pub use links::{LinkKind, MailLink, SignedUp};
pub use mails::{MailKind, WaitingMail};
pub use sessions::{Lifetime, Session};
