//! `/openapi.json`, and the same from `wayfile openapi`.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::run;
use crate::test_app::{self, TestApp};

async fn document(app: &TestApp) -> Value {
    test_app::json(app.get("/openapi.json").send().await.unwrap()).await.1
}

#[test]
fn document_matches_the_snapshot() {
    run(async {
        let app = TestApp::start();
        let document = document(&app).await;
        assert_eq!(document["openapi"], "3.1.0");
        insta::assert_json_snapshot!("openapi", document);
        let printed: Value = serde_json::from_str(&app.command(&["openapi"])).unwrap();
        assert_eq!(printed, document);
    });
}

#[test]
fn every_answer_has_an_example() {
    run(async {
        let document = document(&TestApp::start()).await;
        let mut answers = 0;
        for (path, operations) in document["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                for (status, response) in operation["responses"].as_object().unwrap() {
                    for (kind, content) in response["content"].as_object().unwrap() {
                        let schema = &content["schema"];
                        let has = content.get("example").is_some()
                            || content["examples"].as_object().is_some_and(|all| !all.is_empty())
                            || in_schema(&document, schema);
                        assert!(has, "{method} {path} {status} {kind} has no example");
                        answers += 1;
                    }
                }
            }
        }
        assert!(answers > 10, "{answers}");
    });
}

#[test]
fn the_example_of_a_text_is_answered_as_it_says() {
    run(async {
        let app = TestApp::start();
        let document = document(&app).await;
        let operation = &document["paths"]["/api/v1/validate"]["post"];
        let example =
            |content: &Value| content["content"]["application/json"]["examples"]["A text"]["value"].clone();
        let (asked, told) = (example(&operation["requestBody"]), example(&operation["responses"]["200"]));
        let key = app.key("free");
        let (_, answer) = test_app::json(app.validate(&key, &asked).send().await.unwrap()).await;
        for (name, value) in told.as_object().unwrap().iter().filter(|(name, _)| *name != "checks") {
            assert_eq!(&answer[name], value, "{name}");
        }
        let checks = answer["checks"].as_array().unwrap();
        for check in told["checks"].as_array().unwrap() {
            assert!(checks.contains(check), "{check}");
        }
    });
}

fn in_schema(document: &Value, schema: &Value) -> bool {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    let fields = document["components"]["schemas"][name]["properties"].as_object();
    fields.is_some_and(|fields| fields.values().all(|field| field.get("example").is_some()))
}

/// `WAYFILE_OPENAPI_PYTHON` names a Python that has `openapi-spec-validator`; `.ci/run` makes one.
#[test]
fn the_validator_of_the_standard_accepts_it() {
    let python = std::env::var("WAYFILE_OPENAPI_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has =
        Command::new(&python).args(["-c", "import openapi_spec_validator"]).stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        assert!(
            std::env::var_os("WAYFILE_TESTS_REQUIRE").is_none(),
            "{python} has no openapi-spec-validator"
        );
        eprintln!("skipped: {python} has no openapi-spec-validator (set WAYFILE_OPENAPI_PYTHON)");
        return;
    }
    let app = TestApp::start();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), app.command(&["openapi"])).unwrap();
    let said = Command::new(python).args(["-m", "openapi_spec_validator"]).arg(file.path()).output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
}
