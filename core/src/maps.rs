//! Maps that are asked for every link of every page or file.
//!
//! The standard library's hash withstands an attacker who sees what it gives, at many times the price. Ours are not shown:
//! its seed is drawn anew by every process, and each map is bounded by what one crawl keeps in mind.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use foldhash::fast::RandomState;

/// Hashes texts and numbers.
pub(crate) type Hashing = RandomState;

/// A map with a fast hash.
pub(crate) type Map<K, V> = HashMap<K, V, Hashing>;

/// A set with a fast hash.
pub(crate) type Set<T> = HashSet<T, Hashing>;

/// How often each of several things comes.
pub(crate) struct Counts<T>(pub(crate) Map<T, usize>);

impl<T: Eq + Hash> FromIterator<T> for Counts<T> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        let mut counts = Self(Map::default());
        things.into_iter().for_each(|thing| counts.add(thing));
        counts
    }
}

impl<T: Eq + Hash> Counts<T> {
    pub(crate) fn add(&mut self, thing: T) {
        *self.0.entry(thing).or_default() += 1;
    }

    pub(crate) fn of<Q: Eq + Hash + ?Sized>(&self, thing: &Q) -> usize
    where
        T: Borrow<Q>,
    {
        self.0.get(thing).copied().unwrap_or(0)
    }

    /// What comes most often, and how often; of equals the first in order.
    pub(crate) fn most(self) -> Option<(T, usize)>
    where
        T: Ord,
    {
        self.0.into_iter().max_by(|(a, x), (b, y)| x.cmp(y).then(b.cmp(a)))
    }
}

/// A table that says of every byte whether it is one of these.
pub(crate) const fn byte_set(these: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut rest = these;
    while let [first, others @ ..] = rest {
        table[*first as usize] = true;
        rest = others;
    }
    table
}
