//! How a site's pages are grouped: the sections of the index, named as the site itself names them.
//!
//! Every page has a trail, from the general to the special: the labels and pages above it in the site's own
//! structure, or where that is silent, the folders of its path. The trails make a tree; its branches become
//! sections, in the order in which the site shows them.

mod name;
mod news;
mod placing;
mod section;
mod steps;
mod strays;
mod titles;
mod trail;
mod unlisted;

pub(crate) use name::humanised;
pub(crate) use section::{OPTIONAL, OVERVIEW};
pub use titles::settle_titles;
pub(crate) use titles::without_site;

use std::collections::BTreeSet;

use crate::maps::{Map, Set};
use crate::page::Page;
use crate::site::locale::Translation;
use crate::site::structure::Structure;
use crate::url::SiteUrl;

/// So many pages stand in the order of the alphabet by no accident.
const LONG: usize = 10;

/// A page that was fetched with 200 and counts.
#[derive(Debug, Clone)]
pub struct CrawledPage {
    /// Its final address, after redirects.
    pub url: SiteUrl,
    /// The address an index links to: the Markdown twin where one exists, else `url`.
    pub link: SiteUrl,
    /// What it says. Its `links` may have been emptied to save memory.
    pub page: Page,
}

impl CrawledPage {
    /// Whether a page has the same text as another one, all of it, and is another page all the same, of which a script shows the
    /// part: it says of itself what it is called, what it is about and that this is its address, which asks for nothing.
    pub fn is_other_view(&self, twin: &Self) -> bool {
        let (own, its) = (&self.page, &twin.page);
        // A query sorts and filters what another address shows.
        own.markdown == its.markdown
            && self.url.as_url().query().is_none()
            && own.canonical.as_ref() == Some(&self.url)
            && own.title.is_some()
            && own.title != its.title
            && own.description.is_some()
            && own.description != its.description
    }
}

/// The order and grouping of a site's pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// What the site is called.
    pub site_name: String,
    /// What the site is about by the word of its home page's author.
    pub summary: Option<String>,
    /// In the order in which the site shows them; what belongs to no group, then what is optional, last.
    pub sections: Vec<OutlineSection>,
    /// The pages of no section: they only list what was written under a word, and no menu shows them.
    pub archives: BTreeSet<usize>,
    /// Pages of no section, too: each is of one member of a class that has a page.
    pub members: BTreeSet<usize>,
    /// Posts whose day is known: of those of a section the newest stands first.
    pub posts: BTreeSet<usize>,
    /// Whether the home page links to each page, by its index; what is missing it does not.
    pub on_home: Vec<bool>,
    /// How many pages link to each page in their text, by its index, where the order of its section tells nothing: it is that of
    /// the alphabet. What is missing none does.
    pub cited: Map<usize, u32>,
    /// Where the site begins in the languages that were left out.
    pub translations: Vec<Translation>,
    /// What the site calls each page, by its index; what is missing is called nothing.
    pub called: Vec<Called>,
}

/// What a site calls one of its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Called {
    /// The text of the site's own links to it.
    pub label: Option<String>,
    /// The labels of the groups and pages above it, the nearest first.
    pub above: Vec<String>,
    /// That text stands in the menu across the top of the home page.
    pub in_bar: bool,
}

/// Pages that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineSection {
    /// As the site's navigation names it.
    pub name: String,
    /// Can be skipped by a reader who is short of room (blog, changelog, legal).
    pub optional: bool,
    /// Indices into the slice of [`CrawledPage`] pages, in reading order.
    pub pages: Vec<usize>,
}

/// Groups and orders `pages`: each is in one section at most, and in none if it only lists what was written under a word or is
/// of one member of a class; no section is empty, names are unique.
/// `home` is the home page when it was read, whether or not it is among the pages.
pub fn outline(home: Option<&Page>, structure: &Structure, pages: &[CrawledPage]) -> Outline {
    let trails = placing::trails(structure, pages);
    let site_name = name::site_name(home, structure.brand(), pages);
    let archives = unlisted::archives(structure, pages, &trails);
    let members: Set<usize> = unlisted::members(pages).difference(&trails.on_home).copied().collect();
    let sections = section::sections(pages, &trails, (&archives, &members), &site_name);
    Outline {
        summary: home.and_then(name::summary),
        called: pages.iter().enumerate().map(|(at, page)| called(structure, page, &trails, at)).collect(),
        on_home: pages.iter().map(|page| structure.is_on_home(&page.url)).collect(),
        cited: sections
            .iter()
            .flat_map(|section| by_alphabet(section, pages))
            .map(|&at| (at, structure.cited(&pages[at].url)))
            .collect(),
        translations: structure.translations().to_vec(),
        archives: archives.difference(&trails.in_menus).copied().collect(),
        members: members.into_iter().collect(),
        posts: (0..pages.len()).filter(|&at| trails.pages[at].published.is_some()).collect(),
        sections,
        site_name,
    }
}

/// The pages of a section that shows them by the alphabet; where numbers tell them apart, those are their order.
fn by_alphabet<'s>(section: &'s OutlineSection, pages: &[CrawledPage]) -> &'s [usize] {
    let path = |at: &usize| pages[*at].url.path();
    let (Some(first), Some(last)) = (section.pages.first(), section.pages.last()) else { return &[] };
    let shared = path(first).bytes().zip(path(last).bytes()).take_while(|(a, b)| a == b).count();
    let is_numbered = |at: &&usize| path(at).bytes().skip(shared).any(|byte| byte.is_ascii_digit());
    let numbered = section.pages.iter().filter(is_numbered).count();
    let rising = section.pages.windows(2).filter(|pair| path(&pair[0]) <= path(&pair[1])).count();
    let all = section.pages.len();
    if all < LONG || rising * 10 < all * 9 || numbered * 2 > all { &[] } else { &section.pages }
}

fn called(structure: &Structure, page: &CrawledPage, trails: &trail::Trails, at: usize) -> Called {
    let label = structure.label(&page.url).map(str::to_owned);
    let names = trails.pages.get(at).into_iter().flat_map(|trail| trail.names.iter().rev());
    let above = names.filter(|name| label.as_ref() != Some(name)).cloned().collect();
    Called { label, above, in_bar: trails.in_bar.contains(&at) }
}

#[cfg(test)]
mod tests;
