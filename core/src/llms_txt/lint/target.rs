//! What a link's address is, without parsing those that are plain.

use std::borrow::Cow;

use url::{Position, Url};

/// An address as a link gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target<'a> {
    /// http or https, with a host.
    Absolute(Absolute<'a>),
    /// To be resolved against the file's own address.
    Relative,
    /// Leads nowhere: why.
    Bad(&'static str),
}

/// The parts of an absolute address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Absolute<'a> {
    /// The whole, normalised, without fragment.
    pub(super) url: Cow<'a, str>,
    /// Where the host begins: behind scheme, `://` and whoever signs in.
    host: usize,
    /// Where the host ends.
    host_end: usize,
    /// Where the path begins: behind the port, if there is one.
    path: usize,
    /// Where the path ends.
    path_end: usize,
}

/// Schemes that lead to no page.
const NO_PAGES: [&str; 5] = ["mailto:", "tel:", "javascript:", "data:", "file:"];

/// Reads the addresses of a file, most of which have the host of the one before.
#[derive(Default)]
pub(super) struct Targets<'a> {
    /// Scheme and host of the last address that needed no parsing.
    last: &'a str,
    /// How much of that is the scheme.
    scheme: usize,
}

impl<'a> Targets<'a> {
    pub(super) fn read(&mut self, url: &'a str) -> Target<'a> {
        let url = url.trim();
        if url.is_empty() {
            return Target::Bad("it is empty");
        }
        if let Some(plain) = self.plain(url) {
            return Target::Absolute(plain);
        }
        if NO_PAGES.iter().any(|scheme| starts_with(url, scheme)) {
            return Target::Bad("it leads to no page");
        }
        if url.contains(char::is_whitespace) {
            return Target::Bad("it holds white space");
        }
        match Url::parse(url) {
            Err(url::ParseError::RelativeUrlWithoutBase) => Target::Relative,
            Err(_) => Target::Bad("it is no URL"),
            Ok(parsed) if matches!(parsed.scheme(), "http" | "https") && url.contains("://") => {
                Target::Absolute(Absolute::of(&parsed))
            }
            Ok(_) => Target::Bad("only http and https lead to pages"),
        }
    }

    /// An address that needs no parsing: lower-case scheme and host, then nothing that parsers change.
    fn plain(&mut self, url: &'a str) -> Option<Absolute<'a>> {
        let known =
            url.strip_prefix(self.last).filter(|tail| tail.is_empty() || tail.starts_with(['/', '?', '#']));
        let tail = if let Some(tail) = known.filter(|_| self.scheme > 0) {
            tail
        } else {
            let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
            let (before, tail) = rest.split_at_checked(host_length(rest.as_bytes())?)?;
            self.scheme = url.len() - rest.len();
            self.last = url.get(..self.scheme + before.len())?;
            tail
        };
        let (path, end) = tail_lengths(tail.as_bytes())?;
        // `https://a.b` and `https://a.b/` are one address.
        let (path, end) = if end == 1 && tail.starts_with('/') { (0, 0) } else { (path, end) };
        let host_end = self.last.len();
        let url = Cow::Borrowed(url.get(..host_end + end)?);
        Some(Absolute { url, host: self.scheme, host_end, path: host_end, path_end: host_end + path })
    }
}

impl<'a> Absolute<'a> {
    fn of(parsed: &Url) -> Absolute<'a> {
        let whole = &parsed[..Position::AfterQuery];
        Absolute {
            host: parsed[..Position::BeforeHost].len(),
            host_end: parsed[..Position::AfterHost].len(),
            path: parsed[..Position::BeforePath].len(),
            path_end: parsed[..Position::AfterPath].len(),
            url: Cow::Owned(whole.to_owned()),
        }
    }

    /// Lower case, with brackets round an IPv6 address.
    pub(super) fn host(&self) -> &str {
        self.url.get(self.host..self.host_end).unwrap_or_default()
    }

    /// Without query; starts with a slash, or is empty.
    pub(super) fn path(&self) -> &str {
        self.url.get(self.path..self.path_end).unwrap_or_default()
    }

    pub(super) fn is_https(&self) -> bool {
        self.url.starts_with("https:")
    }
}

/// How long a host is that is a name in lower case; none where a parser would read or write it otherwise.
fn host_length(rest: &[u8]) -> Option<usize> {
    let mut label = 0;
    for (at, &byte) in rest.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => {}
            b'-' if at > 0 => {}
            b'.' if at > label => label = at + 1,
            b'/' | b'?' | b'#' => return is_last_label(rest.get(label..at)?).then_some(at),
            _ => return None,
        }
        // A name in another alphabet is decoded and checked.
        if byte == b'x' && rest.get(at..).is_some_and(|rest| rest.starts_with(b"xn--")) {
            return None;
        }
    }
    is_last_label(rest.get(label..)?).then_some(rest.len())
}

/// The last label of a name starts with a letter; `127.0.0.1` and `0x7f.1` are addresses.
fn is_last_label(label: &[u8]) -> bool {
    label.first().is_some_and(u8::is_ascii_lowercase)
}

/// Bytes of paths and queries that parsers leave alone wherever they stand.
const LEFT_ALONE: [bool; 256] = {
    let mut alone = [false; 256];
    let bytes = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_~=&+,@";
    let mut at = 0;
    while at < bytes.len() {
        alone[bytes[at] as usize] = true;
        at += 1;
    }
    alone
};

/// How long the path is, and path and query, when they hold nothing that parsers change; what follows is a fragment.
fn tail_lengths(tail: &[u8]) -> Option<(usize, usize)> {
    let (mut at, mut path) = (0, None);
    loop {
        at += tail.get(at..)?.iter().take_while(|&&byte| LEFT_ALONE[usize::from(byte)]).count();
        match tail.get(at) {
            Some(b'.') if at.checked_sub(1).and_then(|before| tail.get(before)) != Some(&b'/') => {}
            Some(b'?') => drop(path.get_or_insert(at)),
            None | Some(b'#') => return Some((path.unwrap_or(at), at)),
            Some(_) => return None,
        }
        at += 1;
    }
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(url: &str) -> String {
        match Targets::default().read(url) {
            Target::Absolute(to) => format!("{}|{}|{}", to.url, to.host(), to.path()),
            Target::Relative => "relative".to_owned(),
            Target::Bad(why) => why.to_owned(),
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
            assert!(matches!(Targets::default().read(bad), Target::Bad(_)), "{bad}: {}", shown(bad));
        }
    }

    #[test]
    fn what_needs_no_parsing_is_what_parsing_gives() {
        for url in
            ["https://a.dev", "https://a.dev/", "https://a.dev/x", "http://a-b.dev?x=1", "https://a.dev/x@y"]
        {
            let plain = Targets::default().plain(url).unwrap();
            let parsed = Absolute::of(&Url::parse(url).unwrap());
            assert_eq!(plain.host(), parsed.host());
            assert_eq!(
                plain.url.trim_end_matches('/').replace("dev?", "dev/?"),
                parsed.url.trim_end_matches('/')
            );
        }
        for url in
            ["https://1.2.3.4/", "https://a.0x7f/", "https://a.dev/../x", "https://A.dev", "https://a.dev:1/"]
        {
            assert_eq!(Targets::default().plain(url), None, "{url}");
        }
    }

    proptest! {
        #[test]
        fn any_address_that_is_plain_is_what_parsing_gives(url in "https?://[a-cA.x0-]{0,9}[/?#:@ %]?[a-c/.?#~%A-]{0,9}") {
            if let Some(plain) = Targets::default().plain(&url) {
                let parsed = Absolute::of(&Url::parse(&url).unwrap());
                prop_assert_eq!(plain.host(), parsed.host());
                prop_assert_eq!(plain.path().trim_end_matches('/'), parsed.path().trim_end_matches('/'));
            }
        }

        #[test]
        fn what_was_read_before_does_not_matter(
            urls in prop::collection::vec("https?://(a.dev|a.de|xn--a.dev)[/?#:@a v]{0,3}", 0..6)
        ) {
            let mut targets = Targets::default();
            for url in &urls {
                prop_assert_eq!(targets.read(url), Targets::default().read(url));
            }
        }
    }
}
