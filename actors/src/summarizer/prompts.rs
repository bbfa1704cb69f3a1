//! The prompts, as a file that operators may change without a build.

use llm_chain::Parameters;
use llm_chain::chains::{map_reduce, sequential};
use llm_chain::options::{Opt, Options};
use llm_chain::prompt::{ChatMessageCollection, Data, StringTemplate};
use llm_chain::step::Step;
use serde::Deserialize;

/// What stands for the text of a page while a prompt is tried out.
const SAMPLE: &str = "the text of a page";

/// Every prompt, tried out.
pub struct Prompts {
    pub(super) describe: sequential::Chain,
    pub(super) summary: map_reduce::Chain,
    /// The words of all prompts: an answer that repeats them is none.
    pub(super) wording: String,
    /// The longest prompt around a text, in characters.
    longest: usize,
}

/// A file of prompts that cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "what each one says is its meaning")]
pub enum PromptsError {
    #[error("the prompts cannot be read: {0}")]
    File(#[from] toml::de::Error),
    #[error("the prompts have no [[describe]] step, so no page could be described")]
    NoSteps,
    #[error(
        "the prompt {step} cannot be used: {why}; there are {{{{ text }}}}, {{{{ title }}}} and {{{{ site }}}}"
    )]
    Template { step: String, why: String },
    #[error("the prompt {0} never names {{{{ text }}}}, so the model would not see the page")]
    Textless(String),
    #[error(
        "the prompts are {0} characters long, which leaves too little of llm.context_max_chars for a page"
    )]
    TooLong(usize),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PromptFile {
    describe: Vec<PromptWording>,
    summary: SummaryPrompts,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SummaryPrompts {
    part: PromptWording,
    whole: PromptWording,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PromptWording {
    system: String,
    user: String,
    temperature: Option<f32>,
    max_tokens: Option<usize>,
}

impl Prompts {
    /// Reads a file of prompts and tries each one out.
    /// Errors: [`PromptsError`] names the prompt that cannot be used, and why.
    pub fn parse(toml: &str) -> Result<Self, PromptsError> {
        let file: PromptFile = toml::from_str(toml)?;
        if file.describe.is_empty() {
            return Err(PromptsError::NoSteps);
        }
        let SummaryPrompts { part, whole } = &file.summary;
        let all = || file.describe.iter().chain([part, whole]);
        let wording: Vec<_> = all().flat_map(|wording| [&*wording.system, &wording.user]).collect();
        let longest =
            all().map(|wording| wording.system.chars().count() + wording.user.chars().count()).max();
        let steps = file.describe.iter().enumerate();
        let steps: Result<Vec<_>, _> = steps.map(|(at, w)| w.step(&format!("describe[{at}]"))).collect();
        Ok(Self {
            describe: sequential::Chain::new(steps?),
            summary: map_reduce::Chain::new(part.step("summary.part")?, whole.step("summary.whole")?),
            wording: wording.join("\n"),
            longest: longest.unwrap_or_default(),
        })
    }

    /// Checks that half of `context_chars` is left for what the prompts are about.
    pub(super) fn fit(self, context_chars: usize) -> Result<Self, PromptsError> {
        if self.longest * 2 > context_chars { Err(PromptsError::TooLong(self.longest)) } else { Ok(self) }
    }
}

impl PromptWording {
    /// The templates are the operator's; whatever comes from pages and callers is a parameter, never a template.
    fn step(&self, name: &str) -> Result<Step, PromptsError> {
        let mut options = Options::builder();
        let given = [self.temperature.map(Opt::Temperature), self.max_tokens.map(Opt::MaxTokens)];
        given.into_iter().flatten().for_each(|option| options.add_option(option));
        let chat = ChatMessageCollection::new()
            .with_system(StringTemplate::tera(&*self.system))
            .with_user(StringTemplate::tera(&*self.user));
        let step = Step::for_prompt_and_options(Data::Chat(chat), options.build());
        let tried = step.format(&parameters(SAMPLE, "a title", "a site"));
        let tried = tried
            .map_err(|error| PromptsError::Template { step: name.to_owned(), why: error.to_string() })?;
        if tried.to_string().contains(SAMPLE) {
            Ok(step)
        } else {
            Err(PromptsError::Textless(name.to_owned()))
        }
    }
}

pub(super) fn parameters(text: &str, title: &str, site: &str) -> Parameters {
    Parameters::new_with_text(text).with("title", title).with("site", site)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: &str = include_str!("../../../config/prompts.toml");

    #[test]
    fn the_prompts_that_come_along_can_be_used() {
        assert!(Prompts::parse(DEFAULT).unwrap().fit(12_000).is_ok());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let broken = [
            ("{{ text }}", "{{ txet }}", "describe[0]"),
            ("{{ text }}", "{{ title }}", "never names"),
            ("{{ text }}", "{{ text", "describe[0]"),
            ("max_tokens", "max_tokes", "max_tokes"),
        ];
        for (from, to, named) in broken {
            let error = Prompts::parse(&DEFAULT.replace(from, to)).err().unwrap().to_string();
            assert!(error.contains(named), "{from} -> {to}: {error}");
        }
        assert!(matches!(Prompts::parse(DEFAULT).unwrap().fit(500), Err(PromptsError::TooLong(_))));
    }

    #[test]
    fn text_of_pages_is_never_a_template() {
        let page = "{{ site }} {% if true %}x{% endif %}";
        let prompts: PromptFile = toml::from_str(DEFAULT).unwrap();
        let step = prompts.describe[0].step("describe").unwrap();
        assert!(step.format(&parameters(page, page, "s")).unwrap().to_string().contains(page));
    }
}
