//! The outline of Markdown as a parser of Markdown reads it, to compare with what a page says.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// What a reader of Markdown finds.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// Level and text.
    pub(crate) headings: Vec<(u8, String)>,
    /// Text of fenced code.
    pub(crate) code: Vec<String>,
    /// Running text, markers gone, blocks joined by spaces.
    pub(crate) text: String,
    /// Where links lead.
    pub(crate) links: Vec<String>,
    /// Raw HTML, of which there must be none.
    pub(crate) html: Vec<String>,
}

pub(crate) fn of(markdown: &str) -> Outline {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let mut outline = Outline::default();
    let mut heading: Option<(u8, String)> = None;
    let mut code: Option<String> = None;
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => heading = Some((level as u8, String::new())),
            Event::End(TagEnd::Heading(_)) => {
                outline.text.push(' ');
                outline.headings.extend(heading.take());
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => code = Some(String::new()),
            Event::End(TagEnd::CodeBlock) => outline.code.extend(code.take()),
            Event::Start(Tag::Link { dest_url, .. }) => outline.links.push(dest_url.into_string()),
            Event::Html(html) | Event::InlineHtml(html) => outline.html.push(html.into_string()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(code) = &mut code {
                    code.push_str(&text);
                } else {
                    outline.text.push_str(&text);
                    if let Some((_, heading)) = &mut heading {
                        heading.push_str(&text);
                    }
                }
            }
            Event::SoftBreak
            | Event::HardBreak
            | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => outline.text.push(' '),
            _ => {}
        }
    }
    outline
}
