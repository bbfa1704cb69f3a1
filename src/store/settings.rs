//! What an operator may set of the store, and where it lies.

use std::fmt;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use url::Url;
use wayfile_actors::settings::ByteSize;

const SQLITE: &str = "sqlite://";

/// The section `[database]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]
pub struct DatabaseSettings {
    pub url: DatabaseUrl,
    pub direct_url: Option<DatabaseUrl>,
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    pub keep: Keep,
}

/// How long what is kept is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    #[serde(with = "humantime_serde")]
    pub answers: Duration,
    pub answers_per_account: usize,
    pub answers_bytes_per_account: ByteSize,
    #[serde(with = "humantime_serde")]
    pub reservations: Duration,
    #[serde(with = "humantime_serde")]
    pub usage: Duration,
    #[serde(with = "humantime_serde")]
    pub revoked_keys: Duration,
}

/// `sqlite://FILE` or `postgres://USER:PASSWORD@HOST/NAME`. Shown without its password.
#[derive(Debug, Clone)]
pub struct DatabaseUrl {
    whole: SecretString,
    pub(crate) kind: DatabaseKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatabaseKind {
    Sqlite,
    Postgres,
}

/// A text that names no store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such store: write sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME")]
pub struct BadDatabaseUrl;

impl DatabaseUrl {
    /// Reads it.
    /// Errors: [`BadDatabaseUrl`]: another scheme, or no file or host.
    pub fn parse(text: &str) -> Result<Self, BadDatabaseUrl> {
        let kind = if let Some(file) = text.strip_prefix(SQLITE) {
            // A store in memory would be another one for every connection.
            if file.is_empty() || file.starts_with([':', '?']) || file.contains("mode=memory") {
                return Err(BadDatabaseUrl);
            }
            DatabaseKind::Sqlite
        } else {
            let url = Url::parse(text).map_err(|_| BadDatabaseUrl)?;
            if !matches!(url.scheme(), "postgres" | "postgresql") {
                return Err(BadDatabaseUrl);
            }
            DatabaseKind::Postgres
        };
        Ok(Self { whole: text.into(), kind })
    }

    /// For the driver: an SQLite file is made when it is not there.
    pub(crate) fn for_driver(&self) -> SecretString {
        let whole = self.whole.expose_secret();
        match self.kind {
            DatabaseKind::Postgres => self.whole.clone(),
            DatabaseKind::Sqlite if whole.contains('?') => format!("{whole}&mode=rwc").into(),
            DatabaseKind::Sqlite => format!("{whole}?mode=rwc").into(),
        }
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.whole.expose_secret();
        if self.kind == DatabaseKind::Sqlite {
            return f.write_str(whole);
        }
        let mut url = Url::parse(whole).map_err(|_| fmt::Error)?;
        if url.password().is_some() {
            url.set_password(Some("***")).map_err(|()| fmt::Error)?;
        }
        // A driver takes a password there, too.
        if url.query().is_some() {
            url.set_query(Some("***"));
        }
        url.fmt(f)
    }
}

impl Serialize for DatabaseUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DatabaseUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_named_and_its_password_is_not() {
        for (text, shown) in [
            ("sqlite://wayfile.db", "sqlite://wayfile.db"),
            ("sqlite:///var/lib/wayfile/wayfile.db", "sqlite:///var/lib/wayfile/wayfile.db"),
            ("postgres://ada:secret@db.example/wayfile", "postgres://ada:***@db.example/wayfile"),
            ("postgres://db.example/wayfile?password=secret", "postgres://db.example/wayfile?***"),
        ] {
            assert_eq!(DatabaseUrl::parse(text).unwrap().to_string(), shown);
        }
        for bad in ["", "wayfile.db", "sqlite://", "sqlite::memory:", "sqlite://:memory:", "mysql://a/b"] {
            assert_eq!(DatabaseUrl::parse(bad).unwrap_err(), BadDatabaseUrl, "{bad}");
        }
    }
}
