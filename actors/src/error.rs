//! What can go wrong with a request, and what with a crawl.

use std::time::Duration;

use wayfile_core::page::ErrorPage;
use wayfile_core::site::frontier::NOT_FOUND;
use wayfile_core::work::Halt;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("robots.txt does not allow it")]
    Disallowed,
    /// robots.txt could not be read, so nothing may be fetched (RFC 9309 section 2.3.1.4).
    #[error("its robots.txt could not be read (the site answered {0}), so nothing may be fetched")]
    RobotsUnavailable(u16),
    /// The name does not resolve, or only to an address that is not public: a stranger must not learn which.
    #[error("the name does not resolve")]
    Dns,
    #[error("the address is not public")]
    NotPublic,
    #[error("the connection failed: {0}")]
    Connect(String),
    #[error("the connection was refused")]
    Refused,
    #[error("the TLS handshake failed: {0}")]
    Tls(&'static str),
    #[error("no answer within {}", humantime(.0))]
    TimedOut(Duration),
    #[error("the exchange broke off: {0}")]
    Broken(String),
    /// An answer that is no page: the status.
    #[error("the site answered {0}")]
    Status(u16),
    #[error("it is larger than {0} bytes")]
    TooLarge(usize),
    #[error("it is too complex to be read")]
    TooComplex,
    #[error("it shows a wall for bots in the place of its pages")]
    BotChallenge,
    /// A page that says that there is no such page, whatever its status.
    #[error("it says itself that there is no such page")]
    Soft404,
    #[error("the site stopped answering")]
    Unresponsive,
    #[error("it is no page but {0}")]
    NotAPage(String),
    #[error("it redirects too often")]
    TooManyRedirects,
    #[error("it redirects to an address that cannot be fetched")]
    BadRedirect,
    #[error("the crawl was stopped")]
    Cancelled,
    #[error("an internal fault")]
    Internal,
}

impl FetchError {
    /// Worth another try: the same request may go well in a moment.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Refused | Self::Connect(_) | Self::TimedOut(_) | Self::Broken(_) => true,
            Self::Status(status) => matches!(status, 408 | 429 | 500 | 502 | 503 | 504),
            _ => false,
        }
    }

    /// No answer, or none to its end: what the failure detector counts.
    pub(crate) fn is_no_answer(&self) -> bool {
        matches!(
            self,
            Self::Dns | Self::Refused | Self::Connect(_) | Self::Tls(_) | Self::TimedOut(_) | Self::Broken(_)
        )
    }

    /// A failure of the home page that leaves hope for others, which a sitemap may name.
    pub(crate) fn says_nothing_of_the_site(&self) -> bool {
        matches!(
            self,
            Self::Disallowed
                | Self::Status(404 | 410)
                | Self::Soft404
                | Self::NotAPage(_)
                | Self::TooLarge(_)
                | Self::TooComplex
                | Self::TimedOut(_)
                | Self::TooManyRedirects
                | Self::Internal
        )
    }

    /// A short name for counting, part of the closed metric catalogue and of the note.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Disallowed => "disallowed by robots.txt",
            Self::RobotsUnavailable(_) => "robots.txt unavailable",
            Self::Dns => "name does not resolve",
            Self::NotPublic => "address not public",
            Self::Refused | Self::Connect(_) => "no connection",
            Self::Tls(_) => "TLS failed",
            Self::TimedOut(_) => "timed out",
            Self::Broken(_) => "broke off",
            Self::Status(404 | 410) | Self::Soft404 => NOT_FOUND,
            Self::BotChallenge => "bot wall",
            Self::Unresponsive => "site gone",
            Self::Status(401 | 403) => "access denied",
            Self::Status(429) => "too many requests",
            Self::Status(500..) => "server error",
            Self::Status(_) => "other status",
            Self::TooLarge(_) => "too large",
            Self::TooComplex => "too complex",
            Self::NotAPage(_) => "not a page",
            Self::TooManyRedirects | Self::BadRedirect => "redirect to nowhere",
            Self::Cancelled => "not reached in time",
            Self::Internal => "internal fault",
        }
    }
}

impl From<ErrorPage> for FetchError {
    fn from(error_page: ErrorPage) -> Self {
        match error_page {
            ErrorPage::BotChallenge => Self::BotChallenge,
            ErrorPage::Soft404 => Self::Soft404,
        }
    }
}

impl From<Halt> for FetchError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::TooComplex => Self::TooComplex,
            Halt::Cancelled => Self::Cancelled,
        }
    }
}

fn humantime(duration: &Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

pub(crate) type FetchResult<T> = Result<T, FetchError>;

/// Why a crawl gave no files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "what each one says is its meaning")]
pub enum CrawlError {
    #[error("{0}: the address is not public, so it cannot be fetched")]
    NotPublic(String),
    /// The site does not want us: robots.txt, 401 or 403, a bot wall.
    #[error("{} refuses access: {}", .0.site, .0.why)]
    Refused(SiteFault),
    #[error("{} cannot be reached: {}", .0.site, .0.why)]
    Unreachable(SiteFault),
    /// The site is there, but what it sends at its first page is no use.
    #[error("{}: {}", .0.site, .0.why)]
    Failed(SiteFault),
    /// Pages came, but none that says anything.
    #[error("{} has no page to write about: {}", .0.site, .0.why)]
    NothingThere(SiteFault),
    #[error("the time was up before the files of {0} were written")]
    OutOfTime(String),
    #[error("the service is shutting down")]
    Closing,
    #[error("too many crawls are running; try again in a moment")]
    Busy,
    #[error("the crawl was stopped")]
    Cancelled,
    #[error("an internal fault stopped the crawl")]
    Internal,
}

/// What is wrong with a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFault {
    /// The site that was asked for.
    pub site: String,
    /// What it said, or what stood in the way.
    pub why: String,
}

impl CrawlError {
    /// What a crawl of `site` that failed at its first page says.
    pub(crate) fn at_home(site: &str, error: &FetchError) -> Self {
        let fault = SiteFault { site: site.to_owned(), why: error.to_string() };
        match error {
            FetchError::NotPublic => Self::NotPublic(fault.site),
            FetchError::Disallowed | FetchError::Status(401 | 403 | 429) | FetchError::BotChallenge => {
                Self::Refused(fault)
            }
            FetchError::NotAPage(_) => Self::NothingThere(fault),
            FetchError::Cancelled => Self::Cancelled,
            FetchError::Internal => Self::Internal,
            FetchError::Unresponsive => Self::Unreachable(fault),
            error if error.is_no_answer() => Self::Unreachable(fault),
            _ => Self::Failed(fault),
        }
    }
}
