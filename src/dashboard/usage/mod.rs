//! `/usage`: the month's quotas, key by key, and the last thirty days.

mod plot;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use wayfile_actors::ledger::KeyId;
use wayfile_core::calendar::{Day, Month};
use wayfile_core::plan::{Endpoint, Plan, PlanLimits};

use super::frame::Frame;
use super::keys::REVOKED_SHOWN;
use super::session::SignedIn;
use super::{USAGE, render, words};
use crate::app::Service;
use crate::error::ApiError;
use crate::store::{DayUsage, Key, MonthUsage};
use plot::Plot;

/// Days that the plots show, today included.
const DAYS: i64 = 30;

/// Which key the plots are about; none: all of them.
#[derive(Deserialize)]
pub(crate) struct Choice {
    key: Option<String>,
}

#[derive(Template)]
#[template(path = "usage.html")]
struct Page<'a> {
    frame: Frame,
    plan: Plan,
    month: String,
    resets: String,
    /// Runs of all keys this month: files made, validations.
    sum: [u64; 2],
    rows: Vec<Row<'a>>,
    /// The keys that the plots can be about.
    keys: Vec<&'a Key>,
    /// The key that the plots are about.
    picked: Option<KeyId>,
    plots: [Plot; 2],
    days: Vec<DayRow>,
}

/// What one key used this month.
struct Row<'a> {
    key: &'a Key,
    meters: [Meter; 2],
}

/// A quota and what is used of it.
struct Meter {
    name: &'static str,
    used: u64,
    quota: u64,
}

impl Meter {
    /// How much of the bar is filled, in per cent.
    fn percent(&self) -> u64 {
        (self.used * 100).checked_div(self.quota).unwrap_or(100).min(100)
    }

    fn class(&self) -> &'static str {
        match self.percent() {
            100.. => "fill over",
            80.. => "fill near",
            _ => "fill",
        }
    }
}

/// One day as the table shows it.
struct DayRow {
    label: String,
    counts: [u64; 2],
}

pub(crate) async fn usage(
    service: web::Data<Service>,
    person: SignedIn,
    choice: web::Query<Choice>,
) -> Result<HttpResponse, ApiError> {
    let (store, now) = (service.ledger.store(), Timestamp::now());
    let (month, days) = (Month::of(now), last_days(now));
    let working = store.working_keys(person.account).await?;
    let of_month = store.usage_of_month(person.account, month).await?;
    let first = days.first().map_or(Day::of(now), |(day, _)| *day);
    let by_day = store.usage_by_day(person.account, first).await?;

    // Of those that are gone, only what the plots can show.
    let revoked = store.revoked_keys_used_since(person.account, first, REVOKED_SHOWN).await?;
    let keys: Vec<&Key> = working.iter().chain(&revoked).collect();
    let picked = choice.key.as_deref().and_then(|id| id.parse().ok()).map(KeyId);
    let picked = picked.filter(|id| keys.iter().any(|key| key.id == *id));
    let limits = service.plans.limits(person.plan);
    let counted = |endpoint| -> Vec<(String, u64)> {
        days.iter().map(|(day, label)| (label.clone(), of_day(&by_day, *day, endpoint, picked))).collect()
    };
    let series = Endpoint::ALL.map(counted);
    let page = Page {
        frame: Frame::of(&person, USAGE),
        plan: person.plan,
        month: words::month(now),
        resets: words::moment(month.end()),
        sum: Endpoint::ALL.map(|endpoint| {
            of_month.iter().filter(|used| used.endpoint == endpoint).map(|used| used.own).sum()
        }),
        rows: working.iter().map(|key| row(key, limits, &of_month)).collect(),
        keys,
        picked,
        plots: [
            Plot::of("generate", name(Endpoint::Generate), &series[0]),
            Plot::of("validate", name(Endpoint::Validate), &series[1]),
        ],
        days: days
            .iter()
            .zip(series[0].iter().zip(&series[1]))
            .map(|((_, label), (made, checked))| DayRow { label: label.clone(), counts: [made.1, checked.1] })
            .rev()
            .collect(),
    };
    render(StatusCode::OK, &page)
}

/// The days that are shown, the oldest first, each as people write it.
fn last_days(now: Timestamp) -> Vec<(Day, String)> {
    let days = (0..DAYS).rev().filter_map(|ago| now.checked_sub(SignedDuration::from_hours(24 * ago)).ok());
    days.map(|at| (Day::of(at), words::day(at))).collect()
}

fn of_day(used: &[DayUsage], day: Day, endpoint: Endpoint, key: Option<KeyId>) -> u64 {
    let wanted =
        |one: &&DayUsage| one.day == day && one.endpoint == endpoint && key.is_none_or(|key| one.key == key);
    used.iter().filter(wanted).map(|one| one.count).sum()
}

fn row<'a>(key: &'a Key, limits: &PlanLimits, used: &[MonthUsage]) -> Row<'a> {
    let meters = Endpoint::ALL.map(|endpoint| {
        let own = used.iter().find(|one| one.key == key.id && one.endpoint == endpoint);
        let used = own.map_or(0, |one| one.counted);
        Meter { name: name(endpoint), used, quota: limits.per_month(endpoint) }
    });
    Row { key, meters }
}

fn name(endpoint: Endpoint) -> &'static str {
    match endpoint {
        Endpoint::Generate => "Files made",
        Endpoint::Validate => "Validations",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_days_end_today() {
        let days = last_days("2026-03-02T00:30:00Z".parse().unwrap());
        let (first, last) = (&days[0], &days[29]);
        assert_eq!((days.len(), first.1.as_str(), last.1.as_str()), (30, "1 Feb", "2 Mar"));
        assert_eq!(
            (first.0.to_string(), last.0.to_string()),
            ("2026-02-01".to_owned(), "2026-03-02".to_owned())
        );
    }

    #[test]
    fn a_bar_is_never_longer_than_its_track() {
        let bar = |used, quota| {
            let meter = Meter { name: "", used, quota };
            (meter.percent(), meter.class())
        };
        assert_eq!(bar(0, 10), (0, "fill"));
        assert_eq!(bar(8, 10), (80, "fill near"));
        assert_eq!(bar(12, 10), (100, "fill over"));
        assert_eq!(bar(0, 0), (100, "fill over"));
    }
}
