//! What is asked for, and what comes back.

use std::num::IntErrorKind;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::{
    CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, LAST_MODIFIED, RETRY_AFTER,
};
use wayfile_core::llms_txt::lint::served;
use wayfile_core::page::media_type;
use wayfile_core::site::robots::ROBOTS_MAX_BYTES;
use wayfile_core::site::sitemap::SITEMAP_MAX_BYTES;
use wayfile_core::url::SiteUrl;

use super::probe::Probe;
use crate::error::{FetchError, FetchResult};

/// What a request is for: decides what it accepts, the cap of the body and what happens above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Want {
    /// The page a crawl starts from, as HTML: its navigation is the map of the site.
    Home,
    /// Any other page, as Markdown where the site offers it.
    Page,
    /// The same for an address that was made up, to see what the site shows there.
    MadeUp,
    /// What a page that is open in a browser loads, of any type.
    Resource,
    /// A sitemap; above the cap it is cut and what is whole counts.
    Sitemap,
    /// robots.txt; above the cap it is cut (RFC 9309 section 2.5).
    Robots,
    /// Whatever is there, for a validation: any status and any type is an answer.
    Probe(Probe),
}

impl Want {
    pub(super) fn accept(self) -> &'static str {
        match self {
            Self::Home => "text/html, application/xhtml+xml;q=0.9, text/markdown;q=0.5, */*;q=0.1",
            Self::Page | Self::MadeUp => {
                "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.8, */*;q=0.1"
            }
            Self::Resource => "application/json, */*;q=0.9",
            Self::Sitemap => "application/xml, text/xml;q=0.9, */*;q=0.5",
            Self::Robots => "text/plain, */*;q=0.1",
            Self::Probe(probe) => probe.accept(),
        }
    }

    /// Asked for when robots.txt is known, and allows it. What a validation looks at was named by the site's owner, or is asked
    /// for once: robots.txt is for crawls. And it is for pages, not for what they load.
    pub(crate) fn obeys_rules(self) -> bool {
        !matches!(self, Self::Probe(_) | Self::Resource)
    }

    /// Asked for in the course of a crawl that began before.
    pub(crate) fn is_within_crawl(self) -> bool {
        matches!(self, Self::Page | Self::MadeUp | Self::Resource | Self::Sitemap)
    }

    /// One of the pages that a crawl is for.
    pub(crate) fn is_page(self) -> bool {
        matches!(self, Self::Home | Self::Page)
    }

    /// For a validation, which has permits of its own and goes before crawls.
    pub(crate) fn is_probe(self) -> bool {
        matches!(self, Self::Probe(_))
    }

    /// Bytes of a decoded body, where a page has `page_max_bytes`.
    pub(super) fn max_bytes(self, page_max_bytes: usize) -> usize {
        match self {
            Self::Home | Self::Page | Self::MadeUp | Self::Resource => page_max_bytes,
            Self::Sitemap => SITEMAP_MAX_BYTES,
            Self::Robots => ROBOTS_MAX_BYTES,
            Self::Probe(probe) => probe.max_bytes().min(page_max_bytes),
        }
    }

    pub(super) fn may_be_cut(self) -> bool {
        matches!(self, Self::Sitemap | Self::Robots | Self::Probe(_))
    }
}

/// A body and the headers that matter for reading it.
#[derive(Debug, Clone)]
pub(crate) struct PageBody {
    pub(crate) url: SiteUrl,
    pub(crate) content_type: Option<String>,
    /// `X-Robots-Tag`, each of them on a line of its own.
    pub(crate) x_robots_tag: Option<String>,
    pub(crate) validators: Validators,
    /// Decoded.
    pub(crate) body: Bytes,
}

impl PageBody {
    /// Bytes that it takes: the body, and what is kept of its head, which may be as long as the client lets it be.
    pub(crate) fn weight(&self) -> usize {
        let texts = [&self.content_type, &self.x_robots_tag];
        let values = [&self.validators.etag, &self.validators.last_modified];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        let values: usize = values.into_iter().flatten().map(HeaderValue::len).sum();
        self.body.len() + texts + values
    }
}

/// What lets a server say "unchanged" (RFC 9110 section 13.1).
#[derive(Debug, Clone, Default)]
pub(crate) struct Validators {
    pub(crate) etag: Option<HeaderValue>,
    pub(crate) last_modified: Option<HeaderValue>,
}

impl Validators {
    /// A server that sent none cannot be asked whether the page changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) answer: Answer,
    /// From the request to the first byte of the answer.
    pub(crate) latency: Duration,
}

#[derive(Debug)]
pub(crate) enum Answer {
    /// A 2xx with its body, or a 304 with the one that is known.
    Page(PageBody),
    Seen(served::HttpAnswer),
    /// A 3xx; its target is not checked yet.
    Moved(SiteUrl),
    /// Any other status, or a challenge with any.
    Failed {
        status: u16,
        retry_after: Option<Duration>,
        is_challenge: bool,
    },
}

/// Refuses what cannot be read before its body is.
pub(super) fn check_type(want: Want, headers: &HeaderMap) -> FetchResult<()> {
    // The client takes the header away when it decodes; what is left is a coding it does not know, or several.
    if let Some(coding) = text(headers, &CONTENT_ENCODING).filter(|c| !c.eq_ignore_ascii_case("identity")) {
        return Err(FetchError::NotAPage(format!("encoded as {}", media_type(&coding))));
    }
    if matches!(want, Want::Resource | Want::Sitemap | Want::Robots) {
        return Ok(());
    }
    let Some(kind) = text(headers, &CONTENT_TYPE) else { return Ok(()) };
    let essence = media_type(&kind);
    let readable = essence.starts_with("text/")
        || matches!(
            essence.as_str(),
            "" | "application/xhtml+xml" | "application/xml" | "application/markdown"
        );
    if readable && !matches!(essence.as_str(), "text/css" | "text/javascript" | "text/csv" | "text/calendar")
    {
        return Ok(());
    }
    Err(FetchError::NotAPage(essence))
}

pub(super) fn page(url: SiteUrl, headers: &HeaderMap) -> PageBody {
    let robots: Vec<_> = headers.get_all("x-robots-tag").iter().filter_map(|v| v.to_str().ok()).collect();
    PageBody {
        url,
        content_type: text(headers, &CONTENT_TYPE),
        x_robots_tag: (!robots.is_empty()).then(|| robots.join("\n")),
        validators: Validators {
            etag: copied(headers, &ETAG),
            last_modified: copied(headers, &LAST_MODIFIED),
        },
        body: Bytes::new(),
    }
}

/// A value of a head is a part of all that was read with it, and keeps that in memory for as long as it is kept itself.
fn copied(headers: &HeaderMap, name: &HeaderName) -> Option<HeaderValue> {
    HeaderValue::from_bytes(headers.get(name)?.as_bytes()).ok()
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|v| String::from_utf8_lossy(v.as_bytes()).into_owned())
}

/// Seconds or a date (RFC 9110 section 10.2.3).
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    wait(headers.get(RETRY_AFTER)?.to_str().ok()?.trim())
}

pub(crate) fn wait_asked_by(answer: &served::HttpAnswer) -> Option<Duration> {
    wait(answer.header("retry-after")?.trim())
}

fn wait(value: &str) -> Option<Duration> {
    match value.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        // It asks for more time than there is.
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => {
            Some(Duration::from_secs(u64::from(u32::MAX)))
        }
        Err(_) => {
            let date = httpdate::parse_http_date(value).ok()?;
            Some(date.duration_since(SystemTime::now()).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair =
            |(name, value): &(&'static str, &str)| (HeaderName::from_static(name), value.parse().unwrap());
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn a_wait_is_seconds_or_a_date() {
        assert_eq!(retry_after(&headers(&[("retry-after", "7")])), Some(Duration::from_secs(7)));
        let endless = retry_after(&headers(&[("retry-after", "99999999999999999999999")]));
        assert!(endless > Some(Duration::from_hours(24)), "{endless:?}");
        let past = headers(&[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")]);
        assert_eq!(retry_after(&past), Some(Duration::ZERO));
        assert_eq!(retry_after(&headers(&[("retry-after", "soon")])), None);
    }

    #[test]
    fn other_content_types_are_refused() {
        for kind in ["text/html; charset=utf-8", "text/markdown", "TEXT/HTML", "application/xhtml+xml", ""] {
            assert!(check_type(Want::Page, &headers(&[("content-type", kind)])).is_ok(), "{kind}");
        }
        for kind in ["image/png", "application/pdf", "text/css", "application/json"] {
            assert!(check_type(Want::Page, &headers(&[("content-type", kind)])).is_err(), "{kind}");
        }
        assert!(check_type(Want::Sitemap, &headers(&[("content-type", "application/gzip")])).is_ok());
        assert!(check_type(Want::Page, &headers(&[("content-encoding", "gzip, gzip")])).is_err());
    }

    #[test]
    fn what_cannot_be_read_is_named_in_short_however_long_its_name_is() {
        let long = format!("x/{}", "a".repeat(400_000));
        for name in ["content-type", "content-encoding"] {
            let told = check_type(Want::Page, &headers(&[(name, &long)])).unwrap_err().to_string();
            assert!(told.len() < 150, "{name}: {} bytes", told.len());
        }
    }

    #[test]
    fn a_page_weighs_what_is_kept_of_its_head_too() {
        let long = HeaderValue::from_bytes(&[b'x'; 1_000]).unwrap();
        let names = [ETAG, LAST_MODIFIED, CONTENT_TYPE, HeaderName::from_static("x-robots-tag")];
        let headers: HeaderMap = names.into_iter().map(|name| (name, long.clone())).collect();
        let url = SiteUrl::parse("https://kiln.example/").unwrap();
        let read = PageBody { body: Bytes::from_static(b"clay"), ..page(url, &headers) };
        assert_eq!(read.weight(), 4_004);
    }
}
