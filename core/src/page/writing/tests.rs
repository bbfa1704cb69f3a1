use super::super::{PageSource, read_html};
use crate::url::SiteUrl;
use crate::work::Work;

const PROSE: &str = "<p>The harbour of the old town was closed for three weeks after the storm had moved the sand.</p>\
    <p>Two dredgers work day and night, and the first boats are expected to leave on Monday or Tuesday.</p>\
    <p>Nobody was hurt, says the master of the harbour, who has seen worse storms in forty years of service.</p>";

fn at(url: &str, html: &str) -> String {
    let url = SiteUrl::parse(url).unwrap();
    read_html(
        &PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() },
        &Work::unbounded(),
    )
    .unwrap()
    .markdown
}

/// What stays of `extra` below an article.
fn below(extra: &str) -> String {
    let html = format!("<body><main><article><h1>Storm</h1>{PROSE}{extra}</article></main>");
    let markdown = at("https://site.example/news/storm", &html);
    let (_, rest) = markdown.split_once("of service.").unwrap();
    rest.trim().to_owned()
}

#[test]
fn parts_beside_an_article_are_removed() {
    for extra in [
        "<h3>Related articles</h3><ul><li><a href=/a>Sand and sea</a><li><a href=/b>The new pier</a></ul>",
        "<div class=box><div class=head><h2>Along the coast</h2></div><div><a href=/a>Sand</a></div></div>",
        "<h2>3 Comments</h2><div><p>Ann</p><p>I saw it all from my window, and it was loud.</p></div>",
        "<div class='author-box'><p>Ann Smith writes about harbours and the people who work there.</p></div>",
        "<p class='entry-meta'>By Ann Smith on 3 May</p>",
        "<form><p>Your name</p><input><p>Your address</p><input type=email><p>Nobody else will see them.</p></form>",
        "<figure><img src=a.jpg alt='Two dredgers'><figcaption>Two dredgers at work. Photo: B. Jones</figcaption></figure>",
        "<p><a href=/c>READ: How the pier of the old town was built by hand</a></p>",
        "<p>Related: <a href=/c>How the pier of the old town was built</a></p>",
        "<p>Two dredgers work day and night, and the first boats are expected to leave on Monday or Tuesday.</p>",
        "<div><a class=button href=/join>Learn more</a></div>",
        "<div class='newsletter-signup'><p>Get the news of the coast into your mailbox every day.</p></div>",
        "<section class=reviews><p>Great text, five stars, I would read it again at any time.</p></section>",
    ] {
        assert_eq!(below(extra), "", "{extra}");
    }
}

#[test]
fn cards_behind_an_article_go_with_what_stands_over_them() {
    let card = |at: u8| {
        format!(
            "<div class=c><span>Sea</span><h4><a href=/{at}>How the pier number {at} was built</a></h4>\
             <p>It took the men of the town {at} years to drive all the piles into the sand, and many more to pay.</p></div>"
        )
    };
    let paragraph = |n: u8| {
        format!(
            "<p>For {n} weeks the harbour of the old town was closed after the storm had moved the sand, and two dredgers \
             worked day and night until the boats could leave on day {n}.</p>"
        )
    };
    let text: String = (1..=8).map(paragraph).collect();
    let behind = |extra: &str| {
        let html = format!("<body><main><article><h1>Storm</h1>{text}{extra}</article></main>");
        let markdown = at("https://site.example/news/storm", &html);
        markdown.split_once("on day 8.").unwrap().1.trim().to_owned()
    };
    let cards = |many: u8| (1..=many).map(card).collect::<String>();
    assert_eq!(behind(&format!("<div>{}</div>", cards(4))), "");
    assert_eq!(behind(&format!("<h2>Out on the water</h2><div>{}</div>", cards(4))), "");
    let parts = cards(4).replace("<a href=", "<b data-at=").replace("</a>", "</b>");
    assert!(behind(&format!("<div>{parts}</div>")).contains("How the pier number 4"));
    assert!(behind(&format!("<div>{}</div>", cards(2))).contains("How the pier number 2"));
}

#[test]
fn a_text_goes_on_behind_the_word_advertisement() {
    let text = "<div><p>The sand has to be moved before the winter, or the harbour stays closed until the spring.</p></div>";
    let left = below(&format!("<div><div><p>Advertisement</p></div>{text}</div>"));
    assert_eq!(
        left,
        "The sand has to be moved before the winter, or the harbour stays closed until the spring."
    );
}

#[test]
fn a_word_of_a_paragraph_may_have_any_name() {
    let text = "<p>The <a class=popup href=#a>dredgers</a> of the town are the oldest ones that work on this coast today.</p>";
    assert!(below(text).contains("dredgers"), "{}", below(text));
}

#[test]
fn a_summary_between_the_title_and_the_text_stays_however_deep_it_stands() {
    let summary =
        "The harbour of the old town has to be dug out once more, and nobody knows who is to pay for it.";
    let html = format!(
        "<body><div><div><h1>Storm</h1></div><div class=row><div class=col><p>{summary}</p></div><i>Ann</i></div>\
         <div class=row><div class=col><div itemprop=articleBody>{PROSE}{PROSE}</div></div></div></div>"
    );
    let markdown = at("https://site.example/news/storm", &html);
    assert!(markdown.contains(summary) && markdown.contains("of service."), "{markdown}");
}

#[test]
fn what_a_reference_says_again_of_something_else_stays() {
    let sample = "<div><h3>Response</h3><p>What was asked for, as the fields that the office has written down, each in a line</p></div>";
    let same =
        "<p>It is answered with the fields that the office has written down of it, each in a line.</p>";
    let reference = format!(
        "<code>key</code><h2>Add a buoy</h2>{sample}<h4>Limits</h4>{same}<h2>Find a buoy</h2>{sample}<h4>Errors</h4>{same}{same}"
    );
    let left = below(&reference);
    assert_eq!(left.matches("What was asked for").count(), 2, "{left}");
    assert_eq!(left.matches("It is answered").count(), 2, "{left}");
    let left = below(&reference.replace("code>", "i>"));
    assert_eq!(left.matches("What was asked for").count(), 1, "{left}");
}

#[test]
fn who_wrote_a_text_stands_above_its_samples() {
    let line = "<div class=byline>By Ann Bell, 11 March</div>";
    let left = below(&format!("{line}<pre>ann = 1</pre><h2>Signed so</h2>{line}<pre>ann = 2</pre>"));
    assert_eq!(left.matches("Ann Bell").count(), 1, "{left}");
    assert!(left.find("Ann Bell") > left.find("ann = 1"), "{left}");
}

#[test]
fn samples_of_one_kind_stay_together() {
    let part = |name: &str, text: &str| {
        format!(
            "<section class=part><header><h1>{name}</h1></header><div><p>{text}</p><pre>show {name}</pre></div></section>"
        )
    };
    let long =
        part("Buoys", &"A buoy is made fast to the ground and shows where the water is deep. ".repeat(30));
    let short = part("Lights", "A light stands on land, and says by its colour on which side to pass.");
    let left = at("https://site.example/parts", &format!("<body><div><div>{long}{short}</div></div>"));
    assert!(
        left.contains("A buoy") && left.contains("# Lights") && left.contains("A light stands"),
        "{left}"
    );
}

#[test]
fn a_box_that_is_shown_twice_is_said_once() {
    let slide = "<div><section><h3>Sand by the ton</h3><p>Dredged day and night by two ships.</p><ul><li>The new pier<li>The old \
                 harbour and its lights</ul></section></div>";
    let said = below(&format!("<div>{slide}{slide}<div><div>{slide}</div></div></div>"));
    assert_eq!(said.matches("Sand by the ton").count(), 1, "{said}");
    assert!(said.contains("harbour and its lights"), "{said}");
    let cell = format!("<td>{}</td>", "sand ".repeat(20));
    let table = below(&format!("<table><tr><th>May<th>June<tr>{cell}{cell}</table>"));
    assert_eq!(table.matches("sand").count(), 40, "{table}");
}

#[test]
fn parts_of_an_article_stay() {
    for (extra, stays) in [
        ("<p>In numbers:</p><ul><li><a href=/a>Sand by the ton</a></ul>", "Sand by the ton"),
        ("<p>数字：</p><div><ul><li><a href=/a>Sand by the ton</a></ul></div>", "Sand by the ton"),
        (
            "<ul><li>Two ships</ul><div><h3><a href=/a>Sand by the ton</a></h3></div><p>A long story.",
            "Sand by the ton",
        ),
        ("<ul><li>Two ships<li><p><a href=/a>Sand by the ton</a></p></ul>", "Sand by the ton"),
        ("<ul><li>Two ships<li><div><div><a href=/a>Sand by the ton</a></div></div></ul>", "Sand by the ton"),
        ("<table><tr><td>Two ships<td><div><p><a href=/a>Sand</a></p></div></table>", "[Sand]"),
        ("<table><tr><th>Two ships<th><p><a href=/a>Sand</a></p></table>", "[Sand]"),
        ("<dl><dt><div><a href=/a>Sand by the ton</a></div><dd>Two ships</dl>", "Sand by the ton"),
        (
            "<h2>Downloads</h2><ul><li><a href=/a>Sand by the ton</a></ul><p>The charts of the harbour were drawn again \
             after the storm, and the old ones are of no use to anyone.</p>",
            "Sand by the ton",
        ),
        (
            "<h2>More on dredgers</h2><p>They were built in a yard up the coast, and each of them moves a ton a minute.</p>",
            "They were built",
        ),
        (
            "<h2>Related work</h2><p>Storms of the last century were described by the <a href=/b>old masters</a>.</p>",
            "old masters",
        ),
        ("<table class=meta><tr><th>Date<th>Sand<tr><td>3 May<td>2 t</table>", "2 t"),
        (
            "<p>The master reported on <time>3 May</time> <span class=date>2024</span> that all is well.</p>",
            "2024",
        ),
    ] {
        assert!(below(extra).contains(stays), "{extra}: {}", below(extra));
    }
}

#[test]
fn a_link_between_the_parts_of_an_article_is_none_of_it() {
    let left = below("<ul><li>Two ships</ul><div><a href=/a>The new pier</a></div><ul><li>Forty men</ul>");
    assert!(left.contains("Two ships") && left.contains("Forty men") && !left.contains("pier"), "{left}");
}

#[test]
fn documentation_keeps_its_pictures_and_sections() {
    let extra = "<h2>Related topics</h2><ul><li><a href=/a>Levels</a></ul><img src=a.png alt='The gate'>";
    let html = format!("<body><main><h1>Gates</h1>{PROSE}{extra}</main>");
    let markdown = at("https://site.example/docs/gates", &html);
    assert!(markdown.contains("Levels") && markdown.contains("![The gate]"), "{markdown}");
}

#[test]
fn the_posts_of_a_discussion_stay() {
    let post = |name: &str, text: &str| {
        format!(
            "<article class=post><div class=message-userExtras><dl><dt>Posts<dd>1,204</dl></div><h4>{name}</h4>\
             <p>Re: Which anchor of all?</p><div class=comments-body><p>{text}</p></div><div class=signature>Sent from a boat</div></article>"
        )
    };
    let html = format!(
        "<body><h1>Which anchor?</h1><div id=comments>{}{}</div>",
        post("Ann", "Which anchor holds in soft sand when the tide turns twice a night?"),
        post("Bob", "A wide one on a long chain. Mine has held for twenty years in all weathers.")
    );
    let markdown = at("https://site.example/threads/anchor.12/", &html);
    for stays in ["Ann", "soft sand", "Bob", "twenty years"] {
        assert!(markdown.contains(stays), "{markdown}");
    }
    assert_eq!(markdown.matches("Re: Which").count(), 1, "{markdown}");
    for goes in ["1,204", "Sent from"] {
        assert!(!markdown.contains(goes), "{markdown}");
    }
}

#[test]
fn grids_of_products_are_no_menus() {
    let card = |n: u8| {
        format!(
            "<li><a href=/p/{n}><img src={n}.jpg alt=x><h3>Anchor of {n} kg, galvanised</h3></a><a href=/p/{n}>${n}9</a>"
        )
    };
    let cards: String = (1..9).map(card).collect();
    let html = format!("<body><div class=shop><h2>All anchors</h2><ul class=grid>{cards}</ul></div>");
    let markdown = at("https://site.example/anchors", &html);
    assert!(markdown.contains("Anchor of 3 kg") && markdown.contains("$39"), "{markdown}");
}

#[test]
fn names_in_an_api_that_are_words_of_buttons_stay() {
    for (html, kept) in [
        (
            "<h1><span><span>search</span></span></h1><p>Looks for a boat.</p>",
            "# search\n\nLooks for a boat.",
        ),
        (
            "<p>fun <a href=/f><span>follow</span><wbr><span>Links</span></a></p>",
            "fun [followLinks](https://site.example/f)",
        ),
        (
            "<p>fun <a href=/f><span>auto</span><wbr><span>Save</span></a></p>",
            "fun [autoSave](https://site.example/f)",
        ),
        ("<p>fun <a href=/f>save</a>()</p>", "fun [save](https://site.example/f)()"),
        ("<div><p>fun open()</p><a href=/f>Save</a></div>", "fun open()"),
        ("<div><p>fun open()</p><span>Save</span></div>", "fun open()"),
    ] {
        assert_eq!(below(html), kept, "{html}");
    }
}
