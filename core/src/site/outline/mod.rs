//! How a site's pages are grouped: the sections of the index, named as the site itself names them.
//!
//! Every page has a trail, from the general to the special: the captions and pages above it in the site's
//! navigation, or where that is silent, the folders of its path. The trails make a tree; its branches become
//! sections, large ones split, small ones gathered.

mod families;
mod name;
mod section;
mod titles;
mod trail;

pub(crate) use section::{OTHER, OVERVIEW};
pub use titles::settle_titles;

use crate::page::Page;
use crate::site::locale::Translation;
use crate::site::navigation::Navigation;
use crate::site::url::SiteUrl;

/// A page that was fetched with 200 and counts.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// Its final address, after redirects.
    pub url: SiteUrl,
    /// The address an index links to: the Markdown twin where one exists, else `url`.
    pub link: SiteUrl,
    /// What it says. Its `links` may have been emptied to save memory.
    pub page: Page,
}

/// The order and grouping of a site's pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// What the site is called.
    pub site_name: String,
    /// What the site is about by the word of its home page's author.
    pub summary: Option<String>,
    /// In reading order, documentation first; optional sections last.
    pub sections: Vec<Section>,
    /// Whether the home page links to each page, by its index; what is missing it does not.
    pub on_home: Vec<bool>,
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
    /// The label of the group or page above it.
    pub parent: Option<String>,
}

/// Pages that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// As the site's navigation names it.
    pub name: String,
    /// Can be skipped by a reader who is short of room (blog, changelog, legal).
    pub optional: bool,
    /// Indices into the slice of [`Fetched`] pages, in reading order.
    pub pages: Vec<usize>,
}

/// Groups and orders `pages`: each is in exactly one section, no section is empty, names are unique.
/// `home` is the home page when it was read, whether or not it is among the pages.
#[must_use]
pub fn outline(home: Option<&Page>, navigation: &Navigation, pages: &[Fetched]) -> Outline {
    let trails = trail::trails(navigation, pages);
    Outline {
        site_name: name::site_name(home, pages),
        summary: home.and_then(|home| name::summary(home, pages)),
        called: pages.iter().map(|page| called(navigation, page)).collect(),
        sections: section::sections(pages, &trails),
        on_home: pages.iter().map(|page| navigation.is_on_home(&page.url)).collect(),
        translations: navigation.translations().to_vec(),
    }
}

fn called(navigation: &Navigation, page: &Fetched) -> Called {
    let above = || navigation.parent(&page.url).and_then(|parent| navigation.label(parent));
    Called {
        label: navigation.label(&page.url).map(str::to_owned),
        parent: navigation.group(&page.url).or_else(above).map(str::to_owned),
    }
}

#[cfg(test)]
mod sites;
#[cfg(test)]
mod tests;
