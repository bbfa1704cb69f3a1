//! Real `llms.txt` files: none fails to parse, and where the format's reference parser reads one, we agree.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Deserialize;
use wayfile_core::llms_txt::blocks::BlockKind;
use wayfile_core::llms_txt::parse::{Parsed, parse};
use wayfile_core::llms_txt::reference::readable;

/// No file of the corpus takes longer, least of five runs.
const SLOWEST: Duration = Duration::from_millis(50);

#[derive(Deserialize)]
struct Expected {
    title: String,
    sections: BTreeMap<String, Vec<ExpectedLink>>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct ExpectedLink {
    title: String,
    url: String,
    desc: Option<String>,
}

#[test]
#[ignore = "needs WAYFILE_CORPUS"]
fn llms_txt() {
    match run(&super::folder::path()) {
        None => println!("llms-txt: not in the folder, skipped"),
        Some(result) => result.unwrap(),
    }
}

/// Reads `llms-txt.tsv`, `llms-txt.parsed.json` and the folder `llms-txt`; `None` where the corpus lacks them.
/// Prints what was measured; the error names every file that we read otherwise than the reference parser.
fn run(corpus: &Path) -> Option<Result<(), String>> {
    let table = fs::read_to_string(corpus.join("llms-txt.tsv")).ok()?;
    let expected = fs::read_to_string(corpus.join("llms-txt.parsed.json")).ok()?;
    let expected: BTreeMap<String, Expected> = match serde_json::from_str(&expected) {
        Ok(expected) => expected,
        Err(error) => return Some(Err(format!("llms-txt.parsed.json: {error}"))),
    };
    let mut faults = Vec::new();
    let mut slowest = (Duration::ZERO, String::new());
    let (mut files, mut agreed) = (0, 0);
    for row in table.lines().skip(1) {
        let mut columns = row.split('\t');
        let (Some(name), Some(verdict)) = (columns.next(), columns.nth(1)) else { continue };
        let Ok(bytes) = fs::read(corpus.join("llms-txt").join(name)) else {
            faults.push(format!("{name}: not there"));
            continue;
        };
        files += 1;
        let text = String::from_utf8_lossy(&bytes);
        let took = (0..5).map(|_| {
            let start = Instant::now();
            std::hint::black_box(parse(std::hint::black_box(&text)));
            start.elapsed()
        });
        slowest = slowest.max((took.min().unwrap_or_default(), name.to_owned()));
        match readable(&text) {
            Ok(()) if verdict != "ok" => faults.push(format!("{name}: we call it readable, it is not")),
            Err(why) if verdict == "ok" => faults.push(format!("{name}: we call it unreadable: {why}")),
            _ => {}
        }
        if let Some(expected) = expected.get(name) {
            agreed += 1;
            faults.extend(differences(&parse(&text), expected).map(|fault| format!("{name}: {fault}")));
        }
    }
    println!(
        "llms-txt: {files} files, {agreed} compared with the reference parser, {} faults; slowest {:?} {}",
        faults.len(),
        slowest.0,
        slowest.1
    );
    if slowest.0 > SLOWEST {
        faults.push(format!("{}: takes {:?}", slowest.1, slowest.0));
    }
    if files == 0 {
        faults.push("llms-txt.tsv names no file".to_owned());
    }
    Some(if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) })
}

fn differences(ours: &Parsed<'_>, expected: &Expected) -> Option<String> {
    let title = ours.title.map_or("", |title| title.text);
    // Without a blank line below it the reference parser runs the title on over the following lines.
    let expected_title = expected.title.lines().next().unwrap_or_default();
    if title != expected_title.trim().trim_end_matches('#').trim_end() {
        return Some(format!("title {title:?}, expected {expected_title:?}"));
    }
    let ours = sections(ours);
    let theirs: BTreeMap<String, &[ExpectedLink]> =
        expected.sections.iter().map(|(name, links)| (name.trim().to_owned(), links.as_slice())).collect();
    if !ours.keys().eq(theirs.keys()) {
        return Some(format!("sections {:?}, expected {:?}", ours.keys(), theirs.keys()));
    }
    ours.iter().zip(theirs.values()).find_map(|((name, ours), theirs)| {
        let same =
            ours.len() == theirs.len() && ours.iter().zip(*theirs).all(|(ours, theirs)| agree(ours, theirs));
        (!same).then(|| format!("section {name:?}: {ours:?}, expected {theirs:?}"))
    })
}

/// The reference parser splits at headings of every level below the first and keeps the surplus hashes in the
/// name; of sections with the same name it keeps the last.
fn sections(parsed: &Parsed<'_>) -> BTreeMap<String, Vec<ExpectedLink>> {
    let mut sections: BTreeMap<String, Vec<ExpectedLink>> = BTreeMap::new();
    let preamble =
        parsed.preamble.iter().skip_while(|b| !matches!(b.kind, BlockKind::Heading { level: 3.., .. }));
    let rest =
        parsed.sections.iter().flat_map(|section| std::iter::once(&section.heading).chain(&section.blocks));
    let mut current = String::new();
    for block in preamble.chain(rest) {
        if let BlockKind::Heading { level, .. } = block.kind {
            let surplus = "#".repeat(level.saturating_sub(2));
            current = [surplus.as_str(), block.text].join(" ").trim().into();
            sections.insert(current.clone(), Vec::new());
        } else if let Some(link) = block.link() {
            let notes = link.notes().1;
            sections.entry(current.clone()).or_default().push(ExpectedLink {
                title: link.name.to_owned(),
                url: link.url.to_owned(),
                desc: (!notes.is_empty()).then(|| notes.to_owned()),
            });
        }
    }
    sections
}

/// The reference parser cuts an address at its first `)`, keeps a quoted title in it, and sees notes only
/// behind a colon that follows at once.
fn agree(ours: &ExpectedLink, theirs: &ExpectedLink) -> bool {
    let cut = ours.url.split(')').next().unwrap_or_default();
    let url = theirs.url.split([' ', '\t']).next().unwrap_or_default();
    let whole =
        theirs.url == ours.url || cut == theirs.url || (theirs.url.contains(['"', '\'']) && url == ours.url);
    let notes = match &theirs.desc {
        Some(desc) => desc.trim() == ours.desc.as_deref().unwrap_or_default(),
        None => true,
    };
    ours.title == theirs.title && whole && notes
}
