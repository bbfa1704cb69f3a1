//! What a caller asks for.

use super::{SiteUrl, UrlError};

/// The address a crawl starts from, and whether the caller named its scheme.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Seed {
    /// The address, over https when no scheme was named.
    pub url: SiteUrl,
    /// The caller wrote `http://` or `https://`.
    pub scheme_given: bool,
}

impl Seed {
    /// Reads a bare domain or a full URL, as [`SiteUrl::parse`] does.
    ///
    /// # Errors
    /// As [`SiteUrl::parse`].
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        Ok(Self { url: SiteUrl::parse(text)?, scheme_given: names_scheme(text.trim_matches(' ')) })
    }

    /// The addresses to try in turn: a bare domain over https, then over http.
    pub fn candidates(&self) -> impl Iterator<Item = SiteUrl> + '_ {
        let plain = if self.scheme_given { None } else { self.url.with_scheme("http").ok() };
        std::iter::once(self.url.clone()).chain(plain)
    }
}

/// Schemes that a number may follow, which would pass for a port.
const NEVER_HOSTS: [&str; 5] = ["http", "https", "tel", "sms", "fax"];

/// Whether a text starts with a scheme: `host:8080/x` does not.
pub(super) fn names_scheme(text: &str) -> bool {
    let Some((before, after)) = text.find([':', '/', '?', '#']).and_then(|at| text.split_at_checked(at))
    else {
        return false;
    };
    let Some(after) = after.strip_prefix(':') else { return false };
    if NEVER_HOSTS.iter().any(|scheme| before.eq_ignore_ascii_case(scheme)) {
        return true;
    }
    let port = after.split(['/', '?', '#']).next().unwrap_or_default();
    !before.starts_with('[') && (port.is_empty() || !port.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(text: &str) -> Vec<String> {
        Seed::parse(text).unwrap().candidates().map(|url| url.to_string()).collect()
    }

    #[test]
    fn a_bare_domain_is_tried_over_https_then_http() {
        assert_eq!(candidates("docs.rs/a"), ["https://docs.rs/a", "http://docs.rs/a"]);
        assert_eq!(candidates("localhost:8080"), ["https://localhost:8080/", "http://localhost:8080/"]);
    }

    #[test]
    fn a_named_scheme_is_kept() {
        assert_eq!(candidates("http://docs.rs/"), ["http://docs.rs/"]);
        assert_eq!(candidates("HTTPS://docs.rs/"), ["https://docs.rs/"]);
    }

    #[test]
    fn a_port_is_no_scheme() {
        assert!(!names_scheme("docs.rs:80"));
        assert!(!names_scheme("docs.rs/a:b"));
        assert!(!names_scheme("[::1]:80"));
        assert!(names_scheme("mailto:a@b.c"));
        assert!(names_scheme("docs.rs:80@evil.com"));
        assert!(names_scheme("unix:/run/x"));
        assert!(names_scheme("tel:112"));
    }
}
