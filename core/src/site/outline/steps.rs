//! The steps that lead to a page through the site's own structure, and what each of them is called.

use super::CrawledPage;
use super::trail::lies_below;
use crate::maps::{Counts, Map, Set};
use crate::site::addresses::Id;
use crate::site::rank::{Class, classify, content_segments, is_post, stem};
use crate::site::structure::{Item, Step, Structure};
use crate::url::SiteUrl;

/// How many names of a trail count.
const MAX_NAMES: usize = 4;
/// Pages that no page links to are left behind where they are fewer than one in so many.
const FEW_ORPHANS: usize = 4;
/// So many other pages of the same label do not say that it is the name of none: the same page in other languages, say.
const FEW_NAMESAKES: usize = 2;

/// What the steps to the pages of a site are told by.
pub(super) struct Steps<'s> {
    structure: &'s Structure,
    fetched: Map<Id, &'s CrawledPage>,
    /// How many pages call themselves so: "Introduction" names what stands below none of them.
    owns: Counts<&'s str>,
    /// Pages that no page leads to, where nearly all are led to: they were left behind, as the examples of a template are.
    pub(super) left_behind: Set<Id>,
    /// Of what class the pages are that steps lead through.
    classes: Map<Id, Class>,
    /// What the pages that steps lead through have above their own pages.
    pub(super) hubs: Map<Id, Vec<String>>,
}

impl<'s> Steps<'s> {
    /// `ids` has the pages' own, as far as the site's links name them.
    pub(super) fn new(structure: &'s Structure, pages: &'s [CrawledPage], ids: &[Option<Id>]) -> Self {
        Self {
            structure,
            fetched: ids.iter().zip(pages).filter_map(|(id, page)| Some(((*id)?, page))).collect(),
            owns: pages.iter().filter_map(|page| page.page.name()).collect(),
            left_behind: left_behind(structure, ids),
            classes: Map::default(),
            hubs: Map::default(),
        }
    }

    /// What a page is called where it stands above others.
    pub(super) fn name(&self, id: Id) -> Option<&'s str> {
        let own = || self.fetched.get(&id)?.page.name().filter(|&name| self.owns.of(&name) == 1);
        let shown = self.structure.shown_label(id);
        // What menus call several pages ("Previous") names one of them only where nothing else does, nor one of two whose own
        // name has more to say of the same ("Package", "Package kiln").
        let telling = shown.filter(|label| match self.structure.namesakes(id) {
            0 => true,
            few => few < FEW_NAMESAKES && !own().is_some_and(|own| shares_word(own, label)),
        });
        telling.or_else(own).or(shown).or_else(|| self.structure.label_of(id))
    }

    /// The steps to a page that place it, and its class: what only a menu's page of news lists is news, whatever its address.
    pub(super) fn to(&mut self, page: &CrawledPage, id: Id) -> (Class, Vec<Step<'s>>) {
        let mut class = classify(&page.url);
        let mut steps = self.structure.trail(id);
        if class == Class::Main
            && !self.structure.is_in_menu(id)
            && steps.iter().any(|step| self.lists_news(step))
        {
            class = Class::News;
        }
        // What a list of changes speaks of is no part of it.
        if !is_aside(class) && steps.iter().any(|step| self.stands_aside(step)) {
            steps.clear();
        }
        let url_of = |id: Id| self.structure.addresses().url(id);
        // It may place what lies below it.
        let holds = |id: Id| url_of(id).is_some_and(|url| lies_below(&page.url, url));
        let places_none =
            |step: &Step<'_>| step.entry.is_some_and(|id| self.left_behind.contains(&id) && !holds(id));
        if let Some(at) = steps.iter().position(places_none) {
            steps.truncate(at);
        }
        // A post leads nothing, whatever stands behind it in a list.
        steps.retain(|step| !step.entry.and_then(url_of).is_some_and(is_post));
        (class, steps)
    }

    /// Whether a step is a page of a menu that lists what is new.
    fn lists_news(&mut self, step: &Step<'_>) -> bool {
        let Item::Page(id) = step.item else { return false };
        self.structure.is_in_menu(id) && self.class(id) == Some(Class::News)
    }

    fn stands_aside(&mut self, step: &Step<'_>) -> bool {
        let Item::Page(id) = step.item else { return false };
        self.class(id).is_some_and(is_aside)
    }

    fn class(&mut self, id: Id) -> Option<Class> {
        if let Some(&known) = self.classes.get(&id) {
            return Some(known);
        }
        let class = classify(self.structure.addresses().url(id)?);
        self.classes.insert(id, class);
        Some(class)
    }

    /// What the steps to a page are called. Of each page among them, which names are its own is noted.
    pub(super) fn names(&mut self, steps: &[Step<'s>]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for step in steps {
            let is_new =
                |said: &&str| names.last().is_none_or(|last| last.to_lowercase() != said.to_lowercase());
            if let Some(said) = self.said(step).filter(is_new).filter(|_| names.len() < MAX_NAMES) {
                names.push(said.to_owned());
            }
            if let Some(entry) = step.entry {
                self.hubs.entry(entry).or_insert_with(|| names.clone());
            }
        }
        names
    }

    fn said(&self, step: &Step<'s>) -> Option<&'s str> {
        let shown = |label: &str| {
            let id = step.entry.filter(|&id| spells(label, self.structure.addresses().url(id)))?;
            self.structure.shown_label(id).filter(|_| self.structure.namesakes(id) == 0)
        };
        let named = || step.label.or_else(|| self.name(step.entry?));
        step.label.and_then(shown).or_else(named)
    }
}

/// Whether a page tells what is new, or can be skipped.
fn is_aside(class: Class) -> bool {
    matches!(class, Class::News | Class::Optional)
}

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

/// Whether a label is the last segment of an address as no person writes it: in capitals or in small letters throughout.
fn spells(label: &str, url: Option<&SiteUrl>) -> bool {
    let letters = |text: &str| text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let is_made = !label.contains(char::is_lowercase) || !label.contains(char::is_uppercase);
    is_made
        && url
            .and_then(|url| content_segments(url.path()).last())
            .is_some_and(|last| letters(stem(last)) == letters(label))
}
