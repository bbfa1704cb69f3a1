//! Plans: how much an account may do, and what becomes of a request under its plan.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::limits::Rate;
use crate::llms_txt::FileType;

/// What an account has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Plan {
    /// The plan of an account that pays nothing.
    Free,
    /// The smallest plan with `llms-full.txt`.
    Starter,
    /// For regular use.
    Pro,
    /// The largest.
    Business,
}

/// A text that names no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is none of the plans free, starter, pro, business")]
pub struct UnknownPlan(String);

impl Plan {
    /// From the smallest to the largest.
    pub const ALL: [Self; 4] = [Self::Free, Self::Starter, Self::Pro, Self::Business];

    /// Whether there is no larger one.
    pub fn is_largest(self) -> bool {
        Self::ALL.last() == Some(&self)
    }

    /// Its name, as it is written everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Starter => "starter",
            Self::Pro => "pro",
            Self::Business => "business",
        }
    }
}

impl FromStr for Plan {
    type Err = UnknownPlan;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|plan| plan.name() == text);
        named.ok_or_else(|| UnknownPlan(text.to_owned()))
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is counted by the month, each with a quota of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Endpoint {
    /// Making the files.
    Generate,
    /// Checking a file.
    Validate,
}

impl Endpoint {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Generate, Self::Validate];

    /// Its name, as it is written everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generate => "generate",
            Self::Validate => "validate",
        }
    }
}

/// How much one plan allows: the section `[plans.NAME]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanLimits {
    /// Generate runs per key and calendar month.
    pub generate_per_month: u64,
    /// Validations per key and calendar month.
    pub validate_per_month: u64,
    /// Requests of any kind per key and minute; as many may come at once.
    pub requests_per_minute: u32,
    /// Links in `llms.txt`.
    pub index_pages: usize,
    /// Pages in `llms-full.txt`; 0: the plan has none.
    pub full_pages: usize,
    /// Generate runs of one key at the same time.
    pub crawls_at_once: usize,
    /// Keys that an account may have at the same time.
    pub keys: usize,
}

impl PlanLimits {
    /// The quota of one endpoint.
    pub fn per_month(&self, endpoint: Endpoint) -> u64 {
        match endpoint {
            Endpoint::Generate => self.generate_per_month,
            Endpoint::Validate => self.validate_per_month,
        }
    }

    /// Every limit by the name of its setting.
    fn figures(&self) -> [(&'static str, u64); 7] {
        [
            ("generate_per_month", self.generate_per_month),
            ("validate_per_month", self.validate_per_month),
            ("requests_per_minute", self.requests_per_minute.into()),
            ("index_pages", self.index_pages as u64),
            ("full_pages", self.full_pages as u64),
            ("crawls_at_once", self.crawls_at_once as u64),
            ("keys", self.keys as u64),
        ]
    }

    /// The rate of all requests.
    pub fn rate(&self) -> Rate {
        Rate { per_minute: self.requests_per_minute }
    }
}

/// All plans: the section `[plans]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plans {
    /// `[plans.free]`
    pub free: PlanLimits,
    /// `[plans.starter]`
    pub starter: PlanLimits,
    /// `[plans.pro]`
    pub pro: PlanLimits,
    /// `[plans.business]`
    pub business: PlanLimits,
}

/// What a request gets under a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// What is made, after a downgrade.
    pub file_type: FileType,
    /// Says that less is made than was asked for, and what to do about it.
    pub note: Option<String>,
}

/// A request that the plan has nothing for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct NotInPlan {
    plan: Plan,
    upgrade: Option<Plan>,
}

impl fmt::Display for NotInPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} plan does not include llms-full.txt; ask for fileType \"llms\"", self.plan)?;
        match self.upgrade {
            Some(plan) => write!(f, ", or upgrade to the {plan} plan"),
            None => Ok(()),
        }
    }
}

impl Plans {
    /// What one plan allows.
    pub fn limits(&self, plan: Plan) -> &PlanLimits {
        match plan {
            Plan::Free => &self.free,
            Plan::Starter => &self.starter,
            Plan::Pro => &self.pro,
            Plan::Business => &self.business,
        }
    }

    /// What becomes of a request for `asked` under `plan`: `both` shrinks to `llms` where there is no
    /// `llms-full.txt`, and a note says so.
    ///
    /// # Errors
    /// [`NotInPlan`]: `llms-full.txt` alone, from a plan that has none.
    pub fn grant(&self, plan: Plan, asked: FileType) -> Result<Grant, NotInPlan> {
        if self.limits(plan).full_pages > 0 || !asked.full() {
            return Ok(Grant { file_type: asked, note: None });
        }
        let upgrade = Plan::ALL.into_iter().find(|p| *p > plan && self.limits(*p).full_pages > 0);
        if !asked.index() {
            return Err(NotInPlan { plan, upgrade });
        }
        let hint =
            upgrade.map_or_else(String::new, |plan| format!(" Upgrade to the {plan} plan to get both."));
        let note = format!("Only llms.txt was made: the {plan} plan does not include llms-full.txt.{hint}");
        Ok(Grant { file_type: FileType::Llms, note: Some(note) })
    }

    /// What an operator should look at: settings that work and yet are hardly meant.
    pub fn warnings(&self) -> Vec<String> {
        Plan::ALL.into_iter().flat_map(|plan| self.warnings_of(plan)).collect()
    }

    fn warnings_of(&self, plan: Plan) -> Vec<String> {
        let limits = self.limits(plan);
        let mut found = Vec::new();
        let (generate, validate) = (limits.generate_per_month, limits.validate_per_month);
        if validate <= generate {
            found.push(format!(
                "plans.{plan}.validate_per_month ({validate}) is not more than generate_per_month ({generate}): \
                 checking a file is meant to be cheaper than making one"
            ));
        }
        // A plan without llms-full.txt is meant.
        let nothing =
            limits.figures().into_iter().filter(|(name, figure)| *figure == 0 && *name != "full_pages");
        found.extend(nothing.map(|(name, _)| {
            format!("plans.{plan}.{name} is 0: nobody with this plan can use all of the service")
        }));
        if let Some(smaller) = Plan::ALL.into_iter().rfind(|p| *p < plan) {
            let pairs = limits.figures().into_iter().zip(self.limits(smaller).figures());
            found.extend(pairs.filter(|((_, figure), (_, less))| figure < less).map(|((name, _), _)| {
                format!(
                    "plans.{plan}.{name} is less than plans.{smaller}.{name}: an upgrade would take something away"
                )
            }));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: PlanLimits = PlanLimits {
        generate_per_month: 10,
        validate_per_month: 100,
        requests_per_minute: 10,
        index_pages: 50,
        full_pages: 0,
        crawls_at_once: 1,
        keys: 2,
    };
    const PAID: PlanLimits = PlanLimits { full_pages: 50, ..FREE };

    fn plans() -> Plans {
        Plans { free: FREE, starter: PAID, pro: PAID, business: PAID }
    }

    #[test]
    fn names_read_as_they_are_written() {
        for plan in Plan::ALL {
            assert_eq!(plan.to_string().parse(), Ok(plan));
        }
        assert!("Free".parse::<Plan>().is_err());
    }

    #[test]
    fn a_plan_without_the_full_file_refuses_it_or_makes_less() {
        let plans = plans();
        let both = plans.grant(Plan::Free, FileType::Both).unwrap();
        assert_eq!(both.file_type, FileType::Llms);
        assert!(both.note.unwrap().contains("Upgrade to the starter plan"));
        let refused = plans.grant(Plan::Free, FileType::LlmsFull).unwrap_err().to_string();
        assert!(
            refused.contains("the free plan") && refused.contains("upgrade to the starter plan"),
            "{refused}"
        );
        assert_eq!(plans.grant(Plan::Free, FileType::Llms).unwrap().note, None);
        for asked in [FileType::Llms, FileType::LlmsFull, FileType::Both] {
            assert_eq!(plans.grant(Plan::Pro, asked).unwrap(), Grant { file_type: asked, note: None });
        }
    }

    #[test]
    fn upgrade_hint_names_only_plans_that_have_more() {
        let plans = Plans { starter: FREE, pro: FREE, business: FREE, ..plans() };
        let refused = plans.grant(Plan::Free, FileType::LlmsFull).unwrap_err().to_string();
        assert!(!refused.contains("upgrade"), "{refused}");
    }

    #[test]
    fn odd_settings_are_pointed_out() {
        assert_eq!(plans().warnings(), Vec::<String>::new());
        let odd =
            Plans { starter: PlanLimits { validate_per_month: 10, crawls_at_once: 0, ..PAID }, ..plans() };
        let warnings = odd.warnings();
        for named in [
            "plans.starter.validate_per_month (10) is not more",
            "plans.starter.crawls_at_once is 0",
            "plans.starter.validate_per_month is less than plans.free",
        ] {
            assert!(warnings.iter().any(|w| w.contains(named)), "{named}: {warnings:#?}");
        }
    }
}
