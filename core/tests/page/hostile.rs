//! Pages made to hurt. That the work grows with their length and no faster is counted in `growth`.

use super::support::page;

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
fn a_long_header_stands_once_however_many_columns_it_spans() {
    let long = "word ".repeat(10_000);
    let table = |head: &str| format!("<p>text<table><tr><th colspan=64>{head}<tr><td>a<td>b</table>");
    assert!(page(&table(&long)).markdown.len() < 2 * long.len());
    assert_eq!(page(&table("Both")).markdown.matches("Both").count(), 64);
}

#[test]
fn the_stack_does_not_grow_with_a_page() {
    // Recursion by depth would use it up.
    let read = || {
        for (name, size, made) in ATTACKS {
            assert!(page(&made(4 * size)).next.is_none(), "{name}");
        }
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(read).unwrap().join().unwrap();
}
