//! What the checks look at: the file's blocks and links, gathered in one pass.

use memchr::{memchr, memchr_iter};

use super::instructions;
use super::mentions::Mentions;
use super::rule::MAX_OCCURRENCES;
use super::source::{Encoding, Source};
use super::target::{Target, Targets};
use crate::llms_txt::blocks::{Block, BlockKind};
use crate::llms_txt::code::code_spans;
use crate::llms_txt::link::{InlineLink, Separator, links};
use crate::llms_txt::parse::{Parsed, parse};
use crate::url::SiteUrl;

/// One file and what is known about where it lies.
pub(super) struct LintSubject<'a> {
    pub(super) text: &'a str,
    pub(super) encoding: Encoding,
    pub(super) bytes: usize,
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
    pub(super) mentions: Mentions,
}

/// A link and where it stands.
pub(super) struct FoundLink<'a> {
    pub(super) line: usize,
    pub(super) link: InlineLink<'a>,
    pub(super) target: Target<'a>,
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
        // Most blocks of a long file are entries.
        let blocks = parsed.sections.iter().map(|section| section.blocks.len()).sum();
        let mut links = LinkCollector { found: Vec::with_capacity(blocks), targets: Targets::default() };
        let mut instructs = false;
        for block in &parsed.preamble {
            instructs |= instructions::announced_by(block);
            links.gather(block);
        }
        let sections = parsed.sections.iter().map(|section| {
            let mut listed =
                Listed { instructs: instructions::announced_by(&section.heading), ..Listed::default() };
            instructs |= listed.instructs;
            links.gather(&section.heading);
            for block in &section.blocks {
                instructs |= instructions::announced_by(block);
                let before = links.found.len();
                links.gather(block);
                if matches!(block.kind, BlockKind::Item { .. }) {
                    let new = links.found.get(before..).unwrap_or_default();
                    listed.add(block, new);
                }
            }
            listed
        });
        let sections = sections.collect();
        let text: &str = &source.text;
        let chars = text.strip_prefix('\u{feff}').unwrap_or(text).chars().count();
        Self {
            text,
            encoding: source.encoding,
            bytes: source.bytes,
            chars,
            site,
            parsed,
            links: links.found,
            sections,
            instructs,
            mentions: Mentions::find(text),
        }
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

/// Links as they are gathered, block by block.
struct LinkCollector<'a> {
    found: Vec<FoundLink<'a>>,
    targets: Targets<'a>,
}

impl<'a> LinkCollector<'a> {
    fn gather(&mut self, block: &Block<'a>) {
        if is_code(block) {
            return;
        }
        // Most links stand before any code.
        let code = memchr(b'`', block.text.as_bytes()).unwrap_or(block.text.len());
        let mut spans = None;
        let (mut line, mut counted) = (block.line, 0);
        let mut first = matches!(block.kind, BlockKind::Item { .. });
        for link in links(block.text) {
            let at = link.before.len();
            if at > code {
                let spans = spans.get_or_insert_with(|| code_spans(block.text).into_iter().peekable());
                while spans.next_if(|span| span.end <= at).is_some() {}
                if spans.peek().is_some_and(|span| span.contains(&at)) {
                    continue;
                }
            }
            line += lines(block.text.get(counted..at).unwrap_or_default());
            counted = at;
            let entry = first && link.before.trim_matches(['*', '_', '`', ' ', '\t']).is_empty();
            first = false;
            let target = self.targets.read(link.url);
            self.found.push(FoundLink { line, link, target, notes: entry.then(|| link.notes()) });
        }
    }
}

fn lines(text: &str) -> usize {
    memchr_iter(b'\n', text.as_bytes()).count()
}
