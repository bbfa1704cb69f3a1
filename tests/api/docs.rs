//! `/docs`: nothing is loaded from elsewhere.

use crate::run;
use crate::test_app::TestApp;

#[test]
fn the_page_and_its_files_come_from_here() {
    run(async {
        let app = TestApp::start();
        let moved = app.get("/docs").send().await.unwrap();
        assert_eq!(
            (moved.status().as_u16(), &moved.headers()["location"]),
            (301, &"/docs/".parse().unwrap())
        );
        let page = app.get("/docs/").send().await.unwrap();
        assert_eq!(page.status(), 200);
        assert!(page.headers()["content-security-policy"].to_str().unwrap().contains("default-src 'none'"));
        let page = page.text().await.unwrap();
        let is_file = |text: &&str| matches!(text.rsplit_once('.'), Some((_, "js" | "css")));
        let sources: Vec<&str> = page.split(['"', '\'']).filter(is_file).collect();
        assert!(sources.len() > 3, "{sources:?}");
        for source in sources {
            assert!(!source.contains("//"), "{source}");
            let path = format!("/docs/{}", source.trim_start_matches("./"));
            assert_eq!(app.get(&path).send().await.unwrap().status(), 200, "{path}");
        }
        let start = app.get("/docs/swagger-initializer.js").send().await.unwrap().text().await.unwrap();
        assert!(start.contains("/openapi.json"), "{start}");
    });
}
