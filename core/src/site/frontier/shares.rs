//! The waiting addresses: each folder of the site has its share of the crawl.
//!
//! A folder's pages and the folders inside it take turns, by what each was given so far. So every part of a site is
//! represented, first by the page that stands for it, and none takes the room of another while that has pages left. Every
//! step takes time logarithmic in what waits.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::hash::BuildHasher;

use super::priority::Rank;
use crate::maps::{Hashing, Map};
use crate::site::addresses::Id;
use crate::site::rank::content_segments;
use crate::site::rank::stem;
use crate::url::{SiteUrl, without_numbers};

/// The number of a folder; the site itself is [`SITE`].
pub(super) type FolderId = u32;

const SITE: FolderId = 0;

/// Folders inside each other that have a share of their own.
const MAX_DEPTH: usize = 3;

/// Pages of a folder beyond its bound take so many times the share: they wait for what others have left.
const BEYOND: u64 = 64;

/// The folders of a site, and the pages that stand for them.
#[derive(Debug)]
pub(super) struct Folders {
    parents: Vec<FolderId>,
    paths: Vec<u64>,
    numbers: Map<u64, FolderId>,
    /// By the hash of the path that a folder of its name would have.
    hubs: Map<u64, Id>,
    hashing: Hashing,
}

impl Default for Folders {
    fn default() -> Self {
        Self {
            parents: vec![SITE],
            paths: vec![0],
            numbers: Map::default(),
            hubs: Map::default(),
            hashing: Hashing::default(),
        }
    }
}

impl Folders {
    /// The folder of a new address.
    pub(super) fn enter(&mut self, url: &SiteUrl, id: Id) -> FolderId {
        let mut segments: Vec<&str> = content_segments(url.path()).collect();
        let name = segments.pop();
        let (mut folder, mut path) = (SITE, 0);
        for segment in segments.iter().take(MAX_DEPTH) {
            path = self.hashing.hash_one((path, without_numbers(segment)));
            let next = FolderId::try_from(self.parents.len()).unwrap_or(SITE);
            let parent = std::mem::replace(&mut folder, *self.numbers.entry(path).or_insert(next));
            if folder == next {
                self.parents.push(parent);
                self.paths.push(path);
            }
        }
        if let Some(name) = name.filter(|_| segments.len() < MAX_DEPTH) {
            let own = self.hashing.hash_one((path, without_numbers(stem(name))));
            self.hubs.entry(own).or_insert(id);
        }
        folder
    }

    fn parent(&self, folder: FolderId) -> FolderId {
        self.parents.get(folder as usize).copied().unwrap_or(SITE)
    }

    /// The page that stands for a folder: `/guide/` or `/guide.html` for what lies in `/guide/`.
    fn hub(&self, folder: FolderId) -> Option<Id> {
        self.hubs.get(self.paths.get(folder as usize)?).copied()
    }
}

/// What waits in one folder.
#[derive(Debug, Default)]
struct FolderQueue {
    /// The pages that lie in it, the best on top.
    pages: BinaryHeap<Reverse<(Rank, Id)>>,
    /// What those were given, and how many they were.
    own: u64,
    count: usize,
    /// What they and the folders inside were given.
    given: u64,
    /// The folders inside that hold pages, by what they were given.
    inside: BTreeSet<(u64, FolderId)>,
    /// The page that stands for it had its turn.
    opened: bool,
}

/// A queue of pages. One whose rank changes is entered again: the caller tells stale entries by their rank.
#[derive(Debug, Default)]
pub(super) struct FolderShares {
    turns: Vec<FolderQueue>,
    entries: usize,
}

impl FolderShares {
    /// Entries, stale ones included.
    pub(super) fn len(&self) -> usize {
        self.entries
    }

    fn turn(&mut self, folder: FolderId) -> &mut FolderQueue {
        let at = folder as usize;
        if self.turns.len() <= at {
            self.turns.resize_with(at + 1, FolderQueue::default);
        }
        &mut self.turns[at]
    }

    pub(super) fn push(&mut self, folders: &Folders, mut folder: FolderId, rank: Rank, id: Id) {
        self.turn(folder).pages.push(Reverse((rank, id)));
        self.entries += 1;
        while folder != SITE {
            let parent = folders.parent(folder);
            let given = self.turn(folder).given;
            let turn = self.turn(parent);
            if turn.inside.contains(&(given, folder)) {
                return;
            }
            // Who comes late has no claim to what others had before.
            let pages = (!turn.pages.is_empty()).then_some(turn.own);
            let now = turn.inside.first().map(|&(given, _)| given).into_iter().chain(pages).min();
            let given = given.max(now.unwrap_or(0));
            turn.inside.insert((given, folder));
            self.turn(folder).given = given;
            folder = parent;
        }
    }

    /// The page whose turn it is; `waits` tells whether an address waits, at this rank if one is given. Of one folder no more
    /// than `bound` pages come before those of others.
    pub(super) fn pop(
        &mut self,
        folders: &Folders,
        bound: usize,
        waits: impl Fn(Id, Option<Rank>) -> bool,
    ) -> Option<Id> {
        let mut folder = SITE;
        loop {
            let turn = self.turn(folder);
            let before = turn.pages.len();
            while turn.pages.peek().is_some_and(|Reverse((rank, id))| !waits(*id, Some(*rank))) {
                turn.pages.pop();
            }
            let stale = before - turn.pages.len();
            let inside = turn.inside.first().copied();
            let is_own = !turn.pages.is_empty() && inside.is_none_or(|(given, _)| turn.own <= given);
            let page = if is_own { turn.pages.pop() } else { None };
            self.entries -= stale + usize::from(page.is_some());
            if let Some(Reverse(((priority, _), id))) = page {
                let turn = self.turn(folder);
                turn.count += 1;
                let cost = priority.found.cost() * if turn.count > bound { BEYOND } else { 1 };
                turn.own += cost;
                self.charge(folders, folder, cost);
                return Some(id);
            }
            if let Some((_, next)) = inside {
                folder = next;
                if !std::mem::replace(&mut self.turn(next).opened, true)
                    && let Some(hub) = folders.hub(next).filter(|&hub| waits(hub, None))
                {
                    return Some(hub);
                }
            } else if folder == SITE {
                return None;
            } else {
                self.charge(folders, folder, 0);
                folder = SITE;
            }
        }
    }

    /// Counts what a folder was given, for all that it lies in.
    fn charge(&mut self, folders: &Folders, mut folder: FolderId, cost: u64) {
        while folder != SITE {
            let parent = folders.parent(folder);
            let turn = self.turn(folder);
            let before = turn.given;
            turn.given += cost;
            let (given, waits) = (turn.given, !turn.pages.is_empty() || !turn.inside.is_empty());
            let inside = &mut self.turn(parent).inside;
            inside.remove(&(before, folder));
            if waits {
                inside.insert((given, folder));
            }
            folder = parent;
        }
    }

    /// Drops the entries that `waits` says are stale.
    pub(super) fn retain(&mut self, waits: impl Fn(Id, Option<Rank>) -> bool) {
        for turn in &mut self.turns {
            turn.pages.retain(|Reverse((rank, id))| waits(*id, Some(*rank)));
        }
        self.entries = self.turns.iter().map(|turn| turn.pages.len()).sum();
    }
}
