//! Which part of a page a node stands in.

use super::text::turns_by_rel;
use crate::page::LinkPlace;
use crate::page::main_content::Content;
use crate::page::marks::Marks;
use crate::page::survey::Survey;
use crate::page::tree::{NodeId, Tree};
use crate::page::vocabulary::{Name, Tag};

/// Where the parts end that the node at hand is inside of.
#[derive(Default)]
pub(super) struct Areas {
    margin: NodeId,
    navigation: NodeId,
    main: NodeId,
    /// The same for margins that are no asides.
    footer: NodeId,
    pub(super) bar: NodeId,
    sidebar: NodeId,
    /// What is left out of the content.
    left_out: NodeId,
    pub(super) turns: NodeId,
}

impl Areas {
    /// Notes how far the part reaches that an element opens; `few`: it holds few links.
    pub(super) fn note(
        &mut self,
        tree: &Tree<'_>,
        survey: &Survey,
        content: &Content,
        node: NodeId,
        few: bool,
    ) {
        let (tag, end, marks) = (tree.tag(node), tree.node(node).end, survey.marks(node));
        if content.left_out.get(node as usize).is_some_and(|left_out| *left_out) {
            self.left_out = self.left_out.max(end);
        }
        if marks.any(Marks::MARGIN) && !marks.any(Marks::CONTENT) {
            self.margin = self.margin.max(end);
        }
        let is_margin = marks.any(Marks::MARGIN);
        let role = tree.raw_attribute(node, Name::Role).filter(|_| is_margin).unwrap_or_default();
        let is_banner = tag == Tag::Header || role == "banner";
        let is_aside = tag == Tag::Aside || role == "complementary";
        if tag != Tag::A && !is_banner && (tag == Tag::Footer || is_margin && !is_aside) {
            self.footer = self.footer.max(end);
        }
        let is_bar = is_banner || marks.any(Marks::NAVIGATION) && marks.any(Marks::BAR);
        if marks.any(Marks::MAIN) {
            self.main = self.main.max(end);
        }
        // A menu that is all of a page is its content.
        let is_all = |&root: &NodeId| {
            survey.marks(root).any(Marks::NAVIGATION) && root <= node && node < tree.node(root).end
        };
        let is_menu = marks.any(Marks::NAVIGATION) || is_aside && shows_current(tree, survey, node);
        if is_menu && !content.roots.iter().any(is_all) {
            self.navigation = self.navigation.max(end);
        }
        if end > self.sidebar
            && marks.any(Marks::SIDEBAR)
            && !content.roots.iter().any(|root| (node..end).contains(root))
        {
            self.sidebar = self.sidebar.max(end);
        }
        // A sidebar may repeat the menu across the top for small screens.
        if is_bar && node >= self.sidebar && !content.holds(tree, node) {
            self.bar = self.bar.max(end);
        }
        if few && end > self.turns && (marks.any(Marks::TURNS) || turns_by_rel(tree, node)) {
            self.turns = self.turns.max(end);
        }
    }

    /// Whether a node stands in the content and is not left out of it.
    pub(super) fn is_content(&self, tree: &Tree<'_>, content: &Content, node: NodeId) -> bool {
        node >= self.left_out && content.holds(tree, node)
    }

    /// The part that a node stands in.
    pub(super) fn place(&self, tree: &Tree<'_>, content: &Content, node: NodeId) -> LinkPlace {
        let in_margin = node < self.margin;
        let in_navigation = node < self.navigation;
        if in_margin && in_navigation {
            // Sidebars are asides round menus, footers are menus too: a footer stays one.
            return if node < self.footer { LinkPlace::Margin } else { LinkPlace::Navigation };
        }
        if in_margin {
            return LinkPlace::Margin;
        }
        if in_navigation {
            return LinkPlace::Navigation;
        }
        if node < self.main || content.holds(tree, node) {
            return LinkPlace::Content;
        }
        let is_above = content.roots.last().is_some_and(|&root| node < root);
        if is_above { LinkPlace::Navigation } else { LinkPlace::Margin }
    }
}

/// An aside that marks one of its items as the page itself is a menu beside the text.
fn shows_current(tree: &Tree<'_>, survey: &Survey, aside: NodeId) -> bool {
    let mut inside = tree.descendants(aside).filter(|_| tree.spend(1));
    let leads_on = |node| tree.raw_attribute(node, Name::Href).is_some_and(|href| !href.starts_with('#'));
    inside.any(|node| {
        let is_entry = tree.tag(node) == Tag::Li || tree.tag(node) == Tag::A && leads_on(node);
        is_entry && survey.marks(node).any(Marks::CURRENT)
    })
}
