//! What a heading says, and which of its parts only lead to it.

use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};

/// Nodes of a heading before its permalink, and behind it, at most.
const MAX_HEADING: NodeId = 32;
/// Nodes inside a permalink, at most.
const MAX_PERMALINK: usize = 8;

/// The text of a heading: without permalinks, what one can press or choose in it and the small print beside it, as a subtitle
/// or who wrote it, unless there is nothing else.
pub(super) fn text(tree: &Tree<'_>, heading: NodeId, limit: usize) -> String {
    let is_beside =
        |n| matches!(tree.tag(n), Tag::Button | Tag::Textarea | Tag::Small) || looks_like_button(tree, n);
    let is_unsaid = |n| match tree.tag(n) {
        Tag::Text => false,
        Tag::Select | Tag::Annotation | Tag::Nav => true,
        Tag::A
            if is_permalink(tree, n) || leads_to_itself(tree, heading, n) || is_glued(tree, heading, n) =>
        {
            true
        }
        _ => is_unspoken(tree, n),
    };
    let without = |leaves_out: &dyn Fn(NodeId) -> bool| {
        tree.folded_text_without(heading, limit, |n| n != heading && leaves_out(n))
    };
    let text = without(&|n| is_beside(n) || is_unsaid(n));
    if text.is_empty() { without(&is_unsaid) } else { text }
}

/// The part of a heading that says `text` which one of the `names` of its page says, too, beside its last element: that element,
/// where what stands before it hangs on it (the page above, on a line of its own: `<h1>Kilns<span>Wood</span></h1>`); or what
/// stands before it, where that is set apart (who wrote it, or when: `<h1>Kilns <time>2020</time></h1>`).
pub(super) fn named_part<'n>(
    tree: &Tree<'_>,
    heading: NodeId,
    text: &str,
    mut names: impl Iterator<Item = &'n str>,
) -> Option<&'n str> {
    let is_blank = |n| tree.tag(n) == Tag::Text && tree.text(n).trim().is_empty();
    let last = tree.children(heading).filter(|&n| !is_blank(n)).last();
    let last = last.filter(|&n| tree.tag(n) != Tag::Text)?;
    let is_apart = matches!(tree.tag(last), Tag::Other | Tag::Span | Tag::Time | Tag::Div);
    let own = tree.label(last, text.len());
    let before = text.strip_suffix(&*own)?;
    let above = before.trim_end();
    names.find(|name| {
        *name == own && above.len() == before.len() && above.ends_with(char::is_alphanumeric)
            || *name == above && is_apart && above.len() < before.len()
    })
}

/// Whether a link or a box is drawn as a button, by the names that style sheets give to those.
fn looks_like_button(tree: &Tree<'_>, node: NodeId) -> bool {
    let classes = tree.raw_attribute(node, Name::Class).unwrap_or_default();
    classes.split_ascii_whitespace().any(|class| matches!(class, "btn" | "button"))
}

/// Whether an element is hidden from ears: a number or a sign beside the text.
pub(super) fn is_unspoken(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.raw_attribute(node, Name::AriaHidden) == Some("true")
}

/// A link in a heading, beside its text, to the place that is named for it: whatever it says, it is a permalink; before
/// the text, where that says the name and the link does not.
pub(super) fn leads_to_itself(tree: &Tree<'_>, heading: NodeId, node: NodeId) -> bool {
    if tree.tag(node) != Tag::A || node - heading > MAX_HEADING {
        return false;
    }
    let href = tree.raw_attribute(node, Name::Href);
    let Some(place) = href.and_then(|href| href.strip_prefix('#')) else { return false };
    let letters = |text: &str| text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let said = |nodes: std::ops::Range<NodeId>| {
        tree.spend(nodes.len());
        letters(&nodes.filter(|&n| tree.tag(n) == Tag::Text).map(|n| tree.text(n)).collect::<String>())
    };
    let (name, before) = (letters(place), said(heading..node));
    let is_its_id = tree.raw_attribute(heading, Name::Id) == Some(place);
    if name.is_empty() || !before.is_empty() {
        return !name.is_empty() && (is_its_id || before.starts_with(&name));
    }
    let end = tree.node(node).end;
    let is_named = || {
        let after = said(end..tree.node(heading).end.min(end + MAX_HEADING));
        !after.is_empty() && (name.starts_with(&after) || after.starts_with(&name))
    };
    is_its_id && !name.contains(&said(node..end.min(node + MAX_HEADING))) && is_named()
}

/// A link in capitals right behind the small letter in which the text of a heading ends, where no word does: it is drawn apart
/// from that (`PotsAll posts`).
fn is_glued(tree: &Tree<'_>, heading: NodeId, link: NodeId) -> bool {
    let is_text = |n: &NodeId| tree.tag(*n) == Tag::Text;
    let near = (heading.max(link.saturating_sub(MAX_HEADING))..link).rev().find(is_text);
    let Some(near) = near.filter(|&n| tree.node(n).parent == heading) else { return false };
    let is_parted = (near..link).any(|n| tree.tag(n) == Tag::Br || tree.tag(n).is_block());
    let own = tree.descendants(link).take(MAX_PERMALINK).find(is_text);
    let first = own.and_then(|n| tree.text(n).chars().next());
    let ends_low = tree.text(near).ends_with(char::is_lowercase);
    ends_low && !is_parted && first.is_some_and(char::is_uppercase)
}

/// A link to a place of a page whose text is only a sign, and none that code is made of.
pub(super) fn is_permalink(tree: &Tree<'_>, node: NodeId) -> bool {
    if tree.tag(node) != Tag::A || tree.descendants(node).len() > MAX_PERMALINK {
        return false;
    }
    let mut signs = 0;
    let only_signs = tree.descendants(node).all(|n| match tree.tag(n) {
        Tag::Text => tree.text(n).chars().all(|c| {
            signs += usize::from(!c.is_whitespace());
            !c.is_alphanumeric() && (!c.is_ascii_punctuation() || matches!(c, '#' | '^')) && signs <= 2
        }),
        Tag::Img => false,
        _ => true,
    });
    only_signs
        && tree.raw_attribute(node, Name::Href).is_some_and(|href| href.contains('#'))
        && tree.raw_attribute(node, Name::Id).is_none_or(|_| signs > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_menu_in_a_heading_is_no_part_of_it() {
        let work = crate::work::Work::unbounded();
        let tree = Tree::parse("<h1>Kiln <nav><a href=/issues>issues</a></nav></h1>", &work);
        let heading = tree.all(Tag::H1).next().unwrap();
        assert_eq!(text(&tree, heading, 99), "Kiln");
    }

    #[test]
    fn a_heading_says_neither_its_permalink_nor_its_sign() {
        for link in [
            "<a class=header-anchor href=#kilns aria-hidden=true>#</a> Kilns",
            "Kilns <a href=#kilns>\u{b6}</a>",
            "<a href=/ovens.html#kilns>\u{a7}</a>Kilns",
            "Kilns<a href=https://site.example/ovens#kilns>\u{1f517}</a>",
            "<a href=#kilns><svg><text>x</text></svg></a>Kilns",
            "<span aria-hidden=true>#</span> Kilns",
            "<a href=#kilns>Anchor</a> Kilns",
            "Kilns <a href=#kilns>Link</a><button>Copy</button>",
            "<a href=#kilns>Kilns</a>",
            "Kilns<br><small>written by a potter</small>",
            "Kilns <a class='btn btn-sm' href=/follow>Follow</a>",
            "<span class=button>Kilns</span>",
            "<small>Kilns</small>",
            "Kilns<span><a href=/all>All of them</a></span>",
        ] {
            let html = format!("<h1 id=kilns>{link}</h1>");
            let tree = Tree::of(&html);
            let heading = tree.all(Tag::H1).next().unwrap();
            assert_eq!(text(&tree, heading, 300), "Kilns", "{link}");
        }
    }

    #[test]
    fn a_link_that_goes_on_with_a_heading_is_part_of_it() {
        for (html, said) in [
            ("安装<a href=/node>Node</a>", "安装Node"),
            ("<span>Pots</span><a href=/x>The kiln</a>", "PotsThe kiln"),
            ("Part one<br><a href=/x>The kiln</a>", "Part one The kiln"),
            ("kiln::<a href=/h>Heat</a>", "kiln::Heat"),
            ("Pots <a href=/all>All posts</a>", "Pots All posts"),
        ] {
            let html = format!("<h2>{html}</h2>");
            let tree = Tree::of(&html);
            assert_eq!(text(&tree, tree.all(Tag::H2).next().unwrap(), 300), said);
        }
    }

    #[test]
    fn a_heading_that_is_a_link_to_itself_is_kept() {
        for (id, html) in [
            ("ofen", "<a href=#ofen>Öfen</a><a href=#ofen title=Link>&#128279;</a>"),
            ("ofen", "<a href=#ofen>Öfen</a> <small>2</small>"),
        ] {
            let html = format!("<h2 id={id}>{html}</h2>");
            let tree = Tree::of(&html);
            let heading = tree.all(Tag::H2).next().unwrap();
            assert!(text(&tree, heading, 300).starts_with("Öfen"), "{html}");
        }
    }

    #[test]
    fn a_badge_is_a_word_of_its_own_and_a_formula_is_there_once() {
        let html = "<h1><code class=x-tag>Const</code><span>All</span><b class='badge new'>Beta</b> of <math><mi>x</mi>\
                    <annotation>x</annotation></math></h1>";
        let tree = Tree::of(html);
        let heading = tree.all(Tag::H1).next().unwrap();
        assert_eq!(text(&tree, heading, 300), "Const All Beta of x");
        let tree = Tree::of("<h1><a href=a>Kiln</a><span class=sep></span>Door</h1>");
        assert_eq!(text(&tree, tree.all(Tag::H1).next().unwrap(), 300), "Kiln Door");
    }

    #[test]
    fn the_last_part_of_a_heading_is_all_of_it_where_the_title_says_so() {
        let own = |html: &str, title: &'static str| {
            let html = format!("<h1>{html}</h1>");
            let tree = Tree::of(&html);
            let heading = tree.all(Tag::H1).next().unwrap();
            named_part(&tree, heading, &text(&tree, heading, 300), std::iter::once(title))
        };
        assert_eq!(own("Kilns<span>Wood</span>", "Wood"), Some("Wood"));
        assert_eq!(own("窑炉<span>木柴</span>", "木柴"), Some("木柴"));
        assert_eq!(own("Kilns <author>Ash</author>\n", "Kilns"), Some("Kilns"));
        let whole = [
            ("Kilns<span>Wood</span>", "Kilns"),
            ("Kilns of <b>Wood</b>", "Wood"),
            ("Kilns-<b>Wood</b>", "Wood"),
            ("KilnsWood", "Wood"),
            ("Kilns <b>of wood</b>", "Kilns"),
        ];
        assert!(whole.iter().all(|(html, title)| own(html, title).is_none()));
    }

    #[test]
    fn a_sign_that_is_part_of_a_name_stays() {
        for said in ["C#", "#hashtag", "# of kilns", "Fire in C#", "\u{a7} 3"] {
            let html = format!("<h1 id=kilns>{said} <a href=#kilns>#</a></h1>");
            let tree = Tree::of(&html);
            let heading = tree.all(Tag::H1).next().unwrap();
            assert_eq!(text(&tree, heading, 300), said);
        }
    }
}
