//! Who runs when: the actors that crawl a site by the rules of `wayfile-core`.
//!
//! [`Engine`] is the handle that callers hold. One [`Job`] is one crawl: a Supervisor asks the Fetchers of
//! the site's domains for pages, the Parser for their content, the Summarizer, where a model is configured, for what the pages
//! are about, and the Assembler for both files.

mod assembler;
mod cache;
mod context;
pub mod coordination;
mod cpu_pool;
mod crawl_report;
mod engine;
mod error;
mod fetcher;
pub mod http;
mod job;
mod key_guard;
pub mod ledger;
mod messages;
pub mod metrics;
mod panics;
mod parser;
mod permits;
mod progress;
mod registry;
pub mod renderer;
pub mod settings;
pub mod summarizer;
mod supervisor;
mod validator;
mod visit;

pub use context::SiteAccess;
pub use engine::{Engine, Joined, StartError};
pub use error::{CrawlError, SiteFault};
pub use job::{CrawlStats, Freshness, Generated, HeldSlot, Job, OutputOptions};
pub use key_guard::{Admission, CrawlSlot, KeyGuards, PlanLimit, Refusal, Reservation};
pub use progress::{Event, Events, InBrowser, PageOutcome, Progress, Settled};
pub use validator::{LinkChecks, ValidateError, Validator};
