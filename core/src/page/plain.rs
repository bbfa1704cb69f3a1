//! Pages that are served as Markdown or plain text: taken as they are.

use std::sync::Arc;

use super::fold::fold;
use super::head::shorten;
use super::resolve::Resolver;
use super::{Described, Link, Origin, Page, Place, Source, charset};
use crate::site::url::SiteUrl;

/// Lines that front matter may have.
const MAX_FRONT_MATTER: usize = 200;
/// Links of one page; the rest is left out.
const MAX_LINKS: usize = 20_000;

/// Reads Markdown: title and description from the front matter or from the text, links from the text.
pub(super) fn read_markdown(source: &Source<'_>) -> Page {
    let text = charset::decode(source.body, source.content_type, false);
    let (front, body) = split_front_matter(&text);
    let mut page = empty(source);
    page.title = front_value(front, "title").or_else(|| heading(body));
    let declared = front_value(front, "description");
    page.described = Described::by(declared.as_deref());
    page.description = declared.or_else(|| paragraph(body)).map(|text| shorten(&text));
    page.language = front_value(front, "lang").filter(|l| (2..=3).contains(&l.len()));
    page.links = links(body, source.url);
    body.trim().clone_into(&mut page.markdown);
    page
}

/// Reads plain text: its first line is its title.
pub(super) fn read_text(source: &Source<'_>) -> Page {
    let text = charset::decode(source.body, source.content_type, false);
    let mut page = empty(source);
    page.title = text.lines().map(fold).find(|line| !line.is_empty()).map(|line| shorten(&line));
    page.description = paragraph(&text).map(|text| shorten(&text));
    text.trim().clone_into(&mut page.markdown);
    page
}

fn empty(source: &Source<'_>) -> Page {
    let robots = source.x_robots_tag.unwrap_or_default().to_ascii_lowercase();
    let asks = |wish: &str| robots.split(',').any(|d| d.trim() == wish || d.trim() == "none");
    Page { origin: Origin::Served, noindex: asks("noindex"), nofollow: asks("nofollow"), ..Page::default() }
}

/// The lines between `---` at the start of a text, and what follows them.
fn split_front_matter(text: &str) -> (&str, &str) {
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return ("", text);
    };
    let mut length = 0;
    for line in rest.split_inclusive('\n').take(MAX_FRONT_MATTER) {
        if matches!(line.trim_end(), "---" | "...") {
            return (
                rest.get(..length).unwrap_or_default(),
                rest.get(length + line.len()..).unwrap_or_default(),
            );
        }
        length += line.len();
    }
    ("", text)
}

fn front_value(front: &str, key: &str) -> Option<String> {
    let value = front.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?.trim();
    let quoted = |q: char| value.strip_prefix(q).and_then(|v| v.strip_suffix(q));
    let value = fold(quoted('"').or_else(|| quoted('\'')).unwrap_or(value));
    (!value.is_empty() && !matches!(value.as_str(), "|" | ">" | ">-" | "|-")).then_some(value)
}

/// The lines outside of fenced code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<&str> = None;
    text.lines().filter(move |line| {
        let start = line.trim_start();
        let marker = ["```", "~~~"].into_iter().find(|m| start.starts_with(m));
        match (fence, marker) {
            (None, Some(marker)) => fence = Some(marker),
            (Some(open), Some(marker)) if open == marker => fence = None,
            (None, None) => return true,
            _ => {}
        }
        false
    })
}

fn heading(body: &str) -> Option<String> {
    let mut previous = "";
    for line in prose(body) {
        if let Some(text) = line.strip_prefix("# ") {
            return Some(fold(text.trim_end().trim_end_matches('#'))).filter(|t| !t.is_empty());
        }
        if line.len() >= 3 && line.bytes().all(|b| b == b'=') && !previous.trim().is_empty() {
            return Some(fold(previous));
        }
        previous = line;
    }
    None
}

/// The first run of lines that is no heading, list, table, quote or markup.
fn paragraph(body: &str) -> Option<String> {
    let mut text = String::new();
    for line in prose(body).chain([""]) {
        let line = line.trim();
        let starts = line.starts_with(['#', '|', '<', '!', '=', '['])
            || line.starts_with("- ")
            || line.starts_with("---");
        if line.is_empty() || starts {
            if text.len() >= 40 {
                return Some(fold(&text));
            }
            text.clear();
        } else {
            text.push_str(line.trim_start_matches("> "));
            text.push(' ');
        }
    }
    None
}

/// Inline links `[text](target)` and `<https://...>` outside of code.
fn links(body: &str, page: &SiteUrl) -> Vec<Link> {
    let mut resolver = Resolver::plain(page);
    let mut links: Vec<Link> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut group: Option<Arc<str>> = None;
    for line in prose(body) {
        if line.starts_with('#') {
            group = Some(fold(line.trim_matches(['#', ' ']))).filter(|g| !g.is_empty()).map(Arc::from);
        }
        let mut rest = line;
        while let Some(at) = rest.find("](") {
            let (before, after) =
                (rest.get(..at).unwrap_or_default(), rest.get(at + 2..).unwrap_or_default());
            let text = before.rfind('[').and_then(|open| before.get(open + 1..)).unwrap_or_default();
            let image =
                before.rfind('[').is_some_and(|open| before.get(..open).is_some_and(|b| b.ends_with('!')));
            rest = after;
            let end = after.find([')', ' ']).unwrap_or(after.len());
            let target = after.get(..end).unwrap_or_default().trim_matches(['<', '>']);
            if image || target.is_empty() || target.starts_with('#') || links.len() >= MAX_LINKS {
                continue;
            }
            if let Some(url) = resolver.resolve(target).cloned()
                && seen.insert(url.clone())
            {
                let depth = u8::from(line.trim_start().starts_with(['-', '*', '+']));
                links.push(Link {
                    url,
                    text: fold(text),
                    place: Place::Content,
                    group: group.clone(),
                    depth,
                    nofollow: false,
                });
            }
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Page {
        let url = SiteUrl::parse("https://site.example/docs/a.md").unwrap();
        read_markdown(&Source {
            url: &url,
            content_type: Some("text/markdown"),
            x_robots_tag: Some("noindex"),
            body: text.as_bytes(),
        })
    }

    #[test]
    fn markdown_is_taken_as_it_is() {
        let page = read(
            "---\ntitle: \"A title\"\n---\n# Other\n\nSome words that are long enough to say something.\n\n```\n[x](y)\n```\n- [b](b.md#c) ![i](i.png)\n",
        );
        assert_eq!(page.title.as_deref(), Some("A title"));
        assert_eq!(page.description.as_deref(), Some("Some words that are long enough to say something."));
        assert!(page.markdown.starts_with("# Other") && page.noindex && !page.nofollow);
        let urls: Vec<_> = page.links.iter().map(|l| (l.url.as_str(), l.text.as_str())).collect();
        assert_eq!(urls, [("https://site.example/docs/b.md", "b")]);
        assert_eq!(read("Title\n===\ntext").title.as_deref(), Some("Title"));
    }
}
