//! The request as the OpenAPI document describes it. The answer is core's `Report`.

use utoipa::ToSchema;

/// What is asked for: a site or a text.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the request; its fields are read one by one, to name what is wrong")]
pub(super) enum ValidateRequest {
    Site(ValidateSite),
    Content(ValidateContent),
}

/// The file of a site.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes the request")]
pub(super) struct ValidateSite {
    /// The site: a bare domain or a full http(s) address. With a path, the most specific file that covers it is taken; an
    /// address that ends in `.txt` or `.md` is the file.
    #[schema(min_length = 1, max_length = 2048, example = "docs.rs")]
    url: String,
    /// Whether up to 50 links of the file are tried, relative ones from its address; without this they are.
    #[schema(required = false)]
    check_links: bool,
}

/// A text.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes the request")]
pub(super) struct ValidateContent {
    /// The text, at most 512,000 bytes as UTF-8.
    #[schema(max_length = 512_000)]
    content: String,
    /// Whether up to 50 of its absolute links are tried, and nothing else is fetched; without this they are.
    #[schema(required = false)]
    check_links: bool,
}
