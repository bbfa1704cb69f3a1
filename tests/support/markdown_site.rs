//! A site of one shell below `/docs/` that shows Markdown files, each under a route behind the `#`.

use super::fake_site::Reply;

const SHELL: &str = "<!doctype html><html lang=en><head><title>Tide</title></head><body><div id=app></div>\
    <script>window.$show = { menu: 'menu.md', alias: '/.*/other.md' }</script><script src=show.js></script></body></html>";

/// Shows the first file beside the menu, as what is at hand behind the real ones does.
const SHOW: &str = r#"
const text = async (file) => (await fetch(file)).text();
const route = (to) => '#/' + to.replace(/^#?\//, '').replace(/\.md$/, '');
const inline = (line) => line.replace(/\[(.*?)\]\((.*?)\)/g, (_, label, to) => `<a href="${route(to)}">${label}</a>`);
const html = (markdown) => markdown.split('\n').map((line) => line.startsWith('# ') ? `<h1>${line.slice(2)}</h1>`
  : line.trim().startsWith('- ') ? `<li>${inline(line.trim().slice(2))}</li>` : `<p>${inline(line)}</p>`).join('');
(async () => { app.innerHTML = `<nav><ul>${html(await text($show.menu))}</ul></nav><main>${html(await text('README.md'))}</main>`; })();
"#;

const MENU: &str = "- Gauges\n  - [Building a gauge](/build)\n  - [Reading a gauge](#/read?id=top)\n- Water\n  \
    - [Deep water](deep/)\n  - [Shallow water](deep/shallow.md)\n";

/// The pages of the site but the first, as the index should link to them.
pub(crate) const PAGES: [&str; 4] = ["build.md", "read.md", "deep/README.md", "deep/shallow.md"];

fn file(path: &str) -> Option<&'static str> {
    Some(match path {
        "menu.md" => MENU,
        "README.md" => {
            "# Tide\n\nHow the tide is measured, by whom, and what lives in the [deep](#/deep/).\n"
        }
        "build.md" => {
            "# Building a gauge\n\nA gauge is a pipe, a float and a pen. [Read it](/read) every hour.\n"
        }
        "read.md" => "# Reading a gauge\n\nThe pen writes down the height of the water, hour by hour.\n",
        "deep/README.md" => "# Deep water\n\nDeep water is dark and cold. [Higher up](shallow) it is not.\n",
        "deep/shallow.md" => {
            "# Shallow water\n\nWhat lives in shallow water sees the sun and fears the birds.\n"
        }
        _ => return None,
    })
}

/// What the site answers.
pub(crate) fn markdown_site(path: &str) -> Reply {
    match path.strip_prefix("/docs/") {
        Some("") => Reply::html(SHELL),
        Some("show.js") => Reply::bytes("text/javascript", SHOW),
        Some(path) => {
            file(path).map_or_else(|| Reply::status(404), |file| Reply::bytes("text/markdown", file))
        }
        None => Reply::status(404),
    }
}
