//! The site of one crawl, once its first address has been asked.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use wayfile_core::page::Page;
use wayfile_core::site::frontier::{Frontier, FrontierLimits, Outcome};
use wayfile_core::site::rank::LeftOut;
use wayfile_core::site::robots::Robots;
use wayfile_core::site::scope::Scope;
use wayfile_core::url::SiteUrl;

use super::asking::Answer;
use super::order::InOrder;
use super::outcomes;
use super::running::CrawlKey;
use super::sitemap_queue::SitemapQueue;
use super::soft_404::Soft404Check;
use crate::error::{FetchError, FetchResult};
use crate::progress::{InBrowser, Progress, Settled};
use crate::settings::CrawlSettings;
use crate::visit::{NoPage, Visit};

/// Addresses that one crawl remembers; further ones are counted and left out.
const MAX_KNOWN_URLS: usize = 200_000;
/// Pages that are read beyond those that are listed, at most as many again: which are worth a link is known when the shape of
/// the site is.
const SURPLUS_PAGES: usize = 100;

pub(super) struct Site {
    pub(super) url: SiteUrl,
    pub(super) scope: Arc<Scope>,
    pub(super) frontier: Frontier,
    pub(super) sitemaps: SitemapQueue,
    /// The home page without its links, or why there is none.
    pub(super) home: FetchResult<Arc<Page>>,
    /// Pages asked for and not settled.
    pub(super) running: usize,
    /// What came and waits for its turn.
    pub(super) order: InOrder<Answer>,
    /// An answer is being taken in, and changes what is asked for next.
    pub(super) settling: bool,
    pub(super) soft_404: Soft404Check,
    /// Pages that were to be opened in a browser and are not settled yet.
    pub(super) opened: HashMap<SiteUrl, InBrowser>,
    /// What became of the addresses that were asked for, if that was wanted.
    outcomes: Option<Vec<Settled>>,
    kept: Vec<SiteUrl>,
    fetched: usize,
    max_pages: usize,
}

impl Site {
    /// The site that the seed led to: `url` is where its redirects ended.
    pub(super) fn new(key: &CrawlKey, url: SiteUrl, robots: &Robots, settings: &CrawlSettings) -> Self {
        let (seed, listed) = (&key.seed.url, key.pages);
        let mut scope = Scope::new(seed);
        if *seed != url {
            scope.moved_to(&url);
        }
        let limits = FrontierLimits {
            max_known: MAX_KNOWN_URLS,
            selection: key.selection.clone(),
            ..FrontierLimits::default()
        };
        let limits = limits.listing(listed, SURPLUS_PAGES);
        Self {
            frontier: Frontier::new(&url, scope.clone(), limits.clone()),
            scope: Arc::new(scope),
            sitemaps: SitemapQueue::new(&url, robots, settings.max_sitemaps),
            home: Err(FetchError::Internal),
            running: 0,
            order: InOrder::new(settings.per_domain_concurrency),
            settling: false,
            soft_404: Soft404Check::default(),
            opened: HashMap::new(),
            outcomes: key.reported.then(Vec::new),
            kept: Vec::new(),
            fetched: 0,
            max_pages: limits.max_pages,
            url,
        }
    }

    /// The next page to ask for, unless enough are under way.
    pub(super) fn next(&mut self, at_once: usize) -> Option<SiteUrl> {
        if self.settling || self.running >= at_once {
            return None;
        }
        let url = self.frontier.next()?;
        self.running += 1;
        Some(url)
    }

    /// Pages and sitemaps that will be asked for, as far as the site is known.
    pub(super) fn in_hand(&self) -> usize {
        let counts = self.frontier.counts();
        let pages = counts.queued.min(self.max_pages.saturating_sub(counts.kept + counts.in_flight));
        pages + self.sitemaps.to_come()
    }

    /// The page that a visit led to and another was read for which has its turn later: which of them came first is chance, so
    /// this one has it.
    pub(super) fn brought_by_another(&mut self, none: NoPage) -> Result<Visit, NoPage> {
        let NoPage::Read(target) = none else { return Err(none) };
        let brought = self.order.waiting().find_map(|answer| {
            let Answer::Page(page) = answer else { return None };
            let (asked, visited) = &mut **page;
            let is_there = *asked != target && visited.as_ref().is_ok_and(|visit| visit.url == target);
            is_there.then(|| std::mem::replace(visited, Err(NoPage::Read(target.clone()))).ok()).flatten()
        });
        brought.ok_or(NoPage::Read(target))
    }

    /// Learns from a page that came. `None`: it counts, unless its content is known already; else which address is settled
    /// how.
    pub(super) fn take_in(&mut self, asked: &SiteUrl, visit: &Visit) -> Option<(SiteUrl, Outcome)> {
        self.fetched += 1;
        if *asked == self.url {
            let page = Page { links: Vec::new(), ..visit.page.clone() };
            self.home = Ok(Arc::new(page));
        }
        if !self.frontier.redirected(asked, &visit.url) {
            return Some((asked.clone(), Outcome::Duplicate(visit.url.clone())));
        }
        if *asked != visit.url {
            self.note(|| outcomes::settled(asked, &Outcome::Duplicate(visit.url.clone())));
        }
        self.frontier.offer_page(&visit.url, &visit.page);
        let judged = self.frontier.judge(&visit.url, &visit.page);
        let judged = judged.or_else(|| visit.page.is_empty().then_some(Outcome::LeftOut(LeftOut::Empty)));
        judged.map(|outcome| (visit.url.clone(), outcome))
    }

    /// Notes what became of an address, where the crawl is to say.
    pub(super) fn note(&mut self, settled: impl FnOnce() -> Settled) {
        if let Some(outcomes) = &mut self.outcomes {
            outcomes.push(settled());
        }
    }

    pub(super) fn settle(&mut self, url: &SiteUrl, outcome: Outcome) {
        self.running -= 1;
        if outcome == Outcome::Kept {
            self.kept.push(url.clone());
        }
        self.frontier.settle(url, outcome);
    }

    pub(super) fn is_finished(&self) -> bool {
        let full = self.frontier.counts().kept >= self.max_pages;
        let all_came = self.running == 0 && !self.soft_404.is_awaited;
        all_came && self.frontier.is_finished() && (full || self.sitemaps.is_finished())
    }

    pub(super) fn progress(&self) -> Progress {
        let counts = self.frontier.counts();
        let (waiting, failed) = (counts.queued + counts.in_flight, counts.failures());
        let room = self.max_pages.saturating_sub(counts.kept);
        Progress {
            discovered: waiting + self.fetched,
            fetched: self.fetched,
            failed,
            expected: self.fetched + failed + waiting.min(room),
            described: 0,
        }
    }

    /// What became of every address, if that was wanted.
    pub(super) fn take_outcomes(&mut self, out_of_time: bool) -> Vec<Settled> {
        let noted = self.outcomes.take();
        noted
            .map(|noted| outcomes::close(noted, &self.frontier, &self.sitemaps, out_of_time))
            .unwrap_or_default()
    }

    /// Pages that were kept before a newer version of them was met, or before it was known that they are none.
    pub(super) fn take_dropped(&mut self) -> HashSet<SiteUrl> {
        let belongs = |url: &SiteUrl| {
            self.frontier.refused_since(url).is_none() && self.soft_404.unmasked.as_ref() != Some(url)
        };
        std::mem::take(&mut self.kept).into_iter().filter(|url| !belongs(url)).collect()
    }
}
