//! What a check is: data, and one pure function.

use serde::Serialize;

use crate::llms_txt::inline::is_invisible;

/// `structure`: the form of the text; `readiness`: whether agents get it and can use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Whether the text is a good `llms.txt`.
    Structure,
    /// Whether agents get it and can use it.
    Readiness,
}

/// A check as people read it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Its stable name.
    pub id: &'static str,
    /// What it counts for.
    pub tier: Tier,
    /// Its share of the tier's score.
    pub weight: u32,
    /// What holds when it passes, in a few words.
    pub label: &'static str,
    /// What exactly must hold.
    pub rule: &'static str,
    /// What to do when it fails.
    pub fix: &'static str,
}

/// A rule and what decides it; `F` is a function from what is looked at to a [`Verdict`].
pub(super) struct Check<F> {
    pub(super) rule: Rule,
    pub(super) run: F,
}

/// A table of checks of one tier. Each row has id, weight and label, what decides it, what it asks for, and how to mend it.
macro_rules! checks {
    ($tier:ident: $($id:literal $weight:literal $label:literal => $run:expr; $rule:literal; $fix:literal;)*) => {
        [$($crate::llms_txt::lint::rule::Check {
            rule: $crate::llms_txt::lint::rule::Rule {
                id: $id,
                tier: $crate::llms_txt::lint::rule::Tier::$tier,
                weight: $weight,
                label: $label,
                rule: $rule,
                fix: $fix,
            },
            run: $run,
        }),*]
    };
}
pub(super) use checks;

/// What a check says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// There is nothing it could be said of, or it is not known.
    LeftOut,
    /// All is well.
    Pass,
    /// Something is wrong.
    Fail {
        /// What was found.
        detail: String,
        /// Where, counted from 1.
        line: Option<usize>,
        /// Every place of several, up to [`MAX_OCCURRENCES`].
        occurrences: Vec<Occurrence>,
    },
}

/// Places of one check that are named.
pub const MAX_OCCURRENCES: usize = 50;

/// One of several places in which a check fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Occurrence {
    /// Its line, counted from 1.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub line: usize,
    /// What was found there.
    pub detail: String,
}

impl Verdict {
    /// Fails with what `detail` says unless `fine`.
    pub(super) fn of(fine: bool, detail: impl FnOnce() -> String) -> Self {
        if fine { Self::Pass } else { Self::fail(detail()) }
    }

    pub(super) fn fail(detail: impl Into<String>) -> Self {
        Self::Fail { detail: detail.into(), line: None, occurrences: Vec::new() }
    }

    pub(super) fn fail_at(line: usize, detail: impl Into<String>) -> Self {
        Self::Fail { detail: detail.into(), line: Some(line), occurrences: Vec::new() }
    }

    /// Passes when nothing was found that is wrong; else names how many there are and where.
    pub(super) fn none<'a>(found: impl IntoIterator<Item = (usize, &'a str)>, what: &str) -> Self {
        let mut found = found.into_iter().peekable();
        let Some(&(_, first)) = found.peek() else { return Self::Pass };
        let occurrences = occurrences(&mut found, what);
        let count = occurrences.len() + found.count();
        let in_all = if count == 1 { String::new() } else { format!(" ({count} in all)") };
        Self::at(format!("{what}{in_all}: {}", excerpt(first)), occurrences)
    }

    /// Fails with what `detail` says of the whole and where it was found.
    pub(super) fn share<'a>(
        detail: String,
        found: impl IntoIterator<Item = (usize, &'a str)>,
        what: &str,
    ) -> Self {
        Self::at(detail, occurrences(found, what))
    }

    fn at(detail: String, mut occurrences: Vec<Occurrence>) -> Self {
        let line = occurrences.first().map(|first| first.line);
        if occurrences.len() == 1 {
            occurrences.clear();
        }
        Self::Fail { detail, line, occurrences }
    }
}

fn occurrences<'a>(found: impl IntoIterator<Item = (usize, &'a str)>, what: &str) -> Vec<Occurrence> {
    let named = found.into_iter().take(MAX_OCCURRENCES);
    named.map(|(line, text)| Occurrence { line, detail: format!("{what}: {}", excerpt(text)) }).collect()
}

/// Characters of foreign text that a detail quotes.
const EXCERPT_CHARS: usize = 80;

/// The beginning of a foreign text, on one line.
pub(super) fn excerpt(text: &str) -> String {
    let mut chars = text.trim().chars().map(|c| if is_invisible(c) { ' ' } else { c });
    let mut out: String = chars.by_ref().take(EXCERPT_CHARS).collect();
    if chars.next().is_some() {
        out.push('\u{2026}');
    }
    out
}

/// A check that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which.
    pub rule: &'static Rule,
    /// Whether all is well.
    pub pass: bool,
    /// What was found, when it is not.
    pub detail: Option<String>,
    /// The line it was found in, counted from 1.
    pub line: Option<usize>,
    /// Where it fails in several places: the first of them.
    pub occurrences: Vec<Occurrence>,
}

impl Finding {
    /// None for what was left out.
    pub(super) fn new(rule: &'static Rule, verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::LeftOut => None,
            Verdict::Pass => {
                Some(Self { rule, pass: true, detail: None, line: None, occurrences: Vec::new() })
            }
            Verdict::Fail { detail, line, occurrences } => {
                Some(Self { rule, pass: false, detail: Some(detail), line, occurrences })
            }
        }
    }
}

/// 100 x the weights of what passed / the weights of what was checked, rounded; 0 when nothing was.
pub fn score(findings: &[Finding], tier: Tier) -> u32 {
    let (mut passed, mut all) = (0, 0);
    for finding in findings.iter().filter(|finding| finding.rule.tier == tier) {
        all += finding.rule.weight;
        passed += if finding.pass { finding.rule.weight } else { 0 };
    }
    (200 * passed + all).checked_div(2 * all).unwrap_or(0)
}

/// One check, as an answer tells it.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Check))]
pub(super) struct Told<'a> {
    /// Its stable name.
    #[cfg_attr(feature = "openapi", schema(example = "h1-present"))]
    id: &'static str,
    /// Which score it counts for.
    tier: Tier,
    /// Whether all is well.
    pass: bool,
    /// What holds when it passes.
    label: &'static str,
    /// Its share of the score.
    weight: u32,
    /// What was found, when it fails.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    detail: Option<&'a str>,
    /// The line it was found in, counted from 1.
    #[cfg_attr(feature = "openapi", schema(required = true, minimum = 1))]
    line: Option<usize>,
    /// Every place, up to 50, when it fails in several; `line` and `detail` are those of the first, or of the whole.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false, max_items = 50))]
    occurrences: &'a [Occurrence],
    /// How to mend it, when it fails.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    fix: Option<&'static str>,
}

impl Serialize for Finding {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Rule { id, tier, label, weight, .. } = *self.rule;
        let (detail, line, occurrences) = (self.detail.as_deref(), self.line, self.occurrences.as_slice());
        let fix = (!self.pass).then_some(self.rule.fix);
        Told { id, tier, pass: self.pass, label, weight, detail, line, occurrences, fix }
            .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_cannot_turn_the_line_of_a_terminal() {
        assert_eq!(excerpt("a\u{1b}[2Jb\u{202e}c"), "a [2Jb c");
    }
}
