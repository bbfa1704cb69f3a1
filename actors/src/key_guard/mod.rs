//! The `KeyGuard`: one per API key in use.
//!
//! Keeps the key's state (its rate, and what the store said of it last) and its crawls at once. Bounded by the plan of
//! the key's account, which the store is asked for at every request: a revoked key or a new plan counts from the very next
//! one. The month's quota is the store's; an [`Admission`] reserves it. When the store is away, nothing passes. Dies when idle.

mod admission;
mod slots;
mod state;

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use actix::prelude::*;
use dashmap::DashMap;
use dashmap::mapref::one::RefMut;
use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use wayfile_core::calendar::Month;
use wayfile_core::plan::{Endpoint, Plans};

use crate::coordination::Coordination;
use crate::engine::StartError;
use crate::ledger::{KeyHash, KeyRecord, QuotaLedger};
use crate::metrics::{self, Held};
use crate::settings::Live;

pub use admission::{Admission, PlanLimit, Refusal, Reservation};
pub use slots::CrawlSlot;
use slots::Slots;
use state::KeyState;

/// The guard of a key that was not used for this long stops; its rate is full again long before.
const IDLE: Duration = Duration::from_mins(10);
/// How often idleness is looked at, and the time of last use written down.
const IDLE_CHECK: Duration = Duration::from_mins(1);

struct GuardDeps {
    plans: Live<Plans>,
    ledger: Arc<dyn QuotaLedger>,
    coordination: Arc<dyn Coordination>,
    /// How long a request waits for its key's turn to crawl.
    queue_wait: Duration,
    /// Where refunds run when a request is dropped on a thread without a runtime.
    runtime: tokio::runtime::Handle,
}

type Guards = DashMap<KeyHash, Guard>;

/// Finds a key's guard, starting it when there is none. Cheap to clone; may be used from any thread.
#[derive(Clone)]
pub struct KeyGuards {
    deps: Arc<GuardDeps>,
    arbiter: ArbiterHandle,
    guards: Arc<Guards>,
}

/// A key's actor, and what its requests have in common.
#[derive(Clone)]
struct Guard {
    actor: Addr<KeyGuard>,
    state: Arc<Mutex<KeyState>>,
}

impl KeyGuards {
    /// Guards whose actors live on the current actor system.
    /// Errors: [`StartError::NoSystem`]: there is none.
    pub fn start(
        plans: Live<Plans>,
        queue_wait: Duration,
        ledger: Arc<dyn QuotaLedger>,
        coordination: Arc<dyn Coordination>,
    ) -> Result<Self, StartError> {
        let arbiter = Arbiter::try_current().ok_or(StartError::NoSystem)?;
        let runtime = tokio::runtime::Handle::try_current().map_err(|_| StartError::NoSystem)?;
        let deps = Arc::new(GuardDeps { plans, ledger, coordination, queue_wait, runtime });
        Ok(Self { deps, arbiter, guards: Arc::default() })
    }

    /// Lets one request of a key in: the key is good and its rate has room for it.
    /// Errors: [`Refusal::UnknownKey`], [`Refusal::AtLimit`] or [`Refusal::StoreAway`].
    pub async fn admit(&self, hash: KeyHash, endpoint: Endpoint) -> Result<Admission, Refusal> {
        let admitted = self.ask(hash, endpoint).await;
        metrics::ADMISSIONS.count([admitted.as_ref().err().map_or("entered", Refusal::name)]);
        admitted
    }

    async fn ask(&self, hash: KeyHash, endpoint: Endpoint) -> Result<Admission, Refusal> {
        let looked =
            self.deps.ledger.look_up(hash, Month::of(Timestamp::now()), &self.deps.plans.get()).await?;
        let record = looked.ok_or(Refusal::UnknownKey)?;
        let limits = *self.deps.plans.get().limits(record.plan);
        // Locked until the key counts as used: so its guard does not end of idleness in between.
        let guard = self.guard(hash, record);
        let figures = guard.state.lock().admit(record, endpoint, &limits)?;
        let (deps, guard) = (self.deps.clone(), guard.actor.clone());
        Ok(Admission { record, limits, figures, endpoint, deps, guard })
    }

    fn guard(&self, hash: KeyHash, record: KeyRecord) -> RefMut<'_, KeyHash, Guard> {
        let start = || {
            let state = Arc::new(Mutex::new(KeyState::new(record)));
            let guard = KeyGuard {
                deps: self.deps.clone(),
                hash,
                guards: Arc::downgrade(&self.guards),
                state: state.clone(),
                slots: Slots::default(),
                _alive: metrics::ACTORS.hold("key_guard"),
            };
            Guard { actor: KeyGuard::start_in_arbiter(&self.arbiter, |_| guard), state }
        };
        let mut guard = self.guards.entry(hash).or_insert_with(start);
        if !guard.actor.connected() {
            *guard = start();
            metrics::RESTARTS.count(["key_guard"]);
        }
        guard
    }
}

struct KeyGuard {
    deps: Arc<GuardDeps>,
    hash: KeyHash,
    /// Where it is found until it ends.
    guards: Weak<Guards>,
    state: Arc<Mutex<KeyState>>,
    slots: Slots,
    _alive: Held,
}

/// What changes who may crawl.
#[derive(Message)]
#[rtype(result = "()")]
enum SlotChange {
    Wanted(oneshot::Sender<CrawlSlot>),
    /// The [`CrawlSlot`] that was given at this time was dropped.
    Dropped(Instant),
}

/// Admission to guard: how long the oldest crawl has been running.
#[derive(Message)]
#[rtype(result = "Duration")]
struct OldestCrawl;

impl KeyGuard {
    /// Whether it was removed because it was idle; the next request starts another.
    fn leaves_if_unused(&self) -> bool {
        let Some(guards) = self.guards.upgrade() else { return true };
        guards.remove_if(&self.hash, |_, guard| guard.state.lock().last_used.elapsed() > IDLE).is_some()
    }

    fn write_down_use(&mut self) {
        let mut state = self.state.lock();
        let Some(at) = state.untold.take() else { return };
        let (ledger, key) = (self.deps.ledger.clone(), state.record.key);
        self.deps.runtime.spawn(async move {
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
            if act.slots.are_unused() && act.leaves_if_unused() {
                ctx.stop();
            }
        });
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        self.write_down_use();
    }
}

impl Handler<SlotChange> for KeyGuard {
    type Result = ();

    fn handle(&mut self, change: SlotChange, ctx: &mut Self::Context) {
        match change {
            SlotChange::Wanted(reply) => self.slots.wait(reply),
            SlotChange::Dropped(since) => self.slots.end(since),
        }
        let at_once = self.deps.plans.get().limits(self.state.lock().record.plan).crawls_at_once;
        self.slots.give(at_once, &ctx.address());
    }
}

impl Handler<OldestCrawl> for KeyGuard {
    type Result = MessageResult<OldestCrawl>;

    fn handle(&mut self, _: OldestCrawl, _: &mut Self::Context) -> Self::Result {
        MessageResult(self.slots.oldest())
    }
}
