//! A site's file as agents get it, and links that are dead or only unknown.

use std::time::{Duration, Instant};

use wayfile_actors::settings::{CrawlSettings, ValidateSettings};
use wayfile_actors::{Freshness, LinkChecks, ValidateError, Validator};
use wayfile_core::llms_txt::lint::report::{Health, Report, Status};
use wayfile_core::llms_txt::lint::served::DeadReason;
use wayfile_core::site::globs::Globs;
use wayfile_core::url::{Seed, SiteUrl};

use crate::support::fake_site::{FakeSite, Reply, each, numbered, page};
use crate::support::{engine, job, run, settings, validate_settings};

const MS: Duration = Duration::from_millis(1);

fn validator(settings: CrawlSettings, validate: ValidateSettings) -> Validator {
    engine(settings).validator(validate)
}

async fn site(url: &str) -> Report {
    validator(settings(), validate_settings())
        .site(Seed::parse(url).unwrap(), LinkChecks::Try, Freshness::Lately)
        .await
        .unwrap()
        .0
}

async fn of_text(text: String, validate: ValidateSettings) -> Report {
    validator(settings(), validate).text(text.into_bytes(), None, LinkChecks::Try).await.unwrap()
}

/// How many links were decided, answered, lead nowhere, and are unknown.
fn figures(report: &Report) -> [usize; 4] {
    let stats = report.link_stats.as_ref().unwrap();
    [stats.checked, stats.ok, stats.dead, stats.unknown]
}

/// Whether a check passes; `None`: it was left out.
fn passes(report: &Report, id: &str) -> Option<bool> {
    report.checks.iter().find(|check| check.rule.id == id).map(|check| check.pass)
}

fn listing(links: impl IntoIterator<Item = String>) -> String {
    let items = each(links.into_iter().enumerate(), |(n, link)| {
        format!("- [Page {n}]({link}): what page {n} is about\n")
    });
    format!("# Tide\n\n> Tide keeps levels of harbours.\n\n## Docs\n\n{items}")
}

/// A site of three pages that does everything right; `change` may answer first.
fn good(change: impl Fn(&str) -> Option<Reply> + Send + Sync + 'static) -> FakeSite {
    let address = std::sync::Arc::new(std::sync::OnceLock::<String>::new());
    let own = address.clone();
    let site = FakeSite::start(move |path| {
        if let Some(reply) = change(path) {
            return reply;
        }
        let base = own.get().unwrap();
        let pages = ["docs/start", "docs/query", "docs/gates"];
        match path {
            "/llms.txt" => {
                Reply::text(listing(pages.iter().map(|page| format!("{base}{page}")))).header("etag", "\"1\"")
            }
            "/llms-full.txt" => Reply::text("# Tide\n\nEverything there is to say about gauges."),
            "/robots.txt" => Reply::text("User-agent: *\nDisallow: /private/\n"),
            "/sitemap.xml" => {
                let all = each(pages, |page| format!("<url><loc>{base}{page}</loc></url>"));
                Reply::bytes("application/xml", format!("<urlset>{all}</urlset>"))
            }
            "/" => page("Home", &[]).header("link", "</llms.txt>; rel=\"describedby\""),
            "/docs/start" | "/docs/query" | "/docs/gates" => {
                page(path, &[]).header("link", "<x.md>; rel=\"alternate\"; type=\"text/markdown\"")
            }
            "/docs/start.md" | "/docs/query.md" | "/docs/gates.md" => Reply::bytes("text/markdown", "# Page"),
            _ => Reply::status(404),
        }
    });
    address.set(site.url()).unwrap();
    site
}

#[test]
fn a_site_that_does_it_right() {
    run(async {
        let tide = good(|_| None);
        let report = site(&tide.url()).await;
        assert_eq!((report.status, report.health), (Status::Valid, Some(Health::Live)), "{report:#?}");
        assert_eq!(report.score, 100);
        assert_eq!(report.target_url.as_ref().unwrap().as_str(), format!("{}llms.txt", tide.url()));
        assert!(report.has_llms_full);
        assert_eq!(figures(&report), [3, 3, 0, 0]);
        for id in [
            "reachable",
            "content-type-text",
            "charset-utf8",
            "not-soft-404",
            "well-located",
            "robots-allow-file",
            "links-resolve",
            "llms-full-available",
            "described-by",
            "markdown-alternates",
            "markdown-twins",
            "linked-pages-readable",
            "sitemap-coverage",
            "links-in-sitemap",
            "no-bot-challenge",
            "no-cross-host-redirect",
        ] {
            assert_eq!(passes(&report, id), Some(true), "{id}: {report:#?}");
        }
        assert_eq!(passes(&report, "content-negotiation"), Some(false));
        assert_eq!(passes(&report, "served-over-https"), Some(false));
        assert_eq!(passes(&report, "fresh"), None);
        assert_eq!(tide.count("/robots.txt"), 1);
    });
}

#[test]
fn what_robots_txt_closes_is_tried_once_and_not_looked_into() {
    run(async {
        let closed = |path: &str| {
            (path == "/robots.txt")
                .then(|| Reply::text("User-agent: *\nDisallow: /docs/start\nDisallow: /docs/query.md\n"))
        };
        let tide = good(closed);
        let report = site(&tide.url()).await;
        assert_eq!(figures(&report), [3, 3, 0, 0], "{report:#?}");
        let asked = ["/docs/start", "/docs/start.md", "/docs/query.md", "/docs/gates.md"];
        assert_eq!(asked.map(|path| tide.count(path)), [1, 0, 0, 1]);
    });
}

#[test]
fn what_lies_beside_the_file_is_looked_for_where_the_site_moved() {
    run(async {
        let tide = good(|_| None);
        let there = tide.url();
        let bare =
            FakeSite::start(move |path| Reply::moved(format!("{there}{}", path.trim_start_matches('/'))));
        let report = site(&bare.url()).await;
        for id in ["described-by", "llms-full-available", "linked-pages-readable", "sitemap-coverage"] {
            assert_eq!(passes(&report, id), Some(true), "{id}");
        }
    });
}

#[test]
fn serving_faults_are_reported() {
    run(async {
        let dead_end = |path: &str| (path == "/docs/start").then(|| Reply::status(410));
        let tide = good(dead_end);
        let report = site(&tide.url()).await;
        assert_eq!(figures(&report), [3, 2, 1, 0]);
        assert_eq!((report.health, passes(&report, "no-dead-links")), (Some(Health::Degraded), Some(false)));

        let tide = good(|path| match path {
            "/robots.txt" => Some(Reply::text("User-agent: GPTBot\nDisallow: /\n")),
            "/llms-full.txt" => Some(page("Not found", &[])),
            "/" => Some(page("Home", &[])),
            "/sitemap.xml" => Some(Reply::bytes(
                "application/xml",
                format!("<urlset>{}</urlset>", each(0..9, |n| format!("<url><loc>/docs/{n}</loc></url>"))),
            )),
            _ => None,
        });
        let report = site(&tide.url()).await;
        for id in ["robots-allow-file", "llms-full-available", "described-by"] {
            assert_eq!(passes(&report, id), Some(false), "{id}");
        }
        assert!(!report.has_llms_full);

        let tide = good(|path| {
            let wall = "<html><title>Just a moment...</title></html>";
            (path == "/llms.txt").then(|| Reply::status(403).header("cf-mitigated", wall))
        });
        let report = site(&tide.url()).await;
        assert_eq!((report.status, report.health), (Status::Unreachable, Some(Health::Dead)));
        assert_eq!((report.score, report.readiness_score), (0, 0));
        assert_eq!(passes(&report, "no-auth-gate"), Some(false));
    });
}

#[test]
fn files_that_are_not_there() {
    run(async {
        let empty = FakeSite::start(|_| Reply::status(404));
        let report = site(&empty.url()).await;
        assert_eq!((report.status, report.health, report.score), (Status::Missing, Some(Health::Dead), 0));
        assert_eq!(passes(&report, "reachable"), Some(false));

        let any_path = FakeSite::start(|_| page("Welcome", &[]));
        let report = site(&any_path.url()).await;
        assert_eq!((report.status, report.health, report.score), (Status::Missing, Some(Health::Dead), 0));
        assert_eq!(passes(&report, "not-soft-404"), Some(false));

        let only_html =
            FakeSite::start(
                |path| if path == "/llms.txt" { page("Welcome", &[]) } else { Reply::status(404) },
            );
        assert_eq!(site(&only_html.url()).await.status, Status::Invalid);

        let walled = FakeSite::start(|_| Reply::status(202).header("cf-mitigated", "challenge"));
        assert_eq!(site(&walled.url()).await.status, Status::Unreachable);

        let gone = only_html.url();
        only_html.stopped().await;
        assert_eq!(site(&gone).await.status, Status::Unreachable);
        let validator = validator(settings(), validate_settings());
        let private = validator
            .site(Seed::parse("http://10.0.0.1/").unwrap(), LinkChecks::Try, Freshness::Lately)
            .await;
        assert!(matches!(private, Err(ValidateError::NotPublic(_))));
        let inward = FakeSite::start(|_| Reply::moved("http://10.0.0.1/llms.txt"));
        assert_eq!(site(&inward.url()).await.status, Status::Unreachable);
    });
}

#[test]
fn the_most_specific_file_that_covers_the_address() {
    run(async {
        let tide = FakeSite::start(|path| match path {
            "/docs/llms.txt" | "/.well-known/llms.txt" | "/notes.txt" => {
                Reply::text(listing(["/a".to_owned()]))
            }
            "/docs/en/llms.txt" => page("Any page", &[]),
            "/app/llms.txt" => Reply::moved("/app/llms.txt"),
            "/gone/llms.txt" => Reply::moved("http://127.0.0.1:1/llms.txt"),
            _ => Reply::status(404),
        });
        for (path, target) in [
            ("docs/en/start.html", "docs/llms.txt"),
            ("", ".well-known/llms.txt"),
            ("notes.txt", "notes.txt"),
            ("no.md", "no.md"),
            ("app/", ".well-known/llms.txt"),
            ("gone/", ".well-known/llms.txt"),
        ] {
            let report = site(&format!("{}{path}", tide.url())).await;
            assert_eq!(report.target_url.unwrap().as_str(), format!("{}{target}", tide.url()));
        }
    });
}

#[test]
fn dead_links_are_told_from_unknown_ones() {
    run(async {
        let there = FakeSite::start(|path| match path {
            "/ok" => page("Fine", &[]),
            "/moved" => Reply::moved("/ok"),
            "/inside" => Reply::moved("http://10.0.0.1/"),
            _ => Reply::status(path.trim_start_matches('/').parse().unwrap_or(404)),
        });
        let base = there.url();
        let link = |path: &str| format!("{base}{path}");
        for (links, expected) in [
            (vec![link("ok"), link("moved")], [2, 2, 0, 0]),
            (vec![link("404"), link("410")], [2, 0, 2, 0]),
            (
                vec![
                    link("401"),
                    link("403"),
                    link("405"),
                    link("429"),
                    link("500"),
                    link("503"),
                    link("inside"),
                ],
                [0, 0, 0, 7],
            ),
            (vec!["http://10.0.0.1/".to_owned()], [0, 0, 0, 1]),
            (vec!["http://127.0.0.1:9/".to_owned()], [1, 0, 1, 0]),
            (vec!["https://no-such-name.invalid/".to_owned()], [1, 0, 1, 0]),
        ] {
            let report = of_text(listing(links.clone()), validate_settings()).await;
            assert_eq!(figures(&report), expected, "{links:?}");
        }
        assert_eq!(there.count("/robots.txt"), 0, "a text's links alone are asked for");
    });
}

/// Each dead link's path, line and reason.
fn dead(report: &Report) -> Vec<(String, usize, DeadReason)> {
    let links = &report.link_stats.as_ref().unwrap().dead_links;
    links.iter().map(|link| (link.url.path().to_owned(), link.line, link.reason)).collect()
}

#[test]
fn every_place_of_a_dead_link_is_named_with_its_reason() {
    run(async {
        let there = FakeSite::start(|path| Reply::status(if path == "/old" { 410 } else { 404 }));
        let base = there.url();
        let link = |path: &str| format!("{base}{path}");
        let links = vec![link("new"), link("old"), link("new"), "http://127.0.0.1:9/off".to_owned()];
        let report = of_text(listing(links), validate_settings()).await;
        assert_eq!(figures(&report), [3, 0, 3, 0], "an address is tried once");
        let expected = [
            ("/new".to_owned(), 7, DeadReason::NotFound),
            ("/old".to_owned(), 8, DeadReason::Gone),
            ("/new".to_owned(), 9, DeadReason::NotFound),
            ("/off".to_owned(), 10, DeadReason::Unreachable),
        ];
        assert_eq!(dead(&report), expected);
        assert_eq!(passes(&report, "links-resolve"), Some(false));
        let check = report.checks.iter().find(|check| check.rule.id == "no-dead-links").unwrap();
        let places: Vec<usize> = check.occurrences.iter().map(|place| place.line).collect();
        assert_eq!((check.pass, check.line, places), (false, Some(7), vec![7, 8, 9, 10]));
        let without = of_text(listing([]), validate_settings()).await;
        assert_eq!((passes(&without, "no-dead-links"), passes(&without, "links-resolve")), (None, None));
    });
}

#[test]
fn relative_links_are_tried_where_the_file_lies() {
    run(async {
        let text = listing(["start".to_owned(), "/gone".to_owned(), "#part".to_owned()]);
        let file = text.clone();
        let there = FakeSite::start(move |path| match path {
            "/docs/llms.txt" => Reply::text(file.clone()),
            "/docs/start" => page("Start", &[]),
            _ => Reply::status(404),
        });
        let report = site(&format!("{}docs/", there.url())).await;
        assert_eq!((figures(&report), dead(&report)[0].0.as_str()), ([2, 1, 1, 0], "/gone"));
        let alone = of_text(text.clone(), validate_settings()).await;
        assert_eq!(figures(&alone), [0, 0, 0, 0], "a text lies nowhere");
        let base = SiteUrl::parse(&format!("{}docs/llms.txt", there.url())).unwrap();
        let placed = validator(settings(), validate_settings());
        let placed = placed.text(text.into_bytes(), Some(base), LinkChecks::Try).await.unwrap();
        assert_eq!(figures(&placed), [2, 1, 1, 0]);
    });
}

#[test]
fn links_that_are_to_be_ignored_are_left_alone() {
    run(async {
        let there = FakeSite::start(|_| Reply::status(404));
        let text = listing(["api/a/b", "docs/a"].map(|path| format!("{}{path}", there.url())));
        let validator = validator(settings(), validate_settings());
        let validator = validator.ignoring(Globs::parse(&["/api/**"]).unwrap());
        let report = validator.text(text.into_bytes(), None, LinkChecks::Try).await.unwrap();
        assert_eq!((figures(&report), there.count("/api/a/b")), ([1, 0, 1, 0], 0));
    });
}

#[test]
fn a_sample_of_the_links_and_few_at_once() {
    run(async {
        let there = FakeSite::start(|path| page(path, &[]).after(20 * MS));
        let mut settings = settings();
        settings.per_domain_concurrency = 50;
        let text = listing((0..200).map(|n| format!("{}{n}", there.url())));
        let validator = validator(settings, validate_settings());
        let report = validator.text(text.into_bytes(), None, LinkChecks::Try).await.unwrap();
        assert_eq!(report.link_stats.unwrap().checked, 50);
        assert_eq!(there.hits().len(), 50);
        assert!(there.most_at_once() <= 4, "{}", there.most_at_once());
        assert_eq!(there.count("/196"), 1, "the end of the file is in the sample");
    });
}

#[test]
fn at_the_deadline_the_rest_is_unknown() {
    run(async {
        let there = FakeSite::start(|path| {
            page(path, &[]).after(if path == "/0" { Duration::ZERO } else { 5_000 * MS })
        });
        let validate = ValidateSettings { deadline: 700 * MS, ..validate_settings() };
        let started = Instant::now();
        let report = of_text(listing((0..6).map(|n| format!("{}{n}", there.url()))), validate).await;
        assert!(started.elapsed() < 3_000 * MS);
        assert_eq!(figures(&report), [1, 1, 0, 5]);
    });
}

#[test]
fn robots_and_sitemaps_read_lately_will_do_unless_the_caller_says_otherwise() {
    run(async {
        let tide = good(|_| None);
        let validator = validator(settings(), validate_settings());
        let mut asked = Vec::new();
        for freshness in [Freshness::Lately, Freshness::Lately, Freshness::Now] {
            let seed = Seed::parse(&tide.url()).unwrap();
            let (report, _) = validator.site(seed, LinkChecks::Leave, freshness).await.unwrap();
            assert_eq!(passes(&report, "robots-allow-file"), Some(true));
            asked.push(["/llms.txt", "/robots.txt", "/sitemap.xml"].map(|path| tide.count(path)));
        }
        assert_eq!(asked, [[1, 1, 1], [2, 1, 1], [3, 2, 2]]);
    });
}

#[test]
fn shutdown_ends_a_validation_with_partial_results() {
    run(async {
        let tide = good(|path| (path == "/docs/gates").then(|| page("Gates", &[]).after(20_000 * MS)));
        let engine = engine(settings());
        let validator = engine.validator(validate_settings());
        let started = Instant::now();
        let closing = async {
            tokio::time::sleep(500 * MS).await;
            engine.close();
        };
        let seed = || Seed::parse(&tide.url()).unwrap();
        let (report, ()) = tokio::join!(validator.site(seed(), LinkChecks::Try, Freshness::Lately), closing);
        assert!(started.elapsed() < 10_000 * MS, "{:?}", started.elapsed());
        assert_eq!(figures(&report.unwrap().0), [2, 2, 0, 1]);
        let late = validator.site(seed(), LinkChecks::Try, Freshness::Lately).await;
        assert!(matches!(late, Err(ValidateError::Closing)), "{late:?}");
    });
}

#[test]
fn a_validation_goes_before_a_crawl_and_keeps_the_gap() {
    run(async {
        let tide = FakeSite::start(|path| match path {
            "/llms.txt" => Reply::text(listing(["/docs/1.html".to_owned()])),
            path => numbered(path, 60),
        });
        let mut settings = settings();
        settings.per_domain_delay = 60 * MS;
        // The crawl takes every permit that crawls have.
        settings.max_fetches = 1;
        let engine = engine(settings);
        let crawl = engine.generate(job(&tide.url()));
        let validation = async {
            tokio::time::sleep(400 * MS).await;
            let validator = engine.validator(validate_settings());
            validator
                .site(Seed::parse(&tide.url()).unwrap(), LinkChecks::Leave, Freshness::Lately)
                .await
                .unwrap()
                .0
        };
        let (crawled, report) = tokio::join!(crawl, validation);
        assert!(crawled.is_ok());
        assert_eq!(passes(&report, "reachable"), Some(true));
        let hits = tide.hits();
        let at = |wanted: &str| hits.iter().position(|hit| hit.path == wanted).unwrap();
        assert!(at("/llms.txt") < 30, "it waited behind the crawl: {}", at("/llms.txt"));
        // Looks have connections of their own: opening one delays a request on its way, which the next may make up for.
        assert!(tide.shortest_gap() >= 45 * MS, "{:?}", tide.shortest_gap());
    });
}
