//! Which of the two files are made.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// `llms`: llms.txt alone; `llms-full`: llms-full.txt alone; `both`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FileType {
    /// `llms.txt` alone.
    Llms,
    /// `llms-full.txt` alone.
    LlmsFull,
    /// Both.
    #[default]
    Both,
}

impl FileType {
    /// Whether `llms.txt` is among them.
    pub fn index(self) -> bool {
        self != Self::LlmsFull
    }

    /// Whether `llms-full.txt` is among them.
    pub fn full(self) -> bool {
        self != Self::Llms
    }
}

/// A text that names no file type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is none of llms, llms-full, both")]
pub struct UnknownFileType(String);

impl FromStr for FileType {
    type Err = UnknownFileType;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = |kind: &Self| kind.to_string() == text;
        [Self::Llms, Self::LlmsFull, Self::Both]
            .into_iter()
            .find(named)
            .ok_or_else(|| UnknownFileType(text.to_owned()))
    }
}

impl fmt::Display for FileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Llms => "llms",
            Self::LlmsFull => "llms-full",
            Self::Both => "both",
        })
    }
}
