//! What we render goes through the format's real reference parser, and our restatement of its rules is held
//! against it.
//!
//! `WAYFILE_REFERENCE_PYTHON` names a Python that has `llms-txt` 0.0.7 (else `python3` is tried). Where there is
//! none the test says so and passes, unless `WAYFILE_TESTS_REQUIRE` is set.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use wayfile_core::llms_txt::document::{Document, Link, Passage, Section};
use wayfile_core::llms_txt::inline::{Destination, Name, Text};
use wayfile_core::llms_txt::reference::readable;

const SCRIPT: &str = "
import json, sys
from llms_txt import parse_llms_file
def read(text):
    try:
        parsed = parse_llms_file(text.replace('\\r\\n', '\\n').replace('\\r', '\\n'))
        return [[name, len(links)] for name, links in parsed.sections.items()]
    except Exception:
        return None
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
";

/// What the reference parser makes of each text: its sections with their number of links, `None` if it fails.
type Verdict = Option<Vec<(String, usize)>>;

fn ask_reference(texts: &[String]) -> io::Result<Option<Vec<Verdict>>> {
    let python = std::env::var("WAYFILE_REFERENCE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_package = Command::new(&python).args(["-c", "import llms_txt"]).stderr(Stdio::null()).status();
    if !has_package.is_ok_and(|status| status.success()) {
        assert!(std::env::var_os("WAYFILE_TESTS_REQUIRE").is_none(), "{python} has no package llms-txt");
        eprintln!("skipped: {python} has no package llms-txt (set WAYFILE_REFERENCE_PYTHON)");
        return Ok(None);
    }
    let mut command = Command::new(python);
    let mut child = command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    // The script reads all before it writes, and dropping the handle ends its input.
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(&serde_json::to_vec(texts)?)?;
    }
    Ok(Some(serde_json::from_slice(&child.wait_with_output()?.stdout)?))
}

fn pieces(marks: &'static [&'static str], count: usize) -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => prop::sample::select(marks).prop_map(str::to_owned), 1 => "\\PC{0,3}"];
    prop::collection::vec(piece, 0..count).prop_map(|pieces| pieces.concat())
}

const HOSTILE: &[&str] = &[
    "\n## ",
    "\r# ",
    "](",
    "[",
    "]",
    ")",
    "(",
    "`",
    "<b>",
    "> ",
    "- [a](b): c",
    "\\",
    "**",
    "\u{2028}",
    "\u{85}",
    "\u{a0}",
    "\u{1c}",
    "\u{feff}",
    "##",
    "word",
    " ",
];

const FILE: &[&str] = &[
    "# T\n",
    "\n",
    "\n\n",
    "> s\n",
    ">",
    "#",
    "##",
    "## S\n",
    "### D\n",
    "- [a](b): c\n",
    "- [a](b)\n",
    "-\u{a0}[a](b)\n",
    "- [a[b](c)\n",
    "- [a]()\n",
    "-[](b)\n",
    "* [a](b)\n",
    "text\n",
    "text - [a](b)\n",
    "-",
    "[",
    "]",
    "](",
    ")",
    " ",
    "\r\n",
    "\r",
    "\u{1c}",
    "\u{85}\n",
    "\u{feff}",
];

fn samples<T>(strategy: &impl Strategy<Value = T>, count: usize) -> Vec<T> {
    let mut runner = TestRunner::deterministic();
    (0..count).filter_map(|_| Some(strategy.new_tree(&mut runner).ok()?.current())).collect()
}

fn document(parts: &[String]) -> Option<Document> {
    let name = |at: usize| Name::clean(&parts[at]).unwrap_or_else(Name::untitled);
    let text = |at: usize| Text::clean(&parts[at]).unwrap_or_else(Text::nothing);
    let url = Destination::clean(&format!("/{}", parts[0]))?;
    let link = |at| Link { name: name(at), url: url.clone(), notes: Some(text(at + 1)) };
    // The reference parser keeps one of two sections with the same name.
    let second = Name::clean(&format!("{} second", name(6).as_str()))?;
    Some(Document {
        title: name(0),
        summary: text(1),
        info: Text::clean(&parts[2]).into_iter().collect(),
        instructions: Passage::read(&parts[3]),
        sections: vec![
            Section { name: name(6), links: vec![link(4), link(5)] },
            Section { name: second, links: vec![link(7)] },
        ],
    })
}

#[test]
fn the_reference_parser_reads_what_we_render() {
    let documents: Vec<_> = samples(&prop::collection::vec(pieces(HOSTILE, 8), 9), 2_000)
        .iter()
        .filter_map(|parts| document(parts))
        .collect();
    let texts: Vec<_> = documents.iter().map(Document::render).collect();
    let Some(verdicts) = ask_reference(&texts).unwrap() else { return };
    for ((document, text), verdict) in documents.iter().zip(&texts).zip(verdicts) {
        let sections: Vec<_> = document.sections.iter().map(|s| (s.name.markdown(), s.links.len())).collect();
        assert_eq!(verdict, Some(sections), "{text}");
    }
}

#[test]
fn our_restatement_of_its_rules_gives_the_same_verdicts() {
    let start = prop::sample::select(vec!["", "# T\n\ntext\n## S\n", "# T\n"]);
    let text = (start, pieces(FILE, 10)).prop_map(|(start, rest)| format!("{start}{rest}"));
    let texts = samples(&text, 20_000);
    let Some(verdicts) = ask_reference(&texts).unwrap() else { return };
    for (text, verdict) in texts.iter().zip(&verdicts) {
        assert_eq!(readable(text).is_ok(), verdict.is_some(), "{text:?}");
    }
    let read = verdicts.iter().flatten().count();
    assert!(read * 20 > texts.len() && read < texts.len(), "{read} of {} were read", texts.len());
}
