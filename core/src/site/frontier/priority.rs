//! Where a waiting address stands among others.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::page::{LinkPlace, PageLink};

/// Where the best link to a page stands, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
    /// In a menu of the home page.
    HomeNavigation,
    /// In the text of the home page.
    HomeContent,
    /// In a menu of another page.
    Navigation,
    /// In a list in the text of another page.
    List,
    /// In the sitemap.
    Sitemap,
    /// In the running text of another page.
    Content,
    /// In a footer or an aside, or as the next page.
    Margin,
}

impl Found {
    pub(super) fn of(link: &PageLink, home: bool) -> Self {
        match (link.place, home) {
            // A link to the next page draws the crawl ever deeper into where it is.
            (LinkPlace::Navigation, _) if link.turns => Self::Margin,
            (LinkPlace::Navigation, true) => Self::HomeNavigation,
            (LinkPlace::Content, true) => Self::HomeContent,
            (LinkPlace::Navigation, false) => Self::Navigation,
            (LinkPlace::Content, false) if link.list.is_some() => Self::List,
            (LinkPlace::Content, false) => Self::Content,
            (LinkPlace::Margin, _) => Self::Margin,
        }
    }

    pub(super) fn on_home(self) -> bool {
        matches!(self, Self::HomeNavigation | Self::HomeContent)
    }

    /// What a page takes of its folder's share: those that the site's menus name take the least, so their folders have more.
    pub(super) fn cost(self) -> u64 {
        match self {
            Self::HomeNavigation | Self::HomeContent | Self::Navigation => 2,
            Self::List => 3,
            Self::Sitemap | Self::Content => 4,
            Self::Margin => 8,
        }
    }
}

/// Where the best link to a page stands, the best first: nothing of it hangs on when the link was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Priority {
    pub(super) found: Found,
    /// How many lists enclose the link.
    pub(super) nested: u8,
    /// Clicks from the home page.
    pub(super) hops: u8,
    /// How many links stand before it: so the first sections of every chapter are had before the last ones of any.
    pub(super) position: u32,
}

impl Priority {
    pub(super) fn new(found: Found, hops: u8, position: u32) -> Self {
        Self { found, nested: 0, hops, position }
    }
}

/// A place in a queue. Between equals a hash of the address decides: as good as chance, and the same in every crawl.
pub(super) type Rank = (Priority, u64);

/// The same for one text in every crawl.
pub(super) fn tie(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
