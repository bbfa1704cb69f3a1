//! Which pages of a plan give way where a file has no room for all.

use std::cmp::Reverse;

use super::plan::Planned;
use crate::maps::{Map, Set};
use crate::site::outline::Outline;

/// Shares of the room are whole numbers; so much larger, those that hardly differ are told apart.
const PRECISION: usize = 64;

/// Drops pages from a plan one by one: of the optional section, those that the home page links to only once no other section has
/// pages that it does not; else of one with pages that `silent` says tell nothing of
/// themselves and the home page does not link to; else of the longest section of the group that has the largest share of the
/// room, pages that the home page links to left aside. So the groups share the room, one of four sections as two of one.
///
/// The weakest page of a section goes first: a silent one, else one that the home page does not link to. Of equal ones it is that
/// which the crawl chose last; where they stand by the alphabet that to which the fewest link; and of posts and optional ones the
/// last. All of them together are put in order once; then every step looks at the sections, which are few.
pub(super) struct Thinning {
    sections: Vec<Thinned>,
    groups: Vec<ThinnedGroup>,
    dropped: Set<usize>,
}

/// A section that loses pages.
struct Thinned {
    /// The weakest last.
    pages: Vec<usize>,
    silent: usize,
    /// Those that the home page does not link to, silent ones left aside.
    inner: usize,
    head_chars: usize,
    optional: bool,
    group: usize,
}

/// The sections that one group of the site was split into.
#[derive(Default)]
struct ThinnedGroup {
    /// How many pages of all the home page does not link to, and how many there are.
    inner: usize,
    all: usize,
    /// How many sections it began with.
    parts: usize,
}

impl ThinnedGroup {
    /// How much of the room it takes. A group that the site divides weighs more, but not as much more as it has parts.
    fn share(&self) -> (usize, usize) {
        let share = |pages: usize| (pages * PRECISION).pow(2) / self.parts.max(1);
        (share(self.inner), share(self.all))
    }
}

impl Thinning {
    pub(super) fn of(plan: &[Planned], outline: &Outline, silent: impl Fn(usize) -> bool) -> Self {
        let is_inner = |page: usize| !outline.on_home.get(page).copied().unwrap_or(false);
        let thinned = |section: &Planned| {
            let rank = |(at, &page): (usize, &usize)| {
                let inner = is_inner(page);
                // Of posts the last are the oldest, and those say as little as the newest.
                let is_in_order = section.optional || outline.posts.contains(&page);
                let (silent, last) = if is_in_order { (false, at) } else { (silent(page), page) };
                let cited = outline.cited.get(&page).copied().unwrap_or(0);
                (inner && silent, inner, Reverse(cited), last, page)
            };
            let mut ranked: Vec<_> = section.pages.iter().enumerate().map(rank).collect();
            ranked.sort_unstable();
            let silent = ranked.iter().filter(|(silent, ..)| *silent).count();
            let inner = ranked.iter().filter(|(silent, inner, ..)| *inner && !silent).count();
            let pages = ranked.into_iter().map(|(.., page)| page).collect();
            let (head_chars, optional) = (section.head_chars(), section.optional);
            Thinned { pages, silent, inner, head_chars, optional, group: 0 }
        };
        let mut sections: Vec<_> = plan.iter().map(thinned).collect();
        let mut groups: Vec<ThinnedGroup> = Vec::new();
        let mut names: Map<&str, usize> = Map::default();
        for (planned, section) in plan.iter().zip(&mut sections) {
            let name = planned.name.as_str().split(": ").next().unwrap_or_default();
            section.group = *names.entry(name).or_insert(groups.len());
            if section.group == groups.len() {
                groups.push(ThinnedGroup::default());
            }
            let group = &mut groups[section.group];
            (group.inner, group.all) = (group.inner + section.inner, group.all + section.pages.len());
            group.parts += 1;
        }
        Self { sections, groups, dropped: Set::default() }
    }

    /// Drops the next page, and with its last page the section. Answers the page and the characters of the heading that
    /// went with it.
    pub(super) fn drop_weakest(&mut self) -> Option<(usize, usize)> {
        let of_groups = self.groups.iter().enumerate().filter(|(_, group)| group.all > 0);
        let (largest, group) = of_groups.max_by_key(|(at, group)| (group.share(), *at))?;
        let own = self.sections.iter_mut().filter(|section| !section.pages.is_empty());
        // The last in this order goes first.
        let rank = |(at, it): &(usize, &mut Thinned)| {
            let gives_way = it.optional && (group.inner == 0 || it.inner > 0);
            let is_mute = !it.optional && it.silent > 0;
            let length = (it.group == largest, it.inner, it.pages.len());
            (gives_way, is_mute, (!is_mute).then_some(length), *at)
        };
        let (_, section) = own.enumerate().max_by_key(rank)?;
        let group = self.groups.get_mut(section.group)?;
        let page = section.pages.pop()?;
        group.all -= 1;
        if section.silent > 0 {
            section.silent -= 1;
        } else if section.inner > 0 {
            section.inner -= 1;
            group.inner -= 1;
        }
        self.dropped.insert(page);
        Some((page, if section.pages.is_empty() { section.head_chars } else { 0 }))
    }

    /// Takes what was dropped out of the plan that it was made of.
    pub(super) fn apply(self, plan: &mut Vec<Planned>) {
        for section in plan.iter_mut() {
            section.pages.retain(|page| !self.dropped.contains(page));
        }
        plan.retain(|section| !section.pages.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::llms_txt::inline::Name;

    fn plan(sections: &[(bool, std::ops::Range<usize>)]) -> Vec<Planned> {
        let name = Name::clean("Kilns").unwrap();
        let planned = |(optional, pages): &(bool, std::ops::Range<usize>)| Planned {
            name: name.clone(),
            optional: *optional,
            pages: pages.clone().collect(),
        };
        sections.iter().map(planned).collect()
    }

    #[test]
    fn pages_give_way_by_section_by_what_they_say_and_by_when_they_were_chosen() {
        let outline = Outline { on_home: vec![false, false, false, true], ..Outline::default() };
        let mut plan = plan(&[(false, 0..4), (false, 4..7), (true, 7..9)]);
        plan[0].pages.reverse();
        plan[2].pages.reverse();
        let head = plan[0].head_chars();
        let mut thinning = Thinning::of(&plan, &outline, |page| [0, 8].contains(&page));
        let dropped: Vec<_> = std::iter::from_fn(|| thinning.drop_weakest()).take(6).collect();
        // The optional section from its end, whatever its pages say, then the page that says nothing, then of the section with
        // most that the home page leaves out.
        assert_eq!(dropped, [(7, 0), (8, head), (0, 0), (6, 0), (2, 0), (5, 0)]);
        thinning.apply(&mut plan);
        assert_eq!(
            plan.iter().map(|section| section.pages.as_slice()).collect::<Vec<_>>(),
            [&[3, 1][..], &[4]]
        );
    }

    #[test]
    fn of_posts_the_oldest_goes_first() {
        let mut plan = plan(&[(false, 0..4)]);
        plan[0].pages = vec![2, 0, 3, 1];
        let dropped = |posts: &[usize]| {
            let outline = Outline { posts: posts.iter().copied().collect(), ..Outline::default() };
            Thinning::of(&plan, &outline, |page| page == 2).drop_weakest().map(|(page, _)| page)
        };
        assert_eq!([dropped(&[]), dropped(&[0, 1, 2, 3])], [Some(2), Some(1)]);
    }

    #[test]
    fn optional_pages_of_the_home_page_stay_while_others_have_inner_ones() {
        let outline = Outline { on_home: [vec![false; 4], vec![true; 2]].concat(), ..Outline::default() };
        let mut plan = plan(&[(false, 0..2), (true, 2..6)]);
        plan[1].name = Name::clean("Optional").unwrap();
        let mut thinning = Thinning::of(&plan, &outline, |_| false);
        let dropped: Vec<_> = std::iter::from_fn(|| thinning.drop_weakest()).map(|(page, _)| page).collect();
        assert_eq!(dropped, [3, 2, 1, 0, 5, 4]);
    }

    #[test]
    fn of_equal_pages_the_one_that_the_fewest_link_to_goes_first() {
        let outline = Outline { cited: [(0, 2), (1, 9), (2, 3)].into_iter().collect(), ..Outline::default() };
        let mut thinning = Thinning::of(&plan(&[(false, 0..3)]), &outline, |_| false);
        let dropped: Vec<_> = std::iter::from_fn(|| thinning.drop_weakest()).map(|(page, _)| page).collect();
        assert_eq!(dropped, [0, 2, 1]);
    }

    #[test]
    fn a_group_of_many_sections_gives_way_before_a_short_one() {
        let mut plan =
            plan(&[(false, 0..15), (false, 15..25), (false, 25..35), (false, 35..45), (false, 45..55)]);
        for (section, name) in plan.iter_mut().zip(["Tutorial", "API: A", "API: B", "API: C", "API: D"]) {
            section.name = Name::clean(name).unwrap();
        }
        let mut thinning = Thinning::of(&plan, &Outline::default(), |_| false);
        assert_eq!(std::iter::from_fn(|| thinning.drop_weakest()).take(11).count(), 11);
        thinning.apply(&mut plan);
        // Four sections share the room of two groups.
        assert_eq!(plan.iter().map(|section| section.pages.len()).collect::<Vec<_>>(), [15, 8, 7, 7, 7]);
    }

    #[test]
    fn thinning_is_linear() {
        for all in [100, 10_000] {
            let mut plan = plan(&[(false, 0..all)]);
            let looks = Cell::new(0);
            let mut thinning = Thinning::of(&plan, &Outline::default(), |_| {
                looks.set(looks.get() + 1);
                false
            });
            assert_eq!((1..all).filter_map(|_| thinning.drop_weakest()).count(), all - 1);
            thinning.apply(&mut plan);
            assert_eq!((looks.get(), plan[0].pages.as_slice()), (all, &[0][..]));
        }
    }
}
