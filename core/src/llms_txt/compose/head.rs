//! What the files say of the site, before their first section.

use memchr::memmem;

use super::opening::{BLOCKS, SENTENCE_LETTERS, letters, paragraphs};
use super::options::{IndexOptions, spend};
use super::plan::Planned;
use super::sentences::{comma, cut, end_in, is_ended, sentences};
use crate::llms_txt::blocks::{Block, BlockKind, blocks};
use crate::llms_txt::describe::{ModelTexts, gives_orders};
use crate::llms_txt::document::Passage;
use crate::llms_txt::inline::{Name, Text};
use crate::llms_txt::link::links;
use crate::llms_txt::plain::{normal, plain};
use crate::maps::Set;

use crate::site::outline::{CrawledPage, OPTIONAL, Outline};
use crate::site::rank::is_post;
use crate::url::SiteUrl;
use crate::wording::{Wording, fill};
use crate::work::Work;

/// The longest site summary, in characters.
const SUMMARY_MAX_CHARS: usize = 500;
/// Letters of a paragraph that says what a site is though it does not name it.
const SUMMARY_LETTERS: usize = 40;
/// Pages that are asked what the site is when its home page does not say so, those first in reading order.
const ASKED_PAGES: usize = 10;
/// Words of a sentence among which its subject is named.
const SUBJECT_WORDS: usize = 3;
/// Letters of the first word that may tell a site's name from others.
const NAME_CHARS: usize = 4;
/// Pages that are looked at for what several of them open with.
const COMPARED_PAGES: usize = 20;

/// The site's name, else its host.
pub(super) fn title(outline: &Outline, pages: &[CrawledPage]) -> Name {
    let host = pages.first().map_or("", |page| page.url.host());
    Name::clean(&outline.site_name).or_else(|| Name::clean(host)).unwrap_or_else(Name::untitled)
}

/// What the site is about by a model's word, else its home page's author's, else the home page's first paragraph that names
/// the site, or its first, else that of the first page that begins with the site's name, or at least has it.
pub(super) fn summary(
    outline: &Outline,
    (written, work): (Option<&ModelTexts>, Option<&Work<'_>>),
    pages: &[CrawledPage],
    home: Option<&CrawledPage>,
    plan: &[Planned],
) -> Option<Text> {
    let told = written.and_then(|written| written.summary.clone());
    let is_name = |text: &str| normal(text) == normal(&outline.site_name);
    let declared = outline.summary.as_deref().map(plain).filter(|text| !gives_orders(text) && !is_name(text));
    // What is no more than a name or a slogan goes behind a paragraph.
    let is_sentence = |text: &&String| is_ended(text) || letters(text) >= SENTENCE_LETTERS;
    let told = told.or_else(|| declared.as_ref().filter(is_sentence).cloned()).or_else(|| {
        let name = normal(&outline.site_name);
        // Names begin with what tells them apart: `Kiln 4.2 documentation`.
        let letters_of = |word: &&str| word.chars().count();
        let name = name
            .split(' ')
            .find(|word| letters_of(word) >= NAME_CHARS)
            .or(name.split(' ').max_by_key(letters_of));
        let names_it = |text: &str| normal(text).split(' ').any(|word| Some(word) == name);
        // A sentence about it, and not one that speaks of it beside its matter.
        let begins_with_it =
            |text: &str| normal(text).split(' ').take(SUBJECT_WORDS).any(|word| Some(word) == name);
        let main = plan.iter().filter(|section| !section.optional).flat_map(|section| &section.pages);
        let mut main: Vec<usize> = main.copied().collect();
        // What the home page shows knows more of the site than a post does.
        let is_shown = |at: usize| outline.on_home.get(at).copied().unwrap_or(false);
        main.sort_by_key(|&at| (is_post(&pages[at].url), !is_shown(at)));
        let asked = main.into_iter().take(ASKED_PAGES).map(|at| &pages[at]);
        // What stands under the name of another page is of that: a blog's home page shows how its posts begin.
        let names: Set<String> = pages.iter().filter_map(|page| page.page.name()).map(normal).collect();
        let of = |page, others: &_| openings(page, pages, others, work);
        let own = home.map(|home| of(home, &names)).unwrap_or_default();
        let all = || home.map(|home| of(home, &Set::default())).unwrap_or_default();
        // What does not end like a sentence is a place or a day, and what is as short as that news of one.
        let mut told = own.iter().filter(|text| sentences(text).next().is_some_and(is_ended));
        let long = told.clone().find(|text| letters(text) >= SUMMARY_LETTERS);
        let first = long.or_else(|| told.next()).cloned();
        let own = own.into_iter().find(|text| names_it(text));
        let own = own.or_else(|| all().into_iter().find(|text| names_it(text))).or(first);
        own.or_else(|| {
            let mut beside = None;
            for text in asked.flat_map(|page| of(page, &Set::default())) {
                if begins_with_it(&text) {
                    return Some(text);
                }
                beside = beside.or_else(|| Some(text).filter(|text| names_it(text)));
            }
            beside
        })
    });
    let told = cut(&told.or(declared)?, SUMMARY_MAX_CHARS);
    // What ends with a colon speaks of what comes next, and what ends with dots was cut.
    let is_whole = |sentence: &&str| !sentence.ends_with([':', '：']) && !breaks_off(sentence);
    let whole = || sentences(&told).take_while(is_whole);
    // What follows the last sentence is a label: `It fires pots. Read more`.
    let last = whole().filter(|sentence| is_ended(sentence)).last().or_else(|| whole().last());
    let end = last.map(|last| end_in(&told, last));
    Text::clean(end.and_then(|end| told.get(..end)).unwrap_or(&told))
}

/// The first paragraphs of prose on a page that no other page has, and that stand under the name of none of `others`, nor under a
/// heading that leads to another page.
fn openings(
    page: &CrawledPage,
    pages: &[CrawledPage],
    others: &Set<String>,
    work: Option<&Work<'_>>,
) -> Vec<String> {
    let title = page.page.name().map(normal).unwrap_or_default();
    let is_shared = |block: &Block<'_>| {
        let others = pages.iter().filter(|other| other.url != page.url).take(COMPARED_PAGES);
        let finder = memmem::Finder::new(block.text);
        block.kind == BlockKind::Paragraph
            && others
                .filter(|other| spend(work, other) && finder.find(other.page.markdown.as_bytes()).is_some())
                .nth(1)
                .is_some()
    };
    // What no paragraph is chosen from is compared with no page.
    let blocks = blocks(&page.page.markdown);
    let mut is_other = false;
    let own: Vec<_> = blocks
        .iter()
        .take(BLOCKS)
        .filter(|block| {
            if let BlockKind::Heading { .. } = block.kind {
                let name = normal(&plain(block.text));
                let leads_on = || links(block.text).any(|link| link.url != page.url.as_str());
                is_other = name != title && (others.contains(&name) || leads_on());
            }
            !is_other && !is_shared(block)
        })
        .collect();
    let told = paragraphs(own.into_iter(), &title).map(|own| own.text);
    // What breaks off is how another page begins.
    let is_whole = |text: &String| sentences(text).next().is_some_and(|first| !breaks_off(first));
    told.filter(|text| !gives_orders(text) && is_whole(text)).collect()
}

fn breaks_off(sentence: &str) -> bool {
    sentence.ends_with('…') || sentence.ends_with("...")
}

/// What the site holds, by the names of its sections.
pub(super) fn contents(title: &Name, plan: &[Planned]) -> Text {
    let main = plan.iter().filter(|section| !section.optional).map(|section| section.name.as_str());
    // The parts of a section have its name in front of theirs.
    let mut known = Set::default();
    let heads = main.filter_map(|name| name.split(": ").next());
    let names: Vec<_> = heads.filter(|name| *name != title.as_str() && known.insert(*name)).collect();
    let list = if names.is_empty() { title.as_str().to_owned() } else { names.join(comma(&names)) };
    Text::clean(&cut(&list, SUMMARY_MAX_CHARS)).unwrap_or_else(Text::nothing)
}

/// How many pages are listed, of which site, and how many found no room.
pub(super) fn info(
    plan: &[Planned],
    pages: &[CrawledPage],
    home: Option<&SiteUrl>,
    total: usize,
    wording: &Wording,
) -> Text {
    let listed: usize = plan.iter().map(|section| section.pages.len()).sum();
    let mut text = fill(&wording.listed, &[("{pages}", &listed.to_string()), ("{site}", site(home, pages))]);
    if listed < total {
        text.push(' ');
        text.push_str(&fill(&wording.left_out, &[("{pages}", &(total - listed).to_string())]));
    }
    Text::clean(&text).unwrap_or_else(Text::nothing)
}

/// The address of the site as people write it: host, port and folder.
fn site<'a>(home: Option<&'a SiteUrl>, pages: &'a [CrawledPage]) -> &'a str {
    let Some(url) = home.or_else(|| pages.first().map(|page| &page.url)) else { return "" };
    let address = url.as_str().split_once("://").map_or("", |(_, rest)| rest);
    let address = address.split(['?', '#']).next().unwrap_or_default();
    // The last segment is a page's own; a home page's folder is the site's.
    let folder = if home.is_some() { address.rsplit_once('/') } else { address.split_once('/') };
    folder.map_or(address, |(folder, _)| folder)
}

/// The standing lines, then the caller's.
pub(super) fn instructions(plan: &[Planned], options: &IndexOptions<'_>, wording: &Wording) -> Vec<Passage> {
    let mut lines = vec![wording.choose.clone(), wording.prefer.clone()];
    if plan.iter().any(|section| section.optional) {
        lines.push(fill(&wording.skip, &[("{section}", OPTIONAL)]));
    }
    if let Some(full) = options.full {
        lines.push(fill(&wording.full, &[("{url}", full.as_str())]));
    }
    let standing = lines.iter().filter_map(|line| Text::clean(line)).map(Passage::Item);
    standing.chain(options.instructions.map(Passage::read).unwrap_or_default()).collect()
}
