//! `wayfile config check|show|reload`

use std::io::Write;

use toml::Value;
use url::Url;

use super::args::ConfigCommand;
use super::{Failure, output};
use crate::config::Config;
use crate::{reload, runtime};

const MASK: &str = "***";

/// Checks the settings (reading them has found what is wrong), prints them, or has a service take them up.
pub(crate) fn run(config: &Config, command: &ConfigCommand) -> Result<(), Failure> {
    match command {
        ConfigCommand::Check => {
            let errors = config.start_errors();
            if !errors.is_empty() {
                return Err(Failure::wrong_use(format!(
                    "the settings cannot be used: {}",
                    errors.join("\n  ")
                )));
            }
            let warnings = config.warnings();
            for warning in &warnings {
                say!("warning: {warning}");
            }
            let look = match warnings.len() {
                0 => String::new(),
                1 => "; 1 warning deserves a look".to_owned(),
                many => format!("; {many} warnings deserve a look"),
            };
            output::print(|out| writeln!(out, "the settings can be used{look}"))
        }
        ConfigCommand::Show => {
            let shown = shown(config)?;
            output::print(|out| write!(out, "{shown}"))
        }
        ConfigCommand::Reload => {
            let changes = runtime::run(reload::ask(config.server.listen))??;
            output::print(|out| writeln!(out, "{changes}"))
        }
    }
}

/// What is a secret as a whole is not written out at all; of addresses the password, a token in its place and the query are masked here.
fn shown(config: &Config) -> anyhow::Result<String> {
    let mut value = Value::try_from(config)?;
    mask(&mut value);
    Ok(toml::to_string_pretty(&value)?)
}

fn mask(value: &mut Value) {
    match value {
        Value::Table(table) => table.iter_mut().for_each(|(_, value)| mask(value)),
        Value::Array(values) => values.iter_mut().for_each(mask),
        Value::String(text) => {
            let Ok(mut url) = Url::parse(text) else { return };
            let masked = match (url.username(), url.password()) {
                (_, Some(_)) => url.set_password(Some(MASK)),
                ("", None) => Ok(()),
                // A token.
                (_, None) => url.set_username(MASK),
            };
            if url.scheme().starts_with("http") && url.query().is_some() {
                url.set_query(Some(MASK));
            }
            if masked.is_ok() && Url::parse(text).is_ok_and(|plain| plain != url) {
                *text = url.into();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::load;

    #[test]
    fn passwords_and_secrets_are_masked() {
        let config = load(
            "[database]\nurl = \"postgres://way:s3cret@db/wayfile\"\n[llm]\napi_key = \"sk-1\"\nmodel = \"m\"\n\
             base_url = \"https://way:s3cret@m.example/v1?key=s3cret\"\n\
             [mail]\nsmtp_url = \"smtps://way:s3cret@mail.example.org\"",
        );
        let shown = shown(&config.unwrap()).unwrap();
        assert!(!shown.contains("s3cret") && !shown.contains("sk-1"), "{shown}");
        assert!(
            shown.contains("postgres://way:***@db/wayfile")
                && shown.contains("https://way:***@m.example/v1?***")
                && shown.contains("model = \"m\""),
            "{shown}"
        );
    }
}
