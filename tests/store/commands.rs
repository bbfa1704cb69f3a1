//! `wayfile account` and `wayfile key`, as an operator types them, beside a server that uses the store.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};

use wayfile::auth::ApiKey;
use wayfile_actors::settings::Live;
use wayfile_actors::{KeyGuards, Refusal};
use wayfile_core::plan::{Endpoint, Plan};

use crate::{Place, on_both, plans};

on_both!(
    an_operator_manages_accounts_and_keys_while_a_server_runs,
    a_store_is_made_by_no_command_that_only_uses_one,
    a_store_of_a_newer_version_is_called_so,
    a_server_that_is_silent_for_long_is_not_listed,
);

fn wayfile(place: &Place, line: &str) -> Output {
    wayfile_to(place, line, Stdio::piped())
}

fn wayfile_to(place: &Place, line: &str, stdout: Stdio) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfile"));
    command.stdout(stdout);
    command.args(line.split(' ')).env("WAYFILE__DATABASE__URL", &place.written).env_remove("WAYFILE_CONFIG");
    command.output().unwrap()
}

fn stdout(output: &Output) -> &str {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    str::from_utf8(&output.stdout).unwrap()
}

async fn an_operator_manages_accounts_and_keys_while_a_server_runs(place: Place) {
    let ledger = place.ledger("a:8080").await;
    let guards = KeyGuards::start(
        Live::new(plans()),
        std::time::Duration::ZERO,
        ledger.clone(),
        ledger.coordination(),
    )
    .unwrap();

    assert_eq!(stdout(&wayfile(&place, "account create --email Ada@example.org --plan free")), "");
    let twice = wayfile(&place, "account create --email ada@example.org --plan pro");
    assert_eq!(twice.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&twice.stderr).contains("wayfile account plan"), "{twice:?}");

    let made = wayfile(&place, "key create --email ada@example.org --name ci");
    let key = ApiKey::parse(stdout(&made).lines().last().unwrap()).unwrap();
    let admission = guards.admit(key.hash(), Endpoint::Generate).await.unwrap();
    assert_eq!(admission.record.plan, Plan::Free);

    stdout(&wayfile(&place, "account plan --email ada@example.org --plan business"));
    assert_eq!(guards.admit(key.hash(), Endpoint::Generate).await.unwrap().record.plan, Plan::Business);
    let accounts = wayfile(&place, "account list");
    assert!(stdout(&accounts).starts_with("ada@example.org\tbusiness\tverified\tcreated 20"), "{accounts:?}");

    stdout(&wayfile(&place, "key revoke --email ada@example.org --name ci"));
    assert!(matches!(guards.admit(key.hash(), Endpoint::Generate).await, Err(Refusal::UnknownKey)));
    let keys = wayfile(&place, "key list --email ada@example.org");
    let (shown, ends) = (stdout(&keys), format!("ci\t{}...{}\t", key.prefix(), key.last4()));
    assert!(
        shown.starts_with(&ends) && shown.contains("revoked 20") && !shown.contains(key.expose()),
        "{shown}"
    );
    let id = admission.record.key;
    let all = wayfile(&place, "key list");
    let all = stdout(&all);
    assert!(all.starts_with("ada@example.org\tci\t") && all.ends_with(&format!("\tkey.id {id}\n")), "{all}");

    // A key that nobody saw is of no use, and takes no place.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let unseen = wayfile_to(&place, "key create --email ada@example.org --name unseen", full.into());
    assert_eq!(unseen.status.code(), Some(1), "{unseen:?}");
    let listed = wayfile(&place, "key list --email ada@example.org");
    assert!(stdout(&listed).lines().any(|line| line.starts_with("unseen\t") && line.contains("revoked 20")));

    for wrong in ["account create --email nobody --plan free", "account create --email a@b.org --plan gold"] {
        assert_eq!(wayfile(&place, wrong).status.code(), Some(2), "{wrong}");
    }
    let nobody = wayfile(&place, "key list --email nobody@example.org");
    assert_eq!(nobody.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("no account for nobody@example.org"));
}

/// A file that a new SQLite store is to be.
fn fresh(place: &Place) -> Option<String> {
    place.written.starts_with("sqlite://").then(|| place.written.replace(".db", "-new.db"))
}

async fn a_store_is_made_by_no_command_that_only_uses_one(mut place: Place) {
    let Some(written) = fresh(&place) else { return };
    let file = written.trim_start_matches("sqlite://").to_owned();
    place.written = written;
    for line in
        ["account list", "account plan --email a@b.org --plan free", "key list --email a@b.org", "nodes"]
    {
        let refused = wayfile(&place, line);
        assert_eq!(refused.status.code(), Some(1), "{line}");
        assert!(
            String::from_utf8_lossy(&refused.stderr).contains("there is no store"),
            "{line}: {refused:?}"
        );
        assert!(!std::path::Path::new(&file).exists(), "{line}");
    }
    let made = wayfile(&place, "account create --email ada@example.org --plan free");
    assert!(String::from_utf8_lossy(&made.stderr).contains("is a new store"), "{made:?}");
    // A backup that was put in its place.
    std::fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    stdout(&wayfile(&place, "account list"));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

async fn a_store_of_a_newer_version_is_called_so(place: Place) {
    drop(place.open().await);
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 SELECT 999, 'later', success, checksum, 0 FROM _sqlx_migrations LIMIT 1";
    place.raw(newer).await;
    let refused = wayfile(&place, "account list");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        refused.status.code() == Some(1) && said.contains("made by a newer version of Wayfile"),
        "{said}"
    );
}

async fn a_server_that_is_silent_for_long_is_not_listed(place: Place) {
    let ledger = place.ledger("a:8080").await;
    assert_eq!(ledger.store().nodes().await.unwrap().len(), 1);
    place.raw("UPDATE runs SET beat_at = beat_at - 60000000").await;
    assert_eq!(ledger.store().nodes().await.unwrap().len(), 0);
}

#[test]
fn why_a_store_cannot_be_reached_is_told() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfile"));
    command.args(["account", "list"]).env_remove("WAYFILE_CONFIG");
    command.env("WAYFILE__DATABASE__TIMEOUT", "1s");
    // Nobody listens there.
    command.env("WAYFILE__DATABASE__URL", "postgres://ada:s3cret@127.0.0.1:1/wayfile");
    let refused = command.output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(1) && said.contains("Connection refused"), "{said}");
    assert!(!said.contains("s3cret"), "{said}");
}
