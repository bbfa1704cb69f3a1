//! Request and answer as clients see them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wayfile_actors::Generated;
use wayfile_core::llms_txt::FileType;
use wayfile_core::llms_txt::compose::FullText;

use crate::routes::body::count;

/// What is asked for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct GenerateRequest {
    /// The site: a bare domain or a full http(s) address. An address with a path limits the run to that path.
    #[schema(required = true, nullable = false, min_length = 1, max_length = 2048, example = "docs.rs")]
    pub(super) url: Option<String>,
    /// Which files are made; without this, both.
    #[schema(nullable = false, value_type = Option<FileType>)]
    pub(super) file_type: Option<String>,
    /// Guidance for the readers of the file; it goes into its "Instructions for LLM Agents".
    #[schema(nullable = false, max_length = 4000)]
    pub(super) instructions: Option<String>,
    /// Pages in a file at most: from 1 to what the plan has, which it is without this.
    #[serde(default, deserialize_with = "count")]
    #[schema(nullable = false, value_type = Option<u32>, minimum = 1, maximum = 1_000_000)]
    pub(super) max_pages: Option<usize>,
    /// Patterns of the paths that are listed, such as `/docs/**`: `*` stops at a slash, `**` does not. Without any, all are.
    #[schema(nullable = false, max_items = 20, example = json!(["/docs/**"]))]
    pub(super) include: Option<Vec<String>>,
    /// Patterns of the paths that are not, whatever includes them.
    #[schema(nullable = false, max_items = 20, example = json!(["/docs/old/**"]))]
    pub(super) exclude: Option<Vec<String>>,
}

/// The API's answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GenerateResponse<'a> {
    /// The site's address, after its redirects.
    #[schema(example = "https://docs.rs/")]
    pub(crate) url: &'a str,
    /// The site's host.
    #[schema(example = "docs.rs")]
    pub(crate) domain: &'a str,
    /// What was made, after a downgrade.
    pub(crate) file_type: FileType,
    /// llms.txt; null for `llms-full`.
    #[schema(required = true)]
    pub(crate) llms_txt: Option<&'a str>,
    /// llms-full.txt; null for `llms`.
    #[schema(required = true, value_type = Option<String>)]
    pub(crate) llms_full_txt: Option<&'a FullText>,
    /// Whether a model wrote the summary and the descriptions.
    pub(crate) llm_enhanced: bool,
    /// What the caller should know about the run; null when there is nothing to say.
    #[schema(required = true)]
    pub(crate) note: Option<String>,
}

impl<'a> GenerateResponse<'a> {
    /// `before` goes before the run's own note.
    pub(crate) fn new(generated: &'a Generated, before: Option<&str>) -> Self {
        let notes: Vec<&str> = before.into_iter().chain(generated.note.as_deref()).collect();
        Self {
            url: generated.url.as_str(),
            domain: &generated.domain,
            file_type: generated.file_type,
            llms_txt: generated.llms_txt.as_deref().map(String::as_str),
            llms_full_txt: generated.llms_full_txt.as_deref(),
            llm_enhanced: generated.llm_enhanced,
            note: (!notes.is_empty()).then(|| notes.join(" ")),
        }
    }
}
