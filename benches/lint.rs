//! The checks of the form on one core, beside a Markdown parser that merely reads the same text.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use wayfile_core::llms_txt::lint::source::Source;
use wayfile_core::llms_txt::lint::structure;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    form(&mut criterion);
    criterion.final_summary();
}

/// An index of about `kilobytes`: sections of described links.
fn generated(kilobytes: usize) -> String {
    let mut text = "# Tide\n\n> Tide keeps levels of harbours and tells when a gate opens.\n\n\
                    **Instructions for LLM Agents**\n\n- Choose pages by their descriptions.\n"
        .to_owned();
    let mut n = 0;
    while text.len() < kilobytes << 10 {
        if n % 20 == 0 {
            let _ = write!(text, "\n## Part {n}\n\n");
        }
        let _ = writeln!(
            text,
            "- [Gauge number {n}](https://tide.example.dev/docs/gauges/{n}.md): How to read gauge {n}, what `level` prints, \
             and when a gate has to close."
        );
        n += 1;
    }
    text
}

fn form(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("llms.txt");
    for kilobytes in [10, 500] {
        let text = generated(kilobytes);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::new("structure checks", kilobytes), &text, |bench, text| {
            bench.iter(|| structure(&Source::decode(black_box(text.as_bytes()))));
        });
        group.bench_with_input(
            BenchmarkId::new("rival: pulldown-cmark parse", kilobytes),
            &text,
            |bench, text| {
                bench.iter(|| pulldown_cmark::Parser::new(black_box(text)).count());
            },
        );
    }
    group.finish();
}
