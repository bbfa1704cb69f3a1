//! What the tests of a page share: reading one, and reading its Markdown back.

use wayfile_core::page::{Page, PageSource, read_html};
use wayfile_core::url::SiteUrl;
use wayfile_core::work::Work;

/// The fixture pages, by name.
pub(crate) const PAGES: [(&str, &str); 5] = [
    ("admonitions", include_str!("../pages/admonitions.html")),
    ("constructs", include_str!("../pages/constructs.html")),
    ("guide", include_str!("../pages/guide.html")),
    ("reference", include_str!("../pages/reference.html")),
    ("unclosed", include_str!("../pages/unclosed.html")),
];

pub(crate) fn page(html: &str) -> Page {
    page_at("https://site.example/docs/a.html", html)
}

/// The page at an address: those of documentation are read with more trust in what they hold.
pub(crate) fn page_at(url: &str, html: &str) -> Page {
    let url = SiteUrl::parse(url).unwrap();
    read_html(
        &PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() },
        &Work::unbounded(),
    )
    .unwrap()
}

/// The Markdown of the main content `html`.
pub(crate) fn markdown(html: &str) -> String {
    page(&format!("<main>{html}</main>")).markdown
}
