//! What the tests stand on: a site of their own, and a place to run an engine.

#[allow(dead_code, reason = "shared with the tests of the service, which look at other sides of it")]
pub(crate) mod fake_site;
pub(crate) mod fault_server;
pub(crate) mod markdown_site;
pub(crate) mod model_server;
pub(crate) mod tls_server;

use std::future::Future;
use std::sync::Arc;

use wayfile_actors::http::SystemLookup;
use wayfile_actors::settings::{CrawlSettings, LlmSettings, ValidateSettings};
use wayfile_actors::summarizer::Prompts;
use wayfile_actors::{CrawlError, Engine, Generated, Job, OutputOptions};
use wayfile_core::llms_txt::FileType;
use wayfile_core::url::Seed;

/// The sections of the compiled-in defaults that an engine takes.
#[derive(serde::Deserialize)]
struct Defaults {
    crawl: CrawlSettings,
    validate: ValidateSettings,
    llm: LlmSettings,
}

fn defaults() -> Defaults {
    toml::from_str(include_str!("../../config/default.toml")).unwrap()
}

/// The compiled-in defaults, opened for loopback and without a gap.
pub(crate) fn settings() -> CrawlSettings {
    let mut settings = defaults().crawl;
    settings.allow_networks = vec!["127.0.0.0/8".parse().unwrap()];
    settings.per_domain_delay = std::time::Duration::ZERO;
    settings
}

/// The compiled-in defaults of validations.
pub(crate) fn validate_settings() -> ValidateSettings {
    defaults().validate
}

/// The compiled-in defaults for the model at `base_url`.
pub(crate) fn model(base_url: &str) -> LlmSettings {
    let base_url = Some(base_url.to_owned());
    LlmSettings { base_url, model: Some("stub".to_owned()), ..defaults().llm }
}

/// An engine with `settings` and a model.
pub(crate) fn engine_with_model(settings: CrawlSettings, model: LlmSettings) -> Engine {
    let prompts = Prompts::parse(include_str!("../../config/prompts.toml")).unwrap();
    engine(settings).with_model(model, prompts).unwrap()
}

/// Runs a test inside an actor system whose tasks have worker threads.
pub(crate) fn run<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    actix::System::with_tokio_rt(|| runtime).block_on(test)
}

/// An engine with `settings`.
pub(crate) fn engine(settings: CrawlSettings) -> Engine {
    Engine::start(settings, Arc::new(SystemLookup)).unwrap()
}

/// A job for both files of `url`.
pub(crate) fn job(url: &str) -> Job {
    let output =
        OutputOptions { file_type: FileType::Both, instructions: None, index_pages: 300, full_pages: 100 };
    Job::new(Seed::parse(url).unwrap(), output)
}

/// Generates from `url` with an engine of its own.
pub(crate) async fn generate(settings: CrawlSettings, url: &str) -> Result<Generated, CrawlError> {
    engine(settings).generate(job(url)).await
}

/// The addresses that an `llms.txt` links to.
pub(crate) fn links(generated: &Generated) -> Vec<String> {
    let text = generated.llms_txt.as_deref().unwrap();
    let targets = text.lines().filter(|line| line.starts_with("- [")).filter_map(|line| {
        let target = line.split_once("](")?.1;
        Some(target.split_once(')')?.0.to_owned())
    });
    targets.collect()
}
