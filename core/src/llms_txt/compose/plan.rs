//! Which pages a file has room for, and in which sections.

use crate::llms_txt::inline::Name;
use crate::llms_txt::plain::without_icon;
use crate::maps::{Map, Set};
use crate::site::outline::{CrawledPage, OPTIONAL, OVERVIEW, Outline};
use crate::url::SiteUrl;
use crate::wording::Wording;

/// The fewest pages of one title that are told apart by nothing.
const ALIKE_MIN: usize = 3;

/// The characters of a heading besides its name, with the blank lines round it.
const HEADING_CHARS: usize = 6;

/// A section on its way into the file.
#[derive(Clone)]
pub(super) struct Planned {
    pub(super) name: Name,
    pub(super) optional: bool,
    pub(super) pages: Vec<usize>,
}

impl Planned {
    /// The characters of its heading with the blank lines round it.
    pub(super) fn head_chars(&self) -> usize {
        heading_chars(&self.name)
    }
}

/// The characters of a heading with the blank lines round it.
pub(super) fn heading_chars(name: &Name) -> usize {
    name.markdown().chars().count() + HEADING_CHARS
}

/// Which of the pages lies at the site's address.
pub(super) fn home_page(pages: &[CrawledPage], home: Option<&SiteUrl>) -> Option<usize> {
    home.and_then(|home| pages.iter().position(|page| page.url.key() == home.key()))
}

/// The outline's sections with unique names and every page but `home` once; what is optional in one section at
/// the end. Those that the site has no name for are named in the words of its language.
pub(super) fn sections(
    outline: &Outline,
    pages: &[CrawledPage],
    home: Option<usize>,
    wording: &Wording,
) -> Vec<Planned> {
    let mut planned: Vec<Planned> = Vec::new();
    let mut places: Map<String, usize> = Map::default();
    let mut seen = vec![false; pages.len()];
    if let Some(home) = home.filter(|_| pages.len() > 1) {
        seen[home] = true;
    }
    let (main, optional): (Vec<_>, Vec<_>) = outline.sections.iter().partition(|section| !section.optional);
    for section in main.into_iter().chain(optional) {
        let own = section
            .pages
            .iter()
            .copied()
            .filter(|&at| seen.get_mut(at).is_some_and(|seen| !std::mem::replace(seen, true)));
        let own: Vec<_> = own.collect();
        let named = match section.name.as_str() {
            _ if section.optional => OPTIONAL,
            OVERVIEW => &wording.overview,
            name if name.trim().eq_ignore_ascii_case(OPTIONAL) => &wording.other,
            name => name,
        };
        if own.is_empty() {
            continue;
        }
        let parts: Vec<_> = named.split(": ").map(without_icon).collect();
        let Some(name) = Name::clean(&parts.join(": ")).or_else(|| Name::clean(&wording.other)) else {
            continue;
        };
        let reserved = !section.optional && name.as_str().eq_ignore_ascii_case(OPTIONAL);
        let name = if reserved { Name::clean(&wording.other).unwrap_or(name) } else { name };
        let place = *places.entry(name.as_str().to_lowercase()).or_insert(planned.len());
        match planned.get_mut(place) {
            Some(same) => same.pages.extend(own),
            None => planned.push(Planned { name, optional: section.optional, pages: own }),
        }
    }
    planned
}

/// Drops pages that tell nothing of themselves: those that nobody misses, as `is_needless` says, and where a section has several
/// of one mark, as `mark` says, all of these. Answers them. A site that has little else keeps them.
pub(super) fn drop_silent<'n>(
    plan: &mut Vec<Planned>,
    mark: impl Fn(&Planned, usize) -> Option<&'n str>,
    is_needless: impl Fn(usize) -> bool,
) -> Set<usize> {
    let all = || plan.iter().flat_map(|section| section.pages.iter().map(move |&page| (section, page)));
    let mut groups: Map<(&Name, &str), Vec<usize>> = Map::default();
    let mut alike: Set<usize> = Set::default();
    for (section, page) in all() {
        let Some(mark) = mark(section, page) else { continue };
        groups.entry((&section.name, mark)).or_default().push(page);
        alike.extend(is_needless(page).then_some(page));
    }
    alike.extend(groups.into_values().filter(|group| group.len() >= ALIKE_MIN).flatten());
    if alike.len() * 2 > all().count() {
        return Set::default();
    }
    for section in plan.iter_mut() {
        section.pages.retain(|page| !alike.contains(page));
    }
    plan.retain(|section| !section.pages.is_empty());
    alike
}
