//! Why a model gave nothing that can be used.

use wayfile_core::llms_txt::describe::Unfit;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.kind())]
pub(crate) enum NoAnswer {
    Unreachable,
    TimedOut,
    /// 429.
    Busy,
    /// 401 or 403.
    Unauthorized,
    /// Any other status that is no success; redirects are among them, for they are never followed.
    Status(u16),
    TooLarge,
    /// Not what `chat/completions` answers with, or without a choice.
    Unreadable,
    /// The endpoint is left alone after failures.
    Resting,
    /// The crawl's budget is used up.
    Budget,
    OutOfTime,
    /// The answer does not hold against its page.
    Unfit(Unfit),
    Internal,
}

pub(super) type ModelResult<T> = Result<T, NoAnswer>;

impl NoAnswer {
    /// No model read the prompt, so no token was used.
    pub(crate) fn is_refusal(self) -> bool {
        matches!(self, Self::Unreachable | Self::Busy | Self::Unauthorized | Self::Status(_))
    }

    /// A short name for counting, part of the closed metric catalogue and of the note.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Unreachable => "not reached",
            Self::TimedOut => "timed out",
            Self::Busy => "refused as too many",
            Self::Unauthorized => "refused for the key",
            Self::Status(500..) => "server error",
            Self::Status(_) => "refused",
            Self::TooLarge => "too large",
            Self::Unreadable => "unreadable",
            Self::Resting => "not asked after failures",
            Self::Budget => "not asked for the budget",
            Self::OutOfTime => "not in time",
            Self::Unfit(unfit) => unfit.kind(),
            Self::Internal => "internal fault",
        }
    }

    pub(crate) fn is_transient(self) -> bool {
        matches!(self, Self::Unreachable | Self::Busy | Self::Status(408 | 500 | 502 | 503 | 504))
    }

    /// It says that the endpoint is in trouble, as opposed to one request.
    pub(crate) fn is_the_endpoints(self) -> bool {
        matches!(
            self,
            Self::Unreachable
                | Self::TimedOut
                | Self::Unauthorized
                | Self::Status(_)
                | Self::TooLarge
                | Self::Unreadable
        )
    }
}
