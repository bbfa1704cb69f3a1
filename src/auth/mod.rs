//! Who somebody is: API keys and e-mail addresses, parsed before anything is done with them.

mod api_key;
mod email;

pub use api_key::{ApiKey, BadKey};
pub use email::{BadEmail, Email};
