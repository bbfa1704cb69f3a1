//! Addresses as the crawler uses them: parsed once, and that value is compared, checked and dialled.

mod file_names;
mod key;
mod noise;
mod origin;
mod seed;

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use ::url::{Host, Position, Url};
use serde::{Serialize, Serializer};

pub use key::UrlKey;
pub(crate) use key::is_index_file;
pub use origin::Origin;
pub use seed::Seed;

/// Characters an address may have, before and after it is cleaned (sitemaps.org: `loc` is shorter than 2,048).
pub const URL_MAX_CHARS: usize = 2_048;

/// Characters of a host name (RFC 1035 section 2.3.4, without the root dot).
const NAME_MAX_CHARS: usize = 253;

/// Characters between two dots of a host name (RFC 1035 section 2.3.4).
const LABEL_MAX_CHARS: usize = 63;

/// An absolute http(s) address without fragment, credentials or tracking parameters, ready to be fetched.
///
/// Its text is ASCII, at most [`URL_MAX_CHARS`] long, and parses to itself. Cheap to clone: a page names most of its
/// links several times, and every stage of a crawl keeps them.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteUrl(Arc<Url>);

/// Why a text is no [`SiteUrl`].
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
pub enum UrlError {
    /// It is no URL at all.
    #[error("not a URL: {0}")]
    Invalid(String),
    /// Only http and https can be crawled.
    #[error("the scheme {0:?} cannot be crawled, only http and https")]
    Scheme(String),
    /// Over [`URL_MAX_CHARS`].
    #[error("longer than {URL_MAX_CHARS} characters")]
    TooLong,
    /// Parsers strip line breaks and tabs, so that another address is fetched than was read.
    #[error("holds control characters")]
    ControlCharacter,
    /// Parsers disagree whether it ends the host.
    #[error("holds a backslash")]
    Backslash,
    /// A user name or a password before the host.
    #[error("holds credentials")]
    Credentials,
    /// A host name that DNS cannot hold.
    #[error(
        "the host name has an empty label, one over {LABEL_MAX_CHARS} characters, or over {NAME_MAX_CHARS} in all"
    )]
    HostName,
    /// Port 0 cannot be dialled.
    #[error("port 0 cannot be reached")]
    Port,
}

/// What a template may put into an address, and no reader of one sees.
const BREAKS: [char; 3] = ['\t', '\n', '\r'];

impl SiteUrl {
    /// Reads a bare domain (`host` or `host:port`, with a path or without; https is assumed) or a full URL.
    ///
    /// # Errors
    /// [`UrlError`] says what is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        let text = text.trim_matches(' ');
        refuse_ambiguous(text)?;
        let url = if seed::names_scheme(text) {
            if authority(text).contains('@') {
                return Err(UrlError::Credentials);
            }
            Url::parse(text)
        } else {
            if !text.starts_with(|c: char| c.is_alphanumeric() || c == '[' || c == '_') {
                return Err(UrlError::Invalid("neither a domain nor an absolute URL".to_owned()));
            }
            Url::parse(&format!("https://{text}"))
        };
        Self::clean(url.map_err(|e| UrlError::Invalid(e.to_string()))?)
    }

    /// Resolves a reference found on the page at this address, and cleans it: the fragment, tracking
    /// parameters and the root dot of the host are gone, and so are tabs and line breaks, as for browsers (URL standard,
    /// section 4.4).
    ///
    /// # Errors
    /// As [`SiteUrl::parse`].
    pub fn join(&self, reference: &str) -> Result<Self, UrlError> {
        let reference = reference.trim_matches(|c: char| c.is_ascii_whitespace());
        let whole = reference.contains(BREAKS).then(|| reference.replace(BREAKS, ""));
        let reference = whole.as_deref().unwrap_or(reference);
        refuse_ambiguous(reference)?;
        Self::clean(self.0.join(reference).map_err(|e| UrlError::Invalid(e.to_string()))?)
    }

    fn clean(mut url: Url) -> Result<Self, UrlError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(UrlError::Scheme(url.scheme().to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlError::Credentials);
        }
        if url.port() == Some(0) {
            return Err(UrlError::Port);
        }
        if let Some(Host::Domain(name)) = url.host() {
            let bare = name.strip_suffix('.').unwrap_or(name);
            if bare.len() > NAME_MAX_CHARS
                || bare.split('.').any(|label| label.is_empty() || label.len() > LABEL_MAX_CHARS)
            {
                return Err(UrlError::HostName);
            }
            if bare.len() < name.len() {
                let bare = bare.to_owned();
                url.set_host(Some(&bare)).map_err(|e| UrlError::Invalid(e.to_string()))?;
            }
        }
        url.set_fragment(None);
        noise::strip_tracking(&mut url);
        if url.as_str().len() > URL_MAX_CHARS {
            return Err(UrlError::TooLong);
        }
        Ok(Self(Arc::new(url)))
    }

    /// The address as text, ready to be fetched.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The parsed address.
    pub fn as_url(&self) -> &Url {
        &self.0
    }

    /// The path, percent-encoded, starting with a slash.
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// The path and, where there is one, the query after its question mark.
    pub fn path_and_query(&self) -> &str {
        &self.0[Position::BeforePath..Position::AfterQuery]
    }

    /// The host, lower case, without brackets round an IPv6 address.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default().trim_matches(['[', ']'])
    }

    /// The host, when it is a literal address in any of the spellings that URLs allow (`0x7f.1`).
    pub fn ip(&self) -> Option<IpAddr> {
        match self.0.host()? {
            Host::Domain(_) => None,
            Host::Ipv4(ip) => Some(ip.into()),
            Host::Ipv6(ip) => Some(ip.into()),
        }
    }

    /// The port to dial, the scheme's own included.
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or_default()
    }

    /// Scheme, host and port: what politeness, robots.txt and caches go by.
    pub fn origin(&self) -> Origin {
        Origin::of(&self.0)
    }

    /// Equal for addresses that lead to the same page as far as the text can tell. Not to be fetched.
    pub fn key(&self) -> UrlKey {
        UrlKey::of(&self.0)
    }

    /// The name that is registered with a registry, by the public suffix list: `example.co.uk` of
    /// `docs.example.co.uk`. None for literal addresses and for names that are a public suffix.
    pub fn registrable_domain(&self) -> Option<&str> {
        match self.0.host()? {
            Host::Domain(name) => psl::domain_str(name),
            Host::Ipv4(_) | Host::Ipv6(_) => None,
        }
    }

    /// The registrable domain, or the host as it is written in addresses where there is none: it tells sites apart.
    pub fn domain_or_host(&self) -> &str {
        self.registrable_domain().unwrap_or(self.0.host_str().unwrap_or_default())
    }

    /// Whether this page stands for the folder that a page of the same origin lies in: `/a`, `/a/` and `/a/index.html` of `/a/b`.
    pub(crate) fn stands_above(&self, page: &Self) -> bool {
        let path = self.path();
        let (folder, name) = path.rsplit_once('/').unwrap_or_default();
        let folder = if name.is_empty() || name.starts_with("index.") { folder } else { path };
        below(page.path(), folder).is_some()
    }

    /// The same address over another scheme, with that scheme's port where none is named.
    ///
    /// # Errors
    /// [`UrlError::Scheme`] for any scheme but http and https.
    pub fn with_scheme(&self, scheme: &str) -> Result<Self, UrlError> {
        let mut url = Url::clone(&self.0);
        url.set_scheme(scheme).map_err(|()| UrlError::Scheme(scheme.to_owned()))?;
        Self::clean(url)
    }
}

/// Refuses what parsers read differently, before any of them sees it.
fn refuse_ambiguous(text: &str) -> Result<(), UrlError> {
    if text.len() > URL_MAX_CHARS && text.chars().count() > URL_MAX_CHARS {
        return Err(UrlError::TooLong);
    }
    if text.contains(char::is_control) {
        return Err(UrlError::ControlCharacter);
    }
    if text.contains('\\') {
        return Err(UrlError::Backslash);
    }
    Ok(())
}

/// What stands between the scheme and the path, credentials included.
fn authority(text: &str) -> &str {
    let after_scheme = text.split_once(':').map_or(text, |(_, rest)| rest).trim_start_matches('/');
    after_scheme.split(['/', '?', '#']).next().unwrap_or_default()
}

/// The parts of a path between its slashes.
pub(crate) fn segments(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// The folder that a path, or another folder, stands in: `/a` for `/a/b`.
pub(crate) fn above(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(above, _)| above)
}

/// What of a path lies in a folder, which is given without a slash at its end: `c/d` of `/a/c/d` in `/a`.
pub(crate) fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// What stands for a number in what [`without_numbers`] makes: no path has the sign of a fragment.
pub(crate) const NUMBER: char = '#';

/// A part of a path with each of its numbers as one sign: years, chapters and ids are no parts of a site.
pub(crate) fn without_numbers(segment: &str) -> String {
    let mut text = String::with_capacity(segment.len());
    for c in segment.chars() {
        if !c.is_ascii_digit() {
            text.push(c);
        } else if !text.ends_with(NUMBER) {
            text.push(NUMBER);
        }
    }
    text
}

/// The leading folders of an address, so many at most: `/a`, `/a/b` for `/a/b/c`.
pub(crate) fn folders(url: &SiteUrl, depth: usize) -> impl Iterator<Item = &str> {
    let path = url.path();
    let ends = path.match_indices('/').map(|(at, _)| at).skip(1).take(depth);
    ends.filter_map(|end| path.get(..end)).filter(|folder| segments(folder).next().is_some())
}

impl fmt::Display for SiteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for SiteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for SiteUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests;
