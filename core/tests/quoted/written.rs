//! Reads a file of our own making back, to hold it against the document that it was written from.

use wayfile_core::llms_txt::blocks::BlockKind;
use wayfile_core::llms_txt::document::{Document, INSTRUCTIONS_TITLE, Link, Passage, Section};
use wayfile_core::llms_txt::inline::{Destination, Name, Text, bold};
use wayfile_core::llms_txt::link::InlineLink;
use wayfile_core::llms_txt::parse::parse;

/// `None` without a title or a summary. What the model has no place for (prose inside sections, deeper headings, code) is left
/// out.
pub(crate) fn document(text: &str) -> Option<Document> {
    let parsed = parse(text);
    let mut info = Vec::new();
    let mut instructions = Vec::new();
    let mut in_instructions = false;
    for block in &parsed.preamble {
        if Some(block) == parsed.title.as_ref() || Some(block) == parsed.summary.as_ref() {
            continue;
        }
        if block.kind == BlockKind::Paragraph && bold(block.text) == Some(INSTRUCTIONS_TITLE) {
            in_instructions = true;
            continue;
        }
        let item = matches!(block.kind, BlockKind::Item { .. }) && block.source.starts_with("- ");
        let Some(text) = Text::read(if item { block.text } else { block.source }) else { continue };
        match (in_instructions, item) {
            (false, _) => info.push(text),
            (true, true) => instructions.push(Passage::Item(text)),
            (true, false) => instructions.push(Passage::Paragraph(text)),
        }
    }
    let sections = parsed.sections.iter().filter_map(|section| {
        let links = section.links().filter_map(|(_, link)| entry(&link)).collect();
        Some(Section { name: Name::read(section.heading.text)?, links })
    });
    Some(Document {
        title: Name::read(parsed.title?.text)?,
        summary: Text::read(parsed.summary?.text)?,
        info,
        instructions,
        sections: sections.collect(),
    })
}

fn entry(link: &InlineLink<'_>) -> Option<Link> {
    let notes = Text::read(link.notes().1);
    Some(Link { name: Name::read(link.name)?, url: Destination::clean(link.url)?, notes })
}
