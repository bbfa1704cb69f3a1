//! What is known about every node of a page: its marks, and how much text it holds.

use super::fold::trim;
use super::marks::{self, Marks};
use super::streamed;
use super::tree::{Node, NodeId, Tree};
use super::vocabulary::Tag;
use crate::maps::Map;

/// Share of a page's text that makes an element a wrapper of the page.
const WRAPPER: f32 = 0.6;
/// Bytes of text that make a paragraph more than a caption.
const PARAGRAPH: f32 = 80.0;
/// Bytes of text of its own that make a block one of running text.
const RUNNING: f32 = 120.0;
/// Share of the running text of a table that arranges a page which one of its cells holds.
const ONE_CELL: f32 = 0.7;
/// First-level headings among which the title is looked for that a page shows.
const MAX_TITLES: usize = 4;
/// What the name of a box beside the content says.
const BOX: Marks = Marks::MARGIN.with(Marks::CHROME).with(Marks::BESIDE);
/// Nodes that are counted together, with their part in what is asked of every node later.
const STRETCH: NodeId = 1 << 10;
/// The steps they take.
const STEPS: usize = 4 << 10;
/// Nodes that may belong together, for which there is room from the start.
const RELATED: usize = 128;
/// Nodes without text that may stand between two that belong together.
const MAX_EMPTY: usize = 80;
/// Bytes of text that a `noscript` has at least where it holds the page.
const MIN_NOSCRIPT: u32 = 400;
/// Bytes of the text of a link that says more than where it leads, as the title of an article does.
const TELLING_LINK: u32 = 30;

/// What is known about every node of a page, gathered once.
pub(super) struct Survey {
    nodes: Vec<NodeFacts>,
    /// Late parts with the places that they belong to.
    pub(super) segments: Vec<(NodeId, NodeId)>,
    /// First-level headings, in order.
    pub(super) titles: Vec<NodeId>,
    /// Headings of all levels, in order.
    headings: Vec<NodeId>,
    /// What may hold the content by its tag or its marks, in order.
    pub(super) candidates: Vec<NodeId>,
    /// What may belong together with another node, in order: lists of tabs, switches, cells, links.
    pub(super) related: Vec<NodeId>,
}

/// What is known about one node.
#[derive(Clone, Copy, Default)]
struct NodeFacts {
    marks: Marks,
    /// Bytes of shown text inside, links not counted.
    text: u32,
    /// Bytes of shown text inside links.
    links: u32,
    /// Bytes of shown text inside paragraphs that are more than captions, links not counted.
    paragraphs: u32,
    /// Bytes of text inside, shown or not, links not counted: a long menu beside a short page is no wrapper.
    inside: u32,
    /// Bytes of shown text inside that says something: outside of links, or in links longer than those of menus.
    told: u32,
    /// Bytes of shown running text inside: of blocks that hold some themselves, and more of it than of links.
    running: u32,
    /// Bytes of text, and of links, that no block inside holds.
    own: u32,
    own_links: u32,
}

impl NodeFacts {
    /// Takes in what an inner node shows.
    fn add(&mut self, inner: &Self) {
        self.text += inner.text;
        self.links += inner.links;
        self.paragraphs += inner.paragraphs;
        self.told += inner.told;
        self.running += inner.running;
        self.own += inner.own;
        self.own_links += inner.own_links;
    }

    /// What holds most of the page is neither hidden nor beside the content, whatever its name says: wrappers
    /// called after a sidebar, pages that fade in, posts that stand in a `noscript` for crawlers.
    fn forgive_wrapper(&mut self, tag: Tag, wraps: bool) {
        // A page that is all menu or footer has no content.
        if wraps && !matches!(tag, Tag::Footer | Tag::Nav) {
            self.marks.clear_exclusions();
        }
        if tag == Tag::Noscript && (!wraps || self.inside < MIN_NOSCRIPT) {
            self.marks.hide();
        }
    }
}

impl Survey {
    /// Looks at every node once, downwards and once more upwards.
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        let mut survey = Self {
            nodes: Vec::with_capacity(tree.len() as usize),
            segments: streamed::segments(tree),
            titles: Vec::new(),
            headings: Vec::new(),
            candidates: Vec::new(),
            related: Vec::with_capacity(RELATED),
        };
        let mut classes = marks::Classes::new();
        let mut link_end = 0;
        let mut unseen_end = 0;
        let mut total = 0;
        for node in 0..tree.len() {
            if node % STRETCH == 0 && !tree.spend(STEPS) {
                break;
            }
            let mut known = NodeFacts::default();
            match tree.tag(node) {
                Tag::Document => {}
                Tag::Text => {
                    let length = u32::try_from(trim(tree.raw_text(node)).len()).unwrap_or(0);
                    if node < link_end {
                        known.links = length;
                    } else {
                        known.text = length;
                        known.inside = length;
                        total += if node < unseen_end { 0 } else { length };
                    }
                }
                tag => {
                    known.marks = marks::of(tree, node, &mut classes);
                    match tag {
                        Tag::A => link_end = link_end.max(tree.node(node).end),
                        tag if tag.heading_level().is_some() => survey.headings.push(node),
                        tag if tag.is_unseen() => unseen_end = unseen_end.max(tree.node(node).end),
                        _ => {}
                    }
                    if matches!(tag, Tag::A | Tag::Td | Tag::Input) || known.marks.any(Marks::TABS) {
                        survey.related.push(node);
                    }
                    if tag == Tag::Article || known.marks.any(Marks::CONTENT.with(Marks::MAIN)) {
                        survey.candidates.push(node);
                    }
                }
            }
            survey.nodes.push(known);
        }
        survey.nodes.resize(tree.len() as usize, NodeFacts::default());
        survey.titles = survey.headings.iter().copied().filter(|&n| tree.tag(n) == Tag::H1).collect();
        survey.sum_up(tree, size(total) * WRAPPER);
        survey
    }

    /// Adds up what the nodes hold. What holds more than a page's `most` is a wrapper.
    fn sum_up(&mut self, tree: &Tree<'_>, most: f32) {
        let late: Map<NodeId, NodeId> = self.segments.iter().map(|&(place, part)| (part, place)).collect();
        let shows_title = self.titles.iter().take(MAX_TITLES).any(|&title| self.is_shown(tree, title, 0));
        for node in (1..tree.len()).rev() {
            let Node { tag, mut parent, .. } = *tree.node(node);
            if tag == Tag::Text {
                let known = &mut self.nodes[node as usize];
                known.told = known.text;
                (known.own, known.own_links) = (known.text, known.links);
                let held = *known;
                let holder = &mut self.nodes[parent as usize];
                holder.inside += held.inside;
                holder.add(&held);
                continue;
            }
            if tag == Tag::Table && !self.arranges(tree, node) {
                self.nodes[node as usize].running = 0;
            }
            let wraps = size(self.nodes[node as usize].inside) > most;
            let wraps = wraps && !self.is_box(tree, node, shows_title);
            let known = &mut self.nodes[node as usize];
            if known.paragraphs == 0 && known.marks.any(Marks::VEILED) {
                known.marks = known.marks.with(Marks::HIDDEN);
            }
            known.forgive_wrapper(tag, wraps);
            let unseen = tag.is_unseen();
            let hidden = unseen || known.marks.any(Marks::HIDDEN);
            let counts =
                !hidden && !known.marks.any(Marks::NAVIGATION.with(Marks::MARGIN).with(Marks::CHROME));
            if hidden {
                known.text = 0;
                known.links = 0;
                known.told = 0;
            } else if tag == Tag::A && known.links > TELLING_LINK {
                known.told = known.links;
            }
            if counts && matches!(tag, Tag::P | Tag::Pre) && size(known.text) > PARAGRAPH {
                known.paragraphs = known.text;
            }
            if tag.is_block() {
                if counts && size(known.own) > RUNNING && known.own_links < known.own {
                    known.running += known.own;
                }
                (known.own, known.own_links) = (0, 0);
            }
            let held = *known;
            if !unseen {
                self.nodes[parent as usize].inside += held.inside;
            }
            if counts {
                // A late part counts for where it belongs.
                if let Some(&place) = late.get(&node) {
                    parent = tree.node(place).parent;
                }
                self.nodes[parent as usize].add(&held);
            }
        }
    }

    /// Whether a table holds the text of a page: nearly all of its running text stands in one cell, as none of a table of data does.
    fn arranges(&self, tree: &Tree<'_>, table: NodeId) -> bool {
        let least = ONE_CELL * self.running(table);
        let holds_most = |&n: &NodeId| tree.spend(1) && tree.tag(n) == Tag::Td && self.running(n) > least;
        self.running(table) > 0.0 && self.related_in(tree, table).iter().any(holds_most)
    }

    /// Whether a part is one beside the content, or hidden, however long it is, as the terms of a consent outgrow many a page:
    /// it does not hold the title that the page shows.
    fn is_box(&self, tree: &Tree<'_>, node: NodeId, shows_title: bool) -> bool {
        let marks = self.marks(node);
        let is_named = !self.titles.is_empty() && marks.any(BOX) && !marks.any(Marks::COMMENTS);
        // What only stands there for want of a script is hidden by now.
        let is_titled =
            || first_inside(&self.titles, tree, node).is_some_and(|title| self.is_shown(tree, title, node));
        (is_named || shows_title && marks.any(Marks::HIDDEN)) && !is_titled()
    }

    /// Whether nothing hides a node of those that hold it inside of another one.
    fn is_shown(&self, tree: &Tree<'_>, node: NodeId, outer: NodeId) -> bool {
        !tree.ancestors(node).take_while(|&a| a > outer).any(|a| self.marks(a).any(Marks::HIDDEN))
    }

    /// The next of the few nodes behind one, inside the same parent, that shows text.
    pub(super) fn next_shown(&self, tree: &Tree<'_>, node: NodeId) -> Option<NodeId> {
        let end = tree.node(tree.node(node).parent).end;
        let next = |node: NodeId| Some(tree.node(node).end).filter(|&next| next < end);
        std::iter::successors(next(node), |&n| next(n)).take(MAX_EMPTY).find(|&n| self.bytes(n) > 0)
    }

    /// What is known about an element.
    pub(super) fn marks(&self, node: NodeId) -> Marks {
        self.nodes[node as usize].marks
    }

    /// Bytes of shown text inside, links not counted.
    pub(super) fn prose(&self, node: NodeId) -> f32 {
        size(self.nodes[node as usize].text)
    }

    /// Bytes of shown text inside that says something: links of a few words do not.
    pub(super) fn told(&self, node: NodeId) -> f32 {
        size(self.nodes[node as usize].told)
    }

    /// Bytes of shown text inside paragraphs, those of a few words and links not counted.
    pub(super) fn paragraphs(&self, node: NodeId) -> f32 {
        size(self.nodes[node as usize].paragraphs)
    }

    /// Bytes of shown text inside that runs over some lines, however it is marked up: old pages have no paragraphs.
    pub(super) fn running(&self, node: NodeId) -> f32 {
        size(self.nodes[node as usize].running)
    }

    /// Bytes of shown text inside.
    pub(super) fn all(&self, node: NodeId) -> f32 {
        let known = &self.nodes[node as usize];
        size(known.text) + size(known.links)
    }

    /// The same as a whole number.
    pub(super) fn bytes(&self, node: NodeId) -> usize {
        let known = &self.nodes[node as usize];
        (known.text as usize).saturating_add(known.links as usize)
    }

    /// What may belong together with another node, of a node and all it holds.
    pub(super) fn related_in(&self, tree: &Tree<'_>, node: NodeId) -> &[NodeId] {
        let start = self.related.partition_point(|&n| n < node);
        let end = self.related.partition_point(|&n| n < tree.node(node).end);
        self.related.get(start..end).unwrap_or_default()
    }

    /// The last first-level heading before a node.
    pub(super) fn title_before(&self, node: NodeId) -> Option<NodeId> {
        let before = self.titles.partition_point(|&title| title < node);
        self.titles.get(before.checked_sub(1)?).copied()
    }

    /// Some headings of any level before a node, the last first.
    pub(super) fn headings_before(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let before = self.headings.partition_point(|&heading| heading < node);
        self.headings.iter().take(before).rev().copied().take(MAX_TITLES)
    }

    pub(super) fn holds_title(&self, tree: &Tree<'_>, node: NodeId) -> bool {
        first_inside(&self.titles, tree, node).is_some()
    }

    pub(super) fn holds_heading(&self, tree: &Tree<'_>, node: NodeId) -> bool {
        self.first_heading(tree, node).is_some()
    }

    /// The first heading that a node is or holds.
    pub(super) fn first_heading(&self, tree: &Tree<'_>, node: NodeId) -> Option<NodeId> {
        first_inside(&self.headings, tree, node)
    }

    pub(super) fn link_share(&self, node: NodeId) -> f32 {
        size(self.nodes[node as usize].links) / self.all(node).max(1.0)
    }
}

/// The first of `nodes`, which are in order, that is `node` or lies in it.
fn first_inside(nodes: &[NodeId], tree: &Tree<'_>, node: NodeId) -> Option<NodeId> {
    let next = nodes.partition_point(|&n| n < node);
    nodes.get(next).copied().filter(|&n| n < tree.node(node).end)
}

/// Sizes are only compared as shares of each other: 16 bits of them are enough.
pub(super) fn size(bytes: u32) -> f32 {
    u16::try_from(bytes).map_or_else(
        |_| {
            f32::from(u16::try_from(bytes >> 8).unwrap_or(u16::MAX)) * 256.0
                + f32::from(u8::try_from(bytes & 0xff).unwrap_or(0))
        },
        f32::from,
    )
}
