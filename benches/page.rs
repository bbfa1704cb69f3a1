//! One page from bytes to Markdown, links and metadata, at three sizes, beside what others make of it.

#![expect(clippy::unwrap_used, reason = "what is wrong here must stop it at once, with its place")]

use std::fmt::Write;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use wayfile_core::page::{self, Source};
use wayfile_core::site::url::SiteUrl;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    to_markdown(&mut criterion);
    criterion.final_summary();
}

/// A documentation page of about `kilobytes`: sidebar, headings, prose with links, code, tables, lists.
fn generated(kilobytes: usize) -> String {
    let item = |n| format!("<li><a class=\"ref\" href=\"../guide/{n}.html\">Guide number {n}</a></li>");
    let sidebar = (0..60).map(item).collect::<Vec<_>>().concat();
    let mut html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Harbour levels - Tidepool</title>\
         <meta name=\"description\" content=\"How levels are measured &amp; kept.\"></head><body>\
         <nav class=\"sidebar\"><ul>{sidebar}</ul></nav><main><h1>Harbour levels</h1>"
    );
    let mut n = 0;
    while html.len() < kilobytes << 10 {
        n += 1;
        write!(
            html,
            "<h2 id=\"s{n}\">Gauge {n}<a class=\"headerlink\" href=\"#s{n}\">¶</a></h2>\
             <p>Gauge {n} reports every <em>ten seconds</em> &mdash; see <a href=\"{n}.html\">its page</a> and the \
             <code>level</code> command. Readings &lt; 0 mean that the gate is open, and <strong>no</strong> alarm is raised.</p>\
             <div class=\"highlight\"><pre><code class=\"language-bash\">tidepool query &quot;gate.{n}&quot; \\\n  --last 6h\n</code></pre></div>\
             <ul><li>calm: <code>{n}</code> cm</li><li>storm: more<ul><li>spring tide</li></ul></li></ul>\
             <table><thead><tr><th>Hour</th><th>Level</th></tr></thead><tbody><tr><td>{n}</td><td>3.8</td></tr>\
             <tr><td>next</td><td>4.1</td></tr></tbody></table>"
        )
        .unwrap();
    }
    html.push_str("</main><footer><p>Last updated on Monday</p></footer></body></html>");
    html
}

fn to_markdown(criterion: &mut Criterion) {
    let url = SiteUrl::parse("https://tide.example.com/guide/levels.html").unwrap();
    let mut group = criterion.benchmark_group("page");
    for kilobytes in [5, 60, 1_000] {
        let html = generated(kilobytes);
        group.throughput(Throughput::Bytes(html.len() as u64));
        group.bench_with_input(BenchmarkId::new("wayfile", kilobytes), &html, |bench, html| {
            bench.iter(|| {
                let source = Source {
                    url: &url,
                    content_type: Some("text/html"),
                    x_robots_tag: None,
                    body: black_box(html.as_bytes()),
                };
                page::read(&source).unwrap()
            });
        });
        // The floor of any extractor: the tokens of the same bytes, in a tree nobody looks at.
        group.bench_with_input(BenchmarkId::new("floor: tl parse", kilobytes), &html, |bench, html| {
            bench.iter(|| tl::parse(black_box(html), tl::ParserOptions::default()).unwrap().nodes().len());
        });
    }
    group.finish();
}
