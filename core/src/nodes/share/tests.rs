//! Nodes that share one site in every kind of trouble: answers that are late or lost, nodes that stop, sleep and wake, clocks that
//! are off. What they send and when is held against the rules.

use std::time::Instant;

use proptest::prelude::*;

use super::super::clock::SharedClock;
use super::super::membership::Membership;
use super::*;

const MS: Duration = Duration::from_millis(1);
/// An answer that did not come after so long never will.
const REPLY_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug, Clone)]
struct Trouble {
    node: usize,
    at: u64,
    /// Milliseconds that it sleeps; none: it dies.
    sleeps: Option<u64>,
}

#[derive(Debug, Clone)]
struct Case {
    seed: u64,
    nodes: usize,
    pages: usize,
    at_once: usize,
    gap: Duration,
    latency: u64,
    /// By how many milliseconds each request is later than it could be.
    late: u64,
    /// How many milliseconds it may take at most from a request's turn until it is begun; with some it takes up to one more
    /// until it is written.
    handing: u64,
    /// For how many milliseconds a node does nothing else.
    work: u64,
    /// The longest way of a question or an answer, in milliseconds.
    way: u64,
    /// Answers of a hundred that are lost.
    lost: u64,
    trouble: Vec<Trouble>,
    /// When the database forgets all.
    crash: Option<u64>,
}

impl Case {
    fn ask(&self, wanted: usize, running: usize) -> Ask {
        Ask {
            wanted,
            untimed: wanted,
            running,
            at_once: self.at_once,
            gap: self.gap,
            learned_gap: Duration::ZERO,
            closed_for: Duration::ZERO,
            latency: Duration::from_millis(self.latency),
            late: Duration::from_millis(self.late),
            answer_takes: Duration::from_millis(2 * self.way + 2),
            keeps: Duration::ZERO,
        }
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let trouble = (0_usize..5, 0_u64..15_000, proptest::option::of(prop_oneof![20_u64..3_000, Just(30_000)]))
        .prop_map(|(node, at, sleeps)| Trouble { node, at, sleeps });
    let gap = prop_oneof![Just(50), Just(100), Just(500), 5_u64..300].prop_map(Duration::from_millis);
    let times = (1_u64..1_500, 0_u64..4, 0_u64..40, 0_u64..20, 0_u64..10);
    (any::<u64>(), (1_usize..6, 1_usize..60, 1_usize..7), gap, times).prop_flat_map(
        move |(seed, (nodes, pages, at_once), gap, (latency, late, way, lost, handing))| {
            let trouble = proptest::collection::vec(trouble.clone(), 0..4);
            (trouble, proptest::option::of(0_u64..15_000)).prop_map(move |(trouble, crash)| Case {
                seed,
                nodes,
                pages,
                at_once,
                gap,
                latency,
                late,
                handing,
                work: 0,
                way,
                lost,
                trouble,
                crash,
            })
        },
    )
}

struct Node {
    id: u128,
    /// Its own clock shows so much more.
    skew: Duration,
    clock: SharedClock,
    membership: Membership,
    last_sent: Option<Instant>,
    /// A request whose turn it was: when it is begun, and until when it may be.
    handed: Option<(Instant, Instant)>,
    used: Instant,
    /// When it hears that another one came.
    told: Option<Instant>,
    left: usize,
    /// When its requests end.
    running: Vec<Instant>,
    asked: Option<Asked>,
    /// When it looks again whether to ask, if nothing happens before.
    looks: Option<Instant>,
    is_dead: bool,
    sleeps_until: Instant,
    slept: Duration,
    done: Option<Instant>,
}

impl Node {
    /// When its own gap allows another request.
    fn spaced(&self, case: &Case, local: Instant) -> Instant {
        let late = Duration::from_millis(case.late);
        self.last_sent.map_or(local, |last| local.max(last + case.gap + late))
    }
}

struct Asked {
    sent: Instant,
    arrives: Instant,
    now: Moment,
    ask: Ask,
    answer: Option<(Instant, Granted, Timestamp)>,
}

struct World {
    case: Case,
    rng: u64,
    start: Instant,
    share: SiteShare,
    nodes: Vec<Node>,
    /// Who sent a request, when it was sent and when it ended.
    sent: Vec<(usize, Instant, Instant)>,
    asks: usize,
    /// Requests that were not sent, since their turn was over.
    missed: usize,
}

impl World {
    fn new(case: Case) -> Self {
        let start = Instant::now() + Duration::from_hours(1);
        let nodes = (0..case.nodes).map(|node| {
            let skew = MS * u32::try_from((case.seed >> node) % 7_000).unwrap();
            let mut clock = SharedClock::default();
            clock.hear(start + skew, truth(start, start), start + skew + MS);
            Node {
                id: node as u128 + 1,
                skew,
                clock,
                membership: Membership::default(),
                last_sent: None,
                handed: None,
                used: start + skew,
                told: None,
                left: case.pages,
                running: Vec::new(),
                asked: None,
                looks: Some(start + skew),
                is_dead: false,
                sleeps_until: start,
                slept: Duration::ZERO,
                done: None,
            }
        });
        let nodes = nodes.collect();
        let share = SiteShare::new(truth(start, start));
        Self { rng: case.seed | 1, share, nodes, sent: Vec::new(), asks: 0, missed: 0, start, case }
    }

    fn random(&mut self, below: u64) -> u64 {
        self.rng = self.rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.rng >> 33) % below.max(1)
    }

    fn way(&mut self) -> Duration {
        let way = self.case.way;
        Duration::from_micros(self.random(way * 1_000 + 1_000))
    }

    fn run(&mut self) {
        // Where turns and answers are lost, each costs as long as a lease: the more requests there are, the longer it takes.
        let case = &self.case;
        let pages = u64::try_from(case.nodes * case.pages / case.at_once).unwrap();
        let alone = pages * (case.latency + u64::try_from(case.gap.as_millis()).unwrap());
        let mut free_at = vec![0; self.nodes.len()];
        if (0..600_000 + 20 * alone).any(|step| self.tick(step, &mut free_at)) {
            return;
        }
        let left: Vec<usize> = self.nodes.iter().map(|node| node.left).collect();
        panic!("requests wait for ever: {left:?}");
    }

    /// One millisecond goes by; `free_at`: when each node has done its work. Whether all has been asked for.
    fn tick(&mut self, step: u64, free_at: &mut [u64]) -> bool {
        let now = self.start + MS * u32::try_from(step).unwrap();
        for trouble in self.case.trouble.clone() {
            if trouble.at == step && trouble.node < self.nodes.len() {
                let node = &mut self.nodes[trouble.node];
                match trouble.sleeps {
                    Some(sleeps) => {
                        node.sleeps_until = now + Duration::from_millis(sleeps);
                        node.slept = node.slept.max(Duration::from_millis(sleeps));
                    }
                    None => node.is_dead = true,
                }
            }
        }
        if self.case.crash == Some(step) {
            self.share = SiteShare::new(truth(self.start, now) + PROMISED);
        }
        for (node, free_at) in free_at.iter_mut().enumerate() {
            self.store(node, now);
            if !self.nodes[node].is_dead && self.nodes[node].sleeps_until <= now {
                let sent = self.sent.len();
                self.step(node, now, *free_at <= step);
                if self.sent.len() > sent {
                    *free_at = step + self.case.work;
                }
            }
        }
        self.nodes.iter().all(|node| node.is_dead || node.left == 0 && node.running.is_empty())
    }

    /// The question arrives, also when its sender has died.
    fn store(&mut self, at: usize, now: Instant) {
        let (way, lost) = (self.way(), self.random(100) < self.case.lost);
        let node = &mut self.nodes[at];
        let Some(asked) = &mut node.asked else { return };
        if asked.answer.is_none() && asked.arrives <= now {
            let granted = self.share.ask(node.id, asked.now, &asked.ask);
            let comes = if lost { now + Duration::from_hours(1) } else { now + way };
            let has_news = granted.has_news;
            asked.answer = Some((comes, granted, truth(self.start, now)));
            if has_news && !lost {
                let others = self.nodes.iter_mut().enumerate().filter(|(other, _)| *other != at);
                others.for_each(|(_, node)| node.told = Some(now + way));
            }
        }
    }

    fn step(&mut self, at: usize, now: Instant, is_free: bool) {
        let (way, case) = (self.way(), self.case.clone());
        let (handing, writing) =
            (self.random(case.handing + 1), Duration::from_micros(self.random(case.handing.min(1) * 1_000)));
        let node = &mut self.nodes[at];
        let local = now + node.skew;
        let before = node.running.len();
        node.running.retain(|ends| *ends > now);
        if node.left + before > 0 {
            node.used = local;
        }
        let mut happened = node.running.len() != before;
        if node.told.take_if(|told| *told <= now).is_some() {
            node.membership.has_news();
            happened = true;
        }
        if let Some(asked) = node.asked.take() {
            match &asked.answer {
                Some((comes, granted, shown)) if *comes <= now => {
                    node.clock.hear(asked.sent, *shown, local);
                    let leaves = asked.ask.wanted + asked.ask.running == 0;
                    node.membership.takes(granted, &node.clock, leaves, local);
                    happened = true;
                }
                _ if asked.sent + REPLY_TIMEOUT < local => {
                    node.membership.fails(local);
                    happened = true;
                }
                _ => node.asked = Some(asked),
            }
        }
        loop {
            if let Some((_, latest)) = node.handed.filter(|(begun, _)| *begun <= local) {
                node.handed = None;
                happened = true;
                if local <= latest {
                    let ends = now + writing + Duration::from_millis(case.latency);
                    node.left -= 1;
                    node.last_sent = Some(local + writing);
                    node.running.push(ends);
                    self.sent.push((at, now + writing, ends));
                    if node.left == 0 {
                        node.done = Some(now);
                    }
                } else {
                    self.missed += 1;
                }
            }
            let may_start = is_free && node.left > 0 && node.handed.is_none();
            if !may_start || !node.membership.has_place(node.running.len(), local) {
                break;
            }
            let spaced = node.spaced(&case, local);
            if node.membership.first(spaced, case.gap) != Some(local) {
                break;
            }
            let latest = node.membership.latest(local, case.gap).unwrap();
            node.handed = Some((local + Duration::from_millis(handing), latest));
        }
        let handed = usize::from(node.handed.is_some());
        let (wanted, running) = (node.left - handed, node.running.len() + handed);
        let next = node.spaced(&case, local);
        if happened || node.looks.is_some_and(|looks| looks <= local) {
            node.looks = node.membership.ask_at(local, wanted, running, case.gap, node.used, next);
        }
        if handed == 0 && node.looks.is_some_and(|due| due <= local) {
            let ask = case.ask(wanted, running);
            let ask = node.membership.asks(ask, next, local);
            let asked = node.clock.at(local).unwrap();
            node.asked = Some(Asked { sent: local, arrives: now + way, now: asked, ask, answer: None });
            self.asks += 1;
        }
    }

    /// Requests that run at one moment, but for those of nodes that were silent for so long that they count as dead.
    fn most_at_once(&self) -> usize {
        let counted =
            |node: &usize| !self.nodes[*node].is_dead && self.nodes[*node].slept + REPLY_TIMEOUT < LEASE;
        let of_living: Vec<_> = self.sent.iter().filter(|(node, ..)| counted(node)).collect();
        let at_once =
            |at: Instant| of_living.iter().filter(|(_, from, until)| *from <= at && at < *until).count();
        of_living.iter().map(|(_, from, _)| at_once(*from)).max().unwrap_or(0)
    }
}

fn truth(start: Instant, at: Instant) -> Timestamp {
    Timestamp::UNIX_EPOCH + Duration::from_hours(24) + (at - start)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_rules_hold_in_every_trouble(case in cases()) {
        let mut world = World::new(case.clone());
        world.run();
        for pair in world.sent.windows(2) {
            prop_assert!(pair[1].1 - pair[0].1 >= case.gap, "{:?} apart", pair[1].1 - pair[0].1);
        }
        // What runs when the database crashes is known to nobody but its node.
        prop_assert!(case.crash.is_some() || world.most_at_once() <= case.at_once);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_gap_longer_than_any_promise_outlives_a_crash(case in cases(), crash in 0_u64..40_000) {
        let gap = MS * 11_000;
        let mut world = World::new(Case { gap, pages: 3, crash: Some(crash), trouble: Vec::new(), ..case });
        world.run();
        for pair in world.sent.windows(2) {
            prop_assert!(pair[1].1 - pair[0].1 >= gap, "{:?} apart", pair[1].1 - pair[0].1);
        }
    }
}

fn calm(nodes: usize, at_once: usize, gap: u64, latency: u64, late: u64) -> World {
    let gap = Duration::from_millis(gap);
    let case = Case {
        seed: 7,
        nodes,
        pages: 200,
        at_once,
        gap,
        latency,
        late,
        handing: 0,
        work: 0,
        way: 1,
        lost: 0,
        trouble: Vec::new(),
        crash: None,
    };
    let mut world = World::new(case);
    world.run();
    world
}

/// Requests a second, while all want some, of nodes that all ask all of twelve sites and run so many requests at once.
fn among_twelve_sites(nodes: usize, latency: u64, work: u64, permits: usize) -> f64 {
    let case = Case { pages: 100, work, ..calm(nodes, 4, 50, latency, 0).case };
    let mut sites: Vec<World> = (0..12).map(|seed| World::new(Case { seed, ..case.clone() })).collect();
    let mut free_at = vec![0; nodes];
    let mut step = 0;
    loop {
        let mut is_done = false;
        for at in 0..sites.len() {
            for (node, free_at) in free_at.iter_mut().enumerate() {
                let running: usize = sites.iter().map(|site| site.nodes[node].running.len()).sum();
                *free_at = if running < permits { *free_at } else { step + 1 };
            }
            is_done |= sites[at].tick(step, &mut free_at);
        }
        if is_done {
            break;
        }
        // Or the first site would have all of a node.
        sites.rotate_left(1);
        step += 1;
    }
    let sent: usize = sites.iter().map(|site| site.sent.len()).sum();
    f64::from(u32::try_from(sent).unwrap()) * 1_000.0 / f64::from(u32::try_from(step).unwrap())
}

#[test]
fn three_nodes_do_what_three_can_where_there_are_many_sites() {
    for (latency, work, permits, least) in [(5, 40, usize::MAX, 2.5), (400, 0, 8, 2.65)] {
        let rate = |nodes| among_twelve_sites(nodes, latency, work, permits);
        let (one, three) = (rate(1), rate(3));
        assert!(three >= least * one, "{latency} ms: {one:.1} and {three:.1} requests a second");
    }
}

impl World {
    /// Requests a second while all nodes want some.
    fn throughput(&self) -> f64 {
        let until = self.nodes.iter().filter_map(|node| node.done).min().unwrap();
        let sent = self.sent.iter().filter(|(_, at, _)| *at <= until).count();
        f64::from(u32::try_from(sent).unwrap()) / (until - self.sent[0].1).as_secs_f64()
    }
}

#[test]
fn several_nodes_are_as_fast_as_one_and_equally_served() {
    // A site that is slow enough to need every place all the time is asked by short turns, which cost more slack.
    for (gap, latency, late, least) in [
        (50, 5, 0, 0.95),
        (50, 5, 3, 0.95),
        (100, 5, 0, 0.95),
        (100, 5, 3, 0.95),
        (500, 5, 3, 0.95),
        (50, 180, 0, 0.75),
        (100, 300, 0, 0.75),
        // One that has time to spare leaves the nodes more of it.
        (50, 250, 0, 0.85),
        (50, 400, 0, 0.85),
    ] {
        let (one, three) = (calm(1, 4, gap, latency, late), calm(3, 4, gap, latency, late));
        let share = three.throughput() / one.throughput();
        assert!(share >= least, "gap {gap}, latency {latency}, late {late}: {share:.3}");
        let ends: Vec<_> = three.nodes.iter().map(|node| node.done.unwrap() - three.start).collect();
        assert!(*ends.iter().min().unwrap() > *ends.iter().max().unwrap() / 2, "{ends:?}");
    }
}

#[test]
fn a_site_that_takes_longer_than_any_promise_is_asked_all_the_same() {
    World::new(Case { pages: 4, latency: 40_000, ..calm(3, 4, 50, 5, 0).case }).run();
}

/// A full machine hands out in time and comes to it later.
#[test]
fn a_request_whose_turn_is_over_when_it_is_begun_is_not_sent() {
    let mut world = World::new(Case { handing: 15, ..calm(3, 4, 50, 5, 0).case });
    world.run();
    let gaps = world.sent.windows(2).map(|pair| pair[1].1 - pair[0].1);
    assert!(world.missed > 0 && gaps.min().unwrap() >= 50 * MS);
}

#[test]
fn one_node_alone_loses_nothing_and_asks_seldom() {
    let world = calm(1, 4, 50, 5, 0);
    let took = world.sent.last().unwrap().1 - world.sent[0].1;
    assert!(took <= 50 * MS * 201, "{took:?}");
    assert!(world.asks * 100 <= world.sent.len(), "{} asks", world.asks);
    // On a machine that is far too busy, too, no more is asked for than may be promised.
    for (gap, late) in [(5, 20), (50, 50), (100, 100), (500, 200)] {
        calm(1, 4, gap, 5, late);
    }
    // Nor beside a database that is so slow that the clock may be wrong by a second, or with a gap that is longer than any promise.
    for (gap, way) in [(50, 900), (500, 900), (600_000, 1)] {
        let gap = Duration::from_millis(gap);
        World::new(Case { gap, way, pages: 20, ..calm(1, 4, 50, 5, 0).case }).run();
    }
}

/// A window's end that has room for no request is no reason to wait.
#[test]
fn the_last_requests_of_a_crawl_wait_for_nothing() {
    for (nodes, pages) in (1..4).flat_map(|nodes| (90..110).map(move |pages| (nodes, pages))) {
        let mut world = World::new(Case { pages, ..calm(nodes, 4, 100, 5, 1).case });
        world.run();
        let longest = world.sent.windows(2).map(|pair| pair[1].1 - pair[0].1).max().unwrap();
        assert!(longest < 400 * MS, "{nodes} nodes, {pages} pages: {longest:?}");
    }
}

#[test]
fn a_newcomer_waits_for_no_more_than_a_block_of_who_was_alone() {
    for (gap, pages) in [(50, 400), (100, 200), (500, 40)] {
        let late = Trouble { node: 1, at: 0, sleeps: Some(5_000) };
        let mut world = World::new(Case { trouble: vec![late], pages, ..calm(2, 4, gap, 5, 1).case });
        world.run();
        let first = world.sent.iter().find(|(node, ..)| *node == 1).unwrap().1 - world.start;
        assert!(first < 5_000 * MS + BLOCK + 600 * MS, "{gap} ms: {first:?}");
    }
}

#[test]
fn a_refusal_is_news_once_however_many_nodes_know_of_it() {
    let moment = |at: u64| {
        let at = Timestamp::UNIX_EPOCH + Duration::from_millis(100_000 + at);
        Moment { earliest: at, latest: at + MS }
    };
    let mut share = SiteShare::new(Timestamp::UNIX_EPOCH);
    let ask = calm(1, 4, 50, 5, 0).case.ask(2, 0);
    let refused = |left: u64| Ask { closed_for: MS * u32::try_from(left).unwrap(), ..ask };
    let mut has_news = |node, at, ask: &Ask| share.ask(node, moment(at), ask).has_news;
    assert!(!has_news(1, 0, &ask), "there is nobody to tell");
    assert!(has_news(2, 10, &ask), "it was another's alone");
    assert!(has_news(3, 20, &ask), "all places are another's");
    assert!(!has_news(1, 30, &ask) && !has_news(3, 30, &ask));
    assert!(has_news(1, 40, &refused(5_000)));
    assert!(!has_news(2, 60, &refused(4_985)) && !has_news(1, 900, &refused(4_140)));
    assert!(has_news(2, 1_000, &refused(6_000)), "another refusal");
}

#[test]
fn what_refusals_taught_is_forgiven_bit_by_bit_whoever_asks() {
    let moment = |second: u64| {
        let at = Timestamp::UNIX_EPOCH + Duration::from_secs(100_000 + second);
        Moment { earliest: at, latest: at + MS }
    };
    let mut share = SiteShare::new(Timestamp::UNIX_EPOCH);
    let ask = calm(1, 4, 50, 5, 0).case.ask(2, 0);
    share.ask(1, moment(0), &Ask { learned_gap: MS * 400, ..ask });
    let gaps: Vec<Duration> =
        (1..1_500).step_by(5).map(|second| share.ask(2, moment(second), &ask).gap).collect();
    assert_eq!(gaps[50], MS * 400, "four calm minutes are no proof");
    assert!(gaps.is_sorted_by(|a, b| a >= b) && gaps.contains(&(MS * 100)), "{gaps:?}");
    assert_eq!(gaps.last(), Some(&(MS * 50)));
}

#[test]
fn places_go_round_where_there_are_more_nodes_than_places() {
    for (nodes, at_once) in [(3, 1), (5, 4), (7, 4)] {
        let world = calm(nodes, at_once, 50, 20, 0);
        let ends: Vec<_> = world.nodes.iter().map(|node| node.done.unwrap() - world.start).collect();
        assert!(*ends.iter().min().unwrap() > *ends.iter().max().unwrap() / 2, "{ends:?}");
    }
}
