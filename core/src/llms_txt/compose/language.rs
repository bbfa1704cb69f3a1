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

/// Signs of Chinese that are written so only where they were not simplified, and what took their place.
const TRADITIONAL: &str = "這們來國說時為對學會發過還開東車長門問間無與網頁";
const SIMPLIFIED: &str = "这们来国说时为对学会发过还开东车长门问间无与网页";

/// So many pages whose text tells their language outvote all that declare theirs: a theme declares one for all.
const TELLING: usize = 2;

/// The primary subtag of the language that most pages are in, of Chinese in traditional signs `zh-hant`: by their text, else by
/// what they declare.
pub(super) fn language(pages: &[CrawledPage]) -> Option<String> {
    let count = pages.len().min(PAGES);
    let asked: Vec<&CrawledPage> = (0..count).filter_map(|at| pages.get(at * pages.len() / count)).collect();
    let primary = most_common(&asked)?;
    let is_traditional = || {
        let count = |signs: &str| -> usize {
            let texts = asked.iter().map(|page| sample(page));
            texts.map(|text| text.chars().filter(|&sign| signs.contains(sign)).count()).sum()
        };
        count(TRADITIONAL) > count(SIMPLIFIED)
    };
    Some(if primary == "zh" && is_traditional() { "zh-hant".to_owned() } else { primary })
}

fn sample(page: &CrawledPage) -> &str {
    let markdown = &page.page.markdown;
    markdown.get(..markdown.floor_char_boundary(SAMPLE_BYTES)).unwrap_or_default()
}

fn most_common(asked: &[&CrawledPage]) -> Option<String> {
    let (mut told, mut declared) = (Counts::from_iter([]), Counts::from_iter([]));
    for page in asked {
        let written = written_in(page);
        if let Some(language) = written {
            told.add(language);
            // No other can have more.
            if told.of(language) * 2 > asked.len() {
                return Some(language.to_owned());
            }
        }
        if let Some(language) = written.or(page.page.language.as_deref()) {
            declared.add(language);
        }
    }
    let told =
        told.most().filter(|&(_, pages)| pages >= TELLING.min(asked.len())).map(|(language, _)| language);
    told.or_else(|| Some(declared.most()?.0)).map(str::to_owned)
}

/// What the text of a page is written in, if it is long enough to tell.
fn written_in(page: &CrawledPage) -> Option<&'static str> {
    let prose = blocks(sample(page)).into_iter().filter(|block| block.kind == BlockKind::Paragraph);
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
        let chinese = |text: &str| language(&[page(&text.repeat(4))]);
        let written = [
            chinese("窯在夜裡加熱，這時候們說話還來得及，過後門會開。"),
            chinese("窑在夜里加热，这时候们说话还来得及，过后门会开。"),
        ];
        assert_eq!(written, [Some("zh-hant".to_owned()), Some("zh".to_owned())]);
    }
}
