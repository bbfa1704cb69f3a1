//! The tree of a page, by hand and beside html5ever.

mod differential;

use std::fmt::Write;

use super::*;

/// The tree as nested tags, to compare with.
fn outline(html: &str) -> String {
    let tree = Tree::of(html);
    let mut out = String::new();
    let mut open: Vec<NodeId> = Vec::new();
    for node in tree.descendants(0) {
        while let Some(&last) = open.last().filter(|&&n| tree.node(n).end <= node) {
            write!(out, "</{}>", tree.tag(last).name()).unwrap();
            open.pop();
        }
        if tree.tag(node) == Tag::Text {
            out.push_str(&tree.text(node));
        } else {
            write!(out, "<{}>", tree.tag(node).name()).unwrap();
            open.push(node);
        }
    }
    while let Some(last) = open.pop() {
        write!(out, "</{}>", tree.tag(last).name()).unwrap();
    }
    out
}

#[test]
fn end_tags_are_implied() {
    assert_eq!(outline("<p>a<p>b<div>c</div>"), "<p>a</p><p>b</p><div>c</div>");
    assert_eq!(
        outline("<ul><li>a<ul><li>b</ul><li>c</ul>d"),
        "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>d"
    );
    assert_eq!(outline("<dl><dt>a<dd>b<dt>c</dl>"), "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>");
    assert_eq!(
        outline("<table><tr><td>a<td>b<tr><th>c</table>d"),
        "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>d"
    );
    assert_eq!(
        outline("<table><td>a<table><td>b</table>c<td>d</table>"),
        "<table><tr><td>a<table><tr><td>b</td></tr></table>c</td><td>d</td></tr></table>"
    );
}

#[test]
fn the_name_that_a_font_draws_an_icon_for_is_no_text() {
    for class in ["material-icons", "'btn material-symbols-outlined'", "'mat-icon material-icons-round'"] {
        assert_eq!(outline(&format!("<p>Go <i class={class}>open_in_new</i>")), "<p>Go <i></i></p>");
    }
    for class in ["icon", "material-link"] {
        assert_eq!(outline(&format!("<i class={class}>home</i>")), "<i>home</i>");
    }
    assert_eq!(outline("<p class=material-icons>All icons</p>"), "<p>All icons</p>");
}

#[test]
fn stray_end_tags_close_nothing_around_them() {
    assert_eq!(
        outline("<div><table><tr><td>a</div>b</td></tr></table></div>"),
        "<div><table><tr><td>ab</td></tr></table></div>"
    );
    assert_eq!(outline("<p>a</span>b</p>"), "<p>ab</p>");
    assert_eq!(outline("<DIV>a</Div>b"), "<div>a</div>b");
}

#[test]
fn blocks_go_on_behind_a_misplaced_formatting_end() {
    assert_eq!(outline("<b><p>a</b>b</p>c"), "<b><p>a</p></b><p>b</p>c");
    assert_eq!(outline("<p><b><i>a</b>b</p>"), "<p><b><i>a</i></b>b</p>");
}

#[test]
fn void_and_foreign_elements() {
    assert_eq!(outline("<br/>a<img>b<svg><path/><title>t</title></svg>c").matches("</svg>c").count(), 1);
    assert_eq!(outline("<svg><g><p>a").replace("<>", "").replace("</>", ""), "<svg></svg><p>a</p>");
}

#[test]
fn hostile_nesting_stays_flat_and_small() {
    for html in
        ["<ul><li>".repeat(20_000), "<div>".repeat(100_000), "<b><p>".repeat(20_000), "<a".repeat(9_999)]
    {
        let tree = Tree::of(&html);
        assert!(tree.descendants(0).step_by(97).all(|n| tree.ancestors(n).count() <= MAX_DEPTH));
    }
    let attributes = format!("<a {}>x", "class=y ".repeat(40_000));
    assert_eq!(Tree::of(&attributes).attributes(1).len(), 1);
}

#[test]
fn text_folds_and_decodes() {
    let tree = Tree::of("<p> a &amp; <b>b</b>\n<script>x</script><br>c&nbsp;d</p>");
    assert_eq!(tree.folded_text(0, 99), "a & b c d");
    assert_eq!(Tree::of("<a href='?a=1&copy=2&amp;b'>").attribute(1, Name::Href).unwrap(), "?a=1&copy=2&b");
}
