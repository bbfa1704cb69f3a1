//! Days and months in UTC: the periods that usage is counted over.

use std::fmt;
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde::{Serialize, Serializer};

/// A calendar month in UTC; written `2026-11`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    first: Date,
}

/// A calendar day in UTC; written `2026-11-21`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

/// A number that names no month or day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no date of the calendar")]
pub struct NoSuchDate(i64);

impl Month {
    /// The month that `now` lies in.
    pub fn of(now: Timestamp) -> Self {
        Self { first: date(now).first_of_month() }
    }

    /// Its first moment.
    pub fn start(self) -> Timestamp {
        midnight(self.first)
    }

    /// The first moment of the next month; for the last month of the calendar, its end.
    pub fn end(self) -> Timestamp {
        self.first.checked_add(Span::new().months(1)).map_or(Timestamp::MAX, midnight)
    }

    /// How long it is: 28 to 31 days.
    pub fn length(self) -> Duration {
        self.end().duration_since(self.start()).unsigned_abs()
    }

    /// How long after `now` it ends; nothing when it is over.
    pub fn left(self, now: Timestamp) -> Duration {
        Duration::try_from(self.end().duration_since(now)).unwrap_or_default()
    }

    /// The number it is kept as: 202611.
    pub fn number(self) -> i64 {
        i64::from(self.first.year()) * 100 + i64::from(self.first.month())
    }
}

impl Day {
    /// The day that `now` lies on.
    pub fn of(now: Timestamp) -> Self {
        Self(date(now))
    }

    /// The number it is kept as: `20_261_121`.
    pub fn number(self) -> i64 {
        let (year, month, day) = (self.0.year(), self.0.month(), self.0.day());
        i64::from(year) * 10_000 + i64::from(month) * 100 + i64::from(day)
    }

    /// Reads back what [`Day::number`] wrote.
    ///
    /// # Errors
    /// [`NoSuchDate`]: the number never came from there.
    pub fn from_number(number: i64) -> Result<Self, NoSuchDate> {
        let no = |_| NoSuchDate(number);
        let year = i16::try_from(number / 10_000).map_err(no)?;
        let month = i8::try_from(number / 100 % 100).map_err(no)?;
        let day = i8::try_from(number % 100).map_err(no)?;
        Date::new(year, month, day).map(Self).map_err(|_| NoSuchDate(number))
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.first.year(), self.first.month())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn date(now: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(now).date()
}

fn midnight(date: Date) -> Timestamp {
    TimeZone::UTC.to_timestamp(date.at(0, 0, 0, 0)).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_month_begins_and_ends_at_midnight_utc() {
        let november = Month::of(at("2026-11-30T23:59:59.999Z"));
        assert_eq!(november.to_string(), "2026-11");
        assert_eq!(november.start(), at("2026-11-01T00:00:00Z"));
        assert_eq!(november.end(), at("2026-12-01T00:00:00Z"));
        assert_eq!(november.left(at("2026-11-30T23:59:59Z")), Duration::from_secs(1));
        assert_eq!(november.left(at("2026-12-05T00:00:00Z")), Duration::ZERO);
        assert_eq!(Month::of(november.end()).to_string(), "2026-12");
        // A zone that is ahead of UTC is still in UTC's month.
        assert_eq!(Month::of(at("2027-01-01T01:00:00+02:00")).to_string(), "2026-12");
    }

    #[test]
    fn months_are_as_long_as_the_calendar_says() {
        let days = |text: &str| Month::of(at(text)).length().as_secs() / 86_400;
        assert_eq!((days("2026-12-24T00:00:00Z"), days("2027-02-01T00:00:00Z")), (31, 28));
        assert_eq!(days("2028-02-29T12:00:00Z"), 29);
    }

    proptest! {
        #[test]
        fn every_moment_lies_in_its_month_and_day(second in 0_i64..4_000_000_000) {
            let now = Timestamp::from_second(second).unwrap();
            let (month, day) = (Month::of(now), Day::of(now));
            prop_assert!(month.start() <= now && now < month.end());
            prop_assert_eq!(Day::from_number(day.number()), Ok(day));
            prop_assert_eq!(day.number() / 100, month.number());
        }

        #[test]
        fn a_foreign_number_is_no_day_or_the_day_it_names(number in any::<i64>()) {
            if let Ok(day) = Day::from_number(number) {
                prop_assert_eq!(day.number(), number);
            }
        }
    }
}
