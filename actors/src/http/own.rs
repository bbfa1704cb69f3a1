//! Headers that are sent to one site alone.

use std::fmt;

use http::header::{HeaderMap, HeaderName, HeaderValue};
use wayfile_core::url::{Seed, SiteUrl};

/// Headers that the client sets itself, or that change what an answer means.
const RESERVED: [&str; 13] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "host",
    "if-modified-since",
    "if-none-match",
    "keep-alive",
    "range",
    "te",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

/// Headers for the host of one seed. Their values are secrets: never shown, never sent elsewhere, and not in clear unless
/// the seed itself says `http://`.
#[derive(Clone, Default)]
pub struct SiteHeaders {
    host: String,
    port: Option<u16>,
    in_clear: bool,
    headers: HeaderMap,
}

/// A line that is no header, or one that may not be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// No name, no colon, or characters that no header may have. The text may be a secret.
    #[error("a header is written as `Name: value`")]
    Malformed,
    /// Set by the client itself.
    #[error("{0} cannot be set")]
    Reserved(HeaderName),
}

impl SiteHeaders {
    /// Headers as `Name: value` for the site of `seed`.
    /// Errors: [`HeaderError`]: the first line that cannot be used.
    pub fn parse(seed: &Seed, lines: &[String]) -> Result<Self, HeaderError> {
        let mut headers = HeaderMap::new();
        for line in lines {
            let (name, value) = line.split_once(':').ok_or(HeaderError::Malformed)?;
            let name: HeaderName = name.trim().parse().map_err(|_| HeaderError::Malformed)?;
            let mut value: HeaderValue = value.trim().parse().map_err(|_| HeaderError::Malformed)?;
            if RESERVED.contains(&name.as_str()) {
                return Err(HeaderError::Reserved(name));
            }
            value.set_sensitive(true);
            headers.append(name, value);
        }
        let (host, port) = (seed.url.host().to_owned(), seed.url.as_url().port());
        let in_clear = seed.scheme_given && seed.url.as_url().scheme() == "http";
        Ok(Self { host, port, in_clear, headers })
    }

    /// What a request for this address is sent.
    pub(super) fn of(&self, url: &SiteUrl) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
        let is_safe = self.in_clear || url.as_url().scheme() == "https";
        let is_own = is_safe && url.host() == self.host && url.as_url().port() == self.port;
        self.headers.iter().filter(move |_| is_own)
    }
}

impl fmt::Debug for SiteHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.headers.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(seed: &str, url: &str) -> usize {
        let headers = SiteHeaders::parse(&Seed::parse(seed).unwrap(), &["X-Key: s3cret".to_owned()]).unwrap();
        headers.of(&SiteUrl::parse(url).unwrap()).count()
    }

    #[test]
    fn headers_are_sent_to_the_site_alone() {
        for (seed, url, count) in [
            ("tide.dev", "https://tide.dev/a", 1),
            ("tide.dev", "http://tide.dev/a", 0),
            ("https://tide.dev/docs/", "https://tide.dev/llms.txt", 1),
            ("https://tide.dev", "https://www.tide.dev/", 0),
            ("https://tide.dev", "https://tide.dev:8443/", 0),
            ("http://127.0.0.1:81/", "http://127.0.0.1:81/a", 1),
            ("http://127.0.0.1:81/", "http://127.0.0.1:82/a", 0),
        ] {
            assert_eq!(sent(seed, url), count, "{seed} {url}");
        }
    }

    #[test]
    fn secrets_are_not_shown_and_what_we_set_ourselves_stays() {
        let seed = Seed::parse("tide.dev").unwrap();
        let parse = |line: &str| SiteHeaders::parse(&seed, &[line.to_owned()]);
        assert_eq!(format!("{:?}", parse("Authorization: Bearer s3cret").unwrap()), "{\"authorization\"}");
        assert_eq!(parse("host: a").unwrap_err().to_string(), "host cannot be set");
        for malformed in ["no colon", ": value", "a b: c", "X-Key: a\nb"] {
            assert_eq!(parse(malformed).unwrap_err(), HeaderError::Malformed, "{malformed:?}");
        }
    }
}
