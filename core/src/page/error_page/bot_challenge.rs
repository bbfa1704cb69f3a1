//! Bot challenges: what protection services show to clients that are no browsers.
//!
//! No mark alone is enough, unless it stands in challenges and nowhere else: the scripts of these services are on
//! ordinary pages too, and people write about them.

use super::super::tree::{NodeId, Tree, is_field};
use super::super::vocabulary::{Name, Tag};
use super::plain;
use crate::phrases::list;

/// Bytes of text that a challenge has at most, all of the page counted.
const MAX_TEXT: usize = 1_200;
/// Links that a challenge has at most: they lead to its vendor.
const MAX_LINKS: usize = 5;
/// Text fields that a challenge has at most: the answer to a captcha.
const MAX_FIELDS: usize = 1;
/// Bytes of scripts and attributes that are searched.
const MAX_SEARCHED: usize = 128 << 10;
/// Marks that make a challenge.
const ENOUGH: usize = 2;
/// How far behind its name the number of an incident may stand, in bytes.
const NUMBER_WITHIN: usize = 24;

/// Whether a header says that the answer is a challenge: how the two largest guards mark theirs.
///
/// `header` answers a value by its name in lower case.
pub fn is_marked<'h>(header: impl Fn(&str) -> Option<&'h str>) -> bool {
    header("cf-mitigated").is_some_and(|value| value.contains("challenge"))
        || header("x-amzn-waf-action").is_some_and(|value| matches!(value.trim(), "challenge" | "captcha"))
}

/// Whether a page with little text is a bot challenge.
pub(super) fn is_bot_challenge(tree: &Tree<'_>, names: &[&str]) -> bool {
    let body = tree.all(Tag::Body).next().unwrap_or(0);
    if says_more(tree) {
        return false;
    }
    let text = tree.folded_text(body, MAX_TEXT + 1);
    if text.len() > MAX_TEXT {
        return false;
    }
    let text = plain(&text);
    let called = usize::from(names.iter().any(|name| is_name(&plain(name))));
    let numbered = usize::from(NUMBERED.iter().any(|label| has_number(&text, label)));
    // A plea may stand in any text: it is a sign only beside another one.
    let pleads = usize::from(PLEAS.iter().any(|plea| text.contains(plea)));
    match marks(tree) {
        Mark::Challenge => true,
        Mark::Guard => 1 + called + numbered + pleads >= ENOUGH,
        Mark::None => called + numbered + pleads >= ENOUGH,
    }
}

/// Whether there is something on the page that no challenge has.
fn says_more(tree: &Tree<'_>) -> bool {
    let holds_more = |than: usize, wanted: &dyn Fn(NodeId) -> bool| {
        tree.descendants(0).filter(|&n| wanted(n)).nth(than).is_some()
    };
    [Tag::Pre, Tag::Code, Tag::Table, Tag::Textarea].iter().any(|&tag| tree.total(tag) > 0)
        || holds_more(MAX_LINKS, &|n| tree.tag(n) == Tag::A && tree.raw_attribute(n, Name::Href).is_some())
        || holds_more(MAX_FIELDS, &|n| is_field(tree, n))
}

/// Whether a title or a heading is a title of challenges, alone or in front of the name of a site.
fn is_name(name: &str) -> bool {
    let names_challenge = |known: &str| {
        name.strip_prefix(known).is_some_and(|rest| {
            rest.is_empty()
                || rest
                    .trim_start_matches(['.', '\u{2026}', '!', '?', ' '])
                    .starts_with(['|', '-', '\u{2013}', '\u{2014}', ':'])
        })
    };
    NAMES.iter().any(|known| names_challenge(known))
}

/// Whether the number of an incident stands behind its name.
fn has_number(text: &str, label: &str) -> bool {
    text.match_indices(label).any(|(at, _)| {
        let behind = text.get(at + label.len()..).unwrap_or_default();
        behind.bytes().take(NUMBER_WITHIN).any(|byte| byte.is_ascii_digit())
    })
}

/// What the scripts and names of elements tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    None,
    /// A guard looks at the visitors of this page.
    Guard,
    /// This page is a guard's challenge.
    Challenge,
}

fn marks(tree: &Tree<'_>) -> Mark {
    let mut left = MAX_SEARCHED;
    let mut found = Mark::None;
    for node in tree.descendants(0) {
        let script = (tree.tag(node) == Tag::Text && tree.tag(tree.node(node).parent) == Tag::Script)
            .then(|| tree.raw_text(node));
        let sends_on = tree.raw_attribute(node, Name::HttpEquiv).is_some();
        let tells =
            |name| matches!(name, Name::Id | Name::Class | Name::Src) || (sends_on && name == Name::Content);
        let attributes = tree.attributes(node).iter().filter(|a| tells(a.name)).map(|a| a.value);
        for text in script.into_iter().chain(attributes) {
            let Some(rest) = left.checked_sub(text.len()) else { return found };
            left = rest;
            let text = text.to_ascii_lowercase();
            if CHALLENGES.iter().any(|mark| text.contains(mark)) {
                return Mark::Challenge;
            }
            if GUARDS.iter().any(|mark| text.contains(mark)) {
                found = Mark::Guard;
            }
        }
    }
    found
}

/// What scripts, ids and classes of challenges hold, and no other page.
const CHALLENGES: &[&str] = list! {
    "_cf_chl_opt" "cf-chl-" "cf-browser-verification" "cf-error-details" "px-captcha"
    "captcha-delivery.com" "_incapsula_resource?cwudnsai" "sec-if-cpt-container" "awswafcookiedomainlist"
    "gokuprops" "sucuri_cloudproxy" "/.well-known/sgcaptcha" "/.well-known/ddos-guard" "anubis_challenge"
    "/.within.website/x/"
};

/// What guards and captchas put into ordinary pages too.
const GUARDS: &[&str] = list! {
    "challenge-platform" "challenges.cloudflare.com" "challenge-form" "_incapsula_resource" "perimeterx"
    "token.awswaf.com" "g-recaptcha" "/recaptcha/" "h-captcha" "hcaptcha.com"
};

/// Titles and headings of challenges.
const NAMES: &[&str] = list! {
    "403 forbidden" "access blocked" "access denied" "access restricted"
    "access to this page has been denied" "accès refusé" "acceso denegado" "accesso negato"
    "acesso negado" "are you a human" "are you a robot" "are you human" "attention required" "bot check"
    "bot verification" "browser check" "captcha challenge" "captcha required" "checking you are not a bot"
    "checking your browser" "checking your browser before accessing" "client challenge" "ddos protection"
    "ddos-guard" "een ogenblik geduld" "einen moment" "human verification" "just a moment"
    "making sure you are not a bot" "making sure you're not a bot" "nur einen moment" "one moment"
    "one moment, please" "one more step" "pardon our interruption" "please verify you are a human"
    "please verify you are human" "please wait" "request blocked" "request rejected"
    "request unsuccessful" "robot check" "robot or human" "security check" "security checkpoint"
    "security verification" "sorry, you have been blocked" "sucuri website firewall" "un instant"
    "un momento" "um momento" "unusual traffic detected" "vercel security checkpoint"
    "verify you are a human" "verify you are human" "verifying you are human" "you have been blocked"
    "zugriff verweigert"
};

/// What the number of an incident is called.
const NUMBERED: &[&str] = list! {
    "reference #" "reference id" "reference number" "ray id" "incident id" "support id" "block id"
    "error reference"
};

/// What challenges ask for, and how they explain themselves.
const PLEAS: &[&str] = list! {
    "automated requests" "by completing the action below" "checking if the site connection is secure"
    "checking your browser before" "complete the captcha" "complete the security check"
    "completing a captcha" "ddos protection by" "detected unusual" "enable js and disable any ad blocker"
    "enable javascript and cookies" "has been blocked" "have been blocked" "might be a bot"
    "needs to review the security of your connection" "permission to access" "please enable cookies"
    "please solve" "press & hold" "press and hold" "protect itself from online attacks"
    "requested url was rejected" "unable to access" "verify that you are human" "verify you are a human"
    "verify you are human" "verify your browser" "verifying you are human" "verifying your browser"
    "you are a human" "you are human" "you are not a bot" "you are not a robot" "you're not a bot"
    "you're not a robot" "your browser will redirect"
};

#[cfg(test)]
mod tests {
    use super::super::super::{Page, PageSource, read_html};
    use super::super::ErrorPage;
    use super::is_marked;
    use crate::url::SiteUrl;
    use crate::work::Work;

    fn page(html: &str) -> Page {
        let url = SiteUrl::parse("https://harbour.example/").unwrap();
        read_html(
            &PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() },
            &Work::unbounded(),
        )
        .unwrap()
    }

    #[test]
    fn challenges_of_many_vendors_are_recognised() {
        for html in [
            "<title>Just a moment...</title><body><noscript>Enable JavaScript and cookies to continue</noscript>\
             <script>window._cf_chl_opt={cvId:'3'}</script>",
            "<title>Einen Moment…</title><body><h1>harbour.example</h1><p>Es wird geprüft, ob die Verbindung sicher ist.\
             <script>window._cf_chl_opt={cvId:'3'}</script>",
            "<title>Checking your browser</title><body><p>Checking your browser before accessing harbour.example. This \
             process is automatic. Your browser will redirect shortly.",
            "<title>Attention Required! | Cloudflare</title><body><h1>Sorry, you have been blocked</h1><p>You are unable \
             to access harbour.example</p><p>Cloudflare Ray ID: 8f2a1b</p><a href=https://www.cloudflare.com>Cloudflare</a>",
            "<title>Access Denied</title><body><h1>Access Denied</h1>You don't have permission to access \
             \"http://harbour.example/\" on this server.<p>Reference #18.2d351ab8.1557333295.a4e16ab",
            "<title>harbour.example</title><body><p id=cmsg>Please enable JS and disable any ad blocker</p>\
             <script src=https://ct.captcha-delivery.com/c.js></script>",
            "<title>Security check</title><body><p>Please complete the security check to access harbour.example.</p>\
             <form><div class=g-recaptcha></div><input type=submit></form>",
            "<title>harbour</title><body><iframe id=main-iframe src='/_Incapsula_Resource?x=1'></iframe>\
             <p>Request unsuccessful. Incapsula incident ID: 12-345",
            "<title>Request Rejected</title><body>The requested URL was rejected. Your support ID is: 1234567890",
        ] {
            assert_eq!(page(html).error_page, Some(ErrorPage::BotChallenge), "{html}");
        }
    }

    #[test]
    fn articles_about_challenges_are_pages() {
        let guide = "A captcha asks visitors to verify that you are human before they go on. Sites put it before forms. ";
        for html in [
            format!("<title>How captchas work</title><main><h1>How captchas work</h1><p>{guide}</main>"),
            format!("<title>Access denied</title><main><h1>Access denied</h1><p>{}</main>", guide.repeat(12)),
            "<title>Just a moment</title><main><h1>Just a moment</h1><p>A poem about waiting for the tide to turn.".to_owned(),
            "<title>Security check</title><main><p>Verify you are human with <code>is_human()</code>: it answers true.".to_owned(),
            "<title>Write to us</title><main><p>Please verify you are human.<form><input name=a><input name=b><textarea>\
             </textarea><div class=g-recaptcha></div></form>".to_owned(),
            "<title>Harbour</title><main><p>All about tides.</p></main>\
             <script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>".to_owned(),
        ] {
            assert_eq!(page(&html).error_page, None, "{html}");
        }
    }

    #[test]
    fn challenge_header_is_recognised() {
        let with =
            |name: &'static str, value: &'static str| is_marked(|asked| (asked == name).then_some(value));
        assert!(with("cf-mitigated", "challenge") && with("x-amzn-waf-action", "captcha"));
        assert!(!with("cf-ray", "challenge") && !with("x-amzn-waf-action", "count"));
    }
}
