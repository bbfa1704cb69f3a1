//! From an outline and its pages to both files.
//!
//! - [`index`]: `llms.txt`, every link described, within its limits
//! - [`full`]: `llms-full.txt`, the pages' own Markdown one after the other
//! - `listing`: which pages only lead to others
//! - `local`: what a page's Markdown defines, kept from binding in other pages
//! - `titles`: what a page is called in both; `notes`: what the index says of it, from its `opening` and its `headings`
//! - `plain`: Markdown without its marks, those of `emphasis` among them; `sentences`: where they end
//! - `head`: what the index says of the site, in whose `language` everything of our own is worded

mod emphasis;
mod entries;
mod foreign;
mod full;
mod full_text;
mod head;
mod headings;
mod index;
mod language;
mod listing;
mod local;
mod notes;
mod opening;
mod plain;
mod plan;
mod sentences;
mod titles;

pub use full::{Full, FullOptions, full};
pub use full_text::FullText;
pub use index::{Index, IndexOptions, index, worth_keeping};
pub(super) use plain::{normal, plain};
pub(super) use titles::name;

#[cfg(test)]
mod tests;
