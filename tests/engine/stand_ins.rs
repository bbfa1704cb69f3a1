//! Sites that send with 200 what is no page: walls before bots, and the word that nothing is there.

use wayfile_actors::CrawlError;

use crate::support::fake_site::{FakeSite, Reply, page};
use crate::support::{generate, links, run, settings};

const CHALLENGE: &str = "<html><head><title>Just a moment...</title></head><body><h1>harbour.example</h1>\
    <p>Verifying you are human. This may take a few seconds.</p><script>window._cf_chl_opt = {};</script></body></html>";
const DENIED: &str = "<html><head><title>Access Denied</title></head><body><h1>Access Denied</h1>You don't have permission \
    to access this page on this server.<p>Reference #18.2d351ab8.1557333295.a4e16ab</p></body></html>";

#[test]
fn a_wall_before_the_home_page_is_a_refusal() {
    run(async {
        for wall in [CHALLENGE, DENIED] {
            let site = FakeSite::start(move |path| match path {
                "/" => Reply::html(wall),
                _ => Reply::status(404),
            });
            let error = generate(settings(), &site.url()).await.unwrap_err();
            assert!(matches!(error, CrawlError::Refused { .. }), "{error:?}");
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
            assert!(matches!(error, CrawlError::Refused { .. }), "{status}: {error:?}");
            assert_eq!(site.count("/"), 1);
        }
    });
}

#[test]
fn stand_ins_for_other_pages_are_lost_and_counted() {
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
