//! Numbers and times as people read them.

use std::fmt::Display;
use std::time::Duration;

use jiff::Timestamp;

/// A count with its thousands apart: `12,345`.
pub(crate) fn grouped(count: impl Display) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A moment: `21 Nov 2026, 09:30 UTC`. The page's script tells it in the reader's own time.
pub(crate) fn moment(at: &Timestamp) -> String {
    at.strftime("%-d %b %Y, %H:%M UTC").to_string()
}

/// How long something took, in seconds: `2.4 s`.
pub(crate) fn seconds(took: &Duration) -> String {
    format!("{:.1} s", took.as_secs_f64())
}

/// A day in UTC: `21 Nov`.
pub(crate) fn day(at: Timestamp) -> String {
    at.strftime("%-d %b").to_string()
}

/// A month in UTC: `November 2026`.
pub(crate) fn month(at: Timestamp) -> String {
    at.strftime("%B %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        let written: Vec<String> = [0_u64, 999, 1_000, 20_000, 1_234_567].map(grouped).into();
        assert_eq!(written, ["0", "999", "1,000", "20,000", "1,234,567"]);
    }

    #[test]
    fn a_moment_is_told_in_utc() {
        assert_eq!(moment(&"2026-11-05T09:03:59+02:00".parse().unwrap()), "5 Nov 2026, 07:03 UTC");
    }
}
