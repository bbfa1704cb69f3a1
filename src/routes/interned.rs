//! Bodies of large answers, each in memory once however many clients are reading it: joined runs and answers that are given
//! again are alike to the last byte, and a client may take an hour over one.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, LazyLock, Weak};

use actix_web::web::Bytes;
use parking_lot::Mutex;

/// Bytes of a body that is worth the look.
const LARGE: usize = 64 << 10;

/// The bodies that are being read, by their hash; of two with one hash the later one is shared.
static BODIES: LazyLock<Mutex<HashMap<u64, Weak<InternedBody>>>> = LazyLock::new(Mutex::default);
static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Forgotten with its last reader.
struct InternedBody {
    text: String,
    hash: u64,
}

/// One reader's hold on a body.
struct Reader(Arc<InternedBody>);

impl AsRef<[u8]> for Reader {
    fn as_ref(&self) -> &[u8] {
        self.0.text.as_bytes()
    }
}

impl Drop for InternedBody {
    fn drop(&mut self) {
        let mut bodies = BODIES.lock();
        if bodies.get(&self.hash).is_some_and(|body| body.strong_count() == 0) {
            bodies.remove(&self.hash);
        }
    }
}

/// The body, or the equal one that is being read already.
pub(crate) fn interned(text: String) -> Bytes {
    if text.len() < LARGE {
        return text.into();
    }
    let hash = HASHER.hash_one(&text);
    // Let go of behind the lock: it may be the last share, and that one asks for the lock.
    let known = BODIES.lock().get(&hash).and_then(Weak::upgrade);
    if let Some(known) = known.filter(|known| known.text == text) {
        return Bytes::from_owner(Reader(known));
    }
    let body = Arc::new(InternedBody { text, hash });
    BODIES.lock().insert(hash, Arc::downgrade(&body));
    Bytes::from_owner(Reader(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bodies_are_one_as_long_as_somebody_reads_it() {
        let text = |c: &str| c.repeat(LARGE);
        let (one, two, other) = (interned(text("a")), interned(text("a")), interned(text("b")));
        assert_eq!((one.as_ptr(), &one), (two.as_ptr(), &two));
        assert_eq!((&other[..1], other.len()), (&b"b"[..], LARGE));
        let hash = HASHER.hash_one(text("a"));
        drop(one);
        assert!(BODIES.lock().contains_key(&hash));
        drop(two);
        assert!(!BODIES.lock().contains_key(&hash));
    }
}
