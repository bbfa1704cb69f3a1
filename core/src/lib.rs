//! The rules of Wayfile, pure and synchronous: no sockets, no clock, no runtime.
//!
//! - [`site`]: addresses, robots.txt, sitemaps, which pages matter and in which order
//! - [`page`]: one page from bytes to clean Markdown, links and metadata
//! - [`llms_txt`]: the document model of `llms.txt`, its parser and its renderers

pub mod llms_txt;
pub mod page;
pub mod site;
