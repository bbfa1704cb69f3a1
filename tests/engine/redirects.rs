//! Where redirects may lead, and where not.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use wayfile_actors::CrawlError;

use crate::support::fake_site::{FakeSite, Reply, page};
use crate::support::{generate, links, run, settings};

#[test]
fn links_are_written_with_their_final_address() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/old", "/new"]),
            "/old" => Reply::moved("/new"),
            "/new" => page("The new page", &[]),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(links(&generated), [format!("{}new", site.url())]);
        assert_eq!(generated.stats.pages, 2, "home and the new page");
    });
}

#[test]
fn a_page_that_was_read_is_not_fetched_for_a_redirect() {
    run(async {
        let site = FakeSite::start(|path| match path.strip_prefix("/old/") {
            None if path == "/" => {
                let new: Vec<String> = (0..60).map(|n| format!("/new/{n}")).collect();
                page("Home", &new.iter().map(String::as_str).collect::<Vec<_>>())
            }
            None if path == "/new/0" => {
                let old: Vec<String> = (0..60).map(|n| format!("/old/{n}")).collect();
                page(path, &old.iter().map(String::as_str).collect::<Vec<_>>())
            }
            None => page(path, &[]),
            Some(number) => Reply::moved(format!("/new/{number}")),
        });
        let mut settings = settings();
        settings.cache_bytes = "0".parse().unwrap();
        let generated = generate(settings, &site.url()).await.unwrap();
        assert_eq!(generated.stats.pages, 61);
        for number in 0..60 {
            assert_eq!(site.count(&format!("/new/{number}")), 1, "{number}");
        }
    });
}

#[test]
fn a_page_read_for_a_redirect_counts_whatever_its_address_gives_next() {
    // `/b` led to `/a`, and waits for `/c`, which was asked for before it and leads there, too.
    for next in ["/check", "/a", "/other", "404"] {
        run(async {
            let asked = AtomicUsize::new(0);
            let site = FakeSite::start(move |path| match path {
                "/" => page("Home", &["/c", "/b", "/slow/0", "/slow/1", "/slow/2", "/slow/3"]),
                "/c" => Reply::moved("/c1").after(Duration::from_millis(150)),
                "/b" | "/c1" | "/check" => Reply::moved("/a"),
                "/a" if asked.fetch_add(1, Ordering::Relaxed) == 0 => page("Read", &[]),
                "/a" if next == "404" => Reply::status(404),
                "/a" => Reply::moved(next),
                _ => page(path, &[]).after(Duration::from_millis(300)),
            });
            let mut settings = settings();
            settings.cache_bytes = "0".parse().unwrap();
            let generated = generate(settings, &site.url()).await.unwrap();
            assert_eq!(links(&generated).iter().filter(|link| link.ends_with("/a")).count(), 1, "{next}");
            assert!(site.count("/a") <= 3, "{next}");
        });
    }
}

#[test]
fn a_page_whose_canonical_address_is_redirected_to_it_is_listed() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/x", "/y"]),
            "/x" => Reply::html("<title>X</title><link rel=canonical href=/x/><main><p>The page of X."),
            "/x/" => Reply::moved("/x"),
            "/y" => page("Y", &[]),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        let mut found = links(&generated);
        found.sort();
        assert_eq!(found, ["x", "y"].map(|path| format!("{}{path}", site.url())));
    });
}

#[test]
fn the_seeds_redirect_moves_the_site() {
    run(async {
        let there = FakeSite::start(|path| match path {
            "/" => page("There", &["/a"]),
            "/a" => page("Page of there", &[]),
            _ => Reply::status(404),
        });
        let target = there.url();
        let here =
            FakeSite::start(move |path| if path == "/" { Reply::moved(&target) } else { Reply::status(404) });
        let generated = generate(settings(), &here.url()).await.unwrap();
        assert_eq!(generated.url.as_str(), there.url());
        assert_eq!(links(&generated), [format!("{}a", there.url())]);
    });
}

#[test]
fn a_page_that_moves_out_of_the_site_is_left_out() {
    run(async {
        let other = FakeSite::start(|_| page("Elsewhere", &[]));
        let target = other.url();
        let site = FakeSite::start(move |path| match path {
            "/" => page("Home", &["/stays", "/leaves"]),
            "/stays" => page("It stays", &[]),
            "/leaves" => Reply::moved(&target),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(links(&generated), [format!("{}stays", site.url())]);
        assert_eq!(other.hits().len(), 0);
        assert!(generated.note.unwrap().contains("moved to another site"));
    });
}

#[test]
fn circles_and_endless_chains_end() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/circle", "/chain/0", "/fine"]),
            "/circle" => Reply::moved("/circle"),
            "/fine" => page("A fine page", &[]),
            _ => match path.strip_prefix("/chain/").and_then(|n| n.parse::<u32>().ok()) {
                Some(n) => Reply::moved(format!("/chain/{}", n + 1)),
                None => Reply::status(404),
            },
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(links(&generated), [format!("{}fine", site.url())]);
        assert_eq!(generated.stats.failed, 2);
        assert!(site.hits().len() < 25);
        assert!(generated.note.unwrap().contains("2 redirect to nowhere"));
    });
}

#[test]
fn a_page_that_only_sends_on_is_a_redirect() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => Reply::html(
                "<meta http-equiv=refresh content='0; url=en/latest/'><a href=/en/latest/>Docs</a>",
            ),
            "/en/latest/" => page("Home of the docs", &["/en/latest/guide", "/about"]),
            "/en/latest/guide" | "/about" => page(path, &[]),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(generated.url.path(), "/en/latest/");
        // The seed named the whole site: what lies beside the folder it sends to belongs to it.
        let mut found = links(&generated);
        found.sort();
        assert_eq!(found, [format!("{}about", site.url()), format!("{}en/latest/guide", site.url())]);
    });
}

#[test]
fn a_page_that_hands_out_a_file_is_no_redirect() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/download"]),
            "/download" => Reply::html(
                "<meta http-equiv=refresh content='5; url=/gauge.zip'><h1>Download</h1><p>It begins in a moment.</p>",
            ),
            "/gauge.zip" => Reply::bytes("application/zip", "PK"),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(links(&generated), [format!("{}download", site.url())]);
    });
}

#[test]
fn a_bare_address_that_speaks_no_tls_is_read_over_http() {
    run(async {
        let site = FakeSite::start(|path| if path == "/" { page("Home", &["/a"]) } else { page(path, &[]) });
        let generated = generate(settings(), &site.address.to_string()).await.unwrap();
        assert_eq!(generated.url.as_str(), site.url());
    });
}

#[test]
fn rules_found_over_redirects_bind_the_first_host() {
    run(async {
        let other = FakeSite::start(|path| match path {
            "/rules" => Reply::text("User-agent: *\nDisallow: /closed\n"),
            _ => Reply::status(404),
        });
        let rules = format!("{}rules", other.url());
        let site = FakeSite::start(move |path| match path {
            "/robots.txt" => Reply::moved(&rules),
            "/" => page("Home", &["/open", "/closed"]),
            _ => page(path, &[]),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert!(generated.note.unwrap().contains("1 page that robots.txt closes"));
        assert_eq!(site.count("/closed"), 0);
    });
}

#[test]
fn a_redirect_inside_reaches_nothing() {
    run(async {
        for target in [
            "http://169.254.169.254/latest/meta-data/",
            "http://[::1]/",
            "http://10.0.0.5:8080/",
            "gopher://127.0.0.1:6379/_x",
            "http://user@example.com/",
        ] {
            let site = FakeSite::start(
                move |path| if path == "/" { Reply::moved(target) } else { Reply::status(404) },
            );
            let error = generate(settings(), &site.url()).await.unwrap_err();
            // The address that was asked for is public.
            assert!(
                matches!(error, CrawlError::Unreachable(_) | CrawlError::Failed(_)),
                "{target}: {error:?}"
            );
            assert!(error.to_string().contains("redirect"), "{target}: {error}");
        }
    });
}
