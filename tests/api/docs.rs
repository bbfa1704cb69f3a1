//! `/docs`: nothing is loaded from elsewhere, and every call is there.

use crate::run;
use crate::test_app::TestApp;

#[test]
fn the_reference_has_every_call_and_loads_nothing_from_elsewhere() {
    run(async {
        let app = TestApp::start();
        let page = app.get("/docs").send().await.unwrap();
        assert_eq!(page.status(), 200);
        assert!(page.headers()["content-security-policy"].to_str().unwrap().contains("default-src 'none'"));
        let page = page.text().await.unwrap();
        for call in ["generate", "validate", "usage", "healthz", "readyz"] {
            assert!(page.contains(&format!("<section id=\"{call}\"")), "{call}");
            for language in ["curl", "javascript", "python"] {
                assert!(page.contains(&format!("id=\"{call}-{language}\"")), "{call} in {language}");
            }
        }
        for known in ["quota_exceeded", "readinessScore", "Idempotency-Key", "discovered", "outcome"] {
            assert!(page.contains(known), "{known}");
        }
        for source in page.split("src=\"").skip(1).chain(page.split("<link ").skip(1)) {
            let tag = source.split('>').next().unwrap();
            assert!(!tag.contains("//"), "{tag}");
        }
        let before = app.get("/docs/").send().await.unwrap();
        assert_eq!(
            (before.status().as_u16(), &before.headers()["location"]),
            (303, &"/docs".parse().unwrap())
        );
    });
}
