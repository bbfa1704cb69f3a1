//! Sitemaps: the pages and further sitemaps that a file names.

use serde_json::Value;
use wayfile_core::site::robots::Robots;
use wayfile_core::site::sitemap::{Sitemap, SitemapKind, SitemapLimits, named_by};
use wayfile_core::url::SiteUrl;
use wayfile_core::work::Work;

use super::folder::{cases, text};
use super::report::Report;

#[derive(Debug, PartialEq)]
struct Found {
    kind: String,
    pages: Vec<String>,
    children: Vec<String>,
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn body(case: &Value) -> Vec<u8> {
    match case["body_b64"].as_str() {
        Some(encoded) => decode_base64(encoded),
        None => text(case, "body").as_bytes().to_vec(),
    }
}

fn decode_base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for octet in text.bytes() {
        let Some(value) = ALPHABET.iter().position(|known| *known == octet) else { continue };
        bits = bits << 6 | u32::try_from(value).unwrap();
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).unwrap());
        }
    }
    bytes
}

fn found(case: &Value, body: &[u8]) -> Found {
    let url = SiteUrl::parse(text(case, "url")).unwrap();
    let text_of = |urls: Vec<SiteUrl>| urls.iter().map(ToString::to_string).collect();
    if text(&case["expect"], "kind") == "robots" {
        let children = named_by(&Robots::parse(body, "wayfile"), &url);
        return Found { kind: "robots".to_owned(), pages: Vec::new(), children: text_of(children) };
    }
    match Sitemap::parse(
        &url,
        case["content_type"].as_str(),
        body,
        &SitemapLimits::default(),
        &Work::unbounded(),
    ) {
        Ok(sitemap) => Found {
            kind: match sitemap.kind {
                SitemapKind::Urlset => "urlset",
                SitemapKind::Index => "index",
                SitemapKind::Text => "text",
                SitemapKind::Rss => "rss",
                SitemapKind::Atom => "atom",
            }
            .to_owned(),
            pages: text_of(sitemap.entries.into_iter().map(|entry| entry.url).collect()),
            children: text_of(sitemap.children),
        },
        Err(_) => Found { kind: "error".to_owned(), pages: Vec::new(), children: Vec::new() },
    }
}

/// For files whose broken parts may be read or not: so many pages, or those that are named, else the expected.
fn holds(found: &Found, expected: &Found, least: &Value) -> bool {
    let all = |pages: &[String]| pages.iter().all(|page| found.pages.contains(page));
    found.kind == expected.kind
        && match least {
            Value::Number(count) => count.as_u64().is_some_and(|count| found.pages.len() as u64 >= count),
            Value::Array(_) => all(&strings(least)),
            Value::Object(_) => all(&strings(&least["pages"])),
            _ => all(&expected.pages),
        }
}

#[test]
#[ignore = "needs WAYFILE_CORPUS"]
fn sitemaps() {
    let mut report = Report::new("sitemaps.jsonl");
    for case in cases("sitemaps.jsonl") {
        let expect = &case["expect"];
        let expected = Found {
            kind: text(expect, "kind").to_owned(),
            pages: strings(&expect["pages"]),
            children: strings(&expect["children"]),
        };
        let body = body(&case);
        let name = text(&case, "name");
        if let Some(least) = case.get("expect_at_least") {
            report.case(&expected.kind, name, &true, || holds(&found(&case, &body), &expected, least));
        } else {
            report.case(&expected.kind, name, &expected, || found(&case, &body));
        }
    }
    report.finish(&[("*", 100)], None);
}

/// The limit of the format, on a file that is made here.
#[test]
#[ignore = "measures with the corpus"]
fn a_sitemap_over_the_limit_is_cut() {
    let pages: Vec<String> =
        (0..50_001).map(|n| format!("<url><loc>https://docs.rs/{n}</loc></url>")).collect();
    let body = format!("<urlset>{}</urlset>", pages.concat());
    let url = SiteUrl::parse("https://docs.rs/sitemap.xml").unwrap();
    let sitemap =
        Sitemap::parse(&url, None, body.as_bytes(), &SitemapLimits::default(), &Work::unbounded()).unwrap();
    assert_eq!((sitemap.entries.len(), sitemap.truncated), (50_000, true));
}
