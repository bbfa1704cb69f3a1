//! Where each page stands in the site's own structure.

use super::CrawledPage;
use super::name::humanised;
use crate::maps::{Counts, Map, Set};
use crate::site::addresses::Id;
use crate::site::rank::{Class, classify, content_segments, is_index, stem};
use crate::site::structure::{Item, Step, Structure};
use crate::site::version::is_year;

/// How many names of a trail count.
const MAX_NAMES: usize = 4;
/// How many folders above a page are asked where their pages stand.
const MAX_FOLDERS: usize = 8;
/// One in so many pages of a folder must be placed to tell where the others belong.
const FEW_PLACED: usize = 4;
/// The most pages at the root of a site that is a folder of its host.
const MAX_AT_ROOT: usize = 3;
/// How many folders of an address name a page that nothing else places.
const NAMED_FOLDERS: usize = 2;

/// The places of all pages.
#[derive(Debug)]
pub(super) struct Trails {
    /// By page.
    pub(super) pages: Vec<Trail>,
    /// Pages by which the last of their own names is called.
    pub(super) hubs: Set<usize>,
    /// Names of groups on the top level of menus.
    pub(super) of_menus: Set<String>,
    /// Pages that menus show.
    pub(super) in_menus: Set<usize>,
    /// Pages that no list names: they follow the others of their folder.
    pub(super) strays: Set<usize>,
    /// Those that stand for themselves in the menu across the top of the home page.
    pub(super) in_bar: Set<usize>,
    /// Pages that the home page links to.
    pub(super) on_home: Set<usize>,
}

/// A place in the site's own order: that of the page above, the page's own, that in the sitemap.
pub(super) type TrailOrder = (u64, u64, u32);

/// What is known of one page's place.
#[derive(Debug, Clone)]
pub(super) struct Trail {
    /// From the general to the special; empty for pages that stand for themselves.
    pub(super) names: Vec<String>,
    /// The place in the site's own order, and behind those that have one, in the sitemap.
    pub(super) order: TrailOrder,
    pub(super) is_home: bool,
    /// What was new once: a post, a piece of news.
    pub(super) is_news: bool,
    /// The day of that, as the page or its address has it: `YYYY-MM-DD`, or less of it.
    pub(super) published: Option<String>,
    /// A reader who is short of room can skip it.
    pub(super) is_optional: bool,
}

/// The trails of all pages.
pub(super) fn trails(structure: &Structure, pages: &[CrawledPage]) -> Trails {
    let ids: Vec<Option<Id>> = pages.iter().map(|page| structure.addresses().find(&page.url)).collect();
    let fetched: Map<Id, &CrawledPage> =
        ids.iter().zip(pages).filter_map(|(id, page)| Some(((*id)?, page))).collect();
    // What no link names and no reader sees names nothing.
    // What a text calls a page may be a part of it.
    // What several pages call themselves names what stands below none of them: "Introduction".
    let owns: Counts<&str> = pages.iter().filter_map(|page| page.page.name()).collect();
    let name = |id: Id| {
        let own = || fetched.get(&id)?.page.name().filter(|&name| owns.of(&name) == 1);
        structure.shown_label(id).or_else(own).or_else(|| structure.label_of(id))
    };
    let mut hubs: Map<Id, Vec<String>> = Map::default();
    let mut of_menus: Set<String> = Set::default();
    let mut led: Set<String> = Set::default();
    let mut trails: Vec<Trail> = Vec::with_capacity(pages.len());
    let mut asides: Map<Id, bool> = Map::default();
    for (page, id) in pages.iter().zip(&ids) {
        let class = classify(&page.url);
        let mut steps = id.map(|id| structure.trail(id)).unwrap_or_default();
        // What a list of changes speaks of is no part of it.
        let mut stands_aside = |step: &Step<'_>| match step.item {
            Item::Page(id) => *asides.entry(id).or_insert_with(|| {
                let url = structure.addresses().url(id);
                url.is_some_and(|url| is_aside(classify(url)))
            }),
            Item::Group(_) => false,
        };
        if !is_aside(class) && steps.iter().any(&mut stands_aside) {
            steps.clear();
        }
        let names = names_of(&steps, &mut hubs, name);
        match steps.first() {
            Some(step) if structure.is_of_menus(step.item) => of_menus.extend(names.first().cloned()),
            Some(Step { item: Item::Page(_), .. }) => led.extend(names.first().cloned()),
            _ => {}
        }
        let above = steps.last().and_then(|step| step.entry);
        trails.push(trail(structure, page, class, *id, names, above));
    }
    // A page that names a group is its first.
    let mut naming: Set<usize> = Set::default();
    for (at, (trail, id)) in trails.iter_mut().zip(&ids).enumerate().filter(|(_, (trail, _))| !trail.is_home)
    {
        if let Some(names) = id.and_then(|id| hubs.remove(&id)) {
            trail.names = names;
            naming.insert(at);
        }
    }
    scatter(&mut trails, &led);
    naming.retain(|&at| trails.get(at).is_some_and(|trail| !trail.names.is_empty()));
    let with = |holds: fn(&Structure, Id) -> bool| -> Set<usize> {
        let known = ids.iter().enumerate().filter_map(|(at, id)| Some((at, (*id)?)));
        known.filter(|&(_, id)| holds(structure, id)).map(|(at, _)| at).collect()
    };
    let (in_menus, in_bar) = (with(Structure::is_in_menu), with(Structure::is_in_top_menu));
    let on_home = with(Structure::is_shown_by_home);
    let homes = folder_homes(pages, &trails);
    let unplaced = |(at, trail): (usize, &Trail)| (trail.names.is_empty() && !trail.is_home).then_some(at);
    let unplaced: Vec<usize> = trails.iter().enumerate().filter_map(unplaced).collect();
    naming.extend(settle_strays(pages, &ids, name, (&homes, &in_menus), &unplaced, &mut trails));
    let strays = unplaced.into_iter().filter(|at| !in_menus.contains(at)).collect();
    Trails { pages: trails, hubs: naming, of_menus, in_menus, strays, in_bar, on_home }
}

/// Whether a page tells what is new, or can be skipped.
fn is_aside(class: Class) -> bool {
    matches!(class, Class::News | Class::Optional)
}

/// A group of one page is none, nor is a page with one below it. `led` has the names of groups that a page leads and no label.
fn scatter(trails: &mut [Trail], led: &Set<String>) {
    let sizes: Counts<String> = trails.iter().filter_map(|trail| trail.names.first().cloned()).collect();
    let is_alone = |name: &String| sizes.of(name) <= 1 + usize::from(led.contains(name));
    for trail in trails.iter_mut().filter(|trail| trail.names.first().is_some_and(is_alone)) {
        trail.names.clear();
    }
}

fn trail(
    structure: &Structure,
    page: &CrawledPage,
    class: Class,
    id: Option<Id>,
    names: Vec<String>,
    above: Option<Id>,
) -> Trail {
    let is_home = id.is_some_and(|id| structure.is_home(id));
    let is_news = class == Class::News;
    let is_aside = names.is_empty() && id.is_some_and(|id| structure.is_in_margins_only(id));
    let rank = id.and_then(|id| structure.rank(id, above)).unwrap_or((u64::MAX, u64::MAX));
    Trail {
        names,
        order: (rank.0, rank.1, id.and_then(|id| structure.sitemap_order(id)).unwrap_or(u32::MAX)),
        is_home,
        is_news,
        published: is_news.then(|| page.page.published.clone().or_else(|| day_of(page.url.path()))).flatten(),
        is_optional: !is_home
            && (is_aside
                || is_news
                || class == Class::Optional && !id.is_some_and(|id| structure.is_in_top_menu(id))),
    }
}

/// The day in an address: of `/2015/02/24/kilns`, `/2015-02-24-kilns` and `/2015-02-kilns`.
fn day_of(path: &str) -> Option<String> {
    let mut parts = path.split(['/', '-', '_']).skip_while(|part| !is_year(part));
    let year = parts.next()?;
    let is_number = |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    Some(parts.take(2).take_while(is_number).fold(year.to_owned(), |day, part| format!("{day}-{part:0>2}")))
}

/// The names of the steps to a page. Of each page among them, which trail is its own is noted.
fn names_of<'n>(
    steps: &[Step<'n>],
    hubs: &mut Map<Id, Vec<String>>,
    name: impl Fn(Id) -> Option<&'n str>,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for step in steps {
        let said = match (step.label, step.entry) {
            (Some(label), _) => Some(label),
            (None, page) => page.and_then(&name),
        };
        let is_new = |said: &&str| names.last().is_none_or(|last| last.to_lowercase() != said.to_lowercase());
        if let Some(said) = said.filter(is_new).filter(|_| names.len() < MAX_NAMES) {
            names.push(said.to_owned());
        }
        if let Some(entry) = step.entry {
            hubs.entry(entry).or_insert_with(|| names.clone());
        }
    }
    names
}

/// The `strays`, which no list names, go where the other pages of their folder are, else below the page that stands for their folder,
/// else their folder names them. Answers the pages that got the name they give.
fn settle_strays<'n>(
    pages: &[CrawledPage],
    ids: &[Option<Id>],
    name: impl Fn(Id) -> Option<&'n str>,
    (homes, in_menus): (&Map<String, Vec<String>>, &Set<usize>),
    strays: &[usize],
    trails: &mut [Trail],
) -> Vec<usize> {
    let fronts: Map<&str, usize> = (pages.iter().zip(trails.iter()).enumerate())
        .filter(|(_, (_, trail))| !trail.is_home)
        .map(|(at, (page, _))| (front_of(page), at))
        .collect();
    let front_name = |at: usize| ids.get(at).copied().flatten().and_then(&name);
    let shared = shared_folders(pages);
    let mut settled: Vec<(usize, Vec<String>)> = Vec::new();
    let mut named_by_path: Map<usize, String> = Map::default();
    let mut leading: Map<usize, String> = Map::default();
    for &at in strays {
        let Some(page) = pages.get(at) else { continue };
        let above = folders_above(page).find_map(|folder| {
            // What a menu shows beside a group is not in it, unless it stands for the group's folder.
            let is_beside = in_menus.contains(&at) && front_of(page) != folder;
            if let Some(names) = homes.get(folder).filter(|_| !is_beside) {
                return Some(names.clone());
            }
            let &front = fronts.get(folder).filter(|&&front| front != at)?;
            let by_folder = || content_segments(folder).last().map(humanised);
            let own = front_name(front).map(str::to_owned).or_else(by_folder)?;
            leading.insert(front, own.clone());
            let mut names = trails.get(front).map(|trail| trail.names.clone()).unwrap_or_default();
            if names.last() != Some(&own) {
                names.push(own);
            }
            Some(names)
        });
        let by_path = || {
            folders(page)
                .skip(shared)
                .filter(|folder| folder.contains(char::is_alphabetic))
                .take(NAMED_FOLDERS)
                .map(humanised)
                .collect::<Vec<_>>()
        };
        if above.is_none() {
            named_by_path.extend(by_path().into_iter().next().map(|name| (at, name)));
        }
        settled.push((at, above.unwrap_or_else(by_path)));
    }
    // A folder of one page is no group.
    let sizes: Counts<&str> = named_by_path.values().map(String::as_str).collect();
    let is_alone = |at: &usize| named_by_path.get(at).is_some_and(|name| sizes.of(name.as_str()) == 1);
    settled.retain(|(at, _)| !is_alone(at));
    for (at, names) in settled {
        if let Some(trail) = trails.get_mut(at) {
            trail.names = names;
        }
    }
    let mut named = Vec::new();
    for (at, own) in leading {
        if let Some(trail) = trails.get_mut(at).filter(|trail| trail.names.is_empty()) {
            trail.names.push(own);
            named.push(at);
        }
    }
    named
}

/// For each folder where most of its pages stand: two names deep, else one. What has no place of its own lies in the home
/// page's folder, and stands nowhere for that.
fn folder_homes(pages: &[CrawledPage], trails: &[Trail]) -> Map<String, Vec<String>> {
    let mut votes: Map<&str, (usize, Map<&[String], usize>)> = Map::default();
    for (page, trail) in pages.iter().zip(trails) {
        let names = trail.names.get(..2).unwrap_or(&trail.names);
        for folder in folders_above(page) {
            let (all, votes) = votes.entry(folder).or_default();
            *all += 1;
            if !names.is_empty() {
                *votes.entry(names).or_default() += 1;
            }
        }
    }
    let home = pages.iter().zip(trails).find(|(_, trail)| trail.is_home).map(|(page, _)| front_of(page));
    let inner = votes.into_iter().filter(|(folder, _)| home != Some(*folder));
    let homes = inner.filter_map(|(folder, (all, votes))| {
        let placed: usize = votes.values().sum();
        let home = elected(&votes).filter(|_| placed * FEW_PLACED >= all)?;
        Some((folder.to_owned(), home.to_vec()))
    });
    homes.collect()
}

/// The place that most pages of a folder have: two names deep, else one, else none.
fn elected<'a>(votes: &Map<&'a [String], usize>) -> Option<&'a [String]> {
    let all: usize = votes.values().sum();
    let (names, count) = votes.iter().max_by_key(|(names, count)| (**count, **names))?;
    if count * 2 > all {
        return Some(names);
    }
    let mut firsts: Map<&[String], usize> = Map::default();
    for (names, count) in votes {
        *firsts.entry(names.get(..1)?).or_default() += count;
    }
    let (first, count) = firsts.into_iter().max_by_key(|(names, count)| (*count, *names))?;
    (count * 2 > all).then_some(first)
}

/// The folder that a page stands in front of: `/shoes` for `/shoes/`, `/shoes/index.html` and `/shoes.html`.
pub(super) fn front_of(page: &CrawledPage) -> &str {
    let path = page.url.path();
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let name = stem(file);
    if name.is_empty() || is_index(file) {
        return folder;
    }
    path.get(..path.len() - (file.len() - name.len())).unwrap_or(path)
}

/// The folders that a page lies in, from the innermost, without the root.
fn folders_above(page: &CrawledPage) -> impl Iterator<Item = &str> {
    let parent = |path: &str| path.rfind('/');
    let path = page.url.path();
    let first = parent(path).and_then(|end| path.get(..end));
    std::iter::successors(first, move |folder| folder.get(..parent(folder)?))
        .take_while(|folder| !folder.is_empty())
        .take(MAX_FOLDERS)
}

/// The telling folders of a page, and for `/docs/` or `/docs/index.html` that folder too.
pub(super) fn folders(page: &CrawledPage) -> impl Iterator<Item = &str> {
    let path = page.url.path();
    let all = content_segments(path).count();
    let file =
        !path.ends_with('/') && path.rsplit('/').next().is_some_and(|f| content_segments(f).next().is_some());
    content_segments(path).take(all.saturating_sub(usize::from(file)))
}

/// How many leading folders all pages below the root share: they tell nothing, unless other pages stand at the root.
fn shared_folders(pages: &[CrawledPage]) -> usize {
    let at_root = pages.iter().filter(|p| folders(p).next().is_none()).count();
    if at_root > MAX_AT_ROOT {
        return 0;
    }
    common(pages.iter().map(|page| folders(page).collect::<Vec<_>>()).filter(|folders| !folders.is_empty()))
}

/// How many leading folders all have in common.
pub(super) fn common<'a>(mut all: impl Iterator<Item = Vec<&'a str>>) -> usize {
    let Some(first) = all.next() else { return 0 };
    all.fold(first.len(), |shared, folders| {
        first.iter().zip(folders).take_while(|(a, b)| **a == *b).count().min(shared)
    })
}
