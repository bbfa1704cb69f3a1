//! robots.txt by RFC 9309: what one agent may fetch from one host.

mod parse;
mod pattern;

use std::time::Duration;

use pattern::PathRule;

use crate::url::SiteUrl;

/// Octets of a robots.txt that are read, as RFC 9309 section 2.5 asks at least: 500 KiB, cut at a line end.
pub const ROBOTS_MAX_BYTES: usize = 500 * 1024;

/// Octets of a line that are read, as the largest crawler does.
pub const LINE_MAX_BYTES: usize = 16_663;

/// `Sitemap:` lines that are kept.
pub const SITEMAPS_MAX: usize = 1_000;

/// What a robots.txt says to one agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Robots {
    /// The longest first, allowing before forbidding: the first that matches decides.
    rules: Vec<PathRule>,
    /// The pause the agent is asked to keep between two requests (`Crawl-delay`, decimals included), not capped.
    pub crawl_delay: Option<Duration>,
    /// What its `Sitemap:` lines name, in order, each once; relative ones as they are written.
    pub sitemaps: Vec<String>,
}

impl Robots {
    /// Reads what concerns one agent, known by its product token (`GPTBot`, with or without a
    /// version behind a slash): the rules of all groups that name
    /// it, else of those for `*`.
    ///
    /// Never fails: lines that say nothing are passed over, so that an error page reads as [`Robots::free`].
    pub fn parse(bytes: &[u8], agent: &str) -> Self {
        parse::parse(bytes, agent)
    }

    /// Everything may be fetched.
    pub fn free() -> Self {
        Self::default()
    }

    /// Whether a last answer with this status, after redirects, says that there is none, so that everything may be fetched; a
    /// redirect that is left is one too many. Otherwise the host cannot say at present: nothing may be (RFC 9309 section 2.3.1).
    pub const fn is_absent(status: u16) -> bool {
        matches!(status, 300..=499) && status != 429
    }

    /// Whether the agent may fetch an address of this host.
    pub fn allows(&self, url: &SiteUrl) -> bool {
        self.allows_path(url.path_and_query())
    }

    /// Whether the agent may fetch a path, with its query where it has one, percent-encoded or not.
    ///
    /// The longest matching rule decides, and the allowing one of two that are equally long (RFC 9309
    /// section 2.2.2). `/robots.txt` itself is always allowed. Takes time linear in the rules' lengths and,
    /// for each rule with a wildcard, in the path's.
    pub fn allows_path(&self, path_and_query: &str) -> bool {
        let path_and_query = if path_and_query.is_empty() { "/" } else { path_and_query };
        if path_and_query.split('?').next() == Some("/robots.txt") {
            return true;
        }
        let path = pattern::canonical(path_and_query.as_bytes());
        self.rules.iter().find(|rule| rule.matches(&path)).is_none_or(|rule| rule.allow)
    }
}

#[cfg(test)]
mod tests;
