//! Which file covers an address.

use wayfile_core::llms_txt::lint::TextKind;
use wayfile_core::llms_txt::lint::served::HttpAnswer;
use wayfile_core::url::{Seed, SiteUrl};

use super::prober::{Probed, Prober};
use crate::error::{FetchError, FetchResult};
use crate::http::Probe;

/// Folders of a path that may hold a file of their own, the deepest first.
const MAX_FOLDERS: usize = 5;
const NAME: &str = "/llms.txt";
const WELL_KNOWN: &str = "/.well-known/llms.txt";

/// Where the file is, and what asking for it gave.
pub(super) type FoundFile = (SiteUrl, FetchResult<Probed>);

/// The most specific file that covers the seed; without any, what the site's own `/llms.txt` gave. A bare domain is
/// tried over https, and over http when there is no TLS there.
pub(super) async fn find(prober: &Prober, seed: &Seed) -> FoundFile {
    let mut last = None;
    for base in seed.candidates() {
        let (asked, found) = over(prober, &base).await;
        match found {
            // A site that is silent for as long as a validation takes.
            Err(FetchError::Cancelled) if !prober.is_closing() => {
                return last
                    .unwrap_or((asked, Err(FetchError::TimedOut(prober.validator.settings.deadline))));
            }
            Err(FetchError::Refused | FetchError::Connect(_) | FetchError::Tls(_)) => {
                last = last.or(Some((asked, found)));
            }
            found => return (asked, found),
        }
    }
    last.unwrap_or_else(|| (seed.url.clone(), Err(FetchError::Internal)))
}

async fn over(prober: &Prober, base: &SiteUrl) -> FoundFile {
    let mut own = None;
    for url in candidates(base) {
        let (answer, hops) = prober.follow(&url, Probe::File).await;
        let is_over = match &answer {
            Ok(answer) => is_file(answer),
            // Where a redirect of one place leads says nothing of the others.
            Err(error) => own.is_none() && hops.is_empty() && *error != FetchError::BadRedirect,
        };
        let seen = answer.map(|answer| Probed { answer, hops });
        if is_over {
            return (url, seen);
        }
        // Of all places that hold no file, the site's own is what the answer is about.
        if own.is_none() || url.path() == NAME || url == *base {
            own = Some((url, seen));
        }
    }
    own.unwrap_or_else(|| (base.clone(), Err(FetchError::Internal)))
}

fn is_file(answer: &HttpAnswer) -> bool {
    let text = String::from_utf8_lossy(&answer.body);
    answer.status == 200 && !answer.is_html() && wayfile_core::llms_txt::lint::kind(&text) == TextKind::Text
}

/// Where the file may be, the most specific place first.
fn candidates(base: &SiteUrl) -> Vec<SiteUrl> {
    let path = base.path();
    let name = path.rsplit('/').next().unwrap_or_default();
    if is_text(name) {
        return vec![base.clone()];
    }
    // `page.html` is no folder, `docs` may be one.
    let folders = if name.contains('.') { path.strip_suffix(name).unwrap_or(path) } else { path };
    let mut folder = folders.trim_end_matches('/');
    let mut places = Vec::new();
    while !folder.is_empty() && places.len() < MAX_FOLDERS {
        places.push(format!("{folder}{NAME}"));
        folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
    }
    places.extend([NAME.to_owned(), WELL_KNOWN.to_owned()]);
    let origin = base.origin();
    places.iter().filter_map(|place| origin.at(place)).collect()
}

fn is_text(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    extension.eq_ignore_ascii_case("txt") || extension.eq_ignore_ascii_case("md")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(url: &str) -> Vec<String> {
        candidates(&SiteUrl::parse(url).unwrap()).iter().map(|url| url.path().to_owned()).collect()
    }

    #[test]
    fn the_most_specific_place_comes_first() {
        assert_eq!(paths("https://tide.dev"), ["/llms.txt", "/.well-known/llms.txt"]);
        let deep = ["/docs/en/llms.txt", "/docs/llms.txt", "/llms.txt", "/.well-known/llms.txt"];
        for url in
            ["https://tide.dev/docs/en", "https://tide.dev/docs/en/", "https://tide.dev/docs/en/start.html"]
        {
            assert_eq!(paths(url), deep);
        }
        assert_eq!(paths("https://tide.dev/a/llms-full.txt"), ["/a/llms-full.txt"]);
        assert_eq!(paths("https://tide.dev/README.md"), ["/README.md"]);
    }
}
