//! Listings: their text to the letter, and the language they are in.

use std::borrow::Cow;

use super::super::marks::Marks;
use super::super::survey::Survey;
use super::super::tree::{NodeId, Tree};
use super::super::vocabulary::{Name, Tag, WordIndex};
use crate::phrases::list;

/// How far above a listing its language may be named.
const ANCESTORS: usize = 4;

/// How many nodes into a listing its code element may stand.
const INSIDE: usize = 6;

/// What classes have before the name of a language.
const PREFIXES: &[&str] = list! {
    "language-" "lang-" "highlight-source-" "highlight-text-" "highlight-" "sourceCode-" "brush:" "code-lang-"
};

/// The text of a listing as shown: line numbers and buttons left out, lines of their own kept apart.
pub(super) fn text(tree: &Tree<'_>, survey: &Survey, pre: NodeId) -> String {
    let mut out = String::with_capacity(survey.bytes(pre));
    let mut line_end = None;
    let mut node = pre + 1;
    while node < tree.node(pre).end {
        if line_end.is_some_and(|end| node >= end) {
            line_end = None;
            if !out.ends_with('\n') {
                out.push('\n');
            }
        }
        let tag = tree.tag(node);
        match tag {
            // Between the cells of a table stands only what indents its markup.
            Tag::Text if is_table_part(tree.tag(tree.node(node).parent)) => {}
            Tag::Text => out.push_str(&tree.text(node)),
            Tag::Br => out.push('\n'),
            Tag::Button | Tag::Script | Tag::Style | Tag::Svg | Tag::Select | Tag::Template => {
                node = tree.node(node).end;
                continue;
            }
            _ if survey.marks(node).any(Marks::LINE_NUMBERS.with(Marks::CHROME)) => {
                node = tree.node(node).end;
                continue;
            }
            // One block a line, without line ends of their own.
            Tag::Div | Tag::Li | Tag::Tr | Tag::P => {
                if !out.is_empty() && !out.ends_with('\n') {
                    out.push('\n');
                }
                line_end = Some(tree.node(node).end);
            }
            _ => {}
        }
        node += 1;
    }
    if out.contains('\r') {
        out = out.replace("\r\n", "\n").replace('\r', "\n");
    }
    let start = out.len() - out.trim_start_matches('\n').len();
    out.drain(..start);
    out.truncate(out.trim_end().len());
    out
}

fn is_table_part(tag: Tag) -> bool {
    matches!(tag, Tag::Table | Tag::Thead | Tag::Tbody | Tag::Tr)
}

/// The first text inside an element that is no number.
pub(super) fn first_word(tree: &Tree<'_>, node: NodeId) -> Option<NodeId> {
    let is_number = |b: u8| b.is_ascii_digit() || b.is_ascii_whitespace() || b == b'.';
    let is_word = |&n: &NodeId| tree.tag(n) == Tag::Text && !tree.raw_text(n).bytes().all(is_number);
    tree.descendants(node).find(is_word)
}

/// A word above a listing that only says its language, which the fence does.
pub(super) fn names_language(tree: &Tree<'_>, node: NodeId) -> bool {
    let holder = tree.node(node).parent;
    tree.raw_attribute(node, Name::Class) == Some("lang")
        && tree.raw_attribute(holder, Name::Class).is_some_and(|class| class.starts_with("language-"))
}

/// The language of a listing: named by its own class, by the code inside it or by what encloses it.
pub(super) fn language(tree: &Tree<'_>, pre: NodeId) -> Option<String> {
    let mut inside = tree.descendants(pre).take(INSIDE);
    let own = [Some(pre), inside.find(|&n| tree.tag(n) == Tag::Code)];
    own.into_iter()
        .flatten()
        .find_map(|n| named(tree, n, true))
        .or_else(|| tree.ancestors(pre).take(ANCESTORS).find_map(|n| named(tree, n, false)))
}

fn named(tree: &Tree<'_>, node: NodeId, own: bool) -> Option<String> {
    let attribute = |name| tree.raw_attribute(node, name).filter(|v| is_language(v));
    if let Some(language) = attribute(Name::DataLang).or_else(|| attribute(Name::DataLanguage)) {
        return tidy(language);
    }
    let classes = if own { tree.raw_attribute(node, Name::Class) } else { tree.shared_classes(node) }?;
    let mut previous = "";
    let mut bare = None;
    for class in classes.split_ascii_whitespace() {
        let behind = PREFIXES.iter().find_map(|prefix| class.strip_prefix(prefix));
        let after = matches!(previous, "sourceCode" | "brush:" | "hljs" | "src").then_some(class);
        let source = class.strip_prefix("src-").filter(|_| own);
        if let Some(language) = [behind, after, source].into_iter().flatten().find(|l| is_language(l)) {
            return tidy(language);
        }
        if own && bare.is_none() && KNOWN_INDEX.find(KNOWN, class.as_bytes()).is_some() {
            bare = Some(class);
        }
        previous = class;
    }
    bare.and_then(tidy)
}

fn is_language(name: &str) -> bool {
    (1..=24).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'#' | b'-' | b'_' | b'.' | b';'))
        && !matches!(
            name,
            "wrapper" | "rouge" | "block" | "container" | "header" | "hljs" | "numbers" | "source"
        )
}

/// Lower case, without what only means "no highlighting".
fn tidy(name: &str) -> Option<String> {
    let name = name.trim_end_matches(';').to_ascii_lowercase();
    (!matches!(
        name.as_str(),
        "default" | "none" | "plain" | "plaintext" | "nohighlight" | "no-highlight" | ""
    ))
    .then_some(name)
}

/// Languages that stand as a class of their own.
const KNOWN: &[&str] = list! {
    "awk" "bash" "c" "c++" "clojure" "cmake" "console" "cpp" "csharp" "css" "dart" "diff" "docker"
    "dockerfile" "elixir" "elm" "erlang" "fish" "fortran" "go" "graphql" "groovy" "haskell" "html" "http"
    "ini" "java" "javascript" "js" "json" "jsx" "julia" "kotlin" "latex" "lisp" "lua" "makefile" "matlab"
    "nginx" "nix" "ocaml" "perl" "php" "postgresql" "powershell" "properties" "protobuf" "python" "r" "ruby"
    "rust" "sass" "scala" "scheme" "scss" "sh" "shell" "sql" "svelte" "swift" "toml" "ts" "tsx" "typescript"
    "vim" "vue" "xml" "yaml" "yml" "zig" "zsh"
};

static KNOWN_INDEX: WordIndex<256> = WordIndex::new(KNOWN);

/// The fence of a listing without backticks.
const FENCE: &str = "```";

/// A fence longer than any run of backticks inside, `at_least` one to three long.
pub(super) fn fence(text: &str, at_least: usize) -> Cow<'static, str> {
    if memchr::memchr(b'`', text.as_bytes()).is_none() {
        return FENCE.get(..at_least).unwrap_or(FENCE).into();
    }
    let mut longest = 0;
    let mut run = 0;
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat(at_least.max(longest + 1)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language_of(html: &str) -> Option<String> {
        let tree = Tree::of(html);
        let pre = tree.descendants(0).find(|&n| tree.tag(n) == Tag::Pre).unwrap();
        language(&tree, pre)
    }

    #[test]
    fn the_language_is_found_in_every_spelling() {
        for html in [
            "<pre class='language-rust'>",
            "<pre><code class='hljs rust'>",
            "<pre class='sourceCode rust'>",
            "<div class='highlight-rust notranslate'><div class=highlight><pre>",
            "<div class='language-rust highlighter-rouge'><div class=highlight><pre class=highlight><code>",
            "<pre><code data-lang=rust>",
            "<pre class='brush: rust; toolbar: false'>",
            "<pre class='rust rust-example-rendered'>",
        ] {
            assert_eq!(language_of(html).as_deref(), Some("rust"), "{html}");
        }
        assert_eq!(language_of("<div class='highlight-default notranslate'><pre>"), None);
    }

    #[test]
    fn text_is_kept_to_the_letter() {
        let tree = Tree::of(
            "<pre>\n<span class=lineno>1</span>  a &lt;\t\n<b>b</b>  <button>Copy</button>\nc</pre>",
        );
        assert_eq!(text(&tree, &Survey::of(&tree), 1), "  a <\t\nb  \nc");
        let tree = Tree::of("<pre><div>a</div><div>b<br></div><span>c</span></pre>");
        assert_eq!(text(&tree, &Survey::of(&tree), 1), "a\nb\nc");
    }
}
