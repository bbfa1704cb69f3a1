//! Sites of one shell that shows Markdown files, each under a route of its script: `#/guide` is `guide.md` beside the shell.

use memchr::memmem;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};

use super::{Page, PageSource, charset, read_html, read_markdown};
use crate::markdown::is_tame;
use crate::url::SiteUrl;
use crate::work::{Halt, Work};

/// What such a shell shows first and beside it where it names nothing else, by custom.
const USUAL: [&str; 2] = ["README.md", "_sidebar.md"];
/// How such files end.
const ENDING: &str = ".md";
/// What a route stands for that ends as a folder does.
const FIRST: &str = "README.md";
/// Files that are taken from what a shell says.
const MAX_NAMED: usize = 6;
/// Bytes of a name of a file.
const MAX_NAME: usize = 200;
/// Steps that a byte of Markdown takes: it is parsed, and written as HTML.
const STEPS_PER_BYTE: usize = 16;

/// Where the text of a shell at `url` may lie: the Markdown files of its site that it names in quotes, and the usual ones.
pub(super) fn named_by(shell: &str, url: &SiteUrl) -> Vec<SiteUrl> {
    let quoted = memmem::find_iter(shell.as_bytes(), ENDING).filter_map(|at| quoted(shell, at));
    let mut found: Vec<SiteUrl> = Vec::new();
    for name in quoted.take(MAX_NAMED).chain(USUAL) {
        let file = url.join(name).ok().filter(|file| file.origin() == url.origin());
        found.extend(file.filter(|file| !found.contains(file)));
    }
    found
}

/// The name in quotes that the ending at this place of a shell ends.
fn quoted(shell: &str, ending: usize) -> Option<&str> {
    let end = ending + ENDING.len();
    let quote = shell.get(end..)?.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let before = shell.get(shell.floor_char_boundary(ending.saturating_sub(MAX_NAME))..end)?;
    let (_, name) = before.rsplit_once(quote)?;
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '_' | '-');
    (name.len() > ENDING.len() && name.chars().all(is_plain)).then_some(name)
}

/// Whether a Markdown page is a menu: half of its lines are links, or more.
pub fn is_menu(page: &Page) -> bool {
    let says = |line: &&str| !line.trim().is_empty() && !line.starts_with("<!--");
    let lines: Vec<&str> = page.markdown.lines().filter(says).collect();
    let leading = lines.iter().filter(|line| line.contains("](")).count();
    page.links.len() > 1 && leading * 2 >= lines.len()
}

/// Reads a Markdown file as the shell at `shell` shows it: its links lead to files, those of `menus` stand in front of
/// them as those of menus do.
///
/// # Errors
/// [`Halt`]: `work` ended before the page did.
pub fn read_source(
    file: &PageSource<'_>,
    menus: &[PageSource<'_>],
    shell: &SiteUrl,
    work: &Work<'_>,
) -> Result<Page, Halt> {
    let shown = |part: &PageSource<'_>| {
        let text = charset::decode_text(part.body, part.content_type);
        let may = is_tame(&text) && work.spend(STEPS_PER_BYTE * text.len());
        if may { as_html(&text, part.url, shell) } else { String::new() }
    };
    let menus: Vec<String> = menus.iter().map(shown).collect();
    let document = format!("<nav>{}</nav><main>{}</main>", menus.join("</nav><nav>"), shown(file));
    let source =
        PageSource { content_type: Some("text/html; charset=utf-8"), body: document.as_bytes(), ..*file };
    let Page { lists, links, .. } = read_html(&source, work)?;
    Ok(Page { lists, links, ..read_markdown(file, work)? })
}

/// A shell with what it shows: the text is the file's; what the shell says of the site stays.
pub fn filled(shell: Page, text: Page) -> Page {
    Page {
        title: text.title.or(shell.title),
        description: shell.description.or(text.description),
        language: shell.language.or(text.language),
        sources: Vec::new(),
        shell: false,
        heading: text.heading,
        markdown: text.markdown,
        origin: text.origin,
        links: text.links,
        lists: text.lists,
        ..shell
    }
}

fn as_html(text: &str, url: &SiteUrl, shell: &SiteUrl) -> String {
    let mut shown = String::with_capacity(text.len());
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let file = file_of(&dest_url, url, shell);
            let dest_url = file.map_or(dest_url, |file| CowStr::from(file.as_str().to_owned()));
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        event => event,
    });
    html::push_html(&mut shown, events);
    shown
}

/// The file that a link in the file at `url` leads to, where it names one of the shell's routes.
fn file_of(target: &str, url: &SiteUrl, shell: &SiteUrl) -> Option<SiteUrl> {
    let hash = target.trim_start_matches("#!").trim_start_matches('#');
    let is_hash = hash.len() < target.len();
    if target.starts_with("//") || target.contains(':') || is_hash && !hash.starts_with('/') {
        return None;
    }
    let (path, _) = hash.split_at(hash.find(['?', '#']).unwrap_or(hash.len()));
    let (base, path) = path.strip_prefix('/').map_or((url, path), |path| (shell, path));
    let last = path.rsplit('/').next().unwrap_or_default();
    match last {
        "" if path.is_empty() => (base == shell).then(|| shell.clone()),
        "" => base.join(&format!("{path}{FIRST}")).ok(),
        _ if last.ends_with(ENDING) || last.contains('.') && !is_hash => base.join(path).ok(),
        _ => base.join(&format!("{path}{ENDING}")).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> SiteUrl {
        SiteUrl::parse(&format!("https://tide.dev{path}")).unwrap()
    }

    #[test]
    fn a_shell_names_its_files_in_quotes() {
        let named = |shell: &str| -> Vec<String> {
            named_by(shell, &url("/docs/index.html")).iter().map(|file| file.path().to_owned()).collect()
        };
        assert_eq!(named(""), ["/docs/README.md", "/docs/_sidebar.md"]);
        assert_eq!(
            named(
                "a('home.md', \"/menu.md\", 'x.md\", '.md', '/.*/y.md', 'https://other.dev/z.md', 'home.md') .md"
            ),
            ["/docs/home.md", "/menu.md", "/docs/README.md", "/docs/_sidebar.md"]
        );
    }

    #[test]
    fn routes_are_files_below_the_shell() {
        let (file, shell) = (url("/docs/zone/a.md"), url("/docs/"));
        for (target, leads_to) in [
            ("#/build", Some("/docs/build.md")),
            ("#!/build/fast?id=top", Some("/docs/build/fast.md")),
            ("#/v1.2", Some("/docs/v1.2.md")),
            ("#/zone/", Some("/docs/zone/README.md")),
            ("#/?id=top", Some("/docs/")),
            ("/", Some("/docs/")),
            ("/build.md", Some("/docs/build.md")),
            ("/plan.pdf", Some("/docs/plan.pdf")),
            ("build", Some("/docs/zone/build.md")),
            ("deep/#top", Some("/docs/zone/deep/README.md")),
            ("build.html", Some("/docs/zone/build.html")),
            ("#top", None),
            ("?id=top", None),
            ("//other.dev/a", None),
            ("https://other.dev/a", None),
            ("mailto:a@tide.dev", None),
        ] {
            let found = file_of(target, &file, &shell);
            assert_eq!(found.as_ref().map(SiteUrl::path), leads_to, "{target}");
        }
    }

    #[test]
    fn lists_of_links_are_menus_and_texts_with_links_are_none() {
        for (markdown, menu) in [
            ("<!-- menu -->\n- One\n  - [a](a.md)\n- Two\n  - [b](b.md)", true),
            ("- [a](a.md)\n- [b](b.md)", true),
            ("- [a](a.md)", false),
            ("# Tide\n\nSee [a](a.md) and [b](b.md).\n\nIt comes.\n\nIt goes.", false),
        ] {
            let url = url("/x.md");
            let body = markdown.as_bytes();
            let source = PageSource { url: &url, content_type: None, x_robots_tag: None, body };
            let page = read_markdown(&source, &Work::unbounded()).unwrap();
            assert_eq!(is_menu(&page), menu, "{markdown}");
        }
    }
}
