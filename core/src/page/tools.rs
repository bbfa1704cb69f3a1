//! The tools of a page of documentation: links that turn pages, that show the source of what they stand beside, run
//! or edit it, and rows of such links.

use super::announcements::{Phrase, announced};
use super::survey::Survey;
use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};

/// Bytes of a row of tools.
const LONGEST_ROW: usize = 400;
/// Bytes of what such a row says between its links: `Next:`, `Up:`.
const LONGEST_REST: f32 = 48.0;
/// Nodes of such a row.
const MAX_NODES: usize = 80;
/// Bytes of the label of a tool.
const LONGEST_LABEL: usize = 32;
/// What links are to a page that turn it (`rel`).
const TURNS: &[&str] = &["next", "prev", "previous", "up", "contents", "index", "start", "home"];

/// Whether a node is a tool, or a row of nothing but tools.
pub(super) fn is_tool(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    match tree.tag(node) {
        Tag::A | Tag::Label => {
            survey.bytes(node) <= LONGEST_LABEL
                && label(tree, node) == Some(Phrase::Tool)
                && ends_line(tree, node)
        }
        Tag::Div | Tag::Span | Tag::P | Tag::Ul | Tag::Table | Tag::Td | Tag::Center | Tag::Small => {
            survey.bytes(node) <= LONGEST_ROW && is_row(tree, survey, node)
        }
        _ => false,
    }
}

/// The listing that the switch of a label opens: behind it, or behind the line that it ends.
pub(super) fn listing_behind(tree: &Tree<'_>, survey: &Survey, label: NodeId) -> Option<NodeId> {
    let behind = |node: NodeId| {
        let end = tree.node(tree.node(node).parent).end;
        let next = |node: NodeId| Some(tree.node(node).end).filter(|&next| next < end);
        std::iter::successors(next(node), |&n| next(n)).take(MAX_NODES).find(|&n| survey.bytes(n) > 0)
    };
    let opened = behind(label).or_else(|| behind(tree.node(label).parent))?;
    let mut first = (opened..tree.node(opened).end).filter(|&n| tree.tag(n) != Tag::Text).take(2);
    first.any(|n| tree.tag(n) == Tag::Pre).then_some(opened)
}

fn is_row(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let inside = tree.descendants(node);
    let has_links = || inside.clone().any(|n| tree.tag(n) == Tag::A);
    if inside.len() > MAX_NODES || survey.holds_heading(tree, node) || !has_links() {
        return false;
    }
    tree.spend(inside.len());
    let (mut turns, mut tools) = (0, 0);
    let (mut words, mut separated) = (false, false);
    let mut at = inside.start;
    while at < inside.end {
        match tree.tag(at) {
            Tag::A => {
                match label(tree, at) {
                    _ if turns_page(tree, at) => turns += 1,
                    Some(Phrase::Tool) => tools += 1,
                    Some(Phrase::Call) => turns += 1,
                    _ if says_something(tree, at) => return false,
                    _ => {}
                }
                at = tree.node(at).end;
                continue;
            }
            Tag::Text => {
                let text = tree.text_up_to(at, LONGEST_ROW);
                words |= text.contains(char::is_alphabetic);
                separated |= text.contains('\u{b7}');
            }
            Tag::Pre | Tag::Code | Tag::Input | Tag::Img => return false,
            _ => {}
        }
        at += 1;
    }
    let few_words = survey.prose(node) <= LONGEST_REST;
    (tools > 0 && (separated || !words)) || (turns + tools > 1 && few_words)
}

/// What a link says that it is.
fn label(tree: &Tree<'_>, link: NodeId) -> Option<Phrase> {
    announced(&tree.folded_text(link, LONGEST_LABEL))
}

fn turns_page(tree: &Tree<'_>, link: NodeId) -> bool {
    let rel = tree.raw_attribute(link, Name::Rel).unwrap_or_default();
    tree.raw_attribute(link, Name::Accesskey).is_some()
        || TURNS.iter().any(|turn| rel.eq_ignore_ascii_case(turn))
}

fn says_something(tree: &Tree<'_>, link: NodeId) -> bool {
    tree.descendants(link).any(|n| match tree.tag(n) {
        Tag::Img => true,
        Tag::Text => tree.text_up_to(n, LONGEST_LABEL).contains(char::is_alphanumeric),
        _ => false,
    })
}

/// Whether nothing but links and signs follows it, and no brackets of a call: it may be the name of a function.
fn ends_line(tree: &Tree<'_>, link: NodeId) -> bool {
    let parent = tree.node(link).parent;
    if matches!(tree.tag(parent), Tag::Code | Tag::Tt | Tag::Dt) {
        return false;
    }
    let mut next = tree.node(link).end;
    for _ in 0..MAX_NODES {
        if next >= tree.node(parent).end || tree.tag(next).is_block() {
            return true;
        }
        let goes_on = |c: char| c.is_alphanumeric() || c == '(';
        if tree.tag(next) == Tag::Text && tree.text_up_to(next, LONGEST_ROW).contains(goes_on) {
            return false;
        }
        next = tree.node(next).end;
    }
    false
}
