use std::cell::Cell;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

use super::*;

fn base() -> SiteUrl {
    SiteUrl::parse("https://docs.rs/maps/sitemap.xml").unwrap()
}

fn parse(body: &[u8]) -> Result<Sitemap, SitemapError> {
    Sitemap::parse(&base(), None, body, &SitemapLimits::default(), &Work::unbounded())
}

fn paths(body: &str) -> Vec<String> {
    let sitemap = parse(body.as_bytes()).unwrap();
    sitemap.entries.iter().map(|entry| entry.url.path_and_query().to_owned()).collect()
}

fn urlset(pages: usize) -> String {
    let pages: Vec<String> = (0..pages).map(|n| format!("<url><loc>/{n}</loc></url>")).collect();
    format!("<urlset>{}</urlset>", pages.concat())
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn pages_with_translations() {
    let body = "<urlset xmlns:x='h'><url><loc> https://docs.rs/a </loc>\
                <x:link rel='alternate' hreflang='de' href='/de?a=1&b=2'/></url>\
                <url><loc>b</loc></url></urlset>";
    let sitemap = parse(body.as_bytes()).unwrap();
    let german = SiteUrl::parse("https://docs.rs/de?a=1&b=2").unwrap();
    assert_eq!(sitemap.kind, SitemapKind::Urlset);
    assert_eq!(sitemap.entries[0].alternates, [("de".to_owned(), german)]);
    assert_eq!(sitemap.entries[1].url.path(), "/maps/b");
    assert!(!sitemap.truncated);
}

#[test]
fn an_index_names_each_child_once_and_never_itself() {
    let body = "<s:sitemapindex><s:sitemap><s:loc>a.xml</s:loc></s:sitemap><s:sitemap><s:loc>a.xml</s:loc></s:sitemap>\
                <s:sitemap><s:loc>sitemap.xml</s:loc></s:sitemap></s:sitemapindex>";
    let sitemap = parse(body.as_bytes()).unwrap();
    assert_eq!((sitemap.kind, sitemap.children.len()), (SitemapKind::Index, 1));
    assert_eq!(sitemap.children[0].path(), "/maps/a.xml");
}

#[test]
fn short_references_in_a_long_folder_make_no_more_of_a_file_than_it_may_hold() {
    let base = SiteUrl::parse(&format!("https://docs.rs/{}/sitemap.xml", "f".repeat(1_900))).unwrap();
    let page = |n| format!("<url><loc>{n}</loc><x:link hreflang=de href='de{n}' /></url>");
    let body = format!("<urlset>{}</urlset>", (0..200).map(page).collect::<String>());
    let limits = SitemapLimits { decoded_bytes: 100_000, ..SitemapLimits::default() };
    let sitemap = Sitemap::parse(&base, None, body.as_bytes(), &limits, &Work::unbounded()).unwrap();
    let addresses = sitemap.entries.iter().flat_map(|entry| {
        std::iter::once(&entry.url).chain(entry.alternates.iter().map(|(_, translation)| translation))
    });
    let bytes: usize = addresses.map(|url| url.as_str().len()).sum();
    assert!(body.len() < limits.decoded_bytes && bytes <= limits.decoded_bytes, "{bytes}");
    assert!(sitemap.truncated);
}

#[test]
fn broken_files_give_what_is_whole() {
    assert_eq!(paths("<urlset><url><loc>/a</loc><url><loc>/b</url></loc><url><loc>/c</loc>"), ["/a", "/b"]);
    assert_eq!(paths("Notice: x<br>\n<?xml?><urlset><url><loc>/a</loc></url><url><lo"), ["/a"]);
    assert_eq!(
        paths("<urlset><url><loc>/a?x=1&y=&#50;&amp;amp;z=&nope;</loc></url></urlset>"),
        ["/a?x=1&y=2&z=&nope;"]
    );
    assert!(parse(b"<urlset><url><loc>/a").unwrap().truncated);
}

#[test]
fn entities_of_the_file_are_not_expanded() {
    let body = "<!DOCTYPE urlset [<!ENTITY a 'aaaa'>]><urlset><url><loc>/x?&a;</loc></url></urlset>";
    assert_eq!(paths(body), ["/x?&a;"]);
}

#[test]
fn other_namespaces_name_no_pages() {
    let body = "<urlset><url><i:image><i:loc>/i.png</i:loc></i:image><loc>/a</loc></url></urlset>";
    assert_eq!(paths(body), ["/a"]);
}

#[test]
fn feeds_name_their_items() {
    assert_eq!(
        paths(
            "<rss><channel><link>/</link><item><guid isPermaLink='false'>7</guid><link>/a</link></item></channel></rss>"
        ),
        ["/a"]
    );
    assert!(paths("<rss><item><guid>post-7</guid></item></rss>").is_empty());
    assert_eq!(paths("<rdf:RDF><item><link>/a</link></item></rdf:RDF>"), ["/a"]);
    assert_eq!(
        paths("<feed><link href='/'/><entry><link rel=enclosure href='/x'/><link href='/a'/></entry></feed>"),
        ["/a"]
    );
}

#[test]
fn text_files_name_one_page_a_line() {
    assert_eq!(paths("https://docs.rs/a\r\r# no\n https://docs.rs/b\nhttps://docs.rs/a"), ["/a", "/b"]);
}

#[test]
fn other_files_are_refused() {
    for body in [
        "",
        "{}",
        "nothing here",
        "<!doctype html><a href='https://docs.rs/a'>a</a>",
        "[\"https://docs.rs/\"]",
    ] {
        assert_eq!(parse(body.as_bytes()), Err(SitemapError::NotASitemap), "{body}");
    }
}

#[test]
fn the_encoding_is_found_where_the_file_says_it() {
    let body = "<urlset><url><loc>/\u{e9}</loc></url></urlset>";
    let latin1: Vec<u8> = body.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let declared = [b"<?xml version='1.0' encoding='ISO-8859-1'?>", &*latin1].concat();
    let utf16: Vec<u8> = body.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (content_type, body) in [
        (None, body.as_bytes()),
        (Some("text/xml; Charset=\"latin1\""), &latin1),
        (None, &declared),
        (Some("text/xml; charset=utf-8"), &utf16),
    ] {
        let sitemap =
            Sitemap::parse(&base(), content_type, body, &SitemapLimits::default(), &Work::unbounded())
                .unwrap();
        assert_eq!(sitemap.entries[0].url.path(), "/%C3%A9");
    }
}

#[test]
fn packed_files_are_known_by_their_octets() {
    let body = gzip(b"<urlset><url><loc>/a</loc></url></urlset>");
    assert_eq!(parse(&body).unwrap().entries.len(), 1);
    assert_eq!(parse(&gzip(&body)).unwrap().entries.len(), 1);
    let packed = gzip(urlset(2_000).as_bytes());
    let broken = parse(&packed[..packed.len() / 2]).unwrap();
    assert!(broken.truncated && !broken.entries.is_empty() && broken.entries.len() < 2_000);
}

#[test]
fn a_file_that_nobody_waits_for_is_given_up() {
    let tags = format!("<urlset><url><x:link {}/>", "a=b ".repeat(10_000));
    let text = "http://a/\n".repeat(50_000);
    let packed = gzip(" ".repeat(1 << 20).as_bytes());
    let files = [urlset(10_000).into(), text.into(), "<a".repeat(400_000).into(), tags.into(), packed];
    for file in files {
        let looks = Cell::new(0);
        let stop = || looks.replace(looks.get() + 1) > 2;
        let read = |work: &Work<'_>| Sitemap::parse(&base(), None, &file, &SitemapLimits::default(), work);
        let head = String::from_utf8_lossy(&file[..20]);
        assert_eq!(read(&Work::new(usize::MAX, &stop)), Err(SitemapError::Halt(Halt::Cancelled)), "{head}");
        assert_eq!(looks.get(), 4, "{head}");
        assert_eq!(read(&Work::bounded(1 << 16)), Err(SitemapError::Halt(Halt::TooComplex)), "{head}");
    }
}

#[test]
fn limits_cut_and_say_so() {
    let body = urlset(9);
    for (urls, found) in [(3, (3, true)), (9, (9, false))] {
        let limits = SitemapLimits { urls, ..SitemapLimits::default() };
        let sitemap = Sitemap::parse(&base(), None, body.as_bytes(), &limits, &Work::unbounded()).unwrap();
        assert_eq!((sitemap.entries.len(), sitemap.truncated), found);
    }
    let small = SitemapLimits { decoded_bytes: 60, ..SitemapLimits::default() };
    let cut = Sitemap::parse(&base(), None, &gzip(body.as_bytes()), &small, &Work::unbounded()).unwrap();
    assert_eq!((cut.entries.len(), cut.truncated), (2, true));
}

#[test]
fn robots_txt_names_sitemaps_before_the_well_known_places() {
    let robots = Robots::parse(b"Sitemap: /b.xml\nSitemap: https://docs.rs/b.xml\n", "wayfile");
    let url = SiteUrl::parse("https://docs.rs/robots.txt").unwrap();
    assert_eq!(named_by(&robots, &url), [SiteUrl::parse("https://docs.rs/b.xml").unwrap()]);
    assert_eq!(well_known(&url.origin())[0].as_str(), "https://docs.rs/sitemap.xml");
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in any::<Vec<u8>>(), soup in "(<urlset>|<rss>)?(</?(url|loc|item|link|a:b)>|<link href=|<!\\[CDATA\\[|&|&#x|;|<!--|\u{feff}|/a| ){0,30}") {
        let _ = parse(&bytes);
        let _ = parse(soup.as_bytes());
    }
}
