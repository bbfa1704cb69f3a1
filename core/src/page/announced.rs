//! Sections that say in their first words that they are no part of the page's prose: related pages, comments.

use super::announcements::{self, Phrase};
use super::survey::Survey;
use super::tree::{NodeId, Tree};
use super::vocabulary::Tag;

/// Share of a page's text that links to other pages may take, lest a page of links loses them all.
const MOST_ELSEWHERE: f32 = 0.4;
/// Bytes of prose before it that make a text one which readers may comment on.
const COMMENTED: f32 = 250.0;
/// Bytes of prose that make a paragraph more than a caption of a link.
const PARAGRAPH: f32 = 120.0;
/// Nodes beside an announcement that are looked at.
const MAX_SIBLINGS: usize = 200;
/// Nodes inside an announcement, at most.
const MAX_NODES: usize = 12;

/// What a short text at `node` announces.
pub(super) fn phrase(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> Option<Phrase> {
    let size = survey.bytes(node);
    let inside = tree.descendants(node);
    if !(2..=announcements::LONGEST).contains(&size) || inside.len() > MAX_NODES || tree.tag(node) == Tag::H1
    {
        return None;
    }
    let mut texts = inside.filter(|&n| tree.tag(n) == Tag::Text && !tree.raw_text(n).trim().is_empty());
    let phrase = match (texts.next(), texts.next()) {
        (Some(only), None) => announcements::announced(&tree.text(only)),
        (Some(_), Some(_)) => announcements::announced(&tree.folded_text(node, announcements::LONGEST)),
        _ => None,
    };
    phrase.filter(|&phrase| phrase != Phrase::Tool)
}

/// The nodes that an announcement at `node` takes with it, as a range; empty when it is none after all.
pub(super) fn section(
    tree: &Tree<'_>,
    survey: &Survey,
    root: NodeId,
    node: NodeId,
    phrase: Phrase,
) -> std::ops::Range<NodeId> {
    let total = survey.all(root);
    let most = match phrase {
        Phrase::Elsewhere => MOST_ELSEWHERE * total,
        Phrase::Readers => total - COMMENTED,
        Phrase::Call | Phrase::Tool => return node..tree.node(node).end,
    };
    let mut first = node;
    loop {
        let parent = tree.node(first).parent;
        let mut before = tree.children(parent).take(MAX_SIBLINGS).take_while(|&c| c <= first);
        let opens = before.find(|&c| c == first || survey.bytes(c) > 0) == Some(first);
        if parent <= root || !opens || survey.all(parent) > most || survey.holds_title(tree, parent) {
            break;
        }
        first = parent;
    }
    if survey.all(first) > survey.all(node) + 8.0 {
        return first..tree.node(first).end;
    }
    following(tree, survey, first, phrase, most)
}

/// An announcement that stands beside what it announces.
fn following(
    tree: &Tree<'_>,
    survey: &Survey,
    heading: NodeId,
    phrase: Phrase,
    most: f32,
) -> std::ops::Range<NodeId> {
    let parent = tree.node(heading).parent;
    let level = tree.tag(heading).heading_level();
    let mut end = tree.node(heading).end;
    let mut taken = 0.0;
    for _ in 0..MAX_SIBLINGS {
        if end >= tree.node(parent).end {
            break;
        }
        let next = end;
        let all = survey.all(next);
        let prose =
            tree.tag(next) == Tag::P && survey.prose(next) > PARAGRAPH && survey.link_share(next) < 0.3;
        let ends = tree.tag(next).heading_level().is_some_and(|l| level.is_none_or(|level| l <= level));
        let enough = phrase == Phrase::Elsewhere && prose;
        if all > 0.0 && (ends || enough || survey.holds_title(tree, next)) {
            break;
        }
        taken += all;
        if taken > most {
            return heading..tree.node(heading).end;
        }
        end = tree.node(next).end;
    }
    heading..end
}
