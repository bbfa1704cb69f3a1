//! From the bytes of a robots.txt to the rules for one agent.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::time::Duration;

use encoding_rs::Encoding;

use super::pattern::PathRule;
use super::{LINE_MAX_BYTES, ROBOTS_MAX_BYTES, Robots, SITEMAPS_MAX};
use crate::phrases::list;

/// What a line is about.
#[derive(Clone, Copy)]
enum DirectiveName {
    UserAgent,
    Allow,
    Disallow,
    CrawlDelay,
    Sitemap,
}

/// The names of lines, with the misspellings that sites use (the list of google/robotstxt, and a few more).
const FIELDS: [(DirectiveName, &[&str]); 5] = [
    (DirectiveName::Disallow, DISALLOW),
    (DirectiveName::Allow, &["allow", "alow"]),
    (DirectiveName::UserAgent, &["user-agent", "useragent", "user agent", "user_agent"]),
    (DirectiveName::Sitemap, &["sitemap", "site-map", "sitemaps"]),
    (DirectiveName::CrawlDelay, &["crawl-delay", "crawldelay", "crawl delay"]),
];
const DISALLOW: &[&str] = list! {
    "disallow" "dissallow" "dissalow" "disalow" "diasllow" "disallaw" "disalllow" "disallows" "dis-allow"
};

/// What groups of one kind say: those that name the agent, or those for `*`.
#[derive(Default)]
struct RuleGroup {
    /// The agent lines above name this kind.
    open: bool,
    rules: Vec<PathRule>,
    crawl_delay: Option<Duration>,
}

pub(super) fn parse(bytes: &[u8], agent: &str) -> Robots {
    let text = to_ascii_superset(cut(bytes));
    let agent = agent.split('/').next().unwrap_or_default();
    let mut named = RuleGroup::default();
    let mut general = RuleGroup::default();
    let mut is_named = false;
    let mut in_agent_lines = false;
    let mut sitemaps = Vec::new();
    let mut known_sitemaps = HashSet::new();
    for (field, value) in lines(&text).filter_map(field) {
        match field {
            DirectiveName::UserAgent => {
                if !in_agent_lines {
                    (named.open, general.open) = (false, false);
                }
                in_agent_lines = true;
                let token = product_token(value);
                general.open |=
                    value.first() == Some(&b'*') && value.get(1).is_none_or(u8::is_ascii_whitespace);
                named.open |= !token.is_empty() && token.eq_ignore_ascii_case(agent.as_bytes());
                is_named |= named.open;
            }
            DirectiveName::Allow | DirectiveName::Disallow => {
                in_agent_lines = false;
                for group in [&mut named, &mut general] {
                    if group.open {
                        group.rules.extend(rules(matches!(field, DirectiveName::Allow), value));
                    }
                }
            }
            // Not a rule: agent lines that follow still belong to the same group (RFC 9309 section 2.2.4).
            DirectiveName::CrawlDelay => {
                for group in [&mut named, &mut general] {
                    if group.open {
                        group.crawl_delay = group.crawl_delay.max(delay(value));
                    }
                }
            }
            DirectiveName::Sitemap => {
                if !value.is_empty() && sitemaps.len() < SITEMAPS_MAX && known_sitemaps.insert(value) {
                    sitemaps.push(String::from_utf8_lossy(value).into_owned());
                }
            }
        }
    }
    let RuleGroup { mut rules, crawl_delay, .. } = if is_named { named } else { general };
    rules.sort_by_key(|rule| (Reverse(rule.length), Reverse(rule.allow)));
    rules.dedup();
    Robots { rules, crawl_delay, sitemaps }
}

/// A file over the limit loses its last, broken line too: half a path would forbid more than was meant.
fn cut(bytes: &[u8]) -> &[u8] {
    match bytes.get(..ROBOTS_MAX_BYTES) {
        Some(head) if bytes.len() > ROBOTS_MAX_BYTES => {
            let end = memchr::memrchr2(b'\n', b'\r', head).unwrap_or_default();
            head.get(..end).unwrap_or_default()
        }
        _ => bytes,
    }
}

/// Takes a byte order mark off, and decodes UTF-16. Other bytes stay as they are: patterns are octets.
fn to_ascii_superset(bytes: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::for_bom(bytes) {
        Some((encoding, length)) => match bytes.get(length..) {
            Some(rest) if encoding == encoding_rs::UTF_8 => Cow::Borrowed(rest),
            Some(rest) => Cow::Owned(encoding.decode_without_bom_handling(rest).0.into_owned().into_bytes()),
            None => Cow::Borrowed(bytes),
        },
        None => Cow::Borrowed(bytes),
    }
}

/// Lines that may say something: most lines of long files are comments.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|octet| matches!(octet, b'\n' | b'\r'))
        .filter(|line| !matches!(line, [] | [b'#', ..]))
        .map(|line| line.get(..LINE_MAX_BYTES).unwrap_or(line))
}

/// What a line is about, and its value. A missing colon is forgiven where one blank parts two words.
fn field(line: &[u8]) -> Option<(DirectiveName, &[u8])> {
    let line = before(line, b'#').trim_ascii();
    let (name, value) = if let Some(colon) = memchr::memchr(b':', line) {
        (line.get(..colon)?.trim_ascii(), line.get(colon + 1..)?.trim_ascii())
    } else {
        let name = line.split(u8::is_ascii_whitespace).next()?;
        let value = line.get(name.len()..)?.trim_ascii();
        if value.is_empty() || value.iter().any(u8::is_ascii_whitespace) {
            return None;
        }
        (name, value)
    };
    let is_name = |known: &&str| known.as_bytes().eq_ignore_ascii_case(name);
    FIELDS.iter().find(|(_, names)| names.iter().any(is_name)).map(|(field, _)| (*field, value))
}

fn before(line: &[u8], end: u8) -> &[u8] {
    memchr::memchr(end, line).and_then(|at| line.get(..at)).unwrap_or(line)
}

/// The name an agent line begins with: versions and comments behind it say nothing. Digits are taken in
/// addition to what RFC 9309 section 2.2.1 lists, since agents use them.
fn product_token(value: &[u8]) -> &[u8] {
    let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_');
    let end = value.iter().position(|octet| !is_part(octet)).unwrap_or(value.len());
    value.get(..end).unwrap_or_default()
}

/// The rule of a line; who allows a directory's index file allows the directory too.
fn rules(allow: bool, written: &[u8]) -> impl Iterator<Item = PathRule> {
    let directory = written.iter().rposition(|octet| *octet == b'/').and_then(|slash| {
        let (directory, file) = written.split_at_checked(slash + 1)?;
        (allow && file.starts_with(b"index.htm")).then(|| [directory, b"$"].concat())
    });
    PathRule::new(allow, written)
        .into_iter()
        .chain(directory.and_then(|pattern| PathRule::new(true, &pattern)))
}

/// What is asked for by a number that no duration holds: the longest wait that a crawl grants is shorter.
const ENDLESS: Duration = Duration::from_hours(24 * 365);

/// Seconds, with decimals; what follows the number (`10s`) is passed over.
fn delay(value: &[u8]) -> Option<Duration> {
    let end = value.iter().position(|octet| !octet.is_ascii_digit() && *octet != b'.').unwrap_or(value.len());
    let seconds: f64 = std::str::from_utf8(value.get(..end)?).ok()?.parse().ok()?;
    Some(Duration::try_from_secs_f64(seconds).map_or(ENDLESS, |delay| delay.min(ENDLESS)))
}
