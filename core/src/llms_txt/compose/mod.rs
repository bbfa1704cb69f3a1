//! From an outline and its pages to both files.
//!
//! - [`index`]: `llms.txt`, every link described, within its limits
//! - [`full`]: `llms-full.txt`, the pages' own Markdown one after the other
//! - `listing`: which pages only lead to others
//! - `local`: what a page's Markdown defines, kept from binding in other pages
//! - `names`: what a page is called in both; `notes`: what the index says of it
//! - `material`: what a page offers to be described with: its `lead` sentences and its `topics`, from `prose` without
//!   `emphasis`
//! - `head`: what the index says of the site; `definition`: the sentence that says what the site is about

mod definition;
mod emphasis;
mod entries;
mod foreign;
mod full;
mod full_text;
mod head;
mod index;
mod lead;
mod listing;
mod local;
mod material;
mod names;
mod notes;
mod paragraphs;
mod plan;
mod prose;
mod shared;
mod topics;

pub use full::{Full, FullOptions, full};
pub use full_text::FullText;
pub use index::{Index, IndexOptions, index, worth_keeping};
pub(super) use names::name;
pub(super) use prose::{normal, plain};

#[cfg(test)]
mod tests;
