//! Posts, by their addresses.

use super::{Class, classify};
use crate::site::version::is_year;
use crate::url::SiteUrl;

/// The day in an address: of `/2015/02/24/kilns`, `/2015-02-24-kilns` and `/2015-02-kilns`.
pub(crate) fn day_of(path: &str) -> Option<String> {
    let mut parts = path.split(['/', '-', '_']).skip_while(|part| !is_year(part));
    let year = parts.next()?;
    let is_number = |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    Some(parts.take(2).take_while(is_number).fold(year.to_owned(), |day, part| format!("{day}-{part:0>2}")))
}

/// Whether an address has the month in which its page was new.
pub(crate) fn is_post(url: &SiteUrl) -> bool {
    let has_month = day_of(url.path()).is_some_and(|day| day.contains('-'));
    has_month && classify(url) == Class::News
}
