//! The Fetcher: one per domain (scheme, host and port), shared by all crawls.
//!
//! Owns the domain's robots rules, its pace and its queue. Bounded by the pace (requests at once, gap) and
//! by a global fetch permit, for which it stands in line when its turn has come. Equal requests join. A request
//! that fails in passing is tried again; 429 and 503 slow the whole domain. A domain that has not answered for long
//! enough is gone: what crawls wait for then ends at once. Dies when idle.

mod node_share;
mod queue;
mod robots;
#[cfg(test)]
mod tests;
mod turns;

use std::sync::Arc;
use std::task::{Wake, Waker};
use std::time::{Duration, Instant};

use actix::prelude::*;
use futures_util::FutureExt;
use tokio::sync::oneshot;
use wayfile_core::nodes::clock::SharedClock;
use wayfile_core::nodes::share::Granted;
use wayfile_core::site::failure_detector::{FailureDetector, FailureLimits};
use wayfile_core::site::pace::{PaceLimits, RequestEnd, RequestKind};
use wayfile_core::url::{Origin, SiteUrl};

use crate::cache::{Cached, CachedAnswer};
use crate::context::EngineContext;
use crate::error::{FetchError, FetchResult};
use crate::http::{Answer, Probe, Reply, Want, wait_asked_by};
use crate::job::Freshness;
use crate::ledger::LedgerError;
use crate::messages::{Asker, Fetch, Fetched};
use crate::metrics::{self, Held};
use crate::panics::guard_task;
use crate::permits::Permit;
use crate::settings::CrawlSettings;

use queue::{FetchReply, FetchRequest};
use robots::Rules;
use turns::{Next, Turns};

/// A Fetcher without requests for this long stops; the next request starts another.
const IDLE: Duration = Duration::from_mins(5);
const IDLE_CHECK: Duration = Duration::from_mins(1);
/// The first wait before another try; doubles with each, plus or minus half.
const RETRY_AFTER: Duration = Duration::from_millis(250);

pub(crate) struct Fetcher {
    context: Arc<EngineContext>,
    origin: Origin,
    turns: Turns,
    /// When the request started that the client has not taken yet: the gap counts from then on.
    starting: Option<Instant>,
    failures: FailureDetector,
    rules: Rules,
    timer: Option<SpawnHandle>,
    waker: Waker,
    last_used: Instant,
    _alive: Held,
}

/// What a Fetcher hears beside requests; after each it looks again what may start.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) enum Notice {
    /// A permit has come, an asker has left, or other settings hold.
    LookAgain,
    /// What other nodes do at the site has changed: the share has to be asked for again.
    SiteChanged,
    /// The share that was asked for; `leaves`: none was.
    ShareGranted {
        grant: Result<(Granted, SharedClock), LedgerError>,
        leaves: bool,
    },
    Sent(Instant),
    Replied(Box<Replied>),
}

struct FetcherWaker(Addr<Fetcher>);

impl Wake for FetcherWaker {
    fn wake(self: Arc<Self>) {
        self.0.do_send(Notice::LookAgain);
    }
}

/// What became of a request; no reply if it came to that too late, or nobody waits for it any more.
pub(crate) struct Replied {
    request: FetchRequest,
    reply: Option<FetchResult<Reply>>,
    permit: Permit,
    started: Instant,
}

impl Fetcher {
    pub(crate) fn new(context: Arc<EngineContext>, origin: Origin) -> Self {
        Self {
            turns: Turns::new(pace_limits(&context.settings()), &context.probes, &context.fetches),
            starting: None,
            context,
            origin,
            failures: FailureDetector::default(),
            rules: Rules::default(),
            timer: None,
            waker: Waker::noop().clone(),
            last_used: Instant::now(),
            _alive: metrics::ACTORS.hold("fetcher"),
        }
    }

    /// Starts whatever may start now, and sets the clock for what may start later.
    fn pump(&mut self, ctx: &mut Context<Self>) {
        let settings = self.context.settings();
        self.turns.pace.limit(pace_limits(&settings));
        self.turns.pace.obey_crawl_delay(self.rules.crawl_delay().min(settings.max_crawl_delay));
        self.turns.queue.drop_left();
        while self.starting.is_none() {
            let now = Instant::now();
            match self.turns.next(now, &self.waker) {
                Next::Start(request, permit, latest) => self.send(request, permit, now, latest, ctx),
                Next::Wait(later) => {
                    let asks = self.share(now, ctx);
                    return self.wake_at(later.into_iter().chain(asks).min(), now, ctx);
                }
            }
        }
    }

    fn wake_at(&mut self, later: Option<Instant>, now: Instant, ctx: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            ctx.cancel_future(timer);
        }
        self.timer = later.map(|later| {
            ctx.run_later(later.saturating_duration_since(now), |act, ctx| {
                act.timer = None;
                act.pump(ctx);
            })
        });
    }

    /// Queues a request; once for each asker, has it look again when that one has left.
    fn queue(
        &mut self,
        url: SiteUrl,
        want: Want,
        asker: Asker,
        ctx: &mut Context<Self>,
    ) -> impl Future<Output = FetchReply> + use<> {
        let (reply, answer) = oneshot::channel();
        if self.turns.queue.push(url, want, &asker, reply, self.last_used) {
            let (left, waker) = (asker.cancel.cancelled_owned(), self.waker.clone());
            actix::spawn(left.map(move |()| waker.wake()));
        }
        self.pump(ctx);
        answer.map(|answer| answer.unwrap_or(Err(FetchError::Cancelled)))
    }

    fn send(
        &mut self,
        request: FetchRequest,
        permit: Permit,
        now: Instant,
        latest: Instant,
        ctx: &mut Context<Self>,
    ) {
        metrics::POLITENESS_SECONDS.record([], now - request.since);
        let is_spaced = !self.turns.pace.gap(RequestKind::Page).is_zero();
        self.starting = is_spaced.then_some(now);
        let (context, fetcher) = (self.context.clone(), ctx.address());
        tokio::spawn(async move {
            let sent = || {
                if is_spaced {
                    fetcher.do_send(Notice::Sent(Instant::now()));
                }
            };
            let exchange = context.exchange(&request.url, request.want, sent);
            let exchanged = async {
                // The process may have slept since its turn, which is another node's by now.
                if Instant::now() > latest { None } else { Some(guard_task("fetcher", exchange).await) }
            };
            let reply = request.abandoned.run_until_cancelled(exchanged).await.flatten();
            let replied = Replied { request, reply, permit, started: now };
            fetcher.do_send(Notice::Replied(Box::new(replied)));
        });
    }

    fn finish(&mut self, replied: Replied) {
        let Replied { request, reply, permit, started } = replied;
        let now = Instant::now();
        self.starting.take_if(|starting| *starting == started);
        let Some(reply) = reply else {
            self.turns.pace.end(started, now, RequestEnd::Unsent);
            return self.turns.queue.again(request);
        };
        let ended = match &reply {
            Ok(Reply { answer: Answer::Failed { status: 429 | 503, retry_after, .. }, .. }) => {
                RequestEnd::Refused(*retry_after)
            }
            Ok(Reply { answer: Answer::Seen(seen), .. }) if matches!(seen.status, 429 | 503) => {
                RequestEnd::Refused(wait_asked_by(seen))
            }
            Ok(reply) => RequestEnd::Came(reply.latency),
            Err(error) if error.is_transient() => RequestEnd::Lost,
            // How long it took is not known.
            Err(_) => RequestEnd::Unsent,
        };
        if matches!(ended, RequestEnd::Refused(_)) {
            self.turns.membership.has_news();
        }
        self.turns.pace.end(started, now, ended);
        self.last_used = now;
        self.listen(&request, &reply, started, now);
        if let Ok(reply) = &reply {
            metrics::FETCH_SECONDS.record([], reply.latency);
        }
        let result = reply.and_then(|reply| match reply.answer {
            Answer::Page(page) => Ok(Fetched::Page { page: Arc::new(page), permit: Some(Arc::new(permit)) }),
            Answer::Seen(seen) => Ok(Fetched::Seen(Arc::new(seen))),
            Answer::Moved(target) => Ok(Fetched::Moved(target)),
            Answer::Failed { is_challenge: true, .. } => Err(FetchError::BotChallenge),
            Answer::Failed { status, .. } => Err(FetchError::Status(status)),
        });
        metrics::FETCHES.count([result.as_ref().err().map_or("ok", FetchError::kind)]);
        let bytes = match &result {
            Ok(Fetched::Page { page, .. }) => page.body.len(),
            Ok(Fetched::Seen(answer)) => answer.body.len(),
            Ok(Fetched::Rules(_) | Fetched::Moved(_)) | Err(_) => 0,
        };
        metrics::FETCH_BYTES.add([], bytes);
        match result {
            Err(error) if error.is_transient() && request.tries < self.retries(request.want, now) => {
                let wait = RETRY_AFTER * 2_u32.pow(u32::from(request.tries));
                let due = now + wait.mul_f64(0.5 + fastrand::f64());
                self.turns.queue.again(FetchRequest { tries: request.tries + 1, due, ..request });
            }
            result => self.answer(request, result),
        }
    }

    /// Updates the failure detector. Probes of validations do not count: their addresses are arbitrary.
    fn listen(&mut self, request: &FetchRequest, reply: &FetchResult<Reply>, started: Instant, now: Instant) {
        match reply {
            _ if request.want.is_probe() => {}
            Err(error) if error.is_no_answer() => self.failures.failed(started, now),
            _ => self.failures.answered(),
        }
        if self.is_unresponsive(now) {
            self.turns.queue.give_up(&FetchError::Unresponsive);
        }
    }

    fn is_unresponsive(&self, now: Instant) -> bool {
        let settings = self.context.settings();
        let limits = FailureLimits { tries: settings.gone_tries, time: settings.gone_after };
        self.failures.is_unresponsive(limits, now)
    }

    /// The probe of a link is not tried again: its host did not ask for it.
    fn retries(&self, want: Want, now: Instant) -> u8 {
        match want {
            Want::Probe(probe) if probe != Probe::File => 0,
            _ if want.is_within_crawl() && self.is_unresponsive(now) => 0,
            _ => self.context.settings().retries,
        }
    }

    /// The answer to what needs no request: what the rules say, a page fetched lately, or that the site has stopped answering.
    fn at_hand(&self, fetch: &Fetch) -> Option<FetchReply> {
        if fetch.want.obeys_rules() {
            match self.rules.known() {
                Ok(robots) if fetch.want == Want::Robots => return Some(Ok(Fetched::Rules(robots))),
                Ok(robots) if robots.rules.allows(&fetch.url) => {}
                Ok(_) => return Some(Err(FetchError::Disallowed)),
                Err(error) => return Some(Err(error)),
            }
        }
        if fetch.freshness == Freshness::Lately {
            match self.context.cache.ask(&fetch.url, fetch.want) {
                Cached::Fresh(CachedAnswer::Page(page)) => {
                    return Some(Ok(Fetched::Page { page, permit: None }));
                }
                Cached::Fresh(CachedAnswer::Gone(status)) => return Some(Err(FetchError::Status(status))),
                Cached::Stale(_) | Cached::Missing => {}
            }
        }
        // A crawl that begins asks for its home page all the same: so it is noticed when the site is back.
        let is_lost = fetch.want.is_within_crawl() && self.is_unresponsive(self.last_used);
        is_lost.then_some(Err(FetchError::Unresponsive))
    }

    fn answer(&mut self, request: FetchRequest, result: FetchReply) {
        if request.want == Want::Robots {
            return self.robots_came(request, result);
        }
        match &result {
            Ok(Fetched::Page { page, .. }) => {
                let found = CachedAnswer::Page(page.clone());
                self.context.cache.keep(page.url.clone(), request.want, found);
            }
            Err(FetchError::Status(status @ (404 | 410))) => {
                self.context.cache.keep(request.url.clone(), request.want, CachedAnswer::Gone(*status));
            }
            _ => {}
        }
        self.turns.queue.answer(&request, &result);
    }
}

fn pace_limits(settings: &CrawlSettings) -> PaceLimits {
    PaceLimits {
        concurrency: settings.per_domain_concurrency,
        delay: settings.per_domain_delay,
        max_backoff: settings.max_backoff,
    }
}

impl Actor for Fetcher {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        self.waker = Arc::new(FetcherWaker(ctx.address())).into();
        ctx.run_interval(IDLE_CHECK, |act, ctx| {
            if act.turns.queue.is_empty() && act.turns.pace.running() == 0 && act.last_used.elapsed() > IDLE {
                ctx.stop();
            }
        });
    }
}

impl Handler<Notice> for Fetcher {
    type Result = ();

    fn handle(&mut self, notice: Notice, ctx: &mut Self::Context) {
        match notice {
            Notice::LookAgain => {}
            Notice::SiteChanged => self.turns.membership.has_news(),
            Notice::ShareGranted { grant, leaves } => self.share_granted(grant, leaves),
            Notice::Sent(at) => {
                self.starting = None;
                self.turns.pace.sent(at);
            }
            Notice::Replied(replied) => self.finish(*replied),
        }
        self.pump(ctx);
    }
}

impl Handler<Fetch> for Fetcher {
    type Result = ResponseFuture<FetchResult<Fetched>>;

    fn handle(&mut self, fetch: Fetch, ctx: &mut Self::Context) -> Self::Result {
        self.last_used = Instant::now();
        if fetch.want == Want::Robots && fetch.freshness == Freshness::Now {
            self.rules.are_old();
        }
        if fetch.want.obeys_rules() && !self.rules.are_fresh(self.context.settings().robots_ttl) {
            return self.fetch_with_rules(fetch, ctx);
        }
        match self.at_hand(&fetch) {
            Some(answer) => Box::pin(std::future::ready(answer)),
            None => Box::pin(self.queue(fetch.url, fetch.want, fetch.asker, ctx)),
        }
    }
}
