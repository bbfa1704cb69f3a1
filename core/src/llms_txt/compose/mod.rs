//! From an outline and its pages to both files.
//!
//! - [`index`]: `llms.txt`, every link described, within its limits
//! - [`full`]: `llms-full.txt`, the pages' own Markdown one after the other
//! - `listing`: which pages only lead to others
//! - `local`: what a page's Markdown defines, kept from binding in other pages
//! - `titles`: what a page is called in both; `entries`: what the index says of it, from the `material` that it offers: its
//!   author's description, its `opening` and its `headings`
//! - `sentences`: where they end
//! - `head`: what the index says of the site, in whose `language` everything of our own is worded

mod declared;
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
mod material;
mod opening;
mod options;
mod plan;
mod sentences;
mod thinning;
mod titles;

pub use full::{Full, full};
pub use full_text::FullText;
pub use index::{Index, index, worth_keeping};
pub use options::{FullOptions, IndexOptions};

#[cfg(test)]
mod tests;
