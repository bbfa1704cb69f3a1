//! Which pages a file has room for, and in which sections.

use std::cmp::Reverse;

use crate::llms_txt::inline::Name;
use crate::maps::{Map, Set};
use crate::site::outline::{Fetched, Outline};
use crate::site::url::SiteUrl;

/// The name that the format gives to the section that can be skipped.
pub(super) const OPTIONAL: &str = "Optional";

/// The fewest pages of one title that are told apart by nothing.
const ALIKE_MIN: usize = 3;

/// A section on its way into the file.
pub(super) struct Planned {
    pub(super) name: Name,
    pub(super) optional: bool,
    pub(super) pages: Vec<usize>,
}

impl Planned {
    /// The characters of its heading with the blank lines round it.
    pub(super) fn head_chars(&self) -> usize {
        self.name.as_str().chars().count() + 6
    }
}

/// Which of the pages lies at the site's address.
pub(super) fn home_page(pages: &[Fetched], home: Option<&SiteUrl>) -> Option<usize> {
    home.and_then(|home| pages.iter().position(|page| page.url.key() == home.key()))
}

/// The outline's sections with unique names and every page but `home` once; what is optional in one section at
/// the end.
pub(super) fn sections(outline: &Outline, pages: &[Fetched], home: Option<usize>) -> Vec<Planned> {
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
        let named = if section.optional { OPTIONAL } else { &section.name };
        let Some(name) = Name::clean(named).or_else(|| Name::clean("Pages")).filter(|_| !own.is_empty())
        else {
            continue;
        };
        let reserved = !section.optional && name.as_str().eq_ignore_ascii_case(OPTIONAL);
        let name = if reserved { Name::clean("More").unwrap_or(name) } else { name };
        let place = *places.entry(name.as_str().to_lowercase()).or_insert(planned.len());
        match planned.get_mut(place) {
            Some(same) => same.pages.extend(own),
            None => planned.push(Planned { name, optional: section.optional, pages: own }),
        }
    }
    planned
}

/// Drops the weakest page of a section, and with its last page the section: of the optional one, else of one with pages
/// that `silent` says tell nothing of themselves, else of the longest. The weakest is such a page, else the one that
/// fewest pages speak of, of equal ones the last in reading order. Answers the page and the characters of the heading
/// that went with it.
pub(super) fn drop_weakest(
    plan: &mut Vec<Planned>,
    outline: &Outline,
    silent: impl Fn(usize) -> bool,
) -> Option<(usize, usize)> {
    let optional = plan.iter().position(|section| section.optional);
    let mute = || plan.iter().rposition(|section| section.pages.iter().any(|&page| silent(page)));
    let longest = || (0..plan.len()).max_by_key(|&at| plan[at].pages.len());
    let at = optional.or_else(mute).or_else(longest)?;
    let own = &mut plan[at].pages;
    let worth = |&at: &usize| (!silent(own[at]), outline.standing(own[at]), Reverse(at));
    let weakest = (0..own.len()).min_by_key(worth)?;
    let page = own.remove(weakest);
    let emptied = plan[at].pages.is_empty().then(|| plan.remove(at).head_chars());
    Some((page, emptied.unwrap_or_default()))
}

/// Drops pages that `silent` says tell nothing of themselves and that share their title with others of that kind:
/// nothing but their addresses tells them apart. Answers them. A site that has little else keeps them.
pub(super) fn drop_alike(
    plan: &mut Vec<Planned>,
    pages: &[Fetched],
    silent: impl Fn(usize) -> bool,
) -> Set<usize> {
    let all = || plan.iter().flat_map(|section| section.pages.iter().copied());
    let mut groups: Map<&str, Vec<usize>> = Map::default();
    for page in all().filter(|&page| silent(page)) {
        groups.entry(pages[page].page.title.as_deref().unwrap_or_default()).or_default().push(page);
    }
    let alike: Set<usize> = groups.into_values().filter(|group| group.len() >= ALIKE_MIN).flatten().collect();
    if alike.len() * 2 > all().count() {
        return Set::default();
    }
    for section in plan.iter_mut() {
        section.pages.retain(|page| !alike.contains(page));
    }
    plan.retain(|section| !section.pages.is_empty());
    alike
}
