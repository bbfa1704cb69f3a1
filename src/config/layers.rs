//! File and environment over the compiled-in defaults, and everything that is wrong with what they say.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use toml::de::{DeTable, DeValue, ValueDeserializer};
use toml::{Spanned, Table, Value};

use super::{Config, DEFAULTS, ENVIRONMENT};

/// A name is taken for a slip of the pen from this likeness on (Jaro-Winkler).
const LIKENESS: f64 = 0.8;
/// Settings whose values are not repeated in messages.
const SECRETS: [&str; 4] = ["llm.api_key", "mail.smtp_url", "database.url", "database.direct_url"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SettingError {
    pub(super) key: String,
    /// What is wrong, to be read behind the key.
    pub(super) says: String,
}

pub(super) fn faults(found: &[String]) -> anyhow::Error {
    match found {
        [one] => anyhow::Error::msg(one.clone()),
        several => anyhow::anyhow!("{} faults\n  {}", several.len(), several.join("\n  ")),
    }
}

#[derive(Clone)]
struct Setting {
    key: String,
    value: Value,
    place: SettingSource,
}

#[derive(Clone)]
enum SettingSource {
    /// The file and the line.
    File(String),
    /// The variable of this name.
    Environment(String),
}

pub(super) struct Layers {
    places: HashMap<String, SettingSource>,
    pub(super) config: Config,
    pub(super) errors: Vec<String>,
}

impl Layers {
    /// Reads all layers. What cannot be used is told, and left out of the settings.
    pub(super) fn read(file: Option<&Path>) -> anyhow::Result<Self> {
        let mut settings = file.map(of_file).transpose()?.unwrap_or_default();
        let defaults: Table = toml::from_str(DEFAULTS)?;
        let fits = |setting: &Setting| over(defaults.clone(), setting).try_into::<Config>().is_ok();
        settings.extend(of_environment(std::env::vars_os(), fits));
        // Reading ends at the first error, so each setting is tried by itself.
        let (mut usable, mut errors) = (defaults.clone(), unreadable(std::env::vars_os()));
        for setting in &settings {
            match over(defaults.clone(), setting).try_into::<Config>() {
                Ok(_) => usable = over(usable, setting),
                Err(error) => {
                    errors.push(setting.unusable(error.message(), value_at(&defaults, &setting.key)));
                }
            }
        }
        errors.dedup();
        let places = settings.into_iter().map(|setting| (setting.key, setting.place)).collect();
        Ok(Self { places, config: usable.try_into()?, errors })
    }

    /// An error of a setting, named as it was written.
    pub(super) fn told(&self, error: &SettingError) -> String {
        let SettingError { key, says } = error;
        self.places.get(key).map_or_else(|| format!("{key} {says}"), |place| place.told(key, says))
    }
}

impl SettingSource {
    fn told(&self, key: &str, says: &str) -> String {
        match self {
            Self::Environment(name) => format!("{name} {says}"),
            Self::File(line) => format!("{key} {says} ({line})"),
        }
    }
}

impl Setting {
    /// `error`: what serde says of the setting, whose default shows how it is written.
    fn unusable(&self, error: &str, default: Option<&Value>) -> String {
        let example = default.filter(|value| !matches!(value, Value::Array(_) | Value::Table(_)));
        let example = example.map_or_else(String::new, |value| format!(", such as {value}"));
        let mut names = error.split('`').skip(1).step_by(2);
        let of_kind = error.strip_prefix("invalid type: ").or_else(|| error.strip_prefix("invalid value: "));
        let says = if error.starts_with("unknown field") {
            let name = names.next().unwrap_or_default();
            let meant = nearest(name, names).map(|near| as_written(self, name, near));
            let hint = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
            format!("is no setting{hint}")
        } else {
            match of_kind.and_then(|told| told.split_once(", expected ")) {
                Some((_, expected)) if SECRETS.contains(&self.key.as_str()) => {
                    format!("has a value that cannot be used; it must be {expected}")
                }
                Some((found, expected)) => {
                    let expected = match expected {
                        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number",
                        "f32" | "f64" => "a number",
                        other => other,
                    };
                    format!("is {found}, and must be {expected}{example}")
                }
                None => format!("cannot be used: {error}{example}"),
            }
        };
        self.place.told(&self.key, &says)
    }
}

/// The value of a setting, by its whole name.
pub(super) fn value_at<'v>(settings: &'v Table, key: &str) -> Option<&'v Value> {
    let mut names = key.split('.');
    let first = settings.get(names.next()?)?;
    names.try_fold(first, |value, name| value.get(name))
}

/// The settings with one over them.
fn over(mut settings: Table, setting: &Setting) -> Table {
    let nest = |value, name: &str| Value::Table(Table::from_iter([(name.to_owned(), value)]));
    if let Value::Table(nested) = setting.key.rsplit('.').fold(setting.value.clone(), nest) {
        merge(&mut settings, nested);
    }
    settings
}

fn merge(into: &mut Table, from: Table) {
    for (name, value) in from {
        match (into.get_mut(&name), value) {
            (Some(Value::Table(into)), Value::Table(from)) => merge(into, from),
            (_, value) => drop(into.insert(name, value)),
        }
    }
}

/// The known name that was meant, if one is near.
fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let likeness = |known: &str| strsim::jaro_winkler(name, known);
    let near = known.filter(|known| likeness(known) >= LIKENESS);
    near.max_by(|one, other| likeness(one).total_cmp(&likeness(other)))
}

fn as_written(setting: &Setting, wrong: &str, right: &str) -> String {
    let parts = setting.key.split('.').map(|part| if part == wrong { right } else { part });
    let parts: Vec<&str> = parts.collect();
    match setting.place {
        SettingSource::File(_) => parts.join("."),
        SettingSource::Environment(_) => format!("{ENVIRONMENT}{}", parts.join("__").to_uppercase()),
    }
}

fn of_file(path: &Path) -> anyhow::Result<Vec<Setting>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let line = |at: usize| 1 + text.get(..at).unwrap_or_default().matches('\n').count();
    let place = |at: usize| SettingSource::File(format!("{}, line {}", path.display(), line(at)));
    let mut settings = Vec::new();
    let read = DeTable::parse(&text).and_then(|table| gather(table.into_inner(), "", &place, &mut settings));
    read.map_err(|error| {
        // The line is not repeated: a secret may stand there.
        let line = line(error.span().map_or(0, |span| span.start));
        anyhow::anyhow!("{} is no TOML: {} (line {line})", path.display(), error.message())
    })?;
    Ok(settings)
}

/// Every value below `table` with its dotted key.
fn gather(
    table: DeTable<'_>,
    above: &str,
    place: &impl Fn(usize) -> SettingSource,
    into: &mut Vec<Setting>,
) -> Result<(), toml::de::Error> {
    for (name, value) in table {
        let key = format!("{above}{}", name.get_ref());
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(table) if !table.is_empty() => gather(table, &format!("{key}."), place, into)?,
            value => {
                let value = Value::deserialize(ValueDeserializer::from(Spanned::new(span, value)))?;
                into.push(Setting { key, value, place: place(name.span().start) });
            }
        }
    }
    Ok(())
}

/// Variables whose names or values are no text: to leave them out would be to use another store, say.
fn unreadable(variables: impl Iterator<Item = (OsString, OsString)>) -> Vec<String> {
    let told = |(name, value): (OsString, OsString)| {
        let is_text = name.to_str().is_some() && value.to_str().is_some();
        let name = name.to_string_lossy();
        (!is_text && name.starts_with(ENVIRONMENT)).then(|| format!("{name} is no text in UTF-8"))
    };
    variables.filter_map(told).collect()
}

/// A text may look like something else, such as a password of digits: it is one where only that `fits`.
fn of_environment(
    variables: impl Iterator<Item = (OsString, OsString)>,
    fits: impl Fn(&Setting) -> bool,
) -> Vec<Setting> {
    let mut settings: Vec<Setting> = variables
        .filter_map(|(name, value)| {
            let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
            let key = name.strip_prefix(ENVIRONMENT)?.to_lowercase().replace("__", ".");
            let text = Value::String(value.clone());
            let setting = Setting { key, value: written(value), place: SettingSource::Environment(name) };
            let as_text = Setting { value: text, ..setting.clone() };
            Some(if !fits(&setting) && fits(&as_text) { as_text } else { setting })
        })
        .collect();
    settings.sort_by(|one, other| one.key.cmp(&other.key));
    settings
}

/// A value as a variable holds it: numbers, truth and lists as in the file, texts with or without quotation marks.
fn written(text: String) -> Value {
    let inside = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let read = toml::from_str::<Table>(&format!("value = {text}")).ok().filter(|read| read.len() == 1);
    let read = read.and_then(|mut read| read.remove("value")).filter(|value| !value.is_datetime());
    match (read, inside) {
        (Some(value), _) => value,
        (None, Some(list)) => {
            list.split(',').map(|one| Value::String(one.trim().to_owned())).collect::<Vec<_>>().into()
        }
        (None, None) => Value::String(text),
    }
}

/// Variables that look like settings and are not read: their names have one underscore where two are wanted.
pub(super) fn unread(names: impl Iterator<Item = String>) -> Vec<String> {
    let sections: Table = toml::from_str(DEFAULTS).unwrap_or_default();
    let told = |name: String| {
        let (section, key) = name.strip_prefix(ENVIRONMENT.strip_suffix('_')?)?.split_once('_')?;
        let meant = format!("{ENVIRONMENT}{}__{}", section.to_uppercase(), key.trim_start_matches('_'));
        let is_section = sections.contains_key(&section.to_lowercase());
        is_section
            .then(|| format!("{name} is not read: settings are named with two underscores, as in {meant}"))
    };
    let mut found: Vec<String> = names.filter_map(told).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::super::tests::load;
    use super::*;

    #[test]
    fn reports_all_config_errors_with_their_place() {
        let error = load(
            "[crawl]\nper_domain_delya = \"1s\"\ndeadline = \"soon\"\nmax_fetches = 0\n\n[crwal]\nx = 1\n\
             [server]\npublic_url = \"nowhere\"\n[mail]\nfrom = \"nobody\"\n",
        );
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("6 faults\n"), "{error}");
        for part in [
            "crawl.per_domain_delya is no setting; did you mean crawl.per_domain_delay? (",
            ", line 2)",
            "\n  crawl.deadline ",
            ", line 3)",
            "\n  crwal.x is no setting; did you mean crawl.x? (",
            "\n  crawl.max_fetches is 0, and must be 1 to 100000",
            "\n  server.public_url is \"nowhere\"",
            "\n  mail.from is \"nobody\"",
        ] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }

    #[test]
    fn a_file_that_is_no_toml_is_told_by_its_line_without_what_stands_there() {
        for line in
            ["api_key = sk-abc", "api_key = \"sk-abc", "sk-abc = [1", "api_key = \"\" sk-abc", "sk-abc sk"]
        {
            let error = load(&format!("[llm]\n{line}\n")).unwrap_err();
            let told = format!("{error:#} {error:?}");
            assert!(told.contains("is no TOML: ") && told.contains("(line "), "{told}");
            assert!(!told.contains("abc"), "{told}");
        }
    }

    #[test]
    fn a_variable_that_is_no_text_is_told() {
        let odd = || OsString::from_vec(vec![b'/', 0xff]);
        let name = |key: &str| OsString::from(format!("{ENVIRONMENT}{key}"));
        let found = unreadable([(name("DATABASE__URL"), odd()), ("PATH".into(), odd())].into_iter());
        assert_eq!(found, [format!("{ENVIRONMENT}DATABASE__URL is no text in UTF-8")]);
    }

    #[test]
    fn a_variable_is_told_by_its_name() {
        let variable = |name: &str, value: &str| (name.into(), value.into());
        let settings = of_environment(
            [
                variable("WAYFILE__CRAWL__DEADLIN", "5s"),
                variable("WAYFILE__LLM__API_KEY", "12345"),
                variable("PATH", "/bin"),
            ]
            .into_iter(),
            |_| true,
        );
        let names: Vec<&str> = settings.iter().map(|setting| setting.key.as_str()).collect();
        assert_eq!(names, ["crawl.deadlin", "llm.api_key"]);
        let meant = as_written(&settings[0], "deadlin", "deadline");
        assert_eq!(meant, "WAYFILE__CRAWL__DEADLINE");
    }

    #[test]
    fn variable_with_one_underscore_is_refused() {
        let names =
            ["WAYFILE_CRAWL__DEADLINE", "WAYFILE_LLM_MODEL", "WAYFILE_CONFIG", "WAYFILE__CRAWL__DEADLINE"];
        let found = unread(names.iter().map(|name| (*name).to_owned()));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("WAYFILE_CRAWL__DEADLINE is not read"), "{found:?}");
        assert!(found[1].ends_with("as in WAYFILE__LLM__MODEL"), "{found:?}");
    }
}
