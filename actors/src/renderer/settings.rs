//! The `[browser]` section.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::settings::ByteSize;

/// Which browser opens pages that only scripts fill, and how much of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BrowserSettings {
    /// The browser's executable. Without one such pages are counted and left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathBuf>,
    /// Whom the browser runs as when the service runs as root.
    pub user: String,
    /// Pages open at once in this process.
    pub concurrency: usize,
    /// Time for one page, without the waits for what it loads.
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    /// Pages opened for one crawl.
    pub pages_per_crawl: usize,
    /// What one page may load.
    pub requests_per_page: usize,
    /// Memory of all processes of the browser together, without what they share; with more they are killed.
    pub memory: ByteSize,
}
