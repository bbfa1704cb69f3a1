//! From trails to sections that a reader likes: neither too many nor too few, none too small, none too large.

use super::trail::Trail;
use super::{Fetched, Section};
use crate::maps::Map;
use crate::site::rank::Class;

/// The most sections; the overview, leftovers and the optional section come on top.
const MAX_SECTIONS: usize = 12;

/// Fewer sections than this are split where possible.
const MIN_SECTIONS: usize = 3;

/// A section larger than this, and than two fifths of all pages, is split where the structure offers it.
const LARGE_SECTION: usize = 40;

/// Below so many pages, a site needs no splitting.
const SMALL_SITE: usize = 8;

/// The name of the section that can be skipped; the format gives it its meaning.
const OPTIONAL: &str = "Optional";

/// Pages of the top level that belong to no group.
pub(crate) const OVERVIEW: &str = "Overview";

/// Everything else.
pub(crate) const OTHER: &str = "Other pages";

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
            let branches = &mut branch.branches;
            let at = *branch.places.entry(name.to_ascii_lowercase()).or_insert_with(|| {
                branches.push(Branch { name: name.clone(), ..Branch::default() });
                branches.len() - 1
            });
            let Some(next) = branch.branches.get_mut(at) else { return };
            branch = next;
        }
        branch.pages.push(page);
    }

    fn count(&self) -> usize {
        self.pages.len() + self.branches.iter().map(Branch::count).sum::<usize>()
    }

    fn into_pages(self) -> Vec<usize> {
        let mut pages = self.pages;
        for branch in self.branches {
            pages.extend(branch.into_pages());
        }
        pages
    }
}

/// The sections of the index, documentation first.
pub(super) fn sections(pages: &[Fetched], trails: &[Trail]) -> Vec<Section> {
    let skippable = |t: &Trail| !t.is_home && matches!(t.class, Class::News | Class::Optional);
    let optional: Vec<usize> =
        trails.iter().enumerate().filter(|(_, t)| skippable(t)).map(|(at, _)| at).collect();
    // A blog is not optional on a site that is a blog.
    let keeps_optional = (trails.len() - optional.len()) * 5 < trails.len();
    let optional = if keeps_optional { Vec::new() } else { optional };
    let mut root = Branch::default();
    let mut chosen = trails.len() - optional.len();
    for (at, trail) in trails.iter().enumerate() {
        if optional.binary_search(&at).is_err() {
            root.add(&trail.names, at);
        }
    }
    chosen = chosen.max(1);
    let mut loose = std::mem::take(&mut root.pages);
    let mut drafts = split(open(root.branches, &mut loose, chosen), chosen);
    gather(&mut drafts, loose, trails, chosen);
    let mut sections: Vec<Section> = drafts
        .into_iter()
        .map(|draft| Section { name: draft.name.clone(), optional: false, pages: draft.into_pages() })
        .collect();
    if !optional.is_empty() {
        sections.push(Section { name: OPTIONAL.to_owned(), optional: true, pages: optional });
    }
    for section in &mut sections {
        section.pages.sort_by(|&a, &b| reading_order(pages, trails, a).cmp(&reading_order(pages, trails, b)));
    }
    order(&mut sections, pages, trails);
    name_apart(&mut sections);
    sections
}

/// Opens what holds most of the site: "Documentation" above everything is no section but the site.
fn open(mut drafts: Vec<Branch>, loose: &mut Vec<usize>, all: usize) -> Vec<Branch> {
    let least = least_pages(all);
    // Every round takes one level of the tree away.
    let whole = |d: &Branch| d.count() * 4 > all * 3 && d.count() >= SMALL_SITE;
    let in_parts = |d: &Branch| d.branches.len() > 1 && splits_well(d, least, MAX_SECTIONS);
    while let Some(at) = drafts.iter().position(|d| whole(d) && in_parts(d)) {
        let branch = drafts.swap_remove(at);
        drafts.extend(branch.branches);
        if branch.pages.len() >= least {
            drafts.push(Branch { name: branch.name, pages: branch.pages, ..Branch::default() });
        } else {
            loose.extend(branch.pages);
        }
    }
    drafts
}

/// Splits what is too large, largest first, while there is room for more sections.
fn split(mut drafts: Vec<Branch>, all: usize) -> Vec<Branch> {
    // A split takes a branch apart for good, so the rounds end.
    loop {
        let least = least_pages(all);
        let wanted = drafts.iter().filter(|d| d.count() >= least).count();
        let too_few = wanted < MIN_SECTIONS && all >= SMALL_SITE;
        let largest = drafts
            .iter()
            .enumerate()
            .filter(|(_, d)| splits_well(d, least, MAX_SECTIONS.saturating_sub(wanted).max(2)))
            .filter(|(_, d)| {
                (too_few && d.count() > SMALL_SITE) || (d.count() > LARGE_SECTION && d.count() * 5 > all * 2)
            })
            .max_by_key(|(_, d)| d.count())
            .map(|(at, _)| at);
        let Some(at) = largest else { return drafts };
        let mut branch = drafts.swap_remove(at);
        let room = MAX_SECTIONS.saturating_sub(wanted).max(2);
        // Only a branch without pages of its own may hand its place to its single child.
        branch.branches.sort_by_key(|b| std::cmp::Reverse(b.count()));
        let mut rest = Branch { name: branch.name.clone(), pages: branch.pages, ..Branch::default() };
        for (number, child) in branch.branches.into_iter().enumerate() {
            if child.count() >= least && number < room {
                drafts.push(child);
            } else {
                rest.pages.extend(child.into_pages());
            }
        }
        if !rest.pages.is_empty() {
            drafts.push(rest);
        }
        if drafts.len() >= MAX_SECTIONS * 4 {
            return drafts;
        }
    }
}

/// Most of the pages stand in parts that are large enough for sections of their own.
fn splits_well(branch: &Branch, least: usize, room: usize) -> bool {
    let mut parts: Vec<usize> =
        branch.branches.iter().map(Branch::count).filter(|&count| count >= least).collect();
    parts.sort_unstable_by_key(|&count| std::cmp::Reverse(count));
    parts.iter().take(room).sum::<usize>() * 2 >= branch.count()
}

/// The fewest pages that make a section.
fn least_pages(all: usize) -> usize {
    match all {
        0..=20 => 2,
        21..=100 => 3,
        _ => 4,
    }
}

/// Gathers what is too small, or too much, into one section for the top level and one for the rest.
fn gather(drafts: &mut Vec<Branch>, mut loose: Vec<usize>, trails: &[Trail], all: usize) {
    let least = least_pages(all);
    let mut kept: Vec<Branch> = Vec::new();
    let mut crowded_out = Vec::new();
    drafts.sort_by_cached_key(|d| std::cmp::Reverse(d.count()));
    for draft in drafts.drain(..) {
        let room = kept.len() < MAX_SECTIONS;
        if room && (draft.count() >= least || (all < SMALL_SITE && draft.count() > 1)) {
            kept.push(draft);
        } else if draft.count() >= least {
            crowded_out.extend(draft.into_pages());
        } else {
            loose.extend(draft.into_pages());
        }
    }
    let top = |&at: &usize| trails.get(at).is_some_and(|t| t.is_home || t.on_home || t.names.is_empty());
    let (overview, other): (Vec<usize>, Vec<usize>) = loose.into_iter().partition(top);
    let (mut overview, mut other) = (overview, other);
    other.extend(crowded_out);
    if other.len() < least {
        overview.append(&mut other);
    }
    let only_home =
        overview.len() == 1 && overview.iter().all(|&at| trails.get(at).is_some_and(|t| t.is_home));
    if only_home && let Some(first) = kept.iter_mut().min_by_key(|d| first_place(d, trails)) {
        first.pages.append(&mut overview);
    }
    for (name, pages) in [(OVERVIEW, overview), (OTHER, other)] {
        if !pages.is_empty() {
            match kept.iter_mut().find(|d| d.name.eq_ignore_ascii_case(name)) {
                Some(same) => same.pages.extend(pages),
                None => kept.push(Branch { name: name.to_owned(), pages, ..Branch::default() }),
            }
        }
    }
    *drafts = kept;
}

fn first_place<'a>(draft: &Branch, trails: &'a [Trail]) -> Option<&'a [u32]> {
    let own = draft.pages.iter().filter_map(|&at| trails.get(at)).map(|t| t.order.as_slice()).min();
    let below = draft.branches.iter().filter_map(|b| first_place(b, trails)).min();
    match (own, below) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

type ReadingOrder<'a> = (bool, &'a [u32], u32, &'a str);

fn reading_order<'a>(pages: &'a [Fetched], trails: &'a [Trail], at: usize) -> ReadingOrder<'a> {
    let path = pages.get(at).map_or("", |p| p.url.path());
    trails.get(at).map_or((true, &[], u32::MAX, path), |t| (!t.is_home, t.order.as_slice(), t.sitemap, path))
}

/// Documentation before the rest, each in the order of the navigation; the overview with the home page first,
/// leftovers last but for what is optional.
///
/// A site with little documentation, or nothing else, keeps its own order throughout.
fn order(sections: &mut [Section], pages: &[Fetched], trails: &[Trail]) {
    let is_docs = |section: &Section| {
        let docs = |&&at: &&usize| trails.get(at).is_some_and(|t| t.class_of_path == Class::Docs);
        section.pages.iter().filter(docs).count() * 2 > section.pages.len()
    };
    let docs: usize = sections.iter().filter(|s| is_docs(s)).map(|s| s.pages.len()).sum();
    let docs_first = docs * 4 >= pages.len();
    sections.sort_by_cached_key(|section| {
        let has_home = section.pages.iter().any(|&at| trails.get(at).is_some_and(|t| t.is_home));
        let rank = match section.name.as_str() {
            _ if section.optional => 4,
            OTHER => 3,
            OVERVIEW if has_home => 0,
            _ if docs_first && is_docs(section) => 1,
            _ => 2,
        };
        let place = section
            .pages
            .iter()
            .filter(|&&at| trails.get(at).is_some_and(|t| !t.is_home))
            .map(|&at| reading_order(pages, trails, at))
            .min()
            .map(|(_, order, sitemap, path)| (order.to_vec(), sitemap, path.to_owned()));
        (rank, place)
    });
}

/// Sections of one name are told apart by a number; the name with a meaning belongs to its section alone.
fn name_apart(sections: &mut [Section]) {
    let mut used: Map<String, usize> = Map::default();
    for section in sections.iter_mut().filter(|s| !s.optional) {
        if section.name.eq_ignore_ascii_case(OPTIONAL) || section.name.eq_ignore_ascii_case("home") {
            OVERVIEW.clone_into(&mut section.name);
        }
        let mut name = section.name.clone();
        let count = used.entry(name.to_lowercase()).or_default();
        *count += 1;
        if *count > 1 {
            name = format!("{name} ({count})");
            used.insert(name.to_lowercase(), 1);
        }
        section.name = name;
    }
}
