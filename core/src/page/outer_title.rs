//! The page's title where it stands outside of the main content, and what stands between the two.

use super::column::{says, title_words};
use super::marks::Marks;
use super::resolve::Resolver;
use super::shown::{MAX_EMPTY, MAX_TITLE, MENU_LINKS, is_lead, is_text, outermost};
use super::survey::Survey;
use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};
use crate::url::SiteUrl;

/// Share of the content that a text above it which sums it up has, at most.
const LEAD: f32 = 0.3;
/// Share of the text that stands with a title which its links have, at most.
const TITLE_LINKS: f32 = 0.3;

/// Short texts between a title and the content that sum it up.
pub(super) fn leads(tree: &Tree<'_>, survey: &Survey, title: NodeId, root: NodeId) -> Vec<NodeId> {
    let beside = tree.node(root).parent;
    let is_any = |tag| matches!(tag, Tag::Div | Tag::H2 | Tag::Header | Tag::Section);
    let mut leads = Vec::new();
    let mut node = tree.node(title).end;
    while node < root && tree.spend(1) {
        let (tag, end) = (tree.tag(node), tree.node(node).end);
        let most_links = if tag == Tag::P { TITLE_LINKS } else { 0.1 };
        let is_short = survey.all(node) < LEAD * survey.all(root);
        if end > root {
            node += 1;
        } else if !is_text(survey, node) || survey.marks(node).any(Marks::CREDITS) {
            node = end;
        } else if (tag == Tag::P || is_any(tag) && tree.node(node).parent == beside)
            && is_short
            && survey.link_share(node) < most_links
            && is_lead(tree, survey, node)
        {
            leads.push(node);
            node = end;
        } else {
            node += 1;
        }
    }
    leads
}

/// Whether a heading only leads from another page to the first one of its site, as the banner of the site does.
pub(super) fn is_banner<'a>(
    tree: &Tree<'a>,
    survey: &Survey,
    own: &SiteUrl,
    resolver: &mut Resolver<'a>,
    heading: NodeId,
) -> bool {
    let mut target = |link| resolver.resolve(tree.raw_attribute(link, Name::Href)?).cloned();
    let link = tree.descendants(heading).take(MAX_EMPTY).find(|&n| tree.tag(n) == Tag::A);
    let leads =
        link.filter(|_| survey.link_share(heading) > MENU_LINKS).and_then(|link| Some((link, target(link)?)));
    let Some((link, home)) = leads else { return false };
    let is_root = home.key().place() == home.host().trim_start_matches("www.")
        && home.domain_or_host() == own.domain_or_host();
    let says_home = |&n: &NodeId| {
        let rel = tree.raw_attribute(n, Name::Rel).unwrap_or_default();
        rel.split_ascii_whitespace().any(|rel| matches!(rel, "home" | "start" | "top"))
    };
    let is_home = |url: SiteUrl| url.key() == home.key();
    home.key().place() != own.key().place()
        && (is_root
            || tree.all(Tag::Link).chain([link]).filter(says_home).any(|n| target(n).is_some_and(is_home)))
}

/// The heading that the content stands right below.
fn heading_above(tree: &Tree<'_>, survey: &Survey, root: NodeId) -> Option<NodeId> {
    let before = |node| std::iter::successors(tree.previous(node), |&n| tree.previous(n));
    let mut above = std::iter::once(root).chain(tree.ancestors(root));
    let above = above.find_map(|node| before(node).take(MAX_EMPTY).find(|&n| survey.bytes(n) > 0))?;
    tree.tag(above).heading_level().map(|_| above)
}

/// The last heading before the content, of whatever level, that says what the page is called.
fn titled_heading(tree: &Tree<'_>, survey: &Survey, root: NodeId) -> Option<NodeId> {
    let title = title_words(tree);
    let says_title = |n: NodeId| says(&title, &tree.folded_text(n, MAX_TITLE));
    survey.headings_before(root).find(|&n| says_title(n))
}

/// The page's title where it stands outside of the content, unless that is the banner of the site.
pub(super) fn outer_title(
    tree: &Tree<'_>,
    survey: &Survey,
    body: NodeId,
    root: NodeId,
    mut is_banner: impl FnMut(NodeId) -> bool,
) -> Option<NodeId> {
    let title = match outermost(tree, survey, root, &survey.titles).len() {
        0 if tree.tag(root) != Tag::H1 => survey
            .title_before(root)
            .filter(|&title| !is_banner(title))
            .or_else(|| titled_heading(tree, survey, root))
            // One of a lower level behind another heading is that of a part.
            .or_else(|| {
                let is_first = |heading| survey.headings_before(heading).next().is_none();
                heading_above(tree, survey, root).filter(|&above| is_first(above) && !is_banner(above))
            })?,
        0 | 1 => return None,
        // Those are the headings of its parts.
        _ => heading_above(tree, survey, root)?,
    };
    if title <= body {
        return None;
    }
    let beside = Marks::HIDDEN.with(Marks::NAVIGATION).with(Marks::MARGIN).with(Marks::CHROME);
    if tree.ancestors(title).any(|a| survey.marks(a).any(beside)) || survey.marks(title).any(beside) {
        return None;
    }
    // A page title that ends in the heading has it for the name of the site, unless what is before it heads nothing.
    let said = |node| tree.folded_text(node, MAX_TITLE).to_lowercase();
    let full = tree.all(Tag::Title).next().filter(|&n| n < title).map(said);
    let front = full.as_deref().and_then(|full| full.strip_suffix(&said(title)));
    let opening = survey.first_heading(tree, root).map(said);
    let is_said = |front: &str| {
        let front = front.trim_matches(|c: char| !c.is_alphanumeric());
        !front.is_empty() && opening.is_none_or(|opening| opening.contains(front))
    };
    if tree.tag(title) == Tag::H1 && front.is_some_and(is_said) {
        return None;
    }
    // What stands with the title (a subtitle, a summary) comes along when it is text; above the entries of a reference that
    // may be most of the page's paragraphs.
    let whole = tree.ancestors(title).take_while(|&a| tree.node(a).end <= root).last();
    let is_beside = |w| {
        let is_introduction = survey.link_share(w) < 0.1 && survey.paragraphs(w) > 0.0;
        let share = if is_introduction { 1.0 } else { 0.3 };
        survey.all(w) < share * survey.all(root) || survey.paragraphs(w) > survey.paragraphs(root)
    };
    whole.filter(|&w| survey.link_share(w) < TITLE_LINKS && is_beside(w)).or(Some(title))
}
