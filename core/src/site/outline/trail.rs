//! Where each page stands in the site's own structure.

use std::cell::LazyCell;

use super::name::{caption, humanised};
use super::{Fetched, families};
use crate::maps::{Map, Set};
use crate::site::addresses::Id;
use crate::site::navigation::{Navigation, Strength};
use crate::site::rank::{Class, classify, classify_label, content_segments, is_skippable_title, stem};

/// How many steps are climbed from a page to the home page.
const MAX_STEPS: usize = 12;

/// How many names of a trail count.
const MAX_NAMES: usize = 4;

/// What is known of one page's place.
#[derive(Debug, Clone)]
pub(super) struct Trail {
    /// From the general to the special; empty for pages that stand for themselves.
    pub(super) names: Vec<String>,
    /// Compared as a list, gives the reading order.
    pub(super) order: Vec<u32>,
    /// The place in the sitemap.
    pub(super) sitemap: u32,
    pub(super) is_home: bool,
    /// The home page links to it.
    pub(super) on_home: bool,
    /// What the page is for.
    pub(super) class: Class,
    /// The same by its address alone.
    pub(super) class_of_path: Class,
}

/// A step of the climb: a page above, or a caption.
enum Step {
    Page(Id),
    Caption(String),
}

struct Climb {
    /// From the special to the general.
    steps: Vec<Step>,
    order: Vec<u32>,
    anchored: bool,
}

/// The trails of all pages, in their order.
pub(super) fn trails(navigation: &Navigation, pages: &[Fetched]) -> Vec<Trail> {
    let ids: Vec<Option<Id>> = pages.iter().map(|p| navigation.addresses().find(&p.url)).collect();
    let own: Vec<Option<String>> = (ids.iter().zip(pages))
        .map(|(id, page)| id.and_then(|id| page_name(navigation, id, Some(page))))
        .collect();
    let called: Map<Id, &Option<String>> =
        ids.iter().zip(&own).filter_map(|(id, own)| Some(((*id)?, own))).collect();
    let climbs: Vec<Climb> =
        ids.iter().map(|id| id.map_or_else(Climb::nowhere, |id| climb(navigation, id))).collect();
    let hubs: Set<Id> = climbs
        .iter()
        .flat_map(|c| &c.steps)
        .filter_map(|step| if let Step::Page(id) = step { Some(*id) } else { None })
        .collect();
    let name = |step: &Step| match step {
        Step::Caption(caption) => Some(caption.clone()),
        Step::Page(id) => called.get(id).map_or_else(|| page_name(navigation, *id, None), |&own| own.clone()),
    };
    let mut trails: Vec<Trail> = Vec::with_capacity(pages.len());
    for (((page, id), climb), own) in pages.iter().zip(&ids).zip(&climbs).zip(&own) {
        let is_home = id.is_some_and(|id| navigation.is_home(id));
        let mut names: Vec<String> = climb.steps.iter().rev().filter_map(name).collect();
        if id.is_some_and(|id| hubs.contains(&id) && !is_home) {
            names.extend(own.clone());
        }
        names.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
        names.truncate(MAX_NAMES);
        let label = id.and_then(|id| navigation.best(id)).and_then(|m| navigation.label_of(m));
        let class_of_path = classify(&page.url, true).unwrap_or(Class::Main);
        let class = class_of(class_of_path, page, label, &names);
        trails.push(Trail {
            names,
            order: if climb.anchored || !climb.order.is_empty() {
                climb.order.clone()
            } else {
                vec![u32::MAX]
            },
            sitemap: id.and_then(|id| navigation.sitemap_order(id)).unwrap_or(u32::MAX),
            is_home,
            on_home: id.is_some_and(|id| navigation.on_home(id)),
            class,
            class_of_path,
        });
    }
    let anchored: Vec<bool> = climbs.iter().map(|c| c.anchored).collect();
    settle_strays(pages, &anchored, &own, &mut trails);
    families::name_by_prefix(pages, &mut trails);
    trails
}

impl Climb {
    fn nowhere() -> Self {
        Self { steps: Vec::new(), order: Vec::new(), anchored: false }
    }
}

/// Climbs from a page to the home page or a menu along the best mentions.
fn climb(navigation: &Navigation, id: Id) -> Climb {
    let mut climb = Climb::nowhere();
    let mut visited = vec![id];
    let mut at = id;
    while visited.len() <= MAX_STEPS {
        let Some(mention) = navigation.best(at) else { break };
        climb.order.push(mention.order);
        let group = navigation.group_of(mention).and_then(caption);
        let outer = navigation.outer_of(mention).and_then(caption);
        let parent = navigation.parent_of(mention);
        let on_top = parent.is_none()
            || matches!(mention.strength, Strength::HomeMenu | Strength::HomeList | Strength::Menu);
        let Some(parent) = parent else {
            climb.anchored = mention.strength != Strength::Contents || group.is_some();
            climb.steps.extend(group.into_iter().chain(outer).map(Step::Caption));
            break;
        };
        // The caption over a nested list stands above the item that holds it, which brings it along itself.
        if !on_top {
            climb.steps.extend(group.into_iter().chain(outer).map(Step::Caption));
        }
        if visited.contains(&parent) {
            break;
        }
        climb.steps.push(Step::Page(parent));
        visited.push(parent);
        at = parent;
    }
    climb.order.reverse();
    climb
}

/// What a page above others is called: as the navigation does, else by its title, else by its path.
fn page_name(navigation: &Navigation, id: Id, page: Option<&Fetched>) -> Option<String> {
    let label = navigation.best(id).and_then(|m| navigation.label_of(m)).and_then(caption);
    label.or_else(|| page.and_then(|p| p.page.name()).and_then(caption)).or_else(|| {
        let url = navigation.addresses().url(id)?;
        content_segments(url.path()).last().map(humanised)
    })
}

fn class_of(by_path: Class, page: &Fetched, label: Option<&str>, names: &[String]) -> Class {
    let mut own = label.into_iter().chain(page.page.name()).filter_map(caption);
    if own.any(|name| is_skippable_title(&name)) {
        return Class::Optional;
    }
    if matches!(by_path, Class::News | Class::Optional) {
        return by_path;
    }
    let by_label = names.iter().filter_map(|name| classify_label(name)).max();
    by_label
        .filter(|label| by_path == Class::Main || matches!(label, Class::News | Class::Optional))
        .unwrap_or(by_path)
}

/// Pages that no list names go where the other pages of their folder are, else their folder is their section.
fn settle_strays(pages: &[Fetched], anchored: &[bool], own: &[Option<String>], trails: &mut [Trail]) {
    let mut votes: Map<&str, Map<&[String], usize>> = Map::default();
    for ((page, trail), _) in pages.iter().zip(trails.iter()).zip(anchored).filter(|(_, a)| **a) {
        if let (Some(folder), [_, ..]) = (folder(page), trail.names.as_slice()) {
            let names = trail.names.get(..2).unwrap_or(&trail.names);
            *votes.entry(folder).or_default().entry(names).or_default() += 1;
        }
    }
    let winners: Map<String, Vec<String>> = votes
        .into_iter()
        .filter_map(|(folder, names)| Some((folder.to_owned(), elected(&names)?.to_vec())))
        .collect();
    // `/shoes/` is called as the menu calls it, and so is what lies below it.
    let fronts: Map<&str, usize> = pages
        .iter()
        .zip(trails.iter())
        .enumerate()
        .filter(|(_, (_, t))| t.names.is_empty() && !t.is_home)
        .map(|(at, (page, _))| (front_of(page), at))
        .collect();
    let shared = LazyCell::new(|| shared_folders(pages));
    let mut leading = Set::default();
    for ((page, trail), _) in
        pages.iter().zip(trails.iter_mut()).zip(anchored).filter(|((_, t), a)| !**a && !t.is_home)
    {
        let front = || {
            let &at = fronts.get(folder(page)?)?;
            Some((at, own.get(at)?.clone()?))
        };
        let above: Vec<String> = if let Some(names) = folder(page).and_then(|f| winners.get(f)) {
            names.clone()
        } else if let Some((at, name)) = front() {
            leading.insert(at);
            vec![name]
        } else {
            folders(page).skip(*shared).take(2).map(humanised).collect()
        };
        if trail.names.first().is_none_or(|first| above.first() != Some(first)) {
            trail.names.splice(0..0, above);
            trail.names.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
            trail.names.truncate(MAX_NAMES);
        }
    }
    for at in leading {
        if let (Some(trail), Some(Some(name))) = (trails.get_mut(at), own.get(at))
            && trail.names.is_empty()
        {
            trail.names.push(name.clone());
        }
    }
}

/// The folder that a page stands in front of: `/shoes` for `/shoes/`, `/shoes/index.html` and `/shoes.html`.
fn front_of(page: &Fetched) -> &str {
    let path = page.url.path();
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let name = stem(file);
    if matches!(name, "" | "index" | "default") {
        return folder;
    }
    path.get(..path.len() - (file.len() - name.len())).unwrap_or(path)
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

/// The folder of a page that is not the root.
fn folder(page: &Fetched) -> Option<&str> {
    page.url.path().rsplit_once('/').map(|(folder, _)| folder).filter(|folder| !folder.is_empty())
}

/// The telling folders of a page, and for `/docs/` or `/docs/index.html` that folder too.
fn folders(page: &Fetched) -> impl Iterator<Item = &str> {
    let path = page.url.path();
    let all = content_segments(path).count();
    let file =
        !path.ends_with('/') && path.rsplit('/').next().is_some_and(|f| content_segments(f).next().is_some());
    content_segments(path).take(all.saturating_sub(usize::from(file)))
}

/// How many leading folders all pages below the root share: they tell nothing.
fn shared_folders(pages: &[Fetched]) -> usize {
    let mut inner = pages.iter().filter(|p| folders(p).next().is_some());
    let Some(first) = inner.next() else { return 0 };
    let first: Vec<&str> = folders(first).collect();
    inner.fold(first.len(), |shared, page| {
        first.iter().zip(folders(page)).take_while(|(a, b)| *a == b).count().min(shared)
    })
}
