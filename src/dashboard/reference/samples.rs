//! One call in three languages.

use askama::Template;
use serde_json::Value;

#[derive(Template)]
#[template(path = "reference/samples.txt", blocks = ["curl", "javascript", "python"])]
struct Call<'a> {
    url: &'a str,
    method: &'a str,
    keyed: bool,
    /// What is sent, if anything is.
    body: Option<&'a Value>,
}

/// The call for curl, in JavaScript and in Python.
pub(super) fn of(base: &str, path: &str, method: &str, keyed: bool, body: Option<&Value>) -> [String; 3] {
    let call = Call { url: &format!("{base}{path}"), method, keyed, body };
    let written = [call.as_curl().render(), call.as_javascript().render(), call.as_python().render()];
    written.map(Result::unwrap_or_default)
}

/// A value between the quotes of a shell.
fn quoted(value: &Value) -> String {
    value.to_string().replace('\'', r"'\''")
}

/// A value as Python writes it.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("\"{name}\": {}", literal(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_body_is_written_as_each_language_has_it() {
        let body = json!({"url": "it's", "checkLinks": false});
        let [curl, javascript, python] = of("http://a.dev", "/api", "post", true, Some(&body));
        assert!(curl.ends_with(r#"-d '{"checkLinks":false,"url":"it'\''s"}'"#), "{curl}");
        assert!(javascript.contains("\"x-api-key\": process.env.KEY, \"content-type\""));
        assert!(python.contains("json={\"checkLinks\": False, \"url\": \"it's\"},"), "{python}");
        let [curl, javascript, _] = of("http://a.dev", "/healthz", "get", false, None);
        assert_eq!(curl, "curl http://a.dev/healthz");
        assert!(javascript.starts_with("const response = await fetch(\"http://a.dev/healthz\");"));
    }
}
