//! The validator: every check as data and one pure function, and the scores made of them.
//!
//! - [`rule`]: what a check is; [`source`]: bytes to text; `subject`: what the checks of the text look at
//! - `structure`, `readiness`: the text's checks, pure; `instructions`: the block that speaks to agents
//! - [`served`]: the site's checks, on a record of what was observed
//! - [`report`]: scores, status and health

mod instructions;
mod readiness;
pub mod report;
pub mod rule;
pub mod served;
pub mod source;
mod structure;
mod subject;
mod target;

#[cfg(test)]
mod tests;

pub use instructions::is_title as is_instructions_title;
pub use readiness::HARD_LIMIT_CHARS;
pub use structure::MAX_BYTES;

use rule::{Check, Finding, Rule, Tier, Verdict};
use source::Source;
use subject::LintSubject;
use target::Target;

use crate::url::SiteUrl;

type TextRun = for<'f, 'a> fn(&'f LintSubject<'a>) -> Verdict;
type TextCheck = Check<TextRun>;

/// The file with the full text.
const FULL_NAME: &str = "llms-full.txt";

/// What the text of a file tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linted {
    /// Every check that applies, in the order of the catalogue.
    pub findings: Vec<Finding>,
    /// How far the file can be read at all.
    pub kind: TextKind,
    /// There is an H1.
    pub titled: bool,
    /// Where its links lead.
    targets: Vec<(usize, Target)>,
    /// A block instructs agents.
    pub instructs: bool,
    /// It links to an `llms-full.txt`.
    pub links_full: bool,
    /// Links of any kind.
    pub link_count: usize,
    /// Characters of the text.
    pub chars: usize,
}

impl Linted {
    /// Its links, in order; one address may stand twice. Relative ones are resolved against `base`, the file's own address,
    /// and left out without one.
    pub fn links(&self, base: Option<&SiteUrl>) -> Vec<Linked> {
        let linked = |(line, target): &(usize, Target)| Some(Linked { line: *line, url: target.page(base)? });
        self.targets.iter().filter_map(linked).collect()
    }
}

/// A link of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linked {
    /// Its line, counted from 1.
    pub line: usize,
    /// Where it leads.
    pub url: SiteUrl,
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// Blank.
    Empty,
    /// A page of the site.
    Html,
    /// Anything else.
    Text,
}

/// Checks a text; `site` is where it was read from, if it was.
pub fn lint(source: &Source<'_>, site: Option<&SiteUrl>) -> Linted {
    let file = LintSubject::read(source, site);
    let kind = kind(file.text);
    let mut findings = run(&structure::READABLE, &file);
    if kind == TextKind::Text {
        findings.extend(run(&structure::CHECKS, &file));
        findings.extend(run(&readiness::CHECKS, &file));
    }
    Linted {
        findings,
        kind,
        titled: file.parsed.title.is_some(),
        instructs: kind == TextKind::Text && file.instructs,
        links_full: file.links_full(),
        link_count: file.links.len(),
        chars: file.chars,
        targets: file.links.into_iter().map(|found| (found.line, found.target)).collect(),
    }
}

/// Checks the form of a text alone: the tier that [`rule::Tier::Structure`] names.
pub fn structure(source: &Source<'_>) -> Vec<Finding> {
    let findings = lint(source, None).findings;
    findings.into_iter().filter(|finding| finding.rule.tier == Tier::Structure).collect()
}

/// Every rule there is, in the order of the answer.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let text = structure::READABLE
        .iter()
        .chain(&structure::CHECKS)
        .chain(&readiness::CHECKS)
        .map(|check| &check.rule);
    text.chain(served::rules())
}

/// What a text is before it is looked at closely.
pub fn kind(text: &str) -> TextKind {
    if is_blank(text) {
        TextKind::Empty
    } else if structure::holds_html_page(text) {
        TextKind::Html
    } else {
        TextKind::Text
    }
}

/// Nothing but white space, a byte-order mark and what shows nothing.
fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || matches!(c, '\u{feff}' | '\0'))
}

fn run(checks: &'static [TextCheck], file: &LintSubject<'_>) -> Vec<Finding> {
    checks.iter().filter_map(|check| Finding::new(&check.rule, (check.run)(file))).collect()
}
