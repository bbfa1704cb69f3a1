//! Names: of the site, of its sections, and what the site says it is about.

use super::CrawledPage;
use crate::maps::Counts;
use crate::markdown::words;
use crate::page::Page;
use crate::percent;
use crate::separators::{is_wide, marks_in};

/// The longest name of a section, in characters.
const MAX_NAME: usize = 60;
/// The longest name of a site, in characters.
const MAX_SITE_NAME: usize = 80;
/// The fewest words that say what a site is about.
const MIN_SUMMARY_WORDS: usize = 4;
/// Letters that say as much where a script has no spaces.
const MIN_SUMMARY_SIGNS: usize = 12;
/// What home pages are called that say no name.
const FRONT_PAGES: [&str; 4] = ["home", "homepage", "index", "welcome"];
/// Words of a title that are looked at for the name of the site.
const TITLE_WORDS: usize = 12;

/// A path segment as a name: `getting-started` is "Getting started".
pub(crate) fn humanised(segment: &str) -> String {
    let text = percent::decoded(crate::site::rank::stem(segment));
    let words: Vec<_> = text.split(['-', '_', '+', ' ']).filter(|word| !word.is_empty()).collect();
    let words: String = words.join(" ").chars().filter(|c| !c.is_control()).collect();
    let room = words.char_indices().nth(MAX_NAME).map_or(words.len(), |(end, _)| end);
    let whole = words.get(..room).unwrap_or_default();
    // A name that is too long ends with a word.
    let is_whole = words.get(room..).is_none_or(|rest| rest.is_empty() || rest.starts_with(' '));
    let last = whole.rfind(' ').filter(|_| !is_whole).unwrap_or(room);
    let mut chars = whole.get(..last).unwrap_or_default().chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    let name: String = first.chain(chars).collect();
    if name.is_empty() { "Pages".to_owned() } else { name }
}

/// What the site is called: what its pages agree on and the home page says as well, else what the home page calls it or has
/// in its title or heading in common with other titles, else its host. The home page calls itself by its `brand`, too.
pub(super) fn site_name(home: Option<&Page>, brand: Option<&str>, pages: &[CrawledPage]) -> String {
    let host = pages.first().map_or("", |page| page.url.host());
    let is_name = |name: &str| {
        let letters = name.chars().any(char::is_alphanumeric);
        let is_front = [host].iter().chain(&FRONT_PAGES).any(|other| name.eq_ignore_ascii_case(other));
        letters && name.chars().nth(MAX_SITE_NAME).is_none() && !is_front
    };
    let said = pages.iter().filter_map(|p| p.page.site_name.as_deref());
    let votes: Counts<&str> = said.map(str::trim).filter(|name| is_name(name)).collect();
    let named: usize = votes.0.values().sum();
    // A site of several books has the name of none.
    let agreed =
        votes.most().filter(|(_, count)| count * 2 >= named && (count * 3 >= pages.len() || *count >= 20));
    let agreed = agreed.map(|(name, _)| name.to_owned());
    // What most pages are part of may be a part of the site.
    let on_home = |name: &String| {
        let Some(home) = home else { return true };
        let said = [&home.site_name, &home.title, &home.heading].into_iter().flatten();
        said.map(String::as_str).chain(brand).map(spaced).any(|text| text.contains(&spaced(name)))
    };
    let own = || home?.site_name.clone().filter(|name| is_name(name));
    let titled = || from_titles(home?, brand, pages).filter(|name| is_name(name));
    let by_home = agreed.clone().filter(on_home).or_else(own).or_else(titled);
    by_home.or(agreed).unwrap_or_else(|| host.to_owned())
}

/// Of the home page's title and heading the words in a row that most titles of other pages have, else the brand that one of
/// them has beside other words, as in "Welcome to Kiln", else the part of the title
/// that the heading repeats, else its first part.
fn from_titles(home: &Page, brand: Option<&str>, pages: &[CrawledPage]) -> Option<String> {
    let parts = |text: &str| {
        marks_in(text).fold(vec![text.to_owned()], |parts, mark| {
            parts.iter().flat_map(|part| part.split(mark)).map(str::to_owned).collect()
        })
    };
    let title: Vec<String> = home.title.iter().flat_map(|text| parts(text)).collect();
    let own: Vec<String> =
        title.iter().cloned().chain(home.heading.iter().flat_map(|text| parts(text))).collect();
    let titles = pages
        .iter()
        .filter_map(|page| page.page.title.as_deref())
        .filter(|title| home.title.as_deref() != Some(title));
    let titles: Vec<String> = titles.map(spaced).collect();
    let most = |run: &String| {
        let said = spaced(run);
        let shared = titles.iter().filter(|title| title.contains(&said)).count();
        shared * 2 > titles.len() && !said.trim().is_empty()
    };
    let shared = own.iter().flat_map(|part| runs(part)).filter(most).max_by_key(String::len);
    let heading = home.heading.as_deref().map(spaced).unwrap_or_default();
    let repeated = || title.iter().find(|part| heading.contains(&spaced(part))).cloned();
    let said = spaced(brand.unwrap_or_default());
    let is_inside = |part: &String| {
        let part = spaced(part);
        part != said && part.contains(&said)
    };
    // What the site's sign and a part of a title agree on is more than the words of it that most titles have.
    let is_whole = |brand: &&str| {
        title.iter().any(|part| spaced(part) == said)
            && titles.iter().any(|title| title.contains(&said))
            && brand.contains(char::is_alphanumeric)
    };
    let whole = brand.filter(is_whole).map(str::to_owned);
    let branded = || brand.filter(|_| own.iter().any(is_inside)).map(str::to_owned);
    whole.or(shared).or_else(branded).or_else(repeated).or_else(|| own.into_iter().next())
}

/// The words of a text in lower case, a space before and behind each.
fn spaced(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.fold(" ".to_owned(), |said, word| said + &word.to_lowercase() + " ")
}

/// All runs of words in a text; where it has capitals, those that begin with one.
fn runs(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().take(TITLE_WORDS).collect();
    let is_small = |word: &str| word.starts_with(char::is_lowercase) && text.contains(char::is_uppercase);
    let from = |start: usize| (start + 1..=words.len()).map(move |end| (start, end));
    let bounds: Vec<(usize, usize)> = (0..words.len()).flat_map(from).collect();
    let runs = bounds.into_iter().filter_map(|(start, end)| words.get(start..end));
    runs.filter(|run| run.first().is_some_and(|word| !is_small(word))).map(|run| run.join(" ")).collect()
}

/// What the author of the home page says of it, if that is a sentence.
pub(super) fn summary(home: &Page) -> Option<String> {
    let declared = home.description.as_deref()?;
    let text = words(declared, "");
    // Such scripts have no spaces between words.
    let is_long = text.chars().filter(|c| is_wide(*c)).nth(MIN_SUMMARY_SIGNS - 1).is_some();
    let is_sentence = is_long || spaced(&text).split_whitespace().nth(MIN_SUMMARY_WORDS - 1).is_some();
    let begins =
        !text.starts_with(char::is_lowercase) && !text.ends_with(':') && !declared.contains(['<', '@']);
    (is_sentence && begins).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::SiteUrl;

    #[test]
    fn segments_read_as_names() {
        assert_eq!(humanised("getting-started"), "Getting started");
        assert_eq!(humanised("api_reference.html"), "Api reference");
        assert_eq!(humanised("%C3%BCber-uns"), "Über uns");
        assert_eq!(humanised(&"kiln-".repeat(20)), format!("Kiln{}", " kiln".repeat(11)));
    }

    fn fetched(title: &str) -> CrawledPage {
        let url = SiteUrl::parse("https://docs.example.org/a").unwrap();
        CrawledPage {
            link: url.clone(),
            url,
            page: Page { title: Some(title.to_owned()), ..Page::default() },
        }
    }

    #[test]
    fn a_site_is_called_what_its_titles_share() {
        let pages = ["Firing - Kiln", "Kiln glazes", "About the kiln", "Wood"].map(fetched);
        let named = |title: &str, heading: &str| {
            let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            site_name(
                Some(&Page { title: said(title), heading: said(heading), ..Page::default() }),
                None,
                &pages,
            )
        };
        for title in ["Kiln Home Page", "Welcome to Kiln", "kiln(1)", "The best pots in the world | Kiln"] {
            assert_eq!(named(title, "").to_lowercase().trim_end_matches("(1)"), "kiln", "{title}");
        }
        assert_eq!(named("The best pots in the world | Acme Ovens", "Acme Ovens"), "Acme Ovens");
        assert_eq!(named("Acme Ovens – pots for all", ""), "Acme Ovens");
        assert_eq!(named("Acme Ovens", "Pots, cheap this week"), "Acme Ovens");
        assert_eq!(
            (named("", ""), named("Home", "Home")),
            ("docs.example.org".into(), "docs.example.org".into())
        );
    }

    #[test]
    fn the_home_page_says_the_name_in_its_menu_too() {
        let part = |title: &str| {
            let mut page = fetched(title);
            page.page.site_name = Some("Kiln News".to_owned());
            page
        };
        let parts = ["Heat", "Doors", "Ashes", "Flues"].map(part);
        let others = ["Heat", "Doors", "Ashes", "Flues"].map(fetched);
        let home = |title: &str| Page { title: Some(title.to_owned()), ..Page::default() };
        let named = |title: &str, brand, pages: &[CrawledPage]| site_name(Some(&home(title)), brand, pages);
        assert_eq!(named("The Kiln Makers' News", Some("Kiln News"), &parts), "Kiln News");
        assert_eq!(named("Willkommen bei Kiln & Co", Some("Kiln & Co"), &others), "Kiln & Co");
        assert_eq!(named("Start - Kiln & Co", Some("Start"), &others), "Start");
        // The sign of the site says more of its name than what most titles have.
        let titles = ["Kiln: heat", "Kiln doors", "Ashes of a kiln", "Contact - Kiln & Co"].map(fetched);
        assert_eq!(named("Kiln & Co | the kiln makers", Some("Kiln & Co"), &titles), "Kiln & Co");
    }

    #[test]
    fn what_most_pages_are_part_of_is_the_site_only_by_its_home_page() {
        let part = |title: &str| {
            let mut page = fetched(title);
            page.page.site_name = Some("Kiln API 4".to_owned());
            page
        };
        let pages = ["Heater", "Door", "Grate", "Flue"].map(part);
        let named = |title: &str| {
            site_name(Some(&Page { title: Some(title.to_owned()), ..Page::default() }), None, &pages)
        };
        assert_eq!((named("Kiln"), named("Kiln API 4 - start")), ("Kiln".into(), "Kiln API 4".into()));
    }

    #[test]
    fn a_name_or_what_announces_more_is_no_summary() {
        let told = "Kiln is a furnace for pots.";
        let home = |text: &str| Page {
            title: Some("Kiln".to_owned()),
            description: Some(text.to_owned()),
            ..Page::default()
        };
        assert_eq!(summary(&home(told)).as_deref(), Some(told));
        assert_eq!((summary(&home("Kiln")), summary(&home("Pots:"))), (None, None));
    }
}
