//! One call in three languages.

use std::fmt::Write;

use serde_json::Value;

pub(super) struct Samples {
    pub(super) curl: String,
    pub(super) javascript: String,
    pub(super) python: String,
}

impl Samples {
    /// `body`: what is sent, if anything is.
    pub(super) fn of(base: &str, path: &str, method: &str, keyed: bool, body: Option<&Value>) -> Self {
        let url = format!("{base}{path}");
        Self {
            curl: curl(&url, keyed, body),
            javascript: javascript(&url, &method.to_uppercase(), keyed, body),
            python: python(&url, method, keyed, body),
        }
    }
}

fn curl(url: &str, keyed: bool, body: Option<&Value>) -> String {
    let mut lines = vec![format!("curl {url}")];
    lines.extend(keyed.then(|| "-H \"x-api-key: $KEY\"".to_owned()));
    if let Some(body) = body {
        lines.push("-H 'content-type: application/json'".to_owned());
        lines.push(format!("-d '{}'", body.to_string().replace('\'', r"'\''")));
    }
    lines.join(" \\\n  ")
}

fn javascript(url: &str, method: &str, keyed: bool, body: Option<&Value>) -> String {
    let mut options = String::new();
    let mut headers = Vec::new();
    headers.extend(keyed.then_some("\"x-api-key\": process.env.KEY"));
    if let Some(body) = body {
        headers.push("\"content-type\": \"application/json\"");
        let _ = writeln!(options, "  method: \"{method}\",");
        let _ = writeln!(options, "  body: JSON.stringify({body}),");
    }
    if !headers.is_empty() {
        let _ = writeln!(options, "  headers: {{ {} }},", headers.join(", "));
    }
    let options = if options.is_empty() { String::new() } else { format!(", {{\n{options}}}") };
    format!(
        "const response = await fetch(\"{url}\"{options});\nconst answer = await response.json();\n\
         if (!response.ok) throw new Error(answer.message);\nconsole.log(answer);"
    )
}

fn python(url: &str, method: &str, keyed: bool, body: Option<&Value>) -> String {
    let mut code =
        String::from(if keyed { "import os\n\nimport requests\n\n" } else { "import requests\n\n" });
    let _ = write!(code, "response = requests.{method}(\n    \"{url}\",\n");
    if keyed {
        code.push_str("    headers={\"x-api-key\": os.environ[\"KEY\"]},\n");
    }
    if let Some(body) = body {
        let _ = writeln!(code, "    json={},", literal(body));
    }
    code.push_str("    timeout=120,\n)\nanswer = response.json()\n");
    code.push_str("if not response.ok:\n    raise SystemExit(answer[\"message\"])\nprint(answer)");
    code
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
        let samples = Samples::of("http://a.dev", "/api", "post", true, Some(&body));
        assert!(samples.curl.ends_with(r#"-d '{"checkLinks":false,"url":"it'\''s"}'"#), "{}", samples.curl);
        assert!(samples.javascript.contains("\"x-api-key\": process.env.KEY, \"content-type\""));
        assert!(
            samples.python.contains("json={\"checkLinks\": False, \"url\": \"it's\"},"),
            "{}",
            samples.python
        );
        let plain = Samples::of("http://a.dev", "/healthz", "get", false, None);
        assert_eq!(plain.curl, "curl http://a.dev/healthz");
        assert!(plain.javascript.starts_with("const response = await fetch(\"http://a.dev/healthz\");"));
    }
}
