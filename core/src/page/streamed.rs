//! Pages that stream: a server that renders as it goes sends an empty template for what is not ready, and what
//! belongs there later, hidden, at the end of the page, for a script to put in its place (React's `B:` or `P:` and
//! `S:`).

use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};
use crate::maps::{Map, Set};

/// Segments of one page, at most.
const MAX_SEGMENTS: usize = 1_000;

/// Whether an element is such a late part, by its id.
pub(super) fn is_segment(id: &str) -> bool {
    id.strip_prefix("S:")
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The late parts of a page with the templates that hold their places, in the order of the templates. A part
/// stands behind its template, so a walk backwards meets it first.
pub(super) fn segments(tree: &Tree<'_>) -> Vec<(NodeId, NodeId)> {
    let Some(first) = tree.all(Tag::Template).next() else { return Vec::new() };
    let id = |node| tree.raw_attribute(node, Name::Id).unwrap_or_default();
    let mut places: Map<&str, NodeId> = Map::default();
    let mut found = Vec::new();
    for node in first..tree.len() {
        match tree.tag(node) {
            Tag::Template if places.len() < MAX_SEGMENTS => {
                let number = id(node).strip_prefix("B:").or_else(|| id(node).strip_prefix("P:"));
                places.extend(number.map(|number| (number, node)));
            }
            Tag::Div if !places.is_empty() && found.len() < MAX_SEGMENTS => {
                let place = id(node).strip_prefix("S:").and_then(|number| places.remove(number));
                found.extend(place.map(|place| (place, node)));
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found
}

/// The late parts that belong into `root`, and into those parts, in the order of their places; none of them lies in
/// another one, or in `root`.
pub(super) fn inside(tree: &Tree<'_>, segments: &[(NodeId, NodeId)], root: NodeId) -> Vec<NodeId> {
    let mut met: Set<NodeId> = Set::default();
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(part) = open.pop() {
        if part != root {
            found.push(part);
        }
        let first = segments.partition_point(|&(place, _)| place < part);
        let here = segments[first..].iter().take_while(|&&(place, _)| place < tree.node(part).end);
        let here: Vec<NodeId> = here.map(|&(_, segment)| segment).filter(|s| met.insert(*s)).collect();
        open.extend(here.into_iter().rev());
    }
    let lies_in = |part: NodeId, outer: NodeId| outer < part && part < tree.node(outer).end;
    let mut outermost: Vec<NodeId> = Vec::new();
    let mut parts = found.clone();
    parts.sort_unstable();
    for part in parts {
        if !lies_in(part, root) && outermost.last().is_none_or(|&outer| !lies_in(part, outer)) {
            outermost.push(part);
        }
    }
    found.retain(|part| outermost.binary_search(part).is_ok());
    found
}

#[cfg(test)]
mod tests {
    use super::super::{PageSource, read_html};
    use crate::url::SiteUrl;
    use crate::work::Work;

    #[test]
    fn late_parts_come_to_their_place() {
        let html = "<body><main><h1>Title</h1><p>What was ready at once.</p><template id='B:1'></template>\
            <template id='B:0'></template></main><footer>Legal</footer><div hidden id='S:0'><p>The second part.</p></div>\
            <div hidden id='S:1'><p>The first part.</p></div><div hidden id='S:x'><p>Hidden.</p></div>";
        let url = SiteUrl::parse("https://site.example/a").unwrap();
        let page = read_html(
            &PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() },
            &Work::unbounded(),
        )
        .unwrap();
        assert_eq!(
            page.markdown,
            "# Title\n\nWhat was ready at once.\n\nThe first part.\n\nThe second part."
        );
    }

    #[test]
    fn a_part_inside_another_comes_once() {
        let each = |start: &str, end: &str| {
            (0..100).map(|n| [start, &n.to_string(), end].concat()).collect::<String>()
        };
        let places = each("<template id='B:", "'></template>");
        let html =
            format!("<main><p>Ready.</p>{places}</main>{}<p>Late.</p>", each("<div hidden id='S:", "'>"));
        let url = SiteUrl::parse("https://site.example/a").unwrap();
        let source = PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() };
        let page = read_html(&source, &Work::unbounded()).unwrap();
        assert_eq!(page.markdown, "Ready.\n\nLate.");
    }
}
