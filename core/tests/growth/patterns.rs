//! What the readers are fed with: the tokens of each syntax, repeated, alternated, and one half after the other.

/// The tokens of a syntax. `§` in one is a number that is another one each time.
pub(crate) struct Syntax {
    /// Behind what its patterns stand: all behind the first, which tells most, behind the others each token alone.
    pub(crate) heads: &'static [&'static str],
    pub(crate) tokens: &'static [&'static str],
    /// What opens something and what closes it, or what else works on one another: they are always tried together,
    /// of all others a part.
    pub(crate) pairs: &'static [(&'static str, &'static str)],
    /// What works on what stands before it, behind a head of its own: many of the one, then many of the other.
    pub(crate) scenes: &'static [(&'static str, &'static str, &'static str)],
}

/// Of pairs that belong together by nothing, one in so many is tried, unless all are asked for.
const SAMPLE: usize = 97;

/// A text of any length.
pub(crate) struct Pattern {
    pub(crate) name: String,
    head: &'static str,
    parts: Vec<String>,
}

impl Pattern {
    fn of_scene(&(head, one, other): &(&'static str, &'static str, &'static str)) -> Self {
        let parts = [one, other].into_iter().filter(|part| !part.is_empty()).map(str::to_owned).collect();
        Self { name: format!("{head:?}, then {one:?}, then {other:?}"), head, parts }
    }

    /// About so many bytes of it, behind its head.
    pub(crate) fn text(&self, bytes: usize) -> String {
        let mut text = self.head.to_owned();
        for part in &self.parts {
            // Many readers tell odd numbers of a mark from even ones, and one of them takes longer.
            let count = bytes / self.parts.len() / part.len() / 2 * 2;
            for number in 0..count {
                if part.contains('§') {
                    text.push_str(&part.replace('§', &number.to_string()));
                } else {
                    text.push_str(part);
                }
            }
        }
        text
    }
}

impl Syntax {
    /// Each token repeated; two of them in turns; many of one before as many of another.
    pub(crate) fn patterns(&self, is_all: bool) -> Vec<Pattern> {
        let mut made: Vec<Pattern> = self.scenes.iter().map(Pattern::of_scene).collect();
        for (number, &head) in self.heads.iter().enumerate() {
            let is_first = number == 0 || is_all;
            let mut add = |parts: &[String]| {
                let name = format!("{head:?} + {parts:?}");
                made.push(Pattern { name, head, parts: parts.to_vec() });
            };
            for (at, &one) in self.tokens.iter().enumerate() {
                add(&[one.to_owned()]);
                for (beside, &other) in self.tokens.iter().enumerate() {
                    let is_tried = is_all || (at * self.tokens.len() + beside + 1).is_multiple_of(SAMPLE);
                    if at != beside && is_tried && is_first && !self.pairs.contains(&(one, other)) {
                        add(&[format!("{one}{other}")]);
                        add(&[one.to_owned(), other.to_owned()]);
                    }
                }
            }
            for (open, close) in self.pairs.iter().filter(|_| is_first) {
                add(&[format!("{open}{close}")]);
                add(&[(*open).to_owned(), (*close).to_owned()]);
            }
        }
        made
    }
}

pub(crate) static HTML: Syntax = Syntax {
    heads: &["<!doctype html><title>T</title><main>", ""],
    tokens: &[
        "<",
        ">",
        "&",
        "&amp;",
        "</",
        "<!--",
        "-->",
        "<a href=x>",
        "<a href=/§>y",
        "</a>",
        "<p>",
        "x ",
        "\n",
        "<b>",
        "</p>",
        "<h2>",
        "</h2>",
        "<ul><li>",
        "</li>",
        "<dl><dt>",
        "<dd>",
        "<table><tr><td>",
        "<th>",
        "<pre>",
        "<code>",
        "<blockquote>",
        "<div class=note>",
        "</div>",
        "<svg>",
        "<math>",
        "<script>",
        "<title>",
        "<meta name=description content=x>",
        "<img alt=x src=y>",
        "<br>",
        "<option>",
        "<sup id=fn§>",
        "<a href=#fn§>",
        "<nav>",
        "<template>",
        "<!doctype ",
        "<x a='",
        "\"",
        "<x a=b ",
        "\u{e9}",
        "`",
    ],
    scenes: &[],
    pairs: &[
        ("<h2>", "<dl><dt>"),
        ("<a href=x>", "</a>"),
        ("<b>", "</b>"),
        ("<table><tr><td>", "</table>"),
        ("<div class=note>", "</div>"),
        ("<ul><li>", "</ul>"),
        ("<b>", "<p>"),
        ("<b>", "<i>"),
        ("<a href=x>", "<div>"),
        ("<!--", "--!>"),
        ("<p>", "</p>"),
    ],
};

pub(crate) static MARKDOWN: Syntax = Syntax {
    heads: &["# T\n\n", "", "[a]: /"],
    tokens: &[
        "](",
        "[",
        "]",
        "(",
        ")",
        "[](",
        "![",
        "[a](b) ",
        "[a][b] ",
        "[^a]",
        "[a]: b\n",
        "[a§]: /b§\n",
        "<",
        "<!--",
        "-->",
        "<a ",
        "<?",
        "<![CDATA[",
        "`",
        "`` ",
        "```\n",
        "~~~\n",
        "*",
        "**a",
        "_",
        "__a ",
        "~~",
        "\\",
        "&",
        "&amp;",
        "> ",
        "- ",
        "1. ",
        "# ",
        "#",
        "\n",
        " ",
        "\n\n",
        "    a\n",
        "| a ",
        "|-",
        "---\n",
        "===\n",
        "a",
        "a b. ",
        "http://a",
        "\t",
        "\u{e9}",
        "\u{feff}",
        "\u{2028}",
        "- [x](/y§): z\n",
        "<div>\n",
        "</div>\n",
        "a  \n",
        "\"",
        "'",
        ":",
    ],
    scenes: &[
        ("[a]: /", "~~~\n", "\\"),
        ("[a]: /", "~~~\n\\", ""),
        ("[a]: /", "&", "```\n"),
        ("[a]: /", "&```\n", ""),
        ("", "&", "```\n"),
        ("", "&```\n", ""),
    ],
    pairs: &[
        ("[", "]"),
        ("[", "]("),
        ("(", ")"),
        ("[a](", ")"),
        ("![", "]()"),
        ("*", "_"),
        ("**a", "a**"),
        ("<!--", "-->"),
        ("> ", "- "),
        ("<", ">"),
        ("*a ", "_b "),
        ("`", "\n"),
        ("[a](<", ">"),
        ("[a](b \"", "\")"),
        ("\\", "`"),
        ("- ", "\n"),
        ("> ", "\n"),
        ("ht", "tps://"),
        ("[a](", "`"),
        ("~~~\n", "\\"),
        ("&", "```\n"),
        ("\u{2028}", "\u{feff}"),
    ],
};

pub(crate) static SITEMAP: Syntax = Syntax {
    heads: &["<urlset><url><loc>", "", "<urlset>", "<sitemapindex>", "<rss><channel><item>", "<feed><entry>"],
    tokens: &[
        "<",
        ">",
        "</",
        "/>",
        "&",
        "&amp;",
        "&#",
        "&#x41;",
        ";",
        "<!",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "<!DOCTYPE ",
        "[",
        "]",
        "'",
        "\"",
        "=",
        "<url>",
        "</url>",
        "<loc>",
        "</loc>",
        "<loc>/§</loc>",
        "<url><loc>/§</loc></url>",
        "<lastmod>2026</lastmod>",
        "a",
        " ",
        "\n",
        "<x a=b ",
        "<x a='",
        "<link href='/§'/>",
        "<xhtml:link hreflang=de href=/§ />",
        "<guid>http://a/§</guid>",
        "<item>",
        "<entry>",
        "a:b",
        "\u{e9}",
    ],
    scenes: &[],
    pairs: &[
        ("<url>", "</url>"),
        ("<!--", "-->"),
        ("<![CDATA[", "]]>"),
        ("<?", "?>"),
        ("<loc>", "</loc>"),
        ("<!", "<"),
        ("&", ";"),
    ],
};

pub(crate) static SITEMAP_TEXT: Syntax = Syntax {
    heads: &["", "https://docs.example/\n"],
    tokens: &[
        "http://docs.example/§\n",
        "http",
        "://",
        "/",
        "..",
        "%",
        "%2e",
        "?",
        "&a=§",
        "#",
        "\n",
        "\r",
        " ",
        "a",
        ":",
        "@",
        "[",
        "\u{e9}",
        ".",
        "\\",
        "\t",
    ],
    scenes: &[],
    pairs: &[("/", ".."), ("a", "/../"), ("%", "2"), ("http://a/§", "\n")],
};

pub(crate) static ROBOTS: Syntax = Syntax {
    heads: &["user-agent: *\n", ""],
    tokens: &[
        "user-agent: a§\n",
        "user-agent: wayfile\n",
        "disallow: /§\n",
        "allow: /a*§$\n",
        "disallow: ",
        "/",
        "*",
        "*a",
        "$",
        "%",
        "%2f",
        "#",
        ":",
        " ",
        "\n",
        "\r",
        "sitemap: /§\n",
        "crawl-delay: 1\n",
        "a",
        "\u{e9}",
        "\u{feff}",
        "<",
    ],
    scenes: &[],
    pairs: &[
        ("user-agent: a§\n", "disallow: /§\n"),
        ("user-agent: wayfile\n", "disallow: /§\n"),
        ("disallow: /", "\n"),
    ],
};

/// One line is one thing: a page of a site, a link, an address.
pub(crate) static LINES: Syntax = Syntax {
    heads: &[""],
    tokens: &[
        "page\n",
        "page §\n",
        "/docs/§\n",
        "/docs/a§/b\n",
        "/§/§/§\n",
        "/de/§\n",
        "/v§/a\n",
        "/a?b=§\n",
        "/2026/11/§\n",
        "/a/a/a/a/a/a\n",
        "/§.html\n",
        "\n",
        "/tag/a§\n",
    ],
    scenes: &[],
    pairs: &[("/docs/§\n", "/docs/§/a\n")],
};
