//! Which text names which links.

use std::cell::LazyCell;
use std::sync::Arc;

use super::line::MAX_LEADING_WORDS;
use super::open_element::{EnclosingList, INLINE, ListScope, PLAIN};
use super::text::{
    MAX_HEADING, ends_sentence, is_before_list, is_blank, is_bold_line, is_item, is_label, is_line, is_list,
    opens_next,
};
use super::text::{MAX_LABEL, leads_within, link_label, said, says_something};
use super::{Walk, target};
use crate::page::fold::head_of;
use crate::page::heading;
use crate::page::marks::Marks;
use crate::page::resolve::Resolver;
use crate::page::tree::{NodeId, has_word, is_field};
use crate::page::vocabulary::Tag;
use crate::page::{LinkList, LinkPlace};
use crate::url::SiteUrl;

impl Walk<'_, '_> {
    /// A block without links: it may name what follows.
    pub(super) fn pass_block(&mut self, block: NodeId, tag: Tag) {
        let tree = self.tree;
        let inside = || tree.descendants(block).filter(|_| tree.spend(1));
        let heading = match tag.heading_level() {
            Some(_) => Some(block),
            None => inside().rfind(|&n| tree.tag(n).heading_level().is_some()),
        };
        // What names the page's own contents, or pictures, names no list behind them.
        let is_named = |heading: NodeId, n| leads_within(tree, n) || n > heading && tree.tag(n) == Tag::Img;
        if let Some(heading) = heading.filter(|&heading| heading != block && self.is_menu(block))
            && inside().any(|n| is_named(heading, n))
        {
            return;
        }
        // What stands beside a field to fill in is about that: "Search", "Cancel".
        let is_form = || inside().any(|n| is_field(tree, n));
        if let Some(heading) = heading.filter(|&heading| heading == block || !is_form()) {
            let rank = tree.tag(heading).heading_level().unwrap_or(PLAIN);
            return self.head(rank, &heading::text(tree, heading, MAX_HEADING), None);
        }
        // Links to parts of the page name nothing, nor do the page's own contents, nor several entries in a row.
        let is_row = matches!(tag, Tag::Tr | Tag::Thead | Tag::Tbody)
            || is_list(tag) && tree.children(block).filter(|&n| is_item(tree.tag(n))).nth(1).is_some();
        let leads_elsewhere = || inside().any(|n| leads_within(tree, n)) && !opens_next(tree, block);
        // Where a flat menu shows its reader to be, nothing begins.
        let is_here = || {
            is_item(tag)
                && [block].into_iter().chain(inside()).any(|n| self.survey.marks(n).any(Marks::CURRENT))
        };
        if is_row || !says_something(tree, block) || leads_elsewhere() || is_here() {
            return;
        }
        // What one can press names what it opens: in an item of a list that, else the whole menu.
        let is_pressed = matches!(tag, Tag::Button | Tag::Label);
        let is_in_item = || self.open.iter().rev().any(|element| is_item(element.tag));
        let is_menu = self.is_menu(block);
        let opens_all = is_menu && is_pressed && !is_in_item();
        let Some(element) = self.open.last_mut() else { return };
        element.has_text = true;
        if opens_all {
            return;
        }
        let text = LazyCell::new(|| said(tree, block, 2 * MAX_LABEL));
        let is_named = || {
            matches!(tag, Tag::Summary | Tag::Legend | Tag::Caption | Tag::Dt | Tag::Th | Tag::Label)
                || self.survey.marks(block).any(Marks::CAPTION)
                || has_word(tree, block, &["caption"])
                || is_list(element.tag) && has_word(tree, block, &["title", "header", "heading"])
                || is_bold_line(tree, block)
                || is_before_list(tree, block) && !ends_sentence(&text)
        };
        // A picture to press is no text.
        let has_words = || inside().any(|n| tree.tag(n) == Tag::Text && !is_blank(tree, n));
        let is_sign = || !has_words() && inside().any(|n| tree.tag(n) == Tag::A);
        let is_menu = is_menu && (tag != Tag::Button || is_item(element.tag)) && !is_sign();
        let is_entry = is_item(element.tag) && element.entry.is_some();
        if (is_menu || is_named()) && is_label(&text) && !is_entry && !is_form() {
            element.entry = None;
            self.label(PLAIN, text.as_str().into(), None);
        }
    }

    /// Finds the list around the element at hand anew where a heading ends those of the elements around it.
    pub(super) fn rebase(&mut self, level: u8) {
        let Some((element, around)) = self.open.split_last_mut().filter(|(element, _)| element.inherits)
        else {
            return;
        };
        let mut base = None;
        let mut ends_outer = false;
        for outer in around {
            if !outer.inherits {
                (base, ends_outer) = (outer.list, false);
            }
            for scope in &outer.scopes {
                match scope.list {
                    Some(EnclosingList(list)) if scope.rank < level => base = list,
                    _ => ends_outer |= scope.rank >= level,
                }
            }
            if !self.tree.spend(1) {
                return;
            }
        }
        if ends_outer {
            element.list = base;
        }
    }

    /// Takes a heading in.
    pub(super) fn head(&mut self, level: u8, text: &str, entry: Option<SiteUrl>) {
        // The first one is the title of the page.
        if level == 1 && !std::mem::replace(&mut self.titled, true) {
            if let Some(element) = self.open.last_mut() {
                element.scopes.clear();
            }
            return;
        }
        if let Some(element) = self.open.last_mut() {
            element.has_text = true;
        }
        self.rebase(level);
        self.label(level, head_of(text, MAX_HEADING).into(), entry);
    }

    /// The line at hand ends; it may name what comes next, which is the node.
    pub(super) fn end_line(&mut self, node: NodeId, is_break: bool) {
        let Some(element) = self.open.last() else { return };
        let text = self.line.text();
        let is_entry = is_item(element.tag) && element.entry.is_some();
        let opens_list = || is_list(self.tree.tag(node)) && !ends_sentence(text);
        if !is_entry && is_label(text) && (self.line.bold || opens_list() || !is_break && self.is_menu(node))
        {
            self.label(PLAIN, text.into(), None);
        }
        self.line.forget();
    }

    /// From here on, links of the element at hand stand below a label.
    pub(super) fn label(&mut self, rank: u8, text: Arc<str>, entry: Option<SiteUrl>) {
        let is_menu = self.is_menu(self.node);
        let in_content = self.areas.is_content(self.tree, self.content, self.node.saturating_sub(1));
        let Some(element) = self.open.last_mut() else { return };
        element.end_scopes(rank);
        if text.contains(char::is_alphanumeric) {
            element.scopes.push(ListScope { rank, label: text, in_content, list: None, row: None });
            // A group of a menu that is folded shows its place all the same.
            if entry.is_some() || is_menu {
                let list = self.current();
                if let Some(list) = list.and_then(|at| self.lists.all.get_mut(at as usize)) {
                    list.entry = list.entry.take().or(entry);
                }
            }
        }
    }

    /// The list of the labels that stand before the node at hand. Those of the main content name no menu behind it but one that
    /// follows a heading at once.
    pub(super) fn current(&mut self) -> Option<u32> {
        let (place, bar) = (self.areas.place(self.tree, self.content, self.node), self.node < self.areas.bar);
        let first = self.told;
        let before = || self.tree.previous(self.node.saturating_sub(1));
        let is_headed = || before().is_some_and(|node| self.tree.tag(node).heading_level().is_some());
        let is_beside = place != LinkPlace::Content
            && !self.areas.is_content(self.tree, self.content, self.node)
            && !is_headed();
        let element = self.open.last_mut()?;
        let mut outer = element.list;
        for scope in element.scopes.iter_mut().filter(|scope| !(is_beside && scope.in_content)) {
            let list =
                || LinkList { label: Some(scope.label.clone()), entry: None, outer, place, bar, first };
            outer = match scope.list {
                Some(EnclosingList(list)) => list,
                None => scope.list.insert(EnclosingList(self.lists.number(list()))).0,
            };
        }
        outer
    }

    /// Links follow on the line at hand: what stands before them in bold, or with a colon, names them (`Guides: a, b`).
    pub(super) fn begin_links(&mut self) {
        let Some(end) = self.open.last().map(|element| element.end) else { return };
        let may_name = (self.line.bold || self.line.colon) && self.line.words <= MAX_LEADING_WORDS;
        if may_name && self.holds_more(end) {
            let text = self.line.text().trim_end_matches([':', '：', ' ']).to_owned();
            if is_label(&text) {
                self.label(INLINE, text.into(), None);
                (self.line.words, self.line.labelled) = (0, true);
            }
        }
        self.line.forget();
    }

    /// Ends the label that stands before an element, unless that is what it names: outside of lists, a label other than a
    /// heading names one element or a row of links, and no menu as a whole.
    pub(super) fn end_row(&mut self, node: NodeId, tag: Tag, more: bool) {
        let is_menu = self.survey.marks(node).any(Marks::NAVIGATION.with(Marks::MARGIN));
        let Some(element) = self.open.last_mut() else { return };
        let Some(scope) = element.scopes.last_mut().filter(|scope| scope.rank >= PLAIN) else { return };
        if is_list(element.tag) || is_item(element.tag) || scope.rank == INLINE {
            return;
        }
        let goes_on = scope.row.is_none_or(|(first, single)| first == tag && single && !more);
        if goes_on && !is_menu {
            scope.row.get_or_insert((tag, !more));
        } else {
            element.end_scopes(PLAIN);
        }
    }

    /// The list that an element with links stands for, if it is another one than that of the labels before it.
    pub(super) fn list_of(
        &mut self,
        node: NodeId,
        tag: Tag,
        end: NodeId,
        resolver: &Resolver<'_>,
    ) -> Option<EnclosingList> {
        let tree = self.tree;
        // What stands before the main part of a page names nothing in it; what names a menu names no text.
        if tag == Tag::Main || self.content.roots.iter().any(|root| (node..end).contains(root)) {
            return Some(EnclosingList(None));
        }
        let place = self.areas.place(self.tree, self.content, node);
        let is_menu = place != LinkPlace::Content;
        let nothing_follows = || {
            let behind = self.anchors.partition_point(|anchor| anchor.node < end);
            let element_end = self.open.last().map_or(end, |element| element.end);
            self.anchors.get(behind).is_none_or(|anchor| anchor.node >= element_end)
        };
        let named = self.open.last().filter(|element| element.entry.is_some()).is_some_and(|element| {
            if is_item(element.tag) {
                return is_list(tag) || is_menu && is_line(tag);
            }
            if is_list(element.tag) {
                let opens = || {
                    tree.children(node).find(|&n| !is_blank(tree, n)).is_some_and(|n| is_list(tree.tag(n)))
                };
                return tag == Tag::Dd || tag == Tag::Li && opens();
            }
            // What stands before a menu and leads to another site is about the site: its sources, what it was made with.
            let is_away = || element.entry.is_some_and(|entry| is_menu && resolver.leads_away(entry.url));
            let opens_menu =
                || is_menu && is_line(tag) && element.links == 1 && self.holds_more(end) && nothing_follows();
            (is_list(tag) || opens_menu()) && !is_away()
        });
        let entry = self.open.last().and_then(|element| element.entry).filter(|_| named)?;
        let label = link_label(tree, self.survey, entry.node).text;
        if label.len() > MAX_HEADING || !label.contains(char::is_alphanumeric) {
            return None;
        }
        let outer = self.current();
        let bar = node < self.areas.bar;
        Some(EnclosingList(self.lists.number(LinkList {
            label: Some(label.into()),
            entry: target(resolver, entry),
            outer,
            place,
            bar,
            first: self.told,
        })))
    }
}
