//! Anything at all as a page: no panic, no lost code, Markdown that reads as what was written.

use proptest::prelude::*;
use wayfile_core::page::{PageSource, read, read_html};
use wayfile_core::url::SiteUrl;
use wayfile_core::work::Work;

use super::outline;
use super::support::{PAGES, markdown, page};

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Cuts a fixture, doubles a part of it or writes into it, at places that need not make sense.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let piece = proptest::sample::select(vec![
        "<", ">", "\"", "'", "</", "<!--", "-->", "&", "<p>", "</div>", "<table>", "</td>", "<pre>",
        "</pre>", "`", "<li>", "</ul>", "<b>", "<script>", "</a>", "\0", "\u{fffd}", "\n\n", "|", "<svg>",
        "<math>", "```", "    ",
    ]);
    (0..PAGES.len(), proptest::collection::vec((0.0..1.0_f64, 0..3_u8, piece), 1..12)).prop_map(
        |(at, changes)| {
            let mut html = PAGES[at].1.as_bytes().to_vec();
            for (place, kind, piece) in changes {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    clippy::cast_precision_loss,
                    reason = "a place in a short page"
                )]
                let place = (place * html.len() as f64) as usize;
                match kind {
                    0 => drop(html.drain(place..(place + 40).min(html.len()))),
                    1 => {
                        let part = html[place..(place + 200).min(html.len())].to_vec();
                        html.splice(place..place, part);
                    }
                    _ => drop(html.splice(place..place, piece.bytes())),
                }
            }
            html
        },
    )
}

#[test]
fn fixtures_read_back_as_they_were_written() {
    for (name, html) in PAGES {
        let page = page(html);
        let outline = outline::of(&page.markdown);
        assert!(outline.html.is_empty(), "{name}: {:?}", outline.html);
        assert!(!outline.headings.is_empty(), "{name}");
        let lines = page.markdown.lines().filter(|line| line.trim_start().starts_with("```")).count();
        assert_eq!(lines % 2, 0, "{name}: a fence is open");
        assert_eq!(outline.code.len(), lines / 2, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_can_be_read(body in proptest::collection::vec(any::<u8>(), 0..600)) {
        let url = SiteUrl::parse("https://site.example/").unwrap();
        let source = PageSource { url: &url, content_type: None, x_robots_tag: None, body: &body };
        let _ = read(&source, &Work::unbounded());
        let _ = outline::of(&read_html(&source, &Work::unbounded()).unwrap().markdown);
    }

    #[test]
    fn broken_pages_can_be_read(body in mutated().prop_map(|body| String::from_utf8_lossy(&body).into_owned())) {
        let url = SiteUrl::parse("https://site.example/").unwrap();
        let page = read_html(&PageSource { url: &url, content_type: None, x_robots_tag: None, body: body.as_bytes() }, &Work::unbounded()).unwrap();
        let outline = outline::of(&page.markdown);
        prop_assert!(outline.html.is_empty(), "raw HTML {:?} in\n{}", outline.html, page.markdown);
    }

    /// Escapes: what a parser of Markdown reads is what the page said.
    #[test]
    fn text_stays_text(text in "[ab1.)(*_`~<>&;#|\\\\!\\[\\]:=+$-]{1,12}( [ab1.)(*_`~<>&;#|\\\\!\\[\\]:=+$-]{1,8}){0,3}") {
        let written = markdown(&format!("<p>{}</p>", escaped(&text)));
        let read = outline::of(&written);
        prop_assert_eq!(squeezed(&read.text), squeezed(&text), "{}", written);
        prop_assert!(read.html.is_empty() && read.headings.is_empty() && read.code.is_empty(), "{}", written);
    }

    #[test]
    fn headings_stay_headings(level in 1..=6_u8, text in "[ab1.)(*_`~<>&;#\\\\!\\[\\]-]{0,8}[a-z][ab1*_`~<>&;#\\\\-]{0,8}( #{1,2})?") {
        let written = markdown(&format!("<h{level}>{}</h{level}><p>text", escaped(&text)));
        let read = outline::of(&written);
        prop_assert_eq!(read.headings.len(), 1, "{}", written);
        prop_assert_eq!(read.headings[0].0, level);
        prop_assert_eq!(squeezed(&read.headings[0].1), squeezed(&text), "{}", written);
    }

    #[test]
    fn code_stays_code(
        code in "[a-z`<>&\\\\|*~ \t\n#-]{0,60}[a-z;]",
        around in proptest::sample::select(vec![
            ("", ""), ("<ul><li>a", "</ul>"), ("<ol><li><p>a</p>", "<li>b</ol>"), ("<blockquote>", "</blockquote>"),
            ("<div class='admonition note'><p class=admonition-title>T</p>", "</div>"), ("<dl><dt>a<dd>", "</dl>"),
            ("<table><tr><td>", "</table>"), ("<ul><li><ul><li>", "</ul></ul>"), ("<b>", "</b>"), ("<a href=x>", "</a>"),
        ]),
    ) {
        let code = code.trim_start_matches(['\n', ' ', '\t']);
        let html = format!("<p>text</p>{}<pre>{}</pre>{}<p>text</p>", around.0, escaped(code), around.1);
        let written = markdown(&html);
        let read = outline::of(&written);
        let found = read.code.iter().map(|block| block.strip_suffix('\n').unwrap_or(block)).any(|block| block == code);
        prop_assert!(found || around.0.contains("<table"), "{:?} not in {:?} of\n{}", code, read.code, written);
        prop_assert!(squeezed(&written).contains(&squeezed(code)) || code.contains('|'), "{}", written);
    }

    #[test]
    fn code_spans_stay_code(code in "[a-z`<>&\\\\|*_~ \\[\\]-]{0,20}") {
        let written = markdown(&format!("<p>text <code>{}</code> text</p>", escaped(&code)));
        let read = outline::of(&written);
        prop_assert_eq!(squeezed(&read.text), format!("text{}text", squeezed(&code)), "{}", written);
    }
}
