//! Names: of the site, of its sections, and what the site says it is about.

use super::Fetched;
use crate::maps::{Map, Set};
use crate::markdown::words;
use crate::page::{Page, is_about_rights};
use crate::separators::SEPARATORS;
use crate::site::rank::classify_label;
use crate::site::url::SiteUrl;

/// The longest name of a section, in characters.
const MAX_NAME: usize = 60;

/// The longest summary, in characters.
const MAX_SUMMARY: usize = 300;

/// The fewest words that say what a site is about.
const MIN_SUMMARY_WORDS: usize = 5;

/// How many paragraphs of the home page are looked at for a summary.
const MAX_PARAGRAPHS: usize = 12;

/// A menu's text as a name: without numbering, permalink signs and what follows a dash; `None` if nothing is left.
pub(super) fn caption(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['¶', '#', ':', '»', '›', '→', ' ']).trim();
    if is_dateline(text) {
        return None;
    }
    let text = without_number(text);
    let mut name = text;
    if text.chars().count() > MAX_NAME {
        name = [" — ", " – ", ": ", " - ", ". "]
            .iter()
            .find_map(|mark| text.split_once(mark))
            .map_or(text, |(h, _)| h);
    }
    let mut name: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
    name.truncate(name.trim_end().len());
    if !name.contains(char::is_uppercase) && classify_label(&name).is_some() {
        name = humanised(&name);
    }
    if is_shouted(&name) {
        name = sentence_case(&name);
    }
    (name.chars().any(char::is_alphabetic) && !name.eq_ignore_ascii_case("home")).then_some(name)
}

/// When the site was made, which stands above the lists of some home pages.
fn is_dateline(text: &str) -> bool {
    let says_when = ["updated ", "last ", "generated ", "published "]
        .iter()
        .any(|word| strip_front(text, word).is_some());
    says_when && text.bytes().filter(u8::is_ascii_digit).count() >= 4
}

/// Capitals throughout, and too long for an abbreviation.
fn is_shouted(name: &str) -> bool {
    name.chars().filter(|c| c.is_alphabetic()).count() > 5 && !name.chars().any(char::is_lowercase)
}

fn sentence_case(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next();
    first.into_iter().chain(chars.flat_map(char::to_lowercase)).collect()
}

/// Cuts `3.`, `IV.`, `A.`, `1.2`, `Part II.`, `Chapter 3:` off the front.
fn without_number(text: &str) -> &str {
    let mut rest = text;
    for word in ["Part ", "Chapter ", "Appendix ", "Section ", "Kapitel ", "Teil "] {
        if let Some(tail) = text.strip_prefix(word)
            && let Some(after) = cut_number(tail)
        {
            rest = after;
        }
    }
    cut_number(rest).filter(|after| !after.is_empty()).unwrap_or(rest)
}

fn cut_number(text: &str) -> Option<&str> {
    let (number, rest) = text.split_once(char::is_whitespace)?;
    let dotted = number.ends_with(['.', ':', ')']);
    let bare = number.trim_end_matches(['.', ':', ')']);
    let digits = bare.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && bare.starts_with(|c: char| c.is_ascii_digit());
    let roman = bare.bytes().all(|b| matches!(b, b'I' | b'V' | b'X' | b'L'));
    let letter = bare.len() == 1 && bare.bytes().all(|b| b.is_ascii_uppercase());
    let numbered =
        (digits && (dotted || bare.contains('.'))) || (dotted && !bare.is_empty() && (roman || letter));
    numbered.then(|| rest.trim_start())
}

/// A path segment as a name: `getting-started` is "Getting started", `api_reference.html` "API reference".
pub(super) fn humanised(segment: &str) -> String {
    let stem = crate::site::rank::stem(segment);
    let text = percent_decoded(stem);
    let words = text.split(['-', '_', '+', ' ']).filter(|w| !w.is_empty());
    let mut name = String::new();
    for word in words {
        if !name.is_empty() {
            name.push(' ');
        }
        match word.to_ascii_lowercase().as_str() {
            "api" | "apis" | "cli" | "sdk" | "sdks" | "faq" | "faqs" | "http" | "sql" | "ui" | "url"
            | "css" | "html" | "xml" | "json" | "rest" | "sso" | "aws" | "gcp" | "ios" | "ai" | "llm"
            | "id" | "io" | "ml" => {
                name.push_str(&acronym(word));
            }
            _ if name.is_empty() => {
                let mut chars = word.chars();
                name.extend(chars.next().into_iter().flat_map(char::to_uppercase));
                name.push_str(chars.as_str());
            }
            _ => name.push_str(word),
        }
    }
    let name: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
    if name.is_empty() { "Pages".to_owned() } else { name }
}

fn acronym(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    match lower.strip_suffix('s') {
        Some(one) if matches!(one, "api" | "sdk" | "faq") => format!("{}s", one.to_ascii_uppercase()),
        _ => lower.to_ascii_uppercase(),
    }
}

fn percent_decoded(text: &str) -> String {
    let query = format!("x={}", text.replace('+', "%2B").replace('&', "%26"));
    ::url::form_urlencoded::parse(query.as_bytes())
        .next()
        .map_or_else(|| text.to_owned(), |(_, v)| v.into_owned())
}

/// What the site is called: what its pages agree on, else the title of its home page, else its domain.
pub(super) fn site_name(home: Option<&Page>, pages: &[Fetched]) -> String {
    let mut votes: Map<&str, usize> = Map::default();
    let said = pages.iter().filter_map(|p| p.page.site_name.as_deref());
    for name in said.map(str::trim).filter(|n| is_name(n)) {
        *votes.entry(name).or_default() += 1;
    }
    let named: usize = votes.values().sum();
    let agreed = votes.into_iter().max_by(|(a, x), (b, y)| x.cmp(y).then(b.cmp(a)));
    if let Some((name, count)) = agreed
        // A site of several books has the name of none.
        && count * 2 >= named
        && (count * 3 >= pages.len() || count >= 20)
    {
        return tidy(name);
    }
    let own = home.and_then(|h| h.site_name.as_deref()).map(tidy).filter(|n| is_name(n));
    let url = pages.first().map(|p| &p.url);
    own.or_else(|| home.and_then(|h| h.title.as_deref()).and_then(|t| from_title(t, url)))
        .or_else(|| url.map(domain_name))
        .unwrap_or_else(|| "Website".to_owned())
}

fn is_name(name: &str) -> bool {
    let count = name.chars().count();
    let hollow =
        matches!(name.to_lowercase().as_str(), "home" | "index" | "welcome" | "homepage" | "home page");
    (2..=80).contains(&count) && !hollow && name.chars().any(char::is_alphanumeric)
}

/// The part of a home page's title that names the site, without its tagline.
fn from_title(title: &str, url: Option<&SiteUrl>) -> Option<String> {
    let mut parts = vec![title];
    for mark in SEPARATORS {
        parts = parts.into_iter().flat_map(|part| part.split(mark)).collect();
    }
    let parts: Vec<String> = parts.into_iter().map(tidy).filter(|p| is_name(p)).collect();
    let domain = url.map(domain_name).unwrap_or_default().to_lowercase();
    let squashed =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let by_domain = parts.iter().find(|p| !domain.is_empty() && squashed(p) == squashed(&domain));
    let brief = parts.iter().find(|p| p.split_whitespace().count() <= 5);
    by_domain.or(brief).or(parts.first()).cloned()
}

/// Without "Welcome to", "Home page", the section of a man page.
fn tidy(name: &str) -> String {
    let mut name = name.trim().trim_end_matches(['.', '!', '¶']).trim();
    for front in ["Welcome to the ", "Welcome to ", "Willkommen bei ", "Bienvenue sur ", "Bienvenue chez "] {
        if let Some(rest) = strip_front(name, front) {
            name = rest;
        }
    }
    for back in [" Home Page", " Homepage", " Official Website", " Official Site", " Home", " Manual Page"] {
        if let Some(rest) = strip_back(name, back) {
            name = rest;
        }
    }
    if let Some((command, section)) = name.strip_suffix(')').and_then(|n| n.rsplit_once('('))
        && section.len() <= 2
        && section.starts_with(|c: char| c.is_ascii_digit())
    {
        name = command;
    }
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn strip_front<'a>(text: &'a str, front: &str) -> Option<&'a str> {
    text.get(..front.len())
        .filter(|head| head.eq_ignore_ascii_case(front))
        .and_then(|_| text.get(front.len()..))
}

fn strip_back<'a>(text: &'a str, back: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(back.len()).filter(|&at| at > 0)?;
    text.get(at..).filter(|tail| tail.eq_ignore_ascii_case(back)).and_then(|_| text.get(..at))
}

/// `docs.my-tool.co.uk` is "My tool"; an IP address stays as it is.
fn domain_name(url: &SiteUrl) -> String {
    let host = url.host();
    if host.parse::<std::net::IpAddr>().is_ok() {
        return host.to_owned();
    }
    let registered = psl::domain_str(host).unwrap_or(host);
    humanised(registered.split('.').next().unwrap_or(registered))
}

/// One paragraph on what the site is about: its home page's description, else its first telling paragraph.
pub(super) fn summary(home: &Page) -> Option<String> {
    let plain = |text: &str| words(text, "");
    let names = [home.title.as_deref(), home.site_name.as_deref()].map(Option::unwrap_or_default);
    let described = home.description.as_deref().map(plain);
    let described = described.filter(|text| tells(text) && !is_only_names(text, &names));
    let text = described.or_else(|| {
        let paragraphs = home.markdown.split("\n\n").map(str::trim).filter(|p| is_prose(p));
        paragraphs.take(MAX_PARAGRAPHS).map(plain).find(|text| tells(text) && is_sentence(text))
    })?;
    let text =
        ["Welcome! ", "Hello! ", "Hi! "].iter().find_map(|hail| text.strip_prefix(hail)).unwrap_or(&text);
    Some(shortened(text))
}

fn is_prose(paragraph: &str) -> bool {
    !paragraph.starts_with(['#', '|', '>', '`', '~', '<', '!', '*', '-', '+', ':', '['])
        && !paragraph.starts_with(|c: char| c.is_ascii_digit())
        // A menu of languages, of versions.
        && paragraph.matches(" | ").count() < 3
}

/// A paragraph that says something: it ends as a sentence, explains a name, or is long.
fn is_sentence(text: &str) -> bool {
    text.ends_with(['.', '!', '?', '。', '…', ')'])
        || text.contains(" - ")
        || text.contains(" — ")
        || text.len() > 100
}

fn tells(text: &str) -> bool {
    let words = text.split_whitespace().count();
    // Scripts without spaces tell as much in a dozen characters.
    let wide = text.chars().filter(|c| u32::from(*c) > 0x2e7f).count() >= 12;
    let lower = text.to_lowercase();
    let junk = [
        "cookie",
        "javascript",
        "please enable",
        "your browser",
        "skip to",
        "last updated",
        "copyright",
        "©",
    ];
    // What ends with a colon speaks of what comes next.
    let is_whole = (words >= MIN_SUMMARY_WORDS || wide) && !text.ends_with(':');
    is_whole && !junk.iter().any(|j| lower.contains(j)) && !is_about_rights(text)
}

/// Whether a text says nothing but names.
pub(crate) fn is_only_names(text: &str, names: &[&str]) -> bool {
    let words = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>()
    };
    let names: Set<String> = names.iter().flat_map(|name| words(name)).collect();
    words(text).iter().all(|word| names.contains(word))
}

/// At most [`MAX_SUMMARY`] characters, cut after a sentence, else after a word.
fn shortened(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_SUMMARY) else { return text.to_owned() };
    let head = text.get(..end).unwrap_or(text);
    if let Some(at) = head.rfind(". ").filter(|&at| at > end / 3) {
        return head.get(..=at).unwrap_or(head).to_owned();
    }
    let word = head.rfind(' ').and_then(|at| head.get(..at)).unwrap_or(head);
    format!("{}…", word.trim_end_matches([',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_lose_their_numbers() {
        for (text, name) in [
            ("I. Tutorial", "Tutorial"),
            ("Part IV. Client Interfaces", "Client Interfaces"),
            ("12. Full Text Search", "Full Text Search"),
            ("1.2. Arch", "Arch"),
            ("A. Error Codes", "Error Codes"),
            ("3 Ways to win", "3 Ways to win"),
            ("I am here", "I am here"),
            ("C API", "C API"),
            ("Guides¶", "Guides"),
        ] {
            assert_eq!(caption(text).as_deref(), Some(name));
        }
        assert_eq!(caption("¶"), None);
        assert_eq!(caption("Home"), None);
        assert_eq!(caption("Updated May 14, 2026"), None);
        assert_eq!(caption("Last 100 changes").as_deref(), Some("Last 100 changes"));
    }

    #[test]
    fn segments_read_as_names() {
        assert_eq!(humanised("getting-started"), "Getting started");
        assert_eq!(humanised("api_reference.html"), "API reference");
        assert_eq!(humanised("%C3%BCber-uns"), "Über uns");
    }

    #[test]
    fn titles_lose_taglines_and_greetings() {
        let url = SiteUrl::parse("https://docs.acme.co.uk/").unwrap();
        for (title, name) in [
            ("Acme – The best widgets in the world", "Acme"),
            ("Home | Acme", "Acme"),
            ("Widgets for everyone - ACME", "ACME"),
            ("Welcome to Acme", "Acme"),
            ("SQLite Home Page", "SQLite"),
            ("git(1)", "git"),
            ("Python 3.11.2 documentation", "Python 3.11.2 documentation"),
        ] {
            assert_eq!(from_title(title, Some(&url)).as_deref(), Some(name));
        }
        assert_eq!(domain_name(&url), "Acme");
    }

    #[test]
    fn paragraphs_become_plain_text() {
        assert_eq!(
            words("A *fast* [engine](https://x.y/z) for `snake_case`", ""),
            "A fast engine for snake_case"
        );
        assert!(!tells("Welcome!"));
    }

    #[test]
    fn long_summaries_end_with_a_sentence() {
        let text = format!("{} ends here. {}", "word ".repeat(30).trim(), "more ".repeat(60).trim());
        assert!(shortened(&text).ends_with("ends here."));
    }
}
