//! What one crawl may cost and has cost.

use parking_lot::Mutex;

use super::error::{ModelResult, NoAnswer};

const CHARS_PER_TOKEN: usize = 4;

#[derive(Debug)]
pub(crate) struct Budget {
    max_calls: usize,
    max_tokens: usize,
    spent: Mutex<Cost>,
}

/// Calls, and the tokens of prompts and answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) calls: usize,
    pub(crate) tokens: usize,
}

impl Budget {
    pub(crate) fn new(max_calls: usize, max_tokens: usize) -> Self {
        Self { max_calls, max_tokens, spent: Mutex::default() }
    }

    pub(crate) fn spent(&self) -> Cost {
        *self.spent.lock()
    }

    /// Pays for one call in advance, by a guess and for the longest answer; the tokens that were paid.
    pub(super) fn charge(&self, prompt_chars: usize, answer_tokens: usize) -> ModelResult<usize> {
        let tokens = tokens(prompt_chars) + answer_tokens;
        let mut spent = self.spent.lock();
        if spent.calls >= self.max_calls || spent.tokens.saturating_add(tokens) > self.max_tokens {
            return Err(NoAnswer::Budget);
        }
        spent.calls += 1;
        spent.tokens += tokens;
        Ok(tokens)
    }

    /// Puts what a call `took` in the place of what was `charged`: the endpoint's word, of which no more is believed than
    /// there was to spend.
    pub(super) fn settle(&self, charged: usize, took: usize) {
        let mut spent = self.spent.lock();
        spent.tokens = spent.tokens.saturating_sub(charged).saturating_add(took.min(self.max_tokens));
    }
}

/// The tokens that so many characters make, about.
pub(super) fn tokens(chars: usize) -> usize {
    chars.div_ceil(CHARS_PER_TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_calls_nor_tokens_go_over() {
        let budget = Budget::new(2, 100);
        let charged = budget.charge(200, 20).unwrap();
        budget.settle(charged, 90);
        assert_eq!(budget.charge(80, 0), Err(NoAnswer::Budget));
        assert_eq!(budget.charge(20, 6), Err(NoAnswer::Budget));
        assert_eq!(budget.charge(20, 5), Ok(10));
        assert_eq!(budget.charge(0, 0), Err(NoAnswer::Budget));
        assert_eq!(budget.spent(), Cost { calls: 2, tokens: 100 });
    }

    #[test]
    fn no_count_of_an_endpoint_opens_the_budget_again() {
        let budget = Budget::new(9, 100);
        for took in [50, usize::MAX] {
            let charged = budget.charge(40, 0).unwrap();
            budget.settle(charged, took);
        }
        assert_eq!(budget.charge(4, 0), Err(NoAnswer::Budget));
        assert_eq!(budget.spent().tokens, 150);
    }
}
