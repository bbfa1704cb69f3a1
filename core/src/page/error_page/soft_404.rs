//! Soft 404s by their wording: pages that say that there is no such page, served with status 200.

use super::plain;
use crate::phrases::list;

/// Bytes of the name of such a page.
const MAX_NAME: usize = 60;
/// Bytes of Markdown in which the name alone says enough, where it names a page.
const BARE: usize = 300;
/// The same where the name may be about something else that is not found.
const BARE_STATUS: usize = 120;
/// Bytes of Markdown that such a page has at most, with its excuse and its ways out.
const MAX_MARKDOWN: usize = 800;

/// Whether a page with these names says that there is no page.
pub(super) fn is_soft_404(names: &[&str], markdown: &str) -> bool {
    if markdown.len() > MAX_MARKDOWN || markdown.contains("```") {
        return false;
    }
    let Some(missing) = names.iter().filter(|name| name.len() <= MAX_NAME).find_map(|name| missing(name))
    else {
        return false;
    };
    let bare = if missing == Missing::Page { BARE } else { BARE_STATUS };
    let text = plain(markdown);
    markdown.len() <= bare || EXCUSES.iter().any(|excuse| text.contains(excuse))
}

/// What a name says is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    /// A page.
    Page,
    /// Something: it may be the subject of the page.
    Something,
}

fn missing(name: &str) -> Option<Missing> {
    let name = plain(name).replace('\'', "");
    let said = telling(&name).collect::<Vec<_>>().join(" ");
    if PAGES.contains(&said.as_str()) {
        Some(Missing::Page)
    } else if said == "not found" || said.is_empty() && name.contains("404") {
        Some(Missing::Something)
    } else {
        None
    }
}

/// The words of a name that say something: what is a filler in one language ("oh no") is not in another.
fn telling(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && !FILLERS.contains(word))
}

/// Words beside what is said.
const FILLERS: &[&str] = list! {
    "404" "http" "error" "status" "code" "oops" "ooops" "oh" "no" "whoops" "uh" "sorry" "ups" "the" "that"
    "this" "your" "requested" "web" "erreur" "fehler" "errore" "erro" "fout" "die" "la" "el" "a" "ошибка"
};

/// How it is said that a page is not there, without the fillers.
const PAGES: &[&str] = list! {
    "page not found" "page cant be found" "page cannot be found" "page can not be found"
    "page could not be found" "page couldnt be found" "page was not found" "page wasnt found"
    "page doesnt exist" "page does not exist" "page not available" "page is not available"
    "page isnt available" "page missing" "page is missing" "file not found" "document not found"
    "content not found" "we cant find page" "we couldnt find page" "we could not find page"
    "page you are looking for was not found" "page youre looking for cant be found" "seite nicht gefunden"
    "seite wurde nicht gefunden" "seite konnte nicht gefunden werden" "page introuvable"
    "page non trouvée" "página encontrada" "página não encontrada" "pagina non trovata"
    "pagina niet gevonden" "nie znaleziono strony" "strona nie została znaleziona" "stránka nenalezena"
    "sidan hittades inte" "sidan kunde inte hittas" "siden blev ikke fundet" "sivua ei löytynyt"
    "sayfa bulunamadı" "страница не найдена" "сторінку не знайдено" "ページが見つかりません" "找不到页面" "页面不存在" "頁面不存在"
    "페이지를 찾을 수 없습니다"
};

/// What such pages say to their readers.
const EXCUSES: &[&str] = list! {
    "you requested" "you have requested" "you were looking for" "you are looking for" "you're looking for"
    "you tried to" "you followed" "we couldn't find" "we could not find" "we can't find" "we cannot find"
    "page not found" "page could not be found" "page couldn't be found" "page can't be found"
    "page doesn't exist" "page does not exist" "this page is no longer" "requested url" "requested page"
    "requested resource" "may have been moved" "might have been moved" "may have moved" "check the url"
    "check the address" "mistyped" "back to home" "back to the home" "return home" "return to the home"
    "go to the home" "zur startseite" "retour à l'accueil"
};

#[cfg(test)]
mod tests {
    use super::super::super::{Page, PageSource, read_html};
    use super::super::ErrorPage;
    use super::{PAGES, telling};
    use crate::url::SiteUrl;
    use crate::work::Work;

    fn page(html: &str) -> Page {
        let url = SiteUrl::parse("https://harbour.example/gone").unwrap();
        read_html(
            &PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() },
            &Work::unbounded(),
        )
        .unwrap()
    }

    #[test]
    fn pages_that_deny_themselves_are_recognised() {
        for html in [
            "<title>Page not found</title><main><h1>Page not found</h1><p>Sorry.</main>",
            "<title>404 | Harbour</title><nav><a href=/>Start</a><a href=/tides>Tides</a></nav><main><h1>404</h1>\
             <p>The page you are looking for might have been removed. <a href=/>Back to home</a></main>",
            "<title>Harbour</title><main><h1>Oops! That page can\u{2019}t be found.</h1>\
             <p>It looks like nothing was found at this location.</main>",
            "<title>P\u{e1}gina no encontrada</title><main><h1>P\u{e1}gina no encontrada</h1></main>",
            "<title>Error 404 - Seite nicht gefunden</title><main><p>Bitte nutzen Sie die Suche.</main>",
            "<title>Not Found</title><h1>Not Found</h1><p>The requested URL /gone was not found on this server.",
        ] {
            assert_eq!(page(html).error_page, Some(ErrorPage::Soft404), "{html}");
        }
    }

    #[test]
    fn what_is_known_has_no_fillers() {
        for known in PAGES {
            assert_eq!(telling(known).collect::<Vec<_>>().join(" "), *known);
        }
    }

    #[test]
    fn pages_about_what_is_not_found_are_pages() {
        let long = "Set the template that visitors see when an address leads nowhere. ";
        for html in [
            format!("<title>Page not found</title><main><h1>Page not found</h1><p>{}</main>", long.repeat(15)),
            "<title>404 Not Found</title><main><h1>404 Not Found</h1><p>The origin server did not find a current \
             representation for the target resource, or is not willing to disclose that one exists. It does not say \
             whether that lasts.</main>"
                .to_owned(),
            "<title>Page not found</title><main><p>Raise it:<pre><code>raise Http404('page not found')</code></pre></main>"
                .to_owned(),
            format!("<title>Lost and found</title><main><h1>Lost and found</h1><p>{long}</main>"),
            "<title>Custom 404 pages</title><main><h1>Custom 404 pages</h1><p>Name one in the settings.</main>".to_owned(),
        ] {
            assert_eq!(page(&html).error_page, None, "{html}");
        }
    }
}
