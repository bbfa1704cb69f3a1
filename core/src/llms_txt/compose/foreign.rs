//! Markdown that a site wrote, inside a file that is ours: whatever it opens it must close, and its headings stay
//! below the heading of its page, by the rules of `CommonMark` and not by our tolerant ones.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// What readers of the file understand beside `CommonMark`.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES
}

/// A paragraph that no page has; it must still be one behind the page.
const END: &str = "wayfile-end-of-page";

/// Whether a page's part of the file is one section, leaves nothing open behind it and defines no links for other pages.
/// Linear in the text.
pub(super) fn is_contained(part: &str) -> bool {
    let text = format!("{part}\n\n{END}\n");
    let (mut depth, mut sections, mut ended) = (0_usize, 0_usize, false);
    let mut own_words = false;
    let parser = Parser::new_ext(&text, options());
    if parser.reference_definitions().iter().next().is_some() {
        return false;
    }
    for event in parser {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H1 | HeadingLevel::H2, .. }) => {
                sections += 1;
                depth += 1;
            }
            Event::Start(tag) => {
                own_words = depth == 0 && tag == Tag::Paragraph;
                depth += 1;
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                own_words &= end != TagEnd::Paragraph;
            }
            Event::Text(text) => ended = own_words && depth == 1 && *text == *END,
            Event::Html(html) | Event::InlineHtml(html) if opens_section(&html) => return false,
            _ => {}
        }
    }
    ended && sections <= 1
}

/// Whether a piece of HTML holds a heading of the two levels that the file keeps for itself.
fn opens_section(html: &str) -> bool {
    let lower = html.to_ascii_lowercase();
    ["<h1", "<h2"].iter().any(|tag| lower.contains(tag))
}

/// The page as code, word for word, where it cannot stand as it is.
pub(super) fn as_code(markdown: &str) -> String {
    let lines = markdown.replace("\r\n", "\n").replace('\r', "\n");
    let runs = lines.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    format!("{fence}markdown\n{}\n{fence}\n", lines.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_within_its_page_is_contained() {
        for part in [
            "## Kiln\n\nSource: https://kiln.dev/\n\n### Use\n\n```sh\n# fire\n```\n\n- a\n- b",
            "## Kiln\n\n<details>\n\ntext\n\n</details>",
            "## Kiln\n\n| a |\n| --- |\n| b |",
        ] {
            assert!(is_contained(part), "{part}");
        }
    }

    #[test]
    fn what_forges_a_section_or_swallows_the_next_page_is_not() {
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
            "```\nopen",
            "[forged]: http://evil.example/",
        ] {
            assert!(!is_contained(&format!("## Kiln\n\n{text}")), "{text}");
            assert!(is_contained(&format!("## Kiln\n\n{}", as_code(text))), "{text}");
        }
    }
}
