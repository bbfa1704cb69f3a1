//! The links of a page: where they lead, where they stand, what they are called.

use super::lists::{Anchor, LinkLabel, Walk, is_never_read, leads_up};
use super::main_content::Content;
use super::marks::Marks;
use super::resolve::{LINKS, Resolver};
use super::survey::Survey;
use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};
use super::{LinkList, LinkPlace, PageLink};
use crate::digits::is_number;
use crate::maps::Map;
use crate::url::SiteUrl;

/// Links of one page; the rest is left out.
pub(super) const MAX_LINKS: usize = 20_000;
/// Frames of one page that are looked at.
const MAX_FRAMES: usize = 4;
/// Links of a list that leads to the pages beside this one and above it, at most.
const MAX_TURNS: usize = 4;
/// Links that a page has beside those in its frames, at most.
const FEW_LINKS: NodeId = 3;

/// All links in document order, one entry per address and list, and the lists. Links in running text stand in none.
pub(super) fn collect<'a>(
    tree: &Tree<'a>,
    survey: &Survey,
    content: &Content,
    resolver: &mut Resolver<'a>,
    own: &SiteUrl,
    beside: [Option<&SiteUrl>; 2],
    crumbs: std::ops::Range<NodeId>,
) -> (Vec<PageLink>, Vec<LinkList>) {
    let anchors = anchors(tree, resolver, own);
    let mut links: Vec<PageLink> = Vec::with_capacity(LINKS);
    let mut seen: Map<(usize, LinkPlace, Option<u32>), (usize, bool)> = Map::default();
    let mut walk = Walk::new(tree, survey, content, &anchors, crumbs);
    while let Some(stand) = walk.link(resolver, links.len()) {
        if links.len() >= MAX_LINKS {
            break;
        }
        let Some(url) = resolver.url(stand.anchor.url) else { continue };
        let LinkLabel { mut text, speaks } = stand.label;
        // What leads to a part of a page names that part, unless it is an entry of a menu; a picture there names nothing.
        let is_listed = stand.place == LinkPlace::Content && stand.list.is_some();
        if stand.anchor.is_part && (is_listed || !speaks) {
            text.clear();
        }
        let key = (stand.anchor.url, stand.place, stand.list);
        let (number, spoken) = seen.entry(key).or_insert((links.len(), speaks));
        if let Some(known) = links.get_mut(*number) {
            // What stands for a picture gives way to the title beside it.
            if known.text.is_empty() || speaks && !*spoken {
                known.text = text;
                *spoken = speaks;
            }
            continue;
        }
        links.push(PageLink {
            url: url.clone(),
            text,
            place: stand.place,
            list: stand.list,
            turns: stand.turns,
            nofollow: is_nofollow(tree, stand.anchor.node),
        });
    }
    let lists = walk.lists.all;
    mark_turns(&mut links, lists.len(), beside);
    (links, lists)
}

/// Marks the links of short lists that lead to the pages before and behind this one.
fn mark_turns(links: &mut [PageLink], lists: usize, beside: [Option<&SiteUrl>; 2]) {
    let mut sizes = vec![(0, false); lists];
    for (link, list) in links.iter().filter_map(|link| Some((link, link.list?))) {
        if let Some((size, turns)) = sizes.get_mut(list as usize) {
            *size += 1;
            *turns |= beside.contains(&Some(&link.url));
        }
    }
    for link in links {
        let size = link.list.and_then(|list| sizes.get(list as usize));
        link.turns |= size.is_some_and(|&(size, turns)| turns && size <= MAX_TURNS) || counts(link);
    }
}

/// Whether a link leads to a numbered page of a list, and is called by a number or a sign: `<a href=/page2/>2</a>`.
fn counts(link: &PageLink) -> bool {
    let mut segments = link.url.path().trim_end_matches('/').rsplit('/');
    let last = segments.next().unwrap_or_default();
    !link.text.contains(char::is_alphabetic)
        && (last.strip_prefix("page").is_some_and(is_number)
            || is_number(last) && segments.next() == Some("page"))
}

/// Pages of the same site that menus show in frames.
pub(super) fn frames<'a>(
    tree: &Tree<'a>,
    survey: &Survey,
    resolver: &mut Resolver<'a>,
    own: &SiteUrl,
) -> Vec<SiteUrl> {
    let has_frames = tree.total(Tag::Iframe) + tree.total(Tag::Frame) > 0;
    let all = if has_frames { tree.descendants(0) } else { 0..0 };
    let frames = all.filter(|&node| tree.spend(1) && matches!(tree.tag(node), Tag::Iframe | Tag::Frame));
    // A page without links of its own is what its frames show.
    let is_all = tree.total(Tag::A) <= FEW_LINKS;
    let in_menu = |a| survey.marks(a).any(Marks::NAVIGATION);
    let is_part = |&frame: &NodeId| is_all || tree.ancestors(frame).any(in_menu);
    let shown = frames.take(MAX_FRAMES).filter(is_part);
    let shown = shown.filter_map(|frame| resolver.resolve(tree.raw_attribute(frame, Name::Src)?).cloned());
    shown.filter(|url| url.origin() == own.origin() && url != own).collect()
}

/// The page above this one, as one of its links says.
pub(super) fn up<'a>(tree: &Tree<'a>, resolver: &mut Resolver<'a>) -> Option<SiteUrl> {
    // Most pages have none.
    let all = if tree.has_attribute(leads_up) { tree.descendants(0) } else { 0..0 };
    let links = all.filter(|&node| tree.spend(1) && matches!(tree.tag(node), Tag::A | Tag::Link));
    let mut links = links.filter(|&link| tree.attributes(link).iter().any(leads_up));
    let href = links.find_map(|link| tree.raw_attribute(link, Name::Href))?;
    resolver.resolve(href).cloned()
}

/// What leads to a page, in document order; links to a part of the page itself do not.
fn anchors<'a>(tree: &Tree<'a>, resolver: &mut Resolver<'a>, own: &SiteUrl) -> Vec<Anchor> {
    let mut anchors = Vec::with_capacity(LINKS);
    let mut node = 1;
    while node < tree.len() && tree.spend(1) {
        let tag = tree.tag(node);
        if tag != Tag::Text && is_never_read(tag) {
            node = tree.node(node).end;
            continue;
        }
        // What a set of frames shows is all that there is of it.
        let leads = match tag {
            Tag::A | Tag::Area => Some(Name::Href),
            Tag::Frame => Some(Name::Src),
            _ => None,
        };
        if let Some(href) = leads.and_then(|name| tree.raw_attribute(node, name))
            && (!href.starts_with('#') || href == "#" && is_current(tree, node))
            && let Some((url, fragment)) = resolver.index(href)
        {
            let (is_part, is_own) = (!fragment.is_empty(), resolver.url(url) == Some(own));
            if if is_own { !is_part } else { !href.starts_with('#') } {
                anchors.push(Anchor { node, url, is_part });
            }
        }
        node += 1;
    }
    anchors
}

/// An entry of a menu that stands for the page itself and leads nowhere for that.
fn is_current(tree: &Tree<'_>, link: NodeId) -> bool {
    let classes = tree.raw_attribute(link, Name::Class).unwrap_or_default();
    classes.split_ascii_whitespace().any(|class| class == "current")
}

fn is_nofollow(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.raw_attribute(node, Name::Rel).is_some_and(|rel| {
        rel.split_ascii_whitespace()
            .any(|r| ["nofollow", "ugc", "sponsored"].iter().any(|known| r.eq_ignore_ascii_case(known)))
    })
}

#[cfg(test)]
mod tests {
    use crate::page::{LinkPlace, Page, PageSource, read_html};
    use crate::url::SiteUrl;
    use crate::work::Work;

    fn page(body: &str) -> Page {
        let url = SiteUrl::parse("https://example.com/").unwrap();
        let html = format!("<html><body>{body}</body></html>");
        let source = PageSource { url: &url, body: html.as_bytes(), content_type: None, x_robots_tag: None };
        read_html(&source, &Work::unbounded()).unwrap()
    }

    /// The path of each link with the labels above it, as `/path: Outer > Inner`; nothing behind it in running text.
    fn shown(page: &Page) -> Vec<String> {
        let labels = |mut at: Option<u32>| {
            let mut labels = Vec::new();
            while let Some(list) = at.and_then(|at| page.lists.get(at as usize)) {
                labels.extend(list.label.as_deref());
                at = list.outer;
            }
            labels.reverse();
            labels.join(" > ")
        };
        let line = |l: &crate::page::PageLink| match l.list {
            Some(_) => format!("{}: {}", l.url.path(), labels(l.list)),
            None => l.url.path().to_owned(),
        };
        page.links.iter().map(line).collect()
    }

    fn lists(body: &str) -> Vec<String> {
        shown(&page(body))
    }

    const TEXT: &str =
        "<main><h1>T</h1><p>A page with a text of its own, which is long enough to be one.</main>";

    /// The lists of a menu beside a text.
    fn menu(menu: &str) -> Vec<String> {
        lists(&format!("<nav class=sidebar>{menu}</nav>{TEXT}"))
    }

    #[test]
    fn what_opens_a_folded_part_of_a_menu_names_it() {
        let part = |name: &str, id: &str| {
            format!(
                "<p><a href='#{id}'>{name}</a></p><div id=kiln><li><a href=/{name}1>1</a><li><a href=/{name}2>2</a></div>"
            )
        };
        assert_eq!(menu(&part("Wood", "kiln")), ["/Wood1: Wood", "/Wood2: Wood"]);
        assert_eq!(menu(&part("Wood", "glaze")), ["/Wood1: ", "/Wood2: "]);
    }

    #[test]
    fn what_stands_beside_a_field_names_no_menu() {
        let links = "<a href=/a>A</a><a href=/b>B</a>";
        let field = |kind: &str| format!("<div><a>Cancel</a><input type={kind}></div>");
        assert_eq!(menu(&(field("search") + links)), ["/a: ", "/b: "]);
        assert_eq!(menu(&(field("checkbox") + links)), ["/a: Cancel", "/b: Cancel"]);
    }

    #[test]
    fn a_heading_of_the_text_names_no_menu_behind_it() {
        let text = "<h2>Class Kiln</h2><p>A kiln of bricks that is fired with wood for three days and nights.</p>\
                    <h3>Methods</h3><pre>fn light()</pre><p>Lights it, which takes a while in the rain.</p>";
        let nav = "<div class=bottomNav><nav class=navbar><ul><li><a href=/next>Next</a><li><a href=/all>All</a></ul></nav></div>";
        let body = format!("<div><h1>Kilns</h1>{text}{nav}</div>");
        assert_eq!(lists(&body), ["/next: ", "/all: "]);
        let headed = "<h3>Wood</h3> <nav><a href=/oak>Oak</a><a href=/ash>Ash</a></nav>";
        assert_eq!(
            lists(&format!("<div><h1>Kilns</h1>{text}{headed}</div>")),
            ["/oak: Class Kiln > Wood", "/ash: Class Kiln > Wood"]
        );
    }

    #[test]
    fn a_title_calls_a_page_before_the_picture_beside_it() {
        let card = |n: u8| {
            format!("<li><a href=/{n}><img alt='Picture of Pot {n}'></a><a href=/{n}>Pot {n}</a></li>")
        };
        let page = page(&format!("<main><h1>Pots</h1><ul>{}{}</ul></main>", card(1), card(2)));
        assert_eq!(page.links.iter().map(|link| link.text.as_str()).collect::<Vec<_>>(), ["Pot 1", "Pot 2"]);
    }

    #[test]
    fn no_part_of_a_text_stands_for_it() {
        let links = "<h2>Start</h2><a href=/start>Where to start</a> <a href=/p>10 kilns</a> <a href=/start>start</a> \
                     <a href=/p>1</a> <a href=/p><img alt=kilns></a> <a href='/q#a'>Its lid</a>";
        let page = page(&format!("<main><h1>Pots</h1>{links}</main>"));
        let texts: Vec<_> = page.links.iter().map(|link| link.text.as_str()).collect();
        assert_eq!(texts, ["Where to start", "10 kilns", ""]);
    }

    #[test]
    fn the_banner_of_a_site_is_no_footer() {
        let menu = "<nav><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></nav>";
        let places = |html: &str| page(html).links.iter().map(|link| link.place).collect::<Vec<_>>();
        for tag in ["header", "div"] {
            let html = format!("<{tag} role=banner>{menu}</{tag}>{TEXT}");
            assert_eq!(places(&html), [LinkPlace::Navigation; 2], "{tag}");
        }
        for footer in ["div role=contentinfo", "footer class=navbar", "footer"] {
            assert_eq!(places(&format!("{TEXT}<{footer}>{menu}")), [LinkPlace::Margin; 2], "{footer}");
        }
    }

    #[test]
    fn what_stands_beside_the_text_by_its_role_is_a_menu_where_it_shows_the_page() {
        let places = |class: &str| {
            let list = format!("<ul><li><a class='{class}' href=/>Here</a><li><a href=/b>B</a></ul>");
            let page = page(&format!("<div role=complementary>{list}</div>{TEXT}"));
            page.links.iter().map(|link| link.place).collect::<Vec<_>>()
        };
        assert_eq!(places("active"), [LinkPlace::Navigation; 2]);
        assert_eq!(places("link"), [LinkPlace::Margin; 2]);
    }

    #[test]
    fn a_rule_between_entries_ends_the_label_before_it() {
        let rule = "<li><hr></li>";
        let named = |rule: &str| {
            menu(&format!(
                "<ul><li><h6>Wood</h6><li><a href=/a>A</a><li><a href=/b>B</a>{rule}<li><a href=/c>C</a></ul>"
            ))
        };
        assert_eq!(named(""), ["/a: Wood", "/b: Wood", "/c: Wood"]);
        assert_eq!(named(rule), ["/a: Wood", "/b: Wood", "/c: "]);
    }

    #[test]
    fn a_page_with_hardly_a_link_is_what_its_frames_show() {
        let frames =
            |html: &str| page(html).frames.iter().map(|url| url.path().to_owned()).collect::<Vec<_>>();
        let link = "<a href=/a>A</a>";
        assert_eq!(frames("<td><iframe src=/menu></iframe>"), ["/menu"]);
        assert_eq!(
            frames(&("<iframe src=/map></iframe>".to_owned() + &link.repeat(9))),
            Vec::<String>::new()
        );
        let set = "<frameset><frame src=/menu><frame src=/main><frame src=//away.example/></frameset>";
        let source = PageSource {
            url: &SiteUrl::parse("https://example.com/").unwrap(),
            body: set.as_bytes(),
            content_type: None,
            x_robots_tag: None,
        };
        let set = read_html(&source, &Work::unbounded()).unwrap();
        assert_eq!(set.frames.iter().map(SiteUrl::path).collect::<Vec<_>>(), ["/menu", "/main"]);
    }

    #[test]
    fn how_many_there_are_is_no_part_of_what_a_link_says() {
        let links =
            "<h2>Kinds</h2><a href=/w>Wood <span class=tag-count>12</span></a> <a href=/4>Kiln <b>4</b></a>";
        let page = page(&format!("<main><h1>Pots</h1>{links}</main>"));
        assert_eq!(page.links.iter().map(|link| link.text.as_str()).collect::<Vec<_>>(), ["Wood", "Kiln 4"]);
    }

    #[test]
    fn what_is_said_to_ears_alone_is_no_part_of_a_label() {
        let ears = "<span class=sr-only>(current)</span>";
        let group =
            format!("<li><a href=#>More {ears}</a><ul><li><a href=/a>A {ears}</a><li><a href=/b>B</a></ul>");
        assert_eq!(menu(&group), ["/a: More", "/b: More"]);
        let page =
            page(&format!("<nav><a href=/a>A {ears}</a> <a href=/b><i class=icon></i>{ears}</a></nav>"));
        assert_eq!(page.links.iter().map(|link| link.text.as_str()).collect::<Vec<_>>(), ["A", "(current)"]);
    }

    #[test]
    fn where_a_menu_shows_its_reader_to_be_no_group_begins() {
        let all = |class: &str, href: &str| {
            menu(&format!(
                "<ul><li><a href=/a>A</a><li class='{class}'><a href='{href}'>Here</a><li><a href=/b>B</a><li><a href=/c>C</a></ul>"
            ))
        };
        assert_eq!(all("nav-item active", "#"), ["/a: ", "/b: ", "/c: "]);
        assert_eq!(all("nav-item", "/#kiln"), ["/a: ", "/b: ", "/c: "]);
        assert_eq!(all("nav-item", "#"), ["/a: ", "/b: Here", "/c: Here"]);
    }

    #[test]
    fn a_link_to_another_site_names_no_menu_behind_it() {
        let list = "<ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>";
        let named = |href: &str| menu(&format!("<div><a href={href}>Sources</a></div>{list}"))[1..].to_vec();
        assert_eq!(named("https://code.example/kiln"), ["/a: ", "/b: "]);
        assert_eq!(named("/sources"), ["/a: Sources", "/b: Sources"]);
        let item = menu(&format!("<ul><li><a href=https://talk.example/>Talk</a>{list}</ul>"));
        assert_eq!(item[1..], ["/a: Talk", "/b: Talk"]);
    }

    #[test]
    fn an_address_of_a_person_names_no_list() {
        let menu =
            |label: &str| menu(&format!("<p>{label}</p><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>"));
        assert_eq!(menu("Ask ann@kiln.example"), ["/a: ", "/b: "]);
        assert_eq!(menu("Ask @ann"), ["/a: Ask @ann", "/b: Ask @ann"]);
    }

    #[test]
    fn what_stands_before_the_main_part_names_no_menu_in_it() {
        let text = "<p>Clay is fired in kilns, and what with is another matter, of which more is said elsewhere.</p>";
        let page = page(&format!(
            "<div><section><h1>Kiln</h1>{text}<a href=/x>More</a></section><section><h2>Fire</h2>{text}</section><section>\
             <h2>Supported by</h2><p>Potters.</p></section><main><div class=sidebar><nav><ul><li><a href=/a>A</a></li>\
             <li><a href=/b>B</a></li></ul></nav></div></main></div>"
        ));
        assert_eq!(shown(&page), ["/x: ", "/a: ", "/b: "]);
    }

    #[test]
    fn an_aside_that_shows_where_the_page_stands_is_a_menu() {
        let aside = |gas: &str| {
            let list = format!("<h4>Fire</h4><ul><li><a href=/wood>Wood</a>{gas}</ul>");
            let page = page(&format!("{TEXT}<div><aside>{list}</aside></div>"));
            (page.links.iter().all(|link| link.place == LinkPlace::Navigation), shown(&page))
        };
        for gas in
            ["<li class=current><a href=/gas>Gas</a>", "<li><a class=router-link-active href=/gas>Gas</a>"]
        {
            let shown = (true, vec!["/wood: Fire".to_owned(), "/gas: Fire".to_owned()]);
            assert_eq!(aside(gas), shown, "{gas}");
        }
        assert!(!aside("<li><a class=active href=#gas>Gas</a>").0);
        assert!(!aside("<li class=plain><a href=/gas>Gas</a>").0);
    }

    #[test]
    fn a_heading_ends_those_of_its_level_however_many_lower_ones_stand_between() {
        let part = |head: &str, link: &str| {
            format!("<div>{head}<dl></dl></div><div><dl><dt><a href={link}>x</a></dl></div>")
        };
        let parts = [
            part("<h2>Fire</h2>", "/f"),
            part("<h3>Wood</h3>", "/w"),
            part("<h3>Gas</h3>", "/g"),
            part("<h2>Clay</h2>", "/c"),
        ];
        let shown = lists(&format!("<main><h1>Kilns</h1>{}</main>", parts.concat()));
        assert_eq!(shown, ["/f: Fire", "/w: Fire > Wood", "/g: Fire > Gas", "/c: Clay"]);
    }

    #[test]
    fn a_row_of_entries_that_lead_nowhere_names_no_list() {
        let row = "<ul><li>Back</li><li>Forth</li></ul><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>";
        assert_eq!(menu(row), ["/a: ", "/b: "]);
        assert_eq!(menu(&row.replacen("<li>Forth</li>", "", 1)), ["/a: Back", "/b: Back"]);
    }

    #[test]
    fn items_called_titles_name_those_behind_them() {
        let book = "<h1>Kilns</h1><ol><li><a href=/>Start</a><li><li class=part-title>Guide</li></li><li><a href=/a>A</a>\
                    <li class=part-title>Reference</li><li><a href=/b>B</a></ol>";
        assert_eq!(lists(book), ["/: ", "/a: Guide", "/b: Reference"]);
    }

    #[test]
    fn a_set_of_frames_leads_to_what_it_shows() {
        let page = page(
            "<frameset cols='20%,80%'><frame src=contents.html><frame src=summary.html name=main></frameset>",
        );
        assert_eq!(
            page.links.iter().map(|l| l.url.path()).collect::<Vec<_>>(),
            ["/contents.html", "/summary.html"]
        );
    }

    #[test]
    fn frames_in_menus_are_told() {
        let page = page(
            "<nav><noscript><iframe src=toc.html></iframe><iframe src=//ads.example.net/></iframe></noscript></nav>\
             <iframe src=old.html></iframe><a href=/a>A</a><a href=/b>B</a><a href=/c>C</a><a href=/d>D</a>\
             <main><h1>Kilns</h1><p>How clay is fired in them, and what with.</p><iframe src=demo.html></iframe></main>",
        );
        assert_eq!(page.frames.iter().map(SiteUrl::path).collect::<Vec<_>>(), ["/toc.html"]);
    }

    #[test]
    fn a_number_that_is_not_for_ears_is_no_part_of_a_label() {
        let page = page(
            "<nav><a href=/a><strong aria-hidden=true>2.1.</strong> Kilns</a><a href=/b><i aria-hidden=true>B</i></a></nav>",
        );
        assert_eq!(page.links.iter().map(|link| link.text.as_str()).collect::<Vec<_>>(), ["Kilns", "B"]);
    }

    #[test]
    fn an_entry_without_a_link_names_the_list_nested_in_it() {
        for group in [
            "<li><div><a href='#'>Guides</a><button aria-label=Toggle></button></div><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>",
            "<li>Guides<ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>",
            "<li><input type=checkbox><label>Guides</label><nav><label>Guides</label><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></nav>",
            "<li><details open><summary><span>Guides</span></summary><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></details>",
            "<li><button><i></i> Guides</button><div><a href=/a>A</a><a href=/b>B</a></div>",
            "<li><span>Guides</span><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>",
        ] {
            let all = menu(&format!(
                "<ul><li><a href=/start>Start</a></li>{group}</li><li><a href=/end>End</a></li></ul>"
            ));
            assert_eq!(all, ["/start: ", "/a: Guides", "/b: Guides", "/end: "], "{group}");
        }
    }

    #[test]
    fn an_entry_with_a_link_names_the_list_behind_it() {
        for group in [
            "<li><a href=/g>Guides</a><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></li>",
            "<li><a href=/g>Guides</a><input type=checkbox><label>Toggle the list</label><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></li>",
            "<li><label><a href=/g><span>Guides</span></a></label><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></li>",
            "<li><a href=/g>Guides</a><li><ol><li><a href=/a>A</a><li><a href=/b>B</a></ol></li>",
        ] {
            let page = page(&format!(
                "<nav class=sidebar><ol><li><a href=/start>Start</a></li>{group}<li><a href=/end>End</a></li></ol></nav>{TEXT}"
            ));
            assert_eq!(shown(&page), ["/start: ", "/g: ", "/a: Guides", "/b: Guides", "/end: "], "{group}");
            assert_eq!(
                page.lists.iter().filter_map(|l| l.entry.as_ref()).map(SiteUrl::path).collect::<Vec<_>>(),
                ["/g"]
            );
        }
    }

    #[test]
    fn labels_stand_before_their_lists() {
        for groups in [
            "<p class=caption>One</p><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul><p class=caption>Two</p><ul><li><a href=/c>C</a></ul>",
            "<h3>One</h3><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul><h3>Two</h3><ul><li><a href=/c>C</a></ul>",
            "<ol><li>One<li><a href=/a>A</a><li><a href=/b>B</a><li>Two<li><a href=/c>C</a></ol>",
            "<section><p><span>One</span></p><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></section><section><p>Two</p><ul><li><a href=/c>C</a></ul></section>",
            "<div><div role=button><h2>One</h2></div><div><div><a href=/a>A</a></div><div><a href=/b>B</a></div></div></div><div><div><h2>Two</h2></div><div><a href=/c>C</a></div></div>",
        ] {
            assert_eq!(menu(groups), ["/a: One", "/b: One", "/c: Two"], "{groups}");
        }
    }

    #[test]
    fn lists_nest_as_headings_do_in_a_text() {
        let all = lists(
            "<main><h1>T</h1><h2>Guides</h2><p>They explain it all, from the first step to the last one.</p><h3>Client</h3>\
             <ul><li><a href=/a>A</a><li><a href=/b>B</a></ul><h3><a href=/s>Server</a></h3><ul><li><a href=/c>C</a></ul>\
             <h2>API</h2><p><b>Calls:</b> <a href=/d>D</a> | <a href=/e>E</a></p></main>",
        );
        assert_eq!(
            all,
            [
                "/a: Guides > Client",
                "/b: Guides > Client",
                "/s: Guides",
                "/c: Guides > Server",
                "/d: API > Calls",
                "/e: API > Calls"
            ]
        );
    }

    #[test]
    fn a_definition_list_nests_like_any_other() {
        let all = lists(
            "<main><h1>Book</h1><dl><dt><a href=/a>A</a></dt><dd><dl><dt><a href=/a1>A 1</a></dt></dl></dd>\
             <dt><a href=/b>B</a></dt></dl></main>",
        );
        assert_eq!(all, ["/a: ", "/a1: A", "/b: "]);
    }

    #[test]
    fn a_link_in_running_text_is_no_entry_of_a_list() {
        let all = lists(
            "<main><h1>T</h1><h2>Why people choose it</h2><ul><li>One binary and no server: see <a href=/a>how</a></li>\
             <li><a href=/b>B</a> explains the rest</li></ul><p>Read the <a href=/c>manual</a>.</p></main>",
        );
        assert_eq!(all, ["/a", "/b: Why people choose it", "/c"]);
    }

    #[test]
    fn a_menu_that_is_there_twice_counts_once() {
        let list =
            "<ul><li><a href='#'>Guides</a><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></li></ul>";
        assert_eq!(menu(&format!("<div>{list}</div><div>{list}</div>")), ["/a: Guides", "/b: Guides"]);
    }

    #[test]
    fn the_entry_of_the_page_itself_may_lead_nowhere() {
        let own = "<li class=current><a class='current reference' href='#'>Install</a><ul><li><a href='#linux'>On Linux</a></ul>";
        assert_eq!(
            menu(&format!("<p>Guide</p><ul>{own}<li><a href=/b>B</a></ul>")),
            ["/: Guide", "/b: Guide"]
        );
    }

    #[test]
    fn bars_and_pagers_are_told() {
        let page = page(&format!(
            "<header><nav><a href=/a>A</a></nav></header><nav class=sidebar><p>G</p><a href=/b>B</a></nav>{TEXT}\
             <nav class=pagination><a href=/c>C</a></nav>"
        ));
        let bars: Vec<_> = page.lists.iter().map(|list| (list.label.as_deref(), list.bar)).collect();
        assert_eq!(bars[..2], [(None, true), (Some("G"), false)]);
        assert_eq!(page.links.iter().map(|link| link.turns).collect::<Vec<_>>(), [false, false, true]);
        let numbers = "<a href=/page2/>2</a><a href=/blog/page/3>3</a><a href=/1817/>1817</a><a href=/page4/>Ovens</a><a href=/page5/><i></i></a>";
        let page = self::page(&format!("{TEXT}<nav>{numbers}</nav>"));
        assert_eq!(
            page.links.iter().map(|link| link.turns).collect::<Vec<_>>(),
            [true, true, false, false, true]
        );
    }

    #[test]
    fn labels_are_short_however_long_a_text_is() {
        let text = "word ".repeat(10_000);
        let page = page(&format!(
            "<main><h2>{text}</h2><ul><li>{text}<ul><li><a href=/a>A</a></ul><ul><li><a href=/b>{text}</a></ul></ul>"
        ));
        assert!(page.links.iter().all(|link| link.text.len() < 2_000 && link.place == LinkPlace::Content));
        assert!(page.lists.iter().filter_map(|list| list.label.as_deref()).all(|label| label.len() <= 160));
        assert_eq!(page.links.len(), 2);
    }
}
