//! Where each page stands in the site's own structure.

use super::CrawledPage;
use super::news::{settle_dated, settle_news};
use super::steps::Steps;
use super::strays::{folder_homes, settle_strays};
use super::trail::{Trail, Trails};
use crate::maps::{Counts, Set};
use crate::site::addresses::Id;
use crate::site::rank::{Class, classify, day_of, is_post, speaks_of_owner};
use crate::site::structure::{Item, Step, Structure};
use crate::site::version::is_year;
use crate::url::{SiteUrl, segments};

/// The fewest posts of a topic.
const MIN_TOPIC: usize = 3;
/// Of so many posts of topics one may be listed by another one, too.
const MAX_DOUBLED: usize = 2;

/// The trails of all pages.
pub(super) fn trails(structure: &Structure, pages: &[CrawledPage]) -> Trails {
    let ids: Vec<Option<Id>> = pages.iter().map(|page| structure.addresses().find(&page.url)).collect();
    let mut ways = Steps::new(structure, pages, &ids);
    let mut of_menus: Set<String> = Set::default();
    let mut led: Set<String> = Set::default();
    let mut trails: Vec<Trail> = Vec::with_capacity(pages.len());
    let mut listed: Vec<Listed> = Vec::new();
    for (page, id) in pages.iter().zip(&ids) {
        let (class, steps) = match id {
            Some(id) => ways.to(page, *id),
            None => (classify(&page.url), Vec::new()),
        };
        let is_dated = || class == Class::News && page.page.published.is_some();
        if (is_post(&page.url) || is_dated())
            && steps.last().is_none_or(|step| structure.is_only_listed(step.item))
        {
            listed.push(Listed { at: trails.len(), by: steps.last().map(|step| step.item) });
        }
        let names = ways.names(&steps);
        match steps.first() {
            Some(step) if structure.is_of_menus(step.item) => of_menus.extend(names.first().cloned()),
            Some(Step { item: Item::Page(_), .. }) => led.extend(names.first().cloned()),
            _ => {}
        }
        let above = steps.last().and_then(|step| step.entry);
        trails.push(trail(structure, page, class, *id, names, above));
    }
    let topics = topics(structure, &listed);
    listed.retain(|post| post.by.is_none_or(|by| !topics.contains(&by)));
    put_together(&mut trails, &listed);
    let mut naming = lead(&mut trails, &ids, &mut ways);
    scatter(&mut trails, &led);
    naming.retain(|&at| trails.get(at).is_some_and(|trail| !trail.names.is_empty()));
    let with = |holds: fn(&Structure, Id) -> bool| -> Set<usize> {
        let known = ids.iter().enumerate().filter_map(|(at, id)| Some((at, (*id)?)));
        known.filter(|&(_, id)| holds(structure, id)).map(|(at, _)| at).collect()
    };
    let (in_menus, in_bar) = (with(Structure::is_in_menu), with(Structure::is_in_top_menu));
    let (in_home_menu, on_home) = (with(Structure::is_in_home_menu), with(Structure::is_shown_by_home));
    let homes = folder_homes(pages, &trails);
    let unplaced = |(at, trail): (usize, &Trail)| (trail.names.is_empty() && !trail.is_home).then_some(at);
    let unplaced: Vec<usize> = trails.iter().enumerate().filter_map(unplaced).collect();
    let name = |id: Id| ways.name(id);
    naming.extend(settle_strays(pages, &ids, name, (&homes, &in_menus), &unplaced, &mut trails));
    for (trail, id) in trails.iter_mut().zip(&ids) {
        let is_left_behind = id.is_some_and(|id| ways.left_behind.contains(&id));
        trail.is_optional |= is_left_behind && trail.names.is_empty();
    }
    let name_at = |at: usize| ids.get(at).copied().flatten().and_then(|id| ways.name(id));
    naming.extend(settle_news(pages, &in_bar, name_at, &mut trails));
    settle_dated(pages, &naming, &mut trails);
    let strays = unplaced.into_iter().filter(|at| !in_menus.contains(at)).collect();
    Trails { pages: trails, hubs: naming, of_menus, in_menus, strays, in_bar, in_home_menu, on_home }
}

/// A page that names a group is its first. Answers those that do.
fn lead(trails: &mut [Trail], ids: &[Option<Id>], ways: &mut Steps<'_>) -> Set<usize> {
    let mut naming: Set<usize> = Set::default();
    for (at, (trail, id)) in trails.iter_mut().zip(ids).enumerate().filter(|(_, (trail, _))| !trail.is_home) {
        if let Some(names) = id.and_then(|id| ways.hubs.remove(&id)) {
            trail.names = names;
            naming.insert(at);
        }
    }
    naming
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
    let is_there_to_be_found = id.is_some_and(|id| {
        structure.is_in_top_menu(id) || structure.is_in_home_menu(id) && speaks_of_owner(&page.url)
    });
    let is_skipped = class == Class::Optional && !is_there_to_be_found;
    let rank = id.and_then(|id| structure.rank(id, above)).unwrap_or((u64::MAX, u64::MAX));
    Trail {
        names,
        order: (rank.0, rank.1, id.and_then(|id| structure.sitemap_order(id)).unwrap_or(u32::MAX)),
        is_home,
        class,
        published: is_news.then(|| page.page.published.clone().or_else(|| day_of(page.url.path()))).flatten(),
        is_optional: !is_home && (is_aside || is_news || is_skipped),
    }
}

/// A post that only lists place, and what places it.
struct Listed {
    at: usize,
    by: Option<Item>,
}

/// The pages that the home page shows and that divide posts among them, most of which only one lists: the topics of a blog, but
/// for its months.
fn topics(structure: &Structure, posts: &[Listed]) -> Set<Item> {
    let counts: Counts<Item> = posts.iter().filter_map(|post| post.by).collect();
    let (mut topics, mut all, mut doubled) = (Set::default(), 0, 0);
    let is_month = |url: &SiteUrl| segments(url.path()).any(is_year);
    for (item, posts) in counts.0 {
        let Item::Page(hub) = item else { continue };
        let is_topic = structure.addresses().url(hub).is_some_and(|url| !is_month(url));
        if posts >= MIN_TOPIC && is_topic && structure.is_shown_by_home(hub) {
            topics.insert(item);
            (all, doubled) = (all + posts, doubled + structure.listed_elsewhere(hub) as usize);
        }
    }
    if topics.len() > 1 && doubled * MAX_DOUBLED <= all { topics } else { Set::default() }
}

/// Posts that only lists place, by their month, a word or as the latest ones, are all of what most of them stand under, if
/// anything.
fn put_together(trails: &mut [Trail], posts: &[Listed]) {
    let names = posts.iter().filter_map(|post| trails.get(post.at).map(|trail| trail.names.clone()));
    let counts: Counts<Vec<String>> = names.filter(|names| !names.is_empty()).collect();
    let most = counts.most().filter(|(_, count)| count * 2 > posts.len());
    let names = most.map(|(names, _)| names).unwrap_or_default();
    for post in posts {
        if let Some(trail) = trails.get_mut(post.at) {
            trail.names.clone_from(&names);
        }
    }
}
