//! Whether the links of a file lead anywhere.

use std::collections::HashSet;

use futures_util::StreamExt;
use futures_util::stream;
use wayfile_core::llms_txt::lint::Linked;
use wayfile_core::llms_txt::lint::served::{Fate, LinkSeen};

use super::ValidateSettings;
use super::looker::{Looker, Seen};
use crate::error::FetchError;
use crate::http::Look;

/// Tries a sample of the links, spread evenly over the file.
pub(super) async fn try_all(looker: &Looker, links: &[Linked], settings: &ValidateSettings) -> Vec<LinkSeen> {
    let sample = sample(links, settings.max_links);
    let tried = stream::iter(sample).map(|link| try_one(looker, link));
    tried.buffered(settings.links_at_once.max(1)).collect().await
}

/// At most so many different addresses, at equal distances.
pub(super) fn sample(links: &[Linked], max: usize) -> Vec<&Linked> {
    let mut seen = HashSet::new();
    let all: Vec<_> = links.iter().filter(|link| seen.insert(link.url.key())).collect();
    let count = all.len().min(max);
    (0..count).filter_map(|n| all.get(n * all.len() / count).copied()).collect()
}

async fn try_one(looker: &Looker, link: &Linked) -> LinkSeen {
    let mut seen = looker.look(&link.url, Look::Head).await;
    // Many servers answer HEAD wrongly; a name that does not resolve and a closed port are what they are.
    if !seen.as_ref().is_ok_and(answers)
        && !matches!(seen, Err(FetchError::Dns | FetchError::Refused | FetchError::NotPublic))
    {
        seen = looker.look(&link.url, Look::Peek).await;
    }
    let fate = fate(&seen);
    let answer = seen.ok().map(|seen| seen.answer);
    LinkSeen {
        line: link.line,
        url: link.url.clone(),
        fate,
        landed: answer.as_ref().map(|answer| answer.url.clone()),
        media_type: answer.as_ref().map(|answer| answer.media_type()),
        empty: answer.is_some_and(|answer| answer.header("content-length") == Some("0")),
    }
}

/// With an answer that has content, or does not say that it has none.
fn answers(seen: &Seen) -> bool {
    (200..300).contains(&seen.answer.status) && seen.answer.header("content-length") != Some("0")
}

fn fate(seen: &Result<Seen, FetchError>) -> Fate {
    match seen {
        Ok(seen) => match seen.answer.status {
            200..300 => Fate::Ok,
            404 | 410 => Fate::Dead(format!("the site answered {}", seen.answer.status)),
            _ => Fate::Unknown,
        },
        // A name that resolves to a private address looks the same.
        Err(error @ (FetchError::Dns | FetchError::Refused)) => Fate::Dead(error.to_string()),
        Err(_) => Fate::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use wayfile_core::site::url::SiteUrl;

    use super::*;

    #[test]
    fn a_sample_is_spread_and_holds_nothing_twice() {
        let url = |n: usize| SiteUrl::parse(&format!("https://tide.dev/{n}")).unwrap();
        let links: Vec<_> = (0..200).map(|n| Linked { line: n, url: url(n / 2) }).collect();
        let numbers: Vec<_> = sample(&links, 4).iter().map(|link| link.line).collect();
        assert_eq!(numbers, [0, 50, 100, 150]);
        assert_eq!(sample(&links, 500).len(), 100);
        assert!(sample(&[], 50).is_empty() && sample(&links, 0).is_empty());
    }
}
