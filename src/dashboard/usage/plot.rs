//! The month as figures for an inline SVG: for each day how much of each quota was used by its end, in per cent of the
//! quota, so that both stand on one scale. Across it is measured in per cent, so that it fits every screen with letters of
//! one size; upwards in pixels.

use super::{DayRow, Meter};
use crate::dashboard::words;

/// Where the bars stand on, in pixels from the top.
const BASE: f64 = 226.0;
/// The end of a bar whose quota is used up.
const TOP: f64 = 20.0;
/// What the numbers at the left take, in per cent.
const LEFT: f64 = 6.0;
/// The part of a day that its bars fill.
const FILLED: f64 = 0.7;
/// A bar that stands for something can be seen.
const LOWEST: f64 = 2.0;
/// Every so many days one is named.
const NAMED: usize = 7;

pub(super) struct Plot {
    pub(super) meters: [Meter; 2],
    /// What it shows, for those who do not see it.
    pub(super) summary: String,
    pub(super) bars: Vec<Bar>,
    /// How high lines across it are, and what they are called; the first one is the quota's.
    pub(super) lines: [(String, &'static str); 3],
    /// Where days are named, and how.
    pub(super) labels: Vec<(String, String)>,
}

pub(super) struct Bar {
    pub(super) class: &'static str,
    pub(super) x: String,
    pub(super) y: String,
    pub(super) width: String,
    pub(super) height: String,
    pub(super) title: String,
}

impl Plot {
    /// `days`: those so far, of `length` that the month has.
    pub(super) fn of(days: &[DayRow], length: usize, meters: [Meter; 2]) -> Self {
        let step = (100.0 - LEFT) / as_float(length.max(1) as u64);
        let left = |day: usize| LEFT + step * as_float(day as u64);
        let mut bars = Vec::new();
        for (nth, meter) in meters.iter().enumerate() {
            // What was carried over from revoked keys, or is under way, was there before the first day.
            let mut so_far = meter.used.saturating_sub(days.iter().map(|(_, counts)| counts[nth]).sum());
            for (day, (label, counts)) in days.iter().enumerate() {
                so_far += counts[nth];
                if so_far == 0 {
                    continue;
                }
                let height = (height(so_far, meter.quota) * (BASE - TOP)).max(LOWEST);
                let half = step * FILLED / 2.0;
                let x = left(day) + step * (1.0 - FILLED) / 2.0 + half * as_float(nth as u64);
                let (grouped, of) = (words::grouped(so_far), words::grouped(meter.quota));
                bars.push(Bar {
                    class: meter.endpoint.name(),
                    x: format!("{x:.2}%"),
                    y: format!("{:.1}", BASE - height),
                    width: format!("{half:.2}%"),
                    height: format!("{height:.1}"),
                    title: format!("{} by {label}: {grouped} of {of}", meter.name()),
                });
            }
        }
        let lines = [(1.0, "quota"), (0.5, "50 %"), (0.0, "0")];
        let lines = lines.map(|(part, label)| (format!("{:.1}", BASE - (BASE - TOP) * part), label));
        let month = days.first().and_then(|(day, _)| day.split_once(' ')).map_or("", |(_, month)| month);
        let named = (0..length).step_by(NAMED);
        let labels =
            named.map(|day| (format!("{:.2}%", left(day) + step / 2.0), format!("{} {month}", day + 1)));
        let told = meters.iter().map(|meter| {
            format!("{} {} of {}", meter.name(), words::grouped(meter.used), words::grouped(meter.quota))
        });
        let summary = format!("The quotas' use by day: {}", told.collect::<Vec<_>>().join(", "));
        Self { summary, bars, lines, labels: labels.collect(), meters }
    }
}

/// How high a bar is: 1 where the quota is used up.
fn height(used: u64, quota: u64) -> f64 {
    if used >= quota { 1.0 } else { as_float(used) / as_float(quota) }
}

#[expect(clippy::cast_precision_loss, reason = "a plot has some hundred pixels")]
fn as_float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use wayfile_core::plan::Endpoint;

    use super::*;

    fn plot(used: [u64; 2], counts: &[Vec<u64>; 2]) -> Plot {
        let days = counts[0].iter().zip(&counts[1]).zip(1..);
        let days: Vec<DayRow> =
            days.map(|((made, checked), day)| (format!("{day} Mar"), [*made, *checked])).collect();
        let [made, checked] = used;
        let meters = [
            Meter { endpoint: Endpoint::Generate, used: made, quota: 100 },
            Meter { endpoint: Endpoint::Validate, used: checked, quota: 1_000 },
        ];
        Plot::of(&days, 31, meters)
    }

    #[test]
    fn bars_grow_up_to_the_quota_and_stay_inside() {
        let plot = plot([150, 1], &[vec![50, 0, 100], vec![0, 0, 1]]);
        let number = |text: &str| text.trim_end_matches('%').parse::<f64>().unwrap();
        assert_eq!(plot.bars.len(), 4, "three days of files, one of validations");
        assert!(plot.bars[0].title.contains("by 1 Mar: 50 of 100"), "{}", plot.bars[0].title);
        assert!((number(&plot.bars[2].y) - TOP).abs() < 0.2, "no higher than the quota");
        for bar in &plot.bars {
            assert!((number(&bar.y) + number(&bar.height) - BASE).abs() < 0.2, "{}", bar.title);
            assert!(number(&bar.y) >= TOP && number(&bar.height) >= LOWEST, "{}", bar.title);
            assert!(number(&bar.x) >= LEFT && number(&bar.x) + number(&bar.width) <= 100.0, "{}", bar.title);
        }
    }

    #[test]
    fn usage_of_revoked_keys_counts_before_the_first_day() {
        let plot = plot([12, 0], &[vec![0, 2], vec![0, 0]]);
        let titles: Vec<&str> = plot.bars.iter().map(|bar| bar.title.as_str()).collect();
        assert_eq!(titles, ["Files made by 1 Mar: 10 of 100", "Files made by 2 Mar: 12 of 100"]);
    }

    #[test]
    fn plot_without_data_is_drawn() {
        let still = plot([0, 0], &[vec![0; 30], vec![0; 30]]);
        assert_eq!((still.bars.len(), still.lines.len(), still.labels.len()), (0, 3, 5));
    }
}
