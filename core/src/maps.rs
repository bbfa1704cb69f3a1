//! Maps that are asked for every link of every page or file.
//!
//! The standard library's hash withstands an attacker who sees what it gives, at many times the price. Ours are not shown:
//! its seed is drawn anew by every process, and each map is bounded by what one crawl keeps in mind.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

/// Hashes texts and numbers.
pub(crate) type Hashing = RandomState;

/// A map with a fast hash.
pub(crate) type Map<K, V> = HashMap<K, V, Hashing>;

/// A set with a fast hash.
pub(crate) type Set<T> = HashSet<T, Hashing>;
