//! What a site's refusals (429, 503) teach about the gap between requests to it, and how that is forgotten.

use std::time::Duration;

/// A refusal makes the gap at least this long, however fast the site was asked before.
pub(crate) const FIRST_REFUSED_GAP: Duration = Duration::from_millis(50);
/// How much longer the gap becomes with each refusal.
pub(crate) const REFUSAL_FACTOR: u32 = 2;
/// What refusals taught is halved each time that none came for so long.
pub(crate) const FORGIVEN_AFTER: Duration = Duration::from_mins(5);

/// What is left of a gap that refusals taught when none came for [`FORGIVEN_AFTER`].
pub(crate) fn forgiven(learned_gap: Duration) -> Duration {
    Some(learned_gap / REFUSAL_FACTOR).filter(|gap| *gap >= FIRST_REFUSED_GAP).unwrap_or_default()
}
