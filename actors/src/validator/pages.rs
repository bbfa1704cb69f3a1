//! A sample of the pages that a file links to, as agents find them.

use std::sync::Arc;

use futures_util::future::join_all;
use wayfile_core::llms_txt::lint::served::{Fate, HttpAnswer, LinkSeen, PageSeen};
use wayfile_core::site::robots::Robots;
use wayfile_core::site::scope::Scope;
use wayfile_core::url::SiteUrl;

use super::prober::Prober;
use crate::http::{PageBody, Probe, Validators};

const SAMPLE: usize = 3;

/// `rules` are those of the site: what is closed is not looked at more closely than by trying its link.
pub(super) async fn probe(
    prober: &Prober,
    site: &SiteUrl,
    links: &[LinkSeen],
    rules: &Robots,
) -> Vec<PageSeen> {
    // Links of one file spell the domain with `www` and without.
    let home = site.origin().at("/");
    let scope = Scope::new(home.as_ref().unwrap_or(site));
    let is_page = |link: &&LinkSeen| {
        let html = link.media_type.as_deref().is_some_and(|kind| kind.contains("html"));
        link.fate == Fate::Ok && html && scope.contains(&link.url) && rules.allows(&link.url)
    };
    let pages: Vec<_> = links.iter().filter(is_page).collect();
    let count = pages.len().min(SAMPLE);
    let sample = (0..count).filter_map(|n| pages.get(n * pages.len() / count));
    join_all(sample.map(|link| one(prober, link, rules))).await.into_iter().flatten().collect()
}

async fn one(prober: &Prober, link: &LinkSeen, rules: &Robots) -> Option<PageSeen> {
    let (html, markdown) =
        tokio::join!(prober.probe(&link.url, Probe::Page), prober.probe(&link.url, Probe::Markdown));
    let answer = html.ok()?.answer;
    if answer.status != 200 {
        return None;
    }
    let advertised =
        answer.headers.iter().any(|(name, value)| name == "link" && value.contains("text/markdown"));
    let body = PageBody {
        url: answer.url.clone(),
        content_type: answer.header("content-type").map(str::to_owned),
        x_robots_tag: None,
        validators: Validators::default(),
        body: answer.body.clone().into(),
    };
    let page = prober.visitor.parse(Arc::new(body), None).await.ok()?;
    Some(PageSeen {
        line: link.line(),
        url: link.url.clone(),
        readable: !page.shell && page.error_page.is_none(),
        alternate: advertised || page.markdown_alternate.is_some(),
        twin: has_twin(prober, &link.url, rules).await,
        negotiates: markdown
            .ok()
            .map(|seen| seen.answer.status == 200 && seen.answer.media_type() == "text/markdown"),
    })
}

/// `None` when time was up.
async fn has_twin(prober: &Prober, page: &SiteUrl, rules: &Robots) -> Option<bool> {
    for twin in twins(page).into_iter().filter(|twin| rules.allows(twin)) {
        let seen = prober.probe(&twin, Probe::Head).await.ok()?;
        if is_markdown(&seen.answer) {
            return Some(true);
        }
    }
    Some(false)
}

fn is_markdown(answer: &HttpAnswer) -> bool {
    answer.status == 200
        && matches!(answer.media_type().as_str(), "text/markdown" | "text/plain" | "text/x-markdown")
}

/// Where the Markdown of a page may lie by the format's own words.
fn twins(page: &SiteUrl) -> Vec<SiteUrl> {
    let path = page.path();
    let places = if let Some(folder) = path.strip_suffix('/') {
        vec![format!("{path}index.html.md"), format!("{folder}.md")]
    } else if let Some(stem) = path.strip_suffix(".html").or_else(|| path.strip_suffix(".htm")) {
        vec![format!("{path}.md"), format!("{stem}.md")]
    } else {
        vec![format!("{path}.md"), format!("{path}.html.md")]
    };
    let places = places.into_iter().filter(|place| place != "/.md" && place != ".md");
    places.filter_map(|place| page.origin().at(&place)).collect()
}
