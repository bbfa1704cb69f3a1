//! Runs the readers under callgrind and compares what they cost.

use std::collections::HashMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::patterns::Pattern;
use super::readers::{READERS, Reader};
use super::slots::{SLOTS, name_of, run_in};

/// What twice the input may cost.
const GROWTH_MAX: f64 = 2.5;
/// Texts of one pattern that are counted: `n` bytes and `2n`.
const TEXTS: usize = 2;
/// Patterns of one run.
const PATTERNS: usize = SLOTS / TEXTS;
/// Says to the child which reader and which patterns are its own.
const CHILD: &str = "WAYFILE_GROWTH_CHILD";
/// Names readers that are tried with all there is.
const FILTER: &str = "WAYFILE_GROWTH";

/// A reader at one size with some of its patterns.
#[derive(Clone, Copy)]
struct Batch {
    reader: usize,
    size: usize,
    from: usize,
    is_all: bool,
}

impl Batch {
    fn reader(self) -> &'static Reader {
        &READERS[self.reader]
    }

    fn patterns(self) -> Vec<Pattern> {
        let patterns = self.reader().patterns(self.is_all);
        patterns.into_iter().skip(self.from).take(PATTERNS).collect()
    }

    fn lengths(self) -> [usize; TEXTS] {
        [self.size, 2 * self.size]
    }

    fn written(self) -> String {
        format!("{} {} {} {}", self.reader, self.size, self.from, u8::from(self.is_all))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split(' ').map(|number| number.parse().ok());
        let mut next = || numbers.next().flatten();
        Some(Self { reader: next()?, size: next()?, from: next()?, is_all: next()? == 1 })
    }
}

fn batches() -> Vec<Batch> {
    let filter = std::env::var(FILTER).ok();
    let mut batches = Vec::new();
    for (reader, is) in READERS.iter().enumerate() {
        if filter.as_ref().is_some_and(|filter| !is.name.contains(filter.as_str())) {
            continue;
        }
        let is_all = filter.is_some();
        for &size in is.sizes {
            let count = is.patterns(is_all).len();
            batches.extend((0..count).step_by(PATTERNS).map(|from| Batch { reader, size, from, is_all }));
        }
    }
    batches
}

/// Bytes that an allocator looks for among all that is free: what earlier texts left it to tidy up is tidy then.
const LARGE: usize = 64 << 10;

/// What the child does: nothing in an ordinary run.
#[test]
fn one_batch() {
    let Some(batch) = std::env::var(CHILD).ok().and_then(|text| Batch::parse(&text)) else { return };
    for (at, pattern) in batch.patterns().iter().enumerate() {
        // What is made once and kept is no work of the first text.
        (batch.reader().read)(&pattern.text(64));
        for (which, bytes) in batch.lengths().into_iter().enumerate() {
            let text = pattern.text(bytes);
            drop(black_box(Vec::<u8>::with_capacity(LARGE)));
            run_in(at * TEXTS + which, &|| (batch.reader().read)(&text));
        }
    }
}

#[test]
#[ignore = "takes minutes, with optimisation: a step of .ci/run"]
fn twice_the_input_takes_no_more_than_twice_the_work() {
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        assert!(std::env::var_os("WAYFILE_TESTS_REQUIRE").is_none(), "valgrind is not installed");
        eprintln!("skipped: valgrind is not installed");
        return;
    }
    let batches = batches();
    let next = AtomicUsize::new(0);
    let offenders = Mutex::new(Vec::new());
    let work = || {
        while let Some(&batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = offenders_of(batch);
            offenders.lock().unwrap().extend(found);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from).min(batches.len()) {
            scope.spawn(work);
        }
    });
    let mut offenders = offenders.into_inner().unwrap();
    offenders.sort_by(|a, b| b.0.total_cmp(&a.0));
    let lines: Vec<_> = offenders.iter().map(|(growth, line)| format!("x {growth:.2}: {line}\n")).collect();
    assert!(lines.is_empty(), "twice the input, more than {GROWTH_MAX} times the work:\n{}", lines.concat());
}

fn offenders_of(batch: Batch) -> Vec<(f64, String)> {
    let costs = costs(batch);
    let name = batch.reader().name;
    let mut found = Vec::new();
    for (at, pattern) in batch.patterns().iter().enumerate() {
        let cost = |which| {
            let slot = name_of(at * TEXTS + which);
            *costs.get(slot).unwrap_or_else(|| panic!("{name}, {}: nothing was counted", pattern.name))
        };
        let (once, twice) = (cost(0), cost(1));
        let bytes = batch.size as u64;
        #[expect(clippy::cast_precision_loss, reason = "a ratio")]
        let growth = twice as f64 / once as f64;
        if growth > GROWTH_MAX {
            let each = (once / bytes, twice / (2 * bytes));
            found.push((growth, format!("{name}, {bytes} bytes of {}: {each:?} a byte", pattern.name)));
        }
    }
    found
}

/// Instructions by slot, with all that was called from it.
fn costs(batch: Batch) -> HashMap<String, u64> {
    let place = format!("growth-{}-{}", std::process::id(), batch.written().replace(' ', "-"));
    let out: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(place);
    let child = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "growth::measure::one_batch", "--test-threads=1"])
        .env(CHILD, batch.written())
        .output()
        .unwrap();
    let name = batch.reader().name;
    assert!(child.status.success(), "{name}: {}", String::from_utf8_lossy(&child.stderr));
    let profile = std::fs::read_to_string(&out).unwrap();
    std::fs::remove_file(&out).unwrap();
    inclusive(&profile)
}

/// The cost of each call of a slot, in callgrind's own format: `cfn=(id) name`, `calls=...`, and a line that ends with
/// the cost. A name stands only where its id is new.
fn inclusive(profile: &str) -> HashMap<String, u64> {
    let slots = format!("{}::r", name_of(0).rsplit_once("::r").unwrap().0);
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut costs = HashMap::new();
    let mut lines = profile.lines();
    while let Some(line) = lines.next() {
        let Some(function) = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn=")) else { continue };
        let (id, name) = function.split_once(' ').unwrap_or((function, ""));
        if name.contains(&slots) {
            names.insert(id, name);
        }
        let Some(name) = names.get(id).filter(|_| line.starts_with('c')) else { continue };
        let cost = lines.by_ref().find(|line| !line.starts_with("calls=")).unwrap_or_default();
        let cost: u64 = cost.rsplit(' ').next().and_then(|cost| cost.parse().ok()).unwrap_or_default();
        let depth = slots.split("::").count() + 1;
        let name = name.find(&slots).and_then(|start| name.get(start..)).unwrap_or_default();
        let name: Vec<_> = name.split("::").take(depth).collect();
        *costs.entry(name.join("::")).or_default() += cost;
    }
    costs
}
