//! The lists of a page: which links stand together, and what the page calls them.
//!
//! No generator's markup is known here. What holds links is a list; a text of its own that stands before the links of
//! the same parent is their label: a heading, the text of an entry before the list nested in it, the summary of a
//! drop-down, an entry without a link before the others. A title that is itself a link names the list right behind it
//! and is its entry. Lists nest as their elements do, and headings by their level.

mod area;
mod labels;
mod line;
mod open_element;
mod text;

pub(super) use self::text::{LinkLabel, is_never_read, leads_up, link_label};

use std::sync::Arc;

use self::area::Areas;
use self::line::{Line, MAX_LEADING_WORDS};
use self::open_element::{EnclosingList, OpenElement, PLAIN};
use self::text::{MAX_HEADING, MAX_LABEL, is_blank, is_item, is_line, is_list, leads_within, words};
use super::heading;
use super::main_content::Content;
use super::marks::Marks;
use super::resolve::Resolver;
use super::survey::Survey;
use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};
use super::{LinkList, LinkPlace};
use crate::maps::Map;
use crate::url::SiteUrl;

/// Lists of one page; the links of further ones stand in the list around, or in none.
pub(super) const MAX_LISTS: usize = 5_000;
/// Links of an element that leads to the next page and the one before, at most.
const MAX_TURNS: usize = 4;

/// A link of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    pub(super) node: NodeId,
    /// Its address, as the resolver numbers it.
    pub(super) url: usize,
    /// It leads to a part of that page.
    pub(super) is_part: bool,
}

/// What tells lists apart: the one around, the label, where they stand.
type ListKey = (Option<u32>, Option<Arc<str>>, LinkPlace, bool);

/// The lists of a page, each once for every label below the same outer list.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) all: Vec<LinkList>,
    known: Map<ListKey, u32>,
}

impl Lists {
    /// The list of a label; the outer one where a theme only repeats its label.
    fn number(&mut self, list: LinkList) -> Option<u32> {
        let outer = list.outer;
        if let (Some(label), Some(around)) = (&list.label, outer.and_then(|at| self.all.get_mut(at as usize)))
            && around.label.as_deref().is_some_and(|known| known.to_lowercase() == label.to_lowercase())
        {
            around.entry = around.entry.take().or(list.entry);
            return outer;
        }
        let key = (outer, list.label.clone(), list.place, list.bar);
        if let Some(&known) = self.known.get(&key) {
            if let Some(known) = self.all.get_mut(known as usize) {
                known.entry = known.entry.take().or(list.entry);
            }
            return Some(known);
        }
        if self.all.len() >= MAX_LISTS {
            return outer;
        }
        let number = u32::try_from(self.all.len()).ok()?;
        self.known.insert(key, number);
        self.all.push(list);
        Some(number)
    }
}

/// One way through a page, from link to link.
pub(super) struct Walk<'w, 'a> {
    tree: &'w Tree<'a>,
    survey: &'w Survey,
    content: &'w Content,
    anchors: &'w [Anchor],
    /// How many of the links are behind.
    next: usize,
    /// How many links of the page are told.
    told: u32,
    node: NodeId,
    open: Vec<OpenElement>,
    areas: Areas,
    line: Line,
    item_end: NodeId,
    titled: bool,
    /// What names the way to the page and no list.
    crumbs: std::ops::Range<NodeId>,
    pub(super) lists: Lists,
}

/// Where a link stands.
pub(super) struct Stand {
    pub(super) anchor: Anchor,
    pub(super) place: LinkPlace,
    pub(super) list: Option<u32>,
    /// What the link is called.
    pub(super) label: LinkLabel,
    /// It leads to the next page or the one before.
    pub(super) turns: bool,
}

impl<'w, 'a> Walk<'w, 'a> {
    pub(super) fn new(
        tree: &'w Tree<'a>,
        survey: &'w Survey,
        content: &'w Content,
        anchors: &'w [Anchor],
        crumbs: std::ops::Range<NodeId>,
    ) -> Self {
        Self {
            tree,
            survey,
            content,
            anchors,
            next: 0,
            told: 0,
            node: 1,
            open: Vec::new(),
            areas: Areas::default(),
            line: Line::default(),
            item_end: 0,
            titled: false,
            crumbs,
            lists: Lists::default(),
        }
    }

    /// The next link of the page, of which so many were told.
    pub(super) fn link(&mut self, resolver: &Resolver<'a>, told: usize) -> Option<Stand> {
        self.told = u32::try_from(told).unwrap_or(u32::MAX);
        while self.next < self.anchors.len() && self.node < self.tree.len() && self.tree.spend(1) {
            let node = self.node;
            self.leave(node, resolver);
            let (tag, end) = (self.tree.tag(node), self.tree.node(node).end);
            self.node = node + 1;
            match tag {
                Tag::Text => self.text(node),
                tag if is_never_read(tag) => self.node = end,
                _ if self.first().node >= end => {
                    self.pass(node, tag);
                    self.node = end;
                }
                _ => {
                    if let Some(stand) = self.enter(node, tag, end, resolver) {
                        return Some(stand);
                    }
                }
            }
        }
        None
    }

    fn first(&self) -> Anchor {
        self.anchors.get(self.next).copied().unwrap_or(Anchor { node: NodeId::MAX, url: 0, is_part: false })
    }

    /// Whether an element that holds the next link holds further ones.
    fn holds_more(&self, end: NodeId) -> bool {
        self.anchors.get(self.next + 1).is_some_and(|anchor| anchor.node < end)
    }

    /// Leaves the elements that end before the node.
    fn leave(&mut self, node: NodeId, resolver: &Resolver<'a>) {
        while self.open.last().is_some_and(|element| element.end <= node) {
            let Some(inner) = self.open.pop() else { return };
            self.line.forget();
            if is_line(inner.tag) {
                self.line.begin();
            }
            let Some(element) = self.open.last_mut() else { return };
            element.links += inner.links;
            element.has_text |= inner.has_text;
            let level = inner.tag.heading_level();
            if inner.tag == Tag::Dt {
                element.end_scopes(PLAIN);
            }
            let is_row = inner.links == 1 && !inner.has_text && !is_list(inner.tag);
            let is_title = is_row || is_item(inner.tag) || inner.tag == Tag::Dt;
            let entry = inner.entry.filter(|_| is_title || level.is_some());
            if let Some(level) = level {
                let text = heading::text(self.tree, inner.node, MAX_HEADING);
                self.head(level, &text, entry.and_then(|entry| target(resolver, entry)));
            } else {
                element.take_entry(entry);
            }
        }
    }

    /// A text outside of links.
    fn text(&mut self, node: NodeId) {
        if is_blank(self.tree, node) && self.line.text().is_empty() {
            return;
        }
        if self.is_read() && self.tree.node(node).plain {
            return self.line.note_end(self.tree.raw_text(node));
        }
        let text = self.tree.text_up_to(node, 4 * MAX_LABEL);
        self.line.count(&text);
        self.read(&text, false);
    }

    /// Adds a text to the line at hand.
    fn read(&mut self, text: &str, bold: bool) {
        if let Some(element) = self.open.last_mut() {
            element.has_text |= self.line.read(text, bold);
        }
    }

    fn is_read(&self) -> bool {
        self.line.is_read() && self.open.last().is_some_and(|element| element.has_text)
    }

    /// An element that holds no link.
    fn pass(&mut self, node: NodeId, tag: Tag) {
        // What is for ears alone names a menu as a whole.
        if self.survey.marks(node).any(Marks::UNSEEN) {
            return;
        }
        // What an item that is a rule parts from a label is not under it.
        let is_rule = |n: NodeId| self.tree.tag(n) == Tag::Hr;
        if is_item(tag)
            && self.tree.children(node).next().is_some_and(is_rule)
            && let Some(element) = self.open.last_mut()
        {
            return element.end_scopes(PLAIN - 1);
        }
        let is_break = tag == Tag::Br;
        if !is_break && !is_line(tag) {
            if self.is_read()
                && let Some(text) = self.tree.only_text(node)
            {
                return self.line.note_end(text);
            }
            let text = words(self.tree, self.survey, node, 4 * MAX_LABEL);
            self.line.count(&text);
            let opens = self.open.last().is_some_and(|element| is_item(element.tag));
            if opens || !leads_within(self.tree, node) {
                self.read(&text, matches!(tag, Tag::B | Tag::Strong));
            }
            return;
        }
        self.line.begin();
        self.end_line(node, is_break);
        if !is_break {
            self.pass_block(node, tag);
        }
    }

    /// Goes into an element that holds links; what it gives is the link that the element is.
    fn enter(&mut self, node: NodeId, tag: Tag, end: NodeId, resolver: &Resolver<'a>) -> Option<Stand> {
        let few = self.anchors.get(self.next + MAX_TURNS).is_none_or(|anchor| anchor.node >= end);
        self.areas.note(self.tree, self.survey, self.content, node, few);
        if matches!(tag, Tag::Li | Tag::Dt | Tag::Dd) {
            self.item_end = self.item_end.max(end);
        }
        if is_line(tag) {
            self.line.begin();
            self.end_line(node, false);
        } else {
            self.begin_links();
        }
        if let (Some(level), Some(element)) = (tag.heading_level(), self.open.last_mut()) {
            element.end_scopes(level);
        }
        let more = self.holds_more(end);
        self.end_row(node, tag, more);
        let named = self.list_of(node, tag, end, resolver);
        let list = named.map_or_else(|| self.current(), |EnclosingList(list)| list);
        self.open.push(OpenElement { inherits: named.is_none(), ..OpenElement::new(node, tag, end, list) });
        let anchor = Some(self.first()).filter(|anchor| anchor.node == node)?;
        let stand = self.stand(anchor, list);
        self.next += 1;
        if let Some(element) = self.open.last_mut() {
            element.links = 1;
            // A picture before a menu is the site's sign.
            let is_picture = stand.place != LinkPlace::Content && !stand.label.speaks;
            element.entry = Some(anchor).filter(|_| !is_picture);
        }
        if !more {
            self.node = end;
        }
        Some(stand)
    }

    /// Where a link stands that is met in a list.
    fn stand(&mut self, anchor: Anchor, list: Option<u32>) -> Stand {
        let node = anchor.node;
        let place = self.areas.place(self.tree, self.content, node);
        let may_lead =
            node < self.item_end || self.line.colon || self.line.labelled || place != LinkPlace::Content;
        let allowed = if may_lead { MAX_LEADING_WORDS } else { 0 };
        // The page in another language stands in no list of pages.
        let is_translation =
            [Name::Hreflang, Name::Lang].iter().any(|&name| self.tree.raw_attribute(node, name).is_some());
        let in_text = self.line.words > allowed || is_translation || self.crumbs.contains(&node);
        let bar = node < self.areas.bar;
        let first = self.told;
        let bare = || LinkList { label: None, entry: None, outer: None, place, bar, first };
        let list = match list {
            _ if in_text => None,
            None => self.lists.number(bare()),
            list => list,
        };
        Stand {
            anchor,
            place,
            list,
            label: link_label(self.tree, self.survey, node),
            turns: node < self.areas.turns,
        }
    }

    fn is_menu(&self, node: NodeId) -> bool {
        self.areas.place(self.tree, self.content, node) != LinkPlace::Content
    }
}

/// The page that a link leads to as a whole.
fn target(resolver: &Resolver<'_>, link: Anchor) -> Option<SiteUrl> {
    resolver.url(link.url).filter(|_| !link.is_part).cloned()
}
