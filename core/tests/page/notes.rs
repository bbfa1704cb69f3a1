//! Notes and warnings of every generator: a quote with a title.

use super::support::markdown;

#[test]
fn notes_are_titled_quotes() {
    for (html, title) in [
        // Sphinx, MkDocs, Docusaurus, VitePress, mdBook.
        ("<div class='admonition note'><p class=admonition-title>Note</p><p>text</p></div>", "Note"),
        ("<details class=warning open><summary>Mind this</summary><p>text</p></details>", "Mind this"),
        (
            "<div class='theme-admonition theme-admonition-tip alert alert--success'><div class=admonitionHeading_Gvgb>\
             <span><svg></svg></span>tip</div><div class=admonitionContent_x><p>text</p></div></div>",
            "tip",
        ),
        ("<div class='tip custom-block'><p class=custom-block-title>TIP</p><p>text</p></div>", "TIP"),
        (
            "<blockquote class='blockquote-tag blockquote-tag-note'><p class=blockquote-tag-title>Note</p><p>text</p></blockquote>",
            "Note",
        ),
        (
            "<div id=a class='admonition admonish-bug'><div class=admonition-title><p>Bug</p></div><div><p>text</p></div></div>",
            "Bug",
        ),
        // AsciiDoc with words and with icons, DocBook.
        (
            "<div class='admonitionblock note'><table><tr><td class=icon><div class=title>Note</div><td class=content>text</table></div>",
            "Note",
        ),
        (
            "<div class='admonitionblock tip'><table><tr><td class=icon><i class='fa icon-tip' title=Tip></i><td>text</table></div>",
            "Tip",
        ),
        ("<div class=note><h3 class=title>Note</h3><p>text</p></div>", "Note"),
        // GitHub, rustdoc, Starlight, Docsy, Quarto, GitBook.
        (
            "<div class='markdown-alert markdown-alert-warning'><p class=markdown-alert-title><svg></svg>Warning</p><p>text</p></div>",
            "Warning",
        ),
        ("<div class=warning><p>text</p></div>", "Warning"),
        (
            "<aside class='starlight-aside starlight-aside--note'><p class=starlight-aside__title aria-hidden=true>Note</p>\
             <div class=starlight-aside__content><p>text</p></div></aside>",
            "Note",
        ),
        (
            "<div class='alert alert-primary'><h4 class=alert-heading>Heads up</h4><p>text</p></div>",
            "Heads up",
        ),
        (
            "<div class='callout callout-tip'><div class=callout-header><div>Try it</div></div><div><p>text</p></div></div>",
            "Try it",
        ),
        ("<div class='hint hint-info'><p>text</p></div>", "Info"),
    ] {
        assert_eq!(
            markdown(&format!("<p>before</p>{html}")),
            format!("before\n\n> **{title}**\n>\n> text"),
            "{html}"
        );
    }
}

#[test]
fn admonitions_are_titled_once() {
    assert_eq!(
        markdown("<p>before it all</p><div class='alert alert-warning'><b>Warning:</b> text</div>"),
        "before it all\n\n> **Warning:** text"
    );
    assert_eq!(markdown("<p>before it all</p><div class='alert alert-warning'></div>"), "before it all");
}
