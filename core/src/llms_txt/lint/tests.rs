//! Every check of the text passes on a good file and fails on what it is for.

use std::collections::{BTreeMap, HashSet};

use super::report::{Report, Status};
use super::rule::{Tier, score};
use super::source::Source;
use super::*;

const GOOD: &str = "# Tide\n\n> Tide keeps levels of harbours and tells when a gate has to open or close.\n\n\
    **Instructions for LLM Agents**\n\n- The full text: https://tide.dev/llms-full.txt\n- Ask the MCP server.\n\n\
    ## Docs\n\n- [Start](https://tide.dev/start.md): how to install the gauge\n\
    - [Query](https://tide.dev/query.md): how to ask for a level\n\n\
    ## Optional\n\n- [History](https://tide.dev/history.md): who built the first gauge\n";

fn each(numbers: std::ops::Range<usize>, write: impl Fn(usize) -> String) -> String {
    numbers.map(write).collect::<Vec<_>>().concat()
}

fn failing(text: &str) -> BTreeMap<&'static str, Option<usize>> {
    let linted = lint(&text.into(), None);
    linted.findings.iter().filter(|f| !f.pass).map(|f| (f.rule.id, f.line)).collect()
}

#[test]
fn a_good_file_passes_everything() {
    assert_eq!(failing(GOOD), BTreeMap::new());
    let report = Report::of_content(lint(&GOOD.into(), None), None);
    assert_eq!((report.score, report.readiness_score, report.status), (100, 100, Status::Valid));
    assert!(report.uses_instructions_pattern && report.has_llms_full);
}

#[test]
fn a_text_has_the_full_file_that_it_links_to() {
    let named = |text: &str| {
        let report = Report::of_content(lint(&text.into(), None), None);
        let linked = report.checks.iter().find(|check| check.rule.id == "llms-full-linked").unwrap();
        assert_eq!(linked.pass, report.has_llms_full, "{text}");
        report.has_llms_full
    };
    assert!(named("# T\n\n- [All](llms-full.txt)\n") && named("# T\n\nSee https://tide.dev/llms-full.txt\n"));
    assert!(!named("# T\n\nThere is no llms-full.txt yet.\n"));
    assert!(!named("# T\n\n- [All](https://tide.dev/my-llms-full.txt)\n"));
}

#[test]
fn every_check_fails_on_its_fault() {
    let replaced = |from: &str, to: &str| {
        assert!(GOOD.contains(from), "{from}");
        GOOD.replacen(from, to, 1)
    };
    let added = |text: &str| format!("{GOOD}{text}");
    let start = "[Start](https://tide.dev/start.md): how to install the gauge";
    for (id, line, text) in [
        ("valid-utf8", Some(3), replaced("Tide keeps", "T\u{fffd}de keeps")),
        ("valid-utf8", Some(3), replaced("Tide keeps", "T\0de keeps")),
        ("no-bom", Some(1), replaced("# Tide", "\u{feff}# Tide")),
        ("no-frontmatter", Some(1), replaced("# Tide", "---\na: b\n---\n# Tide")),
        ("h1-present", None, replaced("# Tide\n", "```\n# Tide\n```\n")),
        ("h1-first", Some(2), replaced("# Tide", "Welcome!\n# Tide")),
        ("single-h1", Some(10), replaced("## Docs", "# Docs")),
        ("title-not-url", Some(1), replaced("# Tide", "# https://tide.dev")),
        ("title-not-url", Some(1), replaced("# Tide", "# llms.txt")),
        ("summary-present", Some(1), replaced("> Tide", "Tide")),
        ("summary-first", Some(5), replaced("> Tide", "Hello.\n\n> Tide")),
        (
            "preamble-no-headings",
            Some(5),
            replaced("**Instructions for LLM Agents**", "### Instructions for AI"),
        ),
        ("sections-present", None, GOOD.replace("## ", "### ")),
        ("no-deep-headings", Some(12), replaced("- [Start]", "### First\n- [Start]")),
        ("sections-have-links", Some(19), added("\n## Contact\n\nBy post.\n")),
        ("link-syntax", Some(12), replaced(start, "Start here")),
        ("link-syntax", Some(12), replaced("start.md): how", "start.md) how")),
        ("links-present", None, "# Tide\n\n> Tide\n\n## Docs\n\n- none\n".to_owned()),
        ("link-text-present", Some(12), replaced("[Start]", "[ ]")),
        ("link-urls-valid", Some(12), replaced("https://tide.dev/start.md", "mailto:a@tide.dev")),
        ("link-urls-valid", Some(12), replaced("https://tide.dev/start.md", "https://tide dev/")),
        ("section-names-unique", Some(15), replaced("## Optional", "## docs")),
        (
            "optional-last",
            Some(15),
            added("\n## More\n\n- [More](https://tide.dev/more.md): much more to read\n"),
        ),
        ("no-duplicate-links", Some(13), replaced("query.md", "start.md#two")),
        ("description-separator", Some(12), replaced("start.md): ", "start.md) - ")),
        ("no-html-tags", Some(12), replaced("how to install", "how <b>to</b> install")),
        ("no-html-tags", Some(19), added("\n<br/>\n")),
        ("no-html-tags", Some(21), added("\nOne line\nand another\nwith a <br/>\n")),
        ("no-robots-directives", Some(20), added("\nSee:\nUser-agent: *\n")),
        ("code-fences-closed", Some(19), added("\n```sh\nls\n")),
        ("line-endings", Some(1), GOOD.replace('\n', "\r\n")),
        ("size-under-limit", None, added(&"word ".repeat(102_400))),
        ("no-placeholders", Some(12), replaced("tide.dev/start", "docs.example.com/start")),
        ("no-placeholders", Some(12), replaced("https://tide.dev/start.md", "http://localhost:3000/")),
        ("no-placeholders", Some(12), replaced("https://tide.dev/start.md", "{{base_url}}/start.md")),
        ("reference-parseable", Some(12), replaced("- [Start]", "Prose.\n- [Start]")),
        ("fits-agent-window", None, added(&"é".repeat(50_000))),
        ("fits-hard-limit", None, added(&"é".repeat(100_000))),
        ("not-stub", None, "# Tide\n\n- [a](b)\n".to_owned()),
        ("link-descriptions", Some(12), replaced(": how to install the gauge", "")),
        ("informative-descriptions", Some(12), replaced("how to install the gauge", "Start.")),
        (
            "informative-descriptions",
            None,
            GOOD.replace("how to ask for a level", "how to install the gauge"),
        ),
        ("absolute-links", Some(12), replaced("https://tide.dev/start.md", "/start.md")),
        ("https-links", Some(12), replaced("https://tide.dev/start.md", "http://tide.dev/start.md")),
        ("markdown-links", Some(12), GOOD.replace(".md)", ".html)")),
        (
            "same-site-links",
            None,
            GOOD.replace("tide.dev/start", "a.dev/start").replace("tide.dev/query", "b.dev/query"),
        ),
        (
            "link-count-in-range",
            None,
            replaced(
                "## Optional\n\n- [History](https://tide.dev/history.md): who built the first gauge\n",
                "",
            ),
        ),
        ("agent-instructions", None, replaced("**Instructions for LLM Agents**", "**Hello**")),
        ("llms-full-linked", None, replaced("llms-full.txt", "all.txt")),
        ("no-private-links", Some(12), replaced("tide.dev/start.md", "tide.dev/admin/start.md")),
        ("agent-entry-points", None, replaced("MCP", "XMCP")),
    ] {
        let failing = failing(&text);
        if id == "same-site-links" {
            // Without a site three domains are as good as one.
            let linted =
                lint(&text.as_str().into(), Some(&SiteUrl::parse("https://tide.dev/llms.txt").unwrap()));
            assert!(linted.findings.iter().any(|f| f.rule.id == id && !f.pass), "{id}");
            continue;
        }
        assert_eq!(failing.get(id), Some(&line), "{id}: {failing:?}\n{text:.600}");
    }
}

#[test]
fn what_is_written_as_markdown_has_it_counts_as_it_reads() {
    let with = |text: &str| failing(&GOOD.replacen("## Docs\n\n", &format!("## Docs\n\n{text}"), 1));
    for fine in [
        "- [A](https://tide.dev/a.md \"Smile :)\"): what it says at length\n",
        "- [A](https://tide.dev/a.md (The API)): what it says at length\n",
        "- [A](https://tide.dev/p_\\(v2\\)): what it says at length\n",
    ] {
        assert_eq!(with(fine), BTreeMap::new(), "{fine}");
    }
    for (id, entry) in [
        ("no-duplicate-links", "- [A](https://tide.dev/%73tart.md): what it says at length\n"),
        ("no-duplicate-links", "- [A](/a.md): what it says at length\n- [B](./a.md): and what not\n"),
        ("no-placeholders", "- [A](http://192.168.0.4/a): what it says at length\n"),
    ] {
        assert!(with(entry).contains_key(id), "{entry}: {:?}", with(entry));
    }
    assert!(failing(&GOOD.replacen("# Tide", "#", 1)).contains_key("h1-present"));
    assert!(failing("# T\n\n>\n\n- [A](https://tide.dev/a)\n").contains_key("summary-present"));
}

#[test]
fn what_a_comment_hides_is_no_content() {
    let hidden = "<!--\n## Old\n\n- [Old](mailto:a@tide.dev)\n-->\n\n<pre>\n\n- [x](y z)\n</pre>\n\n<!-- [a](b) -->\n\n";
    let linted = lint(&GOOD.replacen("## Docs", &format!("{hidden}## Docs"), 1).as_str().into(), None);
    assert_eq!(linted.link_count, 3);
    let failed: Vec<_> = linted.findings.iter().filter(|f| !f.pass).map(|f| f.rule.id).collect();
    assert_eq!(failed, ["no-html-tags", "reference-parseable"]);
    let only_hidden =
        failing("# Tide\n\n> Levels.\n\n<!--\n\n## Docs\n\n- [A](https://tide.dev/a.md)\n\n-->\n");
    assert!(only_hidden.contains_key("sections-present") && only_hidden.contains_key("links-present"));
}

#[test]
fn many_links_want_sections() {
    let list: String = each(0..11, |n| format!("- [Page {n}](https://tide.dev/{n}.md): what {n} means\n"));
    let one = format!("# Tide\n\n> Levels.\n\n## Docs\n\n{list}");
    assert!(failing(&one).contains_key("grouped-links"));
    assert!(!failing(&one.replace("- [Page 5]", "## More\n\n- [Page 5]")).contains_key("grouped-links"));
}

#[test]
fn valid_oddities_pass() {
    for fine in [
        "Use `<b>` and <https://tide.dev> or <me@tide.dev>; 1 < 2, a <b and c; \\<i> too.\n",
        "```html\n<b>\nUser-agent: *\n[x](mailto:a)\n```\n",
        "The `[name](javascript:x)` syntax.\n",
    ] {
        let text = GOOD.replacen("**Instr", &format!("{fine}\n**Instr"), 1);
        assert_eq!(failing(&text), BTreeMap::new(), "{fine}");
    }
    let nested = format!("{GOOD}    - [Glaze](https://tide.dev/glaze.md): mixes `<div>` and salt\n");
    assert_eq!(failing(&nested), BTreeMap::new());
    let places: String = each(0..30, |n| format!("[Place {n}](#place-{n}) "));
    let contents = failing(&GOOD.replacen("**Instr", &format!("{places}\n\n**Instr"), 1));
    assert_eq!(contents.into_keys().collect::<Vec<_>>(), ["absolute-links"]);
    let own = SiteUrl::parse("http://localhost:3000/llms.txt").unwrap();
    let text = GOOD.replace("https://tide.dev", "http://localhost:3000");
    assert!(
        lint(&text.as_str().into(), Some(&own))
            .findings
            .iter()
            .all(|f| f.pass || f.rule.id != "no-placeholders")
    );
}

#[test]
fn a_check_without_a_subject_is_left_out() {
    let ids =
        |text: &str| -> HashSet<_> { lint(&text.into(), None).findings.iter().map(|f| f.rule.id).collect() };
    for empty in ["", " \n\u{feff}\t"] {
        assert_eq!(ids(empty), HashSet::from(["not-empty", "not-html"]));
    }
    for page in ["<!DOCTYPE html><h1>x</h1>", "\n<!-- c -->\n<HTML>", "<?xml version='1.0'?>"] {
        let report = Report::of_content(lint(&page.into(), None), None);
        assert_eq!((report.checks.len(), report.score, report.readiness_score), (2, 0, 0), "{page}");
        assert_eq!(report.status, Status::Invalid);
    }
    let prose = ids("Some words.");
    for left_out in
        ["h1-first", "single-h1", "title-not-url", "summary-first", "link-syntax", "sections-have-links"]
    {
        assert!(!prose.contains(left_out), "{left_out}");
    }
    assert!(prose.contains("links-present") && prose.contains("sections-present"));
    assert!(!ids(GOOD).contains("reachable"));
}

#[test]
fn scores_can_be_recomputed_and_are_capped() {
    for (text, cap) in [
        ("## Docs\n\n- [a](https://a.dev/a.md): what a is for\n", 49),
        ("# T\n\n> s\n\n## D\n\ntext\n", 59),
        (GOOD, 100),
    ] {
        let linted = lint(&text.into(), None);
        let plain = score(&linted.findings, Tier::Structure);
        assert_eq!(Report::of_content(linted, None).score, plain.min(cap), "{text}");
    }
}

#[test]
fn every_rule_has_a_name_of_its_own() {
    let ids: HashSet<_> = rules().map(|rule| rule.id).collect();
    assert_eq!((ids.len(), rules().count()), (73, 73));
}

#[test]
fn huge_files_get_right_answers() {
    let links = each(0..100_000, |n| format!("- [n{n}](https://tide.dev/{n}): page\n"));
    let linted = lint(&format!("# T\n\n> s\n\n## D\n\n{links}").as_str().into(), None);
    assert_eq!(linted.links(None).len(), 100_000);
    let one_line = each(0..20_000, |n| format!("[`n{n}`](https://tide.dev/{n}) "));
    assert_eq!(lint(&one_line.as_str().into(), None).links(None).len(), 20_000);
    let headings = each(0..10_000, |n| format!("## Section {n}\n\n"));
    let linted = lint(&format!("# T\n\n{headings}").as_str().into(), None);
    assert!(
        linted
            .findings
            .iter()
            .any(|f| f.rule.id == "section-names-unique" || f.rule.id == "sections-have-links" && !f.pass)
    );
    for mark in
        ["<", "<a ", "`", "``` ", "[", "](", "> ", "- ", "*", "<!--", "\\", "[a](<", "\u{fffd}", "\r", "\0"]
    {
        let text = mark.repeat(512_000 / mark.len());
        let _ = lint(&Source::from(text.as_str()), None);
    }
}

#[test]
fn utf16_is_read_and_told() {
    let bytes: Vec<u8> = format!("\u{feff}{GOOD}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let failing: Vec<_> =
        lint(&Source::decode(&bytes), None).findings.iter().filter(|f| !f.pass).map(|f| f.rule.id).collect();
    // The reference parser takes the mark for a part of the first line.
    assert_eq!(failing, ["valid-utf8", "no-bom", "reference-parseable"]);
}
