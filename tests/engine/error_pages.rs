//! Error pages that are served with status 200: bot challenges and soft 404s.

use wayfile_actors::CrawlError;
use wayfile_actors::settings::CrawlSettings;

use crate::support::fake_site::{FakeSite, Reply, page};
use crate::support::{generate, links, run, settings};

const CHALLENGE: &str = "<html><head><title>Just a moment...</title></head><body><h1>harbour.example</h1>\
    <p>Verifying you are human. This may take a few seconds.</p><script>window._cf_chl_opt = {};</script></body></html>";
const DENIED: &str = "<html><head><title>Access Denied</title></head><body><h1>Access Denied</h1>You don't have permission \
    to access this page on this server.<p>Reference #18.2d351ab8.1557333295.a4e16ab</p></body></html>";

#[test]
fn bot_challenge_on_the_home_page_is_a_refusal() {
    run(async {
        for challenge in [CHALLENGE, DENIED] {
            let site = FakeSite::start(move |path| match path {
                "/" => Reply::html(challenge),
                _ => Reply::status(404),
            });
            let error = generate(settings(), &site.url()).await.unwrap_err();
            assert!(matches!(error, CrawlError::Refused(_)), "{error:?}");
            assert!(error.to_string().contains("wall for bots"), "{error}");
            assert_eq!(site.count("/"), 1);
        }
    });
}

#[test]
fn an_answer_marked_as_a_challenge_is_a_refusal_whatever_its_status() {
    run(async {
        for status in [200, 503] {
            let site = FakeSite::start(move |path| match path {
                "/" => Reply::status(status).header("cf-mitigated", "challenge"),
                _ => Reply::status(404),
            });
            let error = generate(settings(), &site.url()).await.unwrap_err();
            assert!(matches!(error, CrawlError::Refused(_)), "{status}: {error:?}");
            assert_eq!(site.count("/"), 1);
        }
    });
}

#[test]
fn error_pages_below_the_home_page_are_lost_and_counted() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/guarded", "/missing", "/captchas", "/fine"]),
            "/guarded" => Reply::html(CHALLENGE),
            "/missing" => Reply::html(
                "<html><title>Page not found | Harbour</title><body><nav><a href=/>Start</a></nav><main><h1>Page not found\
                 </h1><p>The page you were looking for is not here. <a href=/>Back to home</a></p></main></body></html>",
            ),
            "/captchas" => page("Captchas, and how to verify you are human", &[]),
            "/fine" => page("Fine", &[]),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        let mut kept = links(&generated);
        kept.sort();
        assert_eq!(kept, [format!("{}captchas", site.url()), format!("{}fine", site.url())]);
        assert_eq!(generated.stats.failed, 2);
        let note = generated.note.unwrap();
        assert!(note.contains("1 bot wall") && note.contains("1 not found"), "{note}");
    });
}

const FRONT: &str = "<html><head><title>Harbour</title></head><body><main><h1>Welcome aboard</h1><p>Tides, pilots, berths and \
    all there is to know of the harbour. Pick a chapter above, or ask at the office between nine and five.</p></main></body></html>";

/// A home page with links to two pages and to three that are not there; what `other` says is there in their place.
fn with_dead_links(other: fn(&str) -> Reply) -> FakeSite {
    FakeSite::start(move |path| match path {
        "/" => page("Home", &["/tides.html", "/old/a.html", "/old/b.html", "/pilots.html", "/old/c.html"]),
        "/tides.html" => page("Tides", &[]),
        "/pilots.html" => page("Pilots", &[]),
        "/robots.txt" | "/sitemap.xml" => Reply::status(404),
        path => other(path),
    })
}

/// Requests for addresses that nobody linked to.
fn made_up(site: &FakeSite) -> Vec<String> {
    let number = |path: &String| {
        let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        name.split('.').next().is_some_and(|name| name.len() == 16 && u64::from_str_radix(name, 16).is_ok())
    };
    site.hits().into_iter().map(|hit| hit.path).filter(number).collect()
}

#[test]
fn page_shown_at_any_address_is_a_soft_404() {
    run(async {
        let site = with_dead_links(|_| Reply::html(FRONT));
        let generated = generate(settings(), &site.url()).await.unwrap();
        let mut kept = links(&generated);
        kept.sort();
        assert_eq!(kept, [format!("{}pilots.html", site.url()), format!("{}tides.html", site.url())]);
        assert!(!generated.llms_full_txt.unwrap().to_string().contains("Welcome aboard"));
        assert_eq!(generated.stats.failed, 3);
        let note = generated.note.unwrap();
        assert!(note.contains("3 not found") && !note.contains("seen before"), "{note}");
        let made_up = made_up(&site);
        assert_eq!(made_up.len(), 1, "{made_up:?}");
        assert_eq!(made_up[0].rsplit_once('.').map(|(_, ending)| ending), Some("html"), "{made_up:?}");
    });
}

#[test]
fn pages_that_repeat_each_other_on_a_site_that_says_what_it_has_not_are_pages() {
    run(async {
        let site = with_dead_links(|path| match path {
            "/old/a.html" | "/old/b.html" => Reply::html(FRONT),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(links(&generated).len(), 3);
        let note = generated.note.unwrap();
        assert!(note.contains("1 not found") && note.contains("1 page with content seen before"), "{note}");
        assert_eq!(made_up(&site).len(), 1);
    });
}

#[test]
fn pages_with_titles_of_their_own_are_pages_before_their_script_has_run() {
    run(async {
        let site = with_dead_links(|path| match path {
            "/old/a.html" => Reply::html(FRONT.replace("Harbour", "Prices")),
            "/old/b.html" => Reply::html(FRONT.replace("Harbour", "Berths")),
            _ => Reply::html(FRONT),
        });
        // Asked for one by one, the page with a title of its own comes before the one without.
        let settings = CrawlSettings { per_domain_concurrency: 1, ..settings() };
        let generated = generate(settings, &site.url()).await.unwrap();
        assert!(links(&generated).contains(&format!("{}old/a.html", site.url())), "{:?}", generated.note);
        assert_eq!(made_up(&site).len(), 1);
    });
}

#[test]
fn a_site_without_repeats_is_asked_for_nothing_that_it_has_not() {
    run(async {
        let site = with_dead_links(|path| page(path, &[]));
        generate(settings(), &site.url()).await.unwrap();
        assert_eq!(made_up(&site), Vec::<String>::new());
    });
}

#[test]
fn a_page_that_a_made_up_address_leads_to_is_not_lost_by_that() {
    run(async {
        // Everything that is not there leads to the guide, and so does a page that is read after the made-up address.
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/old/a.html", "/old/b.html", "/one"]),
            "/old/a.html" | "/old/b.html" => Reply::html(FRONT),
            "/one" => page("One", &["/two"]),
            "/two" => page("Two", &["/three"]),
            "/three" => page("Three", &["/docs/"]),
            "/guide" => page("Guide", &[]),
            "/robots.txt" | "/sitemap.xml" => Reply::status(404),
            _ => Reply::moved("/guide"),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(made_up(&site).len(), 1);
        assert!(links(&generated).contains(&format!("{}guide", site.url())), "{:?}", links(&generated));
    });
}
