//! As much of tera 1 as llm-chain 0.13 names, for templates that hold names in double braces and nothing else.
//!
//! That library renders prompts by tera, which brings some thirty crates: calendars, time zones, a grammar of its own, a reader
//! of folders. Prompts of Wayfile name `{{ text }}`, `{{ title }}` and `{{ site }}`. `[patch.crates-io]` of the workspace puts
//! this crate in its place.

use std::collections::HashMap;
use std::fmt;

/// What names stand for.
#[derive(Debug, Clone, Default)]
pub struct Context(HashMap<String, String>);

impl Context {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets a name stand for a value.
    pub fn insert(&mut self, name: impl Into<String>, value: &impl ToString) {
        self.0.insert(name.into(), value.to_string());
    }
}

/// Why a template cannot be rendered.
#[derive(Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// The engine.
#[derive(Debug, Clone, Copy)]
pub struct Tera;

impl Tera {
    /// Renders a template. What a name stands for is never read as a template itself.
    ///
    /// # Errors
    /// A name that stands for nothing, braces that do not end, or a block.
    pub fn one_off(template: &str, context: &Context, _autoescape: bool) -> Result<String, Error> {
        let mut pieces = template.split("{{");
        let first = pieces.next().unwrap_or_default();
        let mut text = first.to_owned();
        let mut plain = vec![first];
        for piece in pieces {
            let (name, after) = piece.split_once("}}").ok_or_else(|| Error("`{{` has no `}}`".to_owned()))?;
            let name = name.trim();
            let value = context.0.get(name).ok_or_else(|| Error(format!("there is no `{name}`")))?;
            text.push_str(value);
            text.push_str(after);
            plain.push(after);
        }
        if plain.iter().any(|text| text.contains("{%") || text.contains("{#")) {
            return Err(Error("there are names in double braces, and no blocks or comments".to_owned()));
        }
        Ok(text)
    }
}
