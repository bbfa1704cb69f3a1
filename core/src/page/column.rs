//! The column of a page that holds the text of an article, where the others show the headlines of many.

use super::marks::Marks;
use super::shown::MAX_TITLE;
use super::survey::Survey;
use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};

/// Bytes of running text that make the text of an article.
pub(super) const MIN_RUNNING: f32 = 600.0;
/// Share of the running text that its column holds, at least.
pub(super) const MOST_RUNNING: f32 = 0.7;
/// Share of the text beside the column that is links, at least.
const LINKS_BESIDE: f32 = 0.3;
/// How much text that is no links may stand beside it, as a share of its running text.
const PROSE_BESIDE: f32 = 0.8;
/// Links with pictures in one part beside it, from which on they are the goods of a list that the text is about.
const MAX_CARDS: usize = 25;
/// Share of the other parts below a title, as one of the column, from which on they are no small things.
const BESIDE_TITLE: f32 = 0.1;
/// Share of the column's text that may stand between it and its headline.
const BETWEEN: f32 = 0.3;
/// Bytes of a headline, at least.
const MIN_HEADLINE: usize = 20;

/// The child of a node whose running text is nearly all that there is, below or beside the headline of the page. Below a title, as
/// `titled` says, the others have to be more than a few words.
pub(super) fn column<'h>(
    tree: &Tree<'_>,
    survey: &Survey,
    headlines: impl FnOnce() -> &'h [NodeId],
    node: NodeId,
    parts: impl Iterator<Item = NodeId>,
    titled: bool,
) -> Option<NodeId> {
    if survey.running(node) < MIN_RUNNING {
        return None;
    }
    let most = parts.max_by(|&a, &b| survey.running(a).total_cmp(&survey.running(b)))?;
    let running = survey.running(most);
    let beside = || tree.children(node).filter(|&c| c != most && tree.tag(c) != Tag::H1);
    let (mut all, mut prose) = (0.0, 0.0);
    for part in beside() {
        all += survey.all(part);
        prose += survey.prose(part);
    }
    let is_article = running >= MIN_RUNNING
        && running > MOST_RUNNING * survey.running(node)
        && all - prose > LINKS_BESIDE * all
        && prose <= PROSE_BESIDE * running
        && (!titled || all > BESIDE_TITLE * survey.all(most));
    let has_picture = |link: NodeId| tree.descendants(link).any(|n| tree.spend(1) && tree.tag(n) == Tag::Img);
    let shows_goods = |part: NodeId| {
        let links = survey.related_in(tree, part).iter().copied().filter(|&n| tree.tag(n) == Tag::A);
        links.filter(|&link| has_picture(link)).nth(MAX_CARDS - 1).is_some()
    };
    (is_article
        && is_below(tree, survey, headlines(), most)
        && !beside().any(|part| shows_goods(part) || is_alike(tree, survey, part, most)))
    .then_some(most)
}

/// Where a page shows what its `title` says, or its first-level headings where it does not.
pub(super) fn headlines(tree: &Tree<'_>, survey: &Survey) -> Vec<NodeId> {
    let title = title_words(tree);
    let body = tree.all(Tag::Body).next().unwrap_or(0);
    let is_short = |&node: &NodeId| survey.bytes(node) <= MAX_TITLE;
    let texts = shown_texts(tree, survey, body, tree.len()).filter(is_short);
    let places: Vec<NodeId> = texts.filter(|&node| says(&title, &tree.text(node))).collect();
    if places.is_empty() { survey.titles.clone() } else { places }
}

/// The words of the page's `title`.
pub(super) fn title_words(tree: &Tree<'_>) -> String {
    tree.all(Tag::Title).next().map(|n| words(&tree.folded_text(n, MAX_TITLE))).unwrap_or_default()
}

/// Whether a text says a title, of which another part may be the name of the site.
pub(super) fn says(title: &str, text: &str) -> bool {
    let is_long = |said: &String| said.len() >= MIN_HEADLINE && said.len() * 2 >= title.len();
    text.len() >= MIN_HEADLINE && Some(words(text)).filter(is_long).is_some_and(|said| title.contains(&said))
}

fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Whether a headline stands in a node, or before it with little between the two; a page without any says nothing of it.
fn is_below(tree: &Tree<'_>, survey: &Survey, headlines: &[NodeId], node: NodeId) -> bool {
    let next = headlines.partition_point(|&place| place < node);
    let most = BETWEEN * survey.all(node);
    let is_near = |place: NodeId| {
        let mut between = 0.0;
        let mut texts = shown_texts(tree, survey, tree.node(place).end, node);
        texts.all(|text| {
            between += survey.all(text);
            between < most
        })
    };
    headlines.is_empty()
        || headlines.get(next).is_some_and(|&place| place < tree.node(node).end)
        || next.checked_sub(1).is_some_and(|last| is_near(headlines[last]))
}

/// The texts that a page shows between two nodes.
fn shown_texts<'t>(
    tree: &'t Tree<'_>,
    survey: &'t Survey,
    from: NodeId,
    to: NodeId,
) -> impl Iterator<Item = NodeId> + 't {
    let step = move |node: NodeId| {
        let is_hidden = tree.tag(node).is_unseen() || survey.marks(node).any(Marks::HIDDEN);
        if is_hidden { tree.node(node).end } else { node + 1 }
    };
    let inside = move |&node: &NodeId| node < to && tree.spend(1);
    let nodes =
        std::iter::successors(Some(from).filter(inside), move |&node| Some(step(node)).filter(inside));
    nodes.filter(|&node| tree.tag(node) == Tag::Text)
}

/// Whether a part of a page is made as another one is, with a heading of its own.
pub(super) fn is_alike(tree: &Tree<'_>, survey: &Survey, part: NodeId, other: NodeId) -> bool {
    let class = |n| tree.raw_attribute(n, Name::Class);
    tree.tag(part) == tree.tag(other)
        && class(part).is_some()
        && class(part) == class(other)
        && survey.holds_heading(tree, part)
}
