//! Pages made to hurt: time grows with their length and no faster, and the stack does not grow at all.

use std::time::{Duration, Instant};

use super::support::page;

/// Runs of which the fastest counts: it is the one that nothing else on the machine has slowed down.
const RUNS: usize = 4;
/// Four times the page may take this many times as long. Twice the fair share leaves room for caches that no
/// longer hold it; what is quadratic takes 16 times.
const MAX_RATIO: f64 = 9.0;

/// A page of `size` parts that attacks one weakness.
type Attack = (&'static str, usize, fn(usize) -> String);

const ATTACKS: [Attack; 17] = [
    ("lists in lists", 2_000, |n| "<ul><li>".repeat(n)),
    ("unclosed formatting", 2_500, |n| "<b><p>x".repeat(n)),
    ("unclosed tags", 4_000, |n| "<i><font><a href=x>".repeat(n / 3)),
    ("nested blocks", 8_000, |n| "<div>".repeat(n)),
    ("nested tables", 2_000, |n| "<table><tr><td>x".repeat(n)),
    ("attributes", 10_000, |n| {
        let classes: Vec<_> = (0..n).map(|i| format!("class=c{i}")).collect();
        format!("<p {}>x", classes.join(" "))
    }),
    ("text", 10_000, |n| "a word & another < third * _fourth_ [fifth](x) ".repeat(n / 4)),
    ("end tags", 4_000, |n| "</p></b></table>".repeat(n)),
    ("nested quotes", 2_000, |n| "<blockquote>x".repeat(n)),
    ("nested notes", 2_000, |n| "<div class='admonition note'>x".repeat(n)),
    ("footnotes", 1_000, |n| {
        let reference = |i| format!("<sup id=r{i}><a href=#n{i}>{i}</a></sup>");
        let note = |i| format!("<li id=n{i}>x <a href=#r{i}>b</a>");
        (0..n).map(reference).chain((0..n).map(note)).collect()
    }),
    ("references to one footnote", 2_000, |n| {
        format!("{}<p id=n>x", "<sup id=r><a class=footnote href=#n>1</a></sup>".repeat(n))
    }),
    ("lists of tabs", 2_000, |n| "<div><ul role=tablist><li role=tab>a</ul>".repeat(n)),
    ("radio buttons", 4_000, |n| format!("<div>{}", "<input type=radio><label>a</label><p>b</p>".repeat(n))),
    ("formulas", 2_000, |n| "<span class=math>x".repeat(n)),
    ("code spans side by side", 4_000, |n| format!("<p>{}", "<code>a</code>".repeat(n))),
    ("brackets", 5_000, |n| format!("<p>{}", "[".repeat(n) + &"](".repeat(n))),
];

#[test]
fn time_grows_with_the_length_of_a_page() {
    let run = || {
        let mut slow = Vec::new();
        for (name, size, attack) in ATTACKS {
            let (once, four_times) = (attack(size), attack(size * 4));
            let ratio = fastest(&four_times).as_secs_f64() / fastest(&once).as_secs_f64();
            if ratio > MAX_RATIO {
                slow.push(format!("{name}: {ratio:.1}"));
            }
        }
        assert!(slow.is_empty(), "{slow:?}");
    };
    // A stack that recursion by depth would use up.
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}

fn fastest(html: &str) -> Duration {
    (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(page(html));
            start.elapsed()
        })
        .min()
        .unwrap()
}
