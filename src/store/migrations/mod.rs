//! The tables, version by version. A version that was released is never changed; a new file is added to both
//! folders and to the list.

use std::borrow::Cow;

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::settings::DatabaseKind;

/// Title, and the text for SQLite and for PostgreSQL, of each version from the first on.
macro_rules! versions {
    ($($title:literal $file:literal;)*) => {
        [$((
            $title,
            include_str!(concat!("sqlite/", $file)),
            include_str!(concat!("postgres/", $file)),
        )),*]
    };
}

const VERSIONS: [(&str, &str, &str); 8] = versions! {
    "accounts, keys, usage" "0001_accounts.sql";
    "people" "0002_people.sql";
    "bodies of kept answers" "0003_bodies.sql";
    "the runs that ended last" "0004_latest_runs.sql";
    "what nodes share" "0005_nodes.sql";
    "bodies without zstd" "0006_gzip.sql";
    "what runs said" "0007_runs_said.sql";
    "numbers of mails" "0008_mail_numbers.sql";
};

pub(super) fn migrator(kind: DatabaseKind) -> Migrator {
    let of = |(number, (title, sqlite, postgres))| {
        let sql = SqlStr::from_static(if kind == DatabaseKind::Sqlite { sqlite } else { postgres });
        Migration::new(number, Cow::Borrowed(title), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations((1..).zip(VERSIONS).map(of).collect())
}

#[cfg(test)]
mod tests {
    use sqlx::{AnyConnection, Connection};

    use super::*;

    /// The account 1 and its key 7, as every version knows them.
    const KEY: [&str; 2] = [
        "INSERT INTO accounts (id, email, plan, created_at) VALUES (1, 'a', 'free', 0)",
        "INSERT INTO keys (id, account_id, hash, prefix, last4, name, created_at) VALUES (7, 1, x'00', '', '', '', 0)",
    ];

    /// A store in memory of version `version`, with [`KEY`] and what `made` adds to it, brought up to date.
    async fn migrated(version: usize, made: &[&'static str]) -> AnyConnection {
        sqlx::any::install_default_drivers();
        let mut store = AnyConnection::connect("sqlite::memory:").await.unwrap();
        let whole = migrator(DatabaseKind::Sqlite);
        let old = Migrator::with_migrations(whole.iter().take(version).cloned().collect());
        old.run_direct(None, &mut store, false).await.unwrap();
        for made in KEY.iter().chain(made) {
            sqlx::query(*made).execute(&mut store).await.unwrap();
        }
        whole.run_direct(None, &mut store, false).await.unwrap();
        store
    }

    #[tokio::test]
    async fn answers_of_version_2_are_still_there() {
        let made = ["INSERT INTO answers (key_id, name, body_hash, run_id, status, body, created_at) \
             VALUES (7, 'kept', x'00', x'00', 200, '{\"a\": \"\u{e9}\"}', 5), (7, 'open', x'00', x'00', NULL, NULL, 5)"];
        let mut store = migrated(2, &made).await;
        let kept: Vec<(String, i64, i64, String, Vec<u8>)> =
            sqlx::query_as("SELECT name, account_id, bytes, coding, body FROM answer_bodies")
                .fetch_all(&mut store)
                .await
                .unwrap();
        let body = "{\"a\": \"\u{e9}\"}";
        let expected = ("kept".to_owned(), 1, 11, "identity".to_owned(), body.as_bytes().to_vec());
        assert_eq!(kept, [expected]);
    }

    #[tokio::test]
    async fn answers_kept_as_zstd_are_forgotten() {
        let made = [
            "INSERT INTO answers (key_id, name, body_hash, run_id, status, created_at) \
             VALUES (7, 'old', x'00', x'00', 200, 5), (7, 'older', x'00', x'00', 200, 5), (7, 'open', x'00', x'00', NULL, 5)",
            "INSERT INTO answer_bodies (key_id, name, account_id, laid_at, bytes, coding, body) \
             VALUES (7, 'old', 1, 5, 1, 'zstd', x'00'), (7, 'older', 1, 5, 1, 'identity', x'00')",
        ];
        let mut store = migrated(5, &made).await;
        let names = sqlx::query_scalar::<_, String>("SELECT name FROM answers ORDER BY name");
        assert_eq!(
            names.fetch_all(&mut store).await.unwrap(),
            ["older", "open"].map(str::to_owned).as_slice()
        );
        let bodies = sqlx::query_scalar::<_, String>("SELECT name FROM answer_bodies");
        assert_eq!(bodies.fetch_all(&mut store).await.unwrap(), ["older".to_owned()]);
    }
}
