//! What is made of what comes.

use wayfile_core::llms_txt::FileType;

use crate::support::fake_site::{FakeSite, Reply, numbered, page};
use crate::support::markdown_site::{PAGES, markdown_site};
use crate::support::{engine, generate, job, links, run, settings};

#[test]
fn both_files_are_written() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 3));
        let generated = generate(settings(), &site.url()).await.unwrap();
        let index = generated.llms_txt.unwrap();
        assert!(index.starts_with("# "), "{index}");
        assert!(index.contains("\n> "), "{index}");
        assert!(index.contains("**Instructions for LLM Agents**"), "{index}");
        let full = generated.llms_full_txt.unwrap().to_string();
        assert!(full.starts_with("# "));
        assert_eq!(full.matches("\nSource: ").count(), generated.stats.pages.min(4), "{full}");
        assert!(full.contains("what Chapter 2 is good for"));
        assert!(!full.contains("Imprint"));
    });
}

#[test]
fn the_same_content_counts_once() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/a", "/b", "/c"]),
            "/a" | "/b" => page("Twice the same", &[]),
            "/c" => page("Another", &[]),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(links(&generated).len(), 2);
        assert!(generated.note.unwrap().contains("1 page with content seen before"));
    });
}

#[test]
fn pages_beyond_what_a_file_can_hold_are_counted_all_the_same() {
    run(async {
        let site = FakeSite::start(|path| match path {
            // Shown by a page that was let go of, and by one whose text is there.
            "/docs/118.html" => page("Chapter 119", &[]),
            "/docs/117.html" => page("Chapter 1", &[]),
            _ => numbered(path, 120),
        });
        let mut settings = settings();
        settings.index_max_chars = 1_000;
        let mut job = job(&site.url());
        (job.output.file_type, job.output.index_pages) = (FileType::Llms, 300);
        let generated = engine(settings).generate(job).await.unwrap();
        assert_eq!(generated.stats.pages, 119);
        let index = generated.llms_txt.unwrap();
        let listed = index.lines().filter(|line| line.starts_with("- [")).count();
        assert!(index.contains(&format!("More pages that found no room: {}.", 118 - listed)), "{index}");
        let note = generated.note.unwrap();
        assert!(note.contains("2 pages with content seen before"), "{note}");
        assert!(note.contains(&format!("{} links over the size of llms.txt", 118 - listed)), "{note}");
    });
}

#[test]
fn every_lost_page_is_counted_by_reason() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/fine", "/gone", "/broken", "/closed", "/picture"]),
            "/fine" => page("A fine page", &[]),
            "/broken" => Reply::status(500),
            "/closed" => Reply::status(403),
            "/picture" => Reply::bytes("image/png", vec![0x89, b'P', b'N', b'G']),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(links(&generated).len(), 1);
        assert_eq!(generated.stats.failed, 4);
        let note = generated.note.unwrap();
        for reason in ["1 not found", "1 server error", "1 access denied", "1 not a page"] {
            assert!(note.contains(reason), "{note}");
        }
    });
}

#[test]
fn markdown_that_the_site_offers_is_taken_as_it_is() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/twin", "/plain"]),
            "/twin" => Reply::html(
                "<html><head><title>Twin</title><link rel=alternate type=text/markdown href=/twin.md></head>\
                 <body><main><h1>Twin</h1><p>The page for people, which says less than the one for machines.</p></main></body></html>",
            ),
            "/twin.md" => {
                Reply::bytes("text/markdown", "# Twin\n\nThe *page* for machines, said in its own words.\n")
            }
            "/plain" => page("Plain", &[]),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert!(links(&generated).contains(&format!("{}twin.md", site.url())));
        assert!(generated.llms_full_txt.unwrap().to_string().contains("The *page* for machines"));
        let asked = site.hits().into_iter().find(|h| h.path == "/plain").unwrap();
        assert!(asked.accept.starts_with("text/markdown"), "{}", asked.accept);
    });
}

#[test]
fn charsets_and_noindex_are_minded() {
    run(async {
        let site = FakeSite::start(|path| {
            match path {
            "/" => page("Home", &["/latin", "/hidden", "/asleep"]),
            "/latin" => Reply::bytes(
                "text/html; charset=iso-8859-1",
                b"<html><head><title>Caf\xe9</title></head><body><main><h1>Caf\xe9</h1><p>Where the fianc\xe9e drinks \
                  her coffee every morning before work begins.</p></main></body></html>"
                    .to_vec(),
            ),
            "/hidden" => page("Hidden", &[]).header("x-robots-tag", "noindex"),
            "/asleep" => Reply::html("<html><body><div id=root></div><script src=/app.js></script></body></html>"),
            _ => Reply::status(404),
        }
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(links(&generated).len(), 1);
        assert!(generated.llms_full_txt.unwrap().to_string().contains("Café"));
        let note = generated.note.unwrap();
        assert!(note.contains("not to be indexed"), "{note}");
        assert!(note.contains("JavaScript"), "{note}");
    });
}

#[test]
fn a_site_of_shells_is_an_error_that_says_so() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => Reply::html("<html><body><div id=app></div><script src=/app.js></script></body></html>"),
            _ => Reply::status(404),
        });
        let error = generate(settings(), &site.url()).await.unwrap_err();
        assert!(error.to_string().contains("JavaScript"), "{error}");
    });
}

#[test]
fn shells_with_heads_of_their_own_are_in_the_index_alone() {
    run(async {
        let shell = |name: &str| {
            let head = format!(
                "<title>{name}</title><meta name=description content='All about kilns for {name}, day by day.'>"
            );
            Reply::html(format!(
                "<html><head>{head}</head><body><div id=app></div><script src=/app.js></script></body></html>"
            ))
        };
        let site = FakeSite::start(move |path| match path {
            "/" => Reply::html(
                "<html><body><h1>Kilns</h1><p>Kilns for wood and for gas are built here.</p>\
                 <ul><li><a href=/wood>Wood</a><li><a href=/gas>Gas</a></ul></body></html>",
            ),
            "/wood" => shell("Wood"),
            "/gas" => shell("Gas"),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        let index = generated.llms_txt.unwrap();
        assert!(
            index.contains("All about kilns for Wood") && index.contains("All about kilns for Gas"),
            "{index}"
        );
        let full = generated.llms_full_txt.unwrap().to_string();
        assert!(full.contains("are built here") && !full.contains("## Wood"), "{full}");
    });
}

#[test]
fn a_shell_that_shows_markdown_gives_both_files_by_its_files() {
    run(async {
        let site = FakeSite::start(markdown_site);
        let generated = generate(settings(), &format!("{}docs/", site.url())).await.unwrap();
        let listed: Vec<String> = PAGES.iter().map(|page| format!("{}docs/{page}", site.url())).collect();
        assert_eq!(links(&generated), listed);
        let index = generated.llms_txt.unwrap();
        assert!(
            index.contains("## Gauges\n\n- [Building a gauge]") && index.contains("## Water\n"),
            "{index}"
        );
        let full = generated.llms_full_txt.unwrap().to_string();
        assert!(full.contains("How the tide is measured") && full.contains("fears the birds"), "{full}");
        assert_eq!(generated.note, None, "every address that was asked for was one");
        assert_eq!(site.count("/docs/show.js"), 0);
    });
}

#[test]
fn a_shell_is_not_filled_by_what_answers_every_address() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/a/", "/b/", "/c/", "/d/", "/e/", "/f/"]),
            "/robots.txt" => Reply::status(404),
            _ => Reply::html("<html><body><div id=app></div><script src=/app.js></script></body></html>"),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert!(generated.note.unwrap().contains("6 pages that are empty without JavaScript"));
        // Not behind every shell is looked.
        let looked = site.hits().iter().filter(|hit| hit.path.ends_with("/_sidebar.md")).count();
        assert_eq!(looked, 4);
    });
}

#[test]
fn a_site_of_blank_pages_is_an_error_that_says_so() {
    run(async {
        let blank = |path: &str| match path {
            "/" => Reply::html(""),
            _ => Reply::status(404),
        };
        let site = FakeSite::start(blank);
        let error = generate(settings(), &site.url()).await.unwrap_err();
        let said = format!("{} has no page to write about: 1 page without any text", site.url());
        assert_eq!(error.to_string(), said);
    });
}

#[test]
fn a_blank_page_is_left_out_and_counted() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/blank", "/said"]),
            "/blank" => Reply::html(" "),
            "/said" => page("Said", &[]),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(links(&generated), [format!("{}said", site.url())]);
        assert_eq!(generated.note.unwrap(), "Left out: 1 page without any text.");
    });
}

#[test]
fn two_crawls_choose_the_same_pages_whichever_answers_come_first() {
    run(async {
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let site = FakeSite::start(move |path| {
            let number = path.trim_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().unwrap_or(0);
            if path != "/" && !path.starts_with("/docs/") {
                return Reply::status(404);
            }
            let links: Vec<String> =
                (1..9).map(|n| format!("/docs/{}.html", (number * 31 + n * 17) % 300)).collect();
            let links: Vec<&str> = links.iter().map(String::as_str).collect();
            // No request waits as long as the same one of the other crawl.
            let turn = asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            page(&format!("Chapter {number} of {path}"), &links)
                .after(std::time::Duration::from_millis(turn as u64 * 7 % 30))
        });
        let chosen = async || {
            let mut job = job(&site.url());
            (job.output.index_pages, job.output.full_pages) = (60, 60);
            let mut chosen = links(&engine(settings()).generate(job).await.unwrap());
            chosen.sort();
            chosen
        };
        let first = chosen().await;
        assert_eq!(first.len(), 60);
        assert_eq!(chosen().await, first);
    });
}
