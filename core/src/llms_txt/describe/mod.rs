//! What a model is told of a page, and what of its answers may reach the file.
//!
//! - [`Subject`]: a page's name and text as the model gets them, with the page's [`Evidence`]
//! - [`check`]: an answer is one plain sentence that the page bears out, or it is [`Unfit`]
//! - `orders`: text that talks to a model instead of to a reader; it is neither sent nor believed
//! - [`ModelTexts`]: what a model wrote for a site, as `compose` takes it

mod check;
mod evidence;
mod language;
mod orders;
mod subject;
mod words;

use std::collections::HashMap;

use crate::url::SiteUrl;

pub use check::{BROKEN_OFF, Unfit, check};
pub use evidence::Evidence;
pub(crate) use evidence::{is_dense, is_unspaced};
pub(crate) use language::language_of;
pub(crate) use orders::gives_orders;
pub use subject::Subject;

/// What a model wrote for a site, checked.
#[derive(Debug, Clone, Default)]
pub struct ModelTexts {
    /// What the site is.
    pub summary: Option<String>,
    /// What its pages are about, by their addresses.
    pub descriptions: HashMap<SiteUrl, String>,
}
