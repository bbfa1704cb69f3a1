//! Commands that belong to a service: `config check|show`, `health`.

use crate::run;
use crate::test_app::TestApp;

#[test]
fn settings_are_checked_and_shown_without_secrets() {
    run(async {
        let app = TestApp::with(
            "[server]\npublic_url = \"https://wayfile.example.org\"\n[plans.pro]\nvalidate_per_month = 1",
        );
        let shown = app.command(&["config", "show"]);
        assert!(
            shown.contains("public_url = \"https://wayfile.example.org\"")
                && shown.contains("drain_timeout = \"1m 55s\""),
            "{shown}"
        );
        let checked = app.run(&["config", "check"]);
        assert!(checked.status.success());
        let said = String::from_utf8(checked.stderr).unwrap();
        assert!(said.contains("plans.pro.validate_per_month") && said.contains("127.0.0.0/8"), "{said}");
        // Port 0 is where nobody can be.
        let health = app.run(&["health"]);
        assert_eq!(health.status.code(), Some(1));
    });
}
