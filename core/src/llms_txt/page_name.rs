//! What a page is called.

use crate::llms_txt::inline::Name;
use crate::percent;
use crate::site::outline::{CrawledPage, humanised};
use crate::url::SiteUrl;

/// The longest name of a link, in characters.
pub(super) const NAME_MAX_CHARS: usize = 120;

/// What a page calls itself, else the name of its file.
pub(super) fn page_name(page: &CrawledPage) -> Name {
    let name = page.page.name().and_then(Name::clean);
    name.unwrap_or_else(|| of_file(&page.url)).shortened(NAME_MAX_CHARS)
}

/// The last part of the path without its ending, as words where hyphens part them, else the host.
pub(super) fn of_file(url: &SiteUrl) -> Name {
    let file = url.path().rsplit('/').find(|part| !part.is_empty());
    let file = file.map(|file| file.rsplit_once('.').map_or(file, |(stem, _)| stem));
    // An address always has a host; the fallback is for the type alone.
    let said = |file: &str| if file.contains('-') { humanised(file) } else { percent::decoded(file) };
    file.and_then(|file| Name::clean(&said(file)))
        .or_else(|| Name::clean(url.host()))
        .unwrap_or_else(Name::untitled)
}
