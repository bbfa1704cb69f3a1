//! What single elements are to the lists of a page, and what they say.

use std::borrow::Cow;

use crate::digits::is_number;
use crate::page::fold::fold;
use crate::page::heading;
use crate::page::marks::Marks;
use crate::page::resolve::split_fragment;
use crate::page::survey::Survey;
use crate::page::tokenizer::Attribute;
use crate::page::tree::{NodeId, Tree, decode_attribute};
use crate::page::vocabulary::{Name, Tag};

/// Bytes of a label that is no heading; a longer text is no label.
pub(super) const MAX_LABEL: usize = 80;
/// Words that make what stands before a full stop a sentence, and no number or part of a name.
const SENTENCE_WORDS: usize = 3;
/// Bytes of a heading, of which the rest is left out.
pub(super) const MAX_HEADING: usize = 160;
/// Bytes of a number that counts things, and of one more sign.
const MAX_COUNT: usize = 8;
/// Bytes of the text of a link, of which the rest is left out.
const MAX_LINK_TEXT: usize = 300;

/// What a link is called.
pub(in crate::page) struct LinkLabel {
    /// The heading in it, else its text, else the text that stands for its image, else its title.
    pub(in crate::page) text: String,
    /// It is one of the first two.
    pub(in crate::page) speaks: bool,
}

/// Reads what a link is called.
pub(in crate::page) fn link_label(tree: &Tree<'_>, survey: &Survey, link: NodeId) -> LinkLabel {
    if let Some(heading) = survey.first_heading(tree, link) {
        let text = heading::text(tree, heading, MAX_HEADING);
        if !text.is_empty() {
            return LinkLabel { text, speaks: true };
        }
    }
    let spoken = words(tree, survey, link, MAX_LINK_TEXT);
    let text = if spoken.is_empty() { tree.label(link, MAX_LINK_TEXT) } else { spoken }.into_owned();
    if !text.is_empty() {
        return LinkLabel { text, speaks: true };
    }
    // Links nest, and each reads what is in it.
    let inside = tree.descendants(link).filter(|_| tree.spend(1));
    let alts = inside.filter_map(|n| tree.raw_attribute(n, Name::Alt));
    let alt =
        alts.filter(|alt| tree.spend(alt.len())).map(decode_attribute).find(|alt| !alt.trim().is_empty());
    let named =
        alt.or_else(|| tree.attribute(link, Name::AriaLabel)).or_else(|| tree.attribute(link, Name::Title));
    LinkLabel { text: fold(named.as_deref().unwrap_or_default()), speaks: false }
}

/// The text of an element within a line: without what stands beside its words.
pub(super) fn words<'a>(tree: &Tree<'a>, survey: &Survey, node: NodeId, limit: usize) -> Cow<'a, str> {
    match tree.only_text(node) {
        Some(_) => tree.label(node, limit),
        None => tree.folded_text_without(node, limit, |n| n != node && is_beside(tree, survey, n)).into(),
    }
}

/// Whether an element beside the words of a link is none of them: a sign for eyes or a word for ears alone ("(current)"), or
/// how many things there are, as its name tells.
fn is_beside(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let marks = survey.marks(node);
    heading::is_unspoken(tree, node)
        || marks.any(Marks::UNSEEN)
        || marks.any(Marks::COUNT) && is_number(&tree.folded_text(node, MAX_COUNT))
}

/// The text of an element: without what one can press and choose in it.
pub(super) fn said(tree: &Tree<'_>, node: NodeId, limit: usize) -> String {
    tree.folded_text_without(node, limit, |n| n != node && is_chosen(tree.tag(n)))
}

/// Whether that text has a letter or a number, as it does within a few nodes.
pub(super) fn says_something(tree: &Tree<'_>, node: NodeId) -> bool {
    let mut at = node;
    while at < tree.node(node).end && tree.spend(1) {
        match tree.tag(at) {
            Tag::Text if tree.text_up_to(at, 2 * MAX_LABEL).contains(char::is_alphanumeric) => return true,
            tag if at != node && is_chosen(tag) || tag.is_wordless() => {
                at = tree.node(at).end;
            }
            _ => at += 1,
        }
    }
    false
}

fn is_chosen(tag: Tag) -> bool {
    matches!(tag, Tag::Button | Tag::Select | Tag::Textarea)
}

/// Elements whose text is not read here; drawings may hold links.
pub(in crate::page) fn is_never_read(tag: Tag) -> bool {
    tag.is_unseen() && tag != Tag::Svg
}

/// Elements that end the line before them.
pub(super) fn is_line(tag: Tag) -> bool {
    tag.is_block() || matches!(tag, Tag::Br | Tag::Button | Tag::Label)
}

pub(super) fn is_list(tag: Tag) -> bool {
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Dl | Tag::Menu | Tag::Dir)
}

pub(super) fn is_item(tag: Tag) -> bool {
    matches!(tag, Tag::Li | Tag::Dd)
}

pub(super) fn leads_within(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.raw_attribute(node, Name::Href).is_some_and(|href| !split_fragment(href).1.is_empty())
}

pub(super) fn is_blank(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.tag(node) == Tag::Text && tree.raw_text(node).bytes().all(|byte| byte.is_ascii_whitespace())
}

pub(super) fn is_label(text: &str) -> bool {
    let holds_sentence = || {
        text.contains('.')
            && text.split_once(". ").is_some_and(|(first, _)| first.split(' ').count() >= SENTENCE_WORDS)
    };
    let is_mail = |word: &str| word.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    text.len() <= MAX_LABEL
        && text.contains(char::is_alphabetic)
        && !holds_sentence()
        && !text.split(' ').any(is_mail)
}

pub(super) fn ends_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?', ';', ',', '。', '！', '？', '…'])
}

/// Whether a list is the next thing behind a block.
pub(super) fn is_before_list(tree: &Tree<'_>, block: NodeId) -> bool {
    let parent = tree.node(block).parent;
    let mut next = tree.node(block).end;
    while next < tree.node(parent).end && is_blank(tree, next) && tree.spend(1) {
        next += 1;
    }
    next < tree.node(parent).end && is_list(tree.tag(next))
}

/// Whether all that a block says is a link that opens the part of the page right behind it, as those of a folded menu do.
pub(super) fn opens_next(tree: &Tree<'_>, block: NodeId) -> bool {
    let mut inside = tree.descendants(block).filter(|&n| tree.spend(1) && leads_within(tree, n));
    let Some((link, part)) = inside.next().and_then(|n| Some((n, tree.raw_attribute(n, Name::Href)?))) else {
        return false;
    };
    let is_all = tree.folded_text_without(block, 2 * MAX_LABEL, |n| n == link).is_empty();
    let next = tree.children(tree.node(block).parent).find(|&n| n > block && tree.tag(n) != Tag::Text);
    let id = next.and_then(|next| tree.raw_attribute(next, Name::Id));
    is_all && id.is_some() && part.strip_prefix('#') == id
}

/// A paragraph that is bold throughout and leads nowhere: a heading that is not marked up as one.
pub(super) fn is_bold_line(tree: &Tree<'_>, paragraph: NodeId) -> bool {
    let mut children = tree.children(paragraph).filter(|&n| tree.spend(1) && !is_blank(tree, n));
    let is_bold = children.next().is_some_and(|n| matches!(tree.tag(n), Tag::Strong | Tag::B));
    is_bold && children.next().is_none()
}

/// Whether a link leads to the page next to this one, as `rel` says, or the key that manuals give to such links.
pub(super) fn turns_by_rel(tree: &Tree<'_>, link: NodeId) -> bool {
    tree.attributes(link).iter().any(|attribute| relates(attribute, &["next", "prev"], &["n", "p"]))
}

/// Whether an attribute of a link says that it leads to the page above this one, likewise.
pub(in crate::page) fn leads_up(attribute: &Attribute<'_>) -> bool {
    relates(attribute, &["up"], &["u"])
}

#[inline]
fn relates(attribute: &Attribute<'_>, rels: &[&str], keys: &[&str]) -> bool {
    let is_one_of = |said: &str, known: &[&str]| known.iter().any(|known| said.eq_ignore_ascii_case(known));
    match attribute.name {
        Name::Rel => attribute.value.split_ascii_whitespace().any(|rel| is_one_of(rel, rels)),
        Name::Accesskey => is_one_of(attribute.value, keys),
        _ => false,
    }
}
