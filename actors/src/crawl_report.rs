//! The report of a crawl: what it lost, left out and cut, counted by reason. Every address is counted.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::Duration;

use wayfile_core::site::frontier::Counts;
use wayfile_core::site::rank::LeftOut;

use crate::renderer::{Opened, RenderResult};

/// What a model wrote of the files, and what that cost.
#[derive(Debug, Default)]
pub(crate) struct ModelShare {
    pub(crate) summary: bool,
    /// Links it described, of so many.
    pub(crate) written: usize,
    pub(crate) links: usize,
    /// Requests, remembered answers not among them.
    pub(crate) calls: usize,
    pub(crate) tokens: usize,
    /// Texts that were wanted and not used, by reason.
    pub(crate) unused: BTreeMap<&'static str, usize>,
}

impl ModelShare {
    /// The summary and at least half of the descriptions: enough to call the file the model's.
    pub(crate) fn counts(&self) -> bool {
        self.summary && self.written * 2 >= self.links
    }

    fn note(&self) -> String {
        let (written, links) = (self.written, counted(self.links, "description"));
        let wrote = match (self.summary, written) {
            (true, _) => format!("A model wrote the summary and {written} of {links}"),
            (false, 0) => format!("A model wrote none of {links}"),
            (false, _) => format!("A model wrote {written} of {links}"),
        };
        let cost = format!("{}, {}", counted(self.calls, "call"), counted(self.tokens, "token"));
        let unused = by_reason(&self.unused);
        if unused.is_empty() {
            return format!("{wrote} ({cost}).");
        }
        format!("{wrote} ({cost}); the pages' own words stand for the rest: {}.", unused.join(", "))
    }
}

#[derive(Debug, Default)]
pub(crate) struct CrawlReport {
    lost: BTreeMap<String, usize>,
    /// Pages that were left out on purpose, in words with their count.
    left_out: Vec<String>,
    duplicates: usize,
    shells: usize,
    pub(crate) has_browser: bool,
    /// Pages that were opened in it.
    opened: usize,
    /// Those of them whose clicks could not be followed, by reason.
    unexplored: BTreeMap<String, usize>,
    /// Pages that it could not open, by reason.
    unopened: BTreeMap<String, usize>,
    /// Pages that were known but not fetched: the page limit was reached, or the time was up.
    not_fetched: usize,
    /// Sitemaps the site named that could not be read.
    pub(crate) broken_sitemaps: usize,
    /// Sitemaps that were read in part: a limit or a broken end cost the rest.
    pub(crate) cut_sitemaps: usize,
    /// Sitemaps that were named and not read: there were more than `crawl.max_sitemaps`, or too many indexes above.
    pub(crate) unread_sitemaps: usize,
    /// The gap that robots.txt asked for and the cap that held instead.
    pub(crate) capped_delay: Option<(Duration, Duration)>,
    pub(crate) out_of_time: bool,
    /// The caller ended it before that.
    pub(crate) stopped: bool,
    /// Links beyond the number that was asked for in `llms.txt`.
    pub(crate) index_over_limit: usize,
    /// Links that did not fit into `llms.txt` for its size.
    pub(crate) index_cut: usize,
    /// Pages that say nothing of their own, and that `llms.txt` does not list.
    pub(crate) index_alike: usize,
    /// Pages that did not fit into `llms-full.txt` for its size in bytes.
    pub(crate) full_cut: usize,
    /// Pages of nothing but links that found no place in `llms-full.txt`.
    pub(crate) full_listings: usize,
    pub(crate) model: Option<ModelShare>,
}

impl CrawlReport {
    pub(crate) fn count(&mut self, counts: &Counts) {
        self.lost.clone_from(&counts.failed);
        self.left_out = counts.left_out.iter().map(|(reason, count)| reason.note(*count)).collect();
        self.duplicates = counts.duplicates;
        self.shells = counts.left_out.get(&LeftOut::Shell).copied().unwrap_or(0);
        self.not_fetched = counts.queued + counts.in_flight;
    }

    pub(crate) fn opened(&mut self, opened: RenderResult<Opened>) {
        match opened {
            Ok(opened) => {
                self.opened += 1;
                if let Some(error) = opened.unexplored {
                    *self.unexplored.entry(error.to_string()).or_default() += 1;
                }
            }
            Err(error) => *self.unopened.entry(error.to_string()).or_default() += 1,
        }
    }

    /// Nothing was lost, neither by errors nor for want of time.
    pub(crate) fn is_complete(&self) -> bool {
        !self.out_of_time && self.losses().is_none()
    }

    /// One sentence a matter, the weightiest first; none when there is nothing to say.
    pub(crate) fn note(&self) -> Option<String> {
        let ended = if self.stopped { "The run was stopped" } else { "The time was up" };
        let sentences: Vec<String> = [
            self.out_of_time
                .then(|| format!("{ended} before every page was fetched; this is what there was.")),
            self.losses(),
            self.leavings(),
            self.browser(),
            self.unexplored(),
            self.cuts(),
            self.delay(),
            self.model.as_ref().map(ModelShare::note),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// What became of all pages when none counts, as part of a sentence.
    pub(crate) fn reasons(&self) -> Option<String> {
        let late = self.out_of_time.then(|| "the time was up".to_owned());
        let reasons: Vec<String> =
            late.into_iter().chain(by_reason(&self.lost)).chain(self.left_by_reason()).collect();
        let advice = if self.shells > 0 && !self.has_browser {
            ", and no browser is named (browser.path, --browser)"
        } else {
            ""
        };
        (!reasons.is_empty()).then(|| format!("{}{advice}", reasons.join(", ")))
    }

    fn left_by_reason(&self) -> Vec<String> {
        let mut left = self.left_out.clone();
        if self.duplicates > 0 {
            left.push(format!("{} with content seen before", counted(self.duplicates, "page")));
        }
        left
    }

    fn losses(&self) -> Option<String> {
        let mut reasons = by_reason(&self.lost);
        let sitemaps = [
            (self.broken_sitemaps, "sitemap", "unreadable"),
            (self.cut_sitemaps, "sitemap", "read in part"),
            (self.unread_sitemaps, "sitemap", "not read"),
        ];
        reasons.extend(counts_in_words(sitemaps));
        let lost: usize = self.lost.values().sum();
        match (lost, reasons.is_empty()) {
            (_, true) => None,
            (0, false) => Some(format!("Not all was found: {}.", reasons.join(", "))),
            _ => Some(format!("{} lost: {}.", pages_were(lost), reasons.join(", "))),
        }
    }

    fn leavings(&self) -> Option<String> {
        let left = self.left_by_reason();
        (!left.is_empty()).then(|| format!("Left out: {}.", left.join(", ")))
    }

    fn browser(&self) -> Option<String> {
        if !self.has_browser {
            let advice = "With a browser (browser.path, --browser), pages that are empty without JavaScript are opened in a browser.";
            return (self.shells > 0).then(|| advice.to_owned());
        }
        let failed = by_reason(&self.unopened).join(", ");
        let opened = format!("{} opened in a browser", pages_were(self.opened));
        match (self.opened, failed.is_empty()) {
            (0, true) => None,
            (_, true) => Some(format!("{opened}.")),
            _ => Some(format!("{opened}, and others could not be: {failed}.")),
        }
    }

    fn unexplored(&self) -> Option<String> {
        let why = by_reason(&self.unexplored).join(", ");
        (!why.is_empty()).then(|| format!("Where clicks lead was not found out on all of them: {why}."))
    }

    fn cuts(&self) -> Option<String> {
        let why = if self.out_of_time { "not reached in time" } else { "beyond the page limit" };
        let cuts = counts_in_words([
            (self.not_fetched, "known page", why),
            (self.index_over_limit, "link", "beyond the page limit of llms.txt"),
            (self.index_cut, "link", "over the size of llms.txt"),
            (self.index_alike, "page", "in llms.txt that say nothing of their own"),
            (self.full_cut, "page", "over the size of llms-full.txt"),
            (self.full_listings, "page", "of links alone in llms-full.txt"),
        ]);
        let cuts: Vec<String> = cuts.collect();
        (!cuts.is_empty()).then(|| format!("Not included: {}.", cuts.join(", ")))
    }

    fn delay(&self) -> Option<String> {
        let (asked, capped) = self.capped_delay?;
        Some(format!(
            "robots.txt asks for {} s between requests; {} s were kept.",
            asked.as_secs_f64(),
            capped.as_secs_f64()
        ))
    }
}

fn by_reason(counts: &BTreeMap<impl Display, usize>) -> Vec<String> {
    counts.iter().map(|(why, count)| format!("{count} {why}")).collect()
}

/// What there are any of, each in words.
fn counts_in_words<'a, const N: usize>(
    counts: [(usize, &'a str, &'a str); N],
) -> impl Iterator<Item = String> + 'a {
    let some = counts.into_iter().filter(|(count, ..)| *count > 0);
    some.map(|(count, what, how)| format!("{} {how}", counted(count, what)))
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn pages_were(count: usize) -> String {
    format!("{} {}", counted(count, "page"), if count == 1 { "was" } else { "were" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::renderer::RenderError;

    #[test]
    fn a_note_counts_by_reason() {
        let none = CrawlReport::default;
        assert_eq!(none().note(), None);
        let lossy = CrawlReport {
            duplicates: 1,
            not_fetched: 40,
            left_out: vec!["12 pages in other languages".to_owned()],
            lost: [("not found".to_owned(), 2), ("server error".to_owned(), 1)].into(),
            ..none()
        };
        let delayed = Some((Duration::from_secs(90), Duration::from_secs(30)));
        for (report, note) in [
            (
                lossy,
                "3 pages were lost: 2 not found, 1 server error. Left out: 12 pages in other languages, \
                 1 page with content seen before. Not included: 40 known pages beyond the page limit.",
            ),
            (
                CrawlReport { broken_sitemaps: 1, cut_sitemaps: 2, unread_sitemaps: 31, ..none() },
                "Not all was found: 1 sitemap unreadable, 2 sitemaps read in part, 31 sitemaps not read.",
            ),
            (
                CrawlReport { index_over_limit: 69, ..none() },
                "Not included: 69 links beyond the page limit of llms.txt.",
            ),
            (CrawlReport { index_cut: 1, ..none() }, "Not included: 1 link over the size of llms.txt."),
            (
                CrawlReport { index_alike: 3, ..none() },
                "Not included: 3 pages in llms.txt that say nothing of their own.",
            ),
            (
                CrawlReport { full_listings: 2, ..none() },
                "Not included: 2 pages of links alone in llms-full.txt.",
            ),
            (
                CrawlReport { capped_delay: delayed, ..none() },
                "robots.txt asks for 90 s between requests; 30 s were kept.",
            ),
        ] {
            assert_eq!(report.note().as_deref(), Some(note));
        }
    }

    #[test]
    fn why_nothing_counts_is_told_within_a_sentence() {
        assert_eq!(CrawlReport::default().reasons(), None);
        let report = CrawlReport {
            left_out: vec!["1 page that is empty without JavaScript".to_owned()],
            lost: [("not found".to_owned(), 2)].into(),
            ..CrawlReport::default()
        };
        assert_eq!(report.reasons().unwrap(), "2 not found, 1 page that is empty without JavaScript");
    }

    #[test]
    fn note_counts_pages_opened_in_a_browser() {
        let without = CrawlReport { shells: 2, ..CrawlReport::default() };
        let advice = "With a browser (browser.path, --browser), pages that are empty without JavaScript are opened in a browser.";
        assert_eq!(without.note().as_deref(), Some(advice));
        let mut with = CrawlReport { has_browser: true, ..CrawlReport::default() };
        assert_eq!(with.note(), None);
        let took = Duration::from_secs(1);
        with.opened(Ok(Opened { took, unexplored: None }));
        assert_eq!(with.note().as_deref(), Some("1 page was opened in a browser."));
        with.opened(Err(RenderError::TimedOut));
        let both = "1 page was opened in a browser, and others could not be: 1 took too long.";
        assert_eq!(with.note().as_deref(), Some(both));
        let mut looped = CrawlReport { has_browser: true, ..CrawlReport::default() };
        looped.opened(Ok(Opened { took, unexplored: Some(RenderError::TimedOut) }));
        let partly = "1 page was opened in a browser. Where clicks lead was not found out on all of them: 1 took too long.";
        assert_eq!(looped.note().as_deref(), Some(partly));
    }

    #[test]
    fn note_counts_model_texts_and_their_cost() {
        let whole = ModelShare {
            summary: true,
            written: 3,
            links: 4,
            calls: 6,
            tokens: 900,
            unused: BTreeMap::new(),
        };
        assert!(whole.counts());
        assert_eq!(whole.note(), "A model wrote the summary and 3 of 4 descriptions (6 calls, 900 tokens).");
        let none =
            ModelShare { links: 4, calls: 1, unused: [("timed out", 4)].into(), ..ModelShare::default() };
        assert!(!none.counts());
        assert_eq!(
            none.note(),
            "A model wrote none of 4 descriptions (1 call, 0 tokens); the pages' own words stand for the rest: \
             4 timed out."
        );
        assert!(!ModelShare { summary: true, written: 1, links: 4, ..ModelShare::default() }.counts());
    }
}
