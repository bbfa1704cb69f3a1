//! Soft 404s by comparison: a page that a site also answers at a made-up address is none.
//!
//! Some sites answer every address with status 200. The wording of the answer tells few of them; all give the same answer
//! to an address that nobody ever linked to.

use crate::url::SiteUrl;

/// An address beside `page` that nobody linked to, of the same form: it takes the same way through the server.
pub fn made_up(page: &SiteUrl, number: u64) -> Option<SiteUrl> {
    let path = page.path();
    let (path, slash) = path.strip_suffix('/').map_or((path, ""), |path| (path, "/"));
    let (folder, name) = path.rsplit_once('/').unwrap_or_default();
    let (dot, ending) = name.rsplit_once('.').map_or(("", ""), |(_, ending)| (".", ending));
    page.origin().at(&format!("{folder}/{number:016x}{dot}{ending}{slash}"))
}

/// Whether pages are soft 404s because `probe`, a made-up address, shows the same. They are pages all the same if one of
/// them is the home page, lies above the made-up address, or is what that names as its `canonical` address: then the site
/// answers missing pages with a real one.
pub fn are_soft_404(
    probe: &SiteUrl,
    canonical: Option<&SiteUrl>,
    home: &SiteUrl,
    pages: &[&SiteUrl],
) -> bool {
    let given_for_others =
        |page: &SiteUrl| page == home || canonical == Some(page) || page.stands_above(probe);
    !pages.iter().any(|page| given_for_others(page))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> SiteUrl {
        SiteUrl::parse(&format!("https://example.com{path}")).unwrap()
    }

    #[test]
    fn made_up_address_has_the_form_of_its_neighbour() {
        for (page, probe) in [
            ("/", "/00000000000000ff/"),
            ("/a", "/00000000000000ff"),
            ("/docs/tides.html?x=1", "/docs/00000000000000ff.html"),
            ("/docs/tides/", "/docs/00000000000000ff/"),
        ] {
            assert_eq!(made_up(&url(page), 255), Some(url(probe)), "{page}");
        }
    }

    #[test]
    fn pages_shown_at_any_address_are_soft_404s() {
        let (probe, home) = (url("/docs/old/00ff.html"), url("/en/start"));
        let none = |page: &str, canonical: Option<SiteUrl>| {
            are_soft_404(&probe, canonical.as_ref(), &home, &[&url("/docs/old/a"), &url(page)])
        };
        for page in ["/docs/old/b.html", "/docs/older", "/docs/new/", "/other/index.html"] {
            assert!(none(page, None), "{page}");
            assert!(!none(page, Some(url(page))), "{page} is named");
        }
        for page in ["/", "/index.html", "/docs", "/docs/", "/docs/old/index.php", "/en/start"] {
            assert!(!none(page, None), "{page}");
        }
    }
}
