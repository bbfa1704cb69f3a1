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
        "markdown-body" "entry-content" "post-content" "article-content" "article-body" "articlebody" "article__body"
        "article__content" "post-body" "post__content" "post_content" "blog-post-content" "story-body" "postcontent"
        "content-body" "page-inner" "post-entry" "article-text" "articletext" "article-copy" "articlecontent"
        "single-content" "news-text" "article_body" "article_content" "entry__content" "article-main" "article__text"
        "body-copy" "blog-content" "single-post-content" "td-post-content" "c-entry-content" "node__content"
        "content__body" "theme-doc-markdown" "md-content__inner" "furo-main-content" "vp-doc" "apicontent"
        "markdown-section" "sl-markdown-content" "mw-parser-output" "td-content" "doc-content" "documentation-content"
        "bd-article"
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
        "octicon-link" "srclink-permalink" "memsearchbox" "msearchselectwindow" "msearchresultswindow"
        "gh-edit" "page-actions" "article-actions" "buttons" "sr-only-focusable" "picker" "feedback-widget"
        "clear-both" "related-pages" "page-nav" "docs-prevnext" "sl-anchor-link" "linkback" "hidden-print"
        "source-code" "source_code" "method-source-code" "mathjax_preview"
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
    SUSPECT { "hidden" "is-hidden" "d-none" "visually-hidden" "sr-only" "screen-reader-text" "screen-reader-only"
        "external-link-icon-sr-only" }
    COMMENTS {
        "comments" "comment-list" "commentlist" "comments-area" "comments-section" "comment-section" "respond"
    }
    BYLINE {
        "entry-meta" "post-meta" "article-meta" "postmeta" "post-date" "entry-date" "posted-on" "posted-by"
        "publish-date" "published-date" "last-updated" "lastupdated" "article-date" "post-info" "postinfo"
        "reading-time" "read-time" "article-info" "story-meta" "entry-footer" "post-footer" "article-tags" "post-tags"
        "post-categories" "tags-links" "cat-links" "entry-categories" "post-author" "entry-author" "article-author"
        "submitted" "kicker" "eyebrow" "post-details"
    }
    BESIDE {
        "author-box" "authorbox" "author-bio" "author-info" "author-details" "about-author" "about-the-author"
        "recentcomments" "latest-news" "most-popular" "next-prev" "prev-next" "post-nav" "nextprev" "nav-links"
        "nav-previous" "nav-next" "print-header" "print-only" "visible-print" "noprint" "no-print" "read-next"
        "breaking-news" "ticker" "twitter-timeline" "wp-polls" "fb-page" "feature-posts" "recently-viewed"
        "screen-reader-shortcut" "cart-drawer" "minicart" "mini-cart" "wp-block-gallery" "call-to-action" "read-more"
    }
    LOOK {
        "widget" "widgets" "widget-area" "widget-container" "sidebar-widget" "textwidget" "blog-widget"
        "footer-widget" "widget_text"
    }
    POSTER {
        "message-userextras" "message-usertitle" "usertitle" "message-userbanner" "userbanner" "message-signature"
        "message-lastedit" "message-attribution-opposite" "p-description" "postprofile" "cauthorpane_info"
        "cauthorpane_photo" "signature" "post-signature" "user-signature" "postdetails" "userstats" "reactionsbar"
        "ipscomment_controls" "ipsreact" "author_statistics" "post_meta" "cguestteaser" "ctopicoverview"
        "ctopicpostarea" "ipspageheader__meta" "post-buttons" "postcontrols"
    }
    LISTING { "fragment" "memproto" }
    MATH {
        "math" "arithmatex" "math-inline" "math-display" "tex2jax_process" "katex" "mathjax" "mathjax_display"
        "mwe-math-element"
    }
}

words! { WORDS, WORD_MARKS:
    SUSPECT {
        "sidebar" "footer" "breadcrumb" "breadcrumbs" "share" "sharing" "social" "related" "recommended"
        "recommendations" "subscribe" "subscription"
        "signup" "sponsor"
        "navbar" "pagination" "pager" "paging"
        "topbar" "login" "respond" "disqus" "tagcloud" "toc"
        "popular" "copyright" "disclaimer"
        "megamenu" "bio"
        "feedback" "paywall" "donate" "donation"
    }
    LOOK {
        "menu" "nav" "banner" "dropdown" "drawer" "flyout" "toolbar" "search" "print" "skip"
        "navigation" "masthead" "survey" "notification" "toast" "follow"
    }
    INTRUDER {
        "cookie" "cookies" "consent" "gdpr" "newsletter" "advert" "advertisement" "advertising" "ads" "ad"
        "sponsored" "popup" "modal" "overlay" "outbrain" "taboola" "trending" "upsell"
    }
    BESIDE {
        "tags" "tooltip" "lightbox" "loading" "loader" "facets" "filters" "swatch" "swatches" "recirc" "recirculation"
        "gallery" "banners" "webring" "leaderboard" "webform"
    }
    COMMENTS { "reviews" }
    CREDITS { "caption" "captions" "credit" "credits" "attribution" "photographer" "figcaption" }
    BYLINE { "byline" "dateline" "timestamp" "meta" "date" "datetime" "author" "authors" "pubdate" }
}

static NAME_INDEX: WordIndex<1024> = WordIndex::new(NAMES);
static WORD_INDEX: WordIndex<256> = WordIndex::new(WORDS);

/// What a class or an id as a whole says.
pub(super) fn of_name(name: &[u8]) -> Option<Marks> {
    NAME_INDEX.find(NAMES, name).and_then(|at| NAME_MARKS.get(at).copied())
}

/// What one word of a class or an id says.
pub(super) fn of_word(word: &[u8]) -> Option<Marks> {
    WORD_INDEX.find(WORDS, word).and_then(|at| WORD_MARKS.get(at).copied())
}
