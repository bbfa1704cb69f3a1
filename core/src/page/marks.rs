//! What the classes, ids, roles and tags of an element say about its part in the page.

mod names;

use super::streamed;
use super::tree::{NodeId, Tree};
use super::vocabulary::{self, Name, Tag};
use crate::phrases::strip_prefix_ignore_case;

/// A set of things known about an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Marks(u32);

impl Marks {
    /// Not shown to a reader.
    pub(super) const HIDDEN: Self = Self(1);
    /// A menu, a site header, a table of contents.
    pub(super) const NAVIGATION: Self = Self(1 << 1);
    /// A footer, an aside, a banner.
    pub(super) const MARGIN: Self = Self(1 << 2);
    /// A help of the page's surface: a permalink, a copy button, an edit link, breadcrumbs.
    pub(super) const CHROME: Self = Self(1 << 3);
    /// A word in its name makes it look like something beside the content.
    pub(super) const SUSPECT: Self = Self(1 << 4);
    /// The node that a known generator puts the content into.
    pub(super) const CONTENT: Self = Self(1 << 5);
    /// A note, a warning, a tip.
    pub(super) const ADMONITION: Self = Self(1 << 6);
    /// The title of an admonition.
    pub(super) const CAPTION: Self = Self(1 << 7);
    /// Line numbers of a listing.
    pub(super) const LINE_NUMBERS: Self = Self(1 << 8);
    /// A listing that is no `pre`.
    pub(super) const LISTING: Self = Self(1 << 9);
    /// Source of a formula.
    pub(super) const MATH: Self = Self(1 << 10);
    /// What readers wrote below the content.
    pub(super) const COMMENTS: Self = Self(1 << 11);
    /// The words beside a picture: its caption, whom it is from.
    pub(super) const CREDITS: Self = Self(1 << 12);
    /// Who wrote a text, and when.
    pub(super) const BYLINE: Self = Self(1 << 13);
    /// A part of a page of prose that is no part of the prose: about its author, filters, a gallery.
    pub(super) const BESIDE: Self = Self(1 << 14);
    /// Looks like something beside the content in documentation, and surely is so elsewhere.
    pub(super) const INTRUDER: Self = Self::SUSPECT.with(Self::BESIDE);
    /// Named for how it looks more than for what it is: a widget, a banner, a drawer.
    pub(super) const LOOK: Self = Self(1 << 16);
    /// What a forum says about the writer of a post.
    pub(super) const POSTER: Self = Self(1 << 15);
    /// Its class is the name of a table of contents.
    pub(super) const CONTENTS: Self = Self(1 << 18);
    /// A list of tabs.
    pub(super) const TABS: Self = Self(1 << 19);
    /// The part that a page is for, as it says itself.
    pub(super) const MAIN: Self = Self(1 << 20);
    /// A block that only readers of screens are not told of: a closed panel when it holds paragraphs, else hidden.
    pub(super) const VEILED: Self = Self(1 << 21);
    /// Its class calls it what stands beside the text.
    pub(super) const SIDEBAR: Self = Self(1 << 17);
    /// Its class calls it what leads to the next page and the one before.
    pub(super) const TURNS: Self = Self(1 << 22);
    /// Its class calls it a menu across the top of a page.
    pub(super) const BAR: Self = Self(1 << 23);
    /// Its class calls it the entry of a menu that stands for the page itself.
    pub(super) const CURRENT: Self = Self(1 << 24);
    /// Its class says that it is not shown: it is for ears alone.
    pub(super) const UNSEEN: Self = Self(1 << 25);
    /// Its class says that it tells how many there are.
    pub(super) const COUNT: Self = Self(1 << 26);
    /// What classes say of the place that an element has on its page.
    const PLACE: Self = Self::SIDEBAR
        .with(Self::TURNS)
        .with(Self::BAR)
        .with(Self::CURRENT)
        .with(Self::UNSEEN)
        .with(Self::COUNT);

    /// Whether any of `other` is in it.
    pub(super) fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both.
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in both.
    pub(super) const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in it and not in the other.
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Forgets what would keep the element out of the content.
    pub(super) fn clear_exclusions(&mut self) {
        let page =
            Self::HIDDEN.with(Self::NAVIGATION).with(Self::MARGIN).with(Self::CHROME).with(Self::SUSPECT);
        let beside = Self::CREDITS.with(Self::BYLINE).with(Self::BESIDE).with(Self::POSTER).with(Self::LOOK);
        *self = self.without(page.with(beside));
    }

    /// Takes the element for hidden, whatever else was known about it.
    pub(super) fn hide(&mut self) {
        *self = Self::HIDDEN.with(self.only(Self::CONTENTS.with(Self::TABS).with(Self::PLACE)));
    }

    fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// What is known about one element.
pub(super) fn of<'a>(tree: &Tree<'a>, node: NodeId, classes: &mut Classes<'a>) -> Marks {
    let tag = tree.tag(node);
    let mut marks = by_tag(tag);
    let attributes = tree.attributes(node);
    if attributes.is_empty() {
        return marks;
    }
    for attribute in attributes {
        let value = attribute.value;
        match attribute.name {
            Name::Class => by_class(value, tag, classes, &mut marks),
            Name::Id
                if !matches!(tag, Tag::Body | Tag::Html)
                    && !is_heading_part(tag)
                    && !is_section(tree, node) =>
            {
                by_token(value, &mut marks);
            }
            Name::Role => marks.add(by_role(value)),
            Name::Hidden if !value.eq_ignore_ascii_case("until-found") => marks.add(Marks::HIDDEN),
            Name::AriaHidden if value.eq_ignore_ascii_case("true") => {
                marks.add(if tag.is_block() { Marks::VEILED } else { Marks::HIDDEN });
            }
            Name::Popover => marks.add(Marks::HIDDEN),
            Name::Style if hides(value) => marks.add(Marks::HIDDEN),
            Name::Itemprop if value.eq_ignore_ascii_case("articleBody") => marks.add(Marks::CONTENT),
            _ => {}
        }
    }
    let late = || tree.raw_attribute(node, Name::Id).is_some_and(streamed::is_segment);
    let hidden = Marks::HIDDEN.with(Marks::VEILED);
    if marks.any(hidden) && (is_folded(tree, node) || late()) {
        marks = marks.without(hidden);
    }
    if tag == Tag::Aside && marks.any(Marks::ADMONITION) {
        marks = marks.without(Marks::MARGIN);
    }
    marks
}

/// Words in the names of what is folded up.
const FOLDED: &str = "tabpanel accordion collapse collapsible panel tab tabs answer faq";

/// Panels of tabs and accordions are hidden only until their turn comes.
fn is_folded(tree: &Tree<'_>, node: NodeId) -> bool {
    // The panel of an accordion, as the authoring practices of WAI-ARIA have it.
    if tree.raw_attribute(node, Name::Role) == Some("region") {
        return true;
    }
    let names =
        [Name::Role, Name::Class, Name::Id].into_iter().filter_map(|name| tree.raw_attribute(node, name));
    names
        .flat_map(|value| value.split(|c: char| !c.is_ascii_alphanumeric()))
        .any(|word| FOLDED.split(' ').any(|folded| folded == word))
}

fn is_heading_part(tag: Tag) -> bool {
    tag.heading_level().is_some()
        || matches!(tag, Tag::A | Tag::Dt | Tag::Span | Tag::Code | Tag::Section | Tag::Main | Tag::Article)
}

/// Whether an element is a section of a text that is named after its heading, as generators write it without the tag, with
/// another name that is an empty element: `<div class="section" id="source-code"><a id="code"></a><h2>Source code</h2>`.
fn is_section(tree: &Tree<'_>, node: NodeId) -> bool {
    let is_called_so = |classes: &str| classes.split_ascii_whitespace().any(|class| class == "section");
    tree.raw_attribute(node, Name::Class).is_some_and(is_called_so)
        && tree
            .children(node)
            .find(|&child| tree.tag(child) != Tag::Text && !tree.descendants(child).is_empty())
            .is_some_and(|child| tree.tag(child).heading_level().is_some())
}

fn by_tag(tag: Tag) -> Marks {
    match tag {
        Tag::Main => Marks::MAIN,
        Tag::Nav => Marks::NAVIGATION,
        Tag::Footer | Tag::Aside => Marks::MARGIN,
        Tag::Button | Tag::Input | Tag::Dialog | Tag::Search | Tag::Iframe => Marks::CHROME,
        _ => Marks::default(),
    }
}

fn by_role(role: &str) -> Marks {
    match role.to_ascii_lowercase().as_str() {
        "navigation" | "menu" | "menubar" => Marks::NAVIGATION,
        "contentinfo" | "complementary" | "banner" => Marks::MARGIN,
        "search" | "dialog" | "alertdialog" | "tooltip" => Marks::CHROME,
        "main" => Marks::MAIN,
        "tablist" => Marks::TABS,
        _ => Marks::default(),
    }
}

fn by_class<'a>(value: &'a str, tag: Tag, classes: &mut Classes<'a>, marks: &mut Marks) {
    let said = classes.say(value);
    match tag {
        // How a page looks is no part of it.
        Tag::Html | Tag::Body => marks.add(said.only(Marks::TABS.with(Marks::PLACE))),
        // Such an aside is part of the text.
        Tag::Aside if is_part_of_text(value) => {
            *marks = marks.with(said).without(Marks::MARGIN);
        }
        _ => marks.add(said),
    }
}

/// Whether an aside is a note or a topic of a text, as docutils has them.
fn is_part_of_text(classes: &str) -> bool {
    classes.split_ascii_whitespace().any(|class| matches!(class, "footnote-list" | "footnote" | "topic"))
}

/// Places for lists of classes that are remembered; pages repeat a few dozen.
const REMEMBERED: usize = 128;
/// Places next to each other where one of them may stand.
const NEIGHBOURS: usize = 4;

/// What lists of classes say, each read once unless another one takes its place.
pub(super) struct Classes<'a> {
    /// Each with its key, which tells most apart.
    known: [(u64, &'a str, Marks); REMEMBERED],
}

impl<'a> Classes<'a> {
    pub(super) fn new() -> Self {
        Self { known: [(0, "", Marks::default()); REMEMBERED] }
    }

    fn say(&mut self, classes: &'a str) -> Marks {
        let key = vocabulary::key(classes.as_bytes());
        let first = vocabulary::slot(key, REMEMBERED);
        let mut places = (first..first + NEIGHBOURS).map(|place| place % REMEMBERED);
        let is_its = |&place: &usize| {
            let (its, known, _) = self.known[place];
            known.is_empty() || its == key && known == classes
        };
        let place = places.find(is_its).unwrap_or(first);
        let (its, known, marks) = &mut self.known[place];
        if *known != classes {
            (*its, *known, *marks) = (key, classes, by_classes(classes));
        }
        *marks
    }
}

fn by_classes(classes: &str) -> Marks {
    let mut marks = Marks::default();
    for class in classes.split_ascii_whitespace() {
        match class {
            "toc" | "table-of-contents" | "TOC" => marks.add(Marks::CONTENTS),
            "tablist" | "nav-tabs" | "tab-list" => marks.add(Marks::TABS),
            _ => {}
        }
        by_token(class, &mut marks);
    }
    for word in classes.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()) {
        if let Some(place) = names::of_place(word) {
            marks.add(place);
        }
    }
    marks
}

fn by_token(token: &str, marks: &mut Marks) {
    // Hashed names of CSS modules keep the author's word in front: `admonitionHeading_Gvgb`.
    let stem = token.split_once('_').filter(|(_, rest)| is_hash(rest)).map_or(token, |(stem, _)| stem);
    let found = names::of_name(token.as_bytes())
        .or_else(|| (stem.len() < token.len()).then(|| names::of_name(stem.as_bytes())).flatten());
    if let Some(found) = found {
        marks.add(found);
    }
    let bytes = token.as_bytes();
    let mut start = 0;
    for at in 1..=bytes.len() {
        let ends = at == bytes.len()
            || !bytes[at].is_ascii_alphanumeric()
            || (bytes[at].is_ascii_uppercase() && !bytes[at - 1].is_ascii_uppercase());
        if ends {
            if let Some(found) = bytes.get(start..at).and_then(names::of_word) {
                marks.add(found);
            }
            start = if bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) { at } else { at + 1 };
        }
    }
}

/// What a bundler adds to a class to make it unique: small letters among numbers or capitals.
fn is_hash(text: &str) -> bool {
    let mixed = text.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
    mixed
        && (4..=10).contains(&text.len())
        && text.bytes().any(|b| b.is_ascii_lowercase())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn hides(style: &str) -> bool {
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(property, value)| {
        let is = |name: &str, hidden: &str| {
            property.trim().eq_ignore_ascii_case(name)
                && strip_prefix_ignore_case(value.trim_start(), hidden).is_some()
        };
        is("display", "none") || is("visibility", "hidden")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(html: &str) -> Marks {
        of(&Tree::of(html), 1, &mut Classes::new())
    }

    #[test]
    fn names_of_generators_are_known() {
        assert!(marks("<div class='x theme-doc-markdown markdown'>").any(Marks::CONTENT));
        assert!(marks("<div class=admonitionHeading_Gvgb>").any(Marks::CAPTION));
        assert!(marks("<div class=post-shareButtons>").any(Marks::SUSPECT));
        assert!(marks("<a class=headerlink>").any(Marks::CHROME));
        assert!(marks("<div id=pageSidebar>").any(Marks::SUSPECT));
        assert!(!marks("<div id=TOC_TITLE_2>").any(Marks::NAVIGATION));
    }

    #[test]
    fn hidden_in_every_way() {
        for html in ["<p hidden>", "<i aria-hidden=true>", "<p style='color:red;DISPLAY : None'>"] {
            assert!(marks(html).any(Marks::HIDDEN), "{html}");
        }
        assert!(marks("<p style='display:block;visibility:hidden'>").any(Marks::HIDDEN));
        assert!(!marks("<p style='backface-visibility:hidden'>").any(Marks::HIDDEN));
        for html in ["<p hidden=until-found>", "<div hidden role=tabpanel>", "<p style='display:block'>"] {
            assert!(!marks(html).any(Marks::HIDDEN), "{html}");
        }
    }
}
