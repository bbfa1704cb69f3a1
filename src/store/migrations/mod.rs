//! The tables, version by version. A version that was released is never changed; a new file is added to both
//! folders and to the list.

use std::borrow::Cow;

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::url::Kind;

struct Version {
    number: i64,
    title: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

const VERSIONS: [Version; 2] = [
    Version {
        number: 1,
        title: "accounts, keys, usage",
        sqlite: include_str!("sqlite/0001_accounts.sql"),
        postgres: include_str!("postgres/0001_accounts.sql"),
    },
    Version {
        number: 2,
        title: "people",
        sqlite: include_str!("sqlite/0002_people.sql"),
        postgres: include_str!("postgres/0002_people.sql"),
    },
];

pub(super) fn migrator(kind: Kind) -> Migrator {
    let of = |version: Version| {
        let sql = match kind {
            Kind::Sqlite => version.sqlite,
            Kind::Postgres => version.postgres,
        };
        let sql = SqlStr::from_static(sql);
        Migration::new(version.number, Cow::Borrowed(version.title), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations(VERSIONS.into_iter().map(of).collect())
}
