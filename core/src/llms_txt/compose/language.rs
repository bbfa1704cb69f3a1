//! The language that most of a site's pages are written in.

use crate::llms_txt::blocks::{BlockKind, blocks};
use crate::llms_txt::describe::language_of;
use crate::llms_txt::plain::plain;
use crate::maps::Counts;
use crate::site::outline::CrawledPage;

/// How many pages are asked, spread evenly over the site.
const PAGES: usize = 12;
/// How much of their text is looked at, in bytes of Markdown each.
const SAMPLE_BYTES: usize = 1 << 10;

/// The primary subtag of the language that most pages are in: by their text, else by what they declare.
pub(super) fn language(pages: &[CrawledPage]) -> Option<String> {
    let asked = pages.len().min(PAGES);
    let mut counts: Counts<String> = Counts::from_iter([]);
    for page in (0..asked).filter_map(|at| pages.get(at * pages.len() / asked)) {
        let Some(language) = language_of_page(page) else { continue };
        counts.add(language.clone());
        // No other can have more.
        if counts.of(&language) * 2 > asked {
            return Some(language);
        }
    }
    counts.most().map(|(language, _)| language)
}

fn language_of_page(page: &CrawledPage) -> Option<String> {
    let markdown = &page.page.markdown;
    let sample = markdown.get(..markdown.floor_char_boundary(SAMPLE_BYTES)).unwrap_or_default();
    let prose = blocks(sample).into_iter().filter(|block| block.kind == BlockKind::Paragraph);
    let text: Vec<_> = prose.map(|block| plain(block.text)).collect();
    language_of(&text.join(" ")).map(str::to_owned).or_else(|| page.page.language.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;
    use crate::url::SiteUrl;

    #[test]
    fn the_text_of_most_pages_decides() {
        let url = SiteUrl::parse("https://docs.example.org/").unwrap();
        let page = |markdown: &str| {
            let page =
                Page { markdown: markdown.to_owned(), language: Some("en".to_owned()), ..Page::default() };
            CrawledPage { link: url.clone(), url: url.clone(), page }
        };
        let german = "Der Brennofen wird über Nacht geheizt und am nächsten Tag langsam wieder abgekühlt. \
                      [Er](https://docs.example.org/the-kiln-of-the-house) ist aus Ton gebaut.";
        let pages = [page(german), page("Kiln"), page(german)];
        assert_eq!(language(&pages).as_deref(), Some("de"));
        assert_eq!(language(&pages[1..2]).as_deref(), Some("en"));
        assert_eq!(language(&[]), None);
    }
}
