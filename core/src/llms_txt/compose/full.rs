//! `llms-full.txt` of a site.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::foreign::{as_code, is_contained};
use super::full_text::FullText;
use super::head::{summary, title};
use super::language::language;
use super::listing::only_lists;
use super::local::{Footnotes, resolved};
use super::options::{FullOptions, spend};
use super::plan::{Planned, home_page, sections};
use super::thinning::Thinning;
use crate::llms_txt::blocks::{Block, BlockKind, blocks};
use crate::llms_txt::inline::{Destination, Name};
use crate::llms_txt::page_name::page_name;
use crate::llms_txt::plain::{normal, plain};
use crate::markdown::is_tame;
use crate::page::MarkdownOrigin;
use crate::site::outline::{CrawledPage, Outline};
use crate::url::SiteUrl;
use crate::wording::Wording;

/// The level of a page's own highest heading: below the H2 that names the page.
const TOP_LEVEL: usize = 3;
/// The lowest level that Markdown has.
const FLOOR: usize = 6;

/// The full text and what became of the pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Full {
    /// The file.
    pub text: FullText,
    /// How many pages it holds.
    pub pages: usize,
    /// How many pages of the outline it does not hold.
    pub left_out: usize,
    /// How many of those consist of links alone: they were the first to go.
    pub listings: usize,
    /// It stopped before a page that would have made it too large.
    pub cut_by_size: bool,
}

/// Assembles the pages in the outline's order: the one at `home` first, optional sections last, and at the very end those that
/// only list links and those of one member of a class each. Where there is room for a part of them only, these go first; then
/// the longest sections lose the pages that were chosen last.
pub fn full(
    outline: &Outline,
    pages: &Arc<Vec<CrawledPage>>,
    home: Option<&SiteUrl>,
    options: &FullOptions<'_>,
) -> Full {
    let mut text = FullText::of(pages.clone());
    text.push("# ");
    text.push(&title(outline, pages).markdown());
    text.push("\n");
    let wording = Wording::of(language(pages).as_deref());
    let home = home_page(pages, home);
    let mut plan = sections(outline, pages, home, wording);
    // Of a page that scripts fill there is nothing but its head.
    for section in &mut plan {
        section.pages.retain(|&at| !pages[at].page.shell);
    }
    if let Some(summary) =
        summary(outline, (options.written, options.work), pages, home.map(|at| &pages[at]), &plan)
    {
        text.push("\n> ");
        text.push(&summary.markdown());
        text.push("\n");
    }
    let home = home.filter(|_| pages.len() > 1);
    let mut listings = take_listings(&mut plan, pages, options);
    listings.extend(outline.archives.iter().chain(&outline.members));
    let telling = plan.iter().map(|section| section.pages.len()).sum::<usize>() + usize::from(home.is_some());
    let total = telling + listings.len() + options.untold;
    // Every section keeps its best pages: a part of each is worth more than all of the first.
    let mut thinning = Thinning::of(&plan, outline, |_| false);
    for _ in options.max_pages..telling {
        let Some(_) = thinning.drop_weakest() else { break };
    }
    thinning.apply(&mut plan);
    let all_listings = listings.len();
    listings.truncate(options.max_pages.saturating_sub(telling));
    let listings_out = (all_listings - listings.len()).saturating_sub(outline.members.len());
    let sections = plan.iter().flat_map(|section| section.pages.iter().copied());
    let order: Vec<usize> =
        home.into_iter().chain(sections).chain(listings).take(options.max_pages).collect();
    let mut written = 0;
    let mut cut_by_size = false;
    let mut footnotes = Footnotes::default();
    for (number, &at) in (1..).zip(&order) {
        footnotes.mention(number, &pages[at].page.markdown);
    }
    for (number, at) in (1..).zip(order).take_while(|&(_, at)| spend(options.work, &pages[at])) {
        let part = page_text(pages, at, number, &mut footnotes, wording);
        if text.len() + part.len() > options.max_bytes {
            cut_by_size = true;
            break;
        }
        text.extend(&part);
        written += 1;
    }
    Full { text, pages: written, left_out: total - written, listings: listings_out, cut_by_size }
}

/// Takes the pages that consist of links out of their sections; those chosen first come first.
fn take_listings(plan: &mut Vec<Planned>, pages: &[CrawledPage], options: &FullOptions<'_>) -> Vec<usize> {
    let mut listings = Vec::new();
    let is_listing = |at: usize| spend(options.work, &pages[at]) && only_lists(&pages[at].page.markdown);
    for section in &mut *plan {
        let (lists, tells): (Vec<usize>, Vec<usize>) = section.pages.iter().partition(|&&at| is_listing(at));
        section.pages = tells;
        listings.extend(lists);
    }
    plan.retain(|section| !section.pages.is_empty());
    listings.sort_unstable();
    listings
}

/// What a page says in the file.
struct PageText<'t> {
    markdown: Cow<'t, str>,
    /// The page, and where in its Markdown this begins, as long as it is that.
    place: Option<(usize, usize)>,
}

impl<'t> PageText<'t> {
    fn of(at: usize, page: &'t CrawledPage, number: usize, footnotes: &mut Footnotes) -> Self {
        let whole = &page.page.markdown;
        let markdown = footnotes.own(number, whole.strip_prefix('\u{feff}').unwrap_or(whole));
        // What we write ourselves defines nothing.
        let markdown = match (page.page.origin, markdown) {
            (MarkdownOrigin::Served, Cow::Borrowed(markdown)) => resolved(markdown),
            (MarkdownOrigin::Served, Cow::Owned(markdown)) => Cow::Owned(resolved(&markdown).into_owned()),
            (MarkdownOrigin::Rendered, markdown) => markdown,
        };
        let place = match markdown {
            Cow::Borrowed(markdown) => Some((at, whole.len() - markdown.len())),
            Cow::Owned(_) => None,
        };
        Self { markdown, place }
    }

    /// Appends a stretch of it, without the empty lines that the head of the page already ends with.
    fn push(&self, out: &mut FullText, range: Range<usize>) {
        let stretch = self.markdown.get(range.clone()).unwrap_or_default();
        let kept =
            if out.ends_with_empty_line() { stretch.trim_start_matches(['\n', '\r']) } else { stretch };
        match self.place {
            Some((page, offset)) => {
                let end = offset + range.end;
                out.push_page(page, end - kept.len()..end);
            }
            None => out.push(kept),
        }
    }
}

/// A page's part of the file: as code where what is foreign in it cannot be looked at by a Markdown parser, or would leave it.
fn page_text(
    pages: &Arc<Vec<CrawledPage>>,
    at: usize,
    number: usize,
    footnotes: &mut Footnotes,
    wording: &Wording,
) -> FullText {
    let page = &pages[at];
    let name = page_name(page);
    let mut head = FullText::of(pages.clone());
    push_head(&mut head, page, &name, wording);
    let is_served = page.page.origin == MarkdownOrigin::Served;
    if (is_served || footnotes.meet_on(number)) && !is_tame(&page.page.markdown) {
        head.push(&as_code(&page.page.markdown));
        return head;
    }
    let body = PageText::of(at, page, number, footnotes);
    let mut text = head.clone();
    push_below(&mut text, &body, &blocks(&body.markdown), name.as_str());
    let is_shared = |name: &str| footnotes.is_shared(number, name);
    if is_served && !is_contained(&text.to_string(), is_shared) {
        text = head;
        text.push(&as_code(&body.markdown));
    }
    text.trim_end();
    text.push("\n");
    text
}

/// Appends what stands above every page.
fn push_head(out: &mut FullText, page: &CrawledPage, name: &Name, wording: &Wording) {
    out.push("\n## ");
    out.push(&name.markdown());
    if let Some(url) = Destination::clean(page.url.as_str()) {
        out.push("\n\n");
        out.push(&wording.source);
        out.push(": ");
        out.push(&url.shown());
    }
    out.push("\n\n");
}

/// Appends a page's Markdown with its headings below [`TOP_LEVEL`]; everything else byte by byte.
fn push_below(out: &mut FullText, body: &PageText<'_>, blocks: &[Block<'_>], name: &str) {
    let title = normal(name);
    let first = blocks.iter().position(|b| !matches!(b.kind, BlockKind::FrontMatter));
    let repeated = |at: usize, block: &Block<'_>| {
        Some(at) == first
            && matches!(block.kind, BlockKind::Heading { .. })
            && normal(&plain(block.text)) == title
    };
    let levels = blocks.iter().enumerate().filter_map(|(at, block)| match block.kind {
        BlockKind::Heading { level, .. } if !repeated(at, block) => Some(level),
        _ => None,
    });
    let shift = TOP_LEVEL.saturating_sub(levels.min().unwrap_or(TOP_LEVEL));
    let mut copied = 0;
    for (at, block) in blocks.iter().enumerate() {
        let end = block.start + block.source.len();
        match block.kind {
            BlockKind::FrontMatter => {}
            BlockKind::Heading { .. } if repeated(at, block) => {}
            BlockKind::Heading { level, .. } => {
                body.push(out, copied..block.start);
                out.push(&"#".repeat((level + shift).min(FLOOR)));
                for line in block.text.lines() {
                    out.push(" ");
                    out.push(line.trim());
                }
            }
            // What stays open would swallow the pages after it.
            BlockKind::Fence { closed: false } => {
                body.push(out, copied..end);
                let fence = block.source.trim_start();
                let mark = fence.chars().next();
                let run = fence.find(|c| Some(c) != mark).unwrap_or(fence.len());
                out.push("\n");
                out.push(fence.get(..run).unwrap_or_default());
            }
            _ => continue,
        }
        copied = end;
    }
    body.push(out, copied..body.markdown.len());
}
