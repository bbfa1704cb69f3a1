//! How the file itself is served.

use std::time::Duration;

use super::super::rule::{Verdict, excerpt};
use super::observed::{FileSeen, HttpAnswer, Observed};
use crate::page::charset::charset_in;
use crate::page::{ErrorPage, Page, PageSource, is_marked_as_bot_challenge, read_html};
use crate::url::SiteUrl;
use crate::work::Work;

/// A file that was not touched for longer is old.
const FRESH: Duration = Duration::from_hours(180 * 24);
/// A head that takes longer is slow.
const FAST: Duration = Duration::from_secs(2);
/// Seconds that a cache may keep the file without asking.
const MAX_AGE: u64 = 86_400;
/// Shorter files need no compression, in bytes.
const SMALL: usize = 1_024;
/// Bytes of a body in which a login form is looked for.
const LOOK_BYTES: usize = 32_768;
/// Steps for the check of a possible bot challenge: those pages are small.
const CHALLENGE_WORK: usize = 10_000_000;
/// Path segments of login pages.
const LOGINS: [&str; 6] = ["login", "signin", "sign-in", "sign_in", "sso", "auth"];

impl Observed {
    /// The answer that the file is, when its status is 200.
    pub fn served(&self) -> Option<&HttpAnswer> {
        self.answer().filter(|answer| answer.status == 200)
    }

    /// Whatever answered for the file.
    pub fn answer(&self) -> Option<&HttpAnswer> {
        match &self.file {
            FileSeen::Came { answer, .. } => Some(answer),
            FileSeen::Unreachable(_) => None,
        }
    }

    /// The redirects led to another host; www and apex are one.
    pub fn left_its_host(&self) -> Option<&SiteUrl> {
        let FileSeen::Came { answer, hops } = &self.file else { return None };
        let chain = hops.iter().chain([&answer.url]);
        chain.into_iter().find(|url| !same_host(url, &self.asked))
    }
}

/// `www.example.com` and `example.com` are one host.
pub(super) fn same_host(one: &SiteUrl, other: &SiteUrl) -> bool {
    let bare = |url: &SiteUrl| url.host().trim_start_matches("www.").to_owned();
    bare(one) == bare(other)
}

/// What stands between an agent and the file, if the answer shows it.
fn bot_challenge(answer: &HttpAnswer) -> Option<String> {
    if is_marked_as_bot_challenge(|name| answer.header(name)) {
        return Some("the answer is marked as a challenge".to_owned());
    }
    let guarded = answer.is_html() || matches!(answer.status, 403 | 429 | 503);
    let source = PageSource {
        url: &answer.url,
        content_type: answer.header("content-type"),
        x_robots_tag: None,
        body: &answer.body,
    };
    let shows = |page: Page| page.error_page == Some(ErrorPage::BotChallenge);
    let challenge = guarded && read_html(&source, &Work::bounded(CHALLENGE_WORK)).is_ok_and(shows);
    challenge.then(|| "a challenge for browsers came instead".to_owned())
}

pub(super) fn reachable(site: &Observed) -> Verdict {
    match &site.file {
        FileSeen::Unreachable(why) => Verdict::fail(excerpt(why)),
        FileSeen::Came { answer, .. } => {
            Verdict::of(answer.status == 200, || format!("the site answered {}", answer.status))
        }
    }
}

pub(super) fn https(site: &Observed) -> Verdict {
    let Some(answer) = site.answer() else { return Verdict::LeftOut };
    Verdict::of(answer.url.as_url().scheme() == "https", || "it was served over http".to_owned())
}

pub(super) fn text_type(site: &Observed) -> Verdict {
    let Some(answer) = site.served() else { return Verdict::LeftOut };
    let kind = answer.media_type();
    let shown = if kind.is_empty() { "no type".to_owned() } else { excerpt(&kind) };
    Verdict::of(matches!(kind.as_str(), "text/plain" | "text/markdown"), || {
        format!("it was served as {shown}")
    })
}

pub(super) fn charset(site: &Observed) -> Verdict {
    let Some(answer) = site.served() else { return Verdict::LeftOut };
    let kind = answer.header("content-type").unwrap_or_default();
    let is_utf8 = charset_in(kind.as_bytes()) == Some(encoding_rs::UTF_8);
    Verdict::of(is_utf8, || format!("the Content-Type is: {}", excerpt(kind)))
}

pub(super) fn stays(site: &Observed) -> Verdict {
    if site.answer().is_none() {
        return Verdict::LeftOut;
    }
    match site.left_its_host() {
        Some(url) => Verdict::fail(format!("it redirects to {}", excerpt(url.as_str()))),
        None => Verdict::Pass,
    }
}

pub(super) fn one_redirect(site: &Observed) -> Verdict {
    let FileSeen::Came { hops, .. } = &site.file else { return Verdict::LeftOut };
    Verdict::of(hops.len() <= 1, || format!("{} redirects", hops.len()))
}

pub(super) fn no_login(site: &Observed) -> Verdict {
    let Some(answer) = site.answer() else { return Verdict::LeftOut };
    if matches!(answer.status, 401 | 403) {
        return Verdict::fail(format!("the site answered {}", answer.status));
    }
    let is_asked = |segment: &str| site.asked.path().split('/').any(|asked| asked == segment);
    let mut segments = answer.url.path().split('/');
    let led_to_login = segments.any(|segment| LOGINS.contains(&segment) && !is_asked(segment));
    let start = answer.body.get(..LOOK_BYTES).unwrap_or(&answer.body);
    let asks = answer.is_html() && {
        let text = String::from_utf8_lossy(start).to_ascii_lowercase();
        text.contains("type=\"password\"")
            || text.contains("type='password'")
            || text.contains("type=password")
    };
    Verdict::of(!led_to_login && !asks, || "a login page came instead".to_owned())
}

pub(super) fn no_bot_challenge(site: &Observed) -> Verdict {
    let Some(answer) = site.answer() else { return Verdict::LeftOut };
    bot_challenge(answer).map_or(Verdict::Pass, Verdict::fail)
}

pub(super) fn not_soft_404(site: &Observed) -> Verdict {
    known(site.soft_404.map(|soft| !soft), "a name that was made up gets the like answer")
}

/// `holds`: none where nobody knows.
fn known(holds: Option<bool>, otherwise: &str) -> Verdict {
    holds.map_or(Verdict::LeftOut, |holds| Verdict::of(holds, || otherwise.to_owned()))
}

pub(super) fn well_located(site: &Observed) -> Verdict {
    if site.served().is_none() {
        return Verdict::LeftOut;
    }
    let path = site.asked.path();
    Verdict::of(path.ends_with("/llms.txt"), || format!("it lies at {}", excerpt(path)))
}

pub(super) fn robots_allow(site: &Observed) -> Verdict {
    let Some(shut_out) = &site.shut_out else { return Verdict::LeftOut };
    Verdict::of(shut_out.is_empty(), || format!("shut out: {}", excerpt(&shut_out.join(", "))))
}

pub(super) fn fast(site: &Observed) -> Verdict {
    let Some(answer) = site.served() else { return Verdict::LeftOut };
    Verdict::of(answer.took <= FAST, || format!("it took {:.1} s", answer.took.as_secs_f64()))
}

pub(super) fn cache(site: &Observed) -> Verdict {
    let Some(answer) = site.served() else { return Verdict::LeftOut };
    let control = answer.header("cache-control").unwrap_or_default().to_ascii_lowercase();
    let age = control
        .split(',')
        .find_map(|part| part.trim().strip_prefix("max-age=")?.trim_matches('"').parse::<u64>().ok());
    let validated = answer.header("etag").is_some() || answer.header("last-modified").is_some();
    Verdict::of(age.is_none_or(|age| age <= MAX_AGE) || validated, || {
        format!("Cache-Control is: {}", excerpt(&control))
    })
}

pub(super) fn fresh(site: &Observed) -> Verdict {
    let Some(modified) = site.served().and_then(|answer| answer.last_modified) else {
        return Verdict::LeftOut;
    };
    let age = site.now.duration_since(modified).unwrap_or_default();
    Verdict::of(age <= FRESH, || format!("last changed {} days ago", age.as_secs() / 86_400))
}

pub(super) fn compressed(site: &Observed) -> Verdict {
    let Some(answer) = site.served().filter(|answer| answer.body.len() > SMALL) else {
        return Verdict::LeftOut;
    };
    let coding = answer.header("content-encoding").unwrap_or("identity").to_ascii_lowercase();
    Verdict::of(["gzip", "x-gzip", "br", "zstd"].contains(&coding.trim()), || {
        format!("{} bytes went as they are", answer.body.len())
    })
}

pub(super) fn full_available(site: &Observed) -> Verdict {
    known(site.has_full, "there is no llms-full.txt beside it")
}

pub(super) fn described(site: &Observed) -> Verdict {
    known(site.described, "the home page does not point to it")
}
