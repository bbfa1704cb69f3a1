//! What each page of a file is called: in the site's words, each page otherwise.

use super::plan::Planned;
use super::sentences::is_ended;
use crate::llms_txt::blocks::{BlockKind, blocks};
use crate::llms_txt::inline::Name;
use crate::llms_txt::page_name::{NAME_MAX_CHARS, of_file, page_name};
use crate::llms_txt::plain::{normal, plain, without_icon};
use crate::maps::{Counts, Set};
use crate::separators::COLON;
use crate::site::outline::{Called, CrawledPage, Outline, without_site};

/// So many headings that name the site, too, do so as titles do: `Kilns | Acme`.
const SIGNED: usize = 3;

/// So many words of a heading say something about a page.
const SLOGAN_WORDS: usize = 6;

/// How many labels above a page are tried.
const LEVELS: usize = 3;

/// The name of each page that is listed, section by section: the first of its heading, the site's label for it alone and
/// its title that no other listed page has. What stays alike is told apart by the nearest label above it that does, which is not
/// said again where the heading of its section is that label.
pub(super) fn names(plan: &[Planned], pages: &[CrawledPage], outline: &Outline) -> Vec<Name> {
    let listed: Vec<usize> = plan.iter().flat_map(|section| section.pages.iter().copied()).collect();
    let sections: Vec<&str> =
        plan.iter().flat_map(|section| vec![section.name.as_str(); section.pages.len()]).collect();
    let titles: Counts<&str> = listed.iter().filter_map(|&at| pages[at].page.title.as_deref()).collect();
    let called = |at: usize| outline.called.get(at).filter(|called| called.label.is_some());
    let label = |at: usize| called(at)?.label.as_deref();
    let headings = listed.iter().filter_map(|&at| pages[at].page.heading.as_deref());
    let signed = headings
        .filter(|heading| !heading.contains(COLON) && without_site(heading, &outline.site_name).is_some());
    let are_signed = signed.take(SIGNED).count() == SIGNED;
    let site = normal(&outline.site_name);
    let title = |at: usize| {
        let title = pages[at].page.title.as_deref()?;
        telling(without_site(title, &outline.site_name).unwrap_or(title))
    };
    let heading = |at: usize| {
        // Of what scripts show there is the head alone.
        if pages[at].page.shell {
            return title(at);
        }
        let is_own = pages[at].page.title.as_deref().is_some_and(|title| titles.of(title) == 1);
        let name = own_name(&pages[at], called(at), is_own)?;
        let own = are_signed.then(|| without_site(name.as_str(), &outline.site_name)).flatten();
        let name = own.and_then(Name::clean).unwrap_or(name);
        // A page below the home page that is headed as that is, is what the site's links call it.
        Some(name).filter(|name| label(at).is_none() || normal(name.as_str()) != site)
    };
    // Behind a bar stands what a title says beside the name.
    let front = |at: usize| telling(title(at)?.as_str().split_once(" | ")?.0);
    // A tab that leads to the first page of a group is called as the group is.
    let is_of_group = |at: usize| {
        label(at).is_some_and(|label| outline.called[at].above.iter().any(|above| above == label))
    };
    let any_label = |at: usize| telling(label(at)?);
    let own_label = |at: usize| any_label(at).filter(|_| !is_of_group(at));
    // What a page opens with is its name where it has no other.
    let opening = |at: usize| {
        if pages[at].page.name().is_some() || label(at).is_some() {
            return None;
        }
        let first = blocks(&pages[at].page.markdown).into_iter().next()?;
        telling(&plain(first.text)).filter(|_| matches!(first.kind, BlockKind::Heading { .. }))
    };
    let kinds: [&dyn Fn(usize) -> Option<Name>; 6] =
        [&heading, &own_label, &front, &title, &any_label, &opening];
    let mut own: Vec<Option<Name>> = vec![None; listed.len()];
    let said = kinds.map(|kind| listed.iter().map(|&at| kind(at)).collect::<Vec<_>>());
    let [headings, _, _, titles, ..] = &said;
    // What no other page of the file has, else what it calls itself and no other of the section.
    let in_all = said.iter().map(|said| (said, single(said)));
    let in_section = [headings, titles].map(|said| (said, single_in(&sections, said)));
    for (said, is_single) in in_all.chain(in_section) {
        for ((own, said), is_single) in own.iter_mut().zip(said).zip(is_single) {
            *own = own.take().or_else(|| said.clone().filter(|_| is_single));
        }
    }
    let last = |at: usize| {
        let called = any_label(at).filter(|_| pages[at].page.name().is_none());
        let name = called.unwrap_or_else(|| page_name(&pages[at]));
        without_site(name.as_str(), &outline.site_name).and_then(telling).unwrap_or(name)
    };
    let mut names: Vec<_> =
        listed.iter().zip(own).map(|(&at, own)| Some(own.unwrap_or_else(|| last(at)))).collect();
    for level in 0..LEVELS {
        let alike = single(&names);
        let apart = single_in(&sections, &names);
        let longer: Vec<_> = (0..listed.len())
            .map(|nth| {
                let is_told = apart[nth] && is_told(outline, listed[nth], level, sections[nth]);
                below(outline, listed[nth], level, names[nth].as_ref().filter(|_| !alike[nth] && !is_told)?)
            })
            .collect();
        // What tells it from none but those of its section is of use where it was not told from them.
        let (in_all, in_section) = (single(&longer), single_in(&sections, &longer));
        for (nth, longer) in longer.into_iter().enumerate() {
            if in_all[nth] || in_section[nth] && !apart[nth] {
                names[nth] = longer;
            }
        }
    }
    let names = without_site_alone(&listed, &sections, pages, names, &site).into_iter();
    names.map(|name| name.unwrap_or_else(Name::untitled).shortened(NAME_MAX_CHARS)).collect()
}

/// A page's heading; its title where the heading may as well be that of a part: it is one of several of the highest level and
/// shares no word with a title that is the page's `own`, or is of a lower level, and title and label agree on a name.
fn own_name(page: &CrawledPage, called: Option<&Called>, own: bool) -> Option<Name> {
    let label = called.and_then(|called| called.label.as_deref());
    let in_bar = called.is_some_and(|called| called.in_bar);
    let heading = page.page.heading.as_deref()?;
    let words = |text: &str| normal(text).split(' ').map(str::to_owned).collect::<Set<_>>();
    let markdown = &page.page.markdown;
    if let Some(label) = label.filter(|label| is_slogan(heading, label, page.page.title.as_deref(), in_bar)) {
        return telling(label);
    }
    let opens = markdown.starts_with("# ");
    let is_better = |title: &&str| {
        let (title, heading) = (words(title), words(heading));
        let is_agreed = title != heading && label.is_some_and(|label| words(label) == title);
        let is_apart = own && title.is_disjoint(&heading);
        // To read all of a page takes longer, and is seldom needed.
        let is_first = |kind| matches!(kind, BlockKind::Heading { level: 1 });
        let first_level = || blocks(markdown).iter().filter(|block| is_first(block.kind)).count();
        (is_agreed || is_apart)
            && match first_level() {
                0 => is_agreed,
                1 if opens => false,
                _ => is_apart,
            }
    };
    let title = page.page.title.as_deref().filter(is_better);
    title.and_then(telling).or_else(|| telling(heading)).or_else(|| Name::clean(heading))
}

/// Whether a heading is a sentence that has no word of what menu and title agree on as the page's name: `Let us talk about your
/// pots.` What ends like one does not need the title for it, where the menu across the top has the label.
fn is_slogan(heading: &str, label: &str, title: Option<&str>, in_bar: bool) -> bool {
    let (heading_words, label, title) = (normal(heading), normal(label), normal(title.unwrap_or_default()));
    let has = |text: &str, word: &str| text.split(' ').any(|own| own == word);
    let is_ended = is_ended(heading);
    let is_sentence = is_ended || heading_words.split(' ').nth(SLOGAN_WORDS - 1).is_some();
    let is_agreed = |word| has(&title, word) || is_ended && in_bar;
    is_sentence
        && !label.is_empty()
        && label.split(' ').all(|word| is_agreed(word) && !has(&heading_words, word))
}

/// A page's name behind one of the labels above it.
fn below(outline: &Outline, at: usize, level: usize, name: &Name) -> Option<Name> {
    let above = telling(outline.called.get(at)?.above.get(level)?)?;
    if normal(above.as_str()) == normal(name.as_str()) {
        return None;
    }
    Name::clean(&format!("{}: {}", above.as_str(), name.as_str()))
}

/// Where nothing but the name of the `site` is left for several pages of a section, it names none of them: they are called as
/// their first own heading is, else by their files.
fn without_site_alone(
    listed: &[usize],
    sections: &[&str],
    pages: &[CrawledPage],
    names: Vec<Option<Name>>,
    site: &str,
) -> Vec<Option<Name>> {
    let is_site = |name: &Option<Name>| name.as_ref().is_some_and(|name| normal(name.as_str()) == site);
    let nameless = |names: &[Option<Name>]| -> Vec<bool> {
        let apart = single_in(sections, names).into_iter();
        apart.zip(names).map(|(apart, name)| !apart && is_site(name)).collect()
    };
    let headings = own_headings(listed, &nameless(&names), pages);
    let names: Vec<_> = headings.into_iter().zip(names).map(|(heading, name)| heading.or(name)).collect();
    let nameless = nameless(&names);
    let all = listed.iter().zip(nameless).zip(names);
    all.map(|((&at, is_nameless), name)| if is_nameless { Some(of_file(&pages[at].url)) } else { name })
        .collect()
}

/// What those pages are called that have no name of their own: the first heading of each that none of the others has.
fn own_headings(listed: &[usize], nameless: &[bool], pages: &[CrawledPage]) -> Vec<Option<Name>> {
    let headings = |(&at, &is_nameless): (&usize, &bool)| {
        let blocks = if is_nameless { blocks(&pages[at].page.markdown) } else { Vec::new() };
        let headings = blocks.into_iter().filter(|block| matches!(block.kind, BlockKind::Heading { .. }));
        let names = headings.filter_map(|heading| telling(&plain(heading.text)));
        names.filter(|name| name.as_str().chars().nth(NAME_MAX_CHARS).is_none()).collect::<Vec<_>>()
    };
    let said: Vec<Vec<Name>> = listed.iter().zip(nameless).map(headings).collect();
    let shared: Counts<&Name> = said.iter().flat_map(|names| names.iter().collect::<Set<_>>()).collect();
    said.iter().map(|names| names.iter().find(|name| shared.of(name) == 1).cloned()).collect()
}

/// A name that has a letter in it, without what stands for an icon before it.
fn telling(text: &str) -> Option<Name> {
    Name::clean(without_icon(text)).filter(|name| name.as_str().contains(char::is_alphabetic))
}

/// Whether the heading of its section is one of the labels above a page that are tried first.
fn is_told(outline: &Outline, at: usize, level: usize, section: &str) -> bool {
    let above = outline.called.get(at).into_iter().flat_map(|called| called.above.iter().take(level + 1));
    let says = |label: &String| section.split(": ").any(|part| normal(part) == normal(label));
    above.into_iter().any(says)
}

/// Of each name whether no other of its section is the same.
fn single_in(sections: &[&str], names: &[Option<Name>]) -> Vec<bool> {
    let own = || sections.iter().zip(names).map(|(section, name)| Some((*section, name.as_ref()?)));
    let counts: Counts<(&str, &Name)> = own().flatten().collect();
    own().map(|own| own.is_some_and(|own| counts.of(&own) == 1)).collect()
}

/// Of each name whether no other is the same.
fn single(names: &[Option<Name>]) -> Vec<bool> {
    let counts: Counts<&Name> = names.iter().flatten().collect();
    names.iter().map(|name| name.as_ref().is_some_and(|name| counts.of(&name) == 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;
    use crate::site::outline::Called;

    #[test]
    fn a_title_is_a_name_up_to_its_bar_unless_others_begin_so() {
        let titles =
            ["Ovens | Since 1974", "Shop | Pots", "Shop | Clay", ""].map(|title| ["", "", title, ""]);
        assert_eq!(named(&titles)[..3], ["Ovens", "Shop | Pots", "Shop | Clay"]);
    }

    #[test]
    fn a_slogan_is_no_name_where_menu_and_title_agree_on_one() {
        let slogans = [
            ["Pots that outlive the house", "Shop", "Shop", ""],
            ["Let us talk clay.", "Contact", "Contact us | Acme", ""],
            ["We fire each of them twice.", "Ovens", "Acme", ""],
            ["Every pot is fired twice by hand", "Firing", "Acme", ""],
            ["", "", "", ""],
        ];
        assert_eq!(named(&slogans)[..4], ["Shop", "Contact", "Ovens", "Every pot is fired twice by hand"]);
    }

    /// The names of pages by heading, label, title and the label above.
    fn named(pages: &[[&str; 4]]) -> Vec<String> {
        let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let page = |(at, [heading, _, title, _]): (usize, &[&str; 4])| {
            let url = crate::url::SiteUrl::parse(&format!("https://docs.example.org/kilns/file-{at}.html"))
                .unwrap();
            let page = Page { heading: said(heading), title: said(title), ..Page::default() };
            CrawledPage { link: url.clone(), url, page }
        };
        let fetched: Vec<_> = pages.iter().enumerate().map(page).collect();
        let called = pages.iter().map(|[_, label, _, above]| Called {
            label: said(label),
            above: above.split('/').filter_map(said).collect(),
            in_bar: true,
        });
        let outline = Outline { called: called.collect(), ..Outline::default() };
        let section = |pages| Planned { name: Name::untitled(), optional: false, pages };
        // The last page stands in a section of its own.
        let plan = [section((0..pages.len() - 1).collect()), section(vec![pages.len() - 1])];
        names(&plan, &fetched, &outline).iter().map(|name| name.as_str().to_owned()).collect()
    }

    #[test]
    fn a_page_is_called_by_the_first_word_that_is_its_own() {
        assert_eq!(
            named(&[
                ["2. Firing a pot", "Firing", "Firing - Kiln", ""],
                ["Kiln", "Wood", "Wood and gas", ""],
                ["Kiln", "", "Clay", ""],
                ["Kiln", "Glazes", "Glaze", ""],
                ["", "Ash", "About ash", ""],
                ["", "Fuel", "About coal", "Fuel"],
                ["", "Pots", "", "Pots"],
                ["", "", "", ""],
            ]),
            ["2. Firing a pot", "Wood", "Clay", "Glazes", "Ash", "About coal", "Pots", "File 7"]
        );
    }

    #[test]
    fn what_no_other_page_of_the_section_has_names_a_page() {
        let names = named(&[
            ["Firing", "", "Notes", ""],
            ["Firing", "", "Code", ""],
            ["Ash", "", "Code", "Ash"],
            ["Pots", "", "Code", ""],
        ]);
        assert_eq!(names, ["Notes", "Firing", "Ash", "Pots"]);
    }

    #[test]
    fn a_label_above_that_tells_nothing_apart_is_not_said() {
        let page = |at: usize| {
            let url = crate::url::SiteUrl::parse(&format!("https://example.org/{at}")).unwrap();
            let page = Page { heading: Some("Notes".to_owned()), ..Page::default() };
            CrawledPage { link: url.clone(), url, page }
        };
        let pages: Vec<_> = (0..4).map(page).collect();
        let above = |above: &str| Called { above: vec![above.to_owned()], ..Called::default() };
        let outline =
            Outline { called: ["Wood", "Gas", "Wood", "Wood"].map(above).to_vec(), ..Outline::default() };
        let section = |name, pages| Planned { name: Name::clean(name).unwrap(), optional: false, pages };
        let plan = [section("A", vec![0, 1]), section("B", vec![2]), section("C", vec![3])];
        let names = names(&plan, &pages, &outline);
        let names: Vec<_> = names.iter().map(Name::as_str).collect();
        assert_eq!(names, ["Wood: Notes", "Gas: Notes", "Notes", "Notes"]);
    }

    #[test]
    fn a_page_that_nothing_names_is_called_as_it_opens() {
        let page = |(at, markdown): (usize, &str)| {
            let url = crate::url::SiteUrl::parse(&format!("https://example.org/btn-prlmk-{at}")).unwrap();
            let page = Page { markdown: markdown.to_owned(), ..Page::default() };
            CrawledPage { link: url.clone(), url, page }
        };
        let texts = ["## Wood\n\n## Gas\n", "Text.\n\n## Gas\n", "## Ash\n", "Text."];
        let pages: Vec<_> = texts.into_iter().enumerate().map(page).collect();
        let labelled = Called { label: Some("Coal".to_owned()), ..Called::default() };
        let called = vec![Called::default(), Called::default(), labelled.clone(), labelled];
        let outline = Outline { called, ..Outline::default() };
        let section = |name, pages| Planned { name: Name::clean(name).unwrap(), optional: false, pages };
        let names = names(&[section("A", vec![0, 1, 2]), section("B", vec![3])], &pages, &outline);
        assert_eq!(
            names.iter().map(Name::as_str).collect::<Vec<_>>(),
            ["Wood", "Btn prlmk 1", "Coal", "Coal"]
        );
    }

    #[test]
    fn the_name_of_the_site_is_no_part_of_a_name() {
        let page = |path: &str, title: &str| {
            let url = crate::url::SiteUrl::parse(&format!("https://example.org/{path}")).unwrap();
            let page = Page { title: Some(title.to_owned()), ..Page::default() };
            CrawledPage { link: url.clone(), url, page }
        };
        let pages = [page("a", "Kilns - Wood"), page("b", "Coal"), page("c", "Gas - kilns")];
        let outline = Outline { site_name: "Kilns".to_owned(), ..Outline::default() };
        let plan = [Planned { name: Name::untitled(), optional: false, pages: vec![0, 1, 2] }];
        let names = names(&plan, &pages, &outline);
        assert_eq!(names.iter().map(Name::as_str).collect::<Vec<_>>(), ["Wood", "Coal", "Gas"]);
    }

    #[test]
    fn a_heading_that_may_be_that_of_a_part_is_outvoted_by_the_title() {
        let url = crate::url::SiteUrl::parse("https://docs.example.org/kilns/").unwrap();
        let named = |label: &str, own: bool, markdown: &str| {
            let said = |text: &str| Some(text.to_owned());
            let (heading, title) = (said("1. Background"), said("How kilns work"));
            let page = Page { heading, title, markdown: markdown.to_owned(), ..Page::default() };
            let page = CrawledPage { link: url.clone(), url: url.clone(), page };
            let called = Called { label: Some(label.to_owned()), ..Called::default() };
            own_name(&page, Some(&called), own).unwrap().as_str().to_owned()
        };
        let (heading, title) = ("1. Background", "How kilns work");
        let several = "Text.\n\n# 1. Background\n\nMore.\n\n# 2. Heat\n";
        assert_eq!([named("Heat", true, several), named("Heat", false, several)], [title, heading]);
        assert_eq!(named("How kilns work", true, "# 1. Background\n\nMore.\n"), heading);
        let low = "### 1. Background\n\nMore.\n";
        assert_eq!([named("How Kilns Work", false, low), named("Heat", true, low)], [title, heading]);
    }

    #[test]
    fn the_heading_of_a_section_tells_equal_names_apart() {
        let page = |path: &str, heading: &str| {
            let url = crate::url::SiteUrl::parse(&format!("https://example.org/{path}")).unwrap();
            let page = Page { heading: Some(heading.to_owned()), ..Page::default() };
            CrawledPage { link: url.clone(), url, page }
        };
        let pages =
            [page("a", "API"), page("b", "API"), page("c", "API"), page("d", "API"), page("e", "API")];
        let above = |above: &str| Called { above: vec![above.to_owned()], ..Called::default() };
        let called = ["Client", "Server", "Gas", "Wood", "Kiln"].map(above).to_vec();
        let outline = Outline { called, ..Outline::default() };
        let section = |name, pages| Planned { name: Name::clean(name).unwrap(), optional: false, pages };
        let plan =
            [section("Client", vec![0]), section("Pots: Server", vec![1]), section("Fuel", vec![2, 3, 4])];
        let names = names(&plan, &pages, &outline);
        let names: Vec<_> = names.iter().map(Name::as_str).collect();
        assert_eq!(names, ["API", "API", "Gas: API", "Wood: API", "Kiln: API"]);
    }

    #[test]
    fn what_is_called_by_the_site_alone_gets_a_heading_of_its_own() {
        let page = |(at, markdown): (usize, &str)| {
            let url = crate::url::SiteUrl::parse(&format!("https://example.org/{at}")).unwrap();
            let heading = Some("Kiln Days".to_owned());
            let page = Page { heading, markdown: markdown.to_owned(), ..Page::default() };
            CrawledPage { link: url.clone(), url, page }
        };
        let ada = "# Kiln Days\n\n## Talks\n\n### *Ada* Burns\n\n### Glaze\n";
        let pages: Vec<_> = [ada, "# Kiln Days\n\n## Talks\n\n## Bob\n", "# Kiln Days\n"]
            .into_iter()
            .enumerate()
            .map(page)
            .collect();
        let called = |site: &str| {
            let outline = Outline { site_name: site.to_owned(), ..Outline::default() };
            let plan = [Planned { name: Name::untitled(), optional: false, pages: vec![0, 1, 2] }];
            names(&plan, &pages, &outline).iter().map(|name| name.as_str().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(called("Kiln days"), ["Ada Burns", "Bob", "Kiln Days"]);
        assert_eq!(called("Kilns"), ["Kiln Days"; 3]);
        let seventh = page((7, "# Kiln Days\n"));
        let outline = Outline { site_name: "Kiln days".to_owned(), ..Outline::default() };
        let plan = [Planned { name: Name::untitled(), optional: false, pages: vec![0, 1] }];
        let names = names(&plan, &[pages[2].clone(), seventh], &outline);
        assert_eq!(names.iter().map(Name::as_str).collect::<Vec<_>>(), ["2", "7"]);
    }

    #[test]
    fn equal_names_get_the_label_above() {
        let api = |label, above| ["API", label, "API", above];
        let other = api("API", "Kiln");
        assert_eq!(
            named(&[api("API", "Server"), api("API", "\u{25ba} Client"), other]),
            ["Server: API", "Client: API", "Kiln: API"]
        );
        assert_eq!(named(&[api("(1)", "Kiln"), api("(2)", "Kiln"), other]), ["API"; 3]);
        let above = [api("API", "Guides/Client"), api("API", "Guides/Server"), other];
        assert_eq!(named(&above), ["Client: API", "Server: API", "Kiln: API"]);
        let same = [api("API", "API/Client"), api("API", "API/Server"), other];
        assert_eq!(named(&same), ["Client: API", "Server: API", "Kiln: API"]);
    }
}
