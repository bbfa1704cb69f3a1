//! `llms.txt` of a site.

use super::entries::{LINK_CHARS, LinkEntry, entries};
use super::head;
use super::language::language;
use super::options::IndexOptions;
use super::plan::{Planned, drop_silent, heading_chars, home_page, sections};
use super::thinning::Thinning;
use crate::llms_txt::document::{Document, Link, Section};
use crate::llms_txt::inline::{Destination, Name};
use crate::maps::Map;
use crate::site::locale::Translation;
use crate::site::outline::{CrawledPage, OPTIONAL, Outline};
use crate::url::SiteUrl;
use crate::wording::Wording;

/// A short name and a short description together, in characters.
const SAID_CHARS: usize = 70;
/// The characters of a link's line, less than which hardly any has.
const ENTRY_MIN_CHARS: usize = 40;
/// The text of a page that is yet to be written has fewer bytes.
const STUB_BYTES: usize = 300;
/// Pages among which each that finds room is chosen.
const CHOICE: usize = 4;
/// The most that the info line grows by when pages are left out, in characters.
const INFO_GROWTH_CHARS: usize = 100;

/// Of how many pages the text is worth keeping for an index of so many links and characters, and a full text of so many
/// pages: several for each that finds room, since which are the best is known when all were met.
pub fn worth_keeping(max_links: usize, max_chars: usize, max_full_pages: usize) -> usize {
    max_links.min(max_chars / ENTRY_MIN_CHARS).max(max_full_pages).saturating_mul(CHOICE)
}

/// The index and what became of the pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// The file.
    pub document: Document,
    /// The same as text.
    pub text: String,
    /// How many pages it links to.
    pub links: usize,
    /// How many of them a model described.
    pub written: usize,
    /// How many descriptions of a model were not taken: it gave them to several pages, or they are another's name.
    pub repeated: usize,
    /// How many pages of the outline found no room.
    pub left_out: usize,
    /// How many pages are not listed because they say nothing of their own: they list others, nothing but their addresses tells
    /// them apart, or they have no more than a name and can be skipped.
    pub alike: usize,
}

/// Assembles the index: pages in the outline's order, the weakest left out where room is short. The page at
/// `home` is not among them, unless it is the only one: title and summary stand for it.
pub fn index(
    outline: &Outline,
    pages: &[CrawledPage],
    home: Option<&SiteUrl>,
    options: &IndexOptions<'_>,
) -> Index {
    let wording = Wording::of(language(pages).as_deref());
    let home_page = home_page(pages, home);
    let mut plan = sections(outline, pages, home_page, wording);
    let title = head::title(outline, pages);
    let home_fetched = home_page.map(|at| &pages[at]);
    let summary = head::summary(outline, (options.written, options.work), pages, home_fetched, &plan);
    let total: usize = plan.iter().map(|section| section.pages.len()).sum();
    leave_out_hopeless(&mut plan, outline, pages, options);
    let mut document = Document {
        summary: summary.unwrap_or_else(|| head::contents(&title, &plan)),
        title,
        info: vec![head::info(&plan, pages, home, total + options.untold, wording)],
        instructions: head::instructions(&plan, options, wording),
        sections: Vec::new(),
    };
    let mut chars = document.render().chars().count() + plan.iter().map(Planned::head_chars).sum::<usize>();
    // The info line grows when it has to say that pages were left out.
    chars += INFO_GROWTH_CHARS;
    let translations = translations(outline);
    chars += translation_chars(&translations);
    let (mut entries, repeated) = entries(&plan, outline, pages, options, wording);
    let is_on_home = |page: usize| outline.on_home.get(page).copied().unwrap_or(false);
    let is_called = |page: usize| outline.called.get(page).is_some_and(|called| called.label.is_some());
    let is_nameless = |page: usize| pages[page].page.name().is_none() && !is_called(page);
    // Its name is all that tells a page from others; one that can be skipped nobody misses, whatever it is called, nor one that
    // nobody calls anything.
    let mark = |section: &Planned, page| {
        let entry = entries.get(&page).filter(|entry| entry.is_silent())?;
        let is_missed = !section.optional && !is_nameless(page) || is_on_home(page);
        Some(if is_missed { entry.link.name.as_str() } else { "" })
    };
    let alike =
        drop_silent(&mut plan, mark, |page| !is_on_home(page) && only_names(&pages[page].page.markdown));
    entries.retain(|page, _| !alike.contains(page));
    let lengths: Map<usize, usize> = entries.iter().map(|(&page, entry)| (page, entry.chars())).collect();
    chars += lengths.values().sum::<usize>();
    let mut kept = lengths.len();
    let is_silent = |page| entries.get(&page).is_some_and(LinkEntry::is_silent);
    let mut thinning = Thinning::of(&plan, outline, is_silent);
    while chars > options.max_chars && kept > 1 {
        let Some((page, emptied)) = thinning.drop_weakest() else { break };
        chars -= lengths.get(&page).unwrap_or(&0) + emptied;
        kept -= 1;
    }
    thinning.apply(&mut plan);
    join_single(&mut plan, &document.title);
    let total = total + options.untold - alike.len();
    document.info = vec![head::info(&plan, pages, home, total, wording)];
    let written = plan.iter().flat_map(|section| &section.pages);
    let written = written.filter(|page| entries.get(page).is_some_and(|entry| entry.is_told)).count();
    document.sections = plan
        .into_iter()
        .map(|section| Section {
            links: section.pages.iter().filter_map(|page| Some(entries.remove(page)?.link)).collect(),
            name: section.name,
        })
        .collect();
    match document.sections.last_mut().filter(|last| last.name == translations.name) {
        Some(optional) => optional.links.extend(translations.links),
        None => document.sections.extend(Some(translations).filter(|section| !section.links.is_empty())),
    }
    let text = document.render();
    let (left_out, alike) = (total - kept, alike.len() + outline.archives.len() + outline.members.len());
    Index { document, text, links: kept, written, repeated, left_out, alike }
}

/// Leaves out pages that find no room however little is said of them: what is not listed needs no description, and on a large
/// site that is most of the work.
fn leave_out_hopeless(
    plan: &mut Vec<Planned>,
    outline: &Outline,
    pages: &[CrawledPage],
    options: &IndexOptions<'_>,
) {
    let listed = || plan.iter().flat_map(|section| &section.pages).copied();
    let least_chars = |at: usize| pages[at].link.as_str().len() + LINK_CHARS + SAID_CHARS;
    let (mut planned, mut least) = (listed().count(), listed().map(least_chars).sum::<usize>());
    let is_short = |at: usize| pages[at].page.markdown.len() < STUB_BYTES;
    // A site of short pages has no others.
    let has_long = listed().filter(|&at| is_short(at)).count() * 2 < planned;
    let mut thinning = Thinning::of(plan, outline, |at| has_long && is_short(at));
    while planned > options.max_pages.max(1) || (least > options.max_chars && planned > 1) {
        let Some((page, _)) = thinning.drop_weakest() else { break };
        least -= least_chars(page);
        planned -= 1;
    }
    thinning.apply(plan);
}

/// Puts what is left of sections that have lost all other pages into the site's own section, if it has one; what heads the parts
/// of a section stays before them.
fn join_single(plan: &mut Vec<Planned>, site: &Name) {
    let Some(own) = plan.iter().position(|section| section.name == *site && !section.optional) else {
        return;
    };
    let heads_parts = |name: &Name| {
        let beginning = format!("{}: ", name.as_str());
        plan.iter().any(|part| part.name.as_str().starts_with(&beginning))
    };
    let is_left = |(at, section): &(usize, &Planned)| {
        *at != own && !section.optional && section.pages.len() == 1 && !heads_parts(&section.name)
    };
    let left: Vec<usize> = plan.iter().enumerate().filter(is_left).map(|(at, _)| at).collect();
    for at in left {
        let single = std::mem::take(&mut plan[at].pages);
        plan[own].pages.extend(single);
    }
    plan.retain(|section| !section.pages.is_empty());
}

/// A link to each language that the index leaves out, with the heading they may need.
fn translations(outline: &Outline) -> Section {
    let link = |translation: &Translation| {
        let url = Destination::clean(translation.url.as_str())?;
        Some(Link { name: Name::clean(&translation.name)?, url, notes: None })
    };
    let links = outline.translations.iter().filter_map(link).collect();
    Section { name: Name::clean(OPTIONAL).unwrap_or_else(Name::untitled), links }
}

fn translation_chars(section: &Section) -> usize {
    let mut text = String::new();
    section.links.iter().for_each(|link| link.render(&mut text));
    let heading = if section.links.is_empty() { 0 } else { heading_chars(&section.name) };
    text.chars().count() + heading
}

/// Whether a page holds its name and no text.
fn only_names(markdown: &str) -> bool {
    markdown.lines().all(|line| line.is_empty() || line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_section_joins_the_sites_own() {
        let name = |text: &str| Name::clean(text).unwrap_or_else(Name::untitled);
        let section = |text: &str, pages: &[usize]| Planned {
            name: name(text),
            optional: text == OPTIONAL,
            pages: pages.to_vec(),
        };
        let joined = |own: &str| {
            let mut plan = vec![
                section("Wood", &[1, 2]),
                section("Gas", &[3]),
                section(own, &[4, 5]),
                section("Clay pots", &[7]),
                section("Clay pots: Vases", &[8, 9]),
                section(OPTIONAL, &[6]),
            ];
            join_single(&mut plan, &name("Kilns"));
            plan.into_iter().map(|section| section.pages).collect::<Vec<_>>()
        };
        assert_eq!(joined("Kilns"), [vec![1, 2], vec![4, 5, 3], vec![7], vec![8, 9], vec![6]]);
        assert_eq!(joined("Clay"), [vec![1, 2], vec![3], vec![4, 5], vec![7], vec![8, 9], vec![6]]);
    }
}
