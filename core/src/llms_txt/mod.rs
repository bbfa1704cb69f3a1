//! The `llms.txt` format: document model, tolerant parser, renderers of both files.
//!
//! - [`document`]: a file of our own making, safe by construction; [`render`] writes it
//! - [`inline`]: the newtypes that make foreign text harmless; `escape` writes them as Markdown
//! - [`parse`]: reads any file tolerantly, with line numbers; [`blocks`] and [`link`] are its two halves ([`relink`] leads the entries of an index elsewhere); `code` finds what is code
//! - [`mod@reference`]: whether the format's reference parser can read a file
//! - [`describe`]: what a model is told of a page, and what of its answers may reach a file
//! - [`lint`]: what a file is worth, check by check
//! - [`compose`]: from an outline and its pages to `llms.txt` and `llms-full.txt`

pub mod blocks;
mod code;
pub mod compose;
pub mod describe;
pub mod document;
mod escape;
mod file_type;
pub mod inline;
pub mod link;
pub mod lint;
mod page_name;
pub mod parse;
mod plain;
pub mod reference;
pub mod render;

pub use file_type::{FileType, UnknownFileType};
pub use link::relink;
