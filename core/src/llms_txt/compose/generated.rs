//! Pages that a generator wrote from one template: an API reference has them by the hundred, and would leave no room for
//! the pages that people wrote.

use super::plan::Planned;
use super::thinning::Thinning;
use crate::llms_txt::blocks::headings;
use crate::maps::{Counts, Set};
use crate::site::outline::{CrawledPage, Outline};

/// So many pages with the same sub-headings come from one template.
const TEMPLATE_PAGES: usize = 12;

/// Drops the weakest of the pages from templates: they get half of the `room` for links, or what the others leave of it.
pub(super) fn cap_generated(plan: &mut Vec<Planned>, outline: &Outline, generated: &Set<usize>, room: usize) {
    let all: usize = plan.iter().map(|section| section.pages.len()).sum();
    let most = (room / 2).max(room.saturating_sub(all - generated.len()));
    let own = |section: &Planned| Planned {
        name: section.name.clone(),
        optional: section.optional,
        pages: section.pages.iter().copied().filter(|page| generated.contains(page)).collect(),
    };
    let capped: Vec<Planned> = plan.iter().map(own).collect();
    let mut thinning = Thinning::of(&capped, outline, |_| false);
    for _ in most..generated.len() {
        thinning.drop_weakest();
    }
    thinning.apply(plan);
}

/// The pages all of whose highest sub-headings stand on many other pages too.
pub(super) fn generated(plan: &[Planned], pages: &[CrawledPage]) -> Set<usize> {
    let parts: Vec<(usize, Set<&str>)> = plan
        .iter()
        .flat_map(|section| &section.pages)
        .map(|&at| (at, highest_headings(&pages[at].page.markdown)))
        .collect();
    let counts: Counts<&str> = parts.iter().flat_map(|(_, parts)| parts).copied().collect();
    let is_shared = |text: &&str| counts.of(text) >= TEMPLATE_PAGES;
    let from_template = parts.iter().filter(|(_, parts)| !parts.is_empty() && parts.iter().all(is_shared));
    from_template.map(|(at, _)| *at).collect()
}

/// The sub-headings of the highest level that a page has below its title.
fn highest_headings(markdown: &str) -> Set<&str> {
    let mut headings = headings(markdown);
    headings.retain(|(level, _)| *level > 1);
    let highest = headings.iter().map(|(level, _)| *level).min();
    headings.into_iter().filter(|(level, _)| Some(*level) == highest).map(|(_, text)| text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llms_txt::inline::Name;
    use crate::page::Page;
    use crate::url::SiteUrl;

    #[test]
    fn pages_from_a_template_leave_half_of_the_room() {
        let page = |at: usize| {
            let url = SiteUrl::parse(&format!("https://docs.example.org/{at}")).unwrap();
            let markdown = if at < 40 {
                format!("# Kiln {at}\n\n## Methods\n\n### fire{at}\n\n## Fields\n")
            } else {
                format!("# Guide {at}\n\n## Step {at}\n\n## Fields\n\n```\n## Methods\n```\n")
            };
            CrawledPage { link: url.clone(), url, page: Page { markdown, ..Page::default() } }
        };
        let pages: Vec<_> = (0..60).map(page).collect();
        let capped = |room| {
            let section = |pages: std::ops::Range<usize>| Planned {
                name: Name::untitled(),
                optional: false,
                pages: pages.collect(),
            };
            let mut plan = vec![section(0..40), section(40..60)];
            let generated = generated(&plan, &pages);
            cap_generated(&mut plan, &Outline::default(), &generated, room);
            plan.iter().map(|section| section.pages.len()).collect::<Vec<_>>()
        };
        assert_eq!([capped(30), capped(50), capped(60)], [[15, 20], [30, 20], [40, 20]]);
    }
}
