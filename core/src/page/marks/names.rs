//! The names that generators, content systems and widely used themes give to the parts of their pages; they stand
//! for whole families of sites, never for one.

use super::Marks;
use crate::page::vocabulary::WordIndex;

macro_rules! words {
    ($names:ident, $marks:ident: $($mark:ident { $($word:literal)* })*) => {
        const $names: &[&str] = &[$($($word),*),*];
        const $marks: &[Marks] = &[$($({ let _ = $word; Marks::$mark }),*),*];
    };
}

words! { NAMES, NAME_MARKS:
    CONTENT {
        "markdown-body" "entry-content" "post-content" "article-content" "article-body" "article__body" "post-body"
        "post_content" "content-body" "page-inner" "articlecontent" "article_body" "article_content" "article-main"
        "article__text" "body-copy" "blog-content" "single-post-content" "td-post-content" "c-entry-content"
        "node__content" "theme-doc-markdown" "md-content__inner" "furo-main-content" "vp-doc" "apicontent"
        "markdown-section" "sl-markdown-content" "mw-parser-output" "td-content" "doc-content" "documentation-content"
        "bd-article"
    }
    NAVIGATION {
        "toc" "table-of-contents" "tableofcontents" "on-this-page" "page-toc" "localtoc" "sphinxsidebar"
        "sphinxsidebarwrapper" "wy-nav-side" "wy-nav-top" "wy-side-nav-search" "md-sidebar" "md-header" "md-tabs"
        "md-nav" "sidebar" "sidebar-drawer" "toc-drawer" "toc-tree" "vpnav" "vpsidebar" "vplocalnav" "vpdocaside"
        "bd-sidebar-primary" "bd-sidebar-secondary" "bd-header" "bd-toc" "theme-doc-sidebar-container"
        "theme-doc-toc-mobile" "theme-doc-toc-desktop" "table-of-contents__left-border" "navbar" "menu-bar" "topnav"
        "top-nav" "bottomnav" "subnav" "sub-nav" "gtoc" "column2" "headertitle" "titlearea" "main-nav" "nav-path"
        "navpath" "navrow1" "navrow2" "side-nav" "mobile-nav" "mobile-header" "td-sidebar" "td-sidebar-nav" "td-toc"
        "book-menu" "book-toc" "book-summary" "site-header" "site-nav" "site-navigation" "main-navigation"
        "wp-block-navigation" "global-nav" "nav-content" "mobile-menu" "offcanvas" "navheader" "sidebar-nav"
        "mw-navigation" "mw-panel" "vector-header" "sidetoc" "right-toc" "toc-container"
    }
    MARGIN {
        "footer" "site-footer" "page-footer" "md-footer" "vpfooter" "vpdocfooter" "theme-doc-footer" "cookie-banner"
        "cookie-consent" "cookie-notice" "cookie-law-info-bar" "onetrust-consent-sdk" "cybotcookiebotdialog"
        "gdpr-cookie-notice" "navfooter" "catlinks" "printfooter" "rst-versions" "rst-footer-buttons" "bd-footer"
        "prev-next-footer" "mw-footer" "colophon" "sphinx-version-warning" "sharedaddy" "related-posts"
        "post-navigation" "navigation-footer" "author-box" "sponsors"
    }
    CHROME {
        "headerlink" "hash-link" "header-anchor" "anchor-link" "permalink" "heading-anchor" "anchorjs-link" "copybtn"
        "copy-button" "copy-btn" "btn-clipboard" "clipboard-copy" "zeroclipboard-container" "theme-doc-breadcrumbs"
        "breadcrumb" "breadcrumbs" "wy-breadcrumbs" "pagination-nav" "edit-this-page" "view-this-page"
        "content-icon-container" "md-source-file" "md-content__button" "md-top" "nav-wrapper" "nav-wide-wrapper"
        "nav-chapters" "skip-link" "skip-to-content" "skiplink" "mw-editsection" "mw-jump-link" "viewcode-link"
        "viewcode-back" "theme-edit-this-page" "theme-last-updated" "back-to-top" "backtotop" "code-copy"
        "copy-code-button" "rustdoc-toolbar" "copy-path" "version_switcher_placeholder"
        "language_switcher_placeholder" "octicon-link" "srclink-permalink" "memsearchbox" "msearchselectwindow"
        "msearchresultswindow" "gh-edit" "buttons" "sr-only-focusable" "feedback-widget" "related-pages"
        "page-nav" "docs-prevnext" "sl-anchor-link" "hidden-print" "source-code" "source_code" "method-source-code"
        "mathjax_preview" "page-info"
    }
    ADMONITION {
        "admonition" "admonitionblock" "theme-admonition" "custom-block" "markdown-alert" "callout" "hint"
        "starlight-aside" "bd-callout" "note" "warning" "tip" "important" "caution" "danger" "alert" "docutils-note"
        "seealso" "notecard" "admon" "blockquote-alert" "blockquote-tag" "deprecation-block" "preview-block" "stab"
    }
    CAPTION {
        "admonition-title" "admonitionheading" "custom-block-title" "markdown-alert-title" "starlight-aside__title"
        "blockquote-tag-title" "callout-title" "callout-header" "alert-heading" "alert-title"
    }
    LINE_NUMBERS {
        "linenos" "lineno" "blob-num" "linenodiv" "line-number" "line-numbers-rows" "hljs-ln-numbers" "rouge-gutter"
        "gutter" "lnt" "ln" "line-numbers-wrapper" "src-line-numbers" "codeline-number" "react-code-line-number"
    }
    SUSPECT {
        "hidden" "is-hidden" "d-none" "visually-hidden" "sr-only" "screen-reader-text" "screen-reader-only"
        "external-link-icon-sr-only"
    }
    COMMENTS {
        "comments" "respond"
    }
    BYLINE {
        "posted-on" "postinfo" "reading-time" "article-info" "post-categories" "cat-links" "kicker" "eyebrow"
    }
    BESIDE {
        "authorbox" "author-details" "latest-news" "next-prev" "prev-next" "nav-next" "print-header" "breaking-news"
        "ticker" "wp-polls" "call-to-action"
    }
    LOOK {
        "widget" "textwidget"
    }
    POSTER {
        "message-userextras" "usertitle" "message-lastedit" "message-attribution-opposite" "p-description"
        "postprofile" "signature" "post-signature" "user-signature" "userstats" "reactionsbar" "ipsreact"
        "ctopicoverview" "ctopicpostarea" "ipspageheader__meta" "postcontrols"
    }
    LISTING {
        "fragment" "memproto" "monospace"
    }
    MATH {
        "math" "arithmatex" "math-inline" "math-display" "tex2jax_process" "katex" "mathjax" "mathjax_display"
        "mwe-math-element"
    }
}

words! { WORDS, WORD_MARKS:
    SUSPECT {
        "sidebar" "footer" "breadcrumb" "breadcrumbs" "share" "social" "related" "recommended" "recommendations"
        "subscribe" "subscription" "signup" "sponsor" "navbar" "pagination" "pager" "paging" "login" "toc"
        "disclaimer" "bio" "feedback"
    }
    LOOK {
        "menu" "nav" "banner" "dropdown" "toolbar" "search" "print" "skip" "navigation" "notification" "follow"
    }
    INTRUDER {
        "cookie" "cookies" "newsletter" "advertising" "ads" "ad" "sponsored" "popup" "modal" "trending" "upsell"
    }
    BESIDE {
        "tags" "tooltip" "loading" "loader" "facets" "filters" "swatch" "swatches" "recirculation" "gallery" "banners"
        "webring"
    }
    COMMENTS {
        "reviews" "comments" "commentlist"
    }
    CREDITS {
        "caption" "credit" "credits" "attribution" "figcaption"
    }
    BYLINE {
        "byline" "dateline" "timestamp" "meta" "date" "author" "authors"
    }
}

// Told of whole words in classes alone, however a theme looks: where links stand, and what they are to the page.
words! { PLACES, PLACE_MARKS:
    TURNS {
        "next" "prev" "previous" "pagination" "pager" "prevnext"
    }
    BAR {
        "navbar" "topnav" "topbar" "menubar" "header"
    }
    SIDEBAR {
        "sidebar" "sidenav"
    }
    CURRENT {
        "current" "active" "selected"
    }
    UNSEEN {
        "sr" "visually" "visuallyhidden"
    }
    COUNT {
        "count" "counter" "tally" "total" "badge" "num"
    }
}

static NAME_INDEX: WordIndex<1024> = WordIndex::new(NAMES);
static WORD_INDEX: WordIndex<256> = WordIndex::new(WORDS);
static PLACE_INDEX: WordIndex<64> = WordIndex::new(PLACES);

/// What a class or an id as a whole says.
pub(super) fn of_name(name: &[u8]) -> Option<Marks> {
    NAME_INDEX.find(NAMES, name).and_then(|at| NAME_MARKS.get(at).copied())
}

/// What one word of a class or an id says.
pub(super) fn of_word(word: &[u8]) -> Option<Marks> {
    WORD_INDEX.find(WORDS, word).and_then(|at| WORD_MARKS.get(at).copied())
}

/// What a word of a class says of the place that an element has on its page.
pub(super) fn of_place(word: &[u8]) -> Option<Marks> {
    PLACE_INDEX.find(PLACES, word).and_then(|at| PLACE_MARKS.get(at).copied())
}
