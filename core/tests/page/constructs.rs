//! What a careful editor would make of each construct, whatever generator wrote it.

use super::support::markdown;

#[test]
fn tabs_are_named() {
    let expected = "**npm**\n\n```sh\nnpm i\n```\n\n**yarn**\n\n```sh\nyarn add\n```";
    let npm = "<pre><code class=language-sh>npm i</code></pre>";
    let yarn = "<pre><code class=language-sh>yarn add</code></pre>";
    for html in [
        // ARIA, with the list beside the panels or in a wrapper of its own.
        format!(
            "<div><ul role=tablist><li role=tab>npm<li role=tab>yarn</ul><div><div role=tabpanel>{npm}</div>\
             <div role=tabpanel hidden>{yarn}</div></div></div>"
        ),
        format!(
            "<x-tabs><div><ul role=tablist><li role=presentation><a role=tab href=#p1>npm</a>\
             <li role=presentation><a role=tab href=#p2>yarn</a></ul></div><div id=p1 role=tabpanel>{npm}</div>\
             <div id=p2 role=tabpanel hidden>{yarn}</div></x-tabs>"
        ),
        format!(
            "<div><div role=tablist><button role=tab>npm</button><button role=tab>yarn</button></div>\
             <div role=tabpanel>{npm}</div><div role=tabpanel hidden=true>{yarn}</div></div>"
        ),
        // Radio buttons: labels together, or each before its panel.
        format!(
            "<div class=tabbed-set><input type=radio id=a><input type=radio id=b><div class=tabbed-labels>\
             <label for=a>npm</label><label for=b>yarn</label></div><div class=tabbed-content>\
             <div>{npm}</div><div>{yarn}</div></div></div>"
        ),
        format!(
            "<div class=sd-tab-set><input type=radio id=a><label for=a>npm</label><div>{npm}</div>\
             <input type=radio id=b><label for=b>yarn</label><div>{yarn}</div></div>"
        ),
        format!(
            "<div class=vp-code-group><div class=tabs><input type=radio id=a><label for=a>npm</label>\
             <input type=radio id=b><label for=b>yarn</label></div><div class=blocks>\
             <div class=language-sh><span class=lang>sh</span>{npm}</div>\
             <div class=language-sh><span class=lang>sh</span>{yarn}</div></div></div>"
        ),
        // Before ARIA.
        format!(
            "<ul class='nav nav-tabs'><li><a href=#a>npm</a><li><a href=#b>yarn</a></ul>\
             <div class=tab-content><div class=tab-pane id=a>{npm}</div><div class=tab-pane id=b>{yarn}</div></div>"
        ),
    ] {
        assert_eq!(markdown(&format!("<p>before</p>{html}")), format!("before\n\n{expected}"), "{html}");
    }
}

#[test]
fn two_sets_of_tabs_keep_to_themselves() {
    let set = |a, b| {
        format!(
            "<div role=tablist><button role=tab>{a}</button><button role=tab>{b}</button></div>\
             <div role=tabpanel>in {a}</div><div role=tabpanel>in {b}</div>"
        )
    };
    let html = set("a", "b") + &set("c", "d");
    let expected = "**a**\n\nin a\n\n**b**\n\nin b\n\n**c**\n\nin c\n\n**d**\n\nin d";
    assert_eq!(markdown(&html), expected);
    // Tabs that name no panels stay what they are.
    assert_eq!(markdown("<ul role=tablist><li role=tab>a<li role=tab>b</ul><p>text"), "- a\n- b\n\ntext");
}

#[test]
fn footnotes_of_every_generator() {
    let expected = "Said[^1].\n\n[^1]: The note.";
    for html in [
        // Python-Markdown, kramdown, pandoc.
        "<p>Said<sup id=fnref:1><a class=footnote-ref href=#fn:1>1</a></sup>.</p><div class=footnote><hr><ol>\
         <li id=fn:1><p>The note.&#160;<a class=footnote-backref href=#fnref:1>&#8617;</a></p></li></ol></div>",
        "<p>Said<a href=#fn1 class=footnote-ref id=fnref1 role=doc-noteref><sup>1</sup></a>.</p>\
         <section class=footnotes role=doc-endnotes><hr><ol><li id=fn1><p>The note.<a href=#fnref1 \
         class=footnote-back role=doc-backlink>&#8617;</a></p></li></ol></section>",
        // docutils, new and old.
        "<p>Said<a class='footnote-reference brackets' href=#id2 id=id1 role=doc-noteref><span>[</span>1<span>]</span>\
         </a>.</p><aside class='footnote brackets' id=id2 role=doc-footnote><span class=label><span>[</span>\
         <a role=doc-backlink href=#id1>1</a><span>]</span></span><p>The note.</p></aside>",
        "<p>Said<a class=footnote-reference href=#id2 id=id1>[1]</a>.</p><table class='docutils footnote' id=id2>\
         <tr><td class=label><a class=fn-backref href=#id1>[1]</a></td><td>The note.</td></tr></table>",
        // AsciiDoc, DocBook, mdBook, MediaWiki.
        "<p>Said<sup class=footnote>[<a id=_footnoteref_1 class=footnote href=#_footnotedef_1>1</a>]</sup>.</p>\
         <div id=footnotes><hr class=x><div class=footnote id=_footnotedef_1><a href=#_footnoteref_1>1</a>. \
         The note.</div></div>",
        "<p>Said<a href=#ftn.a class=footnote id=a><sup class=footnote>[1]</sup></a>.</p><div class=footnotes><br>\
         <hr><div id=ftn.a class=footnote><p><a href=#a class=para><sup class=para>[1] </sup></a>The note.</p></div></div>",
        "<p>Said<sup class=footnote-reference><a href=#n>1</a></sup>.</p><div class=footnote-definition id=n>\
         <sup class=footnote-definition-label>1</sup><p>The note.</p></div>",
        "<p>Said<sup id=cite_ref-1 class=reference><a href=#cite_note-1>[1]</a></sup>.</p><ol><li id=cite_note-1>\
         <span><b><a href=#cite_ref-1>^</a></b></span> <span>The note.</span></li></ol>",
    ] {
        let found = markdown(html).replace("\n\n---\n\n", "\n\n");
        assert_eq!(found, expected, "{html}");
    }
}

#[test]
fn links_within_a_page_are_no_footnotes() {
    let html = "<p>See <a id=r href=#intro>1</a> and <a href=#intro>Intro</a>.</p><div id=intro><h2><a href=#r>Intro</a></h2>\
                <p>Text.</p></div>";
    assert!(!markdown(html).contains("[^"), "{}", markdown(html));
}

#[test]
fn tasks_keep_their_boxes() {
    assert_eq!(
        markdown(
            "<ul><li><input type=checkbox checked disabled> done<li><label><input type=checkbox> open</label><li>x</ul>"
        ),
        "- [x] done\n- [ ] open\n- x"
    );
    assert_eq!(markdown("<ol><li><p><input type=checkbox> a<li>b</ol>"), "1. [ ] a\n2. b");
}

#[test]
fn tables_span_nest_and_arrange() {
    assert_eq!(
        markdown(
            "<table><tr><th colspan=2>A<th>B<tr><td>1<td><table><tr><td>n<td>m</table><td><ul><li>x<li>y</ul></table>"
        ),
        "| A | A | B |\n| --- | --- | --- |\n| 1 | n m | x y |"
    );
    assert_eq!(
        markdown("<table><tr><th>a<th>b<tr><td><code>x|y</code><td>1<br>2 | 3</table>"),
        "| a | b |\n| --- | --- |\n| `x\\|y` | 1 2 \\| 3 |"
    );
    assert_eq!(markdown("<table><tr><td><h2>a</h2><p>b<td><ul><li>c</ul></table>"), "## a\n\nb\n\n- c");
    // What spans columns is said once, a heading in each of them.
    assert_eq!(
        markdown("<table><tr><th>a<th>b<tr><td rowspan=0>1<td>2<tr><td>3<tr><td>4</table>"),
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |\n|  | 4 |"
    );
    assert_eq!(
        markdown("<table><tr><th>a<th>b<tr><td colspan=2>both<tr><td>1<td>2</table>"),
        "| a | b |\n| --- | --- |\n| both |  |\n| 1 | 2 |"
    );
    // What a column is sorted by is its heading; what is done to a row says nothing.
    assert_eq!(
        markdown(
            "<table><tr><th><button>a <span>up</span></button><th><div><button>b</button></div>\
             <tr><td>1<td>2 <button>Remove</button></table>"
        ),
        "| a up | b |\n| --- | --- |\n| 1 | 2 |"
    );
    // A listing in a cell keeps its lines, which no cell could.
    assert!(
        markdown("<table><tr><th>a<th>b<tr><td>1<td><pre><code>x\ny</code></pre></table>")
            .contains("```\nx\ny\n```")
    );
}

#[test]
fn formulas_keep_their_source() {
    for (html, expected) in [
        (r"<p>so <span class='math notranslate'>\(a_1 * b_2 * c\)</span>.", "so $a_1 * b_2 * c$."),
        (
            r"<div class='math notranslate'><p><span class=eqno>(1)<a class=headerlink href=#e>#</a></span>\[a &lt; b\]</div>",
            "$$a < b$$",
        ),
        (r"<div class=arithmatex>$$x \\ y$$</div>", r"$$x \\ y$$"),
        ("<p>a <script type='math/tex'>x^2</script> b", "a $x^2$ b"),
        (r"<script type='math/tex; mode=display'>\sum_i</script>", r"$$\sum_i$$"),
        (
            "<p><span class=katex><span class=katex-mathml><math><semantics><mi>E</mi><annotation \
             encoding='application/x-tex'>E=mc^2</annotation></semantics></math></span><span aria-hidden=true>E=mc2</span></span>",
            "$E=mc^2$",
        ),
        ("<p>a <math><mi>x</mi><annotation encoding=TeX>x^2</annotation></math> b", "a $x^2$ b"),
        ("<p>a <math><mi>x</mi><annotation encoding='text/plain'>x two</annotation></math> b", "a xx two b"),
        (
            "<p>E <span class=katex><span class=katex-mathml><math><mi>E</mi></math></span><span class=katex-html>E</span></span>.",
            "E E.",
        ),
        (
            "<p>a <span class=mwe-math-element><span style='display:none'><math alttext='x_1'><mi>x</mi></math></span>\
             <img alt=x src=x.svg aria-hidden=true></span> b",
            "a $x_1$ b",
        ),
        (
            "<p>a <span class=MathJax_Preview>x2</span><span class=MathJax><nobr>x2</nobr><math><mi>x</mi></math></span>\
             <script type='math/tex'>x^2</script> b",
            "a $x^2$ b",
        ),
        ("<div class=math><p>One <math><mi>x</mi></math> and <math><mi>y</mi></math></div>", "One x and y"),
        (r"<p><img class=math src=m.png alt='\frac{a}{b}'>", r"$\frac{a}{b}$"),
        ("<math display=block alttext='x_1'><mi>x</mi></math>", "$$x_1$$"),
        ("<p>10<sup>-3</sup> and H<sub>2</sub>O", "10^-3 and H2O"),
        (
            "<p>2<sup>n</sup> in the 21<sup>st</sup> and XX<sup>e</sup>, Acme<sup>&reg;</sup>",
            "2^n in the 21st and XXe, Acme\u{ae}",
        ),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn emphasis_is_read_back_where_no_space_sets_it_apart() {
    for (html, expected) in [
        ("<p><b>\u{6ce8}\u{610f}\u{ff1a}</b>\u{8bf7}", "**\u{6ce8}\u{610f}**\u{ff1a}\u{8bf7}"),
        ("<p><b>Note:</b>heat", "**Note**:heat"),
        ("<p><b>Note:</b> heat", "**Note:** heat"),
        ("<p><b>a</b><b>b</b> <i>c</i><i> d</i>", "**ab** *c* *d*"),
        ("<p>a<a href=/u><b>b</b></a>", "a[**b**](https://site.example/u)"),
        ("<p>a<b>(b)</b> c<i><a href=/d>d</a></i>", "a(b) c[d](https://site.example/d)"),
        ("<p><b>a</b><i>b</i>", "**a***b*"),
        ("<p><a href=/c>on C:\\ </a>", "[on C:\\\\](https://site.example/c)"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn a_list_that_goes_on_from_another_number_stands_apart() {
    let html = "<ul><li>Steps<ol start=3><li>x</ol><li>y</ul>";
    assert_eq!(markdown(html), "- Steps\n\n  3. x\n- y");
}

#[test]
fn line_numbers_are_no_code() {
    for html in [
        "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre><td class=code><pre>a\n b</pre></table>",
        "<table class=rouge-table><tr><td class=rouge-gutter><pre class=lineno>1\n2</pre><td><pre>a\n b</pre></table>",
        "<div class=language-x><pre><code>a\n b</code></pre><div class=line-numbers-wrapper><span>1</span><br><span>2</span></div></div>",
        "<pre><span class=ln>1</span>a\n<span class=lineno>2</span> b</pre>",
        "<pre><a href=#1 id=1 class=ln>1</a>a\n<a href=#2 id=2 class=ln>2</a> b</pre>",
    ] {
        let found = markdown(html);
        let (fence, rest) = found.split_once('\n').unwrap();
        assert!(fence.starts_with("```"), "{html}: {found}");
        assert_eq!(rest, "a\n b\n```", "{html}");
    }
}

#[test]
fn links_are_the_authors() {
    for (html, expected) in [
        (
            "<a href='?a=1&amp;utm_source=x#f'>a</a>",
            "[a](https://site.example/docs/a.html?a=1&utm_source=x#f)",
        ),
        ("<a href='https://o.example'>a</a>", "[a](https://o.example)"),
        ("<a href='https://o.example?b'>a</a>", "[a](https://o.example?b)"),
        ("<a href='mailto:a@b.example'>a</a>", "[a](mailto:a@b.example)"),
        ("<a href='ftp://o.example/f'>a</a>", "[a](ftp://o.example/f)"),
        ("<a href='javascript:run()'>a</a>", "a"),
        ("<a href='a (b'>a</a>", "[a](<https://site.example/docs/a%20(b>)"),
        ("<a href=x></a>b", "b"),
    ] {
        assert_eq!(markdown(&format!("<p>{html}")), expected, "{html}");
    }
}

#[test]
fn lists_in_the_cells_of_a_table_stay() {
    let list = |names: [&str; 2]| {
        let [a, b] = names.map(|name| format!("<li><a href=#{name}>{name}</a>"));
        format!("<ul>{a}{b}</ul>")
    };
    let (list, more) = (list(["abs", "all"]), list(["bin", "bool"]));
    let at = |name: &str| format!("[{name}](https://site.example/docs/a.html#{name})");
    let [abs, all, bin, bool] = ["abs", "all", "bin", "bool"].map(at);
    assert_eq!(
        markdown(&format!("<table><tr><th>Kind<th>Of<tr><td>a<td>{list}<tr><td>b<td>{more}</table>")),
        format!("| Kind | Of |\n| --- | --- |\n| a | {abs} {all} |\n| b | {bin} {bool} |")
    );
}

#[test]
fn links_and_emphasis_of_signs_keep_them() {
    assert_eq!(
        markdown(
            "<p><i>json</i> <a href='#jptr'>-></a> <i>path</i> <a href='#h'>\u{b6}</a><a href='#h'>#</a>"
        ),
        "*json* [->](https://site.example/docs/a.html#jptr) *path*"
    );
    let read = |html: &str| super::outline::of(&markdown(html)).text;
    for (html, text) in [
        ("<dl><dt>sort(<em><span>*</span></em>, <em>key=None</em>)<dd>x</dl>", "sort(*, key=None) x"),
        ("<p>list<em>*</em>s <b>a</b>* <i>b</i>* c", "list*s a* b* c"),
        ("<p>f(<em>*args</em>, <em>**options</em>) 2 * 3 <i>x *</i>", "f(*args, **options) 2 * 3 x *"),
        ("<p>_<b>x</b>_ a <i>_</i> <b>**</b>", "_x_ a _ **"),
    ] {
        assert_eq!(read(html).trim_end(), text, "{}", markdown(html));
    }
}

#[test]
fn text_that_looks_like_markup_is_shown_literally() {
    let read = |html: &str| super::outline::of(&markdown(html));
    for (html, text) in [
        ("<p>[ref]: http://a.example/ and more", "[ref]: http://a.example/ and more"),
        ("<p>[<b>two words</b>]: x", "[two words]: x"),
        ("<p>[a b]<i>:</i> y", "[a b]: y"),
        ("<ul><li>[ref]: x</ul>", "[ref]: x"),
        ("<p>[^1]: no note", "[^1]: no note"),
        ("<p>&lt;p>comment&lt;/p> &lt;!-- x --> &lt;<b>i</b>>", "<p>comment</p> <!-- x --> <i>"),
        ("<p>a <img src=a.png alt='&lt;b> *x* [y]'> b", "a <b> *x* [y] b"),
        ("<p><code>a</code><code>b</code><code>`c`</code>", "ab `c`"),
        ("<p><code>a<a href=#x>b</a>c</code> <code>d</code> <code>e</code>", "abc d e"),
        ("<p><b><code>a</code></b><code>b</code>", "ab"),
        ("<p>Best regards<br>--<br>John", "Best regards -- John"),
        ("<p>Title<br>=====\n<br>x", "Title ===== x"),
        ("<p><strong>C:\\Users\\</strong> is where", "C:\\Users\\ is where"),
        ("<p><a href=/x>C:\\</a> is where", "C:\\ is where"),
        ("<p>see <a href='#x\\'>it</a>", "see it"),
    ] {
        let read = read(html);
        assert_eq!(read.text.trim_end(), text, "{}", markdown(html));
        assert!(read.html.is_empty(), "{:?}", read.html);
    }
    assert_eq!(markdown("<p>[x], [y]: z and [z]"), "[x], [y\\]: z and [z\\]");
    assert_eq!(markdown("<p>see [y]: z"), "see [y]: z");
}

#[test]
fn addresses_in_cells_do_not_end_them() {
    let table = markdown("<p>text<table><tr><th>Kind<th>Of<tr><td><a href='/w?t=A|B'>y</a><td>z</table>");
    assert!(table.ends_with("| [y](https://site.example/w?t=A%7CB) | z |"), "{table}");
}

#[test]
fn sections_stay_whatever_their_headings_call_them() {
    let html = "<div class=document><h1>Forms</h1><p>How forms are made.</p>\
                <div class=section id=source-code><h2>Source code</h2><p>It is in a repository.</p></div>\
                <div class='section level2' id=footer><h2>Footer</h2><p>Where the lines below stand.</p></div></div>";
    let markdown = markdown(html);
    assert!(
        markdown.contains("## Source code\n\nIt is") && markdown.contains("## Footer\n\nWhere"),
        "{markdown}"
    );
}

#[test]
fn cells_of_a_table_are_written_like_any_text() {
    let html = "<p>text<table><tr><th>Kind<th>Of<tr><td>Byte (<code>u8</code> only)<td>See <a href=#y>y</a>, <b>z</b>.\
                <p>End</table>";
    let expected = "text\n\n| Kind | Of |\n| --- | --- |\n\
                    | Byte (`u8` only) | See [y](https://site.example/docs/a.html#y), **z**. End |";
    assert_eq!(markdown(html), expected);
}

#[test]
fn notes_that_only_point_elsewhere_stay() {
    let html = "<main><h1>Forms</h1><div class=section><p>How forms are made, and what is done with them afterwards.</p>\
                <div class='admonition seealso'><p class=admonition-title>See also</p>\
                <p><a href=/by-hand>Rendering a form by hand</a></p></div></div></main>";
    assert!(
        markdown(html)
            .ends_with("> **See also**\n>\n> [Rendering a form by hand](https://site.example/by-hand)"),
        "{}",
        markdown(html)
    );
}

#[test]
fn a_picture_in_two_looks_is_one_picture() {
    let html = "<p>Before.<figure><img src=light.png alt='Three boxes'><img class=dark src=dark.png alt='Three boxes'></figure>\
                <p>Between <img src=light.png alt='Three boxes'> after.";
    let picture = "![Three boxes](https://site.example/docs/light.png)";
    assert_eq!(markdown(html), format!("Before.\n\n{picture}\n\nBetween {picture} after."));
}

#[test]
fn the_contents_of_a_chapter_stay_below_its_heading() {
    let html = "<body><div><h2 class=title>Chapter 11. Kilns</h2><div class=toc><p><strong>Table of Contents</strong></p>\
                <dl class=toc><dt><a href=intro.html>11.1. Introduction</a><dt><a href=types.html>11.2. Types</a>\
                <dt><a href=care.html>11.3. Care</a></dl></div></div><p>A kiln is a box that grows hot, and this chapter \
                tells which there are, how they are fed, and how long they last when they are looked after.</p></body>";
    let written = markdown(html);
    for link in ["intro.html", "types.html", "care.html"] {
        assert!(written.contains(link), "{written}");
    }
}

#[test]
fn a_heading_of_the_pages_own_contents_goes_with_them() {
    let contents = "<h2>On this page</h2><ul><li><a href=#wood>Wood</a><li><a href=#gas>Gas</a></ul>";
    let text = "<h2 id=wood>Wood</h2><p>It burns for days.</p><h2 id=gas>Gas</h2><p>It burns at once.</p>";
    let written = markdown(&format!("<main><h1>Kilns</h1>{contents}{text}</main>"));
    assert_eq!(written, "# Kilns\n\n## Wood\n\nIt burns for days.\n\n## Gas\n\nIt burns at once.");
    let written = markdown(&format!("<main><h1>Kilns</h1>{contents}<p>And more of it.</p>{text}</main>"));
    assert!(written.contains("## On this page\n\nAnd more of it."), "{written}");
}

#[test]
fn sections_keep_their_headings_whatever_arranges_them() {
    for html in [
        "<details open><summary><h2>Methods</h2></summary><p>Text.</p></details>",
        "<ul><li><section><h2>Methods</h2><p>Text.</p></section></ul>",
        "<dl><dt><h2>Methods</h2><dd><p>Text.</p></dl>",
        "<a href=#m id=m><h2>Methods</h2></a><p>Text.</p>",
    ] {
        assert_eq!(markdown(html), "## Methods\n\nText.", "{html}");
    }
    let html = "<ul><li><h2>A</h2><ul><li>one<li>two</ul><li>plain</ul><dl><dt>term<dd><h3>B</h3><p>b</dl>";
    assert_eq!(markdown(html), "## A\n\n- one\n- two\n\n- plain\n\n- **term**\n\n### B\n\nb");
}

#[test]
fn tools_beside_the_text_go() {
    let row = "<div>Next: <a rel=next href=b>Second part</a>, Up: <a rel=up href=c>Manual</a></div>";
    let tool = "<a href=../src/kiln.html#L3>source</a>";
    for html in [
        format!("{row}<h2>fire()</h2><p>Fires.</p>{row}"),
        format!("<h2>fire() {tool}</h2><p>Fires.</p>"),
        "<p>Parts: <a href=1>1</a> | <a href=2>2</a></p><h2>fire()</h2><p>Fires.</p>".to_owned(),
        format!("<h2>fire()</h2><p>Fires.</p><dl><dt>Source:<dd>{tool}, <a href=k.html#L3>line 3</a></dl>"),
        "<h2>fire()</h2><p>Fires.</p><p><a href=a accesskey=p>A</a> <a href=b accesskey=n>B</a></p>"
            .to_owned(),
    ] {
        assert_eq!(markdown(&html), "## fire()\n\nFires.", "{html}");
    }
    let introduced = "<p>See <a href=1>clay</a> and <a href=2>fire</a>.</p><h2>fire()</h2>";
    assert!(markdown(introduced).starts_with("See ["), "{}", markdown(introduced));
    let said = format!("<p>Read the {tool} of it.</p>");
    assert_eq!(markdown(&said), "Read the [source](https://site.example/src/kiln.html#L3) of it.");
}

#[test]
fn members_of_references_are_written_as_they_are_declared() {
    let listed =
        "<dl><dt><pre>fire(wood:\n  Wood)</pre><dd><p>Fires.</p><dt><pre>cool()</pre><dd>Cools.</dl>";
    assert_eq!(markdown(listed), "```\nfire(wood:\n  Wood)\n```\n\nFires.\n\n```\ncool()\n```\n\nCools.");
    let typed = "<p><code><span>module</span> <span>type</span> <a href=k.html>Kiln</a></code></p>";
    assert_eq!(markdown(typed), "`module` `type` [`Kiln`](https://site.example/docs/k.html)");
}

#[test]
fn a_short_form_before_the_whole_is_there_once() {
    let (short, rest) = ("Fires the kiln with wood.", "It takes a day.");
    let html = format!("<h2>fire()</h2><p>{short}</p><div><p>{short}</p><p>{rest}</p></div>");
    assert_eq!(markdown(&html), format!("## fire()\n\n{short}\n\n{rest}"));
    let html = format!("<h2>fire()</h2><p>{short}</p><div><p>{rest} {short}</p></div>");
    assert!(markdown(&html).contains(&format!("{short}\n\n{rest} {short}")));
}

#[test]
fn a_listing_that_opens_an_item_stands_on_lines_of_its_own() {
    let html = "<ol><li><pre>fire(wood)</pre><p>Fires.</p><li>Wait.</ol>";
    assert_eq!(markdown(html), "1.\n   ```\n   fire(wood)\n   ```\n\n   Fires.\n2. Wait.");
}

#[test]
fn an_item_with_a_rule_across_it_is_a_part_of_the_page() {
    let html =
        "<ul><li><dl><dt>All heirs<dd>Stove</dl><hr><br><pre>class Kiln</pre><div>Fires pots.</div></ul>";
    let stands = "- **All heirs**\n\n  Stove\n\n---\n\n```\nclass Kiln\n```\n\nFires pots.";
    assert_eq!(markdown(html), stands);
}

#[test]
fn what_is_shown_only_on_top_of_the_page_is_left_out() {
    let text = "Fires a kiln with wood, from the first spark to the last.";
    assert_eq!(markdown(&format!("<p>{text}</p><div popover>Fires a kiln.</div>")), text);
}
