//! What a browser may ask for while it shows a page, as far as the request itself tells.

use crate::phrases::list;
use crate::url::SiteUrl;

/// Hosts that count visitors and show advertisements, and whatever lies below them: no page needs them to show itself.
const TRACKERS: &[&str] = list! {
    "adnxs.com" "adsrvr.org" "amplitude.com" "bat.bing.com" "clarity.ms" "cloudflareinsights.com"
    "connect.facebook.net" "criteo.com" "doubleclick.net" "facebook.com" "fullstory.com"
    "google-analytics.com" "googleadservices.com" "googlesyndication.com" "googletagmanager.com"
    "heap-api.com" "hotjar.com" "hs-analytics.net" "intercom.io" "mixpanel.com" "mouseflow.com"
    "newrelic.com" "nr-data.net" "optimizely.com" "plausible.io" "posthog.com" "quantserve.com"
    "scorecardresearch.com" "segment.com" "segment.io" "sentry.io" "snap.licdn.com"
};

/// A request that a page makes.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The method, upper case.
    pub method: &'a str,
    /// What it is for, as the protocol of the browser calls it (`Document`, `Script`, `XHR`, ...).
    pub kind: &'a str,
    /// Where it leads, as the page wrote it.
    pub url: &'a str,
    /// It is made by the page itself, not by a frame in it.
    pub is_main: bool,
    /// It asks for the script of a service worker.
    pub is_service_worker: bool,
}

/// What becomes of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestVerdict {
    /// The page goes there.
    Navigate(SiteUrl),
    /// It is to be loaded, by the rules for any address.
    Load(SiteUrl),
    /// The browser asks whether it may ask another host.
    Preflight,
    /// It is not made.
    Refuse(RequestRefusal),
}

/// Why a request is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestRefusal {
    /// It would change something, or hand something over.
    Method,
    /// Pictures, fonts, films, frames, and what runs on when the page is gone.
    Kind,
    /// It leads to a service that counts visitors.
    Tracker,
    /// It is no address that can be fetched.
    Address,
}

impl RequestRefusal {
    /// The word for it in a metric.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::Kind => "kind",
            Self::Tracker => "tracker",
            Self::Address => "address",
        }
    }
}

/// Decides what becomes of a request.
pub fn decide(request: &Request<'_>) -> RequestVerdict {
    if request.method == "OPTIONS" {
        return RequestVerdict::Preflight;
    }
    if !matches!(request.method, "GET" | "HEAD") {
        return RequestVerdict::Refuse(RequestRefusal::Method);
    }
    let Ok(url) = SiteUrl::parse(request.url) else { return RequestVerdict::Refuse(RequestRefusal::Address) };
    match request.kind {
        _ if request.is_service_worker || url.path() == "/favicon.ico" => {
            RequestVerdict::Refuse(RequestRefusal::Kind)
        }
        "Document" if request.is_main => RequestVerdict::Navigate(url),
        "Script" | "Stylesheet" | "XHR" | "Fetch" | "Other" if is_tracker(url.host()) => {
            RequestVerdict::Refuse(RequestRefusal::Tracker)
        }
        "Script" | "Stylesheet" | "XHR" | "Fetch" | "Other" => RequestVerdict::Load(url),
        _ => RequestVerdict::Refuse(RequestRefusal::Kind),
    }
}

fn is_tracker(host: &str) -> bool {
    TRACKERS.iter().any(|tracker| {
        host.strip_suffix(tracker).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(method: &str, kind: &str, url: &str, is_main: bool) -> RequestVerdict {
        decide(&Request { method, kind, url, is_main, is_service_worker: false })
    }

    #[test]
    fn loads_scripts_styles_and_data() {
        for kind in ["Script", "Stylesheet", "XHR", "Fetch", "Other"] {
            let url = "https://api.tide.dev/v1?a=1";
            assert_eq!(verdict("GET", kind, url, true), RequestVerdict::Load(SiteUrl::parse(url).unwrap()));
        }
        assert_eq!(verdict("OPTIONS", "XHR", "https://api.tide.dev/", true), RequestVerdict::Preflight);
        let url = SiteUrl::parse("https://tide.dev/a").unwrap();
        assert_eq!(verdict("GET", "Document", "https://tide.dev/a", true), RequestVerdict::Navigate(url));
    }

    #[test]
    fn refuses_images_media_and_other_methods() {
        for (method, kind, url, main, why) in [
            ("POST", "XHR", "https://tide.dev/", true, RequestRefusal::Method),
            ("PUT", "Fetch", "https://tide.dev/", true, RequestRefusal::Method),
            ("GET", "Image", "https://tide.dev/a.png", true, RequestRefusal::Kind),
            ("GET", "Document", "https://tide.dev/", false, RequestRefusal::Kind),
            ("GET", "EventSource", "https://tide.dev/", true, RequestRefusal::Kind),
            ("GET", "Other", "https://tide.dev/favicon.ico", true, RequestRefusal::Kind),
            ("GET", "Script", "https://www.google-analytics.com/a.js", true, RequestRefusal::Tracker),
            ("GET", "Script", "file:///etc/passwd", true, RequestRefusal::Address),
            ("GET", "XHR", "https://user:pass@tide.dev/", true, RequestRefusal::Address),
        ] {
            assert_eq!(
                verdict(method, kind, url, main),
                RequestVerdict::Refuse(why),
                "{method} {kind} {url}"
            );
        }
        assert!(matches!(
            verdict("GET", "Script", "https://notsentry.io/a.js", true),
            RequestVerdict::Load(_)
        ));
        let worker = Request {
            method: "GET",
            kind: "Other",
            url: "https://tide.dev/sw.js",
            is_main: true,
            is_service_worker: true,
        };
        assert_eq!(decide(&worker), RequestVerdict::Refuse(RequestRefusal::Kind));
    }
}
