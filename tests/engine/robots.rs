//! What robots.txt says is done.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use wayfile_actors::CrawlError;

use crate::support::fake_site::{FakeSite, Reply, each, numbered, page};
use crate::support::{engine, generate, job, links, run, settings};

#[test]
fn disallowed_pages_are_counted_and_never_fetched() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/robots.txt" => Reply::text("User-agent: *\nDisallow: /docs/1\n"),
            _ => numbered(path, 12),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        // 1, 10 and 11 begin with the closed prefix.
        assert_eq!(links(&generated).len(), 9);
        assert_eq!(site.count("/docs/1.html") + site.count("/docs/10.html") + site.count("/docs/11.html"), 0);
        assert!(generated.note.unwrap().contains("3 pages that robots.txt closes"));
    });
}

#[test]
fn a_site_that_shuts_us_out_is_a_refusal() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/robots.txt" => Reply::text("User-agent: wayfile\nDisallow: /\n"),
            _ => numbered(path, 3),
        });
        let error = generate(settings(), &site.url()).await.unwrap_err();
        assert!(matches!(error, CrawlError::Refused(_)), "{error}");
        assert!(error.to_string().contains("robots.txt"));
        assert_eq!(site.hits().len(), 1);
    });
}

#[test]
fn robots_that_cannot_be_read_close_the_site() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/robots.txt" => Reply::status(503),
            _ => numbered(path, 3),
        });
        let mut settings = settings();
        settings.max_backoff = Duration::from_millis(100);
        let error = generate(settings, &site.url()).await.unwrap_err();
        assert!(matches!(error, CrawlError::Failed(_)), "{error}");
        assert!(error.to_string().contains("robots.txt"), "{error}");
        assert_eq!(site.count("/"), 0);
    });
}

#[test]
fn rules_that_were_read_hold_while_they_cannot_be_read_again() {
    run(async {
        let asked = AtomicUsize::new(0);
        let site = FakeSite::start(move |path| match path {
            "/robots.txt" if asked.fetch_add(1, Ordering::Relaxed) > 0 => Reply::status(501),
            "/robots.txt" => Reply::text("User-agent: *\nDisallow: /docs/1\n"),
            _ => numbered(path, 12),
        });
        let mut settings = settings();
        settings.robots_ttl = Duration::from_millis(1);
        let generated = generate(settings, &site.url()).await.unwrap();
        assert_eq!(links(&generated).len(), 9);
        assert!(site.count("/robots.txt") > 1);
        assert!(generated.note.unwrap().contains("3 pages that robots.txt closes"));
    });
}

#[test]
fn a_crawl_delay_is_kept_and_a_long_one_capped() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/robots.txt" => Reply::text("User-agent: *\nCrawl-delay: 0.15\n"),
            _ => numbered(path, 5),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(links(&generated).len(), 5);
        // Behind robots.txt, which says so. One request may be under way for longer than the next; that does not add up, so
        // all gaps together are exact.
        let (delay, under_way) = (Duration::from_millis(150), Duration::from_millis(10));
        let hits = site.hits();
        let pages = &hits[1..];
        let shortest = pages.windows(2).map(|w| w[1].at - w[0].at).min().unwrap();
        assert!(shortest + under_way >= delay, "{shortest:?}");
        let gaps = u32::try_from(pages.len() - 1).unwrap();
        assert!(pages[pages.len() - 1].at - pages[0].at + under_way >= gaps * delay);

        let slow = FakeSite::start(|path| match path {
            "/robots.txt" => Reply::text("User-agent: *\nCrawl-delay: 3600\n"),
            _ => numbered(path, 2),
        });
        let mut settings = settings();
        settings.max_crawl_delay = Duration::from_millis(100);
        let generated = generate(settings, &slow.url()).await.unwrap();
        assert!(generated.note.unwrap().contains("asks for 3600 s"));
    });
}

#[test]
fn sitemaps_named_there_are_read_nested_and_zipped() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/robots.txt" => Reply::text("Sitemap: /maps/index.xml\n"),
            "/maps/index.xml" => Reply::bytes(
                "application/xml",
                "<sitemapindex><sitemap><loc>/maps/one.xml.gz</loc></sitemap>\
                 <sitemap><loc>/maps/gone.xml</loc></sitemap></sitemapindex>",
            ),
            "/maps/one.xml.gz" => {
                let xml =
                    "<urlset><url><loc>/guide/alpha</loc></url><url><loc>/guide/beta</loc></url></urlset>";
                Reply::bytes("application/gzip", gzip(xml.as_bytes()))
            }
            "/" => page("Home", &["/guide/gamma"]),
            "/guide/alpha" | "/guide/beta" | "/guide/gamma" => page(path, &[]),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        let mut found = links(&generated);
        found.sort();
        let expected = ["alpha", "beta", "gamma"].map(|p| format!("{}guide/{p}", site.url()));
        assert_eq!(found, expected);
        assert!(generated.note.unwrap().contains("1 sitemap unreadable"));
    });
}

#[test]
fn pages_that_late_sitemaps_name_are_no_traps() {
    const HUBS: usize = 2;
    const LEAVES: usize = 300;
    run(async {
        let site = FakeSite::start(|path| {
            let hubs = || (0..HUBS).map(|hub| format!("/hub-{hub}/"));
            let leaves = |hub: &str| (0..LEAVES).map(|n| format!("{hub}leaf-{n}")).collect::<Vec<_>>();
            let listing = |title: &str, all: Vec<String>| {
                page(title, &all.iter().map(String::as_str).collect::<Vec<_>>())
            };
            match path {
                "/" => listing("Home", hubs().collect()),
                "/robots.txt" => Reply::text("Sitemap: /maps/index.xml\n"),
                "/maps/index.xml" => {
                    let maps = each(hubs(), |hub| format!("<sitemap><loc>/maps{hub}all.xml</loc></sitemap>"));
                    Reply::bytes("application/xml", format!("<sitemapindex>{maps}</sitemapindex>"))
                }
                _ if path.ends_with("/all.xml") => {
                    let hub = path.trim_start_matches("/maps").trim_end_matches("all.xml");
                    let urls = each(leaves(hub), |leaf| format!("<url><loc>{leaf}</loc></url>"));
                    let map = Reply::bytes("application/xml", format!("<urlset>{urls}</urlset>"));
                    // By then the hubs have been read.
                    map.after(Duration::from_secs(2))
                }
                _ if hubs().any(|hub| hub == path) => listing(path, leaves(path)),
                _ => page(path, &[]),
            }
        });
        let mut job = job(&site.url());
        job.output.index_pages = 5_000;
        let generated = engine(settings()).generate(job).await.unwrap();
        assert_eq!(generated.stats.pages, 1 + HUBS + HUBS * LEAVES);
        let note = generated.note.unwrap_or_default();
        assert!(!note.contains("endless"), "{note}");
    });
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
