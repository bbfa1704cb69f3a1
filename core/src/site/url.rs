//! Addresses as the crawler uses them.

use std::fmt;

use ::url::Url;

/// An absolute http(s) address without fragment, credentials or tracking parameters.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteUrl(Url);

/// Why a text is no [`SiteUrl`].
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum UrlError {
    /// It is no URL at all.
    #[error("not a URL: {0}")]
    Invalid(String),
    /// Only http and https can be crawled.
    #[error("the scheme {0:?} cannot be crawled, only http and https")]
    Scheme(String),
}

impl SiteUrl {
    /// Reads a bare domain (https is assumed) or a full http(s) URL.
    ///
    /// # Errors
    /// [`UrlError`] says what is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        let url = Url::parse(text).map_err(|e| UrlError::Invalid(e.to_string()))?;
        Self::clean(url)
    }

    /// Resolves a reference found on the page at this address.
    ///
    /// # Errors
    /// As [`SiteUrl::parse`].
    pub fn join(&self, reference: &str) -> Result<Self, UrlError> {
        Self::clean(self.0.join(reference).map_err(|e| UrlError::Invalid(e.to_string()))?)
    }

    fn clean(mut url: Url) -> Result<Self, UrlError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(UrlError::Scheme(url.scheme().to_owned()));
        }
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// The address as text, ready to be fetched.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The parsed address.
    #[must_use]
    pub fn as_url(&self) -> &Url {
        &self.0
    }

    /// The path, percent-encoded, starting with a slash.
    #[must_use]
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// The host, lower case, without brackets round an IPv6 address.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Equal for addresses that lead to the same page as far as the text can tell.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.as_str().to_owned()
    }
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
