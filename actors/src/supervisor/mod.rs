//! The Supervisor: one per crawl.
//!
//! Owns the frontier, the deadline, the cancel token and the report. It asks Fetchers and the Parser through
//! its [`Visitor`] for a few pages at once, takes them in in the order in which it asked, hands each page that counts to
//! its Assembler, and has the files written when the frontier is finished or the time is up. Equal requests join it as
//! further callers; each gets files by its own options. A lost page never fails it; it dies with its answers, at the
//! deadline, or when its last caller leaves.

mod asking;
mod callers;
mod ending;
mod order;
mod outcomes;
pub(crate) mod running;
mod site;
pub(crate) mod sitemap_queue;
mod sitemaps;
mod soft_404;
mod writing;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use actix::prelude::*;
use tokio::sync::oneshot;
use wayfile_core::llms_txt::describe::Subject;
use wayfile_core::site::frontier::Outcome;
use wayfile_core::site::outline;
use wayfile_core::site::rank::LeftOut;
use wayfile_core::url::SiteUrl;
use wayfile_core::work::Work;

use crate::assembler::Assembler;
use crate::context::EngineContext;
use crate::crawl_report::CrawlReport;
use crate::error::{CrawlError, FetchError, FetchResult};
use crate::http::Want;
use crate::job::{CrawlStats, Freshness, Generated, HeldSlot, Job};
use crate::messages::{Add, Added, Crawl, SiteRobots};
use crate::metrics::{self, Held};
use crate::panics::{ask, guard};
use crate::permits::Permit;
use crate::progress::{Event, PageOutcome, Progress, Settled};
use crate::visit::{NoPage, Visit, Visitor};

pub(crate) use callers::CallerReply;
use callers::Callers;
use running::{CrawlKey, Listing};
use site::Site;
pub(crate) use writing::ModelHandle;
use writing::{PAGE_MAX_CHARS, Writing};

/// The share of the deadline that is kept back for writing the files: one part in this many.
const RESERVE: u32 = 20;
/// The least that is kept back of a deadline of some length: the files of a small site take as long whatever the deadline is.
const LEAST_RESERVE: Duration = Duration::from_secs(1);
/// How long the writing of the files may go on behind the deadline: on a full machine all that came would be lost otherwise.
const MAX_OVERRUN: Duration = Duration::from_secs(10);
/// The share of the deadline after which the model is asked for the summary of what there is, in percent: on a site
/// that takes all the time there would be none left for it.
const SUMMARY_AT: u32 = 60;
/// Pages asked for at once, as a multiple of what a domain may be asked at once: while some are being parsed and some
/// that came wait for a slow one before them, others already wait for their turn.
const READ_AHEAD: usize = 4;
/// How long an answer that holds up others is waited for: what is taken in out of order may lead to other files. Most answers
/// of most sites are not apart by so much, and a page that never comes costs no more.
const HOLD_UP_TIMEOUT: Duration = Duration::from_secs(2);
/// Pages that a site is taken to have beside its home page before that is read.
const FIRST_PAGES: usize = 3;

pub(crate) struct Supervisor {
    context: Arc<EngineContext>,
    visitor: Visitor,
    key: CrawlKey,
    /// None when joining has ended.
    listing: Option<Listing>,
    callers: Callers,
    /// The right of the first caller's key to crawl.
    slot: Option<HeldSlot>,
    /// The right to crawl, once there is room.
    permit: Option<Permit>,
    assembler: Addr<Assembler>,
    site: Option<Site>,
    model: Option<ModelHandle>,
    /// What the model writes, once the crawl has begun.
    writing: Option<Writing>,
    report: CrawlReport,
    stats: CrawlStats,
    /// What became of every address, once the crawl is over and if a caller asked for it.
    outcomes: Arc<Vec<Settled>>,
    /// The pages that the files are made of, once they are.
    pages: Arc<Vec<outline::CrawledPage>>,
    started: Instant,
    _alive: Held,
}

/// Where the site is, and what its first address and its robots.txt gave.
type OpenedSite = (SiteUrl, FetchResult<Visit>, FetchResult<Arc<SiteRobots>>);

impl Supervisor {
    pub(crate) fn new(
        context: Arc<EngineContext>,
        visitor: Visitor,
        listing: Listing,
        model: Option<ModelHandle>,
    ) -> Self {
        Self {
            assembler: Assembler::new(context.composing.clone()).start(),
            context,
            visitor,
            key: listing.key.clone(),
            listing: Some(listing),
            callers: Callers::default(),
            slot: None,
            permit: None,
            site: None,
            model,
            writing: None,
            report: CrawlReport::default(),
            stats: CrawlStats::default(),
            outcomes: Arc::default(),
            pages: Arc::default(),
            started: Instant::now(),
            _alive: metrics::ACTORS.hold("supervisor"),
        }
    }

    /// Takes in a caller; the first one begins the crawl, and the last one that leaves ends it.
    pub(crate) fn join(&mut self, job: Job, reply: CallerReply, ctx: &mut Context<Self>) {
        if self.callers.is_empty() {
            self.slot.clone_from(&job.slot);
            self.begin(job.since, ctx);
        } else if self.permit.is_some() {
            job.events.tell(Event::Accepted);
        }
        if let Some(writing) = self.writing.as_mut().filter(|_| job.output.file_type.index()) {
            // Each page that waits for the model brings its text along.
            let useful = callers::worth_keeping(&job.output, &self.context.settings());
            writing.want(job.output.index_pages.min(useful));
        }
        let left = job.cancel.clone().cancelled_owned();
        self.callers.join(job, reply);
        ctx.spawn(left.into_actor(self).map(|(), act, ctx| {
            if act.callers.drop_left() {
                act.finish(&Err(CrawlError::Cancelled), ctx);
            }
        }));
    }

    /// The first caller came: waits for room, and sets the clocks by when that caller began to wait.
    fn begin(&mut self, since: Instant, ctx: &mut Context<Self>) {
        let (pool, settings) = (self.context.crawls.clone(), &self.context.settings());
        let (deadline, max_wait) = (settings.deadline, settings.queue_wait.saturating_sub(since.elapsed()));
        let owner = self.visitor.asker.owner;
        let waiting = async move { pool.take(owner, max_wait).await };
        ctx.spawn(waiting.into_actor(self).map(Self::on_permit));
        let (stop, until) = (self.visitor.asker.cancel.child_token(), since + time_to_write(deadline));
        self.writing = self.model.take().map(|model| Writing::new(model, until, stop));
        let left = |time: Duration| time.saturating_sub(since.elapsed());
        ctx.run_later(left(deadline * SUMMARY_AT / 100), Self::summarize);
        ctx.run_later(left(time_to_write(deadline)), Self::wind_up);
        ctx.run_later(left(deadline), Self::time_is_up);
        ctx.run_later(left(deadline + MAX_OVERRUN), Self::give_up);
        let closing = self.context.closing.clone().cancelled_owned();
        ctx.spawn(closing.into_actor(self).map(|(), act, ctx| act.wind_up(ctx)));
    }

    fn on_permit(permit: Option<Permit>, act: &mut Self, ctx: &mut Context<Self>) {
        act.permit = permit;
        if act.permit.is_none() {
            return act.finish(&Err(CrawlError::Busy), ctx);
        }
        act.started = Instant::now();
        act.callers.tell(&Event::Accepted);
        act.open(ctx);
    }

    fn wind_up(&mut self, ctx: &mut Context<Self>) {
        if let Some(site) = &self.site {
            self.report.out_of_time = !site.is_finished();
            self.report.stopped = self.context.closing.is_cancelled();
            self.assemble(ctx);
        } else if self.listing.is_some() {
            self.time_is_up(ctx);
        }
    }

    fn open(&self, ctx: &mut Context<Self>) {
        let (visitor, seed) = (self.visitor.clone(), self.key.seed.clone());
        visitor.asker.in_hand.store(FIRST_PAGES, Ordering::Relaxed);
        let opening = async move {
            let (url, home) = match visitor.open(&seed, Want::Home).await {
                Ok(visit) => (visit.url.clone(), Ok(visit)),
                Err((url, error)) => (url, Err(error)),
            };
            // They were read for its first page, if not before.
            let robots = Visitor { freshness: Freshness::Lately, ..visitor }.robots(&url).await;
            (url, home, robots)
        };
        ctx.spawn(opening.into_actor(self).map(Self::on_opened));
    }

    fn on_opened((url, home, robots): OpenedSite, act: &mut Self, ctx: &mut Context<Self>) {
        let robots = match (robots, &home) {
            // A home page that is merely missing says nothing about the pages that a sitemap names.
            (Ok(robots), Err(error)) if error.says_nothing_of_the_site() => robots,
            (Ok(robots), Ok(_)) => robots,
            (_, Err(error)) => return act.finish(&Err(CrawlError::at_home(url.as_str(), error)), ctx),
            (Err(error), Ok(_)) => return act.finish(&Err(CrawlError::at_home(url.as_str(), &error)), ctx),
        };
        act.report.has_browser = act.visitor.has_browser();
        let settings = &act.context.settings();
        let (asked, most) = (robots.rules.crawl_delay.unwrap_or_default(), settings.max_crawl_delay);
        act.report.capped_delay = (asked > most).then_some((asked, most));
        let mut site = Site::new(&act.key, url.clone(), &robots.rules, settings);
        // The frontier hands out the seed first; it has been visited already.
        site.frontier.next();
        site.running += 1;
        act.site = Some(site);
        act.on_visited(&url, home.map_err(NoPage::Failed), ctx);
    }

    /// Asks for whatever may be asked for now; when nothing is left, has the files written.
    fn pump(&mut self, ctx: &mut Context<Self>) {
        let at_once = self.context.settings().per_domain_concurrency * READ_AHEAD;
        while let Some(task) = self.site.as_mut().and_then(|site| site.sitemaps.next()) {
            self.read_sitemap(task, ctx);
        }
        while let Some(url) = self.site.as_mut().and_then(|site| site.next(at_once)) {
            self.visit(url, ctx);
        }
        let in_hand = self.site.as_ref().map_or(0, Site::in_hand);
        self.visitor.asker.in_hand.store(in_hand, Ordering::Relaxed);
        self.describe(ctx);
        self.wrap_up(ctx);
    }

    /// Has the files written when every page is in and the model has said what it has to say.
    fn wrap_up(&mut self, ctx: &mut Context<Self>) {
        let Some(site) = self.site.as_ref().filter(|site| site.is_finished()) else { return };
        if let Some(writing) = &mut self.writing {
            writing.take_home_as_link(&site.url);
            self.describe(ctx);
        }
        match &self.writing {
            Some(writing) if !writing.has_described_all() => {}
            Some(writing) if !writing.is_finished() => self.summarize(ctx),
            _ => self.assemble(ctx),
        }
    }

    /// A page came, or did not. Its links go to the frontier, its content to the Assembler.
    fn on_visited(&mut self, asked: &SiteUrl, visited: Result<Visit, NoPage>, ctx: &mut Context<Self>) {
        let Some(site) = &mut self.site else { return };
        if let Err(NoPage::Failed(error)) = &visited
            && *asked == site.url
        {
            site.home = Err(error.clone());
        }
        let visited = visited.or_else(|none| site.brought_by_another(none));
        let visit = match visited {
            Ok(visit) => visit,
            Err(NoPage::Failed(FetchError::Disallowed)) => {
                return self.settle(asked, Outcome::LeftOut(LeftOut::Robots), ctx);
            }
            Err(NoPage::Failed(error)) => return self.lose(asked, &error, ctx),
            Err(NoPage::LeftTheSite) => {
                return self.settle(asked, Outcome::LeftOut(LeftOut::MovedAway), ctx);
            }
            // The visit that it was read for has brought it, or will.
            Err(NoPage::Read(target)) => return self.settle(asked, Outcome::Duplicate(target), ctx),
        };
        if let Some(opened) = visit.opened {
            self.report.opened(opened);
            site.opened.insert(visit.url.clone(), outcomes::in_browser(opened));
        }
        self.stats.ok200 += 1;
        self.stats.bytes += visit.bytes;
        match guard("supervisor", || site.take_in(asked, &visit)) {
            Ok(None) => self.add(visit, ctx),
            Ok(Some((url, outcome))) => self.settle(&url, outcome, ctx),
            Err(error) => self.lose(&visit.url, &error, ctx),
        }
    }

    fn add(&self, visit: Visit, ctx: &mut Context<Self>) {
        let Visit { url, link, mut page, .. } = visit;
        page.links = Vec::new();
        if page.shell {
            // What it says while it waits for its scripts is no text.
            page.markdown.clear();
        }
        let twin = (link != url).then(|| link.clone());
        let page = outline::CrawledPage { url: url.clone(), link, page };
        let is_home = self.site.as_ref().is_some_and(|site| site.url == url);
        let writing = self.writing.as_ref().filter(|writing| is_home || writing.wants_more());
        let to_read = writing.map(|_| page.clone());
        let room = self.callers.worth_keeping(&self.context.settings());
        let (pool, cancel) = (self.context.composing.clone(), self.visitor.asker.cancel.clone());
        let added = ask(&self.assembler, Add { page, room });
        let adding = async move {
            let added = added.await;
            let subject = match to_read.filter(|_| added == Ok(Added::Kept)) {
                Some(page) => {
                    let read = move |stop: &dyn Fn() -> bool| {
                        Ok(Subject::read(&page, PAGE_MAX_CHARS, &Work::new(usize::MAX, stop))?)
                    };
                    pool.run("summarizer", cancel, read).await.ok()
                }
                None => None,
            };
            (added, subject)
        };
        ctx.spawn(adding.into_actor(self).map(move |(added, subject), act, ctx| {
            if let (Some(writing), Some(subject)) = (&mut act.writing, subject) {
                if is_home { writing.home = Some(subject) } else { writing.take(url.clone(), subject) }
            }
            let outcome = match added {
                Ok(Added::Kept) => Outcome::Kept,
                Ok(Added::Duplicate(of)) => act.repeated(&url, of, ctx),
                Err(error) => Outcome::Failed(error.kind().to_owned()),
            };
            let mut settled = outcomes::settled(&url, &outcome);
            settled.link = twin.filter(|_| outcome == Outcome::Kept);
            act.settle_as(settled, outcome, ctx);
        }));
    }

    fn lose(&mut self, url: &SiteUrl, error: &FetchError, ctx: &mut Context<Self>) {
        let settled = Settled::new(url.clone(), PageOutcome::Lost, error.to_string());
        self.settle_as(settled, Outcome::Failed(error.kind().to_owned()), ctx);
    }

    fn settle(&mut self, url: &SiteUrl, outcome: Outcome, ctx: &mut Context<Self>) {
        self.settle_as(outcomes::settled(url, &outcome), outcome, ctx);
    }

    fn settle_as(&mut self, mut settled: Settled, outcome: Outcome, ctx: &mut Context<Self>) {
        let Some(site) = &mut self.site else { return };
        settled.browser = site.opened.remove(&settled.url);
        site.settle(&settled.url, outcome);
        site.note(|| settled.clone());
        self.tell(|progress| Event::Page(settled, progress));
        self.go_on(ctx);
    }

    fn tell(&self, event: impl FnOnce(Progress) -> Event) {
        if let Some(site) = &self.site
            && self.callers.are_listening()
        {
            self.callers.tell(&event(self.progress(site)));
        }
    }

    fn progress(&self, site: &Site) -> Progress {
        Progress { described: self.writing.as_ref().map_or(0, Writing::count), ..site.progress() }
    }
}

/// When the files are written, whatever there is by then.
fn time_to_write(deadline: Duration) -> Duration {
    deadline.saturating_sub((deadline / RESERVE).max(LEAST_RESERVE.min(deadline / 4)))
}

impl Actor for Supervisor {
    type Context = Context<Self>;
}

impl Handler<Crawl> for Supervisor {
    type Result = Option<oneshot::Receiver<Result<Generated, CrawlError>>>;

    fn handle(&mut self, Crawl(job): Crawl, ctx: &mut Self::Context) -> Self::Result {
        // Without it no caller can join any more.
        self.listing.as_ref()?;
        let (reply, answer) = oneshot::channel();
        self.join(job, reply, ctx);
        Some(answer)
    }
}
