//! What a setting may be: every duration, size and count has a row with the least and the most that works.
//!
//! Outside of them something would not merely be slow or small: nothing would be done, nothing would ever end, or figures would
//! no longer fit.

use humantime_serde::re::humantime::parse_duration;
use toml::{Table, Value};
use wayfile_actors::settings::ByteSize;
use wayfile_core::plan::Plan;

use super::Config;
use super::layers::{SettingError, value_at};

/// A setting by its key, the least and the most, written as in the file, and what is wrong outside of them.
type SettingBounds = (&'static str, &'static str, &'static str, &'static str);

const NOTHING: &str = "with less nothing could be done, with more there is no bound";
const NO_TIME: &str = "less leaves no time for anything, and of more nobody sees the end";
const ENDLESS: &str = "of more nobody sees the end";
const BOUNDLESS: &str = "more is no bound";
const ROWS: &[SettingBounds] = &[
    ("server.drain_timeout", "0s", "1d", ENDLESS),
    (
        "server.min_read_rate",
        "1",
        "1MiB",
        "less holds answers for ever, and more cuts off clients on slow lines",
    ),
    ("crawl.deadline", "1s", "1d", NO_TIME),
    ("crawl.per_domain_concurrency", "1", "1000", NOTHING),
    ("crawl.per_domain_delay", "0s", "10m", "with more no crawl sees a second page in its time"),
    ("crawl.max_crawl_delay", "0s", "1h", ENDLESS),
    ("crawl.max_backoff", "0s", "1h", ENDLESS),
    ("crawl.retries", "0", "10", "each waits twice as long as the one before"),
    ("crawl.gone_tries", "1", "1000000", "with 0 every domain is gone before it was asked"),
    ("crawl.gone_after", "0s", "1d", ENDLESS),
    ("crawl.max_crawls", "1", "100000", NOTHING),
    ("crawl.max_fetches", "1", "100000", NOTHING),
    ("crawl.queue_wait", "0s", "1h", ENDLESS),
    ("crawl.page_timeout", "100ms", "1h", NO_TIME),
    ("crawl.page_max_bytes", "1KiB", "1GiB", NOTHING),
    ("crawl.page_work", "1000000", "100000000000", NOTHING),
    ("crawl.max_sitemaps", "0", "100000", BOUNDLESS),
    ("crawl.full_max_bytes", "1KiB", "1GiB", NOTHING),
    ("crawl.index_max_chars", "1000", "1000000000", NOTHING),
    ("crawl.cache_bytes", "0", "1024GiB", BOUNDLESS),
    ("crawl.cache_ttl", "0s", "365d", ENDLESS),
    (
        "crawl.robots_ttl",
        "1m",
        "24h",
        "with less robots.txt is asked for instead of pages, and RFC 9309 section 2.4 allows no more",
    ),
    ("database.timeout", "100ms", "5m", NO_TIME),
    ("database.keep.answers", "0s", "3650d", ENDLESS),
    ("database.keep.answers_per_account", "0", "1000000", BOUNDLESS),
    ("database.keep.answers_bytes_per_account", "0", "1024GiB", BOUNDLESS),
    ("database.keep.reservations", "1m", "3650d", "with less runs that are not over lose theirs"),
    ("database.keep.revoked_keys", "0s", "3650d", ENDLESS),
    ("database.keep.usage", "0s", "3650d", ENDLESS),
    ("accounts.session_idle", "1m", "3650d", NO_TIME),
    ("accounts.session_longest", "1m", "3650d", NO_TIME),
    ("accounts.verify_within", "1m", "3650d", NO_TIME),
    ("accounts.reset_within", "1m", "3650d", NO_TIME),
    ("accounts.free_tries", "0", "1000000000", BOUNDLESS),
    ("accounts.first_wait", "100ms", "365d", "with less passwords can be tried without end"),
    ("accounts.first_mail_wait", "100ms", "365d", "with less somebody's mailbox can be filled without end"),
    ("accounts.longest_wait", "1s", "365d", "with less passwords can be tried without end"),
    ("accounts.forms_per_minute", "1", "1000000000", "with 0 nobody could log in"),
    ("mail.timeout", "100ms", "1h", NO_TIME),
    ("mail.first_wait", "0s", "365d", ENDLESS),
    ("mail.tries", "1", "1000", "with 0 no mail is sent, and with more none is ever given up"),
    ("validate.deadline", "1s", "1d", NO_TIME),
    ("validate.max_validations", "1", "100000", NOTHING),
    ("validate.queue_wait", "0s", "1h", ENDLESS),
    ("validate.max_links", "0", "100000", BOUNDLESS),
    ("browser.concurrency", "1", "1000", NOTHING),
    ("browser.timeout", "1s", "10m", NO_TIME),
    ("browser.pages_per_crawl", "1", "1000000", NOTHING),
    ("browser.requests_per_page", "1", "100000", NOTHING),
    ("browser.memory", "128MiB", "1024GiB", "with less no browser starts, and more is no bound"),
    ("llm.max_concurrency", "1", "100000", NOTHING),
    ("llm.timeout", "100ms", "1h", NO_TIME),
    ("llm.retries", "0", "10", "each waits twice as long as the one before"),
    ("llm.max_calls", "0", "1000000000", BOUNDLESS),
    ("llm.max_tokens", "0", "1000000000000", BOUNDLESS),
    ("llm.context_max_chars", "1000", "1000000000", "with less no prompt fits"),
    ("llm.cache_bytes", "0", "1024GiB", BOUNDLESS),
    ("llm.cache_ttl", "0s", "365d", ENDLESS),
];
/// Rows of each plan. What is 0 there is worth a warning, and may be meant.
const PLAN: [SettingBounds; 7] = [
    ("generate_per_month", "0", "1000000000000", BOUNDLESS),
    ("validate_per_month", "0", "1000000000000", BOUNDLESS),
    ("requests_per_minute", "0", "4294967295", BOUNDLESS),
    ("index_pages", "0", "1000000", BOUNDLESS),
    ("full_pages", "0", "1000000", BOUNDLESS),
    ("crawls_at_once", "0", "100000", BOUNDLESS),
    ("keys", "0", "1000000", BOUNDLESS),
];

impl Config {
    /// Settings that cannot work: their values, what they may be, and why.
    pub(super) fn check_bounds(&self) -> Vec<SettingError> {
        let settings = match Table::try_from(self) {
            Ok(settings) => settings,
            // A figure that no file could hold.
            Err(error) => return vec![SettingError { key: "a setting".to_owned(), says: error.to_string() }],
        };
        let outside = |(key, least, most, why): (String, &str, &str, &str)| {
            let value = value_at(&settings, &key)?;
            let figure = figure(value)?;
            if (written(least)..=written(most)).contains(&Some(figure)) {
                return None;
            }
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let says = format!("is {value}, and must be {least} to {most}: {why}");
            Some(SettingError { key, says })
        };
        rows().filter_map(outside).collect()
    }
}

fn rows() -> impl Iterator<Item = (String, &'static str, &'static str, &'static str)> {
    let plan =
        |plan: Plan| PLAN.map(|(key, least, most, why)| (format!("plans.{plan}.{key}"), least, most, why));
    let rest = ROWS.iter().map(|&(key, least, most, why)| (key.to_owned(), least, most, why));
    rest.chain(Plan::ALL.into_iter().flat_map(plan))
}

/// A setting as a figure that can be compared with others of its kind; `None`: it is no duration, size or count.
fn figure(value: &Value) -> Option<u128> {
    match value {
        Value::Integer(count) => u128::try_from(*count).ok(),
        Value::String(text) => written(text),
        _ => None,
    }
}

/// Nanoseconds, bytes or a count, as the file writes them.
fn written(text: &str) -> Option<u128> {
    let time = parse_duration(text).ok().map(|time| time.as_nanos());
    time.or_else(|| text.parse().ok().map(|ByteSize(bytes)| bytes as u128))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::tests::load;
    use super::*;

    /// Every key below `value` whose value is a duration, a size or a count.
    fn keys(value: &Value, key: &str, found: &mut BTreeSet<String>) {
        match value {
            Value::Table(table) => table.iter().for_each(|(name, value)| {
                keys(value, format!("{key}.{name}").trim_start_matches('.'), found);
            }),
            value if figure(value).is_some() => drop(found.insert(key.to_owned())),
            _ => {}
        }
    }

    fn with(key: &str, value: &str) -> anyhow::Result<Config> {
        load(&format!("{key} = {value}"))
    }

    fn quoted(value: &str, default: &Value) -> String {
        if default.is_integer() { value.to_owned() } else { format!("{value:?}") }
    }

    #[test]
    fn every_duration_size_and_count_has_bounds_and_holds_them() {
        let defaults: Table = toml::from_str(super::super::DEFAULTS).unwrap();
        let mut known = BTreeSet::new();
        keys(&Value::Table(defaults.clone()), "", &mut known);
        assert_eq!(rows().map(|(key, ..)| key).collect::<BTreeSet<_>>(), known);
        for (key, least, most, _) in rows() {
            let default = value_at(&defaults, &key).unwrap();
            for fine in [least, most] {
                with(&key, &quoted(fine, default)).unwrap_or_else(|error| panic!("{key} = {fine}: {error}"));
            }
            let is_time = default.as_str().is_some_and(|text| parse_duration(text).is_ok());
            for odd in ["0s", "1ns", "100years", "0", "1", "999999999999999", "8000000000GiB"] {
                if is_time != parse_duration(odd).is_ok_and(|_| odd != "0")
                    || default.is_integer() && odd.ends_with('B')
                {
                    continue;
                }
                let inside = (written(least)..=written(most)).contains(&written(odd));
                match with(&key, &quoted(odd, default)) {
                    Ok(_) => assert!(inside, "{key} = {odd}"),
                    Err(error) => {
                        assert!(!inside && error.to_string().contains(&key), "{key} = {odd}: {error}");
                    }
                }
            }
        }
    }

    #[test]
    fn zero_durations_are_refused_with_the_reason() {
        let error = with("crawl.robots_ttl", "\"0s\"").unwrap_err().to_string();
        assert!(
            error.starts_with(
                "crawl.robots_ttl is 0s, and must be 1m to 24h: with less robots.txt is asked for instead of pages, \
                 and RFC 9309 section 2.4 allows no more ("
            ),
            "{error}"
        );
    }
}
