//! Scheme, host and port.

use std::fmt;

use ::url::{Position, Url};

use super::SiteUrl;

/// A scheme, host and port, as `https://host:port` (the scheme's own port is left out).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin(Box<str>);

impl Origin {
    pub(super) fn of(url: &Url) -> Self {
        Self(Box::from(&url[..Position::BeforePath]))
    }

    /// As text, without a slash at the end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address of a path here. None when the path does not start with a slash or makes no address.
    pub fn at(&self, path: &str) -> Option<SiteUrl> {
        if !path.starts_with('/') {
            return None;
        }
        SiteUrl::parse(&format!("{self}{path}")).ok()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_port_makes_no_other_origin() {
        let plain = SiteUrl::parse("https://docs.rs/a?b").unwrap().origin();
        assert_eq!(plain, SiteUrl::parse("https://DOCS.rs:443/").unwrap().origin());
        assert_ne!(plain, SiteUrl::parse("http://docs.rs/").unwrap().origin());
        assert_eq!(plain.as_str(), "https://docs.rs");
    }

    #[test]
    fn a_path_becomes_an_address() {
        let origin = SiteUrl::parse("http://docs.rs:8080/x/").unwrap().origin();
        assert_eq!(origin.at("/robots.txt").unwrap().as_str(), "http://docs.rs:8080/robots.txt");
        assert_eq!(origin.at(".evil.com/"), None);
    }
}
