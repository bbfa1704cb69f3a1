//! The rules that run for every site: robots.txt and sitemaps.

#![expect(clippy::unwrap_used, reason = "what is wrong here must stop it at once, with its place")]

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput};
use wayfile_core::site::robots::Robots;
use wayfile_core::site::sitemap::{Sitemap, SitemapLimits};
use wayfile_core::url::SiteUrl;
use wayfile_core::work::Work;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    robots(&mut criterion);
    sitemap(&mut criterion);
    criterion.final_summary();
}

fn robots(criterion: &mut Criterion) {
    let text: String = (0..2_000).fold("User-agent: *\n".to_owned(), |mut text, n| {
        let _ = writeln!(text, "Disallow: /private/{n}/*/edit$");
        text
    });
    let mut group = criterion.benchmark_group("robots.txt");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group
        .bench_function("parse", |bench| bench.iter(|| Robots::parse(black_box(text.as_bytes()), "wayfile")));
    let rules = Robots::parse(text.as_bytes(), "wayfile");
    let url = SiteUrl::parse("https://tide.example.com/private/1999/some/page/edit").unwrap();
    group.throughput(Throughput::Elements(1));
    group.bench_function("ask", |bench| bench.iter(|| rules.allows(black_box(&url))));
    group.finish();
}

fn sitemap(criterion: &mut Criterion) {
    let mut xml = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">".to_owned();
    for n in 0..20_000 {
        let _ = write!(
            xml,
            "<url><loc>https://tide.example.com/docs/{n}?a=1&amp;b={n}</loc><lastmod>2026-11-01</lastmod></url>"
        );
    }
    xml.push_str("</urlset>");
    let url = SiteUrl::parse("https://tide.example.com/sitemap.xml").unwrap();
    let mut group = criterion.benchmark_group("sitemap");
    group.throughput(Throughput::Bytes(xml.len() as u64));
    group.bench_function("parse", |bench| {
        bench.iter(|| {
            Sitemap::parse(
                &url,
                Some("application/xml"),
                black_box(xml.as_bytes()),
                &SitemapLimits::default(),
                &Work::unbounded(),
            )
        });
    });
    // The physical limit: the same bytes through the XML tokenizer alone.
    group.bench_function("floor: quick-xml events", |bench| {
        bench.iter(|| {
            let mut reader = quick_xml::Reader::from_str(black_box(&xml));
            let mut events = 0_u32;
            while !matches!(reader.read_event(), Ok(quick_xml::events::Event::Eof) | Err(_)) {
                events += 1;
            }
            events
        });
    });
    group.finish();
}
