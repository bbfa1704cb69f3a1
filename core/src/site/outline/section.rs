//! From trails to sections: the site's own groups, two levels deep where one would be too long.

use std::cmp::Reverse;

use super::name::humanised;
use super::trail::{Trail, TrailOrder, Trails, common, folders, front_of, lies_below};
use super::{CrawledPage, OutlineSection};
use crate::maps::{Map, Set};
use crate::site::rank::content_segments;
use crate::site::version::is_year;

/// Links of a section; one of more is split where the site splits it.
const MAX_LINKS: usize = 40;
/// The most sections; of more, the smallest go where what belongs nowhere is.
const MAX_SECTIONS: usize = 60;
/// The fewest pages of a part of a group that is a section of its own.
const MIN_PART: usize = 2;
/// The fewest pages that the parts of a group hold on average, if it is to be taken apart.
const USUAL_PART: usize = 5;
/// A group with so many percent of all grouped pages is the site and no part of it.
const MOST: usize = 75;
/// The same for one that a menu shows beside others.
const MOST_OF_MENU: usize = 90;
/// So many percent of a group's pages stand in its parts, if it is to be taken apart.
const IN_PARTS: usize = 50;

/// Fewer pages than these are no site beside its posts.
const FEW: usize = 6;
/// So few pages, the home page among them, beside more posts are those of a blog.
const FEW_BESIDE: usize = 3;
/// So many pages that belong nowhere make no section of their own.
const FEW_LOOSE: usize = 3;
/// So many groups are what a site is about, and no single pages of its top menu.
const SEVERAL: usize = 3;

/// The name of the section that can be skipped; the format gives it its meaning.
pub(crate) const OPTIONAL: &str = "Optional";
/// What belongs to no group.
pub(crate) const OVERVIEW: &str = "Overview";

/// A branch of the tree of trails.
#[derive(Debug, Default)]
struct Branch {
    name: String,
    pages: Vec<usize>,
    branches: Vec<Branch>,
    /// Which branch has a name, whatever its case, while the tree grows.
    places: Map<String, usize>,
}

impl Branch {
    fn add(&mut self, names: &[String], page: usize) {
        let mut branch = self;
        for name in names {
            let Some(next) = branch.inner(name) else { return };
            branch = next;
        }
        branch.pages.push(page);
    }

    fn inner(&mut self, name: &str) -> Option<&mut Self> {
        let branches = &mut self.branches;
        let at = *self.places.entry(name.to_lowercase()).or_insert_with(|| {
            branches.push(Branch { name: name.to_owned(), ..Branch::default() });
            branches.len() - 1
        });
        self.branches.get_mut(at)
    }

    /// Takes in what another branch of the same name holds.
    fn join(&mut self, other: Self) {
        self.pages.extend(other.pages);
        for branch in other.branches {
            if let Some(same) = self.inner(&branch.name) {
                same.join(branch);
            }
        }
    }

    fn count(&self) -> usize {
        self.pages.len() + self.branches.iter().map(Branch::count).sum::<usize>()
    }

    /// Most of its pages stand in several parts that could be sections, or in one that comes apart itself.
    fn comes_apart(&self) -> bool {
        let counts = || self.branches.iter().map(Branch::count).filter(|&count| count >= MIN_PART);
        let all = self.count();
        let is_most = |count: usize| count * 100 >= all * IN_PARTS;
        let inner = |part: &Branch| is_most(part.count()) && part.comes_apart();
        (counts().count() > 1 && is_most(counts().sum())) || self.branches.iter().any(inner)
    }

    fn all_pages(&self) -> Vec<usize> {
        let inner = self.branches.iter().flat_map(Self::all_pages);
        self.pages.iter().copied().chain(inner).collect()
    }
}

/// A section before it is put into its place.
struct SectionDraft {
    name: String,
    pages: Vec<usize>,
    /// Sections of one group stand together.
    group: usize,
}

/// The sections of the index, in the order in which the site shows them.
pub(super) fn sections(
    pages: &[CrawledPage],
    trails: &Trails,
    (archives, members): (&Set<usize>, &Set<usize>),
    site_name: &str,
) -> Vec<OutlineSection> {
    let (all, trails) = (trails, &trails.pages);
    // What a menu shows is there to be found, behind what it lists.
    let is_shown =
        |at: &usize| !members.contains(at) && (!archives.contains(at) || all.in_menus.contains(at));
    let (lists, shown): (Vec<usize>, Vec<usize>) =
        (0..trails.len()).filter(is_shown).partition(|at| archives.contains(at));
    let mut optional: Vec<usize> = shown.iter().copied().filter(|&at| trails[at].is_optional).collect();
    let is_blog = is_blog(all, archives);
    if is_blog {
        optional.retain(|&at| !trails[at].is_news());
    }
    // Nor is what a site has hardly anything else than.
    let is_other = |at: &&usize| optional.binary_search(at).is_err() && !trails[**at].is_of_site();
    let others = shown.iter().filter(is_other).count();
    let is_all = |at: &usize| trails[*at].is_home || optional.binary_search(at).is_ok();
    if others < FEW && others * 5 < shown.len() || shown.iter().all(is_all) {
        optional.clear();
    }
    let mut root = Branch::default();
    for at in shown {
        if optional.binary_search(&at).is_err() {
            root.add(&trails[at].names, at);
        }
    }
    open(&mut root, &all.of_menus);
    let mut loose = std::mem::take(&mut root.pages);
    // A group of one page is none.
    let (alone, groups): (Vec<_>, Vec<_>) =
        std::mem::take(&mut root.branches).into_iter().partition(|branch| branch.count() == 1);
    root.branches = groups;
    root.branches.sort_by_key(|branch| Reverse(branch.count()));
    let small = root.branches.split_off(root.branches.len().min(MAX_SECTIONS));
    loose.extend(alone.iter().chain(&small).flat_map(Branch::all_pages));
    let groups = root.branches.into_iter().enumerate();
    let mut drafts: Vec<_> = groups.flat_map(|(group, branch)| split(branch, group, pages)).collect();
    let loose = lead(&mut drafts, loose, |at| reading_order(pages, trails, at), all, site_name);
    let mut sections = in_order(drafts, pages, all);
    // A site without groups is one, as one with hardly any is, and a few pages that belong nowhere are the site's own, as are
    // the posts of a blog.
    let grouped: usize = sections.iter().map(|section| section.pages.len()).sum();
    let is_few = loose.iter().filter(|&&at| !trails[at].is_home).count() <= FEW_LOOSE;
    let is_site = grouped * 2 < loose.len() || is_few || is_blog || is_bar(&loose, all);
    let rest = if is_site { site_name } else { OVERVIEW };
    let sorted = |mut own: Vec<usize>| {
        own.sort_by_key(|&at| reading_order(pages, trails, at));
        own
    };
    let skipped = [sorted(optional), sorted(lists)].concat();
    for (name, is_optional, rest) in [(rest, false, sorted(loose)), (OPTIONAL, true, skipped)] {
        match sections.iter_mut().find(|section| !is_optional && section.name.eq_ignore_ascii_case(name)) {
            _ if rest.is_empty() => {}
            Some(same) => same.pages.extend(rest),
            None => {
                sections.push(OutlineSection { name: name.to_owned(), optional: is_optional, pages: rest });
            }
        }
    }
    sections
}

/// Posts are most of a site's pages and most of those that its home page shows, or there is little beside them: they are what
/// the site is.
fn is_blog(trails: &Trails, archives: &Set<usize>) -> bool {
    let is_news = |at: &usize| trails.pages.get(*at).is_some_and(Trail::is_news);
    let shown = || (0..trails.pages.len()).filter(|at| !archives.contains(at));
    let posts = shown().filter(is_news).count();
    let others =
        shown().filter(|&at| !trails.pages[at].is_optional && !trails.pages[at].is_of_site()).count();
    let on_home = || trails.on_home.iter().filter(|at| !archives.contains(at));
    let is_main = || on_home().filter(|at| is_news(at)).count() * 2 > on_home().count();
    posts * 2 > shown().count() && (others <= FEW_BESIDE || is_main())
}

/// Whether several of the pages stand for themselves in the menu across the top of the home page.
fn is_bar(loose: &[usize], trails: &Trails) -> bool {
    loose.iter().filter(|at| trails.in_bar.contains(at)).count() > 1
}

/// Puts what the site's menus show beside their groups, and what it shows before them, into a section under its own name; one
/// page alone where a menu shows it before them. The home page is of the first group, where nothing else is left over. What
/// the menu across the top shows beside several groups stays behind them. Answers what is left over.
fn lead<'a>(
    drafts: &mut Vec<SectionDraft>,
    loose: Vec<usize>,
    order: impl Fn(usize) -> ReadingOrder<'a>,
    trails: &Trails,
    site_name: &str,
) -> Vec<usize> {
    let first = |draft: &SectionDraft| draft.pages.iter().map(|&at| order(at)).min();
    let Some(leading) = (0..drafts.len()).min_by_key(|&at| first(&drafts[at])) else { return loose };
    let begin = first(&drafts[leading]);
    let is_ahead = |at: usize| Some(order(at)) < begin;
    let is_shown = |at: &&usize| trails.in_menus.contains(at) || is_ahead(**at);
    let (shown, rest): (Vec<usize>, Vec<usize>) = loose.iter().partition(is_shown);
    let own: Vec<usize> = shown.iter().copied().filter(|&at| !trails.pages[at].is_home).collect();
    let of_bar = own.iter().filter(|at| trails.in_bar.contains(at)).count();
    let groups: Set<usize> = drafts.iter().map(|draft| draft.group).collect();
    let is_site = |draft: &SectionDraft| draft.name.eq_ignore_ascii_case(site_name);
    let joined = match *own {
        [] if rest.is_empty() => Some(leading),
        [] => return loose,
        [at] if !is_ahead(at) || !trails.in_menus.contains(&at) => return loose,
        [_, _, ..] if groups.len() >= SEVERAL && of_bar * 2 > own.len() => return loose,
        _ => drafts.iter().position(is_site),
    };
    match joined.and_then(|at| drafts.get_mut(at)) {
        Some(section) => section.pages.extend(shown),
        None => drafts.push(SectionDraft { name: site_name.to_owned(), pages: shown, group: usize::MAX }),
    }
    rest
}

/// Opens what holds nearly all of the site: "Documentation" above everything is no section but the site.
fn open(root: &mut Branch, of_menus: &Set<String>) {
    // Every round takes one level of the tree away.
    loop {
        let grouped: usize = root.branches.iter().map(Branch::count).sum();
        let holds_most = |branch: &Branch| {
            let most = if of_menus.contains(&branch.name) { MOST_OF_MENU } else { MOST };
            branch.count() * 100 > grouped * most
        };
        let Some(at) = root.branches.iter().position(|b| holds_most(b) && b.comes_apart()) else { return };
        let mut whole = root.branches.swap_remove(at);
        let others = std::mem::take(&mut root.branches);
        root.places.clear();
        let parts = std::mem::take(&mut whole.branches);
        for branch in [whole].into_iter().filter(|own| !own.pages.is_empty()).chain(parts).chain(others) {
            if let Some(same) = root.inner(&branch.name.clone()) {
                same.join(branch);
            }
        }
    }
}

/// One section, or if it would be too long and the site divides it, or at least its addresses do, one for each part.
fn split(mut branch: Branch, group: usize, pages: &[CrawledPage]) -> Vec<SectionDraft> {
    let name = branch.name.clone();
    let all = branch.count();
    if all > MAX_LINKS && !branch.comes_apart() {
        // A folder that holds nearly all of it divides nothing, nor do the years of what is new.
        let is_even = |part: &Branch| part.count() * 100 <= all * MOST;
        let divides = |parted: &Branch| {
            let years = parted.branches.iter().filter(|part| is_year(&part.name)).count();
            parted.comes_apart() && parted.branches.iter().all(is_even) && years * 2 < parted.branches.len()
        };
        branch = Some(by_folder(&branch, pages)).filter(divides).unwrap_or(branch);
    }
    let parts: Vec<usize> =
        branch.branches.iter().map(Branch::count).filter(|&count| count >= MIN_PART).collect();
    let in_parts: usize = parts.iter().sum();
    // One part beside hardly anything is all of it.
    let is_whole = parts.len() < 2 && all < in_parts + USUAL_PART;
    if all <= MAX_LINKS || is_whole || in_parts < parts.len() * USUAL_PART {
        return vec![SectionDraft { name, pages: branch.all_pages(), group }];
    }
    let mut drafts = Vec::new();
    for part in std::mem::take(&mut branch.branches) {
        if part.count() < MIN_PART {
            branch.pages.extend(part.all_pages());
        } else {
            drafts.push(SectionDraft {
                name: format!("{name}: {}", part.name),
                pages: part.all_pages(),
                group,
            });
        }
    }
    if !branch.pages.is_empty() {
        drafts.push(SectionDraft { name, pages: branch.pages, group });
    }
    drafts
}

/// A branch parted by the folders below the one that all its pages are in, each named by the page that stands for it.
fn by_folder(branch: &Branch, pages: &[CrawledPage]) -> Branch {
    let mut parted = Branch { name: branch.name.clone(), ..Branch::default() };
    let all = branch.all_pages();
    let of = |&at: &usize| pages.get(at).map(|page| folders(page).collect::<Vec<_>>()).unwrap_or_default();
    let depth = common(all.iter().map(of));
    let front = |page: &'_ &CrawledPage| content_segments(front_of(page)).count() == depth + 1;
    let fronts: Map<&str, &str> = (all.iter().filter_map(|&at| pages.get(at)).filter(front))
        .filter_map(|page| Some((content_segments(front_of(page)).last()?, page.page.name()?)))
        .collect();
    for at in all {
        let name =
            |folder: &&str| fronts.get(folder).map_or_else(|| humanised(folder), |&name| name.to_owned());
        let names: Vec<String> = of(&at).get(depth).map(name).into_iter().collect();
        parted.add(&names, at);
    }
    parted
}

/// Behind all that a list shows.
const LAST: TrailOrder = (u64::MAX, u64::MAX, u32::MAX);

/// Where a page stands: the home page first, then as the site shows them; posts from the newest.
type ReadingOrder<'a> = (bool, TrailOrder, Reverse<&'a str>, TrailOrder, &'a str);

fn reading_order<'a>(pages: &'a [CrawledPage], trails: &'a [Trail], at: usize) -> ReadingOrder<'a> {
    let (Some(page), Some(trail)) = (pages.get(at), trails.get(at)) else {
        return (true, LAST, Reverse(""), LAST, "");
    };
    let (order, day) = match trail.published.as_deref() {
        Some(day) if trail.is_news() => ((u64::MAX, 0, 0), day),
        Some(day) => (trail.order, day),
        None => (trail.order, ""),
    };
    (!trail.is_home, order, Reverse(day), trail.order, page.url.path())
}

/// Sections as the site shows the first of their pages, those of one group behind each other. The page that names a section
/// opens it.
fn in_order(drafts: Vec<SectionDraft>, pages: &[CrawledPage], all: &Trails) -> Vec<OutlineSection> {
    let (trails, hubs) = (&all.pages, &all.hubs);
    let first = |own: &[usize]| {
        // What no list shows does not lead the groups of the page that stands for its folder.
        let is_home = |at: &usize| trails.get(*at).is_some_and(|trail| trail.is_home);
        let is_shown = |at: &usize| !hubs.contains(at) && !all.strays.contains(at) && !is_home(at);
        let is_led = own.len() <= MIN_PART || own.iter().any(is_shown);
        let orders = own.iter().map(|&at| reading_order(pages, trails, at));
        let first = orders.map(|(_, order, day, beside, path)| (order, day, beside, path)).min();
        (!is_led, first)
    };
    // The home page says better than a list inside where a group stands, and its menu better than what it shows of the group.
    let group_first = |group: usize, own: &[usize]| {
        let mut shown: Vec<usize> = own.iter().copied().filter(|at| all.on_home.contains(at)).collect();
        let leads = |at: &usize| hubs.contains(at) && all.in_home_menu.contains(at);
        if shown.iter().any(leads) {
            shown.retain(leads);
        }
        let (is_not_led, place) = first(own);
        // So does an entry of the menu that stands for no other group.
        let others = || drafts.iter().filter(|draft| draft.group != group).flat_map(|draft| &draft.pages);
        let hub = shown.iter().copied().find(leads);
        let stands_alone =
            hub.is_some_and(|hub| !others().any(|&at| lies_below(&pages[at].url, &pages[hub].url)));
        let is_not_led = is_not_led && !stands_alone;
        (is_not_led, if shown.is_empty() { place } else { first(&shown).1 })
    };
    let mut groups: Map<usize, Vec<usize>> = Map::default();
    for draft in &drafts {
        groups.entry(draft.group).or_default().extend(&draft.pages);
    }
    let groups: Map<usize, _> =
        groups.into_iter().map(|(group, own)| (group, group_first(group, &own))).collect();
    let mut drafts = drafts;
    drafts.sort_by_cached_key(|draft| (groups.get(&draft.group).copied(), draft.group, first(&draft.pages)));
    let names_it = |at: usize, section: &str| {
        let own = trails.get(at).filter(|_| hubs.contains(&at)).and_then(|trail| trail.names.last());
        own.is_some_and(|name| section.ends_with(name.as_str()))
    };
    let sorted = drafts.into_iter().map(|mut draft| {
        draft.pages.sort_by_key(|&at| {
            let order = reading_order(pages, trails, at);
            (order.0, !names_it(at, &draft.name), order)
        });
        OutlineSection { name: draft.name, optional: false, pages: draft.pages }
    });
    sorted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;
    use crate::site::rank::Class;
    use crate::url::SiteUrl;

    #[test]
    fn a_group_with_one_part_is_not_divided() {
        let drafts = |beside: usize| {
            let mut branch = Branch { name: "Reference".to_owned(), ..Branch::default() };
            (0..50).for_each(|page| branch.add(&["All functions".to_owned()], page));
            (50..50 + beside).for_each(|page| branch.add(&[], page));
            split(branch, 0, &[]).into_iter().map(|draft| draft.name).collect::<Vec<_>>()
        };
        assert_eq!(drafts(1), ["Reference"]);
        assert_eq!(drafts(9), ["Reference: All functions", "Reference"]);
    }

    #[test]
    fn a_group_stands_where_the_home_page_shows_its_pages() {
        let url = SiteUrl::parse("https://docs.example.org/").unwrap();
        let pages = vec![CrawledPage { link: url.clone(), url, page: Page::default() }; 4];
        let trail = |order| Trail {
            names: Vec::new(),
            order: (order, 0, 0),
            is_home: false,
            class: Class::Main,
            published: None,
            is_optional: false,
        };
        let trails = |on_home: &[usize]| Trails {
            // A list inside names the last page before all others.
            pages: [2, 3, 4, 1].map(trail).to_vec(),
            hubs: Set::default(),
            of_menus: Set::default(),
            in_menus: Set::default(),
            strays: Set::default(),
            in_bar: Set::default(),
            in_home_menu: Set::default(),
            on_home: on_home.iter().copied().collect(),
        };
        let names = |trails: &Trails| {
            let draft = |name: &str, pages: [usize; 2], group| SectionDraft {
                name: name.to_owned(),
                pages: pages.to_vec(),
                group,
            };
            let drafts = vec![draft("Pots", [2, 3], 0), draft("Ovens", [0, 1], 1)];
            in_order(drafts, &pages, trails).into_iter().map(|section| section.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&trails(&[0, 2])), ["Ovens", "Pots"]);
        // A teaser does not stand for the entry of the menu.
        let entry: Set<usize> = [1].into_iter().collect();
        let led = Trails { hubs: entry.clone(), in_home_menu: entry, ..trails(&[0, 1, 2]) };
        assert_eq!(names(&led), ["Ovens", "Pots"]);
        let last: Trails = Trails { pages: [2, 9, 4, 1].map(trail).to_vec(), ..led };
        assert_eq!(names(&last), ["Pots", "Ovens"]);
        assert_eq!(names(&trails(&[])), ["Pots", "Ovens"]);
    }
}
