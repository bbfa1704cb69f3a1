//! The way to a page as the page tells it: breadcrumbs, in its markup or in its structured data.

use std::ops::Range;

use memchr::memchr2_iter;
use serde_json::Value;

use super::Crumb;
use super::fold::{fold, head_of};
use super::resolve::Resolver;
use super::survey::Survey;
use super::tokenizer::Attribute;
use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};
use crate::url::SiteUrl;

/// Steps of a way; further ones are left out.
const MAX_CRUMBS: usize = 12;
/// Bytes of a step's text.
const MAX_TEXT: usize = 160;
/// Elements of a page that say they are breadcrumbs and are looked at.
const MAX_TRAILS: usize = 4;
/// Nodes of one of them.
const MAX_NODES: NodeId = 400;
/// What names breadcrumbs, in a class, in an id, in a label, in schema.org's terms.
const NAME: &str = "breadcrumb";

/// The breadcrumbs of a page and the nodes that show them.
pub(super) fn read<'a>(
    tree: &Tree<'a>,
    survey: &Survey,
    resolver: &mut Resolver<'a>,
) -> (Vec<Crumb>, Range<NodeId>) {
    // Most pages have none.
    let mut node = if tree.has_attribute(is_name) { 1 } else { tree.len() };
    let mut tried = 0;
    while node < tree.len() && tried < MAX_TRAILS && tree.spend(1) {
        let end = tree.node(node).end;
        if is_marked(tree, node) && end - node <= MAX_NODES {
            let crumbs = steps(tree, survey, resolver, node);
            if !crumbs.is_empty() {
                return (crumbs, node..end);
            }
            tried += 1;
            node = end;
        } else {
            node += 1;
        }
    }
    (Vec::new(), 0..0)
}

fn is_marked(tree: &Tree<'_>, node: NodeId) -> bool {
    if matches!(tree.tag(node), Tag::Text | Tag::Html | Tag::Body | Tag::Script | Tag::Style | Tag::Svg) {
        return false;
    }
    tree.attributes(node).iter().any(is_name)
}

/// Whether an attribute names breadcrumbs.
fn is_name(attribute: &Attribute<'_>) -> bool {
    if attribute.value.len() < NAME.len()
        || !matches!(attribute.name, Name::Class | Name::Id | Name::AriaLabel | Name::Itemtype)
    {
        return false;
    }
    let value = head_of(attribute.value, MAX_TEXT).as_bytes();
    let mut starts = memchr2_iter(b'b', b'B', value).filter_map(|at| value.get(at..at + NAME.len()));
    starts.any(|part| part.eq_ignore_ascii_case(NAME.as_bytes()))
}

/// The entries of a list if there is one, else the links and the texts between them.
fn steps<'a>(tree: &Tree<'a>, survey: &Survey, resolver: &mut Resolver<'a>, root: NodeId) -> Vec<Crumb> {
    let has_items = tree.descendants(root).any(|n| tree.tag(n) == Tag::Li);
    let mut crumbs = Vec::new();
    let mut node = root;
    while node < tree.node(root).end && crumbs.len() < MAX_CRUMBS && tree.spend(1) {
        let tag = tree.tag(node);
        let is_step = if has_items { tag == Tag::Li } else { matches!(tag, Tag::A | Tag::Text) };
        if tag.is_wordless() {
            node = tree.node(node).end;
            continue;
        }
        if !is_step {
            node += 1;
            continue;
        }
        let link = (node..tree.node(node).end).find(|&n| tree.tag(n) == Tag::A);
        // Tools of the page, such as one that shows its source, are no step of it.
        let is_tool =
            link.and_then(|n| tree.raw_attribute(n, Name::Rel)).is_some_and(|rel| rel.contains("nofollow"));
        let href = link.and_then(|n| tree.raw_attribute(n, Name::Href)).filter(|href| !href.starts_with('#'));
        let url = href.and_then(|href| resolver.resolve(href).cloned());
        let text = match tag {
            Tag::Text => fold(&tree.text_up_to(node, MAX_TEXT)),
            _ => link.map_or_else(
                || tree.folded_text(node, MAX_TEXT),
                |link| super::lists::link_label(tree, survey, link).text,
            ),
        };
        crumbs.extend(crumb(&text, url).filter(|_| !is_tool));
        node = tree.node(node).end;
    }
    crumbs
}

/// A step, without the signs that stand between steps.
fn crumb(text: &str, url: Option<SiteUrl>) -> Option<Crumb> {
    let is_sign = |c: char| {
        c.is_whitespace()
            || matches!(c, '/' | '\\' | '»' | '›' | '>' | '→' | '|' | '·' | '•' | ':' | '▸' | '▶')
    };
    let text = head_of(text.trim_matches(is_sign), MAX_TEXT);
    let says_something = text.contains(char::is_alphanumeric);
    // A house stands for the home page.
    (says_something || url.is_some()).then(|| Crumb { text: text.to_owned(), url })
}

/// The first way that structured data tells, as schema.org's `BreadcrumbList` has it.
pub(super) fn of_data(values: &[Value], base: &SiteUrl) -> Vec<Crumb> {
    let Some(items) = values.iter().find_map(|value| list(value, 0)) else { return Vec::new() };
    let position = |item: &Value| match item.get("position") {
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(number) => number.as_u64(),
        None => None,
    };
    let mut items: Vec<&Value> = items.iter().take(MAX_CRUMBS).collect();
    items.sort_by_key(|item| position(item));
    let step = |item: &&Value| {
        let inner = item.get("item");
        let name = item.get("name").or_else(|| inner?.get("name")).and_then(Value::as_str)?;
        let address = inner.and_then(|inner| inner.as_str().or_else(|| inner.get("@id")?.as_str()));
        let url = address.and_then(|address| base.join(address).ok());
        // Some generators write HTML into it.
        crumb(&fold(&htmlize::unescape(head_of(name, 2 * MAX_TEXT))), url)
    };
    items.iter().filter_map(step).collect()
}

/// How deep a list may stand in its script.
const MAX_DEPTH: u8 = 4;

fn list(value: &Value, depth: u8) -> Option<&Vec<Value>> {
    match value {
        Value::Array(values) if depth < MAX_DEPTH => values.iter().find_map(|value| list(value, depth + 1)),
        Value::Object(node) => {
            let is_list = node
                .get("@type")
                .is_some_and(|kind| kind.as_str().is_some_and(|kind| kind.ends_with("BreadcrumbList")));
            if is_list {
                return node.get("itemListElement")?.as_array();
            }
            let inner = ["@graph", NAME, "mainEntity"].into_iter().filter_map(|key| node.get(key));
            inner.filter(|_| depth < MAX_DEPTH).find_map(|value| list(value, depth + 1))
        }
        _ => None,
    }
}

/// Leaves out the page itself, which most ways end with, whatever stands behind it (a link to its source) or leads to
/// another site, and the same step twice.
pub(super) fn without_self(mut crumbs: Vec<Crumb>, own: &SiteUrl, names: &[&str]) -> Vec<Crumb> {
    crumbs.retain(|crumb| crumb.url.as_ref().is_none_or(|url| url.host() == own.host()));
    crumbs.dedup_by(|b, a| a.text == b.text);
    let is_own_name = |crumb: &Crumb| {
        crumb.url.is_none() && names.iter().any(|name| name.eq_ignore_ascii_case(&crumb.text))
    };
    if let Some(at) = crumbs.iter().position(is_own_name) {
        crumbs.truncate(at);
    }
    let is_self = |last: &Crumb| {
        let text = last.text.to_lowercase();
        last.url.as_ref() == Some(own)
            || !text.is_empty()
                && last.url.is_none()
                && names.iter().any(|name| name.to_lowercase().contains(&text))
    };
    if crumbs.last().is_some_and(is_self) {
        crumbs.pop();
    }
    crumbs
}

#[cfg(test)]
mod tests {
    use crate::page::{PageSource, read_html};
    use crate::url::SiteUrl;
    use crate::work::Work;

    fn crumbs(html: &str) -> Vec<(String, Option<String>)> {
        let url = SiteUrl::parse("https://example.com/docs/kiln").unwrap();
        let html = format!("<title>Kiln</title><body>{html}<main><h1>Kiln</h1><p>What it is.</main>");
        let source = PageSource { url: &url, body: html.as_bytes(), content_type: None, x_robots_tag: None };
        let page = read_html(&source, &Work::unbounded()).unwrap();
        page.crumbs.into_iter().map(|c| (c.text, c.url.map(|url| url.path().to_owned()))).collect()
    }

    #[test]
    fn breadcrumbs_are_read_in_every_markup() {
        let expected = [("Home", Some("/")), ("Ovens", None), ("Big", Some("/big"))];
        let expected = expected.map(|(text, url)| (text.to_owned(), url.map(str::to_owned)));
        for html in [
            "<ol class=breadcrumb><li><a href=/>Home</a><li>Ovens<li><a href=/big>Big</a><li class=active>Kiln</ol>",
            "<nav aria-label=Breadcrumbs><a href=/>Home</a> / Ovens / <a href=/big>Big</a> » Kiln</nav>",
            "<div class='site-breadcrumbs'><span><a href=/>Home</a></span> <span>Ovens</span> <span><a href=/big>Big</a></span></div>",
            "<ul itemscope itemtype='https://schema.org/BreadcrumbList'><li><a href=/><span itemprop=name>Home</span></a>\
             <li><span itemprop=name>Ovens</span><li><a href=/big>Big</a></ul>",
            r#"<script type="application/ld+json">{"@graph":[{"@type":"BreadcrumbList","itemListElement":[
               {"position":3,"name":"B&#105;g","item":"https://example.com/big"},{"position":1,"item":{"@id":"/","name":"Home"}},
               {"position":"2","name":"Ovens"},{"position":4,"name":"Kiln","item":"https://example.com/docs/kiln"}]}]}</script>"#,
        ] {
            assert_eq!(crumbs(html), expected, "{html}");
        }
    }

    #[test]
    fn breadcrumbs_end_at_the_page_itself() {
        let home = [("Home".to_owned(), Some("/".to_owned()))];
        for html in [
            "<ul class=breadcrumb><li><a href=/>Home</a><li>Kiln<li><a href=/_sources/kiln.txt>View page source</a></ul>",
            "<ul class=breadcrumb><li><a href=/>Home</a><li><a rel=nofollow href=/_sources/kiln.txt>PageSource</a></ul>",
            "<ul class=breadcrumb><li><a href=/>Home</a><li><a href=https://git.example.org/kiln>Edit</a></ul>",
        ] {
            assert_eq!(crumbs(html), home, "{html}");
        }
    }

    #[test]
    fn other_lists_are_no_breadcrumbs() {
        assert_eq!(crumbs("<div class=breadcrumb></div><p>Ovens / Big"), []);
        assert_eq!(
            crumbs(
                r#"<script type="application/ld+json">{"@type":"BreadcrumbList","itemListElement":7}</script>"#
            ),
            []
        );
    }
}
