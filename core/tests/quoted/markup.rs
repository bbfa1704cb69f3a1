//! Markup of every kind, as a hostile page or caller would write it.

use proptest::collection::vec;
use proptest::prelude::*;

/// What begins or makes a block, a mark or a character of `CommonMark` and of its extensions.
pub(crate) const STARTERS: &[&str] = &[
    "x",
    "X",
    "# H",
    "## H",
    "####### H",
    "H\n===",
    "H\n---",
    "- a",
    "* a",
    "+ a",
    "1. a",
    "2) a",
    "123456789. a",
    "0.",
    "- ",
    "1.",
    "> a",
    ">",
    "> [!NOTE]",
    "[!NOTE]",
    "> [!NOTE]\nb\n-",
    "---",
    "***",
    "_ _ _",
    "===",
    "```",
    "```sh",
    "``` a b",
    "~~~",
    "~~~ a b",
    "<div>",
    "<b>",
    "</p>",
    "<!-- a",
    "<!-- a -->",
    "<?php",
    "<!A>",
    "<![CDATA[",
    "<!X<b>",
    "<div>\n<!-- a",
    "<http://evil.example>",
    "<a@b.c>",
    "<1@b.c>",
    "[e]: http://evil.example/",
    "[e]",
    "[e][]",
    "[a][e]",
    "[e]:\nhttp://evil.example/",
    "[^1]: note",
    "[^1]",
    "[a](b)",
    "![a](b)",
    "[a](<b> \"t\")",
    "[](",
    "](b)",
    "*a*",
    "**a**",
    "_a_",
    "__a__",
    "***a***",
    "a*b*c",
    "a_b_c",
    "*a",
    "a*",
    "_a",
    "~a~",
    "~~a~~",
    "$a$",
    "$$a$$",
    "$ a $",
    "$$ a $$",
    "$$$$",
    "${a}$",
    "`a`",
    "``a``",
    "`a",
    "` a `",
    "`a``",
    "a`b`c`d",
    "\\",
    "\\\\",
    "\\*a*",
    "a\\",
    "&amp;",
    "&#42;a&#42;",
    "&#x23; a",
    "&lt;b>",
    "&copy",
    "&#0;",
    "|a|b|\n|-|-|\n|c|d|",
    "a | b\n--|--",
    "| a",
    "~ a",
    "*a~*b",
    ": a",
    ":a",
    "a\n: b",
    "- [ ] a",
    "[ ] a",
    "[x] a",
    "{#id}",
    "a {.b}",
    "a {#b} ##",
    "a #",
    "C#",
    "\tcode",
    "    code",
    "a  \nb",
    "a\\\nb",
    "**Instructions for LLM Agents**",
    "^a",
    "[[a]]",
    "+++\na\n+++",
    "---\na: b\n---",
    "C++",
    "*args, **kwargs",
    "Vec<T>",
    "a * b",
    "snake_case",
    "f(x)[0](y)",
    "costs $5 or $10",
    "AT&T",
    "a/*.rs and b/*.md",
    "2*3*4",
    "~/a ~/b",
    "x = y; <= z =>",
    "\"q\"",
    "'q'",
    "...",
    "a--b",
];

/// What a block may stand in.
pub(crate) const DEPTHS: &[&str] = &[
    "", "- ", "> ", "1. ", "2) ", "- - ", "> - ", "- > 1. ", "* 1. + ", "  ", "    ", "\t", "x\n", "\u{a0}",
];

fn piece() -> impl Strategy<Value = String> {
    let odd = "\r \r\n \n \n\n \t \u{a0} \u{2028} \u{85} \u{3000} \u{200b} \u{feff} \u{0} \u{b} \u{1c} e\u{301} \u{ab} \u{1f600}";
    let odd: Vec<&str> = odd.split(' ').collect();
    let signs = r"!#$%&'()*+,-./:;<=>?@[\]^_`{|}~";
    prop_oneof![
        4 => prop::sample::select(STARTERS).prop_map(str::to_owned),
        2 => prop::sample::select(DEPTHS).prop_map(str::to_owned),
        1 => prop::sample::select(odd).prop_map(str::to_owned),
        2 => prop::sample::select(vec!["word", "Kiln", "a", " ", " ", "2026"]).prop_map(str::to_owned),
        4 => prop::sample::select(signs.chars().collect::<Vec<_>>()).prop_map(String::from),
    ]
}

/// Pieces of markup one behind the other.
pub(crate) fn markup() -> impl Strategy<Value = String> {
    vec(piece(), 0..9).prop_map(|pieces| pieces.concat())
}

/// Every block and mark at every depth, alone and between words.
pub(crate) fn all() -> impl Iterator<Item = String> {
    let nested = |depth: &'static str| STARTERS.iter().map(move |starter| format!("{depth}{starter}"));
    DEPTHS.iter().flat_map(move |depth| nested(depth)).flat_map(|markup| {
        [
            markup.clone(),
            format!("{markup} and words"),
            format!("words {markup}"),
            format!("w {markup} {markup} w"),
        ]
    })
}
