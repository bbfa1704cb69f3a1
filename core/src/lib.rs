//! The rules of Wayfile, pure and synchronous: no sockets, no clock, no runtime.
//!
//! - [`url`]: addresses as they are compared, fetched and printed
//! - [`site`]: robots.txt, sitemaps, which pages matter and in which order
//! - [`page`]: one page from bytes to clean Markdown, links and metadata
//! - [`llms_txt`]: the document model of `llms.txt`, its parser and its renderers
//! - [`nodes`]: what nodes share that serve together
//! - [`render`]: what a browser may ask for while it shows a page
//! - [`plan`]: what an account may do; [`limits`]: its rate and its quotas; [`back_off`]: tries
//!   that become slower; [`calendar`]: over which time they count; [`work`]: how much a text of strangers may take;
//!   `wording`: what the files say of themselves

pub mod back_off;
pub mod calendar;
mod digits;
pub mod limits;
pub mod llms_txt;
mod maps;
mod markdown;
pub mod nodes;
pub mod page;
mod percent;
mod phrases;
pub mod plan;
mod refusals;
pub mod render;
mod separators;
pub mod site;
pub mod url;
mod wording;
pub mod work;

// The tests of the library and those beside it read files back in the same way.
#[cfg(test)]
extern crate self as wayfile_core;
#[cfg(test)]
#[path = "../tests/quoted/written.rs"]
mod written;
