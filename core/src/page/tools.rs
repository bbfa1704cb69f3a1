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
/// Nodes of a bar of links.
const MAX_BAR: usize = 400;
/// Bytes of the label of a tool.
const LONGEST_LABEL: usize = 32;
/// Bytes of the text of a switch that is no link.
const SWITCH: std::ops::RangeInclusive<usize> = 11..=LONGEST_LABEL;
/// What links are to a page that turn it, as they say or their `rel` does.
const TURNS: &[&str] = &["next", "prev", "previous", "up", "contents", "index", "start", "home"];

/// Whether a node is a tool, or a row of nothing but tools.
pub(super) fn is_tool(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    match tree.tag(node) {
        tag @ (Tag::A | Tag::Label | Tag::Dt) => {
            // Most links stand in running text, which is cheaper to tell than what they say.
            survey.bytes(node) <= LONGEST_LABEL
                && if tag == Tag::Dt { behind(tree, survey, node).is_some() } else { ends_line(tree, node) }
                && announced(&tree.label(node, LONGEST_LABEL)) == Some(Phrase::Tool)
        }
        Tag::Span if may_switch(survey, node) && is_switch(&tree.label(node, LONGEST_LABEL)) => {
            survey.bytes(tree.node(node).parent) > survey.bytes(node) && ends_line(tree, node)
        }
        Tag::Div | Tag::Span | Tag::P | Tag::Ul | Tag::Table | Tag::Td | Tag::Center | Tag::Small => {
            survey.bytes(node) <= LONGEST_ROW && is_row(tree, survey, node)
        }
        _ => false,
    }
}

/// Whether a text of some words may be a switch: a script makes it one.
pub(super) fn may_switch(survey: &Survey, span: NodeId) -> bool {
    SWITCH.contains(&survey.bytes(span))
}

fn is_switch(text: &str) -> bool {
    text.contains(' ') && announced(text) == Some(Phrase::Tool)
}

/// What a tool takes with it: the listing that the switch of a label opens, behind it or behind the line that it ends, and
/// the links that a term only calls the source.
pub(super) fn behind(tree: &Tree<'_>, survey: &Survey, tool: NodeId) -> Option<NodeId> {
    let next = |node| survey.next_shown(tree, node);
    let is_listing = |&opened: &NodeId| {
        let mut first = (opened..tree.node(opened).end).filter(|&n| tree.tag(n) != Tag::Text).take(2);
        first.any(|n| tree.tag(n) == Tag::Pre)
    };
    match tree.tag(tool) {
        Tag::Dt => next(tool).filter(|&n| tree.tag(n) == Tag::Dd && survey.link_share(n) > 0.8),
        Tag::Label => next(tool).or_else(|| next(tree.node(tool).parent)).filter(is_listing),
        _ => None,
    }
}

/// What stands in a line of links.
#[derive(Default)]
struct Row {
    links: usize,
    turns: usize,
    tools: usize,
    /// Links that only say they turn the page: they may be words of a text.
    named: usize,
    /// There are words between its links, or before them; others than a label there.
    words: bool,
    unlabelled: bool,
}

impl Row {
    /// Adds a link of the row; whether it is one that such a row may have.
    fn take_in(&mut self, tree: &Tree<'_>, link: NodeId) -> bool {
        if turns_page(tree, link) {
            self.turns += 1;
            return true;
        }
        let label = tree.label(link, LONGEST_LABEL);
        match announced(&label) {
            Some(Phrase::Tool) => self.tools += 1,
            _ if is_turn(&label) => self.named += 1,
            _ => return !says_something(tree, link),
        }
        true
    }
}

/// Reads a line of links, of which none leads to something else than a tool or another page of the same text, unless it
/// is a bar.
fn row(tree: &Tree<'_>, survey: &Survey, node: NodeId, is_bar: bool) -> Option<Row> {
    let inside = tree.descendants(node);
    let most = if is_bar { MAX_BAR } else { MAX_NODES };
    let has_links = || inside.clone().any(|n| tree.tag(n) == Tag::A);
    // A link with a text takes two nodes, as two links do.
    if !(2..=most).contains(&inside.len()) || !has_links() || survey.holds_heading(tree, node) {
        return None;
    }
    tree.spend(inside.len());
    let mut row = Row::default();
    let mut at = inside.start;
    while at < inside.end {
        match tree.tag(at) {
            Tag::A => {
                row.links += 1;
                if !is_bar && !row.take_in(tree, at) {
                    return None;
                }
                at = tree.node(at).end;
                continue;
            }
            Tag::Text => {
                let text = tree.text_up_to(at, LONGEST_ROW);
                // There is no page before the first one to lead to.
                row.words |= text.contains(char::is_alphabetic) && !is_turn(&text);
                row.unlabelled |= text.contains(char::is_alphanumeric)
                    && (row.links > 0 || !text.trim_end().ends_with(':'));
            }
            // The sign of the whole stands in its bar.
            Tag::Img if is_bar => {}
            Tag::Pre | Tag::Code | Tag::Input | Tag::Img | Tag::Dt => return None,
            _ => {}
        }
        at += 1;
    }
    Some(row)
}

fn is_row(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let is_row = |row: Row| row.tools + row.named > 0 && !row.words || row.turns + row.tools > 1;
    survey.prose(node) <= LONGEST_REST && row(tree, survey, node, false).is_some_and(is_row)
}

/// Links that nothing but signs set apart, behind a label at most; in a table a few words may stand beside them.
pub(super) fn is_bar(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let tag = tree.tag(node);
    let may_say = tag == Tag::Table && survey.prose(node) <= LONGEST_REST;
    matches!(tag, Tag::P | Tag::Div | Tag::Ul | Tag::Td | Tag::Table | Tag::Center)
        && row(tree, survey, node, true).is_some_and(|row| row.links > 1 && (may_say || !row.unlabelled))
}

fn turns_page(tree: &Tree<'_>, link: NodeId) -> bool {
    // The entries of a menu have numbers.
    let is_key = |key: &str| !key.starts_with(|c: char| c.is_ascii_digit());
    tree.raw_attribute(link, Name::Accesskey).is_some_and(is_key)
        || is_turn(tree.raw_attribute(link, Name::Rel).unwrap_or_default())
}

fn is_turn(text: &str) -> bool {
    // `next()` is the name of a function.
    let name = text.trim_matches(|c: char| !c.is_alphabetic() && c != '(');
    TURNS.iter().any(|turn| name.eq_ignore_ascii_case(turn))
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
