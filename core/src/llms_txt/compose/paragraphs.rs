//! The paragraphs of a page that may describe it, one after the other.

use super::lead::Origin;
use super::prose::{normal, plain, without_number};
use super::topics::is_dull;
use crate::llms_txt::blocks::{Block, Kind};
use crate::llms_txt::link::links;

/// How many paragraphs of each origin are considered.
const PARAGRAPHS: i32 = 5;

/// A paragraph that reads as prose.
pub(super) struct Paragraph<'a> {
    pub(super) origin: Origin,
    pub(super) markdown: &'a str,
    /// The same in plain text.
    pub(super) text: String,
}

/// The first paragraphs of a page that read as prose; none is looked at before it is asked for.
pub(super) struct Paragraphs<'a> {
    blocks: std::slice::Iter<'a, Block<'a>>,
    /// How many there were of each origin.
    opening: i32,
    body: i32,
    asides: i32,
    below_heading: bool,
}

impl<'a> Paragraphs<'a> {
    pub(super) fn of(blocks: &'a [Block<'a>]) -> Self {
        Self { blocks: blocks.iter(), opening: 0, body: 0, asides: 0, below_heading: false }
    }

    /// Those before the first sub-heading of the page called `title`.
    pub(super) fn opening(&mut self, title: &str) -> Vec<Paragraph<'a>> {
        let mut found = Vec::new();
        while !self.below_heading
            && let Some(block) = self.blocks.next()
        {
            match block.kind {
                Kind::Heading { .. } => {
                    let said = normal(without_number(&plain(block.text)));
                    // The title stands above everything; a name that repeats it too.
                    self.below_heading =
                        !is_dull(&said) && said != title && (self.opening > 0 || !title.contains(&said));
                }
                _ => found.extend(self.read(block)),
            }
        }
        found
    }

    /// Those that are left.
    pub(super) fn rest(mut self) -> Vec<Paragraph<'a>> {
        let mut found = Vec::new();
        while self.body < PARAGRAPHS
            && let Some(block) = self.blocks.next()
        {
            found.extend(self.read(block));
        }
        found
    }

    fn read(&mut self, block: &'a Block<'a>) -> Option<Paragraph<'a>> {
        if !is_own_paragraph(block) {
            return None;
        }
        // Only an aside could still be of use, and none is without a colon.
        let enough = !self.below_heading && self.opening >= PARAGRAPHS;
        if enough && (self.asides >= PARAGRAPHS || !block.text.contains(':')) {
            return None;
        }
        let text = plain(block.text);
        let (count, origin): (_, fn(i32) -> Origin) =
            match (reads_as_prose(block.text, &text)?, self.below_heading) {
                (true, _) => (&mut self.asides, |_| Origin::Aside),
                (false, true) => (&mut self.body, Origin::Body),
                (false, false) => (&mut self.opening, Origin::Opening),
            };
        *count += 1;
        let before = *count - 1;
        (before < PARAGRAPHS).then(|| Paragraph { origin: origin(before), markdown: block.text, text })
    }
}

/// A paragraph of the page; what is indented belongs to an item of a list.
pub(super) fn is_own_paragraph(block: &Block<'_>) -> bool {
    block.kind == Kind::Paragraph && !block.source.starts_with([' ', '\t'])
}

/// Whether a paragraph is an aside, if it reads as prose: no label, no breadcrumb, no list of links.
pub(super) fn reads_as_prose(markdown: &str, text: &str) -> Option<bool> {
    let chars = text.chars().count();
    let ended = text.ends_with(['.', '!', '?', ':', ')', '\u{2026}', '。', '！', '？']);
    let named = [" - ", " \u{2013} ", " \u{2014} "].iter().any(|dash| text.contains(dash));
    // Three words that end like a sentence are one; without the stop they are a label.
    let words = if text.ends_with('.') { 3 } else { 4 };
    let spaced = text.split(' ').nth(words - 1).is_some() || text.chars().any(|c| c > '\u{2e80}');
    if !spaced || !(ended || named || chars >= 80) {
        return None;
    }
    let label =
        text.split_once(':').map(|(label, _)| label).filter(|label| label.split(' ').nth(5).is_none());
    let aside = label.is_some_and(|label| {
        let said = normal(label);
        ADMONITIONS.split('|').any(|entry| entry == said)
            || label.contains(" in version")
            || label.contains(" since version")
    }) || has_run_in_heading(markdown);
    let labelled = label.is_some_and(|label| label.split(' ').nth(3).is_none()) && (!ended || chars < 60);
    let breadcrumb = !ended && [" > ", " \u{bb} ", " | ", " / "].iter().any(|mark| text.contains(mark));
    let linked: usize = links(markdown).map(|link| link.name.chars().count()).sum();
    (!breadcrumb && (aside || !labelled) && linked * 10 <= chars * 6).then_some(aside)
}

/// Whether a paragraph opens with a heading of its own: `**Undoing it:** use`.
fn has_run_in_heading(markdown: &str) -> bool {
    let bold = markdown.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    bold.is_some_and(|(heading, rest)| heading.ends_with([':', '.']) || rest.starts_with(':'))
}

/// Labels of paragraphs that are asides.
const ADMONITIONS: &str = "note|notes|warning|tip|caution|important|danger|info|hint|attention|see also|deprecated|\
                           source code|last updated";
