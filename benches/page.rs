//! One page from bytes to Markdown, links and metadata, at three sizes, beside what others make of it.

#![expect(clippy::unwrap_used, reason = "what is wrong here must stop it at once, with its place")]

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use dom_smoothie::{Config, Readability, TextMode};
use wayfile_core::page::{self, PageSource};
use wayfile_core::url::SiteUrl;
use wayfile_core::work::Work;

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

/// Everything that is read from a page: Markdown, links, title, description.
fn wayfile(html: &str, url: &SiteUrl) -> usize {
    let source =
        PageSource { url, content_type: Some("text/html"), x_robots_tag: None, body: html.as_bytes() };
    let page = page::read(&source, &Work::bounded(1 << 30)).unwrap();
    page.markdown.len() + page.links.len()
}

/// The one rival here that finds the main content, as `Markdown`; it does not list the links.
fn dom_smoothie(html: &str, url: &SiteUrl) -> usize {
    let config = Config { text_mode: TextMode::Markdown, ..Config::default() };
    let mut readability = Readability::new(html, Some(url.as_str()), Some(config)).unwrap();
    readability.parse().unwrap().text_content.len()
}

/// The whole page as Markdown, nothing chosen.
fn htmd(html: &str, _: &SiteUrl) -> usize {
    let converter = htmd::HtmlToMarkdown::builder().skip_tags(vec!["script", "style"]).build();
    converter.convert(html).unwrap().len()
}

/// The whole page as Markdown, nothing chosen.
fn fast_html2md(html: &str, _: &SiteUrl) -> usize {
    html2md::rewrite_html(html, true).len()
}

/// The floor of a parser that follows the standard: its tree and its links.
fn html5ever_alone(html: &str, _: &SiteUrl) -> usize {
    dom_query::Document::from(html).select("a").length()
}

/// The floor of a parser that is fast and no parser of HTML: its tree and nothing else.
fn tl_alone(html: &str, _: &SiteUrl) -> usize {
    tl::parse(html, tl::ParserOptions::default()).unwrap().nodes().len()
}

type Reader = (&'static str, fn(&str, &SiteUrl) -> usize);

const READERS: [Reader; 6] = [
    ("wayfile", wayfile),
    ("dom_smoothie", dom_smoothie),
    ("htmd", htmd),
    ("fast_html2md", fast_html2md),
    ("html5ever, parsing", html5ever_alone),
    ("tl, parsing", tl_alone),
];

/// Runs of which the fastest counts in the ratios.
const RUNS: u32 = 15;

fn to_markdown(criterion: &mut Criterion) {
    let url = SiteUrl::parse("https://tide.example.com/guide/levels.html").unwrap();
    let mut group = criterion.benchmark_group("page");
    for kilobytes in [5, 60, 1_000] {
        let html = generated(kilobytes);
        group.throughput(Throughput::Bytes(html.len() as u64));
        for (name, read) in READERS {
            group.bench_with_input(BenchmarkId::new(name, kilobytes), &html, |bench, html| {
                bench.iter(|| read(black_box(html), &url));
            });
        }
        print_ratios(kilobytes, &html, &url);
    }
    group.finish();
}

/// MB/s of each reader and how many times as fast Wayfile is, from the fastest of a few runs in turn: on a busy
/// machine all of them are slowed down alike.
fn print_ratios(kilobytes: usize, html: &str, url: &SiteUrl) {
    let mut best = [Duration::MAX; READERS.len()];
    for _ in 0..RUNS {
        for ((_, read), best) in READERS.iter().zip(&mut best) {
            let start = Instant::now();
            black_box(read(black_box(html), url));
            *best = start.elapsed().min(*best);
        }
    }
    let megabytes = f64::from(u32::try_from(html.len()).unwrap()) / 1e6;
    for ((name, _), time) in READERS.iter().zip(best) {
        let speed = megabytes / time.as_secs_f64();
        let ratio = time.as_secs_f64() / best[0].as_secs_f64();
        println!("{kilobytes} KB  {name:18} {speed:7.1} MB/s  {ratio:6.2} x the time of wayfile");
    }
}
