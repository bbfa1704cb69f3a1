//! Which addresses can be pages, of which class they are, and how early they are worth a fetch.
//!
//! An address is judged by what the sites of the world call their folders, in a few languages; where the words
//! fail, structure decides: how near to the home page it stands, in which menu, how often it is linked.

mod keys;
mod left_out;
mod words;

pub use left_out::LeftOut;

use crate::site::url::SiteUrl;
use crate::site::{locale, version};

/// What a page is for, the most useful first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Where the crawl starts.
    Home,
    /// Explains how to do something: guides, references, answers.
    Docs,
    /// What the site is about: products, features, prices.
    Main,
    /// What was new once: blogs, press, events.
    News,
    /// Can be skipped: change logs, legal texts, jobs, contributing.
    Optional,
}

/// Where the best link to a page stands, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Found {
    /// In a menu of the home page.
    HomeNavigation,
    /// In the text of the home page.
    HomeContent,
    /// In a menu of another page.
    Navigation,
    /// In the sitemap.
    Sitemap,
    /// In the text of another page.
    Content,
    /// In a footer or an aside.
    Margin,
}

/// What a score is made of.
#[derive(Debug, Clone, Copy)]
pub struct Signals {
    /// What the page is for.
    pub class: Class,
    /// Where its best link stands.
    pub found: Found,
    /// Segments of its path, without language and version.
    pub depth: u8,
    /// Clicks from the home page.
    pub hops: u8,
    /// Pages whose text links to it.
    pub in_links: u32,
    /// How many links stand before the best one that leads to it.
    pub position: u32,
}

impl Signals {
    /// How early the page is worth a fetch: the higher the earlier.
    #[must_use]
    pub fn score(&self) -> i32 {
        let class = match self.class {
            Class::Home => 20_000,
            Class::Docs => 4_000,
            Class::Main => 3_000,
            Class::News => 1_000,
            Class::Optional => 500,
        };
        // The menu of the home page outweighs every class, as it holds few links; its text outweighs one class but
        // not two: prices before the hundredth API page, that before the imprint.
        let found = match self.found {
            Found::HomeNavigation => 3_600,
            Found::HomeContent => 1_800,
            Found::Navigation => 500,
            Found::Sitemap => 250,
            Found::Content => 200,
            Found::Margin => 0,
        };
        // Logarithms keep the sections of a site abreast: the tenth page of each before the hundredth of one. What
        // other pages speak of matters more than where a list happens to have it, but outweighs no two classes, and the
        // pages of a generated reference, which all name each other, no guide.
        let popular = 150 * log2(self.in_links.min(1 << 8));
        let late = 40 * log2(self.position.saturating_add(1).min(1 << 12));
        class + found + popular
            - late
            - 60 * i32::from(self.depth.min(10))
            - 150 * i32::from(self.hops.min(8))
    }
}

fn log2(n: u32) -> i32 {
    i32::try_from(n.max(1).ilog2()).unwrap_or(0)
}

/// What the page at an address is for, or why it is left out. Linear in the address.
///
/// `named` tells that the site's own main navigation links to it: then a category is a page like any other.
///
/// # Errors
/// The reason why the address is no page of its own.
pub fn classify(url: &SiteUrl, named: bool) -> Result<Class, LeftOut> {
    let path = url.path().to_ascii_lowercase();
    let segments: Vec<&str> = content_segments(&path).collect();
    if let Some(query) = url.as_url().query() {
        refuse_query(query)?;
    }
    refuse_path(&path, &segments, named)?;
    Ok(class_of(&segments))
}

/// What a name in a menu or a heading says of the pages below it; `None` when it says nothing.
#[must_use]
pub fn classify_label(label: &str) -> Option<Class> {
    if label.len() > 60 {
        return None;
    }
    class_of_word(&slug(label))
}

/// What stands inside words.
const APOSTROPHES: [char; 2] = ['\'', '’'];

fn slug(label: &str) -> String {
    let lower = label.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric() && !APOSTROPHES.contains(&c));
    let mut slug = String::with_capacity(lower.len());
    for (at, word) in words.filter(|word| !word.is_empty()).enumerate() {
        if at > 0 {
            slug.push('-');
        }
        slug.extend(word.split(APOSTROPHES));
    }
    slug
}

/// Whether the name of a single page says that it can be skipped. Stricter than [`classify_label`]: a chapter
/// called "Updates" or "Cookies" explains them.
pub(crate) fn is_skippable_title(title: &str) -> bool {
    title.len() <= 60 && is_chronicle(&slug(title))
}

/// The segments of a path that say what a page is about: without language, version and index file.
pub(crate) fn content_segments(path: &str) -> impl Iterator<Item = &str> {
    let count = segments(path).count();
    segments(path).enumerate().filter_map(move |(at, segment)| {
        let last = at + 1 == count && !path.ends_with('/');
        let skipped = (at < 2 && locale::Tag::parse(segment).is_some() && !last)
            || version::Label::of_segment(segment, None, last).is_some()
            || (last && matches!(stem(segment), "index" | "default"));
        (!skipped).then_some(segment)
    })
}

/// The parts of a path between its slashes.
pub(crate) fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// A file name without the extension of a page.
pub(crate) fn stem(segment: &str) -> &str {
    match segment.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && has(keys::PAGE_EXTENSIONS, extension) => stem,
        _ => segment,
    }
}

fn has(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

/// A part of an index, a page of a source file or of a folder of sources.
fn is_generated(name: &str, parents: &[&str]) -> bool {
    let folder = name.strip_prefix("dir_").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()));
    // The dot of a file's name, as Doxygen spells it.
    let source = name.strip_suffix("_source").is_some_and(|file| file.contains("_8"));
    let listing = name.contains('.') && parents.iter().any(|folder| matches!(*folder, "src" | "source"));
    // The indexes of a Texinfo manual: `Concept-Index`, `Data-Type-Index`.
    let of = name.strip_suffix("-index").or_else(|| name.strip_suffix("-Index"));
    let index =
        of.is_some_and(|of| of.split('-').all(|word| has(words::INDEXED, &word.to_ascii_lowercase())));
    name.starts_with("genindex-") || folder || source || listing || index
}

fn is_docs(segment: &str) -> bool {
    has(words::DOCS, stem(segment))
}

fn refuse_path(path: &str, segments: &[&str], named: bool) -> Result<(), LeftOut> {
    let Some((&last, parents)) = segments.split_last() else { return Ok(()) };
    let name = stem(last);
    let in_docs = parents.iter().any(|s| is_docs(s));
    if !path.ends_with('/')
        && let Some((_, extension)) = last.rsplit_once('.')
    {
        match extension {
            "rss" | "atom" => return Err(LeftOut::Feed),
            "xml" if matches!(name, "feed.xml" | "rss.xml" | "atom.xml" | "index.xml") => {
                return Err(LeftOut::Feed);
            }
            _ if has(keys::FILE_EXTENSIONS, extension) => return Err(LeftOut::File),
            _ => {}
        }
    }
    if segments.iter().any(|s| has(words::INDEX, stem(s))) || is_generated(name, parents) {
        return Err(LeftOut::Index);
    }
    if has(words::PRINT, name) && !in_docs {
        return Err(LeftOut::Print);
    }
    if has(words::FEED, name) && !in_docs {
        return Err(LeftOut::Feed);
    }
    if let [.., page, number] = segments
        && matches!(*page, "page" | "seite" | "pagina")
        && is_number(number)
    {
        return Err(LeftOut::Pagination);
    }
    if in_docs {
        // Documentation may explain anything, signing in and carts included; only its generated tag lists go.
        let tags = parents.last().is_some_and(|p| *p == "tags") || (name == "tags" && parents.len() == 1);
        return if tags { Err(LeftOut::Tag) } else { Ok(()) };
    }
    let first = segments.first().map_or("", |s| stem(s));
    let shallow = segments.len() <= 2;
    let reason = if has(words::SIGN_IN, name) || has(words::ACCOUNT, first) {
        LeftOut::Account
    } else if has(words::CART, first) || (shallow && has(words::CART, name)) {
        LeftOut::Cart
    } else if has(words::SEARCH, first) {
        LeftOut::Search
    } else if parents.iter().any(|s| has(words::TAG, s)) || has(words::TAG, first) {
        LeftOut::Tag
    } else if !named
        && (parents.iter().any(|s| has(words::ARCHIVE, s))
            || has(words::ARCHIVE, first)
            || is_date_archive(segments))
    {
        LeftOut::Archive
    } else if has(words::ACTION, first) || has(words::ACTION, last) || is_wiki_namespace(last) {
        LeftOut::Action
    } else {
        return Ok(());
    };
    Err(reason)
}

fn refuse_query(query: &str) -> Result<(), LeftOut> {
    for pair in query.split('&') {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let key = key.to_ascii_lowercase();
        let key = key.as_str();
        let reason = if has(keys::SEARCH_KEYS, key) {
            LeftOut::Search
        } else if matches!(key, "print" | "printable") || value.eq_ignore_ascii_case("print") {
            LeftOut::Print
        } else if matches!(value, "rss" | "atom" | "rss2") || key == "feed" {
            LeftOut::Feed
        } else if has(keys::PAGE_KEYS, key) {
            LeftOut::Pagination
        } else if has(keys::ACTION_KEYS, key) {
            LeftOut::Action
        } else if has(keys::FILTER_KEYS, key) || key.contains('[') || key.contains("%5b") {
            LeftOut::Filter
        } else if matches!(key, "tag" | "tags") {
            LeftOut::Tag
        } else {
            continue;
        };
        return Err(reason);
    }
    Ok(())
}

fn is_number(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit())
}

/// `/2024/`, `/blog/2024/05/`: a list of what was written then.
fn is_date_archive(segments: &[&str]) -> bool {
    let numbers = segments.iter().rev().take_while(|s| is_number(s)).count();
    let Some(year) = segments.len().checked_sub(numbers).and_then(|at| segments.get(at)) else {
        return false;
    };
    (1..=3).contains(&numbers) && is_year(year)
}

/// Four digits from 1900 to 2099.
pub(crate) fn is_year(segment: &str) -> bool {
    segment.len() == 4 && is_number(segment) && (segment.starts_with("19") || segment.starts_with("20"))
}

/// `Special:RecentChanges`, `Talk:Home`: the work-shop of a wiki.
fn is_wiki_namespace(segment: &str) -> bool {
    segment.split_once(':').is_some_and(|(space, _)| {
        matches!(space, "special" | "spezial" | "talk" | "user" | "user_talk" | "file")
    })
}

fn class_of(segments: &[&str]) -> Class {
    // The first telling segment decides, but documentation has its chronicles: /docs/changelog is a change log,
    // /blog/guides a blog, /docs/cookies explains cookies.
    let mut telling = segments.iter().filter_map(|s| class_of_word(stem(s)));
    match telling.next() {
        Some(Class::Docs) if segments.iter().any(|s| is_chronicle(stem(s))) => Class::Optional,
        Some(class) => class,
        None => Class::Main,
    }
}

fn class_of_word(word: &str) -> Option<Class> {
    if has(words::DOCS, word) {
        Some(Class::Docs)
    } else if has(words::NEWS, word) {
        Some(Class::News)
    } else if has(words::OPTIONAL, word) || is_release(word) {
        Some(Class::Optional)
    } else {
        None
    }
}

fn is_chronicle(word: &str) -> bool {
    has(words::CHRONICLE, word) || is_release(word)
}

/// `release-15-2`, `changes_1.4`, `changelog-2023`.
fn is_release(word: &str) -> bool {
    word.split_once(['-', '_']).is_some_and(|(head, tail)| {
        matches!(head, "release" | "releases" | "changes" | "changelog" | "relnotes")
            && tail.bytes().next().is_some_and(|b| b.is_ascii_digit())
    })
}

/// A host or a path that says that the whole site is documentation.
pub(crate) fn is_documentation(seed: &SiteUrl) -> bool {
    let label = seed.host().split('.').next().unwrap_or_default();
    matches!(
        label,
        "docs" | "doc" | "developer" | "developers" | "help" | "learn" | "wiki" | "api" | "manual"
    ) || classify(seed, false) == Ok(Class::Docs)
}

/// A title that says that the whole site is documentation.
pub(crate) fn names_documentation(title: &str) -> bool {
    let title = title.to_lowercase();
    ["documentation", "docs", "manual", "reference", "handbook", "handbuch", "dokumentation"]
        .iter()
        .any(|word| title.split(|c: char| !c.is_alphanumeric()).any(|w| w == *word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(path: &str) -> Result<Class, LeftOut> {
        classify(&SiteUrl::parse(&format!("https://example.com{path}")).unwrap(), false)
    }

    #[test]
    fn the_class_follows_the_words_of_the_path() {
        for (path, class) in [
            ("/docs/intro", Class::Docs),
            ("/en/latest/guide/setup.html", Class::Docs),
            ("/dokumentation/erste-schritte", Class::Docs),
            ("/pricing", Class::Main),
            ("/", Class::Main),
            ("/blog/guides/how-we-scale", Class::News),
            ("/docs/changelog", Class::Optional),
            ("/docs/http/cookies", Class::Docs),
            ("/release-15-2.html", Class::Optional),
            ("/privacy-policy/", Class::Optional),
        ] {
            assert_eq!(judge(path), Ok(class), "{path}");
        }
    }

    #[test]
    fn what_is_no_page_of_its_own_is_left_out_with_its_reason() {
        for (path, reason) in [
            ("/login", LeftOut::Account),
            ("/user/login", LeftOut::Account),
            ("/de/warenkorb", LeftOut::Cart),
            ("/tag/rust", LeftOut::Tag),
            ("/blog/tags/rust/", LeftOut::Tag),
            ("/category/shoes", LeftOut::Archive),
            ("/2024/05/", LeftOut::Archive),
            ("/search.html", LeftOut::Search),
            ("/?s=term", LeftOut::Search),
            ("/a?print=1", LeftOut::Print),
            ("/blog/feed/", LeftOut::Feed),
            ("/blog/index.xml", LeftOut::Feed),
            ("/logo.PNG", LeftOut::File),
            ("/docs/manual.pdf", LeftOut::File),
            ("/blog/page/3/", LeftOut::Pagination),
            ("/list?page=2", LeftOut::Pagination),
            ("/list?sort=price", LeftOut::Filter),
            ("/w/index.php?title=A&action=edit", LeftOut::Action),
            ("/genindex.html", LeftOut::Index),
            ("/manual/Editor-Functions-Index.html", LeftOut::Index),
            ("/Kiln_8h_source.html", LeftOut::Index),
            ("/dir_c5b8aa1b6d8d74c5.html", LeftOut::Index),
            ("/src/kiln/fire.rs.html", LeftOut::Index),
            ("/api/class-use/Kiln.html", LeftOut::Index),
            ("/_modules/os.html", LeftOut::Index),
        ] {
            assert_eq!(judge(path), Err(reason), "{path}");
        }
    }

    #[test]
    fn documentation_may_be_about_what_is_left_out_elsewhere() {
        for path in [
            "/docs/login",
            "/docs/api/cart",
            "/topics/db/search.html",
            "/git-tag.html",
            "/open_source",
            "/dir_list.html",
            "/blog/2024/05/title",
        ] {
            assert!(judge(path).is_ok(), "{path}: {:?}", judge(path));
        }
    }

    #[test]
    fn a_category_that_the_menu_names_is_a_page() {
        let url = SiteUrl::parse("https://example.com/category/shoes").unwrap();
        assert_eq!(classify(&url, true), Ok(Class::Main));
    }

    #[test]
    fn labels_tell_the_class_of_a_group() {
        assert_eq!(classify_label("What’s New"), Some(Class::Optional));
        assert_eq!(classify_label("User Guide"), Some(Class::Docs));
        assert_eq!(classify_label("Blog"), Some(Class::News));
        assert_eq!(classify_label("The model layer"), None);
    }

    #[test]
    fn the_home_page_outweighs_one_class_but_not_two() {
        let deep = Signals {
            class: Class::Docs,
            found: Found::Content,
            depth: 2,
            hops: 2,
            in_links: 1,
            position: 0,
        };
        let prices = Signals { class: Class::Main, found: Found::HomeContent, hops: 1, ..deep };
        let imprint = Signals { class: Class::Optional, found: Found::HomeContent, hops: 1, ..deep };
        assert!(prices.score() > deep.score());
        assert!(imprint.score() < deep.score());
    }

    #[test]
    fn what_many_speak_of_comes_before_what_merely_follows() {
        let command = Signals {
            class: Class::Docs,
            found: Found::Content,
            depth: 1,
            hops: 2,
            in_links: 32,
            position: 90,
        };
        let next = Signals { found: Found::Navigation, hops: 3, in_links: 1, position: 1, ..command };
        assert!(command.score() > next.score());
        let unheard_of = Signals { in_links: 1, ..command };
        assert!(unheard_of.score() < next.score());
        let news = Signals { class: Class::News, in_links: 4_096, position: 0, ..command };
        assert!(news.score() < unheard_of.score());
    }
}
