//! Markup by the rules of the HTML standard (section 13.2.6), one rule a case.

use std::rc::Rc;

use super::dom;
use crate::page::tree::{NodeId, Tree};
use crate::page::vocabulary::Tag;

/// Trees that both parsers build alike.
const ALIKE: &[&str] = &[
    // Implied end tags.
    "<p>a<p>b",
    "<p>a<div>b</div>c",
    "<p>a<ul><li>b</ul>c",
    "<p>a<h1>b</h1>",
    "<!doctype html><p>a<table><tr><td>b</table>",
    "<p>a<hr>b",
    "<p>a<pre>b</pre>",
    "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>",
    "<ul><li><div>a<li>b</ul>",
    "<ol><li><p>a<li>b</ol>",
    "<dl><dt>a<dd>b<dt>c<dd>d</dl>",
    "<dl><dd><p>a<dt>b</dl>",
    "<select><option>a<option>b<optgroup><option>c</select>",
    "<ruby>a<rt>b<rp>c</ruby>",
    "<h1>a<h2>b</h2>",
    "<h1>a</h2>b",
    "<button>a<button>b</button>",
    "<a href=x>a<a href=y>b</a>",
    // Tables.
    "<table><tr><td>a<td>b<tr><td>c</table>",
    "<table><td>a</table>",
    "<table><thead><tr><th>a<tbody><tr><td>b<tfoot><tr><td>c</table>",
    "<table><caption>a<tr><td>b</table>",
    "<table><colgroup><col><col><tr><td>a</table>",
    "<table><tr><td><table><tr><td>a</table>b</table>c",
    "<table><tr><td><p>a</table>b",
    "<table><tr><td>a</div>b</table>",
    "<table><tr><td>a</table></table>b",
    "<table><tr><td><ul><li>a</table>b",
    // Table parts without a table.
    "<td>a</td>b",
    "<tr><td>a",
    // End tags.
    "a</p>b",
    "a</br>b",
    "a</div>b",
    "<div>a</span>b</div>c",
    "<div><span>a</div>b",
    "<p>a</div>b",
    "<ul>a</li>b</ul>c",
    "<section><p>a</section>b",
    "<blockquote><p>a</blockquote>b",
    // Void, raw text and foreign elements.
    "a<br/>b<hr/>c<img>d<wbr>e",
    "<div/>a",
    "<title>a<b>c</title>d",
    "<textarea>a<b></textarea>c",
    "<iframe>a<b></iframe>c",
    "<xmp>a<b></xmp>c",
    "<svg><path/><g>a</g></svg>b",
    "<svg><title>a</title></svg>b",
    "<svg><g><p>a",
    "<svg><foreignObject><p>a</p></foreignObject></svg>b",
    "<math><mi>x</mi><mo/></math>y",
    "<svg><![CDATA[a<b>]]></svg>c",
    // Comments and what looks like markup.
    "a<!---->b<!-->c<!--->d<!-- e --!>f",
    "a<!b>c<?d>e</ f>g",
    "a<b<c>d",
    "a< b<3",
    "a<![CDATA[b]]>c",
    // Formatting.
    "<b>a<i>b</i>c</b>d",
    "<b><p>a</p></b>b",
    "<p><b>a</b></p>b",
    "<i><div>a</div></i>b",
    // Document parts.
    "<html><head><title>a</title></head><body>b</body></html>",
    "<head><meta><link></head><body><body class=x>a",
    "<form>a<form>b</form>c</form>d",
    "</html>a<p>b",
    // Attributes and references.
    "<p id='a' id=b>c",
    "a&amp;b&lt;c&#65;&#x42;&copy d&notit;",
];

/// Trees that differ on purpose, and why that does not matter to a reader.
const DIFFERENT: &[(&str, &str)] = &[
    ("<table>a<tr><td>b</table>", "text between rows stays where its author put it"),
    ("<table><b>a<tr><td>b</table>", "so do other elements between rows"),
    ("<p><b>a<p>b", "formatting is not opened again in the next block"),
    ("<b>a<i>b</b>c</i>d", "nor behind the formatting that closed it"),
    ("<a href=x><p>a</a>b", "no empty copy of a link is left around a block"),
    ("<table><tr><select><td>a</table>", "a menu does not close a table"),
];

#[test]
fn trees_are_those_of_the_standard() {
    let wrong = ALIKE.iter().filter(|html| ours(html) != theirs(html));
    let wrong: Vec<String> =
        wrong.map(|html| format!("{html}\n  ours {}\n  theirs {}", ours(html), theirs(html))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (html, why) in DIFFERENT {
        assert_ne!(ours(html), theirs(html), "{html}: {why}");
    }
    println!("{} of {} trees alike", ALIKE.len(), ALIKE.len() + DIFFERENT.len());
}

/// Elements that the standard implies and that we leave out.
fn is_implied(name: &str) -> bool {
    matches!(name, "" | "html" | "head" | "body" | "tbody" | "colgroup")
}

fn ours(html: &str) -> String {
    let tree = Tree::of(html);
    let mut out = String::new();
    let mut open: Vec<NodeId> = Vec::new();
    let name = |node| tree.raw_text(node).to_ascii_lowercase();
    let close = |out: &mut String, node: NodeId| {
        if !is_implied(&name(node)) {
            out.push_str("</>");
        }
    };
    for node in tree.descendants(0) {
        while let Some(last) = open.pop_if(|last| tree.node(*last).end <= node) {
            close(&mut out, last);
        }
        if tree.tag(node) == Tag::Text {
            out.extend(tree.text(node).split_whitespace());
        } else {
            if !is_implied(&name(node)) {
                out.extend(["<", &name(node), ">"]);
            }
            open.push(node);
        }
    }
    while let Some(last) = open.pop() {
        close(&mut out, last);
    }
    out
}

enum Step {
    Enter(Rc<dom::Node>),
    Leave,
}

fn theirs(html: &str) -> String {
    let mut out = String::new();
    let mut steps = vec![Step::Enter(dom::parse(html))];
    while let Some(step) = steps.pop() {
        let Step::Enter(node) = step else {
            out.push_str("</>");
            continue;
        };
        out.extend(node.text.borrow().split_whitespace());
        let name = node.tag().to_ascii_lowercase();
        if !is_implied(&name) {
            out.extend(["<", &name, ">"]);
            steps.push(Step::Leave);
        }
        steps.extend(node.children.borrow().iter().rev().cloned().map(Step::Enter));
    }
    out
}
