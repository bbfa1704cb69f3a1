//! A place of a page in the site's own structure, and what its address says of it.

use super::CrawledPage;
use crate::maps::Set;
use crate::site::rank::{Class, content_segments, front};
use crate::url::{SiteUrl, below};

/// The places of all pages.
#[derive(Debug)]
pub(super) struct Trails {
    /// By page.
    pub(super) pages: Vec<Trail>,
    /// Pages by which the last of their own names is called.
    pub(super) hubs: Set<usize>,
    /// Names of groups on the top level of menus.
    pub(super) of_menus: Set<String>,
    /// Pages that menus show.
    pub(super) in_menus: Set<usize>,
    /// Pages that no list names: they follow the others of their folder.
    pub(super) strays: Set<usize>,
    /// Those that stand for themselves in the menu across the top of the home page.
    pub(super) in_bar: Set<usize>,
    /// Pages that menus of the home page show.
    pub(super) in_home_menu: Set<usize>,
    /// Pages that the home page links to.
    pub(super) on_home: Set<usize>,
}

/// A place in the site's own order: that of the page above, the page's own, that in the sitemap.
pub(super) type TrailOrder = (u64, u64, u32);

/// What is known of one page's place.
#[derive(Debug, Clone)]
pub(super) struct Trail {
    /// From the general to the special; empty for pages that stand for themselves.
    pub(super) names: Vec<String>,
    /// The place in the site's own order, and behind those that have one, in the sitemap.
    pub(super) order: TrailOrder,
    pub(super) is_home: bool,
    /// What its address says of it.
    pub(super) class: Class,
    /// The day of what is new, or is shown by its day, as the page or its address has it: `YYYY-MM-DD`, or less of it.
    pub(super) published: Option<String>,
    /// A reader who is short of room can skip it.
    pub(super) is_optional: bool,
}

impl Trail {
    /// It was new once: a post, a piece of news.
    pub(super) fn is_news(&self) -> bool {
        self.class == Class::News
    }

    /// It is about the site, and not what the site is about, whether or not that can be skipped.
    pub(super) fn is_of_site(&self) -> bool {
        self.class == Class::Optional
    }
}

/// What a page stands in front of.
pub(super) fn front_of(page: &CrawledPage) -> &str {
    front(page.url.path())
}

/// Whether a page lies below the one that stands for its folder.
pub(super) fn lies_below(page: &SiteUrl, hub: &SiteUrl) -> bool {
    below(page.path(), front(hub.path())).is_some()
}

/// The telling folders of a page, and for `/docs/` or `/docs/index.html` that folder too.
pub(super) fn folders(page: &CrawledPage) -> impl Iterator<Item = &str> {
    let path = page.url.path();
    let all = content_segments(path).count();
    let file =
        !path.ends_with('/') && path.rsplit('/').next().is_some_and(|f| content_segments(f).next().is_some());
    content_segments(path).take(all.saturating_sub(usize::from(file)))
}

/// How many leading folders all have in common.
pub(super) fn common<'a>(mut all: impl Iterator<Item = Vec<&'a str>>) -> usize {
    let Some(first) = all.next() else { return 0 };
    all.fold(first.len(), |shared, folders| {
        first.iter().zip(folders).take_while(|(a, b)| **a == *b).count().min(shared)
    })
}
