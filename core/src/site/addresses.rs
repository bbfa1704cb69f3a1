//! Every address a crawl has met, each under a small number.
//!
//! A page of a large site repeats hundreds of links, so the look-up of a known address is the hottest path of a
//! crawl: an address spelled as before is found by the hash of its text, without making its key.

use std::collections::hash_map::Entry;
use std::hash::BuildHasher;

use crate::maps::{Hashing, Map};
use crate::site::url::{SiteUrl, UrlKey};

/// The number of an address.
pub(crate) type Id = u32;

/// The addresses and their numbers, counted from 0 without gaps.
#[derive(Debug)]
pub(crate) struct Addresses {
    hasher: Hashing,
    spelled: Map<u64, Id>,
    keys: Map<UrlKey, Id>,
    urls: Vec<SiteUrl>,
    moved: Map<Id, Id>,
    max: usize,
}

impl Addresses {
    /// Room for `max` addresses.
    pub(crate) fn new(max: usize) -> Self {
        Self {
            hasher: Hashing::default(),
            spelled: Map::default(),
            keys: Map::default(),
            urls: Vec::new(),
            moved: Map::default(),
            max: max.min(Id::MAX as usize),
        }
    }

    /// The number of a known address.
    pub(crate) fn find(&self, url: &SiteUrl) -> Option<Id> {
        let id = match self.spelled.get(&self.hash(url)) {
            Some(&id) if self.urls.get(id as usize) == Some(url) => id,
            _ => *self.keys.get(&url.key())?,
        };
        Some(self.settled(id))
    }

    /// The number of an address, a new one if it is unknown; `None` when there is no room.
    pub(crate) fn intern(&mut self, url: &SiteUrl) -> Option<Id> {
        let hash = self.hash(url);
        if let Some(&id) = self.spelled.get(&hash)
            && self.urls.get(id as usize) == Some(url)
        {
            return Some(self.settled(id));
        }
        let next = Id::try_from(self.urls.len()).ok()?;
        let full = self.urls.len() >= self.max;
        match self.keys.entry(url.key()) {
            Entry::Occupied(known) => {
                let id = *known.get();
                Some(self.settled(id))
            }
            Entry::Vacant(_) if full => None,
            Entry::Vacant(free) => {
                free.insert(next);
                self.urls.push(url.clone());
                self.spelled.insert(hash, next);
                Some(next)
            }
        }
    }

    /// From now on `from` stands for `to`: it redirects there.
    pub(crate) fn forward(&mut self, from: Id, to: Id) {
        let (from, to) = (self.settled(from), self.settled(to));
        if from != to {
            self.moved.insert(from, to);
        }
    }

    /// The address of a number, as it was first spelled.
    pub(crate) fn url(&self, id: Id) -> Option<&SiteUrl> {
        self.urls.get(id as usize)
    }

    /// The number that a number stands for, now that redirects and duplicates are known.
    pub(crate) fn settled(&self, mut id: Id) -> Id {
        // Only settled numbers are linked to each other, so the chain ends.
        while let Some(&to) = self.moved.get(&id) {
            id = to;
        }
        id
    }

    fn hash(&self, url: &SiteUrl) -> u64 {
        self.hasher.hash_one(url.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_stable_bounded_and_follow_redirects() {
        let url = |p: &str| SiteUrl::parse(&format!("https://example.com/{p}")).unwrap();
        let mut known = Addresses::new(2);
        let a = known.intern(&url("a")).unwrap();
        let b = known.intern(&url("b")).unwrap();
        assert_eq!(known.intern(&url("c")), None);
        assert_eq!(known.intern(&url("a")), Some(a));
        known.forward(a, b);
        known.forward(b, a);
        assert_eq!(known.find(&url("a")), Some(b));
        assert_eq!(known.url(b), Some(&url("b")));
    }
}
