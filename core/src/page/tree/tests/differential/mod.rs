//! The tree beside the one of html5ever, which follows the HTML standard to the letter.
//!
//! Ours leaves out what only browsers need: text between the rows of a table stays where it stands, formatting is
//! not opened again behind the block that it was closed in. What a reader of a page sees must be the same.

mod cases;
mod dom;
mod rival;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::page::tree::{NodeId, Tree};
use crate::page::vocabulary::{Name, Tag};

/// What two parsers have to agree on.
#[derive(Debug, Default, PartialEq, Eq)]
struct Facts {
    title: String,
    links: BTreeSet<String>,
    headings: Vec<(u8, String)>,
    /// All text that can be shown, without its white space.
    text: String,
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

fn ours(html: &str) -> Facts {
    let tree = Tree::of(html);
    let mut facts = Facts::default();
    let mut text = String::new();
    let mut node = 1;
    while node < tree.len() {
        let tag = tree.tag(node);
        let drawn = || tree.ancestors(node).any(|a| tree.tag(a) == Tag::Svg);
        if let Some(level) = tag.heading_level() {
            facts.headings.push((level, squeezed(&inside(&tree, node))));
        }
        match tag {
            Tag::Text => text.push_str(&tree.text(node)),
            Tag::A => facts.links.extend(tree.attribute(node, Name::Href).map(Cow::into_owned)),
            Tag::Title if !drawn() => {
                if facts.title.is_empty() {
                    facts.title = squeezed(&inside(&tree, node));
                }
                node = tree.node(node).end;
                continue;
            }
            Tag::Script | Tag::Style | Tag::Template => {
                node = tree.node(node).end;
                continue;
            }
            _ => {}
        }
        node += 1;
    }
    facts.text = squeezed(&text);
    facts
}

fn inside(tree: &Tree<'_>, node: NodeId) -> String {
    tree.descendants(node).filter(|&n| tree.tag(n) == Tag::Text).map(|n| tree.text(n)).collect()
}

fn theirs(html: &str) -> Facts {
    let mut facts = Facts::default();
    let mut text = String::new();
    // The last one is the next.
    let mut open = vec![dom::parse(html)];
    while let Some(node) = open.pop() {
        if let Some(level) = Tag::of(node.tag().as_bytes()).heading_level().filter(|_| node.is_html()) {
            facts.headings.push((level, squeezed(&node.inside())));
        }
        match node.tag() {
            "a" => facts.links.extend(node.attribute("href")),
            "title" if node.is_html() => {
                if facts.title.is_empty() {
                    facts.title = squeezed(&node.inside());
                }
                continue;
            }
            "script" | "style" | "template" => continue,
            _ => text.push_str(&node.text.borrow()),
        }
        open.extend(node.children.borrow().iter().rev().cloned());
    }
    facts.text = squeezed(&text);
    facts
}

#[test]
fn pages_say_the_same() {
    for (name, html) in [
        ("admonitions", include_str!("../../../../../tests/pages/admonitions.html")),
        ("constructs", include_str!("../../../../../tests/pages/constructs.html")),
        ("guide", include_str!("../../../../../tests/pages/guide.html")),
        ("reference", include_str!("../../../../../tests/pages/reference.html")),
        ("unclosed", include_str!("../../../../../tests/pages/unclosed.html")),
    ] {
        let ours = ours(html);
        assert_eq!(ours, theirs(html), "{name}");
        assert!(!ours.title.is_empty(), "{name}");
        assert!(!ours.links.is_empty() && !ours.headings.is_empty() && !ours.text.is_empty(), "{name}");
    }
}

/// The shared corpus: `WAYFILE_CORPUS=FOLDER cargo test -p wayfile-core --lib differential -- --ignored --nocapture`.
/// Every page below `extraction/` counts; a share of each fact is printed and has a lower bound, with that of `tl` beside it
/// and the time that each of the three parsers took for all pages (of an optimised build: `--profile growth`).
#[test]
#[ignore = "the pages are no part of the project: set WAYFILE_CORPUS"]
fn pages_of_the_corpus_say_the_same() {
    let folder = std::env::var_os("WAYFILE_CORPUS").expect("WAYFILE_CORPUS names the folder of the cases");
    let mut folders = vec![std::path::PathBuf::from(folder).join("extraction")];
    let (mut pages, mut agreed, mut rivals) = (0_u32, [0_u32; 4], [0_u32; 4]);
    let mut times = [Duration::ZERO; 3];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "html") {
                let html = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
                let parsers: [fn(&str); 3] = [
                    |html| drop(std::hint::black_box(Tree::of(html))),
                    |html| drop(std::hint::black_box(tl::parse(html, tl::ParserOptions::default()))),
                    |html| drop(std::hint::black_box(dom::parse(html))),
                ];
                for (parse, time) in parsers.iter().zip(&mut times) {
                    let start = Instant::now();
                    parse(&html);
                    *time += start.elapsed();
                }
                let (ours, theirs, rival) = (ours(&html), theirs(&html), rival::facts(&html));
                let alike = |facts: &Facts| {
                    [
                        facts.title == theirs.title,
                        facts.links == theirs.links,
                        facts.headings == theirs.headings,
                        facts.text == theirs.text,
                    ]
                };
                let same = alike(&ours);
                pages += 1;
                for (counts, same) in [(&mut agreed, same), (&mut rivals, alike(&rival))] {
                    counts.iter_mut().zip(same).for_each(|(count, same)| *count += u32::from(same));
                }
                if same.contains(&false) {
                    println!("{same:?} {}", path.display());
                }
            }
        }
    }
    assert!(pages > 0, "the folder holds no pages");
    let bounds = [0.99, 0.98, 0.98, 0.95];
    let facts = ["title", "links", "headings", "text"].iter().zip(agreed.iter().zip(rivals));
    for ((fact, (count, rival)), bound) in facts.zip(bounds) {
        let share = |count: u32| f64::from(count) / f64::from(pages);
        println!("{fact}: {:.4} of {pages} pages, tl {:.4}", share(*count), share(rival));
        assert!(share(*count) >= bound && *count >= rival, "{fact}");
    }
    println!("ours {:.2?}, tl {:.2?}, html5ever {:.2?}", times[0], times[1], times[2]);
}

/// The tree tests of html5lib: `WAYFILE_HTML5LIB=FOLDER cargo test -p wayfile-core --lib differential -- --ignored --nocapture`.
/// Each is a document of a few tags that some rule of the standard (section 13.2.6) was written down with; fragments are
/// left aside, since no page is one.
#[test]
#[ignore = "the tests are no part of the project: set WAYFILE_HTML5LIB"]
fn documents_of_html5lib_say_the_same() {
    let folder =
        std::env::var_os("WAYFILE_HTML5LIB").expect("WAYFILE_HTML5LIB names the folder of its .dat files");
    let (mut documents, mut agreed) = (0_u32, 0_u32);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(tests) = std::fs::read_to_string(&path) else { continue };
        for test in tests.split("#data\n").skip(1).filter(|test| !test.contains("\n#document-fragment")) {
            let html = test.split("\n#errors").next().unwrap_or_default();
            documents += 1;
            if ours(html) == theirs(html) {
                agreed += 1;
            } else {
                println!("{}: {html:?}", path.display());
            }
        }
    }
    let share = f64::from(agreed) / f64::from(documents);
    println!("{share:.4} of {documents} documents");
    assert!(documents > 1_000 && share >= 0.9);
}
