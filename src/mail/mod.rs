//! Mails to account holders. Requests only note that one is due; it is written and sent in the background, again and
//! again if need be, and survives a restart.

mod letter;
mod post;
mod postman;

pub(crate) use post::Post;
pub(crate) use postman::{Bell, Links, Postman};
