//! What is known about every node of a page: its marks, and how much text it holds.

use std::collections::HashMap;

use super::fold::is_space;
use super::marks::{self, Marks};
use super::streamed;
use super::tree::{NodeId, Tree};
use super::vocabulary::Tag;

/// Share of a page's text that makes an element a wrapper of the page.
const WRAPPER: f32 = 0.6;
/// Bytes of text that make a paragraph more than a caption.
const PARAGRAPH: f32 = 80.0;

/// What is known about every node of a page, gathered once.
pub(super) struct Survey {
    marks: Vec<Marks>,
    /// Bytes of shown text inside, links not counted.
    text: Vec<u32>,
    /// Bytes of shown text inside links.
    links: Vec<u32>,
    /// Bytes of shown text inside paragraphs that are more than captions, links not counted.
    paragraphs: Vec<u32>,
    /// Late parts with the places that they belong to.
    pub(super) segments: Vec<(NodeId, NodeId)>,
    /// A generator of documentation named its parts.
    pub(super) generated: bool,
    /// First-level headings, in order.
    pub(super) titles: Vec<NodeId>,
}

impl Survey {
    /// Looks at every node once, downwards and once more upwards.
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        let size = tree.len() as usize;
        let mut survey = Self {
            marks: vec![Marks::default(); size],
            text: vec![0; size],
            links: vec![0; size],
            paragraphs: vec![0; size],
            segments: streamed::segments(tree),
            generated: false,
            titles: Vec::new(),
        };
        let mut link_end = 0;
        for node in 1..tree.len() {
            let at = node as usize;
            match tree.tag(node) {
                Tag::Text => {
                    let length = u32::try_from(tree.raw_text(node).trim_matches(is_space).len()).unwrap_or(0);
                    if node < link_end {
                        survey.links[at] = length;
                    } else {
                        survey.text[at] = length;
                    }
                }
                tag => {
                    survey.marks[at] = marks::of(tree, node);
                    survey.generated |= survey.marks[at].any(Marks::GENERATED);
                    if tag == Tag::H1 {
                        survey.titles.push(node);
                    }
                    if tag == Tag::A {
                        link_end = link_end.max(tree.node(node).end);
                    }
                }
            }
        }
        survey.forgive_wrappers(tree);
        let late: HashMap<NodeId, NodeId> =
            survey.segments.iter().map(|&(place, part)| (part, place)).collect();
        for node in (1..tree.len()).rev() {
            let at = node as usize;
            if is_unseen(tree.tag(node)) || survey.marks[at].any(Marks::HIDDEN) {
                survey.text[at] = 0;
                survey.links[at] = 0;
            } else if !survey.marks[at].any(Marks::NAVIGATION.with(Marks::MARGIN).with(Marks::CHROME)) {
                // A late part counts for where it belongs.
                let place = late.get(&node).copied().unwrap_or(node);
                let parent = tree.node(place).parent as usize;
                if matches!(tree.tag(node), Tag::P | Tag::Pre) && survey.prose(node) > PARAGRAPH {
                    survey.paragraphs[at] = survey.text[at];
                }
                survey.paragraphs[parent] += survey.paragraphs[at];
                survey.text[parent] += survey.text[at];
                survey.links[parent] += survey.links[at];
            }
        }
        survey
    }

    /// What holds most of the page is neither hidden nor beside the content, whatever its name says: wrappers
    /// called after a sidebar, pages that fade in, posts that stand in a `noscript` for crawlers.
    fn forgive_wrappers(&mut self, tree: &Tree<'_>) {
        // Links do not count: a long menu beside a short page is no wrapper.
        let mut sizes = self.text.clone();
        for node in (1..tree.len()).rev() {
            if !is_unseen(tree.tag(node)) || tree.tag(node) == Tag::Noscript {
                sizes[tree.node(node).parent as usize] += sizes[node as usize];
            }
        }
        let most = size(sizes[0]) * WRAPPER;
        for ((node, marks), &bytes) in (0..).zip(&mut self.marks).zip(&sizes) {
            // A page that is all menu or footer has no content.
            if size(bytes) > most && !matches!(tree.tag(node), Tag::Footer | Tag::Nav) {
                marks.clear_exclusions();
            }
        }
        for node in 1..tree.len() {
            if tree.tag(node) == Tag::Noscript
                && (size(sizes[node as usize]) <= most || sizes[node as usize] < 400)
            {
                self.marks[node as usize] = Marks::HIDDEN;
            }
        }
    }

    /// What is known about an element.
    pub(super) fn marks(&self, node: NodeId) -> Marks {
        self.marks[node as usize]
    }

    /// Bytes of shown text inside, links not counted.
    pub(super) fn prose(&self, node: NodeId) -> f32 {
        size(self.text[node as usize])
    }

    /// Bytes of shown text inside paragraphs, those of a few words and links not counted.
    pub(super) fn paragraphs(&self, node: NodeId) -> f32 {
        size(self.paragraphs[node as usize])
    }

    /// Bytes of shown text inside.
    pub(super) fn all(&self, node: NodeId) -> f32 {
        self.prose(node) + size(self.links[node as usize])
    }

    /// The same as a whole number.
    pub(super) fn bytes(&self, node: NodeId) -> usize {
        (self.text[node as usize] as usize).saturating_add(self.links[node as usize] as usize)
    }

    pub(super) fn holds_title(&self, tree: &Tree<'_>, node: NodeId) -> bool {
        let next = self.titles.partition_point(|&title| title < node);
        self.titles.get(next).is_some_and(|&title| title < tree.node(node).end)
    }

    pub(super) fn link_share(&self, node: NodeId) -> f32 {
        size(self.links[node as usize]) / self.all(node).max(1.0)
    }
}

/// Sizes are only compared as shares of each other: 16 bits of them are enough.
pub(super) fn size(bytes: u32) -> f32 {
    f32::from(u16::try_from(bytes >> 8).unwrap_or(u16::MAX)) * 256.0
        + f32::from(u8::try_from(bytes & 0xff).unwrap_or(0))
}

/// Elements whose content is never shown as text.
pub(super) fn is_unseen(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Head
            | Tag::Script
            | Tag::Style
            | Tag::Template
            | Tag::Svg
            | Tag::Iframe
            | Tag::Object
            | Tag::Video
            | Tag::Audio
            | Tag::Canvas
            | Tag::Noframes
            | Tag::Noembed
    )
}
