//! In which languages a site is, and which of them counts.

use super::*;

#[test]
fn declared_translations_are_left_out() {
    let mut frontier = frontier(10);
    frontier.next();
    let mut home = page(vec![link("/de/preise", LinkPlace::Content), link("/prices", LinkPlace::Content)]);
    home.translations = vec![("de".to_owned(), url("/de/")), ("en".to_owned(), url("/"))];
    frontier.offer_page(&url("/"), &home);
    frontier.settle(&url("/"), Outcome::Kept);
    assert_eq!(drain(&mut frontier), ["/prices"]);
    assert_eq!(frontier.counts().left_out.get(&LeftOut::Language), Some(&1));
}

#[test]
fn a_page_to_choose_a_language_on_begins_with_that_of_the_site() {
    let mut frontier = frontier(10);
    frontier.next();
    let choices = [("English", "/en/"), ("\u{7b80}\u{4f53}\u{4e2d}\u{6587}", "/zh-cn/"), ("Deutsch", "/de/")];
    let choices =
        choices.map(|(text, path)| PageLink { text: text.to_owned(), ..link(path, LinkPlace::Content) });
    frontier.offer_page(
        &url("/"),
        &Page {
            markdown: choices.each_ref().map(|link| link.text.as_str()).join(" "),
            ..page(choices.into())
        },
    );
    frontier.settle(&url("/"), Outcome::Kept);
    assert_eq!(drain(&mut frontier), ["/en/"]);
}

#[test]
fn every_language_that_is_left_out_is_told_with_its_home_page() {
    let mut frontier = frontier(10);
    let mut home = page(vec![
        PageLink { text: "Deutsch".to_owned(), ..link("/de/", LinkPlace::Margin) },
        PageLink { text: "preise".to_owned(), ..link("/de/preise", LinkPlace::Content) },
        PageLink { text: "Fran\u{e7}ais".to_owned(), ..link("/fr-fr/start", LinkPlace::Margin) },
        PageLink { text: "Accueil".to_owned(), ..link("/fr-fr/", LinkPlace::Margin) },
        PageLink { text: "\u{1f1ee}\u{1f1f9}".to_owned(), ..link("/it/", LinkPlace::Margin) },
        PageLink { text: "undefined".to_owned(), ..link("/es/", LinkPlace::Margin) },
        PageLink { text: "undefined".to_owned(), ..link("/pl/", LinkPlace::Margin) },
        PageLink { text: "Forno".to_owned(), ..link("/pt/oven", LinkPlace::Content) },
        PageLink { text: "Begin".to_owned(), ..link("/nl/begin", LinkPlace::Content) },
        link("/guide", LinkPlace::Content),
    ]);
    home.translations = ["de", "x-default", "en", "it", "es", "pl"]
        .map(|tag| (tag.to_owned(), url(&format!("/{tag}/"))))
        .to_vec();
    // One that is declared stays, whatever else of its language is linked to, as long as it does not stand above that.
    let declared = [("pt", "/pt/kilns/start"), ("nl", "/nl.html")];
    home.translations.extend(declared.map(|(tag, path)| (tag.to_owned(), url(path))));
    frontier.next();
    frontier.offer_page(&url("/"), &home);
    frontier.settle(&url("/"), Outcome::Kept);
    let told = frontier
        .into_structure()
        .translations()
        .iter()
        .map(|t| format!("{} {}", t.name, t.url.path()))
        .collect::<Vec<_>>();
    assert_eq!(
        told,
        [
            "Deutsch /de/",
            "Italiano /it/",
            "Español /es/",
            "Polski /pl/",
            "Português /pt/kilns/start",
            "Nederlands /nl.html",
            "Accueil /fr-fr/"
        ]
    );
}

#[test]
fn translations_of_a_sitemap_wait_for_the_language_of_the_home_page() {
    let mut frontier = frontier(10);
    let alternates = vec![("en".to_owned(), url("/a")), ("de".to_owned(), url("/de/a"))];
    frontier.offer_sitemap(
        0,
        &[
            sitemap::Entry { url: url("/a"), alternates },
            sitemap::Entry { url: url("/de/b"), alternates: Vec::new() },
        ],
    );
    frontier.next();
    frontier.offer_page(&url("/"), &page(Vec::new()));
    frontier.settle(&url("/"), Outcome::Kept);
    assert_eq!(drain(&mut frontier), ["/a"]);
    assert_eq!(frontier.counts().left_out.get(&LeftOut::Language), Some(&2));
}

#[test]
fn a_page_in_another_language_that_only_the_menu_shows_is_the_sites() {
    let french = "Le four est chauffé pendant un jour et une nuit avant la cuisson des pots, et il refroidit aussi longtemps. ";
    let english =
        "The kiln is heated for a day and a night before the pots are fired, and it cools for as long. ";
    let mut frontier = frontier(10);
    frontier.next();
    let shown = ["/ateliers", "/visite-fr.html", "/guide/", "/guide/kilns"]
        .map(|path| link(path, LinkPlace::Navigation));
    let home = page(shown.into_iter().chain([link("/passant", LinkPlace::Content)]).collect());
    frontier.offer_page(&url("/"), &Page { markdown: english.repeat(9), ..home });
    frontier.settle(&url("/"), Outcome::Kept);
    let mut judged = |path: &str, language: &str, text: &str| {
        let page = Page { markdown: text.repeat(9), language: Some(language.to_owned()), ..Page::default() };
        frontier.offer_page(&url(path), &page);
        frontier.judge(&url(path), &page)
    };
    assert_eq!(judged("/guide/", "en", english), None);
    assert_eq!(judged("/guide/kilns", "en", english), None);
    assert_eq!(judged("/ateliers", "fr", french), None);
    assert_eq!(judged("/visite-fr.html", "fr", french), Some(Outcome::LeftOut(LeftOut::Language)));
    assert_eq!(judged("/passant", "fr", french), Some(Outcome::LeftOut(LeftOut::Language)));
}
