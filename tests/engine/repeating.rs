//! That a site's files are the same each time, whichever of its answers comes first.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::support::fake_site::{FakeSite, Reply, each, page};
use crate::support::{engine, job, run, settings};

/// A site with more pages than are listed: sections name each other's pages in words of their own, some pages are
/// redirected to, some are repeated, and some are in the sitemap alone.
fn answer(path: &str, site: &str) -> Reply {
    let leaf = |section: u64, leaf: u64| format!("/{}/{}", section % 9, leaf % 20);
    let page =
        |title: &str, links: &[String]| page(title, &links.iter().map(String::as_str).collect::<Vec<_>>());
    let mut parts = path.trim_matches('/').split('/').map(|part| part.parse::<u64>().ok());
    match (parts.next().flatten(), parts.next().flatten()) {
        _ if path == "/" => page("Home", &(0..9).map(|section| format!("/{section}/")).collect::<Vec<_>>()),
        _ if path == "/sitemap.xml" => {
            let hidden = |n: u64| format!("<url><loc>{site}{}/{}</loc></url>", 20 + n % 3, n);
            Reply::bytes("application/xml", format!("<urlset>{}</urlset>", each(0..40, hidden)))
        }
        (Some(section), None) => page(
            &format!("Section {section}"),
            &(0..20).map(|n| leaf(section + n % 2, n)).collect::<Vec<_>>(),
        ),
        (Some(section), Some(n)) if section < 9 && n % 7 == 4 => Reply::moved(format!("/30/{}", n % 3)),
        (Some(section), Some(n)) if section < 9 && n % 7 == 3 => Reply::moved(leaf(section + 1, n + 1)),
        // The same in two sections.
        (Some(section), Some(n)) if n % 7 == 5 => page(&format!("Leaf {n} of {}", section / 2), &[]),
        (Some(section), Some(n)) => page(
            &format!("Leaf {n} of {section}"),
            &[leaf(section * 5, n), leaf(n, section), leaf(n + 1, n * 3)],
        ),
        _ => Reply::status(404),
    }
}

#[test]
fn files_do_not_hang_on_which_answer_comes_first() {
    static RUN: AtomicU64 = AtomicU64::new(0);
    static SITE: OnceLock<String> = OnceLock::new();
    run(async {
        let site = FakeSite::start(|path| {
            // In each run other answers are slow.
            let number = path
                .bytes()
                .fold(RUN.load(Ordering::Relaxed), |sum, byte| sum.wrapping_mul(31) ^ u64::from(byte));
            answer(path, SITE.get().unwrap()).after(Duration::from_millis(number % 23 * 4))
        });
        SITE.set(site.url()).unwrap();
        let mut files = Vec::new();
        for _ in 0..3 {
            let mut settings = settings();
            settings.per_domain_concurrency = 8;
            let mut job = job(&site.url());
            job.output.index_pages = 60;
            let made = engine(settings).generate(job).await.unwrap();
            files.push((made.llms_txt.unwrap(), made.llms_full_txt.unwrap().pieces().collect::<String>()));
            RUN.fetch_add(7, Ordering::Relaxed);
        }
        assert_eq!(files[0], files[1]);
        assert_eq!(files[0], files[2]);
    });
}
