//! Identity: API keys, e-mail addresses, passwords, sessions and where they come from, parsed before anything is done
//! with them.

mod api_key;
mod client_address;
mod email;
mod hasher;
mod password;
mod secret;

pub use api_key::ApiKey;
pub use client_address::{AddressRange, client_address};
pub use email::{BadEmail, Email};
pub use hasher::{HashError, Hasher};
pub use password::{BadPassword, PASSWORD_MAX, PASSWORD_MIN, Password, PasswordHash};
pub(crate) use secret::hex;
pub use secret::{Secret, SecretHash};
