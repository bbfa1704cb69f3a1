//! A plot of counts by day, as figures for an inline SVG. Across it is measured in per cent, so that it fits every screen
//! with letters of one size; upwards in pixels.

use crate::dashboard::words;

/// Where the bars stand on, in pixels from the top.
const BASE: f64 = 168.0;
/// The highest bar's end.
const TOP: f64 = 20.0;
/// What the numbers at the left take, in per cent.
const LEFT: f64 = 7.0;
/// The part of a day that its bar fills.
const FILLED: f64 = 0.7;
/// A bar that stands for something can be seen.
const LOWEST: f64 = 2.0;
/// Every so many days one is named.
const NAMED: usize = 7;

pub(super) struct Plot {
    /// Which series, as the style sheet calls it.
    pub(super) class: &'static str,
    pub(super) name: &'static str,
    /// What it shows, for those who do not see it.
    pub(super) summary: String,
    pub(super) bars: Vec<Bar>,
    pub(super) lines: Vec<Line>,
    pub(super) labels: Vec<Label>,
}

pub(super) struct Bar {
    pub(super) x: String,
    pub(super) y: String,
    pub(super) width: String,
    pub(super) height: String,
    pub(super) title: String,
}

/// A line across, and what it stands for.
pub(super) struct Line {
    pub(super) y: String,
    pub(super) label: String,
}

/// The name of a day.
pub(super) struct Label {
    pub(super) x: String,
    /// Which part of it stands there, in the words of SVG.
    pub(super) anchor: &'static str,
    pub(super) text: String,
}

impl Plot {
    pub(super) fn of(class: &'static str, name: &'static str, days: &[(String, u64)]) -> Self {
        let most = days.iter().map(|(_, count)| *count).max().unwrap_or(0);
        let top = round_above(most);
        let step = (100.0 - LEFT) / as_float(days.len().max(1) as u64);
        let x = |at: usize| LEFT + step * as_float(at as u64);
        let y = |count: u64| BASE - (BASE - TOP) * as_float(count) / as_float(top);
        let bars = days.iter().enumerate().filter(|(_, (_, count))| *count > 0).map(|(at, (day, count))| {
            let y = y(*count).min(BASE - LOWEST);
            Bar {
                x: format!("{:.2}%", x(at) + step * (1.0 - FILLED) / 2.0),
                y: format!("{y:.1}"),
                width: format!("{:.2}%", step * FILLED),
                height: format!("{:.1}", BASE - y),
                title: format!("{day}: {}", words::grouped(count)),
            }
        });
        let marks = if top == 1 { vec![0, 1] } else { vec![0, top / 2, top] };
        let lines = marks
            .into_iter()
            .map(|count| Line { y: format!("{:.1}", y(count)), label: words::grouped(count) });
        let named = days.iter().enumerate().rev().step_by(NAMED);
        let labels = named.map(|(at, (day, _))| {
            // The last one ends where the plot does.
            let is_last = at + 1 == days.len();
            let x = if is_last { 100.0 } else { x(at) + step / 2.0 };
            Label { x: format!("{x:.2}%"), anchor: if is_last { "end" } else { "middle" }, text: day.clone() }
        });
        let sum: u64 = days.iter().map(|(_, count)| count).sum();
        let summary = format!(
            "{name} by day over the last {} days: {} in all, at most {} on one day",
            days.len(),
            words::grouped(sum),
            words::grouped(most)
        );
        Self { class, name, summary, bars: bars.collect(), lines: lines.collect(), labels: labels.collect() }
    }
}

/// An even number above `most` that people like to read: 2, 4, 10 and so on; 1 when there is nothing more.
fn round_above(most: u64) -> u64 {
    if most <= 1 {
        return 1;
    }
    let mut unit = 1;
    loop {
        if let Some(top) =
            [2, 4, 10].map(|n: u64| n.saturating_mul(unit)).into_iter().find(|top| *top >= most)
        {
            return top;
        }
        unit *= 10;
    }
}

#[expect(clippy::cast_precision_loss, reason = "a plot has some hundred pixels")]
fn as_float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(counts: &[u64]) -> Vec<(String, u64)> {
        counts.iter().enumerate().map(|(day, count)| (format!("day {day}"), *count)).collect()
    }

    #[test]
    fn the_scale_ends_at_a_round_number() {
        let tops: Vec<u64> = [0, 1, 2, 3, 7, 10, 11, 99, 2_001].map(round_above).into();
        assert_eq!(tops, [1, 1, 2, 4, 10, 10, 20, 100, 4_000]);
        // The largest count there is ends, too.
        assert!(round_above(u64::MAX) >= u64::MAX - 1);
    }

    #[test]
    fn bars_stand_on_the_base_and_stay_inside() {
        let plot = Plot::of("generate", "Files made", &days(&[0, 1, 1_000_000, 3, 0]));
        assert_eq!(plot.bars.len(), 3);
        for bar in &plot.bars {
            let number = |text: &str| text.trim_end_matches('%').parse::<f64>().unwrap();
            assert!((number(&bar.y) + number(&bar.height) - BASE).abs() < 0.2, "{}", bar.title);
            assert!(number(&bar.y) >= TOP && number(&bar.height) >= LOWEST, "{}", bar.title);
            assert!(number(&bar.x) >= LEFT && number(&bar.x) + number(&bar.width) <= 100.0, "{}", bar.title);
        }
        assert!(plot.summary.contains("1,000,004 in all"), "{}", plot.summary);
    }

    #[test]
    fn nothing_at_all_can_be_drawn() {
        assert!(Plot::of("generate", "Files made", &[]).bars.is_empty());
        let still = Plot::of("generate", "Files made", &days(&[0; 30]));
        assert_eq!((still.bars.len(), still.lines.len(), still.labels.len()), (0, 2, 5));
    }
}
