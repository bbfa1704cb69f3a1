//! Every address a crawl has met, each under a small number.
//!
//! A page of a large site repeats hundreds of links, so the look-up of a known address is the hottest path of a
//! crawl: an address spelled as before is found by the hash of its text, without making its key.

use std::hash::BuildHasher;

use crate::maps::{Hashing, Map};
use crate::url::SiteUrl;

/// The number of an address.
pub(crate) type Id = u32;

/// Characters that there is room for, for each address: far over what most have. Else a site could have each of its
/// addresses be as long as may be.
const CHARS_PER_ADDRESS: usize = 256;

/// The addresses and their numbers, counted from 0 without gaps.
#[derive(Debug)]
pub(crate) struct Addresses {
    hasher: Hashing,
    /// By the hash of their text and, where that is another one, of their key. What is found is looked at.
    hashes: Map<u64, Id>,
    urls: Vec<SiteUrl>,
    moved: Map<Id, Id>,
    max: usize,
    /// Characters of all addresses.
    chars: usize,
}

impl Addresses {
    /// Room for `max` addresses.
    pub(crate) fn new(max: usize) -> Self {
        Self {
            hasher: Hashing::default(),
            hashes: Map::default(),
            urls: Vec::new(),
            moved: Map::default(),
            max: max.min(Id::MAX as usize),
            chars: 0,
        }
    }

    /// The number of a known address.
    pub(crate) fn find(&self, url: &SiteUrl) -> Option<Id> {
        if let Some((id, known)) = self.hashed(url.as_str())
            && known == url
        {
            return Some(self.settled(id));
        }
        let key = url.key();
        let (id, known) = self.hashed(key.as_str())?;
        (known.key() == key).then(|| self.settled(id))
    }

    fn hashed(&self, text: &str) -> Option<(Id, &SiteUrl)> {
        let &id = self.hashes.get(&self.hasher.hash_one(text))?;
        Some((id, self.urls.get(id as usize)?))
    }

    /// There is no room for another one.
    pub(crate) fn is_full(&self) -> bool {
        self.urls.len() >= self.max || self.chars >= self.max.saturating_mul(CHARS_PER_ADDRESS)
    }

    /// The number of an address, a new one if it is unknown; `None` when there is no room.
    pub(crate) fn intern(&mut self, url: &SiteUrl) -> Option<Id> {
        if let Some(id) = self.find(url) {
            return Some(id);
        }
        let id = Id::try_from(self.urls.len()).ok().filter(|_| !self.is_full())?;
        for text in [url.as_str(), url.key().as_str()] {
            self.hashes.insert(self.hasher.hash_one(text), id);
        }
        self.chars += url.as_str().len();
        self.urls.push(url.clone());
        Some(id)
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

    #[test]
    fn long_addresses_leave_room_for_fewer() {
        let mut known = Addresses::new(100);
        let url = |n| SiteUrl::parse(&format!("https://example.com/{n}/{}", "a".repeat(1_500))).unwrap();
        let kept = (0..100).filter_map(|n| known.intern(&url(n))).count();
        assert_eq!(kept, 100 * CHARS_PER_ADDRESS / 1_500);
        assert!(known.is_full());
    }
}
