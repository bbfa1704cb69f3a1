//! Two services on one PostgreSQL: what one of them is told counts at the other.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::json;
use wayfile_actors::ledger::KeyId;

use crate::Place;
use crate::both_stores::on_postgres;
use crate::fake_site::{FakeSite, numbered};
use crate::test_app::TestApp;

/// Whoever waits for a request of another node looks by itself this often.
const LOOK: Duration = Duration::from_secs(1);
const ROUNDS: u32 = 6;

/// Nodes are told apart by where they listen.
fn two_nodes(place: &Place, settings: &str) -> [TestApp; 2] {
    let free = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    free.map(|free| {
        let listen = free.local_addr().unwrap();
        drop(free);
        TestApp::with(&format!(
            "server.listen = \"{listen}\"\ndatabase.url = \"{}\"\n{settings}",
            place.written
        ))
    })
}

#[test]
fn the_command_lists_the_nodes_that_live_and_what_they_hold() {
    on_postgres(async |place| {
        let mut apps = two_nodes(&place, "crawl.per_domain_delay = \"50ms\"");
        let site = FakeSite::start(|path| numbered(path, 3).after(Duration::from_millis(500)));
        let key = apps[0].key("pro");
        let lines = |app: &TestApp| -> Vec<Vec<String>> {
            let said = app.command(&["nodes"]);
            said.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
        };
        let running =
            apps[0].generate(&key, &json!({"url": site.url()})).header("idempotency-key", "one").send();
        let looking = async {
            while site.count("/") == 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            lines(&apps[1])
        };
        let (running, seen) = tokio::join!(running, looking);
        assert_eq!(running.unwrap().status(), 200);
        let address = |app: &TestApp| app.url.trim_start_matches("http://").to_owned();
        let of = |app: &TestApp| seen.iter().find(|line| line[0].ends_with(&address(app))).unwrap().clone();
        assert_eq!(seen.len(), 2, "{seen:?}");
        assert_eq!(
            of(&apps[0])[2..],
            ["1 units reserved", "1 sites reserved", "1 crawls of keys", "1 unanswered"]
        );
        assert_eq!(
            of(&apps[1])[2..],
            ["0 units reserved", "0 sites reserved", "0 crawls of keys", "0 unanswered"]
        );
        let silent = |line: &[String]| -> f64 { line[1].split(' ').nth(4).unwrap().parse().unwrap() };
        assert!(seen.iter().all(|line| silent(line) < 12.0), "{seen:?}");
        // A node that leaves is gone from the list.
        let left = address(&apps[1]);
        apps[1].signal("TERM");
        apps[1].ended_within(Duration::from_secs(20)).await.unwrap();
        let seen = lines(&apps[0]);
        assert!(seen.len() == 1 && !seen[0][0].ends_with(&left), "{seen:?}");
    });
}

async fn guess(app: &TestApp, email: &str) -> u16 {
    let form = app.post("/login").header("sec-fetch-site", "same-origin");
    let form = form.header("content-type", "application/x-www-form-urlencoded");
    form.body(format!("email={email}&password=a+wrong+password")).send().await.unwrap().status().as_u16()
}

#[test]
fn tries_to_log_in_are_counted_over_all_nodes() {
    on_postgres(async |place| {
        let apps = two_nodes(&place, "accounts.free_tries = 3\naccounts.first_wait = \"10m\"");
        let mut answers = Vec::new();
        for nth in 0..5 {
            answers.push(guess(&apps[nth % 2], "ada%40example.org").await);
        }
        assert_eq!(answers, [422, 422, 422, 429, 429]);
        assert_eq!(guess(&apps[1], "grace%40example.org").await, 422);
    });
}

#[test]
fn a_long_wait_to_log_in_outlives_what_is_thrown_away_by_the_hour() {
    on_postgres(async |place| {
        let settings =
            "accounts.free_tries = 1\naccounts.first_wait = \"12h\"\naccounts.longest_wait = \"12h\"";
        let apps = two_nodes(&place, settings);
        assert_eq!(guess(&apps[0], "ada%40example.org").await, 422);
        place.raw("UPDATE shared SET touched_at = touched_at - 7200000000 WHERE name <> ''").await;
        place.open().await.purge(jiff::Timestamp::now()).await.unwrap();
        assert_eq!(guess(&apps[1], "ada%40example.org").await, 429);
    });
}

#[test]
fn waiters_on_other_nodes_are_notified() {
    on_postgres(async |place| {
        let apps = two_nodes(&place, "");
        let site = FakeSite::start(|path| numbered(path, 2).after(Duration::from_millis(250)));
        let key = apps[0].key("business");
        let mut later = Duration::ZERO;
        for round in 0..ROUNDS {
            let ask = async |app: &TestApp| {
                let ask = app.generate(&key, &json!({"url": site.url()})).header("cache-control", "no-cache");
                let answer = ask.header("idempotency-key", format!("order-{round}")).send().await.unwrap();
                let replayed = answer.headers().contains_key("idempotent-replayed");
                assert_eq!(answer.status(), 200);
                (replayed, answer.text().await.unwrap(), Instant::now())
            };
            let second = async {
                tokio::time::sleep(Duration::from_millis(100)).await;
                ask(&apps[1]).await
            };
            let (first, second) = tokio::join!(ask(&apps[0]), second);
            assert!(!first.0 && second.0, "the second request did not wait for the first");
            assert_eq!(first.1, second.1);
            later += second.2.saturating_duration_since(first.2);
        }
        assert_eq!(apps[1].used(&key).await.0, u64::from(ROUNDS));
        // Without news it would be half of that more on average.
        assert!(later < LOOK * ROUNDS / 4, "the waiters heard {later:?} later in {ROUNDS} rounds");
    });
}

#[test]
fn a_password_that_was_chosen_at_one_node_lets_its_owner_in_at_the_other() {
    on_postgres(async |place| {
        let apps = two_nodes(&place, "accounts.free_tries = 1\naccounts.first_wait = \"10m\"");
        let send = async |app: &TestApp, path: &str, form: String| {
            let sent = app.post(path).header("sec-fetch-site", "same-origin");
            let sent = sent.header("content-type", "application/x-www-form-urlencoded").body(form).send();
            sent.await.unwrap().status().as_u16()
        };
        apps[0].command(&["account", "create", "--email", "ada@example.org", "--plan", "free"]);
        let log_in = |password: &str| format!("email=ada%40example.org&password={password}");
        assert_eq!(send(&apps[1], "/login", log_in("a+guess")).await, 422);
        assert_eq!(send(&apps[1], "/login", log_in("a+guess")).await, 429);
        // The link of a mail.
        let token = "a1".repeat(32);
        let link = "INSERT INTO links (hash, kind, email, expires_at) \
            SELECT sha256(repeat('a1', 32)::bytea), 'reset', 'ada@example.org', 9000000000000000";
        place.raw(link).await;
        let chosen = format!("token={token}&password=tide+tables+of+7");
        assert_eq!(send(&apps[0], "/reset", chosen).await, 200);
        assert_eq!(send(&apps[1], "/login", log_in("tide+tables+of+7")).await, 303);
    });
}

#[test]
fn a_place_to_crawl_that_is_taken_after_nobody_waits_for_it_is_free_again() {
    on_postgres(async |place| {
        let ledger = place.ledger_with("timeout = \"500ms\"").await;
        let (nodes, key) = (ledger.coordination(), KeyId(1));
        place.raw("CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NEW; END'").await;
        place
            .raw("CREATE TRIGGER late BEFORE INSERT ON crawl_places FOR EACH ROW EXECUTE FUNCTION late()")
            .await;
        assert!(nodes.crawl_place(key, 1).await.is_err());
        let taken = async {
            while place.count("SELECT count(*) FROM crawl_places").await == 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), taken).await.unwrap();
        place.raw("DROP TRIGGER late ON crawl_places").await;
        assert!(nodes.crawl_place(key, 1).await.unwrap().is_some());
    });
}

#[test]
fn places_to_crawl_that_are_given_back_at_once_are_freed_together_and_before_the_next_is_taken() {
    on_postgres(async |place| {
        let ledger = place.ledger("a").await;
        let (nodes, key) = (ledger.coordination(), KeyId(1));
        place.raw("CREATE TABLE deletions (at TIMESTAMPTZ DEFAULT now())").await;
        place
            .raw(
                "CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                 INSERT INTO deletions DEFAULT VALUES; PERFORM pg_sleep(0.3); RETURN NULL; END $$",
            )
            .await;
        place.raw("CREATE TRIGGER late AFTER DELETE ON crawl_places EXECUTE FUNCTION late()").await;
        let mut held = Vec::new();
        for _ in 0..12 {
            held.push(nodes.crawl_place(key, 12).await.unwrap().unwrap());
        }
        assert!(nodes.crawl_place(key, 12).await.unwrap().is_none());
        drop(held);
        assert!(nodes.crawl_place(key, 1).await.unwrap().is_some());
        let deletions = place.count("SELECT count(*) FROM deletions").await;
        assert!(deletions <= 3, "{deletions} statements free 12 places");
    });
}

#[test]
fn a_node_that_is_told_what_another_changed_needs_one_statement_for_the_next_change() {
    on_postgres(async |place| {
        let apps = two_nodes(&place, "crawl.per_domain_delay = \"50ms\"");
        let site = FakeSite::start(|path| numbered(path, 80));
        let key = apps[0].key("business");
        place.raw("CREATE TABLE tries (swapped BOOLEAN)").await;
        place
            .raw(
                "CREATE FUNCTION tried() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                 INSERT INTO tries SELECT EXISTS (SELECT FROM new_rows); RETURN NULL; END $$",
            )
            .await;
        place
            .raw(
                "CREATE TRIGGER tried AFTER UPDATE ON shared REFERENCING NEW TABLE AS new_rows \
                 FOR EACH STATEMENT EXECUTE FUNCTION tried()",
            )
            .await;
        let crawl = async |app: &TestApp| {
            let asked = json!({"url": site.url(), "maxPages": 80});
            assert_eq!(app.generate(&key, &asked).send().await.unwrap().status(), 200);
        };
        tokio::join!(crawl(&apps[0]), crawl(&apps[1]));
        let tries = place.count("SELECT count(*) FROM tries").await;
        let swapped = place.count("SELECT count(*) FROM tries WHERE swapped").await;
        // A node that comes does not know the row, and both may change it at once.
        assert!(swapped >= 6 && tries - swapped <= 4, "{tries} statements for {swapped} changes");
    });
}
