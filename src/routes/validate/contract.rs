//! Request and answer as the OpenAPI document describes them. The answer itself is core's `Report`; a test holds it
//! against this description.

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
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the request")]
pub(super) struct ValidateSite {
    /// The site: a bare domain or a full http(s) address. With a path, the most specific file that covers it is taken; an
    /// address that ends in `.txt` or `.md` is the file.
    #[schema(min_length = 1, max_length = 2048, example = "docs.rs")]
    url: String,
    /// Whether up to 50 links of the file are tried, relative ones from its address.
    #[schema(required = false, default = true)]
    check_links: bool,
}

/// A text.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the request")]
pub(super) struct ValidateContent {
    /// The text, at most 512,000 bytes as UTF-8.
    #[schema(max_length = 512_000)]
    content: String,
    /// Whether up to 50 of its absolute links are tried; nothing else is fetched.
    #[schema(required = false, default = true)]
    check_links: bool,
}

/// What a file is worth.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the answer")]
pub(super) struct ValidateResponse {
    /// Where the text came from.
    mode: Mode,
    /// The site; with a `url` only.
    #[schema(required = false)]
    url: String,
    /// The file that was looked at; with a `url` only.
    #[schema(required = false)]
    target_url: String,
    /// What its form is worth: 100 x the weights of the structure checks that pass / those of all that apply.
    #[schema(maximum = 100)]
    score: u32,
    /// Whether agents get it and can use it: the same of the readiness checks.
    #[schema(maximum = 100)]
    readiness_score: u32,
    /// In one word.
    status: Status,
    /// Whether agents get the file; with a `url` only.
    #[schema(required = false)]
    health: SiteHealth,
    /// Every check that applies.
    checks: Vec<Check>,
    /// The file has a block that instructs agents.
    uses_instructions_pattern: bool,
    /// The site has an llms-full.txt; of a text: it links to one.
    has_llms_full: bool,
    /// Characters of the file.
    content_length: u64,
    /// How the links did; only when they were to be tried.
    #[schema(required = false)]
    link_stats: LinkStats,
}

#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes the answer")]
enum Mode {
    Url,
    Content,
}

/// `valid`: every structure check passes; `invalid`: no title, no links, HTML or empty; `missing`: there is no file;
/// `unreachable`: the site does not answer, or only others; `warnings`: anything between.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes the answer")]
enum Status {
    Valid,
    Warnings,
    Invalid,
    Missing,
    Unreachable,
}

/// `live`: agents get the file; `degraded`: something stands in the way; `dead`: they do not.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes the answer")]
enum SiteHealth {
    Live,
    Degraded,
    Dead,
}

/// One check.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the answer")]
struct Check {
    /// Its stable name.
    #[schema(example = "h1-present")]
    id: String,
    /// Which score it counts for.
    tier: Tier,
    /// Whether all is well.
    pass: bool,
    /// What holds when it passes.
    label: String,
    /// Its share of the score.
    weight: u32,
    /// What was found, when it fails.
    #[schema(required = true)]
    detail: Option<String>,
    /// The line it was found in, counted from 1.
    #[schema(required = true, minimum = 1)]
    line: Option<u64>,
    /// How to mend it, when it fails.
    #[schema(required = true)]
    fix: Option<String>,
    /// Every place, up to 50, when it fails in several; `line` and `detail` are those of the first, or of the whole.
    #[schema(required = false, max_items = 50)]
    occurrences: Vec<Occurrence>,
}

/// One of several places in which a check fails.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct Occurrence {
    /// Its line, counted from 1.
    #[schema(minimum = 1)]
    line: u64,
    /// What was found there.
    detail: String,
}

#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes the answer")]
enum Tier {
    Structure,
    Readiness,
}

/// Addresses that were tried: `checked` = `ok` + `dead`.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the answer")]
struct LinkStats {
    /// Links that were decided.
    checked: u64,
    /// They answered.
    ok: u64,
    /// They lead nowhere.
    dead: u64,
    /// They could not be decided, and are in no other count.
    unknown: u64,
    /// Every place of those that lead nowhere, in the order of the file: an address that stands twice is here twice.
    dead_links: Vec<DeadLink>,
}

/// A link that leads nowhere.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
struct DeadLink {
    /// Where it leads.
    url: String,
    /// Its line in the file, counted from 1.
    #[schema(minimum = 1)]
    line: u64,
    /// What is the matter with it.
    reason: DeadReason,
}

/// `unreachable`: the name does not resolve or the connection is refused.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the answer")]
enum DeadReason {
    #[schema(rename = "404")]
    NotFound,
    #[schema(rename = "410")]
    Gone,
    #[schema(rename = "unreachable")]
    Unreachable,
}
