//! What a link's address is.

use std::borrow::Cow;

use url::Url;

use crate::url::SiteUrl;

/// An address as a link gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// http or https, with a host; normalised, without fragment.
    Absolute(Url),
    /// To be resolved against the file's own address.
    Relative(String),
    /// Leads to no page: it is empty, holds white space, or is no http or https address.
    Bad,
}

impl Target {
    /// Reads the address of a link.
    pub(super) fn read(url: &str) -> Self {
        let url = &*unescaped(url.trim());
        if url.is_empty() || url.contains(char::is_whitespace) {
            return Self::Bad;
        }
        match Url::parse(url) {
            Err(url::ParseError::RelativeUrlWithoutBase) => Self::Relative(url.to_owned()),
            Ok(mut parsed) if matches!(parsed.scheme(), "http" | "https") && url.contains("://") => {
                parsed.set_fragment(None);
                Self::Absolute(parsed)
            }
            Ok(_) | Err(_) => Self::Bad,
        }
    }

    /// The page that it leads to from a file at `base`: none for a place in the file itself, nor for a relative address without
    /// a base.
    pub(super) fn page(&self, base: Option<&SiteUrl>) -> Option<SiteUrl> {
        match self {
            Self::Absolute(to) => SiteUrl::parse(to.as_str()).ok(),
            Self::Relative(url) if url.starts_with('#') => None,
            Self::Relative(url) => base?.join(url).ok(),
            Self::Bad => None,
        }
    }

    /// The address, where it is absolute.
    pub(super) fn absolute(&self) -> Option<&Url> {
        match self {
            Self::Absolute(to) => Some(to),
            _ => None,
        }
    }

    /// Whether it is relative to the file's own address.
    pub(super) fn is_relative(&self) -> bool {
        matches!(self, Self::Relative(_))
    }

    /// The path, without query and fragment.
    pub(super) fn path(&self) -> &str {
        match self {
            Self::Absolute(to) => to.path(),
            Self::Relative(url) => url.split(['?', '#']).next().unwrap_or_default(),
            Self::Bad => "",
        }
    }
}

/// An address without the escapes and references that Markdown writes it with (`CommonMark` 0.31, sections 2.4 and 2.5).
fn unescaped(url: &str) -> Cow<'_, str> {
    if !url.contains(['\\', '&']) {
        return Cow::Borrowed(url);
    }
    let mut rest = url.chars().peekable();
    let mut text = String::with_capacity(url.len());
    while let Some(c) = rest.next() {
        let escaped = rest.next_if(|next| c == '\\' && next.is_ascii_punctuation());
        text.push(escaped.unwrap_or(c));
    }
    Cow::Owned(htmlize::unescape(text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(url: &str) -> String {
        let target = Target::read(url);
        match &target {
            Target::Absolute(to) => format!("{to}|{}|{}", to.host_str().unwrap(), target.path()),
            Target::Relative(_) => "relative".to_owned(),
            Target::Bad => "bad".to_owned(),
        }
    }

    #[test]
    fn escapes_and_references_are_those_of_markdown() {
        let to = |url: &str| Target::read(url).absolute().map(ToString::to_string);
        assert_eq!(to("https://tide.dev/a\\_b").as_deref(), Some("https://tide.dev/a_b"));
        assert_eq!(to("https://tide.dev/p\\(1\\)").as_deref(), Some("https://tide.dev/p(1)"));
        assert_eq!(to("https://tide.dev/q?a=1&amp;b=2").as_deref(), Some("https://tide.dev/q?a=1&b=2"));
        assert_eq!(to("https://tide.dev/q?a=1&b=2").as_deref(), Some("https://tide.dev/q?a=1&b=2"));
    }

    #[test]
    fn addresses_are_told_apart() {
        assert_eq!(shown("https://a.dev/x.md?y#z"), "https://a.dev/x.md?y|a.dev|/x.md");
        assert_eq!(shown("HTTPS://A.dev:8443/x/../y"), "https://a.dev:8443/y|a.dev|/y");
        assert_eq!(shown("http://127.0.0.1:80/a"), "http://127.0.0.1/a|127.0.0.1|/a");
        assert_eq!(shown("http://[::1]:9/a"), "http://[::1]:9/a|[::1]|/a");
        for relative in ["/a", "a/b.md", "#x", "?q", "//a.dev/x", "{{url}}"] {
            assert_eq!(shown(relative), "relative", "{relative}");
        }
        for bad in ["", "mailto:a@b.c", "JavaScript:x", "a b", "https://", "ftp://a.dev", "https:a"] {
            assert_eq!(shown(bad), "bad", "{bad}");
        }
    }
}
