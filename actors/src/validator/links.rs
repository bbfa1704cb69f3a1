//! Whether the links of a file lead anywhere.

use std::collections::HashMap;

use futures_util::StreamExt;
use futures_util::stream;
use wayfile_core::llms_txt::lint::Linked;
use wayfile_core::llms_txt::lint::served::{DeadReason, Fate, LinkSeen};
use wayfile_core::url::SiteUrl;

use super::Validator;
use super::prober::{Probed, Prober};
use crate::error::{FetchError, FetchResult};
use crate::http::Probe;

/// Links of one file that are tried at once; the gap of each domain holds all the same.
const LINKS_AT_ONCE: usize = 4;

/// Tries a sample of the links, spread evenly over the file; none that the validator ignores.
pub(super) async fn try_all(prober: &Prober, links: &[Linked]) -> Vec<LinkSeen> {
    let Validator { ignored, settings, .. } = &prober.validator;
    let links = links.iter().filter(|link| !ignored.matches(&link.url));
    let sample = sample(links, settings.max_links);
    let tried = stream::iter(sample).map(|link| try_one(prober, link));
    // In the order of the answers: one that hangs keeps no other from being tried.
    let mut seen: Vec<LinkSeen> = tried.buffer_unordered(LINKS_AT_ONCE).collect().await;
    seen.sort_by(|one, other| one.lines.cmp(&other.lines));
    seen
}

/// An address and every line it stands in.
struct Address<'a> {
    url: &'a SiteUrl,
    lines: Vec<usize>,
}

/// At most so many different addresses, at equal distances.
fn sample<'a>(links: impl Iterator<Item = &'a Linked>, max: usize) -> Vec<Address<'a>> {
    let mut places = HashMap::new();
    let mut all: Vec<Address<'_>> = Vec::new();
    for link in links {
        let place = *places.entry(link.url.key()).or_insert(all.len());
        match all.get_mut(place) {
            Some(known) => known.lines.push(link.line),
            None => all.push(Address { url: &link.url, lines: vec![link.line] }),
        }
    }
    let (found, count) = (all.len(), all.len().min(max));
    let mut wanted = (0..count).map(|n| n * found / count).peekable();
    let all = all.into_iter().enumerate();
    all.filter_map(|(at, link)| wanted.next_if_eq(&at).map(|_| link)).collect()
}

async fn try_one(prober: &Prober, link: Address<'_>) -> LinkSeen {
    let mut seen = prober.probe(link.url, Probe::Head).await;
    // Many servers answer HEAD wrongly; a name that does not resolve and a closed port are what they are.
    if !seen.as_ref().is_ok_and(answers)
        && !matches!(seen, Err(FetchError::Dns | FetchError::Refused | FetchError::NotPublic))
    {
        seen = prober.probe(link.url, Probe::Peek).await;
    }
    let fate = fate(&seen);
    let answer = seen.ok().map(|seen| seen.answer);
    LinkSeen {
        lines: link.lines,
        url: link.url.clone(),
        fate,
        landed: answer.as_ref().map(|answer| answer.url.clone()),
        media_type: answer.as_ref().map(|answer| answer.media_type()),
        empty: answer.is_some_and(|answer| answer.header("content-length") == Some("0")),
    }
}

/// With an answer that has content, or does not say that it has none.
fn answers(seen: &Probed) -> bool {
    (200..300).contains(&seen.answer.status) && seen.answer.header("content-length") != Some("0")
}

fn fate(seen: &FetchResult<Probed>) -> Fate {
    match seen {
        Ok(seen) => match seen.answer.status {
            200..300 => Fate::Ok,
            404 => Fate::Dead(DeadReason::NotFound),
            410 => Fate::Dead(DeadReason::Gone),
            _ => Fate::Unknown,
        },
        // A name that resolves to a private address looks the same.
        Err(FetchError::Dns | FetchError::Refused) => Fate::Dead(DeadReason::Unreachable),
        Err(_) => Fate::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_and_holds_nothing_twice() {
        let url = |n: usize| SiteUrl::parse(&format!("https://tide.dev/{n}")).unwrap();
        let links: Vec<_> = (0..200).map(|n| Linked { line: n, url: url(n / 2) }).collect();
        let sample = |max| sample(links.iter(), max).into_iter().map(|link| link.lines).collect::<Vec<_>>();
        assert_eq!(sample(4), [[0, 1], [50, 51], [100, 101], [150, 151]]);
        assert_eq!(sample(500).len(), 100);
        assert!(sample(0).is_empty() && super::sample([].iter(), 50).is_empty());
    }
}
