//! What a page's structured data (JSON-LD) says of the page itself.
//!
//! Beside it there stand nodes of its publisher, of the site, of the way there and of the parts of all of these. The
//! page's own node stands for itself, at the top or in a graph, and names the page's address or, of a kind that is a page or
//! the matter of one, none.

use serde_json::{Map, Value};

use super::fold::{fold, head_of};
use super::tree::{NodeId, Tree};
use super::{Crumb, crumbs};
use crate::phrases::list;
use crate::url::SiteUrl;

/// Scripts of structured data that are looked at.
pub(super) const MAX_SCRIPTS: usize = 8;
/// Bytes of a script; a longer one is a catalogue of something, and is left out.
const MAX_SCRIPT: usize = 256 << 10;
/// Bytes of a value; the rest is left out.
const MAX_VALUE: usize = 2_400;
const DESCRIPTION: &str = "description";
const PUBLISHED: &str = "datePublished";
const MODIFIED: &str = "dateModified";
const BREADCRUMBS: &str = "BreadcrumbList";
/// How schema.org's names end of what a page is or is about.
const PAGES: &[&str] = list! {
    "Page" "Article" "Posting" "Application" "SourceCode" "APIReference" "Product" "Dataset" "Course"
    "HowTo" "Book"
};
/// And of what is never a page's matter, though it gives the page's address: who publishes it, and the way there.
const OTHERS: [&str; 5] = ["Organization", "Corporation", "Business", "Person", "BreadcrumbList"];

/// What the page's own nodes say, as written.
#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) description: Option<String>,
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
    pub(super) crumbs: Vec<Crumb>,
}

impl Data {
    /// Reads the scripts of a page that lies at `addresses`, where it was fetched and where it says that it lies.
    pub(super) fn read(tree: &Tree<'_>, scripts: &[NodeId], addresses: &[&SiteUrl]) -> Self {
        let filled = scripts.iter().filter(|&&script| tree.node(script).end > script + 1);
        let parsed: Vec<Value> = filled.filter_map(|&script| parsed(tree.raw_text(script + 1))).collect();
        let mut own: Vec<(Ownership, &Map<String, Value>)> = Vec::new();
        for value in &parsed {
            collect(value, addresses, &mut own);
        }
        // Stable: of equals the first one counts.
        own.sort_by_key(|(kinship, _)| *kinship);
        let said = |key| own.iter().find_map(|(_, node)| node.get(key).and_then(text));
        let crumbs = addresses.first().map(|base| crumbs::of_data(&parsed, base)).unwrap_or_default();
        Self { description: said(DESCRIPTION), published: said(PUBLISHED), modified: said(MODIFIED), crumbs }
    }
}

/// How surely a node is the page's own, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ownership {
    /// A page or its matter, at the page's address.
    Both,
    /// Something else at its address, such as the site whose home page this is.
    Address,
    /// A page or its matter that gives no address.
    Kind,
}

/// Nothing else is read than what may say something.
fn parsed(json: &str) -> Option<Value> {
    if json.len() > MAX_SCRIPT
        || ![DESCRIPTION, PUBLISHED, MODIFIED, BREADCRUMBS].iter().any(|key| json.contains(key))
    {
        return None;
    }
    // Line breaks inside of texts are no JSON and common.
    serde_json::from_str(&json.replace(|c: char| c.is_ascii_control(), " ")).ok()
}

/// Nodes that stand for themselves; those under other names are parts of theirs. The parser bounds the depth.
fn collect<'v>(value: &'v Value, addresses: &[&SiteUrl], own: &mut Vec<(Ownership, &'v Map<String, Value>)>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, addresses, own)),
        Value::Object(node) => {
            own.extend(kinship(node, addresses).map(|kinship| (kinship, node)));
            let inner = ["@graph", "mainEntity"].into_iter().filter_map(|key| node.get(key));
            inner.for_each(|value| collect(value, addresses, own));
        }
        _ => {}
    }
}

/// `None`: it is not the page's own.
fn kinship(node: &Map<String, Value>, addresses: &[&SiteUrl]) -> Option<Ownership> {
    let is = |names: &[&str]| kinds(node).any(|kind| names.iter().any(|name| kind.ends_with(name)));
    if is(&OTHERS) {
        return None;
    }
    let is_page = is(PAGES) || kinds(node).next().is_none();
    let named: Vec<&str> =
        ["url", "@id", "mainEntityOfPage"].iter().filter_map(|key| address(node.get(*key)?)).collect();
    match (named.is_empty(), named.iter().any(|named| leads_to(named, addresses))) {
        (_, true) if is_page => Some(Ownership::Both),
        (_, true) => Some(Ownership::Address),
        (true, _) if is_page => Some(Ownership::Kind),
        _ => None,
    }
}

fn kinds(node: &Map<String, Value>) -> impl Iterator<Item = &str> {
    node.get("@type")
        .into_iter()
        .flat_map(|kind| match kind {
            Value::Array(kinds) => kinds.as_slice(),
            kind => std::slice::from_ref(kind),
        })
        .filter_map(Value::as_str)
}

/// The address that a value is or has. A mere fragment only tells nodes of the same script apart.
fn address(value: &Value) -> Option<&str> {
    let named = match value {
        Value::Object(node) => node.get("@id").or_else(|| node.get("url"))?.as_str()?,
        value => value.as_str()?,
    };
    Some(named.trim()).filter(|named| !named.is_empty() && !named.starts_with(['#', '_']))
}

fn leads_to(named: &str, addresses: &[&SiteUrl]) -> bool {
    let named = addresses.first().and_then(|base| base.join(named).ok()).map(|url| url.key());
    named.is_some_and(|named| addresses.iter().any(|url| url.key().place() == named.place()))
}

/// A text, or the first of several.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => {
            Some(head_of(&fold(text), MAX_VALUE).to_owned()).filter(|text| !text.is_empty())
        }
        Value::Array(values) => values.iter().find_map(text),
        Value::Object(node) => node.get("@value").and_then(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PageSource, read_html};
    use crate::url::SiteUrl;
    use crate::work::Work;

    fn described(url: &str, scripts: &[&str]) -> Option<String> {
        let scripts: Vec<String> =
            scripts.iter().map(|json| format!("<script type=application/ld+json>{json}</script>")).collect();
        let html = format!("{}<main><p>Short.", scripts.concat());
        let url = SiteUrl::parse(url).unwrap();
        let source = PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() };
        read_html(&source, &Work::unbounded()).unwrap().description
    }

    const PAGE: &str = "https://kiln.example/guides/glazes/";

    #[test]
    fn a_page_is_described_by_its_own_node_alone() {
        let publisher = r#"{"@type":"Organization","description":"The Kiln Company makes kilns."}"#;
        let site =
            r#"{"@type":"WebSite","url":"https://kiln.example/","description":"All about kilns and more."}"#;
        let own = "How glazes melt and settle.";
        for node in [
            format!(r#"{{"@type":"TechArticle","description":"{own}"}}"#),
            format!(r#"{{"@type":["Thing","http://schema.org/WebPage"],"description":"{own}"}}"#),
            format!(
                r#"{{"@type":"Recipe","url":"http://www.kiln.example/guides/glazes#top","description":"{own}"}}"#
            ),
            format!(
                r#"{{"@type":"Thing","mainEntityOfPage":{{"@id":"/guides/glazes/"}},"description":"{own}"}}"#
            ),
            format!(
                r#"{{"@type":"WebPage","mainEntity":{{"@type":"SoftwareApplication","description":"{own}"}}}}"#
            ),
            r#"{"@type":"WebPage","author":{"@type":"Person","description":"Burns pots at night."},"description":"How glazes@ melt and settle."}"#.replace("@ melt", "\n melt"),
        ] {
            let graph = format!(r#"{{"@graph":[{publisher},{site},{node}]}}"#);
            assert_eq!(described(PAGE, &[&graph]).as_deref(), Some(own), "{graph}");
            assert_eq!(
                described(PAGE, &[publisher, &format!("[{site},{node}]")]).as_deref(),
                Some(own),
                "{node}"
            );
        }
        for other in [
            publisher.to_owned(),
            site.to_owned(),
            r#"{"@type":"Person","url":"https://kiln.example/guides/glazes/","description":"Burns pots at night."}"#.to_owned(),
            r#"{"@type":"BlogPosting","url":"/blog/7","description":"Another page of the same site."}"#.to_owned(),
            r##"{"@type":"WebSite","@id":"#site","description":"All about kilns and more."}"##.to_owned(),
            format!(r#"{{"publisher":{publisher}}}"#),
        ] {
            assert_eq!(described(PAGE, &[&other]), None, "{other}");
        }
    }

    #[test]
    fn a_home_page_is_described_by_its_site() {
        let site =
            r#"{"@type":"WebSite","url":"https://kiln.example","description":"All about kilns and more."}"#;
        let organization = r#"{"@type":"Organization","url":"https://kiln.example/","description":"The Kiln Company makes kilns."}"#;
        let described = described("https://kiln.example/", &[organization, site]);
        assert_eq!(described.as_deref(), Some("All about kilns and more."));
    }

    #[test]
    fn broken_structured_data_is_ignored() {
        let deep = format!(
            "{}{{\"description\":\"Far too deep to be read.\"}}{}",
            "[".repeat(50_000),
            "]".repeat(50_000)
        );
        let long = format!(
            r#"{{"x":"{}","description":"Behind a very long text."}}"#,
            "y".repeat(super::MAX_SCRIPT)
        );
        for json in
            [deep.as_str(), &long, "{\"description\":\"never ends", "{\"description\":7}", "description"]
        {
            assert_eq!(described(PAGE, &[json]), None);
        }
    }
}
