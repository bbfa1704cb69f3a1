//! Posts, by their addresses.

use super::{Class, classify};
use crate::digits::is_short_number;
use crate::site::version::is_year;
use crate::url::SiteUrl;

/// The day in an address: of `/2015/02/24/kilns`, `/2015-02-24-kilns` and `/2015-02-kilns`.
pub(crate) fn day_of(path: &str) -> Option<String> {
    let mut parts = path.split(['/', '-', '_']).skip_while(|part| !is_year(part));
    let year = parts.next()?;
    Some(
        parts
            .take(2)
            .take_while(|part| is_short_number(part))
            .fold(year.to_owned(), |day, part| format!("{day}-{part:0>2}")),
    )
}

/// Whether an address has the month in which its page was new.
pub(crate) fn is_post(url: &SiteUrl) -> bool {
    let day = day_of(url.path());
    let month = day.as_deref().and_then(|day| day.split('-').nth(1)?.parse::<u8>().ok());
    // `2024-25` is a season.
    month.is_some_and(|month| (1..=12).contains(&month)) && classify(url) == Class::News
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_post_has_its_month_in_its_address() {
        let post = |path: &str| is_post(&SiteUrl::parse(&format!("https://example.com{path}")).unwrap());
        for path in ["/2015/02/kilns/", "/blog/2015-02-24-kilns", "/news/2015/12/24/kilns"] {
            assert!(post(path), "{path}");
        }
        for path in ["/events/2024-25/", "/blog/kilns", "/docs/2015/02/kilns", "/blog/2015/"] {
            assert!(!post(path), "{path}");
        }
    }
}
