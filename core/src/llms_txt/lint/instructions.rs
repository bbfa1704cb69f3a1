//! Whether a title announces instructions for agents.

use crate::llms_txt::blocks::{Block, BlockKind};
use crate::llms_txt::inline::bold;

/// What is given.
const GUIDANCE: [&str; 5] = ["instructions", "guidelines", "guidance", "directives", "rules"];
/// To whom.
const READERS: [&str; 7] = ["llm", "llms", "ai", "agent", "agents", "assistant", "assistants"];
/// Longer texts are no titles; in bytes.
const MAX_BYTES: usize = 200;

/// Whether a block instructs agents: a heading of any level, or a paragraph that is one bold title.
pub(super) fn announced_by(block: &Block<'_>) -> bool {
    match block.kind {
        BlockKind::Heading { .. } => is_title(block.text),
        BlockKind::Paragraph => bold(block.text.trim_end_matches(':')).is_some_and(is_title),
        _ => false,
    }
}

/// Whether a heading such as "Instructions for LLM Agents" stands over instructions. "Client Update Instructions"
/// does not.
pub fn is_title(text: &str) -> bool {
    if text.len() > MAX_BYTES {
        return false;
    }
    let lower = text.to_lowercase();
    let words: Vec<_> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let reads = |at: usize| {
        words.get(at).is_some_and(|word| READERS.contains(word))
            || words
                .get(at..at + 3)
                .is_some_and(|three| matches!(three, ["large", "language", "model" | "models"]))
    };
    let has_reader = (0..words.len()).any(reads);
    let gives = words.iter().any(|word| GUIDANCE.contains(word));
    let notes = words.windows(2).enumerate().any(|(at, two)| two == ["notes", "for"] && reads(at + 2));
    (gives && has_reader) || notes || (words.first() == Some(&"for") && reads(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_instructions() {
        for title in [
            "Instructions for LLM Agents",
            "AI agent guidelines",
            "Rules for large language models",
            "Notes for AI",
            "For LLMs",
            "LLM/AI Usage Guidance",
            "Directives: AI assistants",
        ] {
            assert!(is_title(title), "{title}");
        }
        for title in [
            "Client Update Instructions",
            "Agents",
            "AI",
            "Release notes",
            "Rules",
            "Email guidelines",
            "Notes on AI",
        ] {
            assert!(!is_title(title), "{title}");
        }
    }
}
