//! What a page is called.

use crate::llms_txt::blocks::{Block, Kind};
use crate::llms_txt::inline::Name;
use crate::maps::Map;
use crate::site::outline::Fetched;
use crate::site::url::SiteUrl;

/// The longest name of a link, in characters.
const NAME_MAX_CHARS: usize = 120;

/// The page's title, else its first heading, else what its address says.
pub(in crate::llms_txt) fn name(page: &Fetched, blocks: &[Block<'_>]) -> Name {
    let heading = || blocks.iter().find(|b| matches!(b.kind, Kind::Heading { .. })).map(|b| b.text);
    // A number that ends in a stop is a chapter's; without one it may be a version.
    let bare = |title| match super::prose::without_number(title) {
        rest if title.strip_suffix(rest).is_some_and(|number| number.trim_end().ends_with('.')) => rest,
        _ => title,
    };
    let title = page.page.title.as_deref().map(bare).and_then(Name::clean);
    let name = title.or_else(|| Name::clean(&super::prose::plain(heading()?)));
    name.unwrap_or_else(|| from_url(&page.url)).shortened(NAME_MAX_CHARS)
}

/// The last segment of the path in words, else the host.
fn from_url(url: &SiteUrl) -> Name {
    let words = segments(url).next_back().and_then(|segment| Name::clean(&segment));
    // An address always has a host; the fallback is for the type alone.
    words.or_else(|| Name::clean(url.host())).unwrap_or_else(Name::untitled)
}

/// Tells pages of the same name apart by the part of their addresses in which they differ.
pub(super) fn tell_apart(names: &mut [Name], urls: &[&SiteUrl]) {
    let mut groups: Map<String, Vec<usize>> = Map::default();
    for (at, name) in names.iter().enumerate() {
        groups.entry(name.as_str().to_lowercase()).or_default().push(at);
    }
    for members in groups.into_values().filter(|members| members.len() > 1) {
        let paths: Vec<Vec<String>> = members.iter().map(|&at| segments(urls[at]).collect()).collect();
        // Of two pages that lie less deep, neither has a segment there.
        let mut depths: Vec<usize> = paths.iter().map(Vec::len).collect();
        let depth = *depths.select_nth_unstable(1).1;
        // The nearest segment to the end that differs everywhere; else the whole path.
        let labels = (1..=depth)
            .map(|back| labels_at(&paths, back))
            .find(|labels| distinct(labels))
            .unwrap_or_else(|| {
                members
                    .iter()
                    .map(|&at| urls[at].as_str().split_once("://").map_or("", |(_, rest)| rest).to_owned())
                    .collect()
            });
        for (&at, label) in members.iter().zip(&labels) {
            let name = names[at].as_str();
            if !label.is_empty() && !label.eq_ignore_ascii_case(name) {
                names[at] = Name::clean(&format!("{name} ({label})")).unwrap_or_else(|| names[at].clone());
            }
        }
    }
}

fn labels_at(paths: &[Vec<String>], back: usize) -> Vec<String> {
    paths
        .iter()
        .map(|path| path.len().checked_sub(back).and_then(|at| path.get(at)).cloned().unwrap_or_default())
        .collect()
}

fn distinct(labels: &[String]) -> bool {
    let mut seen: Vec<_> = labels.iter().map(|label| label.to_lowercase()).collect();
    seen.sort_unstable();
    seen.windows(2).all(|pair| pair[0] != pair[1])
}

/// The segments of a path as words, without index files and extensions.
pub(super) fn segments(url: &SiteUrl) -> impl DoubleEndedIterator<Item = String> {
    url.path().split('/').filter(|s| !s.is_empty()).filter_map(|segment| {
        let stem = segment.rsplit_once('.').map_or(segment, |(stem, _)| stem);
        let words = stem.replace(['-', '_', '+'], " ").replace("%20", " ");
        (!stem.eq_ignore_ascii_case("index")).then(|| words.trim().to_owned())
    })
}
