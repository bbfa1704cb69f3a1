//! Pages that are served as Markdown or plain text: taken as they are.

use std::collections::HashSet;
use std::sync::Arc;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::fold::{fold, head_of};
use super::head::{Head, subtag};
use super::links::MAX_LINKS;
use super::lists::MAX_LISTS;
use super::resolve::may_join;
use super::{LinkList, LinkPlace, MarkdownOrigin, Page, PageLink, PageSource, charset, opening_heading};
use crate::markdown::{is_tame, without_controls};
use crate::url::SiteUrl;
use crate::work::{Halt, Work};

/// Lines that front matter may have.
const MAX_FRONT_MATTER: usize = 200;
/// Bytes of a heading, or of the first line of a text, which is its title.
const MAX_TITLE: usize = 300;
/// Bytes of a value of front matter.
const MAX_VALUE: usize = 4 << 10;
/// So many bytes of Markdown are parsed at once, at most twice as many: the parser makes a node of 48 bytes for each that
/// may be a mark. Of a line that is longer the rest is left out.
const STRETCH: usize = 64 << 10;
/// Steps that a byte of Markdown takes: any may be a node.
const STEPS_PER_BYTE: usize = 8;

/// Reads a body as Markdown, whatever it says it is: title and description from the front matter or from the text, links from the text.
///
/// # Errors
/// [`Halt`]: `work` ended before the page did.
pub fn read_markdown(source: &PageSource<'_>, work: &Work<'_>) -> Result<Page, Halt> {
    let text = without_controls(charset::decode_text(source.body, source.content_type));
    let (front, body) = split_front_matter(&text);
    let mut page = empty(source);
    page.title = front_value(front, "title");
    page.language = front_value(front, "lang").as_deref().and_then(subtag);
    let mut reading = MarkdownReading {
        url: source.url,
        page: &mut page,
        work,
        seen: HashSet::new(),
        headings: Vec::new(),
    };
    for stretch in stretches(body).take_while(|stretch| work.spend(STEPS_PER_BYTE * stretch.len())) {
        if is_tame(&stretch) {
            reading.read(&stretch);
        }
    }
    work.check()?;
    page.description = front_value(front, "description");
    body.trim().clone_into(&mut page.markdown);
    page.heading = page.heading.or_else(|| opening_heading(&page.markdown, page.title.as_deref()));
    Ok(page)
}

/// Reads plain text: its first line is its title.
pub(super) fn read_text(source: &PageSource<'_>) -> Page {
    let text = without_controls(charset::decode_text(source.body, source.content_type));
    let mut page = empty(source);
    page.title = text.lines().map(fold).find(|line| !line.is_empty());
    page.title = page.title.map(|line| head_of(&line, MAX_TITLE).to_owned());
    text.trim().clone_into(&mut page.markdown);
    page
}

fn empty(source: &PageSource<'_>) -> Page {
    let Head { noindex, nofollow, .. } = Head::of_header(source.x_robots_tag);
    Page { origin: MarkdownOrigin::Served, noindex, nofollow, ..Page::default() }
}

/// The lines between `---` at the start of a text, and what follows them.
fn split_front_matter(text: &str) -> (&str, &str) {
    let Some(rest) = text.strip_prefix("---\n") else { return ("", text) };
    let mut length = 0;
    for line in rest.split_inclusive('\n').take(MAX_FRONT_MATTER) {
        if matches!(line.trim_end(), "---" | "...") {
            return (
                rest.get(..length).unwrap_or_default(),
                rest.get(length + line.len()..).unwrap_or_default(),
            );
        }
        length += line.len();
    }
    ("", text)
}

fn front_value(front: &str, key: &str) -> Option<String> {
    let value = front.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?.trim();
    let quoted = |q: char| value.strip_prefix(q).and_then(|v| v.strip_suffix(q));
    let value = fold(quoted('"').or_else(|| quoted('\'')).unwrap_or(value));
    let says_something = !value.is_empty() && !matches!(value.as_str(), "|" | ">" | ">-" | "|-");
    says_something.then(|| head_of(&value, MAX_VALUE).to_owned())
}

/// What a page's Markdown says of it.
struct MarkdownReading<'a> {
    url: &'a SiteUrl,
    page: &'a mut Page,
    work: &'a Work<'a>,
    seen: HashSet<SiteUrl>,
    /// The headings above with their lists, the lower level first.
    headings: Vec<(HeadingLevel, u32)>,
}

/// What a stretch of Markdown is in the middle of.
#[derive(Default)]
struct Within {
    /// The text of the heading or paragraph.
    text: String,
    lists: u8,
    images: usize,
    link: Option<(String, String)>,
}

impl MarkdownReading<'_> {
    fn read(&mut self, stretch: &str) {
        let mut place = Within::default();
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        for event in Parser::new_ext(stretch, options) {
            match event {
                Event::Start(tag) => start(&mut place, tag),
                Event::End(tag) => self.end(&mut place, tag),
                Event::Text(text) | Event::Code(text) if place.images == 0 => {
                    place.text.push_str(&text);
                    place.link.iter_mut().for_each(|(_, said)| said.push_str(&text));
                }
                Event::SoftBreak | Event::HardBreak => place.text.push(' '),
                _ => {}
            }
        }
    }

    fn end(&mut self, place: &mut Within, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => {
                let said = Some(head_of(&fold(&place.text), MAX_TITLE).to_owned());
                let said = said.filter(|said| !said.is_empty());
                if level == HeadingLevel::H1 && self.page.heading.is_none() {
                    self.page.heading.clone_from(&said);
                }
                self.head(level, said);
            }
            TagEnd::List(_) => place.lists = place.lists.saturating_sub(1),
            TagEnd::Image => place.images -= 1,
            TagEnd::Link => self.link(place),
            _ => {}
        }
    }

    /// A heading names the lists below it.
    fn head(&mut self, level: HeadingLevel, said: Option<String>) {
        self.headings.retain(|(above, _)| *above < level);
        let lists = &mut self.page.lists;
        // The title of the page names none.
        if level != HeadingLevel::H1
            && lists.len() < MAX_LISTS
            && let (Some(said), Ok(number)) = (said, u32::try_from(lists.len()))
        {
            let outer = self.headings.last().map(|(_, list)| *list);
            let first = u32::try_from(self.page.links.len()).unwrap_or(u32::MAX);
            let label = Some(Arc::from(said));
            lists.push(LinkList { label, entry: None, outer, place: LinkPlace::Content, bar: false, first });
            self.headings.push((level, number));
        }
    }

    fn link(&mut self, place: &mut Within) {
        let Some((target, text)) = place.link.take() else { return };
        if target.is_empty() || target.starts_with('#') || self.page.links.len() >= MAX_LINKS {
            return;
        }
        if may_join(self.work, self.url, &target)
            && let Ok(url) = self.url.join(&target)
            && self.seen.insert(url.clone())
        {
            self.page.links.push(PageLink {
                url,
                text: fold(&text),
                place: LinkPlace::Content,
                list: self.headings.last().map(|(_, list)| *list).filter(|_| place.lists > 0),
                turns: false,
                nofollow: false,
            });
        }
    }
}

fn start(place: &mut Within, tag: Tag<'_>) {
    match tag {
        Tag::Heading { .. } | Tag::Paragraph => place.text = String::new(),
        Tag::List(_) => place.lists = place.lists.saturating_add(1),
        Tag::Link { dest_url, .. } => {
            place.link = Some((dest_url.into_string(), String::new()));
        }
        Tag::Image { .. } => place.images += 1,
        _ => {}
    }
}

/// The lines outside of fenced code, about [`STRETCH`] of them together, cut where a block ends if one does.
fn stretches(text: &str) -> impl Iterator<Item = String> {
    let mut lines = prose(text).peekable();
    std::iter::from_fn(move || {
        lines.peek()?;
        let mut stretch = String::new();
        while let Some(line) =
            lines.next_if(|line| stretch.len() + line.len() <= 2 * STRETCH || stretch.is_empty())
        {
            stretch.push_str(line.get(..line.floor_char_boundary(2 * STRETCH)).unwrap_or_default());
            stretch.push('\n');
            if stretch.len() >= STRETCH && line.trim().is_empty() {
                break;
            }
        }
        Some(stretch)
    })
}

/// The lines outside of fenced code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<&str> = None;
    text.lines().filter(move |line| {
        let start = line.trim_start();
        let rest = start.trim_start_matches(if start.starts_with('`') { '`' } else { '~' });
        let (marks, rest) = start.split_at(start.len() - rest.len());
        match fence {
            None if marks.len() >= 3 && !(marks.starts_with('`') && rest.contains('`')) => {
                fence = Some(marks);
            }
            None => return true,
            Some(open) if marks.starts_with(open) && rest.trim().is_empty() => fence = None,
            Some(_) => {}
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Page {
        let url = SiteUrl::parse("https://site.example/docs/a.md").unwrap();
        let source = PageSource {
            url: &url,
            content_type: Some("text/markdown"),
            x_robots_tag: Some("noindex"),
            body: text.as_bytes(),
        };
        assert_eq!(read_markdown(&source, &Work::bounded(1)).err(), Some(Halt::TooComplex));
        read_markdown(&source, &Work::unbounded()).unwrap()
    }

    #[test]
    fn markdown_is_taken_as_it_is() {
        let page = read(
            "---\ntitle: \"A title\"\ndescription: What it says.\n---\n# Other\n\nSome words that are long enough to say something.\n\n```\n[x](y)\n```\n- [b](b.md#c) ![i](i.png)\n",
        );
        assert_eq!((page.title.as_deref(), page.heading.as_deref()), (Some("A title"), Some("Other")));
        assert_eq!(page.description.as_deref(), Some("What it says."));
        assert!(page.markdown.starts_with("# Other") && page.noindex && !page.nofollow);
        let urls: Vec<_> = page.links.iter().map(|l| (l.url.as_str(), l.text.as_str())).collect();
        assert_eq!(urls, [("https://site.example/docs/b.md", "b")]);
        assert_eq!(read("Title\n===\ntext").heading.as_deref(), Some("Title"));
    }

    #[test]
    fn title_and_description_are_plain_text() {
        let page = read(
            "# The `kiln` *command*\n\n[Home](/) | [Docs](/docs) | [A menu that is long enough](/menu)\n\n\
             - A list that is long enough to be taken for a paragraph.\n\n\
             It **fires** [pots](pots.md \"All\") at 1\\. place &amp; in\nsnake_case, `*args` and ![i](i.png)all.\n\n\
             ## More\n\n<https://b.example/x> and [the rest][r]\n\n[r]: rest.md\n",
        );
        assert_eq!(page.heading.as_deref(), Some("The kiln command"));
        let links: Vec<_> = page.links.iter().map(|l| (l.url.path(), l.text.as_str())).collect();
        assert_eq!(
            links,
            [
                ("/", "Home"),
                ("/docs", "Docs"),
                ("/menu", "A menu that is long enough"),
                ("/docs/pots.md", "pots"),
                ("/x", "https://b.example/x"),
                ("/docs/rest.md", "the rest"),
            ]
        );
    }

    #[test]
    fn headings_name_the_lists_below_them() {
        let page =
            read("# T\n\n- [a](a)\n\n## One\n\n[b](b)\n\n### Two\n\n- [c](c)\n\n## Three\n\n- [d](d)\n");
        let labels = |mut at: Option<u32>| {
            let mut labels = Vec::new();
            while let Some(list) = at.and_then(|at| page.lists.get(at as usize)) {
                labels.extend(list.label.clone());
                at = list.outer;
            }
            labels.join(" < ")
        };
        let all: Vec<_> = page.links.iter().map(|l| (l.text.as_str(), labels(l.list))).collect();
        let expected = [("a", ""), ("b", ""), ("c", "Two < One"), ("d", "Three")];
        assert_eq!(all, expected.map(|(text, labels)| (text, labels.to_owned())));
    }

    #[test]
    fn long_pages_are_read_to_their_end() {
        let lines = "A line of words that says nothing at all.\n".repeat(STRETCH / 16);
        let fence = format!("````\n```\n{lines}\n[no](no.md)\n````\n");
        let page = read(&format!("{lines}{fence}\n{lines}\n## End\n\n- [last](last.md)\n"));
        let last = page.links.iter().map(|l| (l.text.as_str(), l.list)).collect::<Vec<_>>();
        assert_eq!(last, [("last", Some(0))]);
        assert_eq!(page.lists[0].label.as_deref(), Some("End"));
        let wide = "\u{e9}".repeat(3 * STRETCH);
        assert!(read(&format!("{wide}\n\n[a](b)\n")).links.len() == 1);
    }
}
