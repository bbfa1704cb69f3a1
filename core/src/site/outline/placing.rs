//! Where each page stands in the site's own structure.

use super::CrawledPage;
use super::strays::{folder_homes, settle_strays};
use super::trail::{Trail, Trails};
use crate::maps::{Counts, Map, Set};
use crate::site::addresses::Id;
use crate::site::rank::{Class, classify, content_segments, day_of, front, is_post, stem};
use crate::site::structure::{Item, Step, Structure};
use crate::url::{SiteUrl, below};

/// How many names of a trail count.
const MAX_NAMES: usize = 4;
/// Pages that no page links to are left behind where they are fewer than one in so many.
const FEW_ORPHANS: usize = 4;
/// So many other pages of the same label do not say that it is the name of none: the same page in other languages, say.
const FEW_NAMESAKES: usize = 2;

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
        let shown = structure.shown_label(id);
        // What menus call several pages ("Previous") names one of them only where nothing else does, nor one of two whose own
        // name has more to say of the same ("Package", "Package kiln").
        let telling = shown.filter(|label| match structure.namesakes(id) {
            0 => true,
            few => few < FEW_NAMESAKES && !own().is_some_and(|own| shares_word(own, label)),
        });
        telling.or_else(&own).or(shown).or_else(|| structure.label_of(id))
    };
    let said = |step: &Step<'_>| {
        let shown = |label: &str| {
            let id = step.entry.filter(|&id| spells(label, structure.addresses().url(id)))?;
            structure.shown_label(id).filter(|_| structure.namesakes(id) == 0)
        };
        let named = || step.label.or_else(|| name(step.entry?));
        step.label.and_then(shown).or_else(named).map(str::to_owned)
    };
    let mut hubs: Map<Id, Vec<String>> = Map::default();
    let mut of_menus: Set<String> = Set::default();
    let mut led: Set<String> = Set::default();
    let mut trails: Vec<Trail> = Vec::with_capacity(pages.len());
    let mut asides: Map<Id, bool> = Map::default();
    let mut listed: Vec<usize> = Vec::new();
    let left_behind = left_behind(structure, &ids);
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
        // It may place what lies below it.
        let holds = |id: Id| {
            let folder = structure.addresses().url(id).map(|url| front(url.path()));
            folder.is_some_and(|folder| below(page.url.path(), folder).is_some())
        };
        let places_none =
            |step: &Step<'_>| step.entry.is_some_and(|id| left_behind.contains(&id) && !holds(id));
        if let Some(at) = steps.iter().position(places_none) {
            steps.truncate(at);
        }
        // A post leads nothing, whatever stands behind it in a list.
        let url_of = |step: &Step<'_>| structure.addresses().url(step.entry?);
        steps.retain(|step| !url_of(step).is_some_and(is_post));
        if is_post(&page.url) && steps.last().is_none_or(|step| structure.is_only_listed(step.item)) {
            listed.push(trails.len());
        }
        let names = names_of(&steps, &mut hubs, said);
        match steps.first() {
            Some(step) if structure.is_of_menus(step.item) => of_menus.extend(names.first().cloned()),
            Some(Step { item: Item::Page(_), .. }) => led.extend(names.first().cloned()),
            _ => {}
        }
        let above = steps.last().and_then(|step| step.entry);
        trails.push(trail(structure, page, class, *id, names, above));
    }
    put_together(&mut trails, &listed);
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
    for (trail, _) in
        trails.iter_mut().zip(&ids).filter(|(_, id)| id.is_some_and(|id| left_behind.contains(&id)))
    {
        trail.is_optional |= trail.names.is_empty();
    }
    let strays = unplaced.into_iter().filter(|at| !in_menus.contains(at)).collect();
    Trails { pages: trails, hubs: naming, of_menus, in_menus, strays, in_bar, on_home }
}

/// Pages that no page leads to, where nearly all are led to: they were left behind, as the examples of a template are.
fn left_behind(structure: &Structure, ids: &[Option<Id>]) -> Set<Id> {
    let is_orphan = |id: &Id| !structure.is_home(*id) && !structure.is_linked(*id);
    let orphans: Set<Id> = ids.iter().copied().flatten().filter(is_orphan).collect();
    if orphans.len() * FEW_ORPHANS < ids.len() { orphans } else { Set::default() }
}

/// Whether two names have a word in common.
fn shares_word(one: &str, other: &str) -> bool {
    let is_in = |word: &str| other.split_whitespace().any(|said| said.eq_ignore_ascii_case(word));
    one.split_whitespace().any(is_in)
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

/// Posts that only lists place, by their month, a word or as the latest ones, are all of what most of them stand under, if
/// anything.
fn put_together(trails: &mut [Trail], posts: &[usize]) {
    let names = posts.iter().filter_map(|&at| trails.get(at).map(|trail| trail.names.clone()));
    let counts: Counts<Vec<String>> = names.filter(|names| !names.is_empty()).collect();
    let most = counts.most().filter(|(_, count)| count * 2 > posts.len());
    let names = most.map(|(names, _)| names).unwrap_or_default();
    for &at in posts {
        if let Some(trail) = trails.get_mut(at) {
            trail.names.clone_from(&names);
        }
    }
}

/// Whether a label is the last segment of an address as no person writes it: in capitals or in small letters throughout.
fn spells(label: &str, url: Option<&SiteUrl>) -> bool {
    let letters = |text: &str| text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let is_made = !label.contains(char::is_lowercase) || !label.contains(char::is_uppercase);
    is_made
        && url
            .and_then(|url| content_segments(url.path()).last())
            .is_some_and(|last| letters(stem(last)) == letters(label))
}

/// What the steps to a page are `said` to be. Of each page among them, which trail is its own is noted.
fn names_of(
    steps: &[Step<'_>],
    hubs: &mut Map<Id, Vec<String>>,
    said: impl Fn(&Step<'_>) -> Option<String>,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for step in steps {
        let is_new =
            |said: &String| names.last().is_none_or(|last| last.to_lowercase() != said.to_lowercase());
        if let Some(said) = said(step).filter(is_new).filter(|_| names.len() < MAX_NAMES) {
            names.push(said);
        }
        if let Some(entry) = step.entry {
            hubs.entry(entry).or_insert_with(|| names.clone());
        }
    }
    names
}
