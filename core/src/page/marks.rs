//! What the classes, ids, roles and tags of an element say about its part in the page.
//!
//! The names are those that documentation generators, content systems and widely used themes give to their
//! parts; they stand for whole families of sites, never for one.

use super::tree::{NodeId, Tree};
use super::vocabulary::{Index, Name, Tag};

/// A set of things known about an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Marks(u16);

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

    /// Whether any of `other` is in it.
    pub(super) fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both.
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Forgets what would keep the element out of the content.
    pub(super) fn clear_exclusions(&mut self) {
        self.0 &= !(Self::HIDDEN.0 | Self::NAVIGATION.0 | Self::MARGIN.0 | Self::CHROME.0 | Self::SUSPECT.0);
    }

    fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

macro_rules! words {
    ($names:ident, $marks:ident: $($mark:ident { $($word:literal)* })*) => {
        const $names: &[&str] = &[$($($word),*),*];
        const $marks: &[Marks] = &[$($({ let _ = $word; Marks::$mark }),*),*];
    };
}

words! { NAMES, NAME_MARKS:
    CONTENT {
        "theme-doc-markdown" "md-content__inner" "furo-main-content" "vp-doc" "apicontent" "markdown-body"
        "markdown-section" "sl-markdown-content" "entry-content" "post-content" "article-content"
        "article-body" "articlebody" "article__body" "article__content" "post-body" "mw-parser-output"
        "td-content" "doc-content" "post__content" "post_content" "blog-post-content" "story-body"
        "postcontent" "entrytext" "content-body" "page-inner" "documentation-content" "bd-article"
    }
    NAVIGATION {
        "toc" "table-of-contents" "tableofcontents" "on-this-page" "page-toc" "localtoc" "sphinxsidebar"
        "sphinxsidebarwrapper" "wy-nav-side" "wy-nav-top" "wy-side-nav-search" "md-sidebar" "md-header"
        "md-tabs" "md-nav" "sidebar" "sidebar-drawer" "toc-drawer" "toc-tree" "vpnav" "vpsidebar"
        "vplocalnav" "vpdocaside" "bd-sidebar-primary" "bd-sidebar-secondary" "bd-header" "bd-toc"
        "theme-doc-sidebar-container" "theme-doc-toc-mobile" "theme-doc-toc-desktop"
        "table-of-contents__left-border" "navbar" "menu-bar" "topnav" "top-nav" "bottomnav" "subnav"
        "sub-nav" "gtoc" "column2" "headertitle" "titlearea" "main-nav" "nav-path" "navpath" "navrow1" "navrow2"
        "side-nav" "mobile-nav" "mobile-header" "td-sidebar" "td-sidebar-nav" "td-toc" "book-menu"
        "book-toc" "book-summary" "site-header" "site-nav" "site-navigation" "main-navigation"
        "wp-block-navigation" "global-nav" "nav-content" "mobile-menu" "offcanvas" "navheader"
        "sidebar-nav" "mw-navigation" "mw-panel" "vector-header" "sidetoc" "right-toc" "toc-container"
    }
    MARGIN {
        "footer" "site-footer" "page-footer" "md-footer" "vpfooter" "vpdocfooter" "theme-doc-footer"
        "cookie-banner" "cookie-consent" "cookie-notice" "cookie-law-info-bar" "onetrust-consent-sdk"
        "cybotcookiebotdialog" "gdpr-cookie-notice" "navfooter" "catlinks" "printfooter" "rst-versions"
        "rst-footer-buttons" "bd-footer" "prev-next-footer" "mw-footer" "colophon" "sphinx-version-warning"
        "jp-relatedposts" "sharedaddy" "addtoany_share_save_container" "wprm-recipe-jump" "disqus_thread"
        "related-posts" "post-navigation" "navigation-footer" "skiptranslate" "author-box" "sponsors"
    }
    CHROME {
        "headerlink" "hash-link" "header-anchor" "anchor-link" "permalink" "heading-anchor" "anchorjs-link"
        "copybtn" "copy-button" "copy-btn" "btn-clipboard" "clipboard-copy" "zeroclipboard-container"
        "theme-doc-breadcrumbs" "breadcrumb" "breadcrumbs" "wy-breadcrumbs" "pagination-nav"
        "edit-this-page" "view-this-page" "content-icon-container" "md-source-file" "md-content__button"
        "md-top" "nav-wrapper" "nav-wide-wrapper" "nav-chapters" "skip-link" "skip-to-content" "skiplink"
        "mw-editsection" "mw-jump-link" "viewcode-link" "viewcode-back" "page__share" "share-buttons"
        "theme-edit-this-page" "theme-last-updated" "back-to-top" "backtotop" "code-copy" "copy-code-button"
        "rustdoc-toolbar" "copy-path" "version_switcher_placeholder" "language_switcher_placeholder"
        "inline-search" "searchbox" "search-wrapper" "tocmobile" "theme-toggle-container" "buttongroup"
        "octicon-link" "srclink-permalink" "memsearchbox" "msearchselectwindow" "msearchresultswindow"
        "gh-edit" "page-actions" "article-actions" "buttons" "sr-only-focusable" "picker" "feedback-widget"
        "clear-both" "related-pages" "page-nav" "docs-prevnext" "sl-anchor-link" "linkback" "hidden-print"
    }
    ADMONITION {
        "admonition" "admonitionblock" "theme-admonition" "custom-block" "markdown-alert" "callout" "hint"
        "starlight-aside" "bd-callout" "note" "warning" "tip" "important" "caution" "danger" "alert" "docutils-note"
        "seealso" "notecard" "admon" "blockquote-alert" "blockquote-tag" "deprecation-block" "preview-block" "stab"
    }
    CAPTION {
        "admonition-title" "admonitionheading" "custom-block-title" "markdown-alert-title"
        "starlight-aside__title" "blockquote-tag-title" "callout-title" "callout-header" "alert-heading" "alert-title"
    }
    LINE_NUMBERS {
        "linenos" "lineno" "blob-num" "linenodiv" "line-number" "line-numbers-rows" "hljs-ln-numbers" "rouge-gutter"
        "gutter" "lnt" "ln" "line-numbers-wrapper" "src-line-numbers" "codeline-number" "react-code-line-number"
    }
    SUSPECT { "hidden" "is-hidden" "d-none" "visually-hidden" "sr-only" "screen-reader-text" "screen-reader-only" }
    COMMENTS {
        "comments" "comment-list" "commentlist" "comments-area" "comments-section" "comment-section" "respond"
        "comment-respond" "commentform" "comments-wrapper" "comments-container" "post-comments" "livefyre"
        "disqus" "fb-comments" "fb_comments" "commentarea" "article-comments" "comments__list" "comment-form"
    }
    LISTING { "fragment" "memproto" }
    MATH { "math" "arithmatex" "math-inline" "math-display" "tex2jax_process" }
}

words! { WORDS, WORD_MARKS:
    SUSPECT {
        "sidebar" "footer" "breadcrumb" "breadcrumbs" "share" "sharing" "social" "related" "recommended"
        "recommendations" "cookie" "cookies" "consent" "gdpr" "newsletter" "subscribe" "subscription"
        "signup" "advert" "advertisement" "ads" "ad" "sponsor" "sponsored" "popup"
        "modal" "menu" "nav" "navbar" "navigation" "toolbar" "pagination" "pager" "paging" "widget"
        "widgets" "masthead" "topbar" "login" "respond" "disqus" "tags" "tagcloud" "skip" "toc" "outbrain"
        "taboola" "trending" "popular" "copyright" "disclaimer" "credits" "follow" "banner" "overlay"
        "drawer" "flyout" "dropdown" "megamenu" "search" "print" "bio" "upsell"
        "feedback" "survey" "tooltip" "notification" "toast" "byline" "paywall" "donate" "donation"
    }
}

static NAME_INDEX: Index<1024> = Index::new(NAMES);
static WORD_INDEX: Index<256> = Index::new(WORDS);

/// What is known about one element.
pub(super) fn of(tree: &Tree<'_>, node: NodeId) -> Marks {
    let tag = tree.tag(node);
    let mut marks = by_tag(tag);
    for attribute in tree.attributes(node) {
        let value = attribute.value;
        match attribute.name {
            Name::Class => by_class(value, tag, &mut marks),
            Name::Id
                if !matches!(tag, Tag::Body | Tag::Html)
                    && !is_heading_part(tag)
                    && !is_section(tree, node) =>
            {
                by_token(value, &mut marks);
            }
            Name::Role => marks.add(by_role(value)),
            Name::Hidden if !value.eq_ignore_ascii_case("until-found") => marks.add(Marks::HIDDEN),
            Name::AriaHidden if value.eq_ignore_ascii_case("true") => marks.add(Marks::HIDDEN),
            Name::Style if hides(value) => marks.add(Marks::HIDDEN),
            Name::Itemprop if value.eq_ignore_ascii_case("articleBody") => marks.add(Marks::CONTENT),
            Name::AriaLabel if says_chrome(value) => marks.add(Marks::CHROME),
            _ => {}
        }
    }
    if marks.any(Marks::HIDDEN) && is_folded(tree, node) {
        marks.0 &= !Marks::HIDDEN.0;
    }
    if tag == Tag::Aside && marks.any(Marks::ADMONITION) {
        marks.0 &= !Marks::MARGIN.0;
    }
    marks
}

/// Panels of tabs and accordions are hidden only until their turn comes.
fn is_folded(tree: &Tree<'_>, node: NodeId) -> bool {
    let names =
        [Name::Role, Name::Class, Name::Id].into_iter().filter_map(|name| tree.raw_attribute(node, name));
    names.flat_map(|value| value.split(|c: char| !c.is_ascii_alphanumeric())).any(|word| {
        matches!(
            word,
            "tabpanel"
                | "accordion"
                | "collapse"
                | "collapsible"
                | "panel"
                | "tab"
                | "tabs"
                | "answer"
                | "faq"
        )
    })
}

fn is_heading_part(tag: Tag) -> bool {
    tag.heading_level().is_some()
        || matches!(tag, Tag::A | Tag::Dt | Tag::Span | Tag::Code | Tag::Section | Tag::Main | Tag::Article)
}

/// A part of the text whose id comes from its heading, as docutils and DocBook write it.
fn is_section(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.raw_attribute(node, Name::Class).is_some_and(|classes| {
        classes
            .split_ascii_whitespace()
            .any(|c| c == "section" || c.strip_prefix("sect").is_some_and(|n| n.len() == 1))
    })
}

fn by_tag(tag: Tag) -> Marks {
    match tag {
        Tag::Nav => Marks::NAVIGATION,
        Tag::Footer | Tag::Aside => Marks::MARGIN,
        Tag::Button | Tag::Select | Tag::Textarea | Tag::Input | Tag::Dialog | Tag::Search | Tag::Iframe => {
            Marks::CHROME
        }
        _ => Marks::default(),
    }
}

fn by_role(role: &str) -> Marks {
    match role.to_ascii_lowercase().as_str() {
        "navigation" | "menu" | "menubar" => Marks::NAVIGATION,
        "contentinfo" | "complementary" | "banner" => Marks::MARGIN,
        "search" | "dialog" | "alertdialog" | "tooltip" => Marks::CHROME,
        _ => Marks::default(),
    }
}

fn by_class(classes: &str, tag: Tag, marks: &mut Marks) {
    if matches!(tag, Tag::Html | Tag::Body) {
        return;
    }
    let mut contents = false;
    let mut topic = false;
    for class in classes.split_ascii_whitespace() {
        contents |= class == "contents";
        topic |= matches!(class, "topic" | "local");
        if matches!(class, "footnote-list" | "footnote" | "topic") && tag == Tag::Aside {
            marks.0 &= !Marks::MARGIN.0;
        }
        by_token(class, marks);
    }
    // The table of contents of one page, as docutils writes it.
    if contents && topic {
        marks.add(Marks::NAVIGATION);
    }
    if matches!(tag, Tag::A | Tag::Span | Tag::Code | Tag::Em | Tag::Strong | Tag::Abbr) {
        // Small parts of a text are never notes or menus.
        marks.0 &= !(Marks::ADMONITION.0 | Marks::SUSPECT.0);
    }
}

fn by_token(token: &str, marks: &mut Marks) {
    // Hashed names of CSS modules keep the author's word in front: `admonitionHeading_Gvgb`.
    // A second underscore names a part of the block (`aside__content`), which is not the block itself.
    let stem =
        token.split_once('_').filter(|(_, rest)| !rest.starts_with('_')).map_or(token, |(stem, _)| stem);
    let found = NAME_INDEX
        .find(NAMES, token.as_bytes())
        .or_else(|| (stem.len() < token.len()).then(|| NAME_INDEX.find(NAMES, stem.as_bytes())).flatten());
    if let Some(mark) = found.and_then(|at| NAME_MARKS.get(at)) {
        marks.add(*mark);
    }
    let bytes = token.as_bytes();
    let mut start = 0;
    for at in 1..=bytes.len() {
        let ends = at == bytes.len()
            || !bytes[at].is_ascii_alphanumeric()
            || (bytes[at].is_ascii_uppercase() && !bytes[at - 1].is_ascii_uppercase());
        if ends {
            if let Some(at) = bytes.get(start..at).and_then(|word| WORD_INDEX.find(WORDS, word)) {
                marks.add(WORD_MARKS.get(at).copied().unwrap_or_default());
            }
            start = if bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) { at } else { at + 1 };
        }
    }
}

fn hides(style: &str) -> bool {
    let Some(at) = style.find("display").or_else(|| style.find("visibility")) else { return false };
    let value =
        style.get(at..).and_then(|rest| rest.split_once(':')).map_or("", |(_, value)| value.trim_start());
    value.starts_with("none") || value.starts_with("hidden")
}

fn says_chrome(label: &str) -> bool {
    let known = ["permalink", "direct link to", "copy", "breadcrumb", "skip to", "link to this"];
    known.iter().any(|k| label.get(..k.len()).is_some_and(|start| start.eq_ignore_ascii_case(k)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(html: &str) -> Marks {
        of(&Tree::parse(html), 1)
    }

    #[test]
    fn names_of_generators_are_known() {
        assert!(marks("<div class='x theme-doc-markdown markdown'>").any(Marks::CONTENT));
        assert!(marks("<div class=admonitionHeading_Gvgb>").any(Marks::CAPTION));
        assert!(marks("<div class='contents topic'>").any(Marks::NAVIGATION));
        assert!(!marks("<div class='contents'>").any(Marks::NAVIGATION));
        assert!(marks("<div class=post-shareButtons>").any(Marks::SUSPECT));
        assert!(marks("<a class=headerlink>").any(Marks::CHROME));
    }

    #[test]
    fn hidden_in_every_way() {
        for html in ["<p hidden>", "<p aria-hidden=true>", "<p style='color:red;display : none'>"] {
            assert!(marks(html).any(Marks::HIDDEN), "{html}");
        }
        for html in ["<p hidden=until-found>", "<div hidden role=tabpanel>", "<p style='display:block'>"] {
            assert!(!marks(html).any(Marks::HIDDEN), "{html}");
        }
    }
}
