//! What the checks look at: the file's blocks and links, gathered in one pass.

use super::FULL_NAME;
use super::instructions;
use super::rule::{MAX_OCCURRENCES, Verdict};
use super::source::Source;
use super::target::Target;
use crate::llms_txt::blocks::{Block, BlockKind, line_breaks};
use crate::llms_txt::code::{code_spans, is_in};
use crate::llms_txt::link::{InlineLink, Separator, links};
use crate::llms_txt::parse::{Parsed, parse};
use crate::url::SiteUrl;

/// One file and what is known about where it lies.
pub(super) struct LintSubject<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) text: &'a str,
    /// Length of the text, in characters, without a byte-order mark.
    pub(super) chars: usize,
    /// The site it belongs to, in URL mode.
    pub(super) site: Option<&'a SiteUrl>,
    pub(super) parsed: Parsed<'a>,
    /// Every inline link outside code, in order.
    pub(super) links: Vec<FoundLink<'a>>,
    /// One for each H2.
    pub(super) sections: Vec<Listed<'a>>,
    /// A block instructs agents.
    pub(super) instructs: bool,
}

/// A link and where it stands.
pub(super) struct FoundLink<'a> {
    pub(super) line: usize,
    pub(super) link: InlineLink<'a>,
    pub(super) target: Target,
    /// An item of a list starts with it: what follows are its notes, and what sets them apart.
    pub(super) notes: Option<(Separator, &'a str)>,
}

/// What the lists of a section hold.
#[derive(Default)]
pub(super) struct Listed<'a> {
    pub(super) items: usize,
    /// Items that are `[name](url): notes`.
    pub(super) entries: usize,
    /// Links of its items.
    pub(super) links: usize,
    /// Items that are no entry, as many as are named.
    pub(super) others: Vec<(usize, &'a str)>,
    /// It speaks to agents: what it holds is no list of pages.
    pub(super) instructs: bool,
}

impl<'a> LintSubject<'a> {
    pub(super) fn read(source: &'a Source<'a>, site: Option<&'a SiteUrl>) -> Self {
        let parsed = parse(&source.text);
        let mut links = Vec::new();
        let mut instructs = false;
        for block in &parsed.preamble {
            instructs |= instructions::announced_by(block);
            gather(block, &mut links);
        }
        let sections = parsed.sections.iter().map(|section| {
            let mut listed =
                Listed { instructs: instructions::announced_by(&section.heading), ..Listed::default() };
            instructs |= listed.instructs;
            gather(&section.heading, &mut links);
            for block in &section.blocks {
                instructs |= instructions::announced_by(block);
                let before = links.len();
                gather(block, &mut links);
                if matches!(block.kind, BlockKind::Item { .. }) {
                    listed.add(block, links.get(before..).unwrap_or_default());
                }
            }
            listed
        });
        let sections = sections.collect();
        let text: &str = &source.text;
        let chars = text.strip_prefix('\u{feff}').unwrap_or(text).chars().count();
        Self { source, text, chars, site, parsed, links, sections, instructs }
    }

    /// Whether a link, or an address in the text, leads to an `llms-full.txt`.
    pub(super) fn links_full(&self) -> bool {
        self.links.iter().any(|found| found.target.path().rsplit('/').next() == Some(FULL_NAME))
            || self.text.contains(&format!("/{FULL_NAME}"))
    }

    /// Every block of the file in order.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block<'a>> {
        let sections = self.parsed.sections.iter().flat_map(|s| std::iter::once(&s.heading).chain(&s.blocks));
        self.parsed.preamble.iter().chain(sections)
    }

    /// Blocks that are not code.
    pub(super) fn prose(&self) -> impl Iterator<Item = &Block<'a>> {
        self.blocks().filter(|block| !is_code(block))
    }

    /// The headings of the whole file with their level.
    pub(super) fn headings(&self) -> impl Iterator<Item = (usize, &Block<'a>)> {
        self.blocks().filter_map(|block| match block.kind {
            BlockKind::Heading { level, .. } => Some((level, block)),
            _ => None,
        })
    }

    /// Passes when no link is `wrong`; without links there is nothing to check. `shown`: what is told of those that are.
    pub(super) fn no_link_is(
        &self,
        wrong: impl FnMut(&&FoundLink<'a>) -> bool,
        shown: impl Fn(&FoundLink<'a>) -> &'a str,
        what: &str,
    ) -> Verdict {
        if self.links.is_empty() {
            return Verdict::LeftOut;
        }
        Verdict::none(self.links.iter().filter(wrong).map(|found| (found.line, shown(found))), what)
    }

    /// Links that start an item, with their notes and what sets these apart.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&FoundLink<'a>, Separator, &'a str)> {
        self.links.iter().filter_map(|found| found.notes.map(|(separator, notes)| (found, separator, notes)))
    }
}

impl<'a> Listed<'a> {
    fn add(&mut self, block: &Block<'a>, links: &[FoundLink<'_>]) {
        self.items += 1;
        self.links += links.len();
        let notes = links.first().and_then(|first| first.notes);
        if notes.is_some_and(|(separator, _)| matches!(separator, Separator::None | Separator::Colon)) {
            self.entries += 1;
        } else if self.others.len() < MAX_OCCURRENCES {
            self.others.push((block.line, block.text));
        }
    }
}

pub(super) fn is_code(block: &Block<'_>) -> bool {
    matches!(block.kind, BlockKind::Fence { .. } | BlockKind::Code | BlockKind::FrontMatter)
}

/// Adds the links of a block, those in code left out; in a block of HTML nothing is Markdown (`CommonMark` 0.31, section 4.6).
fn gather<'a>(block: &Block<'a>, found: &mut Vec<FoundLink<'a>>) {
    if is_code(block) || block.kind == BlockKind::Html {
        return;
    }
    let code = code_spans(block.text);
    let (mut line, mut counted) = (block.line, 0);
    let mut first = matches!(block.kind, BlockKind::Item { .. });
    for link in links(block.text) {
        let at = link.before.len();
        if is_in(&code, at) {
            continue;
        }
        line += line_breaks(block.text.get(counted..at).unwrap_or_default());
        counted = at;
        let entry = first && link.before.trim_matches(['*', '_', '`', ' ', '\t']).is_empty();
        first = false;
        let notes = entry.then(|| link.notes());
        found.push(FoundLink { line, target: Target::read(link.url), notes, link });
    }
}
