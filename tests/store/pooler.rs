//! A `PgBouncer` between the service and `PostgreSQL`: what cannot work is refused at the start, with what to do about it.

use wayfile::store::{DatabaseUrl, Store};

use crate::{database, postgres};

#[test]
fn a_pooler_that_lends_connections_for_transactions_is_refused() {
    let Some(server) = postgres::of_its_own("pooled") else { return };
    let Some((through, direct)) = server.pooled("transaction") else { return };
    assert!(refusal(&through, "").contains("as database.direct_url"));
    // Before 1.21 it knows no prepared statements.
    if postgres::pooler_version() < (1, 21) {
        let refusal = refusal(&through, &format!("direct_url = \"{direct}\""));
        assert!(refusal.contains("PgBouncer has to be 1.21 or later"), "{refusal}");
    }
}

#[test]
fn a_pooler_that_lends_connections_for_sessions_needs_nothing_else() {
    let Some(server) = postgres::of_its_own("sessions") else { return };
    let Some((through, _)) = server.pooled("session") else { return };
    run(async { Store::open(&database(&DatabaseUrl::parse(&through).unwrap(), "")).await.unwrap() });
}

#[test]
fn sqlite_has_nothing_between() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("wayfile.db").display());
    let direct = format!("direct_url = \"{url}\"");
    run(async { Store::open(&database(&DatabaseUrl::parse(&url).unwrap(), &direct)).await.unwrap() });
}

fn refusal(url: &str, settings: &str) -> String {
    let url = DatabaseUrl::parse(url).unwrap();
    run(async { Store::open(&database(&url, settings)).await.err().unwrap().to_string() })
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().unwrap().block_on(work)
}
