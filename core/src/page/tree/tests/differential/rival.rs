//! What the crate `tl` makes of a page: the rival that is fast and no parser of HTML.

use super::{Facts, squeezed};
use crate::page::vocabulary::Tag;

/// The facts as its tree has them, with references decoded, which it leaves to its callers.
pub(super) fn facts(html: &str) -> Facts {
    let mut facts = Facts::default();
    let Ok(dom) = tl::parse(html, tl::ParserOptions::default()) else { return facts };
    let parser = dom.parser();
    let children = |tag: &tl::HTMLTag<'_>| -> Vec<tl::NodeHandle> {
        tag.children().top().as_slice().iter().rev().copied().collect()
    };
    // Its own way to the text of a tag calls itself for every tag in it.
    let inside = |tag: &tl::HTMLTag<'_>| {
        let (mut open, mut text) = (children(tag), String::new());
        while let Some(node) = open.pop().and_then(|handle| handle.get(parser)) {
            match node {
                tl::Node::Raw(raw) => text.push_str(&htmlize::unescape(raw.as_utf8_str())),
                tl::Node::Tag(tag) => open.extend(children(tag)),
                tl::Node::Comment(_) => {}
            }
        }
        squeezed(&text)
    };
    let mut text = String::new();
    let mut open: Vec<_> = dom.children().iter().rev().copied().collect();
    while let Some(node) = open.pop().and_then(|handle| handle.get(parser)) {
        match node {
            tl::Node::Raw(raw) => text.push_str(&htmlize::unescape(raw.as_utf8_str())),
            tl::Node::Comment(_) => {}
            tl::Node::Tag(tag) => {
                let name = tag.name().as_utf8_str().to_ascii_lowercase();
                if let Some(level) = Tag::of(name.as_bytes()).heading_level() {
                    facts.headings.push((level, inside(tag)));
                }
                match name.as_str() {
                    "title" if facts.title.is_empty() => facts.title = inside(tag),
                    "title" | "script" | "style" | "template" => continue,
                    "a" => facts.links.extend(
                        tag.attributes()
                            .get("href")
                            .flatten()
                            .map(|href| htmlize::unescape_attribute(href.as_utf8_str()).into_owned()),
                    ),
                    _ => {}
                }
                if name != "title" {
                    open.extend(children(tag));
                }
            }
        }
    }
    facts.text = squeezed(&text);
    facts
}
