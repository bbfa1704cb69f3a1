//! What of the settings a running service takes up, and what waits for its next start.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::Config;

/// Settings of `[crawl]` that are read again with each use. With others clients, caches or promises were made.
const LIVE: [&str; 13] = [
    "per_domain_concurrency",
    "per_domain_delay",
    "max_crawl_delay",
    "max_backoff",
    "retries",
    "gone_tries",
    "gone_after",
    "max_crawls",
    "max_fetches",
    "max_sitemaps",
    "full_max_bytes",
    "index_max_chars",
    "robots_ttl",
];

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Changes {
    /// They hold from now on: `key: before -> now`.
    pub(crate) taken_up: Vec<String>,
    /// Keys of those that a restart takes up. They may be secrets, so no values are named.
    pub(crate) need_restart: Vec<String>,
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |what: &[String]| if what.is_empty() { "none".to_owned() } else { what.join(", ") };
        write!(f, "changed: {}; need a restart: {}", list(&self.taken_up), list(&self.need_restart))
    }
}

impl Config {
    /// These settings with what of `read` a running service takes up, and what that is. A secret that is masked wherever
    /// settings are written (`llm.api_key`) is not compared.
    pub(crate) fn take_up(&self, read: &Self) -> anyhow::Result<(Self, Changes)> {
        let (mut changes, mut old, mut new) = (Changes::default(), BTreeMap::new(), BTreeMap::new());
        flatten("", Value::try_from(self)?, &mut old);
        flatten("", Value::try_from(read)?, &mut new);
        let gone = old.keys().filter(|key| !new.contains_key(*key));
        for key in new.keys().chain(gone).filter(|key| old.get(*key) != new.get(*key)) {
            match (is_live(key), old.get(key), new.get(key)) {
                (true, Some(was), Some(is)) => changes.taken_up.push(format!("{key}: {was} -> {is}")),
                _ => changes.need_restart.push(key.clone()),
            }
        }
        let mut crawl = Table::try_from(&self.crawl)?;
        let read_crawl = Table::try_from(&read.crawl)?.into_iter();
        crawl.extend(read_crawl.filter(|(key, _)| LIVE.contains(&key.as_str())));
        Ok((Self { crawl: crawl.try_into()?, plans: read.plans, ..self.clone() }, changes))
    }
}

fn is_live(key: &str) -> bool {
    key.starts_with("plans.") || key.strip_prefix("crawl.").is_some_and(|key| LIVE.contains(&key))
}

fn flatten(above: &str, value: Value, into: &mut BTreeMap<String, Value>) {
    match value {
        Value::Table(table) => table.into_iter().for_each(|(name, value)| {
            flatten(format!("{above}.{name}").trim_start_matches('.'), value, into);
        }),
        value => drop(into.insert(above.to_owned(), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::load;
    use super::*;

    #[test]
    fn reload_applies_live_settings_and_names_the_others() {
        let running = load("").unwrap();
        let read = load(
            "[crawl]\nmax_crawls = 3\nper_domain_delay = \"200ms\"\nuser_agent = \"Other/1\"\n[plans.free]\ncrawls_at_once = 2\n\
             [database]\nurl = \"postgres://u:s3cret@db/w\"\n[dashboard]\nupgrade_url = \"mailto:a@example.org\"",
        )
        .unwrap();
        let (taken, changes) = running.take_up(&read).unwrap();
        let crawl = &taken.crawl;
        assert_eq!((crawl.max_crawls, crawl.per_domain_delay), (3, read.crawl.per_domain_delay));
        assert_eq!(crawl.user_agent, running.crawl.user_agent);
        let told = "changed: crawl.max_crawls: 32 -> 3, crawl.per_domain_delay: \"50ms\" -> \"200ms\", \
                    plans.free.crawls_at_once: 1 -> 2; \
                    need a restart: crawl.user_agent, dashboard.upgrade_url, database.url";
        assert_eq!(changes.to_string(), told);
        // What waits for a restart is told each time; what was taken up is no news.
        let (_, again) = taken.take_up(&read).unwrap();
        assert!(again.taken_up.is_empty() && again.need_restart == changes.need_restart, "{again}");
    }

    #[test]
    fn every_live_setting_is_one() {
        let whole = Value::try_from(load("").unwrap()).unwrap();
        let unknown: Vec<_> = LIVE.into_iter().filter(|key| whole["crawl"].get(key).is_none()).collect();
        assert_eq!(unknown, Vec::<&str>::new());
    }
}
