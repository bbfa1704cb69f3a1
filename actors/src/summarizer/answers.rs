//! Answers by what was asked: an unchanged page costs nothing the next time.

use std::time::Duration;

use moka::sync::Cache;
use sha2::{Digest, Sha256};

use super::client::{Message, SamplingParams};

/// What an entry costs beside its text, in bytes.
const OVERHEAD: usize = 128;

/// The fingerprint of a request: model, prompt and page text are all part of it.
pub(super) type AnswerKey = [u8; 32];

/// Answers of the model, as they came; bounded in bytes, shared by all crawls.
pub(super) type Answers = Cache<AnswerKey, String>;

pub(super) fn answers(max_bytes: usize, ttl: Duration) -> Answers {
    let size = |key: &AnswerKey, text: &String| key.len() + text.len() + OVERHEAD;
    Cache::builder()
        .max_capacity(max_bytes as u64)
        .weigher(move |key, text| u32::try_from(size(key, text)).unwrap_or(u32::MAX))
        .time_to_live(ttl)
        .build()
}

/// The key of a request. Lengths stand between the parts, so that no two requests run together.
pub(super) fn key(model: &str, messages: &[Message], params: SamplingParams) -> AnswerKey {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    part(model);
    part(&format!("{:?} {:?}", params.temperature, params.max_tokens));
    for message in messages {
        part(message.role);
        part(&message.content);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_request_counts() {
        let said = |content: &str| vec![Message { role: "user", content: content.to_owned() }];
        let base = key("m", &said("pots"), SamplingParams::default());
        assert_eq!(base, key("m", &said("pots"), SamplingParams::default()));
        assert_ne!(base, key("n", &said("pots"), SamplingParams::default()));
        assert_ne!(base, key("m", &said("pans"), SamplingParams::default()));
        assert_ne!(base, key("m", &said("pots"), SamplingParams { max_tokens: Some(1), temperature: None }));
    }
}
