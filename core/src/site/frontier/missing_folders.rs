//! Folders that are not there: links into them are left out after a few misses.
//!
//! Pages that were made for another place (a package's `/usr/share/doc`, a neighbour's `/wiki`) link to folders
//! that this site never had; every such link is a wasted request to a site that answers 404 each time.

use crate::maps::Map;
use crate::url::{SiteUrl, folders};

/// Addresses of a folder that may be missing before the folder counts as gone, as long as no page of it was had.
const MAX_MISSES: u8 = 8;

/// How many leading folders of an address are watched.
const MAX_DEPTH: usize = 2;

/// How many folders are watched.
const MAX_FOLDERS: usize = 10_000;

/// What fetches have told of the site's folders.
#[derive(Debug, Default)]
pub(super) struct MissingFolders {
    /// Misses by folder; `None` for a folder that holds a page.
    misses: Map<Box<str>, Option<u8>>,
    any_gone: bool,
}

impl MissingFolders {
    /// Takes in that a page was had.
    pub(super) fn found(&mut self, url: &SiteUrl) {
        for folder in folders(url, MAX_DEPTH) {
            if let Some(misses) = self.misses.get_mut(folder) {
                *misses = None;
            } else if self.misses.len() < MAX_FOLDERS {
                self.misses.insert(folder.into(), None);
            }
        }
    }

    /// Takes in that there is no such page.
    pub(super) fn missed(&mut self, url: &SiteUrl) {
        for folder in folders(url, MAX_DEPTH) {
            if self.misses.len() >= MAX_FOLDERS && !self.misses.contains_key(folder) {
                continue;
            }
            let misses = self.misses.entry(folder.into()).or_insert(Some(0));
            *misses = misses.map(|count| count.saturating_add(1));
            self.any_gone |= misses.is_some_and(|count| count >= MAX_MISSES);
        }
    }

    /// The address lies in a folder of which nothing was ever had.
    pub(super) fn holds(&self, url: &SiteUrl) -> bool {
        self.any_gone
            && folders(url, MAX_DEPTH).any(|folder| {
                self.misses.get(folder).is_some_and(|misses| misses.is_some_and(|count| count >= MAX_MISSES))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> SiteUrl {
        SiteUrl::parse(&format!("https://example.com{path}")).unwrap()
    }

    #[test]
    fn a_folder_without_any_page_is_gone_after_some_misses() {
        let mut missing = MissingFolders::default();
        missing.found(&url("/docs/a"));
        for number in 0..MAX_MISSES {
            assert!(!missing.holds(&url("/usr/share/doc/z")));
            missing.missed(&url(&format!("/usr/share/doc/{number}")));
            missing.missed(&url(&format!("/docs/old/{number}")));
            missing.missed(&url(&format!("/{number}")));
        }
        assert!(missing.holds(&url("/usr/share/doc/z")));
        assert!(missing.holds(&url("/docs/old/z")));
        assert!(!missing.holds(&url("/docs/z")));
        assert!(!missing.holds(&url("/z")));
    }
}
