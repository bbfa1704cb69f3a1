//! Pass rates and times.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Runs of which the quickest counts: the others measure the machine.
const RUNS: usize = 5;

/// How the cases of one file fared.
pub(super) struct Report {
    file: &'static str,
    profiles: BTreeMap<String, Tally>,
    failures: Vec<String>,
    slowest: (Duration, String),
}

#[derive(Default)]
struct Tally {
    passed: usize,
    total: usize,
}

impl Report {
    pub(super) fn new(file: &'static str) -> Self {
        Self {
            file,
            profiles: BTreeMap::new(),
            failures: Vec::new(),
            slowest: (Duration::ZERO, String::new()),
        }
    }

    /// Runs a case and notes whether its answer is right and how long it took.
    pub(super) fn case<T: PartialEq + std::fmt::Debug>(
        &mut self,
        profile: &str,
        name: &str,
        expected: &T,
        run: impl Fn() -> T,
    ) {
        let mut least = Duration::MAX;
        let mut answers = Vec::with_capacity(RUNS);
        for _ in 0..RUNS {
            let start = Instant::now();
            let answer = run();
            least = least.min(start.elapsed());
            answers.push(answer);
        }
        if least > self.slowest.0 {
            self.slowest = (least, name.to_owned());
        }
        let tally = self.profiles.entry(profile.to_owned()).or_default();
        tally.total += 1;
        if answers.iter().all(|answer| answer == expected) {
            tally.passed += 1;
        } else {
            self.failures.push(format!("{profile} {name}: expected {expected:?}, got {:?}", answers[0]));
        }
    }

    /// Prints the figures and fails when a profile has fewer passes than its bound (in percent), or the slowest
    /// case took as long as `limit` or longer.
    pub(super) fn finish(&self, bounds: &[(&str, usize)], limit: Option<Duration>) {
        for failure in &self.failures {
            println!("  {failure}");
        }
        for (profile, Tally { passed, total }) in &self.profiles {
            println!("{}: {profile}: {passed} of {total}", self.file);
        }
        if self.profiles.is_empty() {
            return;
        }
        let (took, name) = &self.slowest;
        println!("{}: slowest: {took:?} ({name})", self.file);
        for (profile, Tally { passed, total }) in &self.profiles {
            let bound = bounds
                .iter()
                .find(|(bound, _)| bound == profile)
                .or(bounds.iter().find(|(any, _)| *any == "*"));
            let percent = bound.map_or(0, |(_, percent)| *percent);
            assert!(passed * 100 >= total * percent, "{}: {profile}: below {percent} %", self.file);
        }
        if let Some(limit) = limit {
            assert!(took < &limit, "{}: {name} took {took:?}, the limit is {limit:?}", self.file);
        }
    }
}
