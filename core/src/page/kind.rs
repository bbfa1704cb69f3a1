//! What a body is, by what its server says and by its first bytes.

use super::charset;
use crate::url::SiteUrl;

/// How far the start of a body is looked at, in bytes.
const SNIFFED: usize = 1024;
/// Characters of a media type that are read: what a server sends may fill the whole head of its answer.
const TYPE_MAX_CHARS: usize = 100;

/// The media type of a `Content-Type`, without its parameters.
pub fn media_type(content_type: &str) -> String {
    let name = content_type.split(';').next().unwrap_or_default().trim();
    name.chars().take(TYPE_MAX_CHARS).collect::<String>().to_ascii_lowercase()
}

/// What a body is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyKind {
    /// HTML or XHTML.
    Html,
    /// Markdown.
    Markdown,
    /// Text without markup.
    Text,
    /// Something else: its media type, as far as it is known.
    Other(String),
}

/// Whether a path is that of a Markdown file, by its ending in small letters.
pub fn is_markdown_name(path: &str) -> bool {
    [".md", ".markdown", ".mdx"].iter().any(|end| path.ends_with(end))
}

impl BodyKind {
    /// Decides by the `Content-Type`, by the file name where the type is `text/plain`, and by the first
    /// bytes where the type says nothing.
    pub fn of(content_type: Option<&str>, url: &SiteUrl, body: &[u8]) -> Self {
        let declared = content_type.map(media_type).unwrap_or_default();
        let named_markdown = is_markdown_name(url.path());
        let head = body.get(..SNIFFED).unwrap_or(body);
        match declared.as_str() {
            "text/html" | "application/xhtml+xml" if named_markdown && !looks_like_html(head) => {
                Self::Markdown
            }
            "text/html" | "application/xhtml+xml" if is_feed(head) => Self::Other("text/xml".to_owned()),
            "text/html" | "application/xhtml+xml" => Self::Html,
            "text/markdown" | "text/x-markdown" | "application/markdown" => Self::Markdown,
            "text/plain" if named_markdown => Self::Markdown,
            ""
            | "text/plain"
            | "application/octet-stream"
            | "application/xml"
            | "text/xml"
            | "unknown/unknown" => sniff(&declared, head, named_markdown),
            _ => Self::Other(declared),
        }
    }
}

fn sniff(declared: &str, head: &[u8], named_markdown: bool) -> BodyKind {
    if let Some((_, name)) = SIGNATURES.iter().find(|(start, _)| head.starts_with(start)) {
        return BodyKind::Other((*name).to_owned());
    }
    let wide =
        head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") || charset::utf_16(head).is_some();
    if head.contains(&0) && !wide {
        return BodyKind::Other("application/octet-stream".to_owned());
    }
    if looks_like_html(head) {
        return BodyKind::Html;
    }
    match declared {
        "application/xml" | "text/xml" => BodyKind::Other(declared.to_owned()),
        _ if named_markdown => BodyKind::Markdown,
        "text/plain" => BodyKind::Text,
        _ if head.trim_ascii_start().starts_with(b"<?xml") => BodyKind::Other("text/xml".to_owned()),
        _ if head.contains(&b'<') => BodyKind::Html,
        _ => BodyKind::Text,
    }
}

/// File signatures of what is often served without a type.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG", "image/png"),
    (b"GIF8", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
];

/// Whether a body starts like an HTML page: with a doctype or one of its elements, behind comments.
fn looks_like_html(head: &[u8]) -> bool {
    const STARTS: [&str; 8] =
        ["<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<script", "<link"];
    behind_comments(head).is_none_or(|rest| begins_with(rest, &STARTS))
}

/// Whether a body is a feed or a sitemap, whatever it is called.
fn is_feed(head: &[u8]) -> bool {
    const STARTS: [&str; 5] = ["<rss", "<feed", "<rdf:rdf", "<urlset", "<sitemapindex"];
    behind_comments(head).is_some_and(|rest| begins_with(rest, &STARTS))
}

fn begins_with(text: &[u8], starts: &[&str]) -> bool {
    starts.iter().any(|start| {
        let ends = text.get(start.len()).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'-');
        ends && text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
    })
}

/// What stands behind the comments and declarations that a body begins with; `None` if one of them does not end.
fn behind_comments(head: &[u8]) -> Option<&[u8]> {
    let mut rest = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    loop {
        let skipped: Option<&[u8]> = if rest.starts_with(b"<!--") {
            Some(b"-->")
        } else if rest.starts_with(b"<?xml") {
            Some(b"?>")
        } else {
            None
        };
        let Some(end) = skipped else { break };
        let at = memchr::memmem::find(rest, end)?;
        rest = rest.get(at + end.len()..).unwrap_or_default().trim_ascii_start();
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(content_type: Option<&str>, path: &str, body: &str) -> BodyKind {
        BodyKind::of(
            content_type,
            &SiteUrl::parse(&format!("https://site.example{path}")).unwrap(),
            body.as_bytes(),
        )
    }

    #[test]
    fn the_server_is_believed_where_it_says_something() {
        assert_eq!(kind(Some("text/html; charset=utf-8"), "/", "x"), BodyKind::Html);
        assert_eq!(kind(Some("text/markdown"), "/", "<p>"), BodyKind::Markdown);
        assert_eq!(kind(Some("text/plain"), "/a.md", "# a"), BodyKind::Markdown);
        assert_eq!(kind(Some("text/plain"), "/a.txt", "# a"), BodyKind::Text);
        assert_eq!(kind(Some("application/pdf"), "/", "x"), BodyKind::Other("application/pdf".into()));
    }

    #[test]
    fn a_feed_is_no_page_whatever_it_is_called() {
        for feed in ["<?xml version='1.0'?>\n<rss version='2.0'>", "<!-- f --><feed xmlns='x'>", "<RDF:rdf>"]
        {
            assert_eq!(kind(Some("text/html"), "/", feed), BodyKind::Other("text/xml".into()), "{feed}");
        }
        for page in ["<?xml version='1.0'?><html>", "<feed-list></feed-list>"] {
            assert_eq!(kind(Some("text/html"), "/", page), BodyKind::Html, "{page}");
        }
    }

    #[test]
    fn a_type_is_told_in_short_however_long_it_is() {
        let BodyKind::Other(told) = kind(Some(&format!("text/{}", "é".repeat(400_000))), "/", "x") else {
            panic!("a type of its own");
        };
        assert_eq!(told, format!("text/{}", "é".repeat(95)));
    }

    #[test]
    fn kind_is_sniffed_without_a_content_type() {
        assert_eq!(kind(None, "/", " <!-- c --> <!DOCTYPE HTML>"), BodyKind::Html);
        assert_eq!(kind(None, "/", "%PDF-1.7"), BodyKind::Other("application/pdf".into()));
        assert_eq!(kind(None, "/", "plain words"), BodyKind::Text);
        assert_eq!(kind(None, "/", "<?xml version='1.0'?><rss>"), BodyKind::Other("text/xml".into()));
    }
}
