//! Requests through the guard of a key on SQLite, beside the floor: bare commits of one row on the same disk
//! with the same settings. Counts are committed in groups, so many requests at once share one commit.

#![expect(clippy::unwrap_used, reason = "what is wrong here must stop it at once, with its place")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use jiff::Timestamp;
use sqlx::{AnyConnection, Connection};
use wayfile::auth::ApiKey;
use wayfile::config::Config;
use wayfile::store::{DatabaseSettings, DatabaseUrl, Ledger, Store};
use wayfile_actors::KeyGuards;
use wayfile_actors::settings::Live;
use wayfile_core::plan::{Endpoint, Plan, PlanLimits, Plans};

/// Requests of one round.
const REQUESTS: u32 = 2_000;
/// Requests under way at the same time.
const AT_ONCE: u32 = 200;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("guard");
    group.sample_size(10).throughput(Throughput::Elements(REQUESTS.into()));
    group.bench_function("admitted: entered, reserved, settled", |bench| {
        bench.iter_custom(|rounds| on_this_thread(requests(rounds, Depth::Settled)));
    });
    group.bench_function("entered: key, plan and rate", |bench| {
        bench.iter_custom(|rounds| on_this_thread(requests(rounds, Depth::Entered)));
    });
    group.bench_function("floor: one bare commit each", |bench| {
        bench.iter_custom(|rounds| on_this_thread(commits(rounds)));
    });
    group.finish();
    criterion.final_summary();
}

/// How far a request goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Entered,
    Settled,
}

/// Criterion's closures are synchronous; each measurement gets an actor system on a thread of its own.
fn on_this_thread<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    let run = || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        actix::System::with_tokio_rt(|| runtime).block_on(work)
    };
    std::thread::spawn(run).join().unwrap()
}

/// On the disk that the build is on; a temporary folder may be memory.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

async fn requests(rounds: u64, depth: Depth) -> Duration {
    let folder = folder();
    let url = DatabaseUrl::parse(&format!("sqlite://{}/guard.db", folder.path().display())).unwrap();
    let settings = DatabaseSettings { url, ..Config::load(None, &[]).unwrap().database };
    let store = Store::open(&settings).await.unwrap();
    let now = Timestamp::now();
    let email = "ada@example.org".parse().unwrap();
    let account = store.create_account(&email, Plan::Business, Some(now), now).await.unwrap();
    let key = store.create_key(account, "bench", 1, now).await.unwrap();
    let ledger: Arc<Ledger> = Ledger::start(store, "bench").await.unwrap();
    let guards =
        KeyGuards::start(Live::new(unlimited()), Duration::ZERO, ledger.clone(), ledger.coordination())
            .unwrap();
    let mut took = Duration::ZERO;
    for _ in 0..rounds {
        let started = Instant::now();
        let clients: Vec<_> = (0..AT_ONCE)
            .map(|_| tokio::spawn(client(guards.clone(), key.clone(), REQUESTS / AT_ONCE, depth)))
            .collect();
        for client in clients {
            client.await.unwrap();
        }
        took += started.elapsed();
    }
    took
}

async fn client(guards: KeyGuards, key: ApiKey, requests: u32, depth: Depth) {
    for _ in 0..requests {
        let mut admission = guards.admit(key.hash(), Endpoint::Generate).await.unwrap();
        if depth == Depth::Settled {
            admission.reserve().await.unwrap().settle(None).await.unwrap();
        }
    }
}

async fn commits(rounds: u64) -> Duration {
    let folder = folder();
    sqlx::any::install_default_drivers();
    let url = format!("sqlite://{}/floor.db?mode=rwc", folder.path().display());
    let mut bare = AnyConnection::connect(&url).await.unwrap();
    let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                    CREATE TABLE counter (n INTEGER NOT NULL); INSERT INTO counter VALUES (0);";
    sqlx::raw_sql(settings).execute(&mut bare).await.unwrap();
    let started = Instant::now();
    for _ in 0..rounds * u64::from(REQUESTS) {
        sqlx::query("UPDATE counter SET n = n + 1").execute(&mut bare).await.unwrap();
    }
    started.elapsed()
}

fn unlimited() -> Plans {
    let limits = PlanLimits {
        generate_per_month: u64::MAX,
        validate_per_month: u64::MAX,
        requests_per_minute: u32::MAX,
        index_pages: 1,
        full_pages: 1,
        crawls_at_once: 1,
        keys: 1,
    };
    Plans { free: limits, starter: limits, pro: limits, business: limits }
}
