//! Reads any `llms.txt`: tolerant, with line numbers, in one linear pass.

use crate::llms_txt::blocks::{Block, BlockKind, blocks};
use crate::llms_txt::link::{InlineLink, links};

/// What a file says and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// The file starts with a byte-order mark.
    pub bom: bool,
    /// The first H1.
    pub title: Option<Block<'a>>,
    /// The first quotation between the title and the first section.
    pub summary: Option<Block<'a>>,
    /// Everything before the first section, title and summary included.
    pub preamble: Vec<Block<'a>>,
    /// What stands under each H2, deeper headings included.
    pub sections: Vec<SectionBlocks<'a>>,
}

/// An H2 and what stands below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionBlocks<'a> {
    /// The H2 itself.
    pub heading: Block<'a>,
    /// Everything up to the next H2.
    pub blocks: Vec<Block<'a>>,
}

/// Reads a file. Anything is a file; bytes that are no UTF-8 are for the caller to replace.
pub fn parse(text: &str) -> Parsed<'_> {
    let body = text.strip_prefix('\u{feff}');
    let mut parsed = Parsed {
        bom: body.is_some(),
        title: None,
        summary: None,
        preamble: Vec::new(),
        sections: Vec::new(),
    };
    for block in blocks(body.unwrap_or(text)) {
        if let BlockKind::Heading { level: 2, .. } = block.kind {
            parsed.sections.push(SectionBlocks { heading: block, blocks: Vec::new() });
            continue;
        }
        let title = matches!(block.kind, BlockKind::Heading { level: 1, .. });
        if title && parsed.title.is_none() {
            parsed.title = Some(block);
        }
        if let Some(section) = parsed.sections.last_mut() {
            section.blocks.push(block);
        } else {
            if block.kind == BlockKind::Quote && parsed.title.is_some() && parsed.summary.is_none() {
                parsed.summary = Some(block);
            }
            parsed.preamble.push(block);
        }
    }
    parsed
}

impl<'a> Block<'a> {
    /// The link that an item is about: its first one.
    pub fn link(&self) -> Option<InlineLink<'a>> {
        matches!(self.kind, BlockKind::Item { .. }).then(|| links(self.text).next())?
    }
}

impl<'a> SectionBlocks<'a> {
    /// The links of its lists, with their lines.
    pub fn links(&self) -> impl Iterator<Item = (usize, InlineLink<'a>)> + '_ {
        self.blocks.iter().filter_map(|block| Some((block.line, block.link()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::written::document;
    use proptest::prelude::*;

    #[test]
    fn a_file_with_all_there_is() {
        let text = "\u{feff}Title\r\n=====\r\n\r\n> sum\r\n> mary\r\n\r\nprose\r\n\r\n## A\r\n\r\nsome prose\r\n\
                    * [x](y): z\r\n  - [n](m \"t\") - dash\r\n### Deep\r\n1. [o](p)\r\n```\r\n## no\r\n```\r\n## B\r\n";
        let parsed = parse(text);
        assert!(parsed.bom);
        assert_eq!(parsed.title.map(|t| (t.line, t.text)), Some((1, "Title")));
        assert_eq!(parsed.summary.map(|t| t.line), Some(4));
        let names: Vec<_> = parsed.sections.iter().map(|s| (s.heading.line, s.heading.text)).collect();
        assert_eq!(names, [(9, "A"), (19, "B")]);
        let links: Vec<_> =
            parsed.sections[0].links().map(|(line, l)| (line, l.name, l.url, l.notes().1)).collect();
        assert_eq!(links, [(12, "x", "y", "z"), (13, "n", "m", "dash"), (15, "o", "p", "")]);
    }

    #[test]
    fn a_quotation_inside_a_section_is_no_summary() {
        assert_eq!(parse("# T\n\n## S\n\n> q\n").summary, None);
        assert_eq!(parse("> q\n\n# T\n").summary, None);
    }

    proptest! {
        #[test]
        fn lint_survives_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let text = String::from_utf8_lossy(&bytes);
            let _ = document(&text);
        }
    }
}
