//! What the site tells: checks on a plain record of what was observed. Whatever is not known is left out.

mod discovery;
mod file;
mod links;
mod observed;
mod sitemap;

pub use discovery::{agents_shut_out, alike, points_to};
pub use observed::{
    Coverage, DeadLink, DeadReason, Fate, FileSeen, HttpAnswer, LinkSeen, LinkStats, Observed, PageSeen,
};
pub use sitemap::coverage;

use super::rule::{Check, Finding, Rule, Verdict, checks};

type SiteRun = fn(&Observed) -> Verdict;
type SiteCheck = Check<SiteRun>;
type LinkRun = fn(&LinkStats) -> Verdict;
type LinkCheck = Check<LinkRun>;

/// How the file is served. All three tables are in the order of the answer.
static FILE: [SiteCheck; 15] = checks!(Readiness:
    "reachable" 12 "Served with 200" => file::reachable;
        "the file's address answers 200 in the end";
        "Serve the file at /llms.txt with status 200.";
    "served-over-https" 3 "Served over HTTPS" => file::https;
        "the final address is https";
        "Serve the site over HTTPS and redirect http to it.";
    "content-type-text" 6 "Served as text/plain or text/markdown" => file::text_type;
        "the Content-Type is one of the two";
        "Set Content-Type to text/plain or text/markdown.";
    "charset-utf8" 2 "Charset declared as UTF-8" => file::charset;
        "the Content-Type says charset=utf-8";
        "Add `; charset=utf-8` to the Content-Type.";
    "no-cross-host-redirect" 4 "Stays on its host" => file::stays;
        "no redirect to another host; www and apex are one";
        "Serve the file on the host that it describes.";
    "single-redirect" 2 "At most one redirect" => file::one_redirect;
        "at most one";
        "Redirect to the final address at once.";
    "no-auth-gate" 6 "No login needed" => file::no_login;
        "neither 401 nor 403 nor a login page";
        "Open the file to everybody.";
    "no-bot-challenge" 4 "No bot wall" => file::no_bot_challenge;
        "no mark of a challenge in status, headers or body";
        "Let agents through to this file.";
    "not-soft-404" 6 "Missing files answer 404" => file::not_soft_404;
        "a made-up name beside the file does not get the like text with 200";
        "Answer 404 for files that do not exist.";
    "well-located" 2 "At a known place" => file::well_located;
        "PATH/llms.txt or /.well-known/llms.txt";
        "Serve the file as llms.txt at the root of what it describes.";
    "robots-allow-file" 4 "robots.txt lets agents read it" => file::robots_allow;
        "neither we nor GPTBot, ClaudeBot, PerplexityBot or Google-Extended are shut out";
        "Allow /llms.txt in robots.txt.";
    "fast-response" 2 "Answers within 2 s" => file::fast;
        "from the request to the answer's head";
        "Serve the file from a cache.";
    "cache-allows-updates" 2 "Cache allows updates" => file::cache;
        "max-age at most 86400, or an ETag or Last-Modified";
        "Shorten max-age to a day, or send an ETag.";
    "fresh" 3 "Recently updated" => file::fresh;
        "Last-Modified within 180 days";
        "Bring the file up to date.";
    "compressed" 1 "Compressed transfer" => file::compressed;
        "over 1 KB: gzip, br or zstd";
        "Turn on compression for text files.";
);

/// What the links tell, of a site's file and of a text alike.
static LINKS: [LinkCheck; 2] = checks!(Readiness:
    "links-resolve" 10 "Links answer" => links::resolve;
        "at least 90 % of those that could be decided";
        "Mend or remove the dead links.";
    "no-dead-links" 4 "No dead link" => links::none_dead;
        "none among those that were tried";
        "Mend or remove the dead links.";
);

/// What the linked pages and the rest of the site tell.
static PAGES: [SiteCheck; 11] = checks!(Readiness:
    "links-stay-on-host" 2 "Links do not hop hosts" => links::stay;
        "no link is redirected to another host";
        "Link to the final address.";
    "links-not-empty" 2 "Linked pages have content" => links::not_empty;
        "no link answers with nothing";
        "Fill or remove the pages.";
    "markdown-served" 4 "`.md` links serve Markdown" => links::markdown;
        "no link that ends in .md or .mdx answers with HTML";
        "Serve the Markdown itself at these addresses.";
    "linked-pages-readable" 4 "Linked pages need no JavaScript" => links::readable;
        "no page of a sample is an empty shell";
        "Render pages on the server.";
    "llms-full-available" 4 "llms-full.txt available" => file::full_available;
        "200 with text that is neither HTML nor a soft 404";
        "Publish llms-full.txt beside llms.txt.";
    "described-by" 4 "Site points to its llms.txt" => file::described;
        "rel=describedby or another link to it, in the home page or its Link header";
        "Add `<link rel=\"describedby\" href=\"/llms.txt\">` to the home page.";
    "markdown-alternates" 3 "Pages advertise Markdown" => links::alternates;
        "rel=alternate with text/markdown on at least half of a sample";
        "Add `<link rel=\"alternate\" type=\"text/markdown\" href=...>` to the pages.";
    "markdown-twins" 3 "Markdown twins exist" => links::twins;
        "page.md or page.html.md for at least half of a sample";
        "Serve each page's Markdown at its address with .md.";
    "content-negotiation" 3 "Accept: text/markdown honoured" => links::negotiation;
        "Markdown for at least half of a sample";
        "Answer with Markdown where the request prefers it.";
    "sitemap-coverage" 5 "Covers the site's pages" => sitemap::covers;
        "at least 80 % of the sitemap's documentation pages, in one locale and version";
        "List the pages that are missing.";
    "links-in-sitemap" 2 "Lists no page the site dropped" => sitemap::lists;
        "at least 95 % of the site's own links are in its sitemap";
        "Remove pages that are gone, or add them to the sitemap.";
);

/// Makes every check whose subject was observed.
pub fn check_site(observed: &Observed) -> Vec<Finding> {
    let of_site = |check: &'static SiteCheck| Finding::new(&check.rule, (check.run)(observed));
    let mut findings: Vec<_> = FILE.iter().filter_map(of_site).collect();
    if let Some(links) = &observed.links {
        findings.extend(check_links(&LinkStats::of(links)));
    }
    findings.extend(PAGES.iter().filter_map(of_site));
    findings
}

/// Makes the checks of links that were tried.
pub(super) fn check_links(stats: &LinkStats) -> impl Iterator<Item = Finding> {
    LINKS.iter().filter_map(move |check| Finding::new(&check.rule, (check.run)(stats)))
}

pub(super) fn rules() -> impl Iterator<Item = &'static Rule> {
    let (file, pages) = (FILE.iter().map(|check| &check.rule), PAGES.iter().map(|check| &check.rule));
    file.chain(LINKS.iter().map(|check| &check.rule)).chain(pages)
}
