//! What stands inside the main content and is none of it: menus, buttons, permalinks, what readers wrote.

use super::fold::trim_start;
use super::genre::Genre;
use super::heading::{is_permalink, leads_to_itself};
use super::marks::Marks;
use super::resolve::split_fragment;
use super::sharing::Sharing;
use super::survey::Survey;
use super::tools;
use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};
use crate::maps::Set;

/// Nodes of a page's table of contents, at most.
const MAX_PAGE_CONTENTS: usize = 2_000;
/// Places of one page that the table of contents of a chapter names, at most.
const PLACES_ON_A_PAGE: usize = 12;
/// Nodes of a menu of languages, at most.
const MAX_LANGUAGES: usize = 400;
/// The fewest translations that make a menu of languages.
const MIN_LANGUAGES: usize = 2;
/// Nodes among which code is looked for, at most.
const MAX_CODE: usize = 2_000;
/// Share of all that a page shows by which its content is measured, at least.
const MOST_OF_PAGE: f32 = 0.8;
/// Share of a page's text from which a part is too big to be chrome.
const MOST_SUSPICIOUS: f32 = 0.3;
/// The same of a part that nothing follows.
const MOST_CLOSING: f32 = 0.7;
/// Bytes of text of a part that is named for its look, and too short to say something.
const SHORT_LOOK: f32 = 60.0;
/// Bytes of a paragraph round a word of it, at least.
const PROSE: f32 = 40.0;
/// Elements between a list and the table around it, at most.
const MAX_TABLE_DEPTH: usize = 32;
/// Nodes of a link that is a sign with a word for ears, at most.
const MAX_SIGN: usize = 8;
/// Elements between a button and the cell that it is all of, at most.
const MAX_CELL_DEPTH: usize = 4;
/// Bytes of a text that stands once more in front of its whole.
const SHORT_FORM: std::ops::RangeInclusive<usize> = 20..=1_000;
/// Bytes of text beside it that make a text one which readers may comment on.
const COMMENTED: f32 = 250.0;

/// How far names and links are trusted to tell chrome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suspicion {
    /// Names, and blocks of nothing but links.
    All,
    /// Names alone: the page itself says where its content is.
    Names,
    /// Names of blocks of links alone: the page gives such names to its prose.
    Links,
}

/// What parts of the content are measured by.
struct MeasuredArea<'r, 'a> {
    root: NodeId,
    genre: Genre,
    suspicion: Suspicion,
    total: f32,
    /// Most of its text is links.
    links: bool,
    /// Most of it is paragraphs: lists of links beside them are no part of the text, whatever they look like.
    paragraphs: bool,
    sharing: Sharing<'r, 'a>,
}

/// Marks what has to go inside `root` of a page of this genre.
pub(super) fn leave_out(
    tree: &Tree<'_>,
    survey: &Survey,
    root: NodeId,
    genre: Genre,
    suspicion: Suspicion,
    left_out: &mut [bool],
) {
    // What is a small thing on the page is one however narrow the column is that was chosen.
    let total = survey.all(root).max(MOST_OF_PAGE * survey.all(0));
    let links = survey.link_share(root) >= 0.5;
    let scope = MeasuredArea {
        root,
        genre,
        suspicion,
        total,
        links,
        paragraphs: !links && survey.paragraphs(root) > 0.6 * survey.prose(root),
        sharing: Sharing::inside(std::slice::from_ref(&root)),
    };
    let documentation = genre.is_documentation();
    let mut heading = root;
    // Where the note at hand ends: what it points to is what it says.
    let mut note_end = root;
    // And where the contents of other pages end: their lists are parts of them.
    let mut contents_end = root;
    let mut node = root + 1;
    while node < tree.node(root).end {
        let tag = tree.tag(node);
        if tag == Tag::Text {
            node += 1;
            continue;
        }
        if !tree.spend(1) {
            break;
        }
        if stays(tree, survey, node) {
            node += 1;
            continue;
        }
        if tag.heading_level().is_some() || matches!(tag, Tag::Dt | Tag::Summary) {
            heading = node;
        }
        let in_heading = heading != root && node < tree.node(heading).end;
        if documentation && survey.marks(node).any(Marks::ADMONITION) {
            note_end = note_end.max(tree.node(node).end);
        }
        let is_content = (tag == Tag::Button
            && is_heading(tree, survey, node, in_heading.then_some(heading)))
            || (node < contents_end && matches!(tag, Tag::Ul | Tag::Ol | Tag::Dl))
            || (heading != root && lists_other_pages(tree, survey, node));
        if is_content && tag != Tag::Button {
            contents_end = contents_end.max(tree.node(node).end);
        }
        // What stands before the first heading without a word is the sign of the whole.
        let is_logo = || tag == Tag::A && survey.bytes(node) == 0;
        let opens = documentation && heading == root && survey.holds_heading(tree, root);
        if (opens && (is_logo() || tools::is_bar(tree, survey, node)))
            || (!is_content && goes(tree, survey, node))
            || (in_heading && leads_to_itself(tree, heading, node))
            || tools::is_tool(tree, survey, node)
            || (documentation && is_short_form(tree, survey, node))
            || (!in_heading && is_commentary(tree, survey, node, &scope))
            || (!in_heading && !is_content && node >= note_end && suspicious(tree, survey, node, &scope))
        {
            left_out[node as usize] = true;
            if let Some(behind) = tools::behind(tree, survey, node) {
                left_out[behind as usize] = true;
            }
            node = tree.node(node).end;
        } else {
            node += 1;
        }
    }
}

/// Whether nothing can make an element go, whatever it holds: neither its tag nor its names, which say nothing.
fn stays(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let is_plain = match tree.tag(node) {
        Tag::Br | Tag::Code | Tag::Em | Tag::Strong | Tag::I | Tag::B | Tag::Li | Tag::Dd | Tag::Tr => true,
        // Links, or a link with a text, may be tools.
        Tag::Span => tree.descendants(node).len() < 2 && !tools::may_switch(survey, node),
        _ => false,
    };
    is_plain && survey.marks(node) == Marks::default()
}

/// Whether a button is all that there is of a heading: that of a folded section, or of a column that it sorts by.
fn is_heading(tree: &Tree<'_>, survey: &Survey, button: NodeId, heading: Option<NodeId>) -> bool {
    let mut cells = tree.ancestors(button).take(MAX_CELL_DEPTH);
    let named = heading.or_else(|| cells.find(|&a| tree.tag(a) == Tag::Th));
    named.is_some_and(|named| survey.all(named) < 1.0)
}

/// What is never content.
fn goes(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let tag = tree.tag(node);
    let marks = survey.marks(node);
    if tag.is_unseen() {
        return true;
    }
    if marks.any(Marks::HIDDEN) {
        return tag != Tag::Math;
    }
    marks.any(Marks::NAVIGATION.with(Marks::MARGIN).with(Marks::CHROME))
        || is_permalink(tree, node)
        || is_for_ears(tree, survey, node)
        || is_own_contents(tree, survey, node)
        || names_contents(tree, survey, node)
        || is_language_menu(tree, survey, node)
}

/// Whether a link says what it is to ears alone.
fn is_for_ears(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let inside = tree.descendants(node);
    let is_all = |n| survey.marks(n).any(Marks::UNSEEN) && survey.bytes(n) == survey.bytes(node);
    tree.tag(node) == Tag::A
        && (2..=MAX_SIGN).contains(&inside.len())
        && survey.bytes(node) > 0
        && inside.into_iter().any(is_all)
}

/// A paragraph before the block that begins with all of it: the form that is shown while the whole is folded up.
fn is_short_form(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let length = survey.bytes(node);
    if tree.tag(node) != Tag::P || !SHORT_FORM.contains(&length) {
        return false;
    }
    let first =
        |node: NodeId| tree.descendants(node).find(|&n| survey.bytes(n) > 0 && tree.tag(n) == Tag::Text);
    let begins = |node: NodeId| first(node).and_then(|n| trim_start(tree.raw_text(n)).chars().next());
    let is_whole = |&next: &NodeId| {
        tree.tag(next) == Tag::Div && survey.bytes(next) >= length && begins(next) == begins(node)
    };
    survey.next_shown(tree, node).filter(is_whole).is_some_and(|next| {
        let short = tree.folded_text(node, *SHORT_FORM.end());
        tree.folded_text(next, short.len()).starts_with(&short)
    })
}

/// A short block of which most links lead to the page in other languages.
fn is_language_menu(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let block = matches!(tree.tag(node), Tag::Div | Tag::P | Tag::Ul | Tag::Section);
    if !block || survey.link_share(node) < 0.2 || tree.descendants(node).len() > MAX_LANGUAGES {
        return false;
    }
    tree.spend(tree.descendants(node).len());
    let links = || tree.descendants(node).filter(|&n| tree.tag(n) == Tag::A);
    let languages = links().filter(|&n| tree.raw_attribute(n, Name::Hreflang).is_some()).count();
    languages >= MIN_LANGUAGES && languages * 2 > links().count()
}

/// Whether the table around a node is one of data: without the headings of a page that it would arrange. Lists in
/// its cells are what it says.
fn is_in_data(tree: &Tree<'_>, node: NodeId) -> bool {
    let table = tree.ancestors(node).take(MAX_TABLE_DEPTH).find(|&a| tree.tag(a) == Tag::Table);
    table.is_some_and(|table| {
        let inside = tree.descendants(table);
        inside.len() <= MAX_PAGE_CONTENTS
            && tree.spend(inside.len())
            && !inside.into_iter().any(|n| matches!(tree.tag(n), Tag::H1 | Tag::H2 | Tag::H3))
    })
}

/// A block of nothing but links to places of the same page: its table of contents.
fn is_page_contents(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let block = matches!(tree.tag(node), Tag::Div | Tag::P | Tag::Ul | Tag::Ol | Tag::Section);
    if !block || survey.link_share(node) < 0.8 || tree.descendants(node).len() > MAX_PAGE_CONTENTS {
        return false;
    }
    let mut links = 0;
    let inside = tree.descendants(node).all(|n| {
        tree.spend(1);
        let href = tree.raw_attribute(n, Name::Href).filter(|_| tree.tag(n) == Tag::A);
        links += usize::from(href.is_some());
        href.is_none_or(|h| h.starts_with('#')) && !matches!(tree.tag(n), Tag::Pre | Tag::Img | Tag::Table)
    });
    inside && links > 1
}

/// Such a block where it is no part of a table of data.
fn is_own_contents(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    is_page_contents(tree, survey, node) && !is_in_data(tree, node)
}

/// A heading of a part that holds nothing but the page's table of contents.
fn names_contents(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let Some(level @ 2..) = tree.tag(node).heading_level() else { return false };
    let is_contents = |&next: &NodeId| is_own_contents(tree, survey, next);
    let ends = |contents| {
        let next = survey.next_shown(tree, contents);
        next.is_none_or(|next| tree.tag(next).heading_level().is_some_and(|next| next <= level))
    };
    !survey.holds_title(tree, node) && survey.next_shown(tree, node).filter(is_contents).is_some_and(ends)
}

/// A table of contents below a heading that leads to other pages: what a chapter's or a book's first page
/// consists of. Sidebars of the whole site stand before the first heading.
fn lists_other_pages(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    if !survey.marks(node).any(Marks::CONTENTS) || tree.descendants(node).len() > MAX_PAGE_CONTENTS {
        return false;
    }
    tree.spend(tree.descendants(node).len());
    let hrefs = tree.descendants(node).filter(|&n| tree.tag(n) == Tag::A);
    let hrefs = hrefs.filter_map(|n| tree.raw_attribute(n, Name::Href));
    let pages: Vec<&str> = hrefs.map(|href| split_fragment(href).0).collect();
    let links = pages.len();
    let different = pages.iter().copied().collect::<Set<_>>().len();
    different > 1 && different * PLACES_ON_A_PAGE > links
}

/// Whether it is what readers wrote below something that is long enough to be commented on.
fn is_commentary(tree: &Tree<'_>, survey: &Survey, node: NodeId, scope: &MeasuredArea<'_, '_>) -> bool {
    // A section of a manual may be about comments.
    let is_section = || scope.genre.is_documentation() && survey.holds_heading(tree, node);
    if !survey.marks(node).any(Marks::COMMENTS) || is_section() {
        return false;
    }
    let all = survey.all(node);
    // In a discussion only the remarks on one post are such.
    let enough = scope.genre != Genre::Discussion || all < MOST_SUSPICIOUS * scope.total;
    enough && scope.total - all > COMMENTED
}

/// Whether an element whose name or links make it look like chrome is so.
fn suspicious<'a>(tree: &Tree<'a>, survey: &Survey, node: NodeId, scope: &MeasuredArea<'_, 'a>) -> bool {
    let tag = tree.tag(node);
    let marks = survey.marks(node);
    let menu_like = matches!(tag, Tag::Ul | Tag::Ol | Tag::Div | Tag::Section);
    if !menu_like && (!marks.any(Marks::SUSPECT.with(Marks::LOOK)) || is_word_of_prose(tree, survey, node)) {
        return false;
    }
    let all = survey.all(node);
    let share = all / scope.total.max(1.0);
    let documentation = scope.genre.is_documentation();
    let is_closing = || {
        let shared = scope.sharing.bytes(tree, survey, node);
        shared < MOST_CLOSING * scope.total
            && !survey.holds_heading(tree, node)
            && closes(tree, survey, scope.root, node)
    };
    if documentation && scope.suspicion != Suspicion::Links && marks.any(Marks::SUSPECT) && is_closing() {
        return true;
    }
    if share >= MOST_SUSPICIOUS {
        return false;
    }
    let menus_only = !documentation && !scope.paragraphs;
    // A member of what is documented may have any name, and every word of its code may be a link.
    let is_member = || documentation && (survey.holds_heading(tree, node) || holds_code(tree, node));
    if marks.any(Marks::SUSPECT.with(Marks::LOOK)) {
        let looks_so = if marks.any(Marks::SUSPECT) || !menus_only {
            let short = share < 0.1 && scope.suspicion != Suspicion::Links && !is_member();
            short || survey.link_share(node) > 0.3
        } else {
            all < SHORT_LOOK || survey.link_share(node) > 0.5
        };
        return looks_so
            && !survey.holds_title(tree, node)
            && scope.sharing.bytes(tree, survey, node) < MOST_SUSPICIOUS * scope.total;
    }
    scope.suspicion == Suspicion::All
        && !scope.links
        && menu_like
        && all > 0.0
        && (survey.link_share(node) > 0.8 && survey.prose(node) < 200.0
            || documentation && tools::is_bar(tree, survey, node))
        && !((documentation || is_page_contents(tree, survey, node)) && is_in_data(tree, node))
        && !is_member()
        && !holds_signature(tree, survey, node)
}

/// Whether an inline element is a word or a few of a paragraph, which may be named for what happens when it is pointed at.
fn is_word_of_prose(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let parent = tree.node(node).parent;
    let beside = survey.prose(parent) - survey.prose(node);
    !tree.tag(node).is_block() && tree.tag(parent) == Tag::P && beside > PROSE.max(survey.all(node))
}

/// Whether the links of a block are the words of a declaration: it is set as code, or has the signs of one, `fire(kiln)`,
/// `= Kiln Fuel`, `fire :: Kiln`. A number in brackets says how many there are, an `s` that there may be several.
fn holds_signature(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let calls = |text: &str| {
        text.split_once('(').is_some_and(|(name, rest)| {
            name.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '!'))
                && rest.starts_with(|c: char| !c.is_ascii_digit())
                && !rest.starts_with("s)")
        })
    };
    let inside = tree.descendants(node).take(MAX_CODE);
    tree.spend(inside.len());
    std::iter::once(node).chain(inside).any(|n| {
        if tree.tag(n) != Tag::Text {
            return survey.marks(n).any(Marks::LISTING);
        }
        let text = trim_start(tree.raw_text(n));
        !tree.tag(tree.node(n).parent).is_unseen()
            && (text.starts_with('=') || text.contains("::") || calls(text))
    })
}

/// Whether nothing that shows text follows a node in the content.
fn closes(tree: &Tree<'_>, survey: &Survey, root: NodeId, node: NodeId) -> bool {
    let mut within = std::iter::once(node).chain(tree.ancestors(node)).take_while(|&n| n > root);
    within.all(|n| tree.spend(1) && survey.next_shown(tree, n).is_none())
}

pub(super) fn holds_code(tree: &Tree<'_>, node: NodeId) -> bool {
    let inside = tree.descendants(node).take(MAX_CODE);
    tree.spend(inside.len());
    inside.into_iter().any(|n| matches!(tree.tag(n), Tag::Pre | Tag::Code | Tag::Tt | Tag::Dt))
}
