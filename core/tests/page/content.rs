//! What of a page is its content, by where its text and its links are.

use super::support::page_at;

const PROSE: &str = "Clay is dug in autumn, left to the frost for a winter, and wedged by hand until no air is left in \
                     it, which takes longer than anybody who has never done it would believe.";

/// The Markdown of a page that no generator of documentation made.
fn markdown(html: &str) -> String {
    page_at("https://site.example/kilns", html).markdown
}

#[test]
fn titles_of_other_pages_are_the_content_of_a_page_that_lists_them() {
    let titles =
        ["A kiln that burns nothing but pruned wood", "The potters of the coast and their blue glaze"];
    let card = |title: &str| format!("<div><a href=/a><h2>{title}</h2></a></div>");
    let cards: String = titles.into_iter().cycle().take(12).map(card).collect();
    let box_of_text = "<div><div><div><p>Write to us.</p></div></div></div>";
    let written = markdown(&format!("<body><div>{cards}</div>{box_of_text}</body>"));
    assert!(titles.iter().all(|title| written.contains(title)), "{written}");
}

#[test]
fn the_one_card_with_a_text_is_not_all_of_a_list() {
    let cards = |lead: &str| {
        let card = |n: u8| {
            format!("<article><a href=/{n}><h2>Kiln {n} on the coast is lit again</h2></a></article>")
        };
        let others: String = (1..6).map(card).collect();
        format!(
            "<main><article><a href=/0><h2>Kiln 0 on the coast is lit again</h2></a><p>{lead}</p></article>{others}</main>"
        )
    };
    assert!(markdown(&cards("The potters return to the oldest of them.")).contains("Kiln 5"));
    assert!(!markdown(&cards(&PROSE.repeat(4))).contains("Kiln 5"));
}

#[test]
fn a_page_begins_before_a_late_tag_of_its_body() {
    let html = format!("<div><body><p>Logo</p></div><div><h1>Kilns</h1><p>{PROSE}</p></div></body>");
    assert_eq!(markdown(&html), format!("# Kilns\n\n{PROSE}"));
}

#[test]
fn a_menu_says_less_than_its_page() {
    let menu =
        (0..60).map(|n| format!("<li><a href=/{n}>Glaze number {n}</a></li>")).collect::<Vec<_>>().concat();
    let written =
        markdown(&format!("<body><div><ul>{menu}</ul></div><div><div><p>{PROSE}</p></div></div></body>"));
    assert_eq!(written, PROSE);
}

#[test]
fn introductions_of_references_stay() {
    let members = (0..9)
        .map(|n| format!("<div><p><code>fire{n}</code></p><p>{PROSE}</p></div>"))
        .collect::<Vec<_>>()
        .concat();
    let head = "Functions that fire a kiln, for wood and for gas, from the first spark to the last.";
    let html = format!("<body><div><div>{head}</div><div><h2>Members</h2>{members}</div></div></body>");
    assert!(markdown(&html).starts_with(&format!("{head}\n\n## Members")), "{}", markdown(&html));
    let prose = members.replace("code>", "i>");
    let html = format!("<body><div><div>{head}</div><div><h2>Members</h2>{prose}</div></div></body>");
    assert!(markdown(&html).starts_with("## Members"), "{}", markdown(&html));
}

#[test]
fn an_introduction_with_the_title_before_the_main_part_stays_however_long() {
    let step = |n: u8| format!("<section><h2>Step {n}</h2><p>Step {n}: {PROSE}</p></section>");
    let steps: String = (0..3).map(step).collect();
    let told = "An introduction that is told before any step.";
    let introduction = format!("<h1>Kilns</h1><div><p>{told} {PROSE}</p></div>");
    let written =
        markdown(&format!("<body><div><section>{introduction}</section><main>{steps}</main></div></body>"));
    assert!(written.contains(told) && written.contains("Step 2:"), "{written}");
    let linked = introduction.replace(told, &format!("<a href=/a>{told} {PROSE}</a>"));
    let written =
        markdown(&format!("<body><div><section>{linked}</section><main>{steps}</main></div></body>"));
    assert!(!written.contains(told) && written.contains("# Kilns"), "{written}");
}

#[test]
fn a_closed_panel_is_content_and_what_is_there_for_the_eye_is_not() {
    let text = "Whoever throws a bowl wets the wheel first. ".repeat(12);
    let read = |part: &str| markdown(&format!("<main><h1>Bowls</h1><p>{text}</p>{part}</main>"));
    let around = format!("# Bowls\n\n{}", text.trim_end());
    let panel = format!("<h2>How is clay made?</h2><div aria-hidden=true><p>{PROSE}</p></div>");
    assert_eq!(read(&panel), format!("{around}\n\n## How is clay made?\n\n{PROSE}"));
    assert_eq!(read("<ul aria-hidden=true><li>Blue<li>Green</ul>"), around);
    assert_eq!(read(&format!("<div aria-hidden=true style='display:none'><p>{PROSE}</p></div>")), around);
}

#[test]
fn listings_that_are_folded_beside_what_they_define_go() {
    let html = format!(
        "<main><h2>fire()</h2><p>{PROSE}</p><div class=method-source-code><pre>def fire; end</pre></div>\
         <div class=sourceCode><pre><code>kiln.fire</code></pre></div></main>"
    );
    assert_eq!(markdown(&html), format!("## fire()\n\n{PROSE}\n\n```\nkiln.fire\n```"));
    let listing = "<div class=code><pre>def fire; end</pre></div>";
    let label = "<label for=s1><span>View Source</span></label>";
    let html = format!(
        "<main><section><h1>Kilns</h1><input id=s1 type=checkbox>{label}{listing}</section><section>\
         <div><b>fire()</b> {label}</div><a href=#fire></a>{listing}<p>{PROSE}</p>{listing}</section></main>"
    );
    assert_eq!(markdown(&html), format!("# Kilns\n\n**fire()**\n\n{PROSE}\n\n```\ndef fire; end\n```"));
}

#[test]
fn a_name_that_most_of_a_text_has_is_one_of_its_layout() {
    for class in ["skip-item", "card subscription-eligible", "meta", "cards hide-read-more-ad"] {
        let part = |n: u8| format!("<div class='{class}'><h2>Part {n}</h2><p>{n} {PROSE}</p></div>");
        let parts: String = (0..12).map(part).collect();
        let html = format!("<div>{parts}<div class='skip-note'><p>Jump to the wheel.</p></div></div>");
        let written = markdown(&html);
        assert!((0..12).all(|n| written.contains(&format!("{n} Clay"))), "{written}");
        assert!(!written.contains("Jump"), "{written}");
    }
}

#[test]
fn the_terms_of_a_consent_are_no_page_however_long_they_are() {
    let terms = format!(
        "<div class=cookie-consent><h2>Your choice</h2>{}</div>",
        format!("<p>{PROSE}</p>").repeat(9)
    );
    let html = format!("<body><main><h1>Kilns</h1><p>{PROSE}</p></main>{terms}</body>");
    assert_eq!(markdown(&html), format!("# Kilns\n\n{PROSE}"));
}

#[test]
fn a_main_part_without_most_of_the_page_is_not_all_of_it() {
    let cards = |from: u8| {
        let card = |n: u8| format!("<div><h2>Kiln {n}</h2><p>{n} {PROSE}</p></div>");
        (from..from + 8).map(card).collect::<String>()
    };
    let lead = format!("<main><h1>Kilns</h1><p>{PROSE}</p></main>");
    let html = format!("<body><div>{lead}<div>{}{}</div></div></body>", cards(0), cards(8));
    assert!(markdown(&html).contains("## Kiln 15"), "{}", markdown(&html));
}

#[test]
fn what_one_may_choose_is_no_text_however_long_it_is() {
    let choices = "<option>The kiln on the hill</option>".repeat(200);
    let html =
        format!("<main><h1>Kilns</h1><div><select>{choices}</select></div><div><p>{PROSE}</p></div></main>");
    assert_eq!(markdown(&html), format!("# Kilns\n\n{PROSE}"));
}

#[test]
fn a_frame_in_a_noscript_ends_with_it() {
    let html = format!("<body><noscript><iframe src=x.html /></noscript><main><p>{PROSE}</p></main></body>");
    assert_eq!(markdown(&html), PROSE);
}

#[test]
fn tools_go_from_pages_of_any_kind() {
    let html = format!("<main><h2>Kilns <a href=/src>Source</a></h2><p>{PROSE}</p></main>");
    assert_eq!(markdown(&html), format!("## Kilns\n\n{PROSE}"));
}

#[test]
fn a_footer_closes_a_reference_however_short_that_is() {
    let read = |part: &str| {
        page_at("https://site.example/docs/kilns", &format!("<main><h1>fire</h1>{part}</main>")).markdown
    };
    let terms = format!("<td><div class=copyright-footer>Copyright: <p>{PROSE}</p></div>");
    assert_eq!(
        read(&format!("<p>{PROSE}</p><table><tr><td>{terms}</table><hr>")),
        format!("# fire\n\n{PROSE}\n\n---")
    );
    let table = format!("<table><tr><td>{}</table>", terms.replace("copyright-footer", "terms"));
    assert_eq!(read(&table), format!("# fire\n\nCopyright:\n\n{PROSE}"));
    let below = format!("<table><tr><td>{terms}</table><p>{PROSE}</p>");
    assert!(read(&below).contains("Copyright"), "{}", read(&below));
}

#[test]
fn rows_that_turn_pages_and_switches_of_listings_are_tools() {
    let read = |part: &str| {
        page_at("https://site.example/docs/kilns", &format!("<main>{part}<p>{PROSE}</p></main>")).markdown
    };
    for row in [
        "<h1>Kilns</h1><div>&larr; prev <a href=/b>up</a> <a href=/c>next &rarr;</a></div>",
        "<h1>Kilns</h1><ul><li><a href=/b>Previous</a><li><a href=/c>Next</a></ul>",
        "<table><tr><td><img src=logo.png alt=Potters><td><a href=/>Home</a><td><a href=/faq>FAQ</a></table><h1>Kilns</h1>",
    ] {
        assert_eq!(read(row), format!("# Kilns\n\n{PROSE}"), "{row}");
    }
    let member =
        "<div><span>fire</span><span>(kiln)</span> <span class=advice>click to toggle source</span></div>";
    assert_eq!(read(member), format!("fire(kiln)\n\n{PROSE}"));
    for text in ["<p><a href=/n>next()</a></p>", "<p>Read the <a href=/n>next</a> part.</p>"] {
        assert!(read(text).contains("[next"), "{}", read(text));
    }
    let menu = "<h1>Kilns</h1><ul><li><a href=/b accesskey=1>Wood</a><li><a href=/c accesskey=2>Gas</a></ul>";
    assert!(read(menu).contains("[Gas]"), "{}", read(menu));
}

#[test]
fn a_heading_that_links_to_itself_keeps_its_text_alone() {
    for link in ["<a href=#hot-kilns><span class=sr-only>Link to heading</span></a>", "<a href=#k1>Link</a>"]
    {
        let html = format!("<main><h2 id=k1>Hot kilns {link}</h2><p>{PROSE}</p></main>");
        assert_eq!(markdown(&html), format!("## Hot kilns\n\n{PROSE}"), "{link}");
    }
    let html = format!(
        "<main><h2><a href=#k1><i></i><span class=sr-only>Link to this part</span></a> Hot kilns</h2><p>{PROSE}</p></main>"
    );
    assert_eq!(markdown(&html), format!("## Hot kilns\n\n{PROSE}"));
    let html = format!("<main><h2><a href=#hot>Hot</a> and <a href=#cold>cold</a></h2><p>{PROSE}</p></main>");
    assert!(markdown(&html).starts_with("## Hot and cold"), "{}", markdown(&html));
}

#[test]
fn what_an_icon_says_to_ears_alone_is_no_text() {
    let icon = "<span><svg aria-hidden=true></svg><span class=external-link-icon-sr-only>open in new window</span></span>";
    let html = format!(
        "<main><h1>Kilns</h1><p>{PROSE} See <a href=https://kiln.example/>their site{icon}</a>.</p></main>"
    );
    assert!(markdown(&html).ends_with("See [their site](https://kiln.example/)."), "{}", markdown(&html));
}

#[test]
fn a_directory_of_nothing_but_a_menu_is_content() {
    let html = "<body><header><h1>Dishes</h1><nav><a href=/>Home</a></nav></header><nav aria-label=Directory><h3>Breakfast</h3>\
                <ul><li><a href=/r/a>Pancakes</a><li><a href=/r/b>Oats</a></ul></nav><footer>Ours</footer></body>";
    assert!(
        markdown(html).contains("### Breakfast\n\n- [Pancakes](https://site.example/r/a)"),
        "{}",
        markdown(html)
    );
}

#[test]
fn a_page_that_says_little_is_neither_its_menu_nor_its_footer() {
    let entry = |n: u8| format!("<li><a href=/{n}>Glaze {n}</a>");
    let menu: String = (0..40).map(entry).collect();
    let menu = format!("<nav><h3>Chapters</h3><ul>{menu}</ul></nav>");
    let footer = format!("<footer><div>{PROSE}</div></footer>");
    let read = |part: &str| markdown(&format!("<body><div>{part}</div>{footer}</body>"));
    let little = "<h1>Kilns</h1><h4>Version 8</h4>";
    let written = "# Kilns\n\n#### Version 8";
    assert_eq!(read(&format!("<aside>{menu}</aside><div><div>{little}</div></div>")), written);
    assert_eq!(read(&format!("{menu}<main>{little}</main>")), written);
    assert!(
        read(&format!("<main><h1>Glazes</h1>{menu}</main>")).ends_with("[Glaze 39](https://site.example/39)")
    );
}

#[test]
fn a_menu_with_headings_or_numbers_is_no_text_either() {
    let text = format!("<h1>Kilns</h1><p>{PROSE}</p>");
    let read = |menu: &str| {
        markdown(&format!(
            "<body><div><div id=navigation>{menu}</div><div>{text}</div></div><div>&nbsp;</div>"
        ))
    };
    let entry = |n: u8| format!("<li><a href=/{n}>The kiln at bend {n} of the river Avon</a>");
    let entries: String = (0..9).map(entry).collect();
    let row = |n: u8| format!("<tr><td>{n}&nbsp;</td><td><a href=/{n}>The kiln at bend {n}</a></td></tr>");
    let rows: String = (0..200).map(row).collect();
    let written = format!("# Kilns\n\n{PROSE}");
    assert_eq!(read(&format!("<h1>Potters</h1><h2>Kilns</h2><ul>{entries}</ul>")), written);
    assert_eq!(read(&format!("<table>{rows}</table>")), written);
}

#[test]
fn what_is_hidden_is_no_page_however_long_it_is() {
    let help = format!("<noscript><h1>No search</h1></noscript>{}", format!("<p>{PROSE}</p>").repeat(9));
    let html =
        format!("<body><div style='display: none'>{help}</div><div><h1>Kilns</h1><p>{PROSE}</p></div>");
    assert_eq!(markdown(&html), format!("# Kilns\n\n{PROSE}"));
    // What holds the title too is shown by a script.
    let html = format!("<body><div style='display: none'><h1>Kilns</h1><p>{PROSE}</p></div>");
    assert_eq!(markdown(&html), format!("# Kilns\n\n{PROSE}"));
}

#[test]
fn sections_beside_the_longest_one_stay() {
    let parts =
        format!("<h2>Make</h2><div><p>Short.</p></div><h2>Fire</h2><div><p>{}</p></div>", PROSE.repeat(9));
    let written = markdown(&format!("<body><div class=a><div>{parts}</div></div></body>"));
    assert!(written.contains("## Make\n\nShort.\n\n## Fire"), "{written}");
}

#[test]
fn a_page_full_of_names_of_programs_is_a_reference_wherever_it_is() {
    let member = |n: u8| format!("<dl><dt><code>fire{n}()</code><dd><p>{n}: {PROSE}</p></dl>");
    let members: String = (0..9).map(member).collect();
    let about = "<img src=a.png alt='What they have in common'>";
    let page = |head: &str| markdown(&format!("{head}<body><h1>Kilns</h1>{members}{about}</body>"));
    assert!(page("").contains("in common"));
    // A text on programs is an article all the same where it says so.
    assert!(!page("<meta property=og:type content=article>").contains("in common"));
}

#[test]
fn one_member_of_several_is_not_the_reference() {
    let member = |text: &str| format!("<article><h3><code>fire</code></h3><p>{text}</p></article>");
    let html = format!(
        "<body><h1>Kilns</h1><p>All fires.</p><div>{}{}</div></body>",
        member(&PROSE.repeat(9)),
        member("Short.")
    );
    let written = page_at("https://site.example/docs/kilns", &html).markdown;
    assert!(written.starts_with("# Kilns\n\nAll fires.") && written.contains("Short."), "{written}");
}

#[test]
fn a_title_of_the_second_level_beside_the_members_stays() {
    let members = format!("<div><h3>fire</h3><pre>fire()</pre><p>{PROSE}</p></div>").repeat(3);
    let html = format!("<body><div><h2>Class Kiln</h2></div><div><div>{members}</div></div></body>");
    let written = page_at("https://site.example/docs/kilns", &html).markdown;
    assert!(written.starts_with("## Class Kiln\n\n### fire"), "{written}");
}

#[test]
fn a_reference_goes_on_around_its_longest_part() {
    let members = format!("<div><h3>fire</h3><pre>fire()</pre><p>{PROSE}</p></div>").repeat(9);
    let all = format!("<div><div>Short.</div><div class=details>{members}</div></div>");
    let read = |html: String| page_at("https://site.example/docs/kilns", &html).markdown;
    let title = "<div class=header><div>Package <a href=/kilns>org.example.pottery.kilns</a></div><h2>Class Kiln</h2></div>";
    let written = read(format!("<body><main>{title}{all}</main>"));
    assert!(written.contains("## Class Kiln\n\nShort.\n\n### fire"), "{written}");
    let last = "<div><div><code>cool(kiln)</code></div><div>Lets a kiln cool down, which takes longer than to fire it.</div></div>";
    let written = read(format!("<body><div><div><h1>Kilns</h1></div><div>{members}</div>{last}</div>"));
    assert!(written.starts_with("# Kilns") && written.contains("`cool(kiln)`"), "{written}");
}

#[test]
fn links_that_declare_something_are_no_menu() {
    let read = |list: &str| {
        let html = format!("<body><h1>Kilns</h1><p>{PROSE}</p><ul>{list}</ul><p>{PROSE}</p>");
        page_at("https://site.example/docs/kilns", &html).markdown
    };
    for list in [
        "<li><a href=k#fire>fire(kiln)</a><li><a href=k#cool>cool(kiln)</a>",
        "<li>= <a href=k>Kiln</a> <a href=f>Fuel</a><li>| <a href=o>Oven</a>",
        "<li><a href=k#fire>fire</a> :: <a href=k>Kiln</a> <a href=f>Fuel</a>",
    ] {
        assert!(read(list).contains("- "), "{}", read(list));
    }
    let set = "<span>var </span><a href=heat>temperature</a><span>: </span><a href=/degree>Degree</a>";
    let html = format!(
        "<body><div><div><h1>heat</h1></div><div><div><div class=\"symbol monospace\">{set}</div><p>How hot it is, in degrees, \
         when it is fired with wood, and how hot when it is fired with gas, which takes longer.</p></div></div></div>"
    );
    let page = page_at("https://site.example/heat.html", &html);
    assert!(
        page.markdown.starts_with("# heat\n\n```\nvar temperature: Degree\n```\n\nHow hot"),
        "{}",
        page.markdown
    );
    for list in ["<li><a href=/a>Kilns(12)</a><li><a href=/b>Ovens(3)</a>", "<li><a href=/a>Kiln(s)</a>"] {
        assert!(!read(list).contains("- "), "{}", read(list));
    }
}

#[test]
fn a_book_says_what_all_its_chapters_hold() {
    let place = |n: u8| format!("<li><a href=fire.html#{n}>Step {n}</a>");
    let places: String = (0..18).map(place).collect();
    let chapter = |name: &str| format!("<li><a href={name}.html>{name}</a>");
    let html = format!(
        "<body><h1>Kilns</h1><p>{PROSE}</p><p>{PROSE}</p><ul class=toc>{}<ul class=toc>{places}</ul>{}</ul>",
        chapter("fire"),
        chapter("cool")
    );
    let written = page_at("https://site.example/docs/kilns/", &html).markdown;
    assert!(written.contains("[cool]") && written.contains("[Step 17]"), "{written}");
}

#[test]
fn a_column_of_links_before_the_text_is_a_menu_however_long() {
    let entry = |n: u16| format!("<li><a href=/kilns/{n}>The kiln at bend {n} of the river</a></li>");
    let menu: String = (0..200).map(entry).collect();
    let page = |columns: &str| markdown(&format!("<main><div>{columns}</div></main>"));
    let (menu, text) =
        (format!("<div><ul>{menu}</ul></div>"), format!("<div><h1>Kilns</h1><p>{PROSE}</p></div>"));
    assert!(!page(&format!("{menu}{text}")).contains("bend 7"));
    // What a heading stands before is what the page lists.
    assert!(page(&format!("{text}{menu}")).contains("bend 7"));
}

#[test]
fn what_stands_with_the_title_among_buttons_comes_along() {
    let lead = "Kilns of free bricks for potters on the <a href=/coast>coast</a>, and for all who burn wood.";
    let hero = format!(
        "<div><h1>Kilns</h1><p>{lead}</p><p><a href=/a>Get the bricks</a> <a href=/b>Light it at once</a></p></div>"
    );
    let card = |n: u8| format!("<div><h2>Kiln {n}</h2><p>{PROSE}</p></div>");
    let cards: String = (0..6).map(card).collect();
    let written = markdown(&format!("<main>{hero}<div>{cards}</div></main>"));
    assert!(written.starts_with("# Kilns\n\nKilns of free bricks"), "{written}");
    assert!(!written.contains("Get the bricks") && written.contains("## Kiln 5"), "{written}");
}

/// A page of news as they were made with tables and line breaks: the text in one column, headlines of others in the next one.
fn news(article: &str, beside: &str) -> String {
    let row =
        |title: &str| format!("<a href=/{title}>Potters of the {title} coast light their kiln again</a><br>");
    let headlines: String = ["north", "south", "east", "west", "far", "near", "old", "new"].map(row).concat();
    let headlines = headlines.repeat(6);
    format!(
        "<head><title>The oldest kiln of the coast burns again</title></head><body><table><tr>\
         <td>The oldest kiln of the coast burns again<br><br>{article}</td><td>{beside}{headlines}</td></tr></table></body>"
    )
}

#[test]
fn the_text_of_an_article_is_found_beside_columns_of_headlines() {
    let article = format!("{PROSE}<br><br>").repeat(5);
    let written = markdown(&news(&article, ""));
    assert!(written.contains("burns again") && written.contains(PROSE), "{written}");
    assert!(!written.contains("light their kiln"), "{written}");
    // Goods with their pictures are what a text above them is about.
    let goods = "<a href=/pot><img src=pot.jpg alt=Pot></a>".repeat(30);
    assert!(markdown(&news(&article, &goods)).contains("light their kiln"));
    // Nor is a text of a few lines all of a page.
    assert!(markdown(&news(PROSE, "")).contains("light their kiln"));
}

#[test]
fn the_text_of_a_page_stays_whatever_its_names_say() {
    let links =
        "<p><a href=/a>The potters of the coast and their blue glaze, seen by those who buy it</a></p>"
            .repeat(30);
    let text = format!("<p>{PROSE}</p>").repeat(6);
    let html = format!("<body><h1>Kilns</h1><div><div class=gallery>{text}</div>{links}</div></body>");
    assert!(markdown(&html).contains(PROSE));
}

#[test]
fn comments_go_whatever_else_their_name_says() {
    let text = format!("<p>{PROSE}</p>").repeat(3);
    let of = |name: &str| {
        let said = "<p>I have seen it burn, and it was as hot as they say.</p>".repeat(4);
        markdown(&format!("<body><main><h1>Kilns</h1>{text}<div class='{name}'>{said}</div></main></body>"))
    };
    for name in ["comments-area", "reader-comments", "commentlist", "article__comments"] {
        assert!(!of(name).contains("as they say"), "{name}");
    }
    assert!(of("comment").contains("as they say"), "what one reader says may be the page");
    let section = "<div class=section id=s-comments><span id=comments></span><h2>Comments</h2><p>A comment begins with a sign.</p></div>";
    let manual =
        page_at("https://docs.site.example/kilns", &format!("<main><h1>Kilns</h1>{text}{section}</main>"));
    assert!(manual.markdown.contains("begins with a sign"), "{}", manual.markdown);
}

#[test]
fn the_name_of_an_article_comes_along_whatever_its_level() {
    let text = format!("<p>{PROSE}</p>").repeat(5);
    let row = "<p><a href=/a>The potters of the coast light their old kilns again</a></p>".repeat(30);
    let html = format!(
        "<head><title>Coast: The oldest kiln burns again</title></head><body><div><h2>The oldest kiln burns again</h2>\
         <div>{text}</div><div>{row}</div></div></body>"
    );
    let written = markdown(&html);
    assert!(
        written.starts_with("## The oldest kiln burns again") && !written.contains("their old"),
        "{written}"
    );
}
