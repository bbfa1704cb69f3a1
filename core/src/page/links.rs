//! The links of a page: where they lead, where they stand, what they are called.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use super::clean::Content;
use super::fold::{Folded, fold, head_of};
use super::markdown::heading_text;
use super::marks::Marks;
use super::resolve::{LINKS, Resolver};
use super::survey::{Survey, is_unseen};
use super::tree::{NodeId, Tree, decode_attribute};
use super::vocabulary::{Name, Tag};
use super::{Link, Place};
use crate::maps::Set;

/// Links of one page; the rest is left out.
const MAX_LINKS: usize = 20_000;
/// Nodes of a list item that is only a label.
const SHORT_ITEM: usize = 12;
/// Bytes of a link's text or group label.
const MAX_TEXT: usize = 300;

/// The most words in front of a link for which a list item still is an entry of a list: more make running text.
const MAX_LEADING_WORDS: usize = 3;

/// How many nodes of a list entry are looked at for its name.
const MAX_ENTRY_NODES: NodeId = 200;

/// A list that the walk is inside of.
struct List {
    end: NodeId,
    label: Option<Arc<str>>,
    /// The term of a definition list that was met last.
    term: Option<Rc<Named>>,
    /// Its last item that has a text of its own.
    item: Option<Named>,
}

/// An element that names others. Its name is read when the first of them asks for it, and once.
struct Named {
    node: NodeId,
    name: OnceCell<Option<Arc<str>>>,
}

impl Named {
    fn new(node: NodeId) -> Self {
        Self { node, name: OnceCell::new() }
    }

    fn name(&self, read: impl FnOnce(NodeId) -> Option<String>) -> Option<Arc<str>> {
        self.name.get_or_init(|| read(self.node).map(Arc::from)).clone()
    }
}

/// An entry of a list that the walk is inside of.
struct Item {
    end: NodeId,
    /// What it explains, in a definition list.
    term: Option<Rc<Named>>,
    label: Label,
}

/// What an entry of a list is called: by the link that it begins with, else by its text up to the list that asks. Each
/// list reads on where the one before it has stopped.
struct Label {
    /// What is not read yet starts here, and nothing is read from there on.
    unread: NodeId,
    last: NodeId,
    text: Folded,
    said: Option<Arc<str>>,
    /// A link said it.
    by_link: bool,
}

impl Label {
    fn new(entry: NodeId) -> Self {
        let last = entry.saturating_add(1 + MAX_ENTRY_NODES);
        Self { unread: entry + 1, last, text: Folded::default(), said: None, by_link: false }
    }

    fn up_to(&mut self, tree: &Tree<'_>, end: NodeId) -> Option<Arc<str>> {
        let known = self.text.text.len();
        while !self.by_link && self.unread < end.min(self.last) {
            let node = self.unread;
            self.unread += 1;
            if tree.tag(node) == Tag::A && self.text.text.is_empty() && tree.node(node).end <= end {
                let name = label(tree, node);
                self.by_link = !name.is_empty();
                self.said = Some(name.into()).filter(|_| self.by_link);
            } else if tree.tag(node) == Tag::Text && self.text.text.len() < MAX_TEXT {
                self.text.push(&tree.text_up_to(node, MAX_TEXT));
            }
        }
        if self.text.text.len() > known && !self.by_link {
            self.said = Some(head_of(&self.text.text, 4 * MAX_TEXT).into());
        }
        self.said.clone()
    }
}

/// All links in document order, one entry per address and place: the first one, unless a later one stands in a
/// list and so tells more of its place in the site. Links in running text stand in no list and in no group.
pub(super) fn collect<'a>(
    tree: &Tree<'a>,
    survey: &Survey,
    content: &Content,
    resolver: &mut Resolver<'a>,
) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::with_capacity(LINKS);
    // By address and place, the number of its link.
    let mut seen: Vec<[Option<usize>; 3]> = Vec::with_capacity(LINKS);
    let mut outdone: Set<usize> = Set::default();
    let mut walk = Walk::default();
    let mut node = 1;
    while node < tree.len() && links.len() < MAX_LINKS && tree.spend(1) {
        let tag = tree.tag(node);
        if tag == Tag::Text {
            node += 1;
            continue;
        }
        if is_never_read(tag) {
            node = tree.node(node).end;
            continue;
        }
        walk.enter(tree, survey, node);
        if tag == Tag::A {
            walk.line.link_end = tree.node(node).end;
        }
        if matches!(tag, Tag::A | Tag::Area)
            && let Some(href) = tree.raw_attribute(node, Name::Href).filter(|h| !h.starts_with('#'))
        {
            let place = walk.place(tree, content, node);
            if let Some((at, _)) = resolver.index(href) {
                walk.line.read(tree, node);
                seen.resize(seen.len().max(at + 1), [None; 3]);
                let known = seen[at][place as usize];
                match known.and_then(|k| links.get_mut(k)) {
                    Some(link) if link.depth > 0 || walk.depth() == 0 => {
                        if link.text.is_empty() {
                            link.text = label(tree, node);
                        }
                    }
                    first => {
                        if first.is_some() {
                            outdone.extend(known);
                        }
                        seen[at][place as usize] = Some(links.len());
                        let Some(url) = resolver.url(at).cloned() else { continue };
                        links.push(Link {
                            url,
                            text: label(tree, node),
                            place,
                            group: walk.group(tree, node),
                            depth: walk.depth(),
                            nofollow: is_nofollow(tree, node),
                        });
                    }
                }
            }
        }
        node += 1;
    }
    let mut number = 0;
    links.retain(|_| {
        number += 1;
        !outdone.contains(&(number - 1))
    });
    links
}

fn has_class(tree: &Tree<'_>, node: NodeId, class: &str) -> bool {
    tree.raw_attribute(node, Name::Class).is_some_and(|c| c.split_ascii_whitespace().any(|c| c == class))
}

fn is_nofollow(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.raw_attribute(node, Name::Rel).is_some_and(|rel| {
        rel.split_ascii_whitespace()
            .any(|r| ["nofollow", "ugc", "sponsored"].iter().any(|known| r.eq_ignore_ascii_case(known)))
    })
}

/// A paragraph that is bold throughout and leads nowhere: a heading that is not marked up as one.
fn is_bold_line(tree: &Tree<'_>, paragraph: NodeId) -> bool {
    let is_blank = |n| tree.tag(n) == Tag::Text && tree.raw_text(n).chars().all(char::is_whitespace);
    let mut children = tree.children(paragraph).filter(|&n| !is_blank(n));
    let bold = children.next().filter(|&n| matches!(tree.tag(n), Tag::Strong | Tag::B));
    bold.is_some_and(|n| tree.descendants(n).all(|inner| tree.tag(inner) != Tag::A && tree.spend(1)))
        && children.next().is_none()
}

/// What a link is called: its text, else the text that stands for its image, else its title.
fn label(tree: &Tree<'_>, link: NodeId) -> String {
    let text = tree.folded_text(link, MAX_TEXT);
    if !text.is_empty() {
        return text;
    }
    // Links nest, and each reads what is in it.
    let alts =
        tree.descendants(link).filter(|_| tree.spend(1)).filter_map(|n| tree.raw_attribute(n, Name::Alt));
    let alt =
        alts.filter(|alt| tree.spend(alt.len())).map(decode_attribute).find(|alt| !alt.trim().is_empty());
    let named =
        alt.or_else(|| tree.attribute(link, Name::AriaLabel)).or_else(|| tree.attribute(link, Name::Title));
    fold(named.as_deref().unwrap_or_default())
}

/// The name of a term of a definition list.
fn name_of_term(tree: &Tree<'_>, term: &Named) -> Option<Arc<str>> {
    term.name.get_or_init(|| Label::new(term.node).up_to(tree, tree.node(term.node).end)).clone()
}

/// Elements whose text is not read here; drawings may hold links.
fn is_never_read(tag: Tag) -> bool {
    is_unseen(tag) && tag != Tag::Svg
}

/// What stands in front of the node at hand on its line, read no sooner than a link asks for it.
#[derive(Default)]
struct Line {
    words: usize,
    colon: bool,
    /// Where the last link of the page so far ends.
    link_end: NodeId,
    /// What is not read yet starts here,
    unread: NodeId,
    /// and its text here: that of a link is no running text.
    text: NodeId,
}

impl Line {
    fn start(&mut self, node: NodeId) {
        *self = Self { link_end: self.link_end, unread: node, text: self.link_end, ..Self::default() };
    }

    /// Reads on up to the node at hand.
    fn read(&mut self, tree: &Tree<'_>, node: NodeId) {
        while self.unread < node && self.words <= MAX_LEADING_WORDS {
            let next = self.unread;
            self.unread += 1;
            match tree.tag(next) {
                Tag::Text if next >= self.text => self.count(&tree.text(next)),
                Tag::A => self.text = tree.node(next).end,
                tag if is_never_read(tag) => self.unread = tree.node(next).end,
                _ => {}
            }
        }
    }

    fn count(&mut self, text: &str) {
        let words = text.split_whitespace().filter(|w| w.contains(char::is_alphabetic));
        self.words += words.take(MAX_LEADING_WORDS + 1).count();
        if let Some(last) = text.trim_end().chars().next_back() {
            self.colon = last == ':';
        }
    }
}

/// What encloses the node at hand.
#[derive(Default)]
struct Walk {
    lists: Vec<List>,
    items: Vec<Item>,
    line: Line,
    /// The last heading or the like.
    heading: Option<Named>,
    /// A first-level heading was met: the first one is the title of the page.
    titled: bool,
    /// Until where the last footer, aside, menu reaches.
    margin_end: NodeId,
    navigation_end: NodeId,
    /// The same for margins that are no asides.
    footer_end: NodeId,
}

impl Walk {
    fn enter(&mut self, tree: &Tree<'_>, survey: &Survey, node: NodeId) {
        while self.lists.last().is_some_and(|list| list.end <= node) {
            self.lists.pop();
        }
        while self.items.last().is_some_and(|item| item.end <= node) {
            self.items.pop();
        }
        let end = tree.node(node).end;
        let tag = tree.tag(node);
        let marks = survey.marks(node);
        if marks.any(Marks::MARGIN) && !marks.any(Marks::CONTENT) {
            self.margin_end = self.margin_end.max(end);
        }
        if tag != Tag::A && (tag == Tag::Footer || marks.any(Marks::MARGIN) && tag != Tag::Aside) {
            self.footer_end = self.footer_end.max(end);
        }
        if marks.any(Marks::NAVIGATION) {
            self.navigation_end = self.navigation_end.max(end);
        }
        if tag == Tag::Br || tag.is_block() || matches!(tag, Tag::Li | Tag::Dt | Tag::Dd | Tag::Td | Tag::Th)
        {
            self.line.start(node);
        }
        match tag {
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dl => {
                let label = self.list_label(tree, node);
                self.lists.push(List { end, label, term: None, item: None });
            }
            Tag::Li => self.enter_item(tree, node, end),
            Tag::Dt => {
                if let Some(list) = self.lists.last_mut() {
                    list.term = Some(Rc::new(Named::new(node)));
                }
                self.items.push(Item { end, term: None, label: Label::new(node) });
            }
            Tag::Dd => {
                let term = self.lists.last().and_then(|list| list.term.clone());
                self.items.push(Item { end, term, label: Label::new(node) });
            }
            Tag::H1 if !self.titled => {
                self.titled = true;
                self.heading = None;
            }
            Tag::Caption | Tag::Summary | Tag::Legend => self.heading = Some(Named::new(node)),
            Tag::P if marks.any(Marks::CAPTION) || has_class(tree, node, "caption") => {
                self.heading = Some(Named::new(node));
            }
            Tag::P if is_bold_line(tree, node) => self.heading = Some(Named::new(node)),
            _ if tag.heading_level().is_some() => self.heading = Some(Named::new(node)),
            _ => {}
        }
    }

    fn enter_item(&mut self, tree: &Tree<'_>, node: NodeId, end: NodeId) {
        self.items.push(Item { end, term: None, label: Label::new(node) });
        let in_menu = node < self.navigation_end;
        let Some(list) = self.lists.last_mut() else { return };
        let first = tree
            .descendants(node)
            .take(SHORT_ITEM)
            .find(|&n| matches!(tree.tag(n), Tag::Ul | Tag::Ol | Tag::A));
        match first.map(|n| tree.tag(n)) {
            Some(Tag::A) => list.item = Some(Named::new(node)),
            // An item of a menu that leads nowhere names the items after it.
            None if in_menu && tree.descendants(node).len() < SHORT_ITEM => {
                let text = tree.folded_text(node, MAX_TEXT);
                if !text.is_empty() {
                    list.label = Some(text.into());
                }
            }
            _ => {}
        }
    }

    /// The entry that the node at hand stands in, unless that lies outside the innermost list.
    fn item(&self) -> Option<&Item> {
        let list = self.lists.last()?;
        self.items.last().filter(|item| item.end <= list.end)
    }

    fn list_label(&mut self, tree: &Tree<'_>, list: NodeId) -> Option<Arc<str>> {
        // The entry's own text says what its list is about; one without words goes on with the entry before it.
        let around = self.lists.last();
        let entry = self.items.last_mut().filter(|item| around.is_some_and(|list| item.end <= list.end));
        let own = entry.and_then(|entry| {
            let said = match &entry.term {
                Some(term) => name_of_term(tree, term),
                None => entry.label.up_to(tree, list),
            };
            let whole = |node| Some(tree.folded_text(node, MAX_TEXT));
            said.or_else(|| around?.item.as_ref()?.name(whole))
        });
        let own = own.or_else(|| self.heading_over(tree, list));
        own.or_else(|| self.lists.last()?.label.clone())
    }

    /// The text of the last heading, when it belongs to what encloses `node`.
    fn heading_over(&self, tree: &Tree<'_>, node: NodeId) -> Option<Arc<str>> {
        let heading = self.heading.as_ref()?;
        let reach = tree.ancestors(heading.node).take(2).last()?;
        let text = |heading| Some(heading_text(tree, heading)).filter(|text| !text.is_empty());
        if node < tree.node(reach).end { heading.name(text) } else { None }
    }

    /// A link at hand stands in running text: words lead up to it.
    fn in_text(&self) -> bool {
        let allowed = if self.item().is_some() || self.line.colon { MAX_LEADING_WORDS } else { 0 };
        self.line.words > allowed
    }

    fn depth(&self) -> u8 {
        if self.in_text() { 0 } else { u8::try_from(self.lists.len()).unwrap_or(u8::MAX) }
    }

    /// The group of a link at hand.
    fn group(&self, tree: &Tree<'_>, link: NodeId) -> Option<Arc<str>> {
        if self.in_text() {
            return None;
        }
        match (self.lists.last(), self.item().and_then(|item| item.term.as_ref())) {
            (Some(_), Some(term)) => name_of_term(tree, term),
            (Some(list), None) => list.label.clone(),
            (None, _) => self.heading_over(tree, link),
        }
    }

    fn place(&self, tree: &Tree<'_>, content: &Content, node: NodeId) -> Place {
        let in_margin = node < self.margin_end;
        let in_navigation = node < self.navigation_end;
        if in_margin && in_navigation {
            // Sidebars are asides round menus, footers are menus too: a footer stays one.
            return if node < self.footer_end { Place::Margin } else { Place::Navigation };
        }
        if in_margin {
            return Place::Margin;
        }
        if in_navigation {
            return Place::Navigation;
        }
        if content.holds(tree, node) {
            return Place::Content;
        }
        if content.roots.last().is_some_and(|&root| node < root) { Place::Navigation } else { Place::Margin }
    }
}

#[cfg(test)]
mod tests {
    use crate::page::{Link, Place, Source, read_html};
    use crate::site::url::SiteUrl;
    use crate::work::Work;

    fn links(body: &str) -> Vec<Link> {
        let url = SiteUrl::parse("https://example.com/").unwrap();
        let html = format!("<html><body>{body}</body></html>");
        read_html(
            &Source { url: &url, body: html.as_bytes(), content_type: None, x_robots_tag: None },
            &Work::unbounded(),
        )
        .unwrap()
        .links
    }

    /// Path, group and depth of each link.
    fn places(links: &[Link]) -> Vec<(&str, Option<&str>, u8)> {
        links.iter().map(|l| (l.url.path(), l.group.as_deref(), l.depth)).collect()
    }

    #[test]
    fn a_definition_list_nests_like_any_other() {
        let all = links(
            "<main><h1>Book</h1><dl><dt><a href=/a>A</a></dt><dd><dl><dt><a href=/a1>A 1</a></dt></dl></dd>\
             <dt><a href=/b>B</a></dt></dl></main>",
        );
        assert_eq!(places(&all), [("/a", None, 1), ("/a1", Some("A"), 2), ("/b", None, 1)]);
    }

    #[test]
    fn a_link_in_running_text_is_no_entry_of_a_list() {
        let all = links(
            "<main><h1>T</h1><h2>Why people choose it</h2><ul><li>One binary and no server: see <a href=/a>how</a></li>\
             <li><a href=/b>B</a> explains the rest</li></ul><p>Read the <a href=/c>manual</a>.</p></main>",
        );
        let group = Some("Why people choose it");
        assert_eq!(places(&all), [("/a", None, 0), ("/b", group, 1), ("/c", None, 0)]);
    }

    #[test]
    fn an_entry_of_a_list_outdoes_an_earlier_link_in_the_text() {
        let all = links(
            "<main><h1>T</h1><p>Begin with <a href=/a>this page</a>.</p><h2>Tools</h2><ul><li><a href=/a>A</a></li>\
             <li><a href=/b>B</a></li></ul></main>",
        );
        assert_eq!(places(&all), [("/a", Some("Tools"), 1), ("/b", Some("Tools"), 1)]);
        assert!(all.iter().all(|l| l.place == Place::Content));
    }

    #[test]
    fn bold_lines_are_headings_too() {
        let all = links("<main><h1>T</h1><p><b>Parts:</b></p><ul><li><a href=/a>A</a></li></ul></main>");
        assert_eq!(places(&all), [("/a", Some("Parts:"), 1)]);
    }

    #[test]
    fn names_are_cut_however_long_a_text_is() {
        let text = "word ".repeat(10_000);
        let item = format!(
            "<main><ul><li>{text}<ul><li><a href=/a>A</a></ul><ul><li><a href=/b>{text}</a></ul></ul>"
        );
        for link in links(&item) {
            assert!(link.text.len() < 2_000, "{}", link.text.len());
            assert!(link.group.is_some_and(|group| (300..2_000).contains(&group.len())), "{}", link.url);
        }
    }

    #[test]
    fn lists_of_one_entry_share_its_name_until_it_says_more() {
        let all = links(
            "<main><ul><li>One<ul><li><a href=/a>A</a></ul><ul><li><a href=/b>B</a></ul> two<ul><li><a href=/c>C</a></ul></ul>",
        );
        assert_eq!(
            places(&all),
            [("/a", Some("One"), 2), ("/b", Some("OneA"), 2), ("/c", Some("OneAB two"), 2)]
        );
        let (first, second) = (all[0].group.clone().unwrap(), all[1].group.clone().unwrap());
        assert!(!std::sync::Arc::ptr_eq(&first, &second));
    }
}
