//! How the chains of `llm-chain` reach our model: the library makes requests of prompts, this sends them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use llm_chain::options::{Opt, OptDiscriminants, Options};
use llm_chain::output::Output;
use llm_chain::prompt::{ChatRole, Data, Prompt};
use llm_chain::tokens::{PromptTokensError, TokenCollection, TokenCount, Tokenizer, TokenizerError};
use llm_chain::traits::{Executor, ExecutorCreationError, ExecutorError};

use super::client::{Message, SamplingParams};
use super::error::{ModelResult, NoAnswer};
use super::model::{Model, RequestContext};

/// Sends the requests of one run of a chain.
pub(super) struct Sender {
    model: Arc<Model>,
    context: RequestContext,
    context_chars: i32,
    /// A reduction that does not shrink would go on for ever.
    requests_left: AtomicUsize,
}

impl Sender {
    pub(super) fn new(
        model: Arc<Model>,
        context: RequestContext,
        context_chars: usize,
        max_requests: usize,
    ) -> Self {
        let context_chars = i32::try_from(context_chars).unwrap_or(i32::MAX);
        Self { model, context, context_chars, requests_left: AtomicUsize::new(max_requests) }
    }

    async fn send(&self, options: &Options, prompt: &Prompt) -> ModelResult<String> {
        let take = |left: usize| left.checked_sub(1);
        self.requests_left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .map_err(|_| NoAnswer::Budget)?;
        self.model.ask(&messages(prompt), params(options), &self.context).await
    }
}

#[async_trait]
impl Executor for Sender {
    type StepTokenizer<'a> = Characters;

    fn new_with_options(_: Options) -> Result<Self, ExecutorCreationError> {
        Err(ExecutorCreationError::FieldRequiredError("model".to_owned()))
    }

    async fn execute(&self, options: &Options, prompt: &Prompt) -> Result<Output, ExecutorError> {
        let text =
            self.send(options, prompt).await.map_err(|error| ExecutorError::InnerError(error.into()))?;
        Ok(Output::new_immediate(Data::text(text)))
    }

    /// Counted in characters. Never more than fit: the library takes the one from the other without looking.
    fn tokens_used(&self, options: &Options, prompt: &Prompt) -> Result<TokenCount, PromptTokensError> {
        let chars: usize = messages(prompt).iter().map(|message| message.content.chars().count()).sum();
        let most = self.max_tokens_allowed(options);
        Ok(TokenCount::new(most, i32::try_from(chars).unwrap_or(i32::MAX).min(most)))
    }

    fn max_tokens_allowed(&self, _: &Options) -> i32 {
        self.context_chars
    }

    fn answer_prefix(&self, _: &Prompt) -> Option<String> {
        None
    }

    fn get_tokenizer(&self, _: &Options) -> Result<Characters, TokenizerError> {
        Ok(Characters)
    }
}

/// Every character a token: endpoints count differently, and none says how.
pub(super) struct Characters;

impl Tokenizer for Characters {
    fn tokenize_str(&self, text: &str) -> Result<TokenCollection, TokenizerError> {
        let tokens: Result<Vec<i32>, _> = text.chars().map(|c| i32::try_from(u32::from(c))).collect();
        Ok(tokens.map_err(|_| TokenizerError::TokenizationError)?.into())
    }

    fn to_string(&self, tokens: TokenCollection) -> Result<String, TokenizerError> {
        let chars = tokens.as_i32()?.into_iter().map(|token| char::from_u32(u32::try_from(token).ok()?));
        chars.collect::<Option<String>>().ok_or(TokenizerError::ToStringError)
    }
}

fn messages(prompt: &Prompt) -> Vec<Message> {
    match prompt {
        Data::Text(text) => vec![Message { role: "user", content: text.clone() }],
        Data::Chat(chat) => {
            let messages = chat.iter().map(|message| Message {
                role: match message.role() {
                    ChatRole::System => "system",
                    ChatRole::Assistant => "assistant",
                    ChatRole::User | ChatRole::Other(_) => "user",
                },
                content: message.body().clone(),
            });
            messages.collect()
        }
    }
}

fn params(options: &Options) -> SamplingParams {
    let temperature = match options.get(OptDiscriminants::Temperature) {
        Some(Opt::Temperature(temperature)) => Some(*temperature),
        _ => None,
    };
    let max_tokens = match options.get(OptDiscriminants::MaxTokens) {
        Some(Opt::MaxTokens(max_tokens)) => Some(*max_tokens),
        _ => None,
    };
    SamplingParams { temperature, max_tokens }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_survive_being_tokens() {
        let text = "Töpfe, 窯 and 🏺";
        assert_eq!(Characters.to_string(Characters.tokenize_str(text).unwrap()).unwrap(), text);
        assert_eq!(Characters.split_text(text, 8, 0).unwrap().concat(), text);
    }
}
