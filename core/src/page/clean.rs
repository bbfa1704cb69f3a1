//! Which nodes of a page are its main content.

use super::fold::is_space;
use super::marks::{self, Marks};
use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};

/// Share of the text that one child must hold for the search to go down into it.
const DOMINANT: f32 = 0.8;

/// Share of a page's text that makes an element a wrapper of the page.
const WRAPPER: f32 = 0.6;
/// Share of its text that a choice of content must keep when what looks like chrome is gone.
const KEPT: f32 = 0.2;
/// Bytes of a title that are compared.
const MAX_TITLE: usize = 300;
/// Generators of documentation, as they name themselves in `meta name=generator`.
const GENERATORS: &[&str] = &[
    "antora",
    "asciidoc",
    "bookdown",
    "docbook",
    "docfx",
    "docusaurus",
    "docutils",
    "doxygen",
    "gitbook",
    "groff",
    "haddock",
    "javadoc",
    "jsdoc",
    "makeinfo",
    "mandoc",
    "mdbook",
    "mkdocs",
    "pandoc",
    "quarto",
    "rustdoc",
    "sphinx",
    "starlight",
    "texinfo",
    "typedoc",
    "vitepress",
    "vuepress",
    "zensical",
];
/// Nodes of a page's table of contents, at most.
const MAX_PAGE_CONTENTS: usize = 2_000;
/// Nodes inside a permalink, at most.
const MAX_PERMALINK: usize = 8;

/// What is known about every node of a page, gathered once.
pub(super) struct Survey {
    marks: Vec<Marks>,
    /// Bytes of shown text inside, links not counted.
    text: Vec<u32>,
    /// Bytes of shown text inside links.
    links: Vec<u32>,
    /// First-level headings, in order.
    titles: Vec<NodeId>,
}

impl Survey {
    /// Looks at every node once, downwards and once more upwards.
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        let size = tree.len() as usize;
        let mut survey = Self {
            marks: vec![Marks::default(); size],
            text: vec![0; size],
            links: vec![0; size],
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
        for node in (1..tree.len()).rev() {
            let at = node as usize;
            if is_unseen(tree.tag(node)) || survey.marks[at].any(Marks::HIDDEN) {
                survey.text[at] = 0;
                survey.links[at] = 0;
            } else if !survey.marks[at].any(Marks::NAVIGATION.with(Marks::MARGIN).with(Marks::CHROME)) {
                let parent = tree.node(node).parent as usize;
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
        for (marks, &bytes) in self.marks.iter_mut().zip(&sizes) {
            if size(bytes) > most {
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
    fn prose(&self, node: NodeId) -> f32 {
        size(self.text[node as usize])
    }

    /// Bytes of shown text inside.
    pub(super) fn all(&self, node: NodeId) -> f32 {
        self.prose(node) + size(self.links[node as usize])
    }

    /// The same as a whole number.
    pub(super) fn bytes(&self, node: NodeId) -> usize {
        (self.text[node as usize] as usize).saturating_add(self.links[node as usize] as usize)
    }

    fn holds_title(&self, tree: &Tree<'_>, node: NodeId) -> bool {
        let next = self.titles.partition_point(|&title| title < node);
        self.titles.get(next).is_some_and(|&title| title < tree.node(node).end)
    }

    fn link_share(&self, node: NodeId) -> f32 {
        size(self.links[node as usize]) / self.all(node).max(1.0)
    }
}

/// Sizes are only compared as shares of each other: 16 bits of them are enough.
fn size(bytes: u32) -> f32 {
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

/// The main content of a page.
pub(super) struct Content {
    /// In document order, none inside another.
    pub(super) roots: Vec<NodeId>,
    /// By node: it and what it holds is left out.
    pub(super) left_out: Vec<bool>,
}

impl Content {
    /// Whether a node lies in the main content (left out or not).
    pub(super) fn holds(&self, tree: &Tree<'_>, node: NodeId) -> bool {
        self.roots.iter().any(|&root| root <= node && node < tree.node(root).end)
    }
}

/// Finds the main content.
pub(super) fn content(tree: &Tree<'_>, survey: &Survey) -> Content {
    let body = (1..tree.len()).find(|&n| tree.tag(n) == Tag::Body).unwrap_or(0);
    let (root, known) = root(tree, survey, body);
    let mut left_out = vec![false; tree.len() as usize];
    let mut roots = vec![root];
    if let Some(title) = outer_title(tree, survey, body, root) {
        roots.insert(0, title);
    }
    for &root in &roots {
        leave_out(tree, survey, root, known, &mut left_out);
    }
    if !known && kept(tree, &roots, &left_out) < KEPT * survey.all(root) {
        left_out.fill(false);
        for &root in &roots {
            leave_out(tree, survey, root, true, &mut left_out);
        }
    }
    Content { roots, left_out }
}

/// Bytes of text that stay.
fn kept(tree: &Tree<'_>, roots: &[NodeId], left_out: &[bool]) -> f32 {
    let mut bytes = 0;
    for &root in roots {
        let mut node = root;
        while node < tree.node(root).end {
            if left_out[node as usize] {
                node = tree.node(node).end;
                continue;
            }
            if tree.tag(node) == Tag::Text {
                bytes += tree.raw_text(node).trim_matches(is_space).len();
            }
            node += 1;
        }
    }
    size(u32::try_from(bytes).unwrap_or(u32::MAX))
}

/// The node that holds the content, and whether the page says so itself.
fn root(tree: &Tree<'_>, survey: &Survey, body: NodeId) -> (NodeId, bool) {
    let shown = outermost(tree, survey, body, |n| tree.tag(n) == Tag::Main || has_role(tree, n, "main"));
    let main = shown.iter().copied().max_by(|&a, &b| survey.all(a).total_cmp(&survey.all(b)));
    let main = main.filter(|&m| survey.all(m) > 0.15 * survey.all(body));
    let scope = main.unwrap_or(body);
    let known = outermost(tree, survey, scope, |n| survey.marks(n).any(Marks::CONTENT));
    if let [only] = known[..]
        && (survey.prose(only) > 0.4 * survey.prose(scope) || survey.all(only) > 0.6 * survey.all(scope))
    {
        return (only, true);
    }
    let articles = outermost(tree, survey, scope, |n| tree.tag(n) == Tag::Article);
    if let [only] = articles[..]
        && survey.prose(only) > 0.6 * survey.prose(scope)
    {
        return (only, true);
    }
    if is_documentation(tree) {
        return (scope, true);
    }
    (dominant(tree, survey, scope), main.is_some())
}

/// Whether a generator of documentation made the page: what it calls content is not second-guessed.
fn is_documentation(tree: &Tree<'_>) -> bool {
    (1..tree.len()).take_while(|&n| tree.tag(n) != Tag::Body).any(|n| {
        let named = |name| tree.raw_attribute(n, name).unwrap_or_default().to_ascii_lowercase();
        tree.tag(n) == Tag::Meta && named(Name::MetaKey) == "generator" && {
            let content = named(Name::Content);
            GENERATORS.iter().any(|generator| content.contains(generator))
        }
    })
}

fn has_role(tree: &Tree<'_>, node: NodeId, role: &str) -> bool {
    tree.raw_attribute(node, Name::Role).is_some_and(|r| r.eq_ignore_ascii_case(role))
}

/// The shown elements inside `scope` that `wanted` accepts and that no other such element encloses.
fn outermost(
    tree: &Tree<'_>,
    survey: &Survey,
    scope: NodeId,
    wanted: impl Fn(NodeId) -> bool,
) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut node = scope + 1;
    while node < tree.node(scope).end {
        let marks = survey.marks(node);
        let beside = marks.any(Marks::HIDDEN.with(Marks::NAVIGATION).with(Marks::MARGIN));
        if beside || is_unseen(tree.tag(node)) {
            node = tree.node(node).end;
        } else if tree.tag(node) != Tag::Text && wanted(node) {
            found.push(node);
            node = tree.node(node).end;
        } else {
            node += 1;
        }
    }
    found
}

/// Goes down as long as one child holds nearly all of the prose.
fn dominant(tree: &Tree<'_>, survey: &Survey, scope: NodeId) -> NodeId {
    let mut node = scope;
    loop {
        // A heading beside its sections belongs to them.
        if tree.children(node).any(|c| tree.tag(c) == Tag::H1) {
            return node;
        }
        let next = tree
            .children(node)
            .filter(|&c| tree.tag(c).is_block() || tree.tag(c) == Tag::Other)
            .filter(|&c| !survey.marks(c).any(Marks::COMMENTS))
            .find(|&c| survey.prose(c) > DOMINANT * survey.prose(node));
        match next {
            Some(child) if !is_leaf(tree.tag(child)) => node = child,
            _ => return node,
        }
    }
}

/// Elements that mean something themselves: the search for a container ends before them.
fn is_leaf(tag: Tag) -> bool {
    tag.heading_level().is_some()
        || matches!(
            tag,
            Tag::P
                | Tag::Pre
                | Tag::Table
                | Tag::Ul
                | Tag::Ol
                | Tag::Dl
                | Tag::Blockquote
                | Tag::Figure
                | Tag::Details
        )
}

/// The page's title where it stands outside of the content.
fn outer_title(tree: &Tree<'_>, survey: &Survey, body: NodeId, root: NodeId) -> Option<NodeId> {
    let inside = outermost(tree, survey, root, |n| tree.tag(n) == Tag::H1);
    if !inside.is_empty() || tree.tag(root) == Tag::H1 {
        return None;
    }
    let before = survey.titles.partition_point(|&title| title < root);
    let title = survey.titles.get(before.checked_sub(1)?).copied().filter(|&title| title > body)?;
    let beside = Marks::HIDDEN.with(Marks::NAVIGATION).with(Marks::MARGIN).with(Marks::CHROME);
    if tree.ancestors(title).any(|a| survey.marks(a).any(beside)) || survey.marks(title).any(beside) {
        return None;
    }
    // A page title that ends in the heading has it for the name of the site.
    let name = tree.folded_text(title, MAX_TITLE).to_lowercase();
    let full = (1..title)
        .find(|&n| tree.tag(n) == Tag::Title)
        .map(|n| tree.folded_text(n, MAX_TITLE).to_lowercase());
    if full.is_some_and(|full| full.len() > name.len() && full.ends_with(&name)) {
        return None;
    }
    // What stands with the title (a subtitle, a summary) comes along when it is text.
    let whole = tree.ancestors(title).take_while(|&a| tree.node(a).end <= root).last();
    whole.filter(|&w| survey.link_share(w) < 0.3 && survey.all(w) < 0.3 * survey.all(root)).or(Some(title))
}

/// Marks what has to go inside `root`.
fn leave_out(tree: &Tree<'_>, survey: &Survey, root: NodeId, known: bool, left_out: &mut [bool]) {
    let total = survey.all(root);
    let wordy = survey.link_share(root) < 0.5;
    let mut heading = root;
    let mut node = root + 1;
    while node < tree.node(root).end {
        let tag = tree.tag(node);
        if tag == Tag::Text {
            node += 1;
            continue;
        }
        if tag.heading_level().is_some() || matches!(tag, Tag::Dt | Tag::Summary) {
            heading = node;
        }
        let in_heading = heading != root && node < tree.node(heading).end;
        // The heading of a folded section may be a button as a whole.
        let names_section = in_heading && tag == Tag::Button && survey.all(heading) < 1.0;
        let is_content = names_section || (heading != root && lists_other_pages(tree, node));
        if (!is_content && goes(tree, survey, node))
            || (!in_heading && suspicious(tree, survey, node, total, wordy, known))
        {
            left_out[node as usize] = true;
            node = tree.node(node).end;
        } else {
            node += 1;
        }
    }
}

/// What is never content.
fn goes(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let tag = tree.tag(node);
    let marks = survey.marks(node);
    if is_unseen(tag) {
        return true;
    }
    if marks.any(Marks::HIDDEN) {
        return tag != Tag::Math;
    }
    if tag == Tag::Footer && tree.ancestors(node).take(2).any(|a| tree.tag(a) == Tag::Blockquote) {
        return false;
    }
    marks.any(Marks::NAVIGATION.with(Marks::MARGIN).with(Marks::CHROME))
        || is_permalink(tree, node)
        || is_page_contents(tree, survey, node)
}

/// A block of nothing but links to places of the same page: its table of contents.
fn is_page_contents(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let block = matches!(tree.tag(node), Tag::Div | Tag::P | Tag::Ul | Tag::Ol | Tag::Section);
    if !block || survey.link_share(node) < 0.8 || tree.descendants(node).len() > MAX_PAGE_CONTENTS {
        return false;
    }
    let mut links = 0;
    let inside = tree.descendants(node).all(|n| {
        let href = tree.raw_attribute(n, Name::Href).filter(|_| tree.tag(n) == Tag::A);
        links += usize::from(href.is_some());
        href.is_none_or(|h| h.starts_with('#')) && !matches!(tree.tag(n), Tag::Pre | Tag::Img | Tag::Table)
    });
    inside && links > 1
}

/// A table of contents below a heading that leads to other pages: what a chapter's or a book's first page
/// consists of. Sidebars of the whole site stand before the first heading.
fn lists_other_pages(tree: &Tree<'_>, node: NodeId) -> bool {
    let class = tree.raw_attribute(node, Name::Class).unwrap_or_default();
    let named = class.split_ascii_whitespace().any(|c| matches!(c, "toc" | "table-of-contents" | "TOC"));
    if !named || tree.descendants(node).len() > MAX_PAGE_CONTENTS {
        return false;
    }
    let hrefs = tree.descendants(node).filter(|&n| tree.tag(n) == Tag::A);
    let hrefs = hrefs.filter_map(|n| tree.raw_attribute(n, Name::Href)?.split('#').next());
    let (mut links, mut pages) = (0, std::collections::HashSet::new());
    for page in hrefs {
        links += 1;
        pages.insert(page);
    }
    pages.len() > 1 && pages.len() * 2 > links
}

/// A link to a place of the same page whose text is only a sign.
fn is_permalink(tree: &Tree<'_>, node: NodeId) -> bool {
    if tree.tag(node) != Tag::A || tree.descendants(node).len() > MAX_PERMALINK {
        return false;
    }
    let inside = tree
        .raw_attribute(node, Name::Href)
        .is_some_and(|href| href.starts_with('#') || href.contains(".html#"));
    let mut signs = 0;
    inside
        && tree.descendants(node).all(|n| match tree.tag(n) {
            Tag::Text => tree.text(n).chars().all(|c| {
                signs += usize::from(!c.is_whitespace());
                !c.is_alphanumeric() && signs <= 2
            }),
            Tag::Img => false,
            _ => true,
        })
        && tree.raw_attribute(node, Name::Id).is_none_or(|_| signs > 0)
}

/// Whether an element whose name or links make it look like chrome is so.
fn suspicious(tree: &Tree<'_>, survey: &Survey, node: NodeId, total: f32, wordy: bool, known: bool) -> bool {
    let tag = tree.tag(node);
    let all = survey.all(node);
    let share = all / total.max(1.0);
    if survey.marks(node).any(Marks::COMMENTS) && node > tree.len() / 8 && total - all > 250.0 {
        return true;
    }
    if survey.marks(node).any(Marks::SUSPECT) && share < 0.3 {
        return !survey.holds_title(tree, node) && (survey.link_share(node) > 0.3 || share < 0.1);
    }
    let menu_like = matches!(tag, Tag::Ul | Tag::Ol | Tag::Div | Tag::Section);
    !known
        && wordy
        && menu_like
        && share < 0.3
        && all > 0.0
        && survey.link_share(node) > 0.8
        && survey.prose(node) < 200.0
}
