//! Where the site begins in its other languages.

use super::Frontier;
use crate::maps::Counts;
use crate::page::Page;
use crate::site::locale::{Tag, Translation};
use crate::url::{SiteUrl, segments};
use crate::wording::Wording;

/// Links of the home page that are remembered until the languages are known.
const MAX_LINKS: usize = 1_000;

/// Languages that are told.
const MAX_TRANSLATIONS: usize = 40;

/// Bytes of the name of a language.
const MAX_NAME: usize = 40;

/// Letters of a code that stands for the name of a language.
const MAX_CODE: usize = 3;

impl Frontier {
    /// Takes in what the home page says of other languages: its declarations, and links that may be of its language menu.
    pub(super) fn note_home(&mut self, page: &Page) {
        let declared = page.translations.iter().filter(|(_, url)| self.scope.contains(url));
        let declared = declared.map(|(tag, url)| (Some(tag.clone()), String::new(), url.clone()));
        let named = page.links.iter().filter(|link| (1..=MAX_NAME).contains(&link.text.len()));
        // A flag is no name.
        let named = named.map(|link| {
            let is_name = link.text.contains(char::is_alphabetic);
            (None, if is_name { link.text.clone() } else { String::new() }, link.url.clone())
        });
        self.at_home.extend(declared.chain(named).take(MAX_LINKS));
        for (_, name, url) in self.at_home.iter().filter(|(_, _, url)| self.scope.contains(url)) {
            self.locale.named(name, url);
        }
    }

    /// The home page of each language that was left out, by what the home page's link to it says, else by what its language is called.
    pub(super) fn translations(&self) -> Vec<Translation> {
        let mut found: Vec<(String, Translation)> = Vec::new();
        for (tag, name, url) in &self.at_home {
            let part = match tag {
                Some(tag) if self.locale.is_other(tag) => tag.as_str(),
                None => match self.locale.part(url).filter(|_| self.scope.contains(url)) {
                    Some(part) => part,
                    None => continue,
                },
                Some(_) => continue,
            };
            let is_full = found.len() >= MAX_TRANSLATIONS;
            let language = part.trim_matches('/');
            let same = found.iter_mut().find(|(its, other)| {
                its == language || other.url.key() == url.key() || lies_above(&other.url, url)
            });
            match same {
                Some((_, known)) if known.url.key() == url.key() => {
                    if known.name.is_empty() {
                        known.name.clone_from(name);
                    }
                }
                // Of one language the page that stands above the others.
                Some((_, known)) if tag.is_none() && lies_above(url, &known.url) => {
                    *known = Translation { name: name.clone(), url: url.clone() };
                }
                Some(_) => {}
                None if is_full => {}
                None => {
                    let translation = Translation { name: name.clone(), url: url.clone() };
                    found.push((language.to_owned(), translation));
                }
            }
        }
        // What several are called is the name of none, as `undefined` is.
        let said: Counts<String> = found.iter().map(|(_, known)| known.name.clone()).collect();
        let named = |(tag, known): (String, Translation)| {
            let said = Some(known.name).filter(|name| !name.is_empty() && said.of(name) == 1);
            let (code, name) = match said {
                Some(code) if is_code(&code) => (Some(code), None),
                said => (None, said),
            };
            let by_tag = || Wording::language_of(&tag).or_else(|| Wording::language_of(code.as_deref()?));
            let name = name.or_else(by_tag).or(code).unwrap_or(tag);
            Translation { name, url: known.url }
        };
        found.into_iter().map(named).collect()
    }
}

/// The language that comes first on a page that says nothing but in which languages there are others.
pub(super) fn first_choice(page: &Page) -> Option<&str> {
    let declares = page.language.as_deref().is_some_and(|language| !language.is_empty());
    let mut choices = page.links.iter().filter(|link| Wording::names_language(&link.text));
    let is_choice = !declares && choices.clone().count() * 2 > page.links.len();
    let first = choices.next().filter(|_| is_choice)?;
    segments(first.url.path()).find(|segment| Tag::parse(segment).is_some())
}

/// A page at the root stands above all languages.
fn lies_above(home: &SiteUrl, url: &SiteUrl) -> bool {
    let path = home.path().trim_start_matches('/');
    !path.is_empty() && !path.starts_with("index.") && home.origin() == url.origin() && home.stands_above(url)
}

/// Whether a text stands for the name of a language: `DE`, `eng`.
fn is_code(text: &str) -> bool {
    text.len() <= MAX_CODE && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}
