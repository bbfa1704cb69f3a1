//! What a link's address is.

use url::Url;

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
        let url = url.trim();
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
