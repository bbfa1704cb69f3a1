//! The pages that translations are made of.

use super::tag::Tag;
use crate::url::{SiteUrl, above};

/// Where the pages of the site's own language stand.
pub(super) struct Originals {
    /// How long the path of the folder is that the site begins in, in bytes.
    pub(super) root: usize,
    /// What that language's own folder is called, if it has one: `/en`.
    pub(super) folder: Option<String>,
}

impl Originals {
    /// Whether the site has a page, `is_known` by its path, that one in a `folder` translates: the page of the same name beside
    /// or above the folder, or in that of the site's own language.
    pub(super) fn has(&self, url: &SiteUrl, folder: &str, is_known: impl Fn(&str) -> bool) -> bool {
        let rest = url.path().strip_prefix(folder).unwrap_or_default();
        // The folder that a page has to itself is no language's, unless it is called so: what lies above it is its list.
        let name = folder.rsplit_once('/').map_or(folder, |(_, name)| name);
        if rest.trim_matches('/').is_empty() && Tag::parse(name).is_none() {
            return false;
        }
        let beside = self.folder.as_deref().map(|own| format!("{}{own}{rest}", above(folder)));
        if beside.is_some_and(|beside| beside != url.path() && is_known(&beside)) {
            return true;
        }
        let twin = format!("{}{rest}", above(folder));
        let above = twin.trim_end_matches('/').rfind('/').and_then(|end| twin.get(..=end));
        is_known(&twin) || above.is_some_and(|above| above.len() > self.root && is_known(above))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_above_a_page_is_not_its_original() {
        let originals = Originals { root: 1, folder: None };
        let known = ["/post/", "/", "/de/"];
        let has = |path: &str, folder: &str| {
            let url = SiteUrl::parse(&format!("https://example.com{path}")).unwrap();
            originals.has(&url, folder, |path| known.contains(&path))
        };
        assert!(!has("/post/kilns/", "/post/kilns"));
        assert!(has("/de/", "/de") && has("/ja/post/", "/ja"));
    }
}
