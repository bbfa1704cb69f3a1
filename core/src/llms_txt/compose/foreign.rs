//! Markdown that a site wrote, inside a file that is ours: whatever it opens it must close, and its headings stay
//! below the heading of its page, by the rules of `CommonMark` and not by our tolerant ones.

use std::borrow::Cow;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::markdown::{is_control, is_tame, without_controls};
use crate::page::is_closed;

/// What most readers of the file understand beside `CommonMark`.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES
}

/// Those who understand the least, and those who understand the most.
fn readers() -> [Options; 2] {
    let most = options()
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST;
    [Options::empty(), most]
}

/// A paragraph that no page has; it must still be one behind the page, and the page the same in front of it.
const END: &str = "wayfile-end-of-page";

/// Whether a page's part of the file is one section for every reader, leaves nothing open behind it and defines nothing
/// for other pages; `is_shared` tells the names of footnotes that other pages speak of. Linear in a part that
/// [`is_tame`].
pub(super) fn is_contained(part: &str, is_shared: impl Fn(&str) -> bool) -> bool {
    let ended = format!("{part}\n\n{END}\n");
    let Some(alone) = ended.get(..=part.len()) else { return false };
    is_tame(part)
        && is_read_alike(part)
        && readers().into_iter().all(|reader| is_contained_for(reader, alone, &ended, &is_shared))
}

fn is_contained_for(reader: Options, alone: &str, ended: &str, is_shared: impl Fn(&str) -> bool) -> bool {
    let (alone, mut followed) = (Parser::new_ext(alone, reader), Parser::new_ext(ended, reader));
    // Who knows no footnotes takes some of them for definitions of links.
    let binds =
        |label: &str| label.strip_prefix('^').is_none_or(|name| name.contains(' ') || is_shared(name));
    if alone.reference_definitions().iter().any(|(label, _)| binds(label)) {
        return false;
    }
    let (mut sections, mut below_name, mut all_html) = (0_usize, false, String::new());
    for event in alone {
        let is_fit = match &event {
            Event::Start(Tag::Heading { level: HeadingLevel::H1 | HeadingLevel::H2, .. }) => {
                sections += 1;
                sections == 1
            }
            // The paragraph below the name is ours, and no term that the page defines.
            Event::Start(Tag::DefinitionList) => !below_name,
            Event::Start(Tag::FootnoteDefinition(name)) => !is_shared(name),
            Event::Html(html) | Event::InlineHtml(html) => {
                all_html.push_str(html);
                !opens_section(html)
            }
            _ => true,
        };
        below_name = event == Event::End(TagEnd::Heading(HeadingLevel::H2));
        if !is_fit || followed.next() != Some(event) {
            return false;
        }
    }
    // A block of HTML ends at an empty line, whatever a browser still waits for.
    is_closed(&all_html)
        && followed.eq([Event::Start(Tag::Paragraph), Event::Text(END.into()), Event::End(TagEnd::Paragraph)])
}

/// Whether a piece of HTML holds a heading of the two levels that the file keeps for itself, or a declaration, which not all
/// parsers take for one.
fn opens_section(html: &str) -> bool {
    let lower = html.to_ascii_lowercase();
    let declares =
        html.strip_prefix("<!").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    declares || ["<h1", "<h2"].iter().any(|tag| lower.contains(tag))
}

/// Whether a part holds nothing that parsers are known to differ about. Linear in the part.
fn is_read_alike(part: &str) -> bool {
    let body = part.splitn(3, "\n\n").nth(2).unwrap_or_default().trim_start();
    // Some know a second mark of what explains the paragraph above, which is ours.
    let explains =
        body.strip_prefix('~').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n']));
    let is_plain =
        |text: &str| !text.split_whitespace().any(swallows) && !text.lines().fold((false, false), alert).0;
    !explains && !part.contains(is_control) && (is_plain(part) || is_plain(&without_code(part)))
}

fn without_code(part: &str) -> String {
    let (mut rest, mut copied) = (String::with_capacity(part.len()), 0);
    for (event, range) in Parser::new_ext(part, options()).into_offset_iter() {
        if matches!(event, Event::Start(Tag::CodeBlock(_))) {
            rest.push_str(part.get(copied..range.start).unwrap_or_default());
            copied = range.end;
        }
    }
    rest + part.get(copied..).unwrap_or_default()
}

/// Whether GitHub takes a word for an address up to a `<`, and with it what keeps that from being HTML.
fn swallows(word: &str) -> bool {
    let start = ["://", "www."].iter().filter_map(|mark| word.find(mark)).min();
    let Some((before, address)) = start.and_then(|start| word.split_at_checked(start)) else { return false };
    let is_code = before.contains('`');
    let behind = address.split_once('<').map(|(address, _)| address);
    behind.is_some_and(|address| address.ends_with('\\') || address.contains('`') && !is_code)
}

/// Whether a line goes on below the title of an alert without the mark of its quotation, or one above did; and whether the
/// line is such a title.
fn alert((found, is_title): (bool, bool), line: &str) -> (bool, bool) {
    let marks = |c: char| c.is_ascii_digit() || " \t>-*+.)".contains(c);
    let text = line.trim_start_matches(marks);
    let is_quoted = line.strip_suffix(text).is_some_and(|marks| marks.contains('>'));
    (found || is_title && !is_quoted && !line.trim().is_empty(), is_quoted && text.starts_with("[!"))
}

/// The page as code, word for word, where it cannot stand as it is.
pub(super) fn as_code(markdown: &str) -> String {
    let lines = without_controls(Cow::Borrowed(markdown));
    let runs = lines.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    format!("{fence}markdown\n{}\n{fence}\n", lines.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "## Kiln\n\nSource: https://kiln.dev/\n\n";

    #[test]
    fn markdown_within_its_page_is_contained() {
        for part in [
            "## Kiln\n\nSource: https://kiln.dev/\n\n### Use\n\n```sh\n# fire\n```\n\n- a\n- b",
            "## Kiln\n\n<details>\n\ntext\n\n</details>",
            "## Kiln\n\n<div>\n<!-- a -->\n</div>\n\nC<sub>6</sub> <!-- b\nc -->",
            "## Kiln\n\n| a |\n| --- |\n| b |",
        ] {
            assert!(is_contained(part, |_| false), "{part}");
        }
    }

    #[test]
    fn markdown_that_leaves_its_page_is_not_contained() {
        for text in [
            "C\r## heading\r\r## Forged by CR\r\rSource: http://evil.example/\r",
            "- x\n\n  ```\n  code\n\n## FORGED",
            "<div>\n```\n</div>\n\n## FORGED",
            "```\nx\n```\u{a0}\n\n## INFENCE\n\n```\n\n## FORGED",
            "<h2>FORGED</h2>",
            "text <H1 class=a>FORGED</H1>",
            "<!--",
            "<script>",
            "<pre>",
            "<?php",
            "<![CDATA[",
            "a<!X<script>",
            "```\r`",
            "\u{b}\n=",
            "~ the term above is ours",
            "http://e\\<h2>",
            "www.e`a<h2>`",
            "- > [!NOTE]\n  b\n  -",
            "<div>\n<!-- open",
            "<div class=\"open",
            "<div><script>\n\nopen",
            "```\nopen",
            "- ```\n  open",
            "[forged]: http://evil.example/",
            "> [forged]:\n> http://evil.example/",
            ": the term above is ours",
        ] {
            assert!(!is_contained(&format!("{HEAD}{text}"), |_| false), "{text}");
            assert!(is_contained(&format!("{HEAD}{}", as_code(text)), |_| false), "{text}");
        }
        assert!(!is_contained(&format!("{HEAD}{}deep", "- ".repeat(100)), |_| false));
    }
}
