//! Which addresses can be pages, of which class they are, and how early they are worth a fetch.
//!
//! An address is judged by the names that sites give to what is no content, in a few languages.

mod left_out;
mod posts;
mod words;

pub use left_out::LeftOut;
pub(crate) use posts::{day_of, is_post};

use crate::digits::is_number;
use crate::site::version::is_year;
use crate::site::{locale, version};
use crate::url::{SiteUrl, above, is_index_file, segments};

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

/// What the page at an address is for. Linear in the address.
pub fn classify(url: &SiteUrl) -> Class {
    let path = url.path().to_ascii_lowercase();
    class_of(&content_segments(&path).collect::<Vec<_>>())
}

/// Why the address is no page of its own, if it is none. Linear in the address.
///
/// `base` is the folder that the site begins in ([`crate::site::scope::Scope::folder`]): what is no content is called so right
/// below it. `named` tells that the site's own main navigation links to it: then a category is a page like any other.
pub fn refuse(url: &SiteUrl, base: &str, named: bool) -> Option<LeftOut> {
    let path = url.path().to_ascii_lowercase();
    let segments: Vec<&str> = content_segments(&path).collect();
    // A copy of a site has the query in the names of its files.
    let query = url.as_url().query().or_else(|| path.split_once("%3f").map(|(_, query)| query));
    let by_query = || query.and_then(refuse_query);
    // A host of documentation explains what other hosts do.
    let explains = url.host().split('.').next().is_some_and(|label| has(words::DOCS_HOSTS, label));
    by_query().or_else(|| refuse_path(&path, &segments, base_segments(base, &path), (named, explains)))
}

/// How many segments of a path are those of the folder that its site begins in. A folder of documentation explains what
/// other folders do, and is none such.
fn base_segments(base: &str, path: &str) -> usize {
    if base.len() < 2 {
        return 0;
    }
    let base = base.to_ascii_lowercase();
    let of_docs = content_segments(&base).any(|folder| has(words::DOCS, folder));
    if of_docs || !path.starts_with(&base) { 0 } else { content_segments(&base).count() }
}

/// The segments of a path that say what a page is about: without language, version and index file.
pub(crate) fn content_segments(path: &str) -> impl Iterator<Item = &str> {
    let count = segments(path).count();
    segments(path).enumerate().filter_map(move |(at, segment)| {
        let last = at + 1 == count && !path.ends_with('/');
        let skipped = (at < 2 && locale::Tag::parse(segment).is_some() && !last)
            || version::VersionLabel::of_segment(segment, None, last).is_some()
            || (last && is_index(segment));
        (!skipped).then_some(segment)
    })
}

/// Whether a folder holds the numbered pages of a list: `/news/page/2`.
pub(crate) fn is_page_folder(segment: &str) -> bool {
    has(words::PAGE, segment)
}

/// A file name without the extension of a page.
pub(crate) fn stem(segment: &str) -> &str {
    match segment.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && has(words::PAGE_EXTENSIONS, extension) => stem,
        _ => segment,
    }
}

/// Whether a file stands for its folder: `index.html`, `Default.aspx`, `index`, or as Javadoc calls such files.
pub(crate) fn is_index(file: &str) -> bool {
    has(words::FRONT, stem(file)) || is_index_file(file)
}

/// The folder that a page stands in front of: `/shoes` for `/shoes/`, `/shoes/index.html` and `/shoes.html`.
pub(crate) fn front(path: &str) -> &str {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let name = stem(file);
    if name.is_empty() || is_index(file) {
        return folder;
    }
    path.get(..path.len() - (file.len() - name.len())).unwrap_or(path)
}

/// The folder that holds a page, or the folder that the page stands in front of.
pub(crate) fn holder(path: &str) -> &str {
    above(front(path))
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
    // All that a type has and inherits, as Doxygen lists it beside the type's own page.
    let is_type =
        |of: &str| ["class", "struct", "interface", "union"].iter().any(|kind| of.starts_with(kind));
    let members = name.strip_suffix("-members").is_some_and(is_type);
    name.starts_with("genindex-") || folder || source || listing || members
}

fn refuse_path(
    path: &str,
    segments: &[&str],
    base: usize,
    (named, explains): (bool, bool),
) -> Option<LeftOut> {
    let (&last, parents) = segments.split_last()?;
    let inner = segments.get(base..).unwrap_or_default();
    let explains = explains || parents.iter().any(|folder| has(words::REFERENCE, folder));
    let in_docs = parents.iter().any(|folder| has(words::DOCS, folder));
    let in_news = parents.last().is_some_and(|folder| has(words::NEWS, folder));
    let name = stem(last);
    if !path.ends_with('/')
        && let Some((_, extension)) = last.rsplit_once('.')
    {
        match extension {
            "rss" | "atom" => return Some(LeftOut::Feed),
            "xml" if matches!(name, "feed.xml" | "rss.xml" | "atom.xml" | "index.xml") => {
                return Some(LeftOut::Feed);
            }
            _ if has(words::FILE_EXTENSIONS, extension) => return Some(LeftOut::File),
            _ => {}
        }
    }
    if let [.., page, number] = segments
        && is_page_folder(page)
        && is_number(number)
    {
        return Some(LeftOut::Pagination);
    }
    // Some count them in the name of a folder: `/news/page2/`. What is numbered as `01` is no count.
    let counted =
        name.strip_prefix("index").or_else(|| last.strip_prefix("page").filter(|_| path.ends_with('/')));
    if !named && counted.is_some_and(|count| is_number(count) && !count.starts_with('0')) {
        return Some(LeftOut::Pagination);
    }
    // What a folder of documentation explains may be called as anything.
    let first = inner.first().map_or("", |s| stem(s));
    let shallow = inner.len() <= 2;
    // What a menu shows among the pages of a folder is one of them, whatever it is called.
    let is_inner = inner.len() > 1 && !in_news;
    let is_tag = |folder: &&str| has(words::TAG, folder) || folder.ends_with("-tags");
    // What hosts of static pages answer with where there is no page.
    let is_not_found = name == "404" && (inner.len() <= 1 || shallow && name != last);
    if is_not_found || segments.iter().any(|s| has(words::INDEX, stem(s))) || is_generated(name, parents) {
        Some(LeftOut::Index)
    } else if shallow && has(words::PRINT, name) {
        Some(LeftOut::Print)
    } else if shallow && has(words::FEED, name) && !(explains || in_docs || named && is_inner) {
        Some(LeftOut::Feed)
    } else if (has(words::ACCOUNT, first) && !(explains && inner.len() > 1))
        || (has(words::USER, first) && has(words::ACCOUNT, name))
    {
        Some(LeftOut::Account)
    } else if has(words::CART, first) && !explains {
        Some(LeftOut::Cart)
    } else if has(words::SEARCH, first) && !(explains && inner.len() > 1) {
        Some(LeftOut::Search)
    } else if parents.last().is_some_and(is_tag) || is_tag(&first) || !named && in_news && is_tag(&name) {
        Some(LeftOut::Tag)
    } else if !named
        && (is_date_archive(inner)
            || parents.last().is_some_and(|of| has(words::AUTHORS, of))
            || in_news && has(words::ARCHIVE, name))
    {
        Some(LeftOut::Archive)
    } else if has(words::ACTION, first) || (has(words::ACTION, last) && !explains) || is_wiki_namespace(last)
    {
        Some(LeftOut::Action)
    } else {
        None
    }
}

fn refuse_query(query: &str) -> Option<LeftOut> {
    query.split('&').find_map(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let key = key.to_ascii_lowercase();
        let key = key.as_str();
        if has(words::SEARCH_KEYS, key) {
            Some(LeftOut::Search)
        } else if matches!(key, "print" | "printable") || value.eq_ignore_ascii_case("print") {
            Some(LeftOut::Print)
        } else if matches!(value, "rss" | "atom" | "rss2") || key == "feed" {
            Some(LeftOut::Feed)
        } else if has(words::PAGE_KEYS, key) {
            Some(LeftOut::Pagination)
        } else if has(words::ACTION_KEYS, key) {
            Some(LeftOut::Action)
        } else if has(words::FILTER_KEYS, key) || key.contains('[') || key.contains("%5b") {
            Some(LeftOut::Filter)
        } else if matches!(key, "tag" | "tags") {
            Some(LeftOut::Tag)
        } else {
            None
        }
    })
}

/// Whether a page lists all of its site: it leads to pages, and says nothing of where they stand.
pub(crate) fn is_site_map(url: &SiteUrl) -> bool {
    names_site_map(content_segments(url.path()))
}

fn names_site_map<'s>(mut segments: impl Iterator<Item = &'s str>) -> bool {
    segments.next().is_some_and(|name| has(words::SITE_MAP, stem(name))) && segments.next().is_none()
}

/// `/2024/`, `/blog/2024/`, `/tales/2024/05/`: a list of what was written then. `/students/2024` may be a page like any other.
fn is_date_archive(segments: &[&str]) -> bool {
    let numbers = segments.iter().rev().take_while(|s| is_number(s)).count();
    let (above, date) = segments.split_at(segments.len() - numbers);
    let is_of_news =
        above.last().is_none_or(|folder| has(words::NEWS, folder) || has(words::ARCHIVE, folder));
    (1..=3).contains(&numbers)
        && date.first().is_some_and(|year| is_year(year))
        && (numbers > 1 || is_of_news)
}

/// `/2024/05/title`: what was written then.
fn is_dated(segments: &[&str]) -> bool {
    let is_month = |month: &str| month.len() == 2 && is_number(month);
    segments.windows(3).any(|three| is_year(three[0]) && is_month(three[1]))
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
        None if is_dated(segments) => Class::News,
        None if names_site_map(segments.iter().copied()) => Class::Optional,
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

/// Whether a word says what kind of site it is, as "Documentation" does, and not which one.
pub(crate) fn names_a_kind(word: &str) -> bool {
    class_of_word(&word.to_lowercase()).is_some()
}

/// Whether an address says that its page is about who runs the site.
pub(crate) fn speaks_of_owner(url: &SiteUrl) -> bool {
    segments(url.path()).any(|segment| has(words::OWNER, &stem(segment).to_ascii_lowercase()))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(path: &str) -> Result<Class, LeftOut> {
        let url = SiteUrl::parse(&format!("https://example.com{path}")).unwrap();
        refuse(&url, "/", false).map_or_else(|| Ok(classify(&url)), Err)
    }

    #[test]
    fn the_class_follows_the_words_of_the_path() {
        for (path, class) in [
            ("/docs/intro", Class::Docs),
            ("/en/latest/guide/setup.html", Class::Docs),
            ("/dokumentation/erste-schritte", Class::Docs),
            ("/pricing", Class::Main),
            ("/students/2019/", Class::Main),
            ("/community/internals", Class::Main),
            ("/index01.htm", Class::Main),
            ("/anmeldung.html", Class::Main),
            ("/", Class::Main),
            ("/blog/guides/how-we-scale", Class::News),
            ("/2024/05/how-we-scale/", Class::News),
            ("/2024/05/12/how-we-scale.html", Class::News),
            ("/reports/2024/how-we-scale", Class::Main),
            ("/docs/changelog", Class::Optional),
            ("/docs/http/cookies", Class::Docs),
            ("/release-15-2.html", Class::Optional),
            ("/privacy-policy/", Class::Optional),
            ("/sitemap.html", Class::Optional),
            ("/plugins/sitemap/", Class::Main),
        ] {
            assert_eq!(judge(path), Ok(class), "{path}");
        }
    }

    #[test]
    fn addresses_that_are_no_pages_are_left_out_with_a_reason() {
        for (path, reason) in [
            ("/login", LeftOut::Account),
            ("/user/login", LeftOut::Account),
            ("/de/warenkorb", LeftOut::Cart),
            ("/print.html", LeftOut::Print),
            ("/tag/rust", LeftOut::Tag),
            ("/blog/tags/rust/", LeftOut::Tag),
            ("/theme-tags/dark/", LeftOut::Tag),
            ("/blog/author/ann/", LeftOut::Archive),
            ("/blog/archive", LeftOut::Archive),
            ("/blog/tags", LeftOut::Tag),
            ("/2024/05/", LeftOut::Archive),
            ("/tales/2024/05/", LeftOut::Archive),
            ("/2024/", LeftOut::Archive),
            ("/blog/2024/", LeftOut::Archive),
            ("/search.html", LeftOut::Search),
            ("/?s=term", LeftOut::Search),
            ("/a?print=1", LeftOut::Print),
            ("/blog/feed/", LeftOut::Feed),
            ("/blog/index.xml", LeftOut::Feed),
            ("/logo.PNG", LeftOut::File),
            ("/docs/manual.pdf", LeftOut::File),
            ("/blog/page/3/", LeftOut::Pagination),
            ("/blog/index3.html", LeftOut::Pagination),
            ("/blog/page3/", LeftOut::Pagination),
            ("/list?page=2", LeftOut::Pagination),
            ("/list%3Fpage=2.html", LeftOut::Pagination),
            ("/list?sort=price", LeftOut::Filter),
            ("/w/index.php?title=A&action=edit", LeftOut::Action),
            ("/genindex.html", LeftOut::Index),
            ("/de/404.html", LeftOut::Index),
            ("/Kiln_8h_source.html", LeftOut::Index),
            ("/dir_c5b8aa1b6d8d74c5.html", LeftOut::Index),
            ("/classkiln_1_1Pot-members.html", LeftOut::Index),
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
            "/api/commits/",
            "/rest/commits/commits",
            "/reference/labels/create",
            "/category/shoes",
            "/language/php/print",
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
    fn a_host_of_documentation_explains_carts_and_accounts() {
        let on = |host: &str, path: &str| {
            refuse(&SiteUrl::parse(&format!("https://{host}.example.com{path}")).unwrap(), "/", false)
        };
        assert_eq!((on("docs", "/checkout/quickstart"), on("docs", "/dashboard/basics")), (None, None));
        assert_eq!(on("www", "/checkout/quickstart"), Some(LeftOut::Cart));
        assert_eq!((on("developers", "/search/docs/basics"), on("docs", "/en/feeds")), (None, None));
        assert_eq!(on("developers", "/search"), Some(LeftOut::Search));
        assert_eq!(on("www", "/recipes/rss/"), None);
        assert_eq!(on("docs", "/login"), Some(LeftOut::Account));
    }

    #[test]
    fn an_archive_that_the_menu_names_is_a_page() {
        let url = SiteUrl::parse("https://example.com/2024/05/").unwrap();
        let refused = |named| refuse(&url, "/", named);
        assert_eq!((refused(true), refused(false)), (None, Some(LeftOut::Archive)));
    }

    #[test]
    fn a_site_in_a_folder_has_its_account_there() {
        let in_folder = |base: &str, path: &str| {
            refuse(&SiteUrl::parse(&format!("https://example.com{path}")).unwrap(), base, false)
        };
        assert_eq!(in_folder("/kilns/", "/kilns/login.html"), Some(LeftOut::Account));
        assert_eq!(in_folder("/Kilns/", "/Kilns/cart"), Some(LeftOut::Cart));
        assert_eq!(in_folder("/kilns/", "/kilns/404.html"), Some(LeftOut::Index));
        assert_eq!(in_folder("/kilns/", "/kilns/firing/register"), None);
        assert_eq!(in_folder("/", "/kilns/login.html"), None);
        assert_eq!((in_folder("/docs/", "/docs/login"), in_folder("/docs/", "/docs/cart")), (None, None));
    }
}
