//! The scheduling under load without sockets: many domains, few permits, askers that leave, sites that are slow or fail, on a
//! clock of its own. What decides is what decides in a Fetcher: its turns with pace, queue and places, and the pools.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Wake, Waker};
use std::time::{Duration, Instant};

use fastrand::Rng;
use jiff::Timestamp;
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;
use tokio_util::sync::CancellationToken;
use wayfile_core::nodes::clock::SharedClock;
use wayfile_core::nodes::share::Granted;
use wayfile_core::site::pace::{PaceLimits, RequestEnd, RequestKind};
use wayfile_core::url::SiteUrl;

use super::queue::{FetchReply, FetchRequest};
use super::turns::{Next, Turns};
use crate::error::FetchError;
use crate::http::{Probe, Want};
use crate::messages::Asker;
use crate::permits::{Owner, Permit, Pool};

const MS: Duration = Duration::from_millis(1);
const RETRIES: u8 = 2;
/// How often a domain looks what may start, for each request.
const MAX_STEPS: usize = 40;

#[derive(Default)]
struct Bell(AtomicBool);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Domain {
    turns: Turns,
    bell: Arc<Bell>,
    timer: Option<Instant>,
    latency: Duration,
    /// Whose leaving it is told.
    watched: Vec<usize>,
}

/// What happens at its time.
enum Event {
    Asks {
        asker: usize,
        domain: usize,
        want: Want,
        path: usize,
    },
    Leaves {
        asker: usize,
    },
    Ends {
        domain: usize,
        request: FetchRequest,
        permit: Permit,
        started: Instant,
        how: RequestEnd,
    },
    /// A page was read, and its permit comes back.
    IsRead {
        permit: Permit,
        probes: bool,
    },
    Timer {
        domain: usize,
    },
}

struct World {
    rng: Rng,
    start: Instant,
    now: Instant,
    /// Looks, fetches: the permits that there are, and those in use.
    pools: [(Pool, usize, usize); 2],
    domains: Vec<Domain>,
    askers: Vec<Asker>,
    events: BTreeMap<(Instant, usize), Event>,
    replies: Vec<(usize, oneshot::Receiver<FetchReply>)>,
    /// When each asker's last request ended.
    ended: HashMap<Owner, Instant>,
    /// Whether sites fail and are slow at random, and pages take a while to be read.
    is_rough: bool,
    happened: usize,
    starts: usize,
    steps: usize,
}

impl World {
    fn new(seed: u64, probes: usize, fetches: usize) -> Self {
        let now = Instant::now();
        Self {
            rng: Rng::with_seed(seed),
            start: now,
            now,
            pools: [(Pool::new("look", probes), probes, 0), (Pool::new("fetch", fetches), fetches, 0)],
            domains: Vec::new(),
            askers: Vec::new(),
            events: BTreeMap::new(),
            replies: Vec::new(),
            ended: HashMap::new(),
            is_rough: false,
            happened: 0,
            starts: 0,
            steps: 0,
        }
    }

    fn domain(&mut self, concurrency: usize, delay: Duration, latency: Duration) -> usize {
        let limits = PaceLimits { concurrency, delay, max_backoff: 2_000 * MS };
        let mut turns = Turns::new(limits, &self.pools[0].0, &self.pools[1].0);
        let (mut clock, shown) = (SharedClock::default(), Timestamp::UNIX_EPOCH);
        clock.hear(self.start, shown, self.start);
        turns.membership.takes(&Granted::alone(shown), &clock, false, self.start);
        self.domains.push(Domain { turns, bell: Arc::default(), timer: None, latency, watched: Vec::new() });
        self.domains.len() - 1
    }

    fn asker(&mut self) -> usize {
        self.askers.push(Asker::new(CancellationToken::new()));
        self.askers.len() - 1
    }

    /// A crawl of so many pages, asked for at once.
    fn crawl(&mut self, domain: usize, pages: usize, at: Duration) -> Owner {
        let asker = self.asker();
        let first = asker * 1_000;
        for path in first..first + pages {
            self.at(self.start + at, Event::Asks { asker, domain, want: Want::Page, path });
        }
        self.askers[asker].owner
    }

    fn at(&mut self, at: Instant, event: Event) {
        self.happened += 1;
        self.events.insert((at, self.happened), event);
    }

    /// Until nothing happens any more.
    fn run(&mut self) {
        while let Some(((at, _), event)) = self.events.pop_first() {
            self.now = at;
            self.happen(event);
            while let Some(woken) = self.domains.iter().position(|d| d.bell.0.swap(false, Ordering::Relaxed))
            {
                self.pump(woken);
            }
            if self.events.first_key_value().is_none_or(|((next, _), _)| *next > at) {
                self.nothing_idles();
            }
        }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Asks { asker, domain, want, path } => {
                let (reply, answer) = oneshot::channel();
                self.replies.push((asker, answer));
                let url = SiteUrl::parse(&format!("https://tide.dev/{path}")).unwrap();
                if self.domains[domain].turns.queue.push(url, want, &self.askers[asker], reply, self.now) {
                    self.domains[domain].watched.push(asker);
                }
                self.pump(domain);
            }
            Event::Leaves { asker } => {
                self.askers[asker].cancel.cancel();
                let told = |d: &usize| self.domains[*d].watched.contains(&asker);
                (0..self.domains.len())
                    .filter(told)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .for_each(|d| self.pump(d));
            }
            Event::Ends { domain, request, permit, started, how } => {
                let (probes, read_for) =
                    (request.want.is_probe(), MS * if self.is_rough { self.rng.u32(..20) } else { 0 });
                self.ended.insert(permit.owner, self.now);
                let turns = &mut self.domains[domain].turns;
                turns.pace.end(started, self.now, how);
                if matches!(how, RequestEnd::Came(_)) || request.tries == RETRIES {
                    turns.queue.answer(&request, &Err(FetchError::Status(404)));
                } else {
                    turns.queue.again(FetchRequest {
                        tries: request.tries + 1,
                        due: self.now + 250 * MS,
                        ..request
                    });
                }
                self.at(self.now + read_for, Event::IsRead { permit, probes });
                self.pump(domain);
            }
            Event::IsRead { permit, probes } => {
                self.pools[usize::from(!probes)].2 -= 1;
                drop(permit);
            }
            Event::Timer { domain } => {
                if self.domains[domain].timer == Some(self.now) {
                    self.pump(domain);
                }
            }
        }
    }

    /// As a Fetcher does.
    fn pump(&mut self, number: usize) {
        self.domains[number].turns.queue.drop_left();
        loop {
            self.steps += 1;
            assert!(self.steps <= MAX_STEPS * self.replies.len(), "it spins");
            let domain = &mut self.domains[number];
            match domain.turns.next(self.now, &Waker::from(domain.bell.clone())) {
                Next::Start(request, permit, _) => {
                    let (_, all, used) = &mut self.pools[usize::from(!request.want.is_probe())];
                    *used += 1;
                    assert!(used <= all, "more permits than there are");
                    self.starts += 1;
                    let asker = self.askers.iter().find(|asker| asker.owner == permit.owner).unwrap();
                    assert!(!asker.cancel.is_cancelled(), "nobody waits for it");
                    let (took, how) = if self.is_rough {
                        self.fate()
                    } else {
                        (domain.latency, RequestEnd::Came(domain.latency))
                    };
                    let ends = Event::Ends { domain: number, request, permit, started: self.now, how };
                    self.at(self.now + took, ends);
                }
                Next::Wait(later) => {
                    domain.timer = later;
                    if let Some(later) = later {
                        assert!(later > self.now);
                        self.at(later, Event::Timer { domain: number });
                    }
                    return;
                }
            }
        }
    }

    fn fate(&mut self) -> (Duration, RequestEnd) {
        let took = MS * if self.rng.u8(..10) == 0 { 5_000 } else { self.rng.u32(1..200) };
        let how = match self.rng.u8(..10) {
            0 => RequestEnd::Lost,
            1 => RequestEnd::Refused(self.rng.bool().then_some(MS * 700)),
            _ => RequestEnd::Came(took),
        };
        (took, how)
    }

    fn nothing_idles(&self) {
        for ((_, all, used), probes) in self.pools.iter().zip([true, false]) {
            let could_start = |d: &Domain| {
                d.turns.pace.turn(RequestKind::Page, self.now) == Some(self.now)
                    && !d.turns.queue.owners(|want| want.is_probe() == probes, self.now).is_empty()
            };
            assert!(used == all || !self.domains.iter().any(could_start), "a permit is idle");
        }
    }
}

#[test]
fn every_request_ends_no_permit_idles_and_nothing_spins() {
    for seed in 0..3_000 {
        let mut rng = Rng::with_seed(seed);
        let mut world = World::new(seed, rng.usize(1..4), rng.usize(1..6));
        world.is_rough = true;
        let (domains, askers) = (rng.usize(1..12), rng.usize(1..8));
        for _ in 0..domains {
            world.domain(rng.usize(1..5), MS * rng.choice([0, 10, 50]).unwrap(), MS);
        }
        for _ in 0..askers {
            let asker = world.asker();
            if rng.u8(..3) == 0 {
                world.at(world.start + MS * rng.u32(..1_500), Event::Leaves { asker });
            }
        }
        for _ in 0..rng.usize(1..80) {
            let wants = [Want::Page, Want::Page, Want::Sitemap, Want::Robots, Want::Probe(Probe::Head)];
            let want = rng.choice(wants).unwrap();
            let asks = Event::Asks {
                asker: rng.usize(..askers),
                domain: rng.usize(..domains),
                want,
                path: rng.usize(..12),
            };
            world.at(world.start + MS * rng.u32(..1_000), asks);
        }
        world.run();
        for (asker, reply) in &mut world.replies {
            let left = world.askers[*asker].cancel.is_cancelled();
            match reply.try_recv() {
                Err(TryRecvError::Empty) => panic!("somebody waits for ever, seed {seed}"),
                Err(TryRecvError::Closed) => assert!(left, "a request was lost, seed {seed}"),
                Ok(_) => {}
            }
        }
        assert!(world.domains.iter().all(|domain| domain.turns.queue.is_empty()), "seed {seed}");
        for (pool, all, used) in &world.pools {
            let mut taken = (0..*all).map(|_| pool.place().ask(vec![Owner::new()], Waker::noop()));
            assert!(*used == 0 && taken.all(|permit| permit.is_some()), "seed {seed}");
        }
    }
}

#[test]
fn what_a_crawl_has_in_hand_counts_while_it_waits_for_something() {
    let mut world = World::new(0, 1, 1);
    let (domain, elsewhere) = (world.domain(4, 50 * MS, MS), world.domain(4, 50 * MS, MS));
    let asker = world.asker();
    world.askers[asker].in_hand.store(30, Ordering::Relaxed);
    for path in 0..3 {
        let url = SiteUrl::parse(&format!("https://tide.dev/{path}")).unwrap();
        let queue = &mut world.domains[domain].turns.queue;
        queue.push(url, Want::Page, &world.askers[asker], oneshot::channel().0, world.now);
    }
    let wanted = |world: &World, domain: usize| world.domains[domain].turns.wanted(world.now);
    assert_eq!((wanted(&world, domain), wanted(&world, elsewhere)), (33, 0));
    world.askers[asker].cancel.cancel();
    world.domains[domain].turns.queue.drop_left();
    assert_eq!(wanted(&world, domain), 0);
}

#[test]
fn who_waits_for_the_rules_has_an_address_in_hand() {
    let mut world = World::new(0, 1, 1);
    let domain = world.domain(4, 50 * MS, MS);
    let asker = world.asker();
    let queue = &mut world.domains[domain].turns.queue;
    let url = SiteUrl::parse("https://tide.dev/robots.txt").unwrap();
    queue.push(url, Want::Robots, &world.askers[asker], oneshot::channel().0, world.now);
    assert_eq!(world.domains[domain].turns.wanted(world.now), 2);
}

/// How long 10 pages take that are asked for after a second beside crawls of 300 pages, whose pages take so long. On a domain
/// of their own, or on that of all.
fn ten_pages(beside: usize, latency: Duration, on_one_domain: bool) -> Duration {
    let mut world = World::new(0, 1, 16);
    let mut domain = world.domain(4, Duration::ZERO, latency);
    for _ in 0..beside {
        world.crawl(domain, 300, Duration::ZERO);
        if !on_one_domain {
            domain = world.domain(4, Duration::ZERO, latency);
        }
    }
    world.domains[domain].latency = 50 * MS;
    let small = world.crawl(domain, 10, 1_000 * MS);
    world.run();
    world.ended[&small] - (world.start + 1_000 * MS)
}

#[test]
fn a_small_crawl_has_its_share_beside_large_ones() {
    let alone = ten_pages(0, 50 * MS, false);
    assert_eq!(alone, 150 * MS);
    let beside = ten_pages(8, 50 * MS, false);
    assert!(beside <= 2 * alone, "{beside:?}");
}

#[test]
fn slow_sites_hold_no_permits_of_others() {
    let slow = 10_000 * MS;
    let beside = ten_pages(8, slow, false);
    // What is under way goes on; then the first permit that comes back is there for all ten.
    assert!(beside <= slow + 11 * 50 * MS, "{beside:?}");
}

#[test]
fn crawls_of_one_domain_go_round() {
    let (alone, beside) = (ten_pages(0, 50 * MS, true), ten_pages(8, 50 * MS, true));
    assert!(beside <= 9 * alone, "{beside:?}");
}
