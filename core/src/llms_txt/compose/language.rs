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

/// So many pages whose text tells their language outvote all that declare theirs: a theme declares one for all.
const TELLING: usize = 2;

/// The primary subtag of the language that most pages are in: by their text, else by what they declare.
pub(super) fn language(pages: &[CrawledPage]) -> Option<String> {
    let asked = pages.len().min(PAGES);
    let (mut told, mut declared) = (Counts::from_iter([]), Counts::from_iter([]));
    for page in (0..asked).filter_map(|at| pages.get(at * pages.len() / asked)) {
        let written = written_in(page);
        if let Some(language) = written {
            told.add(language);
            // No other can have more.
            if told.of(language) * 2 > asked {
                return Some(language.to_owned());
            }
        }
        if let Some(language) = written.or(page.page.language.as_deref()) {
            declared.add(language);
        }
    }
    let told = told.most().filter(|&(_, pages)| pages >= TELLING.min(asked)).map(|(language, _)| language);
    told.or_else(|| Some(declared.most()?.0)).map(str::to_owned)
}

/// What the text of a page is written in, if it is long enough to tell.
fn written_in(page: &CrawledPage) -> Option<&'static str> {
    let markdown = &page.page.markdown;
    let sample = markdown.get(..markdown.floor_char_boundary(SAMPLE_BYTES)).unwrap_or_default();
    let prose = blocks(sample).into_iter().filter(|block| block.kind == BlockKind::Paragraph);
    let text: Vec<_> = prose.map(|block| plain(block.text)).collect();
    language_of(&text.join(" "))
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
        let mut silent = page("");
        silent.page.language = None;
        assert_eq!(language(&[silent.clone(), silent, page("Kiln")]).as_deref(), Some("en"));
        assert_eq!(language(&[]), None);
    }
}
