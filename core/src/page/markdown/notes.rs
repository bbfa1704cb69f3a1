//! Footnotes: a short link in the text and the note it leads to, which mostly links back.

use super::super::main_content::Content;
use super::super::tree::{NodeId, Tree};
use super::super::vocabulary::{Name, Tag};
use super::roles::{Part, has_role};
use crate::maps::{Map, Set};

/// Bytes of a reference's text without its brackets: a number, a sign, the key of a citation.
const MAX_LABEL: usize = 20;
/// Nodes of a reference.
const MAX_REFERENCE: usize = 8;
/// Nodes of a note in which links back are looked for, and which are looked at around such a link.
const MAX_NOTE: usize = 400;

/// A link that may be a reference to a footnote.
#[derive(Debug)]
pub(super) struct Candidate<'a> {
    link: NodeId,
    /// The id that it leads to.
    target: &'a str,
    label: String,
    /// It looks like a number of a note: raised, in brackets, or digits.
    formal: bool,
    /// Its name says so.
    named: bool,
}

/// Reads a link; `None` if it cannot refer to a footnote.
pub(super) fn candidate<'a>(tree: &Tree<'a>, link: NodeId) -> Option<Candidate<'a>> {
    let target = tree.raw_attribute(link, Name::Href)?.strip_prefix('#').filter(|t| !t.is_empty())?;
    if tree.descendants(link).len() > MAX_REFERENCE {
        return None;
    }
    let text = tree.folded_text(link, MAX_LABEL + 8);
    let label = text
        .trim_matches(|c: char| !c.is_alphanumeric() && c != '*' && !('\u{2020}'..='\u{2021}').contains(&c));
    if label.is_empty()
        || label.len() > MAX_LABEL
        || label.contains(|c: char| c.is_whitespace() || "[]`".contains(c))
    {
        return None;
    }
    let parent = tree.node(link).parent;
    let raised = tree.tag(parent) == Tag::Sup || tree.descendants(link).any(|n| tree.tag(n) == Tag::Sup);
    let named = has_role(tree, link, "doc-noteref") || [link, parent].iter().any(|&n| says_footnote(tree, n));
    Some(Candidate {
        link,
        target,
        label: label.to_owned(),
        formal: raised || text.starts_with('[') || label.bytes().all(|b| b.is_ascii_digit()),
        named,
    })
}

fn says_footnote(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.shared_classes(node).is_some_and(|classes| classes.contains("footnote"))
        || has_role(tree, node, "doc-footnote")
        || has_role(tree, node, "doc-endnote")
}

/// Finds the notes of all references and notes what is what.
pub(super) fn pair(
    tree: &Tree<'_>,
    content: &Content,
    references: Vec<Candidate<'_>>,
    parts: &mut Map<NodeId, Part>,
) {
    let wanted: Set<&str> = references.iter().map(|r| r.target).collect();
    let targets = targets(tree, content, &wanted);
    let mut notes: Map<NodeId, String> = Map::default();
    let mut taken = Map::default();
    let mut backs: Map<NodeId, Vec<NodeId>> = Map::default();
    for reference in references {
        let Some(&note) = targets.get(reference.target) else { continue };
        // A note stands behind what refers to it; a link back to the text is no reference.
        if note < reference.link {
            continue;
        }
        let known = notes.contains_key(&note);
        let back = links_back(tree, note, reference.link);
        if !(known || reference.named || says_footnote(tree, note) || reference.formal && back.is_some()) {
            continue;
        }
        let label = notes.entry(note).or_insert_with(|| unique(&reference.label, &mut taken)).clone();
        backs.entry(note).or_default().extend(back);
        let shown =
            frame(tree, reference.link, |n| matches!(tree.tag(n), Tag::Sup | Tag::Span), &[reference.link]);
        parts.insert(shown, Part::Reference(label));
    }
    for (note, label) in notes {
        let mut backs = backs.remove(&note).unwrap_or_default();
        backs.sort_unstable();
        backs.dedup();
        leave_out_number(tree, note, &label, &backs, parts);
        parts.insert(note, Part::Note(label));
    }
}

/// The elements that ids name, as far as they can be notes.
fn targets<'a>(tree: &Tree<'a>, content: &Content, wanted: &Set<&str>) -> Map<&'a str, NodeId> {
    let mut targets = Map::default();
    for &root in &content.roots {
        let mut node = root;
        while node < tree.node(root).end {
            if !tree.spend(1) {
                return targets;
            }
            if content.left_out[node as usize] {
                node = tree.node(node).end;
                continue;
            }
            if let Some(id) = tree.raw_attribute(node, Name::Id).filter(|id| wanted.contains(id))
                && let Some(note) = note_at(tree, node)
            {
                targets.entry(id).or_insert(note);
            }
            node += 1;
        }
    }
    targets
}

/// The block that an anchor stands in or is; `None` if that is a part of the page rather than a note.
fn note_at(tree: &Tree<'_>, anchor: NodeId) -> Option<NodeId> {
    let block = std::iter::once(anchor)
        .chain(tree.ancestors(anchor))
        .find(|&n| tree.tag(n).is_block() || tree.tag(n) == Tag::Document)?;
    let is_note = match tree.tag(block) {
        Tag::Li | Tag::P | Tag::Aside | Tag::Dd => true,
        Tag::Div | Tag::Table => {
            tree.spend(MAX_NOTE.min(tree.descendants(block).len()));
            tree.descendants(block).take(MAX_NOTE).all(|n| tree.tag(n).heading_level().is_none())
        }
        _ => false,
    };
    is_note.then_some(block)
}

/// The link in a note that leads back to a reference, to what holds it or to what it holds.
fn links_back(tree: &Tree<'_>, note: NodeId, link: NodeId) -> Option<NodeId> {
    let around = [tree.node(link).parent, link];
    let inside = tree.descendants(link).take(1);
    let ids: Vec<&str> =
        around.into_iter().chain(inside).filter_map(|n| tree.raw_attribute(n, Name::Id)).collect();
    tree.spend(MAX_NOTE.min(tree.descendants(note).len()));
    tree.descendants(note).take(MAX_NOTE).find(|&n| {
        tree.tag(n) == Tag::A
            && tree
                .raw_attribute(n, Name::Href)
                .and_then(|h| h.strip_prefix('#'))
                .is_some_and(|h| ids.contains(&h))
    })
}

/// A name that no note has. `taken`: those that are, with the last number that was put behind each.
fn unique(label: &str, taken: &mut Map<String, usize>) -> String {
    let mut name = label.to_owned();
    while taken.contains_key(&name) {
        let number = taken.entry(label.to_owned()).or_insert(1);
        *number += 1;
        name = format!("{label}-{number}");
    }
    taken.insert(name.clone(), 1);
    name
}

/// The outermost element round a link that holds nothing else but signs and other such links; `links` are in order.
fn frame(tree: &Tree<'_>, link: NodeId, may_frame: impl Fn(NodeId) -> bool, links: &[NodeId]) -> NodeId {
    let only_signs = |range: std::ops::Range<NodeId>| {
        let mut node = range.start;
        while node < range.end {
            tree.spend(1);
            if links.binary_search(&node).is_ok() {
                node = tree.node(node).end;
                continue;
            }
            if tree.tag(node) == Tag::Img
                || (tree.tag(node) == Tag::Text && tree.text(node).contains(char::is_alphanumeric))
            {
                return false;
            }
            node += 1;
        }
        true
    };
    let mut top = link;
    loop {
        let parent = tree.node(top).parent;
        let (inside, end) = (tree.descendants(parent), tree.node(top).end);
        let narrow = may_frame(parent) && inside.len() <= MAX_NOTE;
        if !narrow || !only_signs(inside.start..top) || !only_signs(end..inside.end) {
            return top;
        }
        top = parent;
    }
}

/// Leaves out a note's own number and its links back.
fn leave_out_number(
    tree: &Tree<'_>,
    note: NodeId,
    label: &str,
    backs: &[NodeId],
    parts: &mut Map<NodeId, Part>,
) {
    let may_frame =
        |n| n != note && (!tree.tag(n).is_block() || matches!(tree.tag(n), Tag::Td | Tag::P)) && n > note;
    for &back in backs {
        let framed = frame(tree, back, may_frame, backs);
        parts.insert(framed, Part::Skip);
        let behind = tree.node(framed).end;
        if behind < tree.node(note).end && tree.tag(behind) == Tag::Text {
            parts.insert(behind, Part::AfterNumber);
        }
    }
    let first = tree.descendants(note).find(|&n| tree.tag(n) == Tag::Text && !tree.text(n).trim().is_empty());
    let number = first.map(|text| tree.node(text).parent).filter(|&n| n > note);
    if let Some(number) = number.filter(|&n| matches!(tree.tag(n), Tag::Sup | Tag::Span | Tag::A)) {
        let text = tree.folded_text(number, MAX_LABEL + 8);
        if text.trim_matches(|c: char| !c.is_alphanumeric()) == label {
            parts.insert(number, Part::Skip);
        }
    }
}
