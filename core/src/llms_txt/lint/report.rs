//! The answer: scores, status and health, as API and command line give it.

use serde::Serialize;

use super::Linted;
use super::TextKind;
use super::rule::{Finding, Tier, score};
use super::served::{FileSeen, HttpAnswer, LinkSeen, LinkStats, Observed, check_links, check_site};
use crate::llms_txt::lint::HARD_LIMIT_CHARS;
use crate::url::SiteUrl;

/// The best score of a file without a title.
const UNTITLED_MAX: u32 = 49;
/// The best score of a file without links, and the best readiness of one that agents cut.
const FLAWED_MAX: u32 = 59;
/// A file that takes longer to answer is not well.
const SLOW: std::time::Duration = std::time::Duration::from_secs(10);

/// `url`: the file of a site; `content`: a text from the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// From a site.
    Url,
    /// From the caller.
    Content,
}

/// The first that holds. `unreachable`: the site does not answer, or only others;
/// `missing`: there is no file; `invalid`: no title, no links, HTML or empty; `valid`: every structure check passes;
/// `warnings`: anything between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// No answer, 5xx, or an answer only for others.
    Unreachable,
    /// 404, 410, or HTML that any path gets.
    Missing,
    /// No title, no links, HTML or empty.
    Invalid,
    /// Every structure check passes.
    Valid,
    /// Anything between.
    Warnings,
}

impl Status {
    /// As an answer writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Missing => "missing",
            Self::Invalid => "invalid",
            Self::Valid => "valid",
            Self::Warnings => "warnings",
        }
    }
}

/// `live`: agents get the file; `degraded`: something stands in the way; `dead`: they do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SiteHealth))]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// 200, text, at most one of ten decided links dead.
    Live,
    /// 200 and text, but something stands in the way.
    Degraded,
    /// Not there.
    Dead,
}

/// What a file is worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ValidateResponse))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Where the text came from.
    pub mode: Mode,
    /// The site; with a `url` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    pub url: Option<SiteUrl>,
    /// The file that was looked at; with a `url` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    pub target_url: Option<SiteUrl>,
    /// What its form is worth: 100 x the weights of the structure checks that pass / those of all that apply.
    #[cfg_attr(feature = "openapi", schema(maximum = 100))]
    pub score: u32,
    /// Whether agents get it and can use it: the same of the readiness checks.
    #[cfg_attr(feature = "openapi", schema(maximum = 100))]
    pub readiness_score: u32,
    /// What the file is worth, in one word.
    pub status: Status,
    /// Whether agents get the file; with a `url` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub health: Option<Health>,
    /// Every check that applies.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<super::rule::Told>))]
    pub checks: Vec<Finding>,
    /// The file has a block that instructs agents.
    pub uses_instructions_pattern: bool,
    /// The site has an llms-full.txt; of a text: it links to one.
    pub has_llms_full: bool,
    /// Characters of the file.
    pub content_length: usize,
    /// How the links did; only when they were to be tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub link_stats: Option<LinkStats>,
}

impl Report {
    /// The answer for a text that was sent; `links` are those that were tried, if they were to be.
    pub fn of_content(mut linted: Linted, links: Option<&[LinkSeen]>) -> Self {
        let link_stats = links.map(LinkStats::of);
        let score = structure_score(&linted);
        let status = status_of_text(&linted);
        linted.findings.extend(link_stats.iter().flat_map(check_links));
        Self {
            mode: Mode::Content,
            url: None,
            target_url: None,
            score,
            readiness_score: readiness_score(&linted.findings, linted.chars),
            status,
            health: None,
            uses_instructions_pattern: linted.instructs,
            has_llms_full: linted.links_full,
            content_length: linted.chars,
            checks: linted.findings,
            link_stats,
        }
    }

    /// The answer for the file of the site at `url`; `linted` is what came with 200, if anything did.
    pub fn of_site(url: SiteUrl, linted: Option<Linted>, observed: &Observed) -> Self {
        let site = check_site(observed);
        let link_stats = observed.links.as_deref().map(LinkStats::of);
        let soft_html = observed.soft_404 == Some(true) && observed.served().is_some_and(HttpAnswer::is_html);
        let status = match (without_file(observed, &site), &linted) {
            (Some(status), _) => status,
            (None, _) if soft_html => Status::Missing,
            (None, Some(linted)) => status_of_text(linted),
            (None, None) => Status::Missing,
        };
        let mut report = Self {
            mode: Mode::Url,
            url: Some(url),
            target_url: Some(observed.asked.clone()),
            score: 0,
            readiness_score: 0,
            status,
            health: Some(health(observed, &site, linted.as_ref(), link_stats.as_ref())),
            checks: Vec::new(),
            uses_instructions_pattern: false,
            has_llms_full: observed.has_full == Some(true),
            content_length: 0,
            link_stats,
        };
        if let Some(linted) = linted {
            report.score = structure_score(&linted);
            report.uses_instructions_pattern = linted.instructs;
            report.content_length = linted.chars;
            report.checks = linted.findings;
            report.checks.extend(site);
            report.readiness_score = readiness_score(&report.checks, linted.chars);
        } else {
            report.checks = site;
        }
        report
    }
}

fn structure_score(linted: &Linted) -> u32 {
    let score = score(&linted.findings, Tier::Structure);
    match linted.kind {
        TextKind::Empty | TextKind::Html => 0,
        TextKind::Text if !linted.titled => score.min(UNTITLED_MAX),
        TextKind::Text if linted.link_count == 0 => score.min(FLAWED_MAX),
        TextKind::Text => score,
    }
}

fn readiness_score(findings: &[Finding], chars: usize) -> u32 {
    let score = score(findings, Tier::Readiness);
    if chars > HARD_LIMIT_CHARS { score.min(FLAWED_MAX) } else { score }
}

fn status_of_text(linted: &Linted) -> Status {
    let sound = |finding: &Finding| finding.pass || finding.rule.tier == Tier::Readiness;
    if linted.kind != TextKind::Text || !linted.titled || linted.link_count == 0 {
        Status::Invalid
    } else if linted.findings.iter().all(sound) {
        Status::Valid
    } else {
        Status::Warnings
    }
}

/// Why there is no file, when its address did not answer 200.
fn without_file(observed: &Observed, site: &[Finding]) -> Option<Status> {
    match &observed.file {
        FileSeen::Unreachable(_) => Some(Status::Unreachable),
        FileSeen::Came { answer, .. } => match answer.status {
            404 | 410 => Some(Status::Missing),
            _ if failed(site, "no-bot-challenge") => Some(Status::Unreachable),
            200 => None,
            401 | 403 | 407 | 408 | 425 | 429 | 451 | 500.. => Some(Status::Unreachable),
            _ => Some(Status::Missing),
        },
    }
}

fn failed(site: &[Finding], id: &str) -> bool {
    site.iter().any(|finding| finding.rule.id == id && !finding.pass)
}

fn health(
    observed: &Observed,
    site: &[Finding],
    linted: Option<&Linted>,
    links: Option<&LinkStats>,
) -> Health {
    let Some(answer) = observed.served() else { return Health::Dead };
    let text = linted.is_some_and(|linted| linted.kind != TextKind::Html);
    if !text || observed.soft_404 == Some(true) {
        return Health::Dead;
    }
    let hindered = links.is_some_and(|links| !links.mostly_ok())
        || observed.left_its_host().is_some()
        || failed(site, "content-type-text")
        || failed(site, "no-bot-challenge")
        || answer.cut
        || answer.took > SLOW;
    if hindered { Health::Degraded } else { Health::Live }
}
