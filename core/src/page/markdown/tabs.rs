//! Tabs: several variants of one example, of which a reader sees one at a time. On paper each needs its name.

use super::super::marks::Marks;
use super::super::survey::Survey;
use super::super::tree::{NodeId, Tree};
use super::super::vocabulary::{Name, Tag};
use super::roles::{Part, has_class, has_role};
use crate::maps::{Map, Set};

/// Sets of tabs of one page; further ones stay without names.
const MAX_SETS: usize = 256;
/// Nodes that are searched for the panels of one set.
const MAX_SPAN: usize = 20_000;
/// How far above a list of tabs the element stands that holds its panels too.
const MAX_CLIMB: usize = 3;
/// Bytes of the name of a tab.
const MAX_NAME: usize = 120;

/// Finds sets of tabs, each once.
pub(super) struct Finder<'s> {
    survey: &'s Survey,
    sets: usize,
    /// Elements whose radio buttons are known.
    switched: Set<NodeId>,
}

impl<'s> Finder<'s> {
    pub(super) fn new(survey: &'s Survey) -> Self {
        Self { survey, sets: 0, switched: Set::default() }
    }

    /// Looks at one element and notes what it says about tabs.
    #[inline]
    pub(super) fn look(&mut self, tree: &Tree<'_>, node: NodeId, parts: &mut Map<NodeId, Part>) {
        if self.sets >= MAX_SETS {
            return;
        }
        let found = if is_list(self.survey, node) {
            listed(tree, self.survey, node)
        } else if is_switch(tree, node) && self.switched.insert(tree.node(node).parent) {
            switched(tree, tree.node(node).parent)
        } else {
            return;
        };
        self.sets += 1;
        parts.extend(found.into_iter().flatten());
    }
}

type Pairs = Vec<(NodeId, Part)>;

fn is_list(survey: &Survey, node: NodeId) -> bool {
    survey.marks(node).any(Marks::TABS)
}

fn is_tab(tree: &Tree<'_>, node: NodeId) -> bool {
    has_role(tree, node, "tab") || has_class(tree, node, &["tab"])
}

fn is_panel(tree: &Tree<'_>, node: NodeId) -> bool {
    has_role(tree, node, "tabpanel") || has_class(tree, node, &["tabpanel", "tab-pane", "tabs-panel"])
}

/// A radio button: without scripts, tabs are labels of such.
#[inline]
fn is_switch(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.tag(node) == Tag::Input
        && tree.raw_attribute(node, Name::Type).is_some_and(|t| t.eq_ignore_ascii_case("radio"))
}

/// The tabs of a list and the panels behind it, as ARIA and the frameworks before it have them.
fn listed(tree: &Tree<'_>, survey: &Survey, list: NodeId) -> Option<Pairs> {
    let mut tabs = outermost(tree, tree.descendants(list), is_tab);
    if tabs.is_empty() {
        tabs = elements(tree, list).collect();
    }
    let mut panels = Vec::new();
    for holder in tree.ancestors(list).take(MAX_CLIMB) {
        panels = panels_of(tree, survey, list, holder);
        if !panels.is_empty() {
            break;
        }
    }
    if panels.is_empty() {
        panels = elements(tree, next_element(tree, list)?).collect();
    }
    pairs(tree, &tabs, &panels, Some(list))
}

/// The panels of a list of tabs inside `holder`, up to the next such list.
fn panels_of(tree: &Tree<'_>, survey: &Survey, list: NodeId, holder: NodeId) -> Vec<NodeId> {
    let mut panels = Vec::new();
    let mut node = tree.node(list).end;
    let end = tree.node(holder).end.min(node.saturating_add(u32::try_from(MAX_SPAN).unwrap_or(u32::MAX)));
    while node < end && tree.spend(1) {
        if tree.tag(node) != Tag::Text {
            if is_panel(tree, node) {
                panels.push(node);
                node = tree.node(node).end;
                continue;
            }
            if is_list(survey, node) {
                break;
            }
        }
        node += 1;
    }
    panels
}

/// The labels of radio buttons and what each of them shows: what follows the label, or the children of what
/// follows all labels.
fn switched(tree: &Tree<'_>, holder: NodeId) -> Option<Pairs> {
    let children: Vec<NodeId> = elements(tree, holder).take(MAX_SPAN).collect();
    let is_label = |&node: &NodeId| tree.tag(node) == Tag::Label;
    let (labels, shown): (Vec<_>, Vec<_>) = children
        .windows(2)
        .filter(|pair| is_label(&pair[0]) && !is_label(&pair[1]) && !tree.tag(pair[1]).is_void())
        .map(|pair| (pair[0], pair[1]))
        .unzip();
    if labels.len() > 1 {
        return pairs(tree, &labels, &shown, None);
    }
    let group = if children.iter().any(&is_label) {
        holder
    } else {
        *children
            .iter()
            .find(|&&c| elements(tree, c).all(|n| is_label(&n)) && elements(tree, c).count() > 1)?
    };
    let labels: Vec<NodeId> = elements(tree, group).filter(is_label).collect();
    let panels: Vec<NodeId> = elements(tree, next_element(tree, group)?).collect();
    pairs(tree, &labels, &panels, Some(group))
}

/// Names each panel after its tab, if there are as many of one as of the other. The tabs themselves go.
fn pairs(tree: &Tree<'_>, tabs: &[NodeId], panels: &[NodeId], list: Option<NodeId>) -> Option<Pairs> {
    if tabs.is_empty() || tabs.len() != panels.len() {
        return None;
    }
    let mut parts: Pairs = list
        .map_or_else(|| tabs.iter().map(|&tab| (tab, Part::Skip)).collect(), |list| vec![(list, Part::Skip)]);
    for (&tab, &panel) in tabs.iter().zip(panels) {
        let name = tree.folded_text(tab, MAX_NAME);
        if !name.is_empty() {
            parts.push((panel, Part::Panel(name)));
        }
    }
    Some(parts)
}

fn elements<'t>(tree: &'t Tree<'_>, node: NodeId) -> impl Iterator<Item = NodeId> + 't {
    tree.children(node).filter(|&n| !matches!(tree.tag(n), Tag::Text | Tag::Script | Tag::Style))
}

fn next_element(tree: &Tree<'_>, node: NodeId) -> Option<NodeId> {
    let end = tree.node(tree.node(node).parent).end;
    let first = Some(tree.node(node).end).filter(|&n| n < end);
    let mut next = std::iter::successors(first, |&n| Some(tree.node(n).end).filter(|&n| n < end));
    next.find(|&n| tree.tag(n) != Tag::Text)
}

fn outermost(
    tree: &Tree<'_>,
    range: std::ops::Range<NodeId>,
    wanted: impl Fn(&Tree<'_>, NodeId) -> bool,
) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut node = range.start;
    while node < range.end && found.len() < MAX_SPAN && tree.spend(1) {
        if tree.tag(node) != Tag::Text && wanted(tree, node) {
            found.push(node);
            node = tree.node(node).end;
        } else {
            node += 1;
        }
    }
    found
}
