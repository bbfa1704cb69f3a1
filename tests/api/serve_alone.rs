//! With SQLite one process serves, and its file is its owner's alone.

use std::os::unix::fs::PermissionsExt;

use crate::run;
use crate::test_app::TestApp;

#[test]
fn a_second_service_on_the_same_file_is_refused_and_commands_work_meanwhile() {
    run(async {
        let mut app = TestApp::start();
        let refused = app.run(&["serve"]);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{said}");
        assert!(said.contains("another `wayfile serve` runs on") && said.contains("PostgreSQL"), "{said}");
        app.key("free");
        for beside in ["", "-wal", ".serve.lock"] {
            let file = format!("{}{beside}", app.store().display());
            assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
        }
        // However it ends, the next one may start.
        app.signal("KILL");
        app.ended_within(std::time::Duration::from_secs(20)).await.unwrap();
        let next = TestApp::with(&format!("[database]\nurl = \"sqlite://{}\"", app.store().display()));
        next.key("free");
    });
}
