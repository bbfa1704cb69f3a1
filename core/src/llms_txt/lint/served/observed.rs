//! What was observed of a site, as a record that callers with a network fill.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::Serialize;

use crate::page::media_type;
use crate::url::SiteUrl;

/// One answer, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpAnswer {
    /// The address that gave it.
    pub url: SiteUrl,
    /// Its status.
    pub status: u16,
    /// Names in lower case, values as sent.
    pub headers: Vec<(String, String)>,
    /// `Last-Modified`, where it is a date.
    pub last_modified: Option<SystemTime>,
    /// From the request to the head of the answer.
    pub took: Duration,
    /// Decoded, up to a cap.
    pub body: Vec<u8>,
    /// The body went on after the cap.
    pub cut: bool,
}

impl HttpAnswer {
    /// The first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The type without parameters, lower case; empty when none was sent.
    pub fn media_type(&self) -> String {
        media_type(self.header("content-type").unwrap_or_default())
    }

    /// HTML by its type, or by how it begins.
    pub fn is_html(&self) -> bool {
        let kind = self.media_type();
        if matches!(kind.as_str(), "text/html" | "application/xhtml+xml") {
            return true;
        }
        let start = self.body.get(..HTML_START_BYTES).unwrap_or(&self.body);
        super::super::kind(&String::from_utf8_lossy(start)) == super::super::TextKind::Html
    }
}

/// Bytes in which the start of an HTML page is looked for.
const HTML_START_BYTES: usize = 4_096;

/// What asking for the file gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileSeen {
    /// No answer: why.
    Unreachable(String),
    /// An answer, after these redirects.
    Came {
        /// The last answer.
        answer: Arc<HttpAnswer>,
        /// The addresses that sent on, in order.
        hops: Vec<SiteUrl>,
    },
}

/// What the file and the site's sitemaps have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Documentation pages of the sitemap, in one locale and version.
    pub pages: usize,
    /// Those that the file lists.
    pub covered: usize,
    /// Pages of the site that the file lists.
    pub own: usize,
    /// Those that the sitemap has.
    pub known: usize,
    /// Every sitemap was read, so what is not in them is not there.
    pub complete: bool,
}

/// All that was observed of a site; `None` is what is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// Where the file was looked for.
    pub asked: SiteUrl,
    /// What came.
    pub file: FileSeen,
    /// What a made-up name beside the file gave: whether it was 200 with the like body.
    pub soft_404: Option<bool>,
    /// Agents that robots.txt keeps from the file.
    pub shut_out: Option<Vec<String>>,
    /// `llms-full.txt` is there, as text.
    pub has_full: Option<bool>,
    /// The home page or its headers lead to the file.
    pub described: Option<bool>,
    /// How the file compares with the sitemap.
    pub coverage: Option<Coverage>,
    /// The links that were tried; `None`: they were not to be.
    pub links: Option<Vec<LinkSeen>>,
    /// A sample of the pages that the file links to.
    pub pages: Vec<PageSeen>,
    /// When.
    pub now: SystemTime,
}

/// What became of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It answers.
    Ok,
    /// It leads nowhere: why.
    Dead(DeadReason),
    /// Unknown: neither alive nor dead.
    Unknown,
}

/// Why a link leads nowhere. `unreachable`: the name does not resolve or the connection is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum DeadReason {
    /// There is no such page.
    #[serde(rename = "404")]
    NotFound,
    /// There was one.
    #[serde(rename = "410")]
    Gone,
    /// No answer: the name does not resolve or the connection is refused, which look the same.
    #[serde(rename = "unreachable")]
    Unreachable,
}

impl DeadReason {
    /// As an answer writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "404",
            Self::Gone => "410",
            Self::Unreachable => "unreachable",
        }
    }
}

/// A link that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkSeen {
    /// Its lines in the file, in order.
    pub lines: Vec<usize>,
    /// Where it leads.
    pub url: SiteUrl,
    /// What became of it.
    pub fate: Fate,
    /// The last answer, where there was one; without its body.
    pub landed: Option<SiteUrl>,
    /// The media type of the last answer.
    pub media_type: Option<String>,
    /// The answer said that it has no content.
    pub empty: bool,
}

/// A linked page that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSeen {
    /// Its line in the file.
    pub line: usize,
    /// Its address.
    pub url: SiteUrl,
    /// It holds text without JavaScript.
    pub readable: bool,
    /// It advertises a Markdown version.
    pub alternate: bool,
    /// A Markdown version lies at a usual place.
    pub twin: Option<bool>,
    /// It answers with Markdown when asked for it.
    pub negotiates: Option<bool>,
}

impl LinkSeen {
    /// The first line that it stands in.
    pub fn line(&self) -> usize {
        self.lines.first().copied().unwrap_or(1)
    }
}

/// A link that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeadLink {
    /// Where it leads.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub url: SiteUrl,
    /// Its line in the file, counted from 1.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub line: usize,
    /// What is the matter with it.
    pub reason: DeadReason,
}

/// Addresses that were tried: `checked` = `ok` + `dead`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkStats {
    /// Links that were decided.
    pub checked: usize,
    /// They answered.
    pub ok: usize,
    /// They lead nowhere.
    pub dead: usize,
    /// They could not be decided, and are in no other count.
    pub unknown: usize,
    /// Every place of those that lead nowhere, in the order of the file: an address that stands twice is here twice.
    pub dead_links: Vec<DeadLink>,
}

impl LinkStats {
    /// Counts.
    pub fn of(links: &[LinkSeen]) -> Self {
        let mut stats = Self::default();
        for link in links {
            match link.fate {
                Fate::Ok => stats.ok += 1,
                Fate::Dead(reason) => {
                    stats.dead += 1;
                    let place = |&line| DeadLink { url: link.url.clone(), line, reason };
                    stats.dead_links.extend(link.lines.iter().map(place));
                }
                Fate::Unknown => stats.unknown += 1,
            }
        }
        stats.checked = stats.ok + stats.dead;
        stats.dead_links.sort_by_key(|link| link.line);
        stats
    }

    /// At least nine of ten decided links answer.
    pub fn mostly_ok(&self) -> bool {
        self.ok * 10 >= self.checked * 9
    }
}
