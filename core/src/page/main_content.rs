//! Which nodes of a page are its main content.

use std::cell::LazyCell;

use super::chrome::{Suspicion, holds_code, leave_out};
use super::column::{self, is_alike};
use super::genre::Genre;
use super::marks::Marks;
use super::outer_title::{is_banner, leads, outer_title};
use super::resolve::Resolver;
use super::shown::{MAX_EMPTY, MAX_TITLE, MENU_LINKS, MIN_LEAD, is_lead, is_text, outermost};
use super::streamed;
use super::survey::{Survey, size};
use super::tree::{NodeId, Tree};
use super::vocabulary::Tag;
use super::writing;
use crate::url::SiteUrl;

/// Share of the text that one child must hold for the search to go down into it.
const DOMINANT: f32 = 0.8;
/// Share of the running text that a part has at least which holds nearly all that is told.
const RUNNING: f32 = 0.3;
/// How much longer than any other one an article is that the others only lead away from.
const LONGER: f32 = 4.0;
/// Share of its text that a choice of content must keep when what looks like chrome is gone.
const KEPT: f32 = 0.2;
/// Share of a page's text that its main part has at least, whatever calls itself so.
const MAIN: f32 = 0.25;
/// Share of the text of a column of links that these have, at least: its numbers and signs stand beside them.
const COLUMN_LINKS: f32 = 0.6;
/// Bytes of `&nbsp;`, which keeps an element from being empty.
const BLANK: usize = 6;
/// Nodes of what stands before the content among which its title is looked for.
const MAX_HEAD: usize = 120;

/// Marks of what is not counted as text of what holds it.
const OUTSIDE: Marks = Marks::HIDDEN.with(Marks::NAVIGATION).with(Marks::MARGIN).with(Marks::CHROME);

/// The main content of a page.
pub(super) struct Content {
    /// In reading order, none inside another.
    pub(super) roots: Vec<NodeId>,
    /// By node: it and what it holds is left out.
    pub(super) left_out: Vec<bool>,
    /// The roots in the order of the page.
    ordered: Vec<NodeId>,
}

impl Content {
    /// Whether a node lies in the main content (left out or not).
    pub(super) fn holds(&self, tree: &Tree<'_>, node: NodeId) -> bool {
        let before = self.ordered.partition_point(|&root| root <= node);
        before.checked_sub(1).is_some_and(|last| node < tree.node(self.ordered[last]).end)
    }
}

/// Finds the main content.
pub(super) fn content<'a>(
    tree: &Tree<'a>,
    survey: &Survey,
    url: &SiteUrl,
    resolver: &mut Resolver<'a>,
) -> Content {
    let genre = Genre::of(tree, url);
    let body = tree.all(Tag::Body).next().unwrap_or(0);
    let (root, known) = match root(tree, survey, genre, body) {
        (root, _) if survey.all(root) < MIN_LEAD => {
            (directory(tree, survey, body, root).unwrap_or(root), true)
        }
        found => found,
    };
    let mut roots = vec![root];
    let is_banner = |title| is_banner(tree, survey, url, resolver, title);
    if let Some(title) = outer_title(tree, survey, body, root, is_banner) {
        roots = leads(tree, survey, title, root);
        roots.insert(0, title);
        roots.push(root);
    }
    roots.extend(streamed::inside(tree, &survey.segments, root));
    let mut left_out = without_chrome(tree, survey, genre, &roots, known);
    if !genre.is_documentation() {
        let before = left_out.clone();
        let bytes = kept(tree, survey, &roots, &left_out, f32::INFINITY);
        writing::leave_out(tree, survey, &roots, genre, &mut left_out);
        if kept(tree, survey, &roots, &left_out, KEPT * bytes) < KEPT * bytes {
            left_out = before;
        }
    }
    let mut ordered = roots.clone();
    ordered.sort_unstable();
    Content { roots, left_out, ordered }
}

/// What goes everywhere, with as much suspicion as leaves a text: names that would take most of it are names of the
/// page's layout.
fn without_chrome(
    tree: &Tree<'_>,
    survey: &Survey,
    genre: Genre,
    roots: &[NodeId],
    known: bool,
) -> Vec<bool> {
    let total: f32 = roots.iter().map(|&root| survey.all(root)).sum();
    let mut left_out = vec![false; tree.len() as usize];
    let levels = [Suspicion::All, Suspicion::Names, Suspicion::Links];
    for &suspicion in levels.iter().skip(usize::from(known)) {
        left_out.fill(false);
        for &root in roots {
            leave_out(tree, survey, root, genre, suspicion, &mut left_out);
        }
        if kept(tree, survey, roots, &left_out, KEPT * total) >= KEPT * total {
            break;
        }
    }
    left_out
}

/// Bytes of text that stay, counted until they are `enough`.
fn kept(tree: &Tree<'_>, survey: &Survey, roots: &[NodeId], left_out: &[bool], enough: f32) -> f32 {
    let mut bytes: u32 = 0;
    for &root in roots {
        let mut node = root;
        while node < tree.node(root).end && size(bytes) < enough {
            if left_out[node as usize] {
                node = tree.node(node).end;
                continue;
            }
            if tree.tag(node) == Tag::Text {
                bytes = bytes.saturating_add(u32::try_from(survey.bytes(node)).unwrap_or(u32::MAX));
            }
            node += 1;
        }
    }
    size(bytes)
}

/// The node that holds the content, and whether the page says so itself.
fn root(tree: &Tree<'_>, survey: &Survey, genre: Genre, body: NodeId) -> (NodeId, bool) {
    let candidates = |scope, wanted: &dyn Fn(NodeId) -> bool| {
        let inside = survey.candidates.iter().copied().filter(|&n| wanted(n));
        outermost(tree, survey, scope, &inside.collect::<Vec<_>>())
    };
    let shown = candidates(body, &|n| survey.marks(n).any(Marks::MAIN));
    let main = shown.iter().copied().max_by(|&a, &b| survey.all(a).total_cmp(&survey.all(b)));
    // What has the title and is called the main part is that however little it says, unless more is said outside of menus.
    let is_titled = |m| survey.holds_title(tree, m) && survey.prose(body) <= 2.0 * survey.prose(m);
    let main = main.filter(|&m| survey.all(m) > MAIN * survey.all(body) || is_titled(m));
    let scope = main.unwrap_or(body);
    let known = candidates(scope, &|n| survey.marks(n).any(Marks::CONTENT));
    if let Some(most) = most(survey, genre, &known)
        && (survey.prose(most) > 0.4 * survey.prose(scope) || survey.all(most) > 0.6 * survey.all(scope))
    {
        return (most, true);
    }
    let articles = candidates(scope, &|n| tree.tag(n) == Tag::Article);
    if let Some(most) = most(survey, genre, &articles)
        && survey.prose(most) > 0.6 * survey.prose(scope)
        && (survey.holds_title(tree, most)
            || !survey.holds_title(tree, scope)
            || !genre.is_documentation() && !holds_code(tree, most))
    {
        return (most, true);
    }
    if genre == Genre::Generated {
        return (scope, true);
    }
    (dominant(tree, survey, scope), main.is_some())
}

/// The only one, or the one that holds most of the prose of several and is much longer than each: those beside it
/// announce other pages, except where they are the posts of a discussion.
fn most(survey: &Survey, genre: Genre, nodes: &[NodeId]) -> Option<NodeId> {
    let all: f32 = nodes.iter().map(|&n| survey.prose(n)).sum();
    let most = nodes.iter().copied().max_by(|&a, &b| survey.prose(a).total_cmp(&survey.prose(b)))?;
    let next = nodes.iter().filter(|&&n| n != most).map(|&n| survey.all(n)).fold(0.0, f32::max);
    let beside =
        genre != Genre::Discussion && survey.prose(most) > DOMINANT * all && survey.all(most) > LONGER * next;
    (nodes.len() == 1 || beside).then_some(most)
}

/// Goes down as long as one child holds nearly all that is told, or all of the running text beside columns of headlines.
fn dominant(tree: &Tree<'_>, survey: &Survey, scope: NodeId) -> NodeId {
    let headlines = LazyCell::new(|| column::headlines(tree, survey));
    let mut node = scope;
    loop {
        let is_part = |&c: &NodeId| {
            (tree.tag(c).is_block() || tree.tag(c) == Tag::Other)
                && !survey.marks(c).any(OUTSIDE.with(Marks::COMMENTS))
        };
        let parts = || tree.children(node).filter(is_part);
        let is_titled = tree.children(node).any(|c| tree.tag(c) == Tag::H1);
        let column = || column::column(tree, survey, || headlines.as_slice(), node, parts(), is_titled);
        let next = if is_titled {
            column()
        } else if holds_sections(tree, survey, node) {
            None
        } else {
            beside_menu(tree, survey, node).or_else(|| most_told(survey, node, parts())).or_else(column)
        };
        match next {
            Some(child) if opens(tree, survey, child) && !has_more(tree, survey, node, child) => node = child,
            _ => break,
        }
    }
    node
}

/// The part of a node that holds nearly all that is told, menus before it left aside; columns of headlines do not where the running
/// text stands elsewhere.
fn most_told(survey: &Survey, node: NodeId, mut parts: impl Iterator<Item = NodeId>) -> Option<NodeId> {
    let mut menus = 0.0;
    let most = parts.find(|&c| {
        let told = survey.told(c);
        let is_most = told > DOMINANT * (survey.told(node) - menus);
        menus += if is_named_menu(survey, c) { told } else { 0.0 };
        is_most
    });
    let running = survey.running(node);
    most.filter(|&c| running < column::MIN_RUNNING || survey.running(c) >= RUNNING * running)
}

/// Whether the search goes on inside a part: it means nothing itself, or is a table that arranges the page round a long text.
fn opens(tree: &Tree<'_>, survey: &Survey, part: NodeId) -> bool {
    !tree.tag(part).is_leaf() || tree.tag(part) == Tag::Table && survey.running(part) >= column::MIN_RUNNING
}

/// Whether a part is called after a menu and is one: what its links say is not told by the page.
fn is_named_menu(survey: &Survey, node: NodeId) -> bool {
    survey.marks(node).any(Marks::SUSPECT.with(Marks::LOOK)) && survey.link_share(node) > MENU_LINKS
}

/// The last part of a node, if it has a heading and nothing but columns of links stands before it: however long, they are a menu.
/// Without it a site of 270 components that lists all of them on each page has no text of any.
fn beside_menu(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> Option<NodeId> {
    let shown = |&c: &NodeId| tree.tag(c) != Tag::Text && survey.bytes(c) > BLANK;
    let mut parts = tree.children(node).filter(shown);
    let is_column = |c| survey.link_share(c) > COLUMN_LINKS && survey.paragraphs(c) == 0.0;
    let part = parts.find(|&c| !is_column(c) || survey.holds_heading(tree, c))?;
    let is_text = survey.holds_heading(tree, part) && survey.link_share(part) < 0.5;
    (is_text && survey.told(part) >= MIN_LEAD && parts.next().is_none()).then_some(part)
}

/// Whether headings of several sections stand in a node itself: they belong to what is beside them.
fn holds_sections(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    tree.children(node).filter(|&c| tree.tag(c) == Tag::H2 && survey.bytes(c) > 0).nth(1).is_some()
}

/// Whether a page goes on around a part: its name or a section stands before it, or in a reference text, what all its
/// members are about, or members behind.
fn has_more(tree: &Tree<'_>, survey: &Survey, node: NodeId, part: NodeId) -> bool {
    let title = survey.title_before(part).filter(|&title| title > node);
    let opens = |c| survey.link_share(c) < 0.2 && survey.holds_heading(tree, c);
    let is_section =
        |c| title.is_some_and(|title| tree.node(title).end <= c) && is_text(survey, c) && opens(c);
    let shows_code = LazyCell::new(|| holds_code(tree, part));
    let is_code = |c| holds_code(tree, c) && (survey.holds_heading(tree, c) || *shows_code);
    let is_member = |c| is_text(survey, c) && survey.link_share(c) < 0.5 && is_code(c);
    let mut parts = tree.children(node).filter(|&c| c != part);
    says_title(tree, survey, node, part)
        || tree.children(node).take_while(|&c| c < part).any(is_section)
        || parts.any(|c| {
            if c < part {
                is_lead(tree, survey, c) && survey.link_share(c) < 0.2
                    || survey.titles.is_empty() && (opens(c) || heads(tree, survey, c, part))
            } else {
                survey.all(c) >= MIN_LEAD
                    && (tree.tag(c) == Tag::Dl || is_alike(tree, survey, c, part) || is_member(c))
            }
        }) && holds_code(tree, node)
}

/// Whether a short part of a page before another one says what the page is called, where no heading does.
fn says_title(tree: &Tree<'_>, survey: &Survey, node: NodeId, part: NodeId) -> bool {
    let Some(title) = tree.all(Tag::Title).next().map(|n| tree.folded_text(n, MAX_TITLE)) else {
        return false;
    };
    let is_title = |n| survey.bytes(n) == title.len() && tree.folded_text(n, MAX_TITLE) == title;
    let mut before = tree.children(node).take_while(|&c| c < part);
    before.any(|c| {
        survey.link_share(c) < 0.5
            && tree.descendants(c).take(MAX_HEAD).any(|n| tree.tag(n).is_block() && is_title(n))
    }) && !survey.titles.iter().take(MAX_EMPTY).any(|&n| is_title(n))
}

/// Whether the heading in a part of a page stands above that which another one begins with.
fn heads(tree: &Tree<'_>, survey: &Survey, part: NodeId, other: NodeId) -> bool {
    let level = |n| survey.first_heading(tree, n).and_then(|heading| tree.tag(heading).heading_level());
    is_text(survey, part)
        && survey.link_share(part) < MENU_LINKS
        && level(part).zip(level(other)).is_some_and(|(above, below)| above < below)
}

/// On a page without any text, the largest menu with headings that is no part of the page's head, foot or margin. Where the
/// page itself says which part with a title is its content, that is any menu in it.
fn directory(tree: &Tree<'_>, survey: &Survey, body: NodeId, root: NodeId) -> Option<NodeId> {
    let is_known = tree.tag(root) == Tag::Article || survey.marks(root).any(Marks::CONTENT.with(Marks::MAIN));
    let is_titled = is_known && survey.holds_title(tree, root);
    let scope = if is_titled { root } else { body };
    let mut found = None;
    let mut node = scope;
    while node < tree.node(scope).end && tree.spend(1) {
        let tag = tree.tag(node);
        if tag == Tag::Nav && (is_titled || survey.holds_heading(tree, node)) {
            found = found.into_iter().chain([node]).max_by_key(|&nav| survey.bytes(nav));
        }
        let skips = matches!(tag, Tag::Nav | Tag::Header | Tag::Footer | Tag::Aside);
        node = if skips { tree.node(node).end } else { node + 1 };
    }
    found
}
