//! A value that is replaced while others read it.

use std::sync::Arc;

use parking_lot::RwLock;

/// Settings that may change while the process runs. Clones share the value; who took it keeps it as it was.
#[derive(Debug)]
pub struct Live<T>(Arc<RwLock<Arc<T>>>);

impl<T> Live<T> {
    /// Begins with a value.
    pub fn new(value: T) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(value))))
    }

    /// The value that holds now.
    pub fn get(&self) -> Arc<T> {
        self.0.read().clone()
    }

    /// Puts another in its place.
    pub fn set(&self, value: T) {
        *self.0.write() = Arc::new(value);
    }
}

impl<T> Clone for Live<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
