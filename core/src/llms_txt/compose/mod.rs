//! From an outline and its pages to both files.
//!
//! - [`index`]: `llms.txt`, every link described, within its limits
//! - [`full`]: `llms-full.txt`, the pages' own Markdown one after the other
//! - [`names`]: what a page is called in both; [`notes`]: what the index says of it, from [`prose`]

mod full;
mod index;
mod names;
mod notes;
mod prose;

pub use full::{Full, FullOptions, full};
pub use index::{Index, IndexOptions, index};

#[cfg(test)]
mod tests;
