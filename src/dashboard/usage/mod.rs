//! `/usage`: the month of one key, day by day, and its quotas.

mod plot;

use actix_web::http::StatusCode;
use actix_web::web;
use askama::Template;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use wayfile_actors::ledger::KeyId;
use wayfile_core::calendar::{Day, Month};
use wayfile_core::plan::{Endpoint, Plan, PlanLimits};

use super::keys::REVOKED_SHOWN;
use super::{Layout, SignedIn, USAGE, render, words};
use crate::error::ApiResult;
use crate::service::Service;
use crate::store::{DayUsage, Key, MonthUsage};
use plot::Plot;

/// Which key the page is about; none: the one that is used most.
#[derive(Deserialize)]
pub(crate) struct KeyFilter {
    key: Option<String>,
}

#[derive(Template)]
#[template(path = "usage.html")]
struct UsagePage<'a> {
    layout: Layout,
    plan: Plan,
    month: String,
    upgrade: Option<&'a str>,
    /// The keys that it can be about.
    keys: Vec<&'a Key>,
    /// The key that it is about.
    picked: Option<KeyId>,
    /// None: there is no key.
    plot: Option<Plot>,
    days: Vec<DayRow>,
}

/// A day of the month, and what was used of each endpoint.
type DayRow = (String, [u64; 2]);

/// What a key used of one of its quotas.
pub(super) struct Meter {
    pub(super) endpoint: Endpoint,
    pub(super) used: u64,
    pub(super) quota: u64,
}

impl Meter {
    pub(super) fn name(&self) -> &'static str {
        match self.endpoint {
            Endpoint::Generate => "Files made",
            Endpoint::Validate => "Validations",
        }
    }

    /// How much of the quota is used, in per cent, 100 at most.
    pub(super) fn percent(&self) -> u64 {
        (self.used * 100).checked_div(self.quota).unwrap_or(100).min(100)
    }

    pub(super) fn class(&self) -> &'static str {
        match self.percent() {
            100.. => "fill over",
            80.. => "fill near",
            _ => "fill",
        }
    }
}

pub(super) fn meters(key: KeyId, limits: &PlanLimits, used: &[MonthUsage]) -> [Meter; 2] {
    Endpoint::ALL.map(|endpoint| {
        let own = used.iter().find(|one| one.key == key && one.endpoint == endpoint);
        Meter { endpoint, used: own.map_or(0, |one| one.counted), quota: limits.per_month(endpoint) }
    })
}

pub(crate) async fn usage(
    service: web::Data<Service>,
    person: SignedIn,
    choice: web::Query<KeyFilter>,
) -> ApiResult {
    let (store, now) = (service.ledger.store(), Timestamp::now());
    let (month, days) = (Month::of(now), days_so_far(now));
    let working = store.working_keys(person.account).await?;
    let of_month = store.usage_of_month(person.account, month).await?;
    let first = days.first().map_or(Day::of(now), |(day, _)| *day);
    let by_day = store.usage_by_day(person.account, first).await?;

    // Of those that are gone, only what the plot can show.
    let revoked = store.revoked_keys(person.account, Some(first), REVOKED_SHOWN).await?;
    let keys: Vec<&Key> = working.iter().chain(&revoked).collect();
    let asked = choice.key.as_deref().and_then(|id| id.parse().ok()).map(KeyId);
    let plans = service.plans.get();
    let limits = plans.limits(person.plan);
    let fullest = |key: &&&Key| meters(key.id, limits, &of_month).iter().map(Meter::percent).max();
    let picked = keys.iter().find(|key| Some(key.id) == asked);
    // The first of several that are used alike.
    let picked = picked.or_else(|| keys.iter().rev().max_by_key(fullest)).map(|key| key.id);
    let counted =
        |(day, label)| (label, Endpoint::ALL.map(|endpoint| of_day(&by_day, day, endpoint, picked)));
    let days: Vec<DayRow> = days.into_iter().map(counted).collect();
    let page = UsagePage {
        layout: Layout::of(&person, USAGE),
        plan: person.plan,
        month: words::month(now),
        upgrade: service.upgrade(person.plan),
        plot: picked.map(|key| Plot::of(&days, days_of(month), meters(key, limits, &of_month))),
        days,
        picked,
        keys,
    };
    render(StatusCode::OK, &page)
}

/// The days of the month up to today, each as people write it.
fn days_so_far(now: Timestamp) -> Vec<(Day, String)> {
    let start = Month::of(now).start();
    let days = (0..31).filter_map(|day| start.checked_add(SignedDuration::from_hours(24 * day)).ok());
    days.take_while(|at| *at <= now).map(|at| (Day::of(at), words::day(at))).collect()
}

fn days_of(month: Month) -> usize {
    usize::try_from(month.length().as_secs() / (24 * 60 * 60)).unwrap_or(31)
}

fn of_day(used: &[DayUsage], day: Day, endpoint: Endpoint, key: Option<KeyId>) -> u64 {
    let wanted = |one: &&DayUsage| one.day == day && one.endpoint == endpoint && Some(one.key) == key;
    used.iter().filter(wanted).map(|one| one.count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_days_of_a_month_end_today() {
        let labels = |now: &str| -> Vec<String> {
            days_so_far(now.parse().unwrap()).into_iter().map(|(_, label)| label).collect()
        };
        assert_eq!(labels("2026-03-02T00:30:00Z"), ["1 Mar", "2 Mar"]);
        assert_eq!(labels("2026-02-28T23:59:59Z").len(), 28);
        assert_eq!(days_of(Month::of("2026-02-03T00:00:00Z".parse().unwrap())), 28);
    }

    #[test]
    fn a_bar_is_never_longer_than_its_track() {
        let bar = |used, quota| {
            let meter = Meter { endpoint: Endpoint::Generate, used, quota };
            (meter.percent(), meter.class())
        };
        assert_eq!(bar(0, 10), (0, "fill"));
        assert_eq!(bar(8, 10), (80, "fill near"));
        assert_eq!(bar(12, 10), (100, "fill over"));
        assert_eq!(bar(0, 0), (100, "fill over"));
    }
}
