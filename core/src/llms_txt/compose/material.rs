//! What a page offers to describe it with.

use std::cell::LazyCell;

use super::lead::{Lead, Origin, leads};
use super::paragraphs::{Paragraph, Paragraphs, reads_as_prose};
use super::prose::{first_sentence, normal, plain, without_number};
use super::shared::Shared;
use super::topics::topics;
use crate::llms_txt::blocks::{Block, Kind};
use crate::llms_txt::describe::gives_orders;
use crate::maps::Set;
use crate::page::Described;
use crate::site::outline::{Fetched, is_only_names};

/// How many items of its lists are looked at.
const ITEMS_SEEN: usize = 64;
/// How many items of its lists stand for a page without prose and sub-headings.
const ITEMS: usize = 6;
/// Fewer items of several words than this are joined by those of one.
const ITEMS_MIN: usize = 2;
/// The shortest item of a list that stands for a page, in characters.
const ITEM_MIN_CHARS: usize = 4;
/// The longest item of a list that stands for a page, in characters.
const ITEM_MAX_CHARS: usize = 60;
/// The shortest description by the author that counts, in characters.
const DESCRIPTION_MIN_CHARS: usize = 25;

/// So many bytes that two texts have in common at their starts make one the other's repetition.
const ALIKE_BYTES: usize = 60;

/// What stands between a title and what is said of it.
const DASHES: [&str; 5] = [" - ", " \u{2013} ", " \u{2014} ", " -- ", ": "];

/// What is not read of a page yet.
struct Unread<'a> {
    paragraphs: Paragraphs<'a>,
    /// How the page is described, where its opening does not say so.
    description: Option<Paragraph<'a>>,
}

/// What a page offers to describe it with, in plain text. What stands below its first sub-heading, and its lists, are read
/// only where its opening says too little: most pages are known by that.
pub(super) struct Material<'a> {
    page: &'a Fetched,
    name: &'a str,
    blocks: &'a [Block<'a>],
    shared: &'a Shared<'a>,
    unread: Option<Unread<'a>>,
    /// Its name as [`normal`] gives it.
    pub(super) title: String,
    /// Sentences, the best first.
    pub(super) leads: Vec<Lead>,
    /// Sub-headings.
    pub(super) topics: Vec<String>,
    /// First items of its lists.
    pub(super) items: Vec<String>,
}

impl<'a> Material<'a> {
    /// Collects it from what a page opens with, from its sub-headings, and from what its author says of it. What is `shared`
    /// with other pages says nothing about this one.
    pub(super) fn read(
        page: &'a Fetched,
        name: &'a str,
        blocks: &'a [Block<'a>],
        shared: &'a Shared<'a>,
    ) -> Self {
        let title = normal(without_number(name));
        let mut paragraphs = Paragraphs::of(blocks);
        let texts = paragraphs.opening(&title);
        let description = description(page, name, &texts);
        // It may be cut from any paragraph, which says more.
        let is_declared = description.is_some() && page.page.described == Described::Declared;
        let mut material = Self {
            topics: topics(blocks, &title),
            items: Vec::new(),
            leads: Vec::new(),
            unread: Some(Unread { paragraphs, description }),
            shared,
            page,
            name,
            blocks,
            title,
        };
        material.take(&texts);
        if is_declared {
            material.read_on();
        }
        material
    }

    /// Reads the rest of the page, once.
    pub(super) fn read_on(&mut self) {
        let Some(unread) = self.unread.take() else { return };
        let mut texts = unread.paragraphs.rest();
        if let Some(description) = unread.description {
            match repeated(&description.text, &texts) {
                // What the author had in mind is said there in full.
                Some(at) if description.origin == Origin::Description => {
                    texts[at].origin = Origin::Opening(0);
                }
                Some(_) => {}
                None => texts.push(description),
            }
        }
        self.take(&texts);
        self.items = items(self.blocks, &self.title)
            .into_iter()
            .filter(|(markdown, _)| !self.shared.contains(markdown))
            .map(|(_, text)| text)
            .collect();
    }

    /// Takes what its lists have in common with other pages, too.
    pub(super) fn take_shared_items(&mut self) {
        self.items = items(self.blocks, &self.title).into_iter().map(|(_, text)| text).collect();
    }

    /// Its address without the scheme.
    pub(super) fn place(&self) -> &'a str {
        self.page.url.as_str().split_once("://").map_or("", |(_, rest)| rest)
    }

    /// Takes the sentences of paragraphs, but for those of other pages too and those that talk to a model.
    fn take(&mut self, texts: &[Paragraph<'_>]) {
        let said = normal(self.name);
        let serves = |p: &&Paragraph<'_>| !self.shared.contains(p.markdown) && !gives_orders(&p.text);
        for Paragraph { origin, markdown, text } in texts.iter().filter(serves) {
            let stripped = without_title(text, &self.title);
            let origin = match origin {
                Origin::Opening(0) | Origin::Body(0) if stripped.len() < text.len() => Origin::Purpose,
                other => *other,
            };
            let is_code = |word: &str| {
                markdown.split('`').skip(1).step_by(2).any(|code| code.split(' ').next() == Some(word))
            };
            self.leads.extend(leads(stripped, origin, self.name, &said, is_code));
        }
        self.leads.sort_by_key(|lead| std::cmp::Reverse(lead.worth));
    }
}

/// How the page is described, unless that is no more than a name or repeats one of its paragraphs.
fn description<'a>(page: &Fetched, name: &str, paragraphs: &[Paragraph<'_>]) -> Option<Paragraph<'a>> {
    let text = plain(page.page.description.as_deref()?);
    let names = [name, page.page.site_name.as_deref().unwrap_or_default()];
    if text.chars().count() < DESCRIPTION_MIN_CHARS
        || repeated(&text, paragraphs).is_some()
        || is_only_names(&text, &names)
    {
        return None;
    }
    // What was found on the page and is none of its paragraphs stands in a list or a table.
    let aside = page.page.described == Described::Found || reads_as_prose(&text, &text) == Some(true);
    let origin = if aside { Origin::Aside } else { Origin::Description };
    Some(Paragraph { origin, markdown: "", text })
}

/// The paragraph of the page that begins as a description does: then it is no word of the author's on the page.
fn repeated(description: &str, paragraphs: &[Paragraph<'_>]) -> Option<usize> {
    let position = |is: &dyn Fn(&str) -> bool| paragraphs.iter().position(|paragraph| is(&paragraph.text));
    let own = LazyCell::new(|| normal(description));
    let begins_alike = |text: &str| shared_start(&normal(text), &own) >= own.len().min(ALIKE_BYTES);
    // Most begin so to the letter, which is soon told.
    position(&|text| text.starts_with(description)).or_else(|| position(&begins_alike))
}

/// The first items of a page's lists that name something, as written and in plain text; those of several words where there
/// are enough.
fn items<'a>(blocks: &[Block<'a>], title: &str) -> Vec<(&'a str, String)> {
    let items = blocks.iter().filter(|b| matches!(b.kind, Kind::Item { .. }));
    let items = items.filter_map(|b| Some((b.text, item(b.text)?))).take(ITEMS_SEEN);
    let mut seen: Set<String> = [title.to_owned()].into_iter().collect();
    let items = items.filter(|(_, item)| seen.insert(normal(item)) && !gives_orders(item));
    let (mut long, mut short) = (Vec::new(), Vec::new());
    for item in items {
        if item.1.contains(' ') {
            long.push(item);
        } else {
            short.push(item);
        }
        if long.len() == ITEMS {
            return long;
        }
    }
    if long.len() < ITEMS_MIN {
        long.extend(short);
    }
    long.truncate(ITEMS);
    long
}

/// The first sentence of an item, where it is short and more than a letter.
fn item(markdown: &str) -> Option<String> {
    let text = plain(markdown);
    // The number of a chapter ends no sentence.
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
    let sentence = text.get(..first_sentence(text))?.trim_end_matches(['.', ':', ';', ',', ' ']);
    let ornament = |c: char| !c.is_alphanumeric() && !c.is_ascii() && !"\u{201c}\u{2018}\u{ab}".contains(c);
    let sentence = sentence.trim_start_matches(|c| c == ' ' || ornament(c));
    let chars = sentence.chars().count();
    (ITEM_MIN_CHARS..=ITEM_MAX_CHARS).contains(&chars).then(|| sentence.to_owned())
}

/// Without the title in front of it, as in `name - what it does`.
fn without_title<'a>(text: &'a str, title: &str) -> &'a str {
    // Whether there is one is told sooner than where.
    for &dash in DASHES.iter().filter(|dash| text.contains(**dash)) {
        if let Some((head, rest)) = text.split_once(dash) {
            let head = normal(head);
            if !head.is_empty() && (title == head || title.split(&head).nth(1).is_some() && dash != ": ") {
                return rest.trim();
            }
        }
    }
    text
}

fn shared_start(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}
