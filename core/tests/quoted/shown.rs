//! What a Markdown parser makes of a text.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// What readers switch on, each set by itself.
pub(crate) fn readers() -> [Options; 3] {
    let extended = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST;
    let old = Options::ENABLE_OLD_FOOTNOTES
        | Options::ENABLE_SUBSCRIPT
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    [Options::empty(), extended, extended | old]
}

/// A text as its elements, in a notation of our own: code in backticks, everything else by the parser's names.
pub(crate) fn shown(markdown: &str, options: Options) -> String {
    let mut out = Vec::new();
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::Link { dest_url, title, .. }) => out.push(format!("<a {dest_url}{title}>")),
            Event::Start(Tag::Heading { level, id: None, classes, attrs })
                if classes.is_empty() && attrs.is_empty() =>
            {
                out.push(format!("<{level}>"));
            }
            Event::Start(Tag::BlockQuote(None)) => out.push("<quote>".to_owned()),
            Event::Start(Tag::Paragraph) => out.push("<p>".to_owned()),
            Event::Start(Tag::List(None)) => out.push("<ul>".to_owned()),
            Event::Start(Tag::Item) => out.push("<li>".to_owned()),
            Event::Start(Tag::Strong) => out.push("<b>".to_owned()),
            Event::End(TagEnd::Link) => out.push("</a>".to_owned()),
            Event::End(TagEnd::Heading(level)) => out.push(format!("</{level}>\n")),
            Event::End(TagEnd::BlockQuote(None)) => out.push("</quote>\n".to_owned()),
            Event::End(TagEnd::Paragraph) => out.push("</p>\n".to_owned()),
            Event::End(TagEnd::List(false)) => out.push("</ul>\n".to_owned()),
            Event::End(TagEnd::Item) => out.push("</li>\n".to_owned()),
            Event::End(TagEnd::Strong) => out.push("</b>".to_owned()),
            Event::Text(text) => out.push(text.into_string()),
            Event::Code(code) => out.push(format!("`{code}`")),
            other => out.push(format!("{other:?}")),
        }
    }
    out.concat()
}
