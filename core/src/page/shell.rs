//! Whether a page is an empty shell: next to no text, and scripts that promise more.

use super::survey::Survey;
use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};

/// Bytes of Markdown below which a page with scripts may be a shell.
pub(super) const SHELL_TEXT: usize = 200;
/// Characters of text on the whole page from which it is none, whatever became of it.
const PAGE_TEXT: f32 = 600.0;
/// Bytes of text that stand where a page is still to come: a name, "Loading", a cookie wall's button.
const WAITING_TEXT: usize = 80;
/// Links from which a page leads somewhere, even if it says nothing.
const MENU: usize = 3;

/// Whether the page that `markdown` was made of is filled by scripts alone.
pub(super) fn is_shell(tree: &Tree<'_>, survey: &Survey, markdown: &str) -> bool {
    if markdown.len() >= SHELL_TEXT {
        return false;
    }
    if markdown.trim().len() < WAITING_TEXT && gives_up(tree) {
        return true;
    }
    if survey.all(0) >= PAGE_TEXT {
        return false;
    }
    let scripts: Vec<NodeId> = tree.all(Tag::Script).filter(|&n| runs(tree, n)).collect();
    if scripts.is_empty() {
        return false;
    }
    let text = markdown.trim();
    let loads = scripts.iter().any(|&n| tree.raw_attribute(n, Name::Src).is_some());
    let links = || tree.descendants(0).filter(|&n| tree.tag(n) == Tag::A);
    let waits = loads && text.len() < WAITING_TEXT && !text.contains("](") && links().nth(MENU - 1).is_none();
    waits || (text.is_empty() && scripts.len() > 1) || has_mount(tree) || asks_for_scripts(tree, text)
}

/// Whether an empty element waits for a script to fill it with the page.
pub(super) fn has_mount(tree: &Tree<'_>) -> bool {
    tree.descendants(0).any(|n| {
        tree.node(n).end == n + 1
            && tree.raw_attribute(n, Name::Id).is_some_and(|id| {
                matches!(
                    id,
                    "root" | "app" | "__next" | "__nuxt" | "svelte" | "___gatsby" | "main" | "application"
                )
            })
    })
}

/// Whether the server left a part to the browser, as React's do: a template says why.
fn gives_up(tree: &Tree<'_>) -> bool {
    tree.all(Tag::Template).any(|n| tree.raw_attribute(n, Name::DataDgst).is_some())
}

/// Whether a script is one, and no data.
fn runs(tree: &Tree<'_>, script: NodeId) -> bool {
    tree.raw_attribute(script, Name::Type)
        .is_none_or(|kind| kind.is_empty() || kind == "module" || kind.contains("javascript"))
}

/// Whether readers without scripts are told that they need them.
fn asks_for_scripts(tree: &Tree<'_>, text: &str) -> bool {
    let names_them = |text: &str| text.to_ascii_lowercase().contains("javascript");
    let mut notes = tree.descendants(0).filter(|&n| tree.tag(n) == Tag::Noscript);
    names_them(text) || notes.any(|n| names_them(&tree.folded_text(n, 400)))
}

#[cfg(test)]
mod tests {
    use crate::page::{PageSource, read_html};
    use crate::url::SiteUrl;
    use crate::work::Work;

    fn is_shell(html: &str) -> bool {
        let url = SiteUrl::parse("https://tide.dev/").unwrap();
        let source = PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() };
        read_html(&source, &Work::unbounded()).unwrap().shell
    }

    #[test]
    fn pages_filled_by_scripts_are_shells() {
        for html in [
            "<body><div id=root></div><script src=a.js></script>",
            "<body><div id=root></div><script>start()</script>",
            "<body><noscript>You need JavaScript.</noscript><script src=a.js></script>",
            "<head><script defer src=a.js></script></head><body></body>",
            "<body><redoc spec-url=a.json></redoc><script src=a.js></script>",
            "<body><app><div class=loader>LAUNCHING TIDE</div></app><script src=a.js type=module></script>",
            "<body><app-root>Please enable JavaScript to use this application, which shows the height of the tide at \
             any place and time.</app-root><script>start()</script>",
            "<body><div id=banner>We use cookies. <button>Accept</button></div><div id=app></div><script>start()</script>",
        ] {
            assert!(is_shell(html), "{html}");
        }
    }

    #[test]
    fn what_the_server_leaves_to_the_browser_is_a_shell_whatever_stands_around_it() {
        let links = "<li><a href=/a>Of tides and their gauges</a>".repeat(30);
        let page = |text: &str| {
            format!(
                "<main><!--$!--><template data-dgst=BAILOUT></template><p>{text}</p></main><footer>{links}</footer>"
            )
        };
        assert!(is_shell(&page("Loading…")));
        assert!(!is_shell(&page(&"The water stands high in the harbour. ".repeat(8))));
    }

    #[test]
    fn pages_with_text_or_links_are_no_shells() {
        let text = "Gauges measure tides, in harbours and far out, and write down the height of the water. "
            .repeat(4);
        for html in [
            "<body><p>Short, but all there is.</p>",
            "<body><p>Short, but all there is.</p><script type=application/ld+json>{}</script>",
            "<body><h1>It works</h1><p>This is the page that is shown as long as there is no other: come back in a few days, please.\
             </p><script src=count.js></script>",
            "<body><ul><li><a href=a>A</a><li><a href=b>B</a><li><a href=c>C</a></ul><script src=count.js></script>",
            &format!(
                "<body><div id=root><p>{text}</div><noscript>You need JavaScript.</noscript><script src=a.js></script>"
            ),
        ] {
            assert!(!is_shell(html), "{html}");
        }
    }
}
