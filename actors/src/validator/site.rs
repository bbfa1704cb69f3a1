//! Probes of the site beside the file.

use std::sync::Arc;

use futures_util::future::OptionFuture;
use wayfile_core::llms_txt::lint::served::{
    Coverage, HttpAnswer, LinkSeen, Observed, PageSeen, agents_shut_out, alike, coverage, points_to,
};
use wayfile_core::llms_txt::lint::{Linked, Linted, TextKind};
use wayfile_core::site::robots::Robots;
use wayfile_core::site::sitemap::Entry;
use wayfile_core::url::SiteUrl;

use super::prober::{Probed, Prober};
use super::{LinkChecks, links, pages};
use crate::error::{FetchError, FetchResult};
use crate::http::Probe;
use crate::supervisor::sitemap_queue::SitemapQueue;

/// Sitemaps that are read for one validation.
const MAX_SITEMAPS: usize = 10;
/// What one validation keeps in memory of its sitemaps, and what an address takes there beside its text.
const MAX_BYTES: usize = 32 << 20;
const ADDRESS_BYTES: usize = 200;

/// Fills in all that can be known of the site before time is up.
pub(super) async fn probe_site(
    prober: &Prober,
    answer: &Arc<HttpAnswer>,
    linted: Option<&Linted>,
    mode: LinkChecks,
    observed: &mut Observed,
) {
    // A site that sends its bare domain on to `www` has everything beside the file there.
    let moved = answer.url.path() == observed.asked.path();
    let file = if moved { answer.url.clone() } else { observed.asked.clone() };
    let links = linted.map_or(Vec::new(), |linted| linted.links(Some(&answer.url)));
    // It teaches the domain's Fetcher how fast the site may be asked, so it comes first.
    let robots = prober.in_time(prober.visitor.robots(&file)).await;
    let robots = robots.and_then(Result::ok);
    let own_name = prober.validator.context.product_token();
    observed.shut_out = robots.as_ref().map(|robots| agents_shut_out(&robots.text, &own_name, &file));
    let made_up = format!("llms-{:016x}.txt", fastrand::u64(..));
    let beside = |name: &str| probe(prober, file.join(name).ok());
    let (made_up, full) = tokio::join!(beside(&made_up), beside("llms-full.txt"));
    observed.soft_404 = match &made_up {
        Some(Ok(made_up)) if answer.status == 200 => Some(alike(answer, &made_up.answer)),
        _ => None,
    };
    observed.has_full = full.map(|full| full.is_ok_and(|full| is_full(&full.answer, made_up.as_ref())));
    if linted.is_none_or(|linted| linted.kind != TextKind::Text) {
        return;
    }
    let free = Robots::free();
    let rules = robots.as_ref().map_or(&free, |robots| &robots.rules);
    let (home, coverage, tried) = tokio::join!(
        probe(prober, home_of(&file)),
        compare(prober, &file, &links, rules),
        OptionFuture::from((mode == LinkChecks::Try).then(|| try_links(prober, &file, &links, rules))),
    );
    observed.described = home
        .and_then(Result::ok)
        .filter(|home| home.answer.status == 200)
        .map(|home| [&file, &observed.asked].iter().any(|file| points_to(&home.answer, file)));
    observed.coverage = coverage;
    if let Some((links, pages)) = tried {
        (observed.links, observed.pages) = (Some(links), pages);
    }
}

async fn probe(prober: &Prober, url: Option<SiteUrl>) -> Option<FetchResult<Probed>> {
    let seen = prober.probe(&url?, Probe::Page).await;
    // What was not reached in time is not known.
    (!matches!(seen, Err(FetchError::Cancelled))).then_some(seen)
}

async fn try_links(
    prober: &Prober,
    file: &SiteUrl,
    links: &[Linked],
    rules: &Robots,
) -> (Vec<LinkSeen>, Vec<PageSeen>) {
    let tried = links::try_all(prober, links).await;
    let pages = pages::probe(prober, file, &tried, rules).await;
    (tried, pages)
}

/// Text that is neither a page of the site nor what any made-up name gets.
fn is_full(full: &HttpAnswer, made_up: Option<&FetchResult<Probed>>) -> bool {
    let kind = full.media_type();
    let text = kind.is_empty() || kind.starts_with("text/");
    let soft =
        made_up.is_some_and(|made_up| made_up.as_ref().is_ok_and(|made_up| alike(full, &made_up.answer)));
    full.status == 200 && text && !full.is_html() && !full.body.is_empty() && !soft
}

/// How the file compares with the sitemaps, as far as they could be read.
async fn compare(prober: &Prober, file: &SiteUrl, links: &[Linked], rules: &Robots) -> Option<Coverage> {
    let mut sitemaps = SitemapQueue::new(&home_of(file)?, rules, MAX_SITEMAPS);
    let mut entries: Vec<Entry> = Vec::new();
    let mut room = MAX_BYTES;
    let mut complete = true;
    while let Some(task) = sitemaps.next() {
        match prober.in_time(prober.visitor.sitemap(task.url.clone())).await {
            Some(Ok((map, _permit))) => {
                let found = map.entries.len();
                let fitting = fitting(map.entries, &mut room);
                complete &= !map.truncated && fitting.len() == found;
                entries.extend(fitting);
                sitemaps.found(&task, map.children);
            }
            Some(Err(_)) => {
                complete &= task.guessed;
                sitemaps.missed();
            }
            None => return None,
        }
    }
    complete &= sitemaps.is_finished() && sitemaps.has_room();
    let home = home_of(file).filter(|_| !entries.is_empty())?;
    let links: Vec<_> = links.iter().map(|link| link.url.clone()).collect();
    let judge = move || coverage(&home, &entries, &links, complete);
    prober.validator.on_a_core(judge).await.ok().flatten()
}

/// The first of the entries, as far as there is room for them and their translations.
fn fitting(mut entries: Vec<Entry>, room: &mut usize) -> Vec<Entry> {
    let bytes = |url: &SiteUrl| url.as_str().len() + ADDRESS_BYTES;
    let mut fits = |entry: &Entry| {
        let translations: usize = entry.alternates.iter().map(|(_, url)| bytes(url)).sum();
        *room = room.saturating_sub(bytes(&entry.url) + translations);
        *room > 0
    };
    let count = entries.iter().take_while(|entry| fits(entry)).count();
    entries.truncate(count);
    entries
}

/// The folder that the file describes; that of `/.well-known/llms.txt` is the whole site.
fn home_of(file: &SiteUrl) -> Option<SiteUrl> {
    file.join(if file.path().starts_with("/.well-known/") { "/" } else { "." }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sitemaps_are_kept_as_far_as_there_is_room() {
        let url = SiteUrl::parse("https://tide.example/de/").unwrap();
        let translations = vec![("de".to_owned(), url.clone()); 1_000];
        let entry = |alternates| Entry { url: url.clone(), alternates };
        let mut room = MAX_BYTES;
        assert_eq!(fitting(vec![entry(Vec::new()); 50_000], &mut room).len(), 50_000);
        assert!(fitting(vec![entry(translations); 200], &mut room).len() < 100);
        assert_eq!(fitting(vec![entry(Vec::new())], &mut room).len(), 0);
    }
}
