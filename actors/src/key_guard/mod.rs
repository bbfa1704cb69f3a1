//! The `KeyGuard`: one per API key in use.
//!
//! Owns the key's rate and its crawls at once. Bounded by the plan of the key's account, which it asks the
//! store for at every request: a revoked key or a new plan counts from the very next one. The month's quota
//! is the store's; a [`Pass`] reserves it. When the store is away, nothing passes. Dies when idle.

mod pass;
mod slots;

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use dashmap::DashMap;
use jiff::Timestamp;
use tokio::sync::oneshot;
use wayfile_core::calendar::Month;
use wayfile_core::limits::{Allowance, Figures, Gcra};
use wayfile_core::plan::{Endpoint, Plans};

use crate::engine::StartError;
use crate::ledger::{KeyHash, KeyState, LedgerError, QuotaLedger};
use crate::metrics::{self, Alive};

pub use pass::{Pass, Refusal, Reservation};
pub use slots::CrawlSlot;
use slots::Slots;

/// A key nobody has used this long loses its actor; its rate is long unused by then.
const IDLE: Duration = Duration::from_mins(10);
/// How often idleness is looked at, and the time of last use written down.
const IDLE_CHECK: Duration = Duration::from_mins(1);
/// Above this many keys the dead are looked for before another is added.
const SWEEP_ABOVE: usize = 1024;

/// What all guards share.
struct Office {
    plans: Plans,
    ledger: Arc<dyn QuotaLedger>,
    /// How long a request waits for its key's turn to crawl.
    queue_wait: Duration,
    /// Where refunds run when a request is dropped on a thread without a runtime.
    runtime: tokio::runtime::Handle,
}

/// Finds a key's guard, starting it when there is none or when it has died. Cheap to clone; may be used
/// from any thread.
#[derive(Clone)]
pub struct KeyGuards {
    office: Arc<Office>,
    arbiter: ArbiterHandle,
    guards: Arc<DashMap<KeyHash, Addr<KeyGuard>>>,
}

impl KeyGuards {
    /// Guards whose actors live on the current actor system.
    ///
    /// # Errors
    /// [`StartError::NoSystem`]: there is none.
    pub fn start(
        plans: Plans,
        queue_wait: Duration,
        ledger: Arc<dyn QuotaLedger>,
    ) -> Result<Self, StartError> {
        let arbiter = Arbiter::try_current().ok_or(StartError::NoSystem)?;
        let runtime = tokio::runtime::Handle::try_current().map_err(|_| StartError::NoSystem)?;
        let office = Arc::new(Office { plans, ledger, queue_wait, runtime });
        Ok(Self { office, arbiter, guards: Arc::default() })
    }

    /// Lets one request of a key in: the key is good and its rate has room for it.
    ///
    /// # Errors
    /// [`Refusal::UnknownKey`], [`Refusal::TooFast`] or [`Refusal::StoreAway`].
    pub async fn enter(&self, hash: KeyHash, endpoint: Endpoint) -> Result<Pass, Refusal> {
        let entered = self.ask(hash, endpoint).await;
        metrics::admission(entered.as_ref().err().map_or("entered", Refusal::name));
        entered
    }

    async fn ask(&self, hash: KeyHash, endpoint: Endpoint) -> Result<Pass, Refusal> {
        loop {
            let known = self.guards.get(&hash).filter(|guard| guard.connected()).map(|guard| guard.clone());
            let guard = match known {
                Some(guard) => guard,
                None => self.meet(hash).await?,
            };
            // A guard may die of idleness between the look and the question; the next round starts another.
            if let Ok(answer) = guard.send(Enter(endpoint)).await {
                return answer;
            }
        }
    }

    /// Starts a guard for a key that the store knows; an unknown key costs one look and no actor.
    async fn meet(&self, hash: KeyHash) -> Result<Addr<KeyGuard>, Refusal> {
        let month = Month::of(Timestamp::now());
        let state = self.office.ledger.look(hash, month).await?.ok_or(Refusal::UnknownKey)?;
        if self.guards.len() > SWEEP_ABOVE {
            self.guards.retain(|_, guard| guard.connected());
        }
        let start = || {
            let office = self.office.clone();
            KeyGuard::start_in_arbiter(&self.arbiter, move |_| KeyGuard::new(office, hash, state))
        };
        let mut entry = self.guards.entry(hash).or_insert_with(start);
        if !entry.connected() {
            *entry = start();
            metrics::restarted("key_guard");
        }
        Ok(entry.clone())
    }
}

/// One key's actor.
struct KeyGuard {
    office: Arc<Office>,
    hash: KeyHash,
    state: KeyState,
    rate: Gcra,
    slots: Slots,
    last_used: Instant,
    /// When it was last used, until that is written down.
    untold: Option<Timestamp>,
    _alive: Alive,
}

/// May a request pass?
#[derive(Message)]
#[rtype(result = "Result<Pass, Refusal>")]
struct Enter(Endpoint);

/// Pass to guard: wants to crawl, and waits for its turn.
#[derive(Message)]
#[rtype(result = "()")]
struct Crawl(oneshot::Sender<CrawlSlot>);

/// The [`CrawlSlot`] that was given at this time was dropped.
#[derive(Message)]
#[rtype(result = "()")]
struct Crawled(Instant);

/// Pass to guard: how long the oldest crawl has been running.
#[derive(Message)]
#[rtype(result = "Duration")]
struct Oldest;

impl KeyGuard {
    fn new(office: Arc<Office>, hash: KeyHash, state: KeyState) -> Self {
        Self {
            office,
            hash,
            state,
            rate: Gcra::default(),
            slots: Slots::default(),
            last_used: Instant::now(),
            untold: None,
            _alive: Alive::actor("key_guard"),
        }
    }

    fn enter(
        &mut self,
        endpoint: Endpoint,
        looked: Result<Option<KeyState>, LedgerError>,
        ctx: &mut Context<Self>,
    ) -> Result<Pass, Refusal> {
        self.state = looked?.ok_or(Refusal::UnknownKey)?;
        let (limits, now) = (*self.office.plans.limits(self.state.plan), Timestamp::now());
        self.untold = Some(now);
        self.last_used = Instant::now();
        let taken = self.rate.take(limits.rate(), self.last_used);
        let month = self.state.month;
        let used = self.state.used.of(endpoint);
        let figures = Figures {
            minute: self.rate.allowance(limits.rate(), self.last_used),
            month: Allowance::month(limits.per_month(endpoint), used, month.length(), month.left(now)),
        };
        match taken {
            Err(wait) => Err(Refusal::TooFast { wait, figures: Box::new(figures) }),
            Ok(()) => Ok(Pass {
                state: self.state,
                limits,
                endpoint,
                figures,
                office: self.office.clone(),
                guard: ctx.address(),
            }),
        }
    }

    fn give_slots(&mut self, ctx: &mut Context<Self>) {
        let at_once = self.office.plans.limits(self.state.plan).crawls_at_once;
        self.slots.give(at_once, &ctx.address());
    }

    fn write_down_use(&mut self) {
        let Some(at) = self.untold.take() else { return };
        let (ledger, key) = (self.office.ledger.clone(), self.state.key);
        self.office.runtime.spawn(async move {
            if let Err(error) = ledger.touch(key, at).await {
                tracing::warn!(key.id = %key, %error, "the time of a key's last use was not written down");
            }
        });
    }
}

impl Actor for KeyGuard {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(IDLE_CHECK, |act, ctx| {
            act.write_down_use();
            if act.slots.are_unused() && act.last_used.elapsed() > IDLE {
                ctx.stop();
            }
        });
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        self.write_down_use();
    }
}

impl Handler<Enter> for KeyGuard {
    type Result = ResponseActFuture<Self, Result<Pass, Refusal>>;

    fn handle(&mut self, Enter(endpoint): Enter, _: &mut Self::Context) -> Self::Result {
        let (ledger, hash) = (self.office.ledger.clone(), self.hash);
        let look = async move { ledger.look(hash, Month::of(Timestamp::now())).await };
        Box::pin(look.into_actor(self).map(move |looked, act, ctx| act.enter(endpoint, looked, ctx)))
    }
}

impl Handler<Crawl> for KeyGuard {
    type Result = ();

    fn handle(&mut self, Crawl(reply): Crawl, ctx: &mut Self::Context) {
        self.slots.wait(reply);
        self.give_slots(ctx);
    }
}

impl Handler<Crawled> for KeyGuard {
    type Result = ();

    fn handle(&mut self, Crawled(since): Crawled, ctx: &mut Self::Context) {
        self.slots.end(since);
        self.give_slots(ctx);
    }
}

impl Handler<Oldest> for KeyGuard {
    type Result = MessageResult<Oldest>;

    fn handle(&mut self, _: Oldest, _: &mut Self::Context) -> Self::Result {
        MessageResult(self.slots.oldest())
    }
}
