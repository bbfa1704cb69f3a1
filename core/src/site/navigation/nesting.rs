//! Which entry of a menu the entries of a nested list belong to.

use super::words::Word;
use crate::page::Link;
use crate::site::addresses::Id;

/// How deep lists may nest before their nesting is ignored.
const MAX_NESTING: usize = 16;

/// The entries and captions that the link at hand stands below, from the general to the special.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    entries: Vec<Entry>,
    captions: Vec<(u8, Option<Word>)>,
}

/// A list entry that may hold further lists.
#[derive(Debug)]
struct Entry {
    depth: u8,
    text: String,
    id: Id,
    group: Option<Word>,
}

/// What a nested list inherits from the entry that holds it.
pub(super) struct Above {
    pub(super) id: Id,
    pub(super) group: Option<Word>,
}

impl Nesting {
    /// Forgets the lists that have ended where `link` stands; the caption that stands above the one of its list.
    pub(super) fn enter(&mut self, link: &Link, group: Option<Word>) -> Option<Word> {
        while self.captions.last().is_some_and(|&(depth, _)| depth >= link.depth) {
            self.captions.pop();
        }
        let outer = self.captions.last().and_then(|&(_, caption)| caption).filter(|_| group.is_some());
        if link.depth > 0 && self.captions.len() < MAX_NESTING {
            self.captions.push((link.depth, group));
        }
        while self.entries.last().is_some_and(|entry| entry.depth >= link.depth) {
            self.entries.pop();
        }
        outer.filter(|&outer| Some(outer) != group)
    }

    /// The entry whose text is the caption of the list that the link stands in.
    pub(super) fn above(&self, link: &Link) -> Option<Above> {
        if link.depth < 2 {
            return None;
        }
        let group = fold(link.group.as_deref()?);
        let entry = self.entries.iter().rev().find(|entry| entry.text == group)?;
        Some(Above { id: entry.id, group: entry.group })
    }

    /// Remembers the entry, as later ones may stand below it.
    pub(super) fn hold(&mut self, link: &Link, id: Id, group: Option<Word>) {
        if self.entries.len() < MAX_NESTING {
            self.entries.push(Entry { depth: link.depth, text: fold(&link.text), id, group });
        }
    }
}

fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}
