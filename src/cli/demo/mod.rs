//! `wayfile demo`: a sample site and the service on loopback, and the whole job done over HTTP. No network is needed.

use std::io::Write;
use std::path::Path;

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusHandle;
use rust_embed::RustEmbed;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use wayfile_core::plan::Plan;

use crate::app::Application;
use crate::auth::{ApiKey, Email, Hasher, Secret};
use crate::cli::{Failure, output};
use crate::config::Config;
use crate::paths::api::GENERATE;
use crate::paths::pages::LOG_IN;
use crate::store::{DatabaseUrl, Store};
use crate::{runtime, telemetry};

/// Lines of a file that are shown; the rest is counted.
const SHOWN_LINES: usize = 60;
const EMAIL: &str = "demo@example.org";
/// Hexadecimal digits of its password: more than can be guessed.
const PASSWORD_CHARS: usize = 20;

#[derive(RustEmbed)]
#[folder = "src/cli/demo/site"]
struct SampleSite;

pub(crate) fn run(config: Config, keep: bool) -> Result<(), Failure> {
    let recorder = telemetry::metrics()?;
    runtime::serve(show(config, recorder, keep))?
}

async fn show(mut config: Config, recorder: PrometheusHandle, keep: bool) -> Result<(), Failure> {
    let server = HttpServer::new(|| App::new().default_service(web::to(serve))).workers(1);
    let server = server.disable_signals().bind(("127.0.0.1", 0))?;
    let site = server.addrs().first().copied().ok_or_else(|| anyhow::anyhow!("no address was bound"))?;
    actix::spawn(server.run());

    let folder = tempfile::tempdir()?;
    config.database.url =
        DatabaseUrl::parse(&format!("sqlite://{}", folder.path().join("demo.db").display()))?;
    config.server.listen = ([127, 0, 0, 1], 0).into();
    config.metrics.listen = None;
    config.crawl.allow_networks.push(std::net::IpAddr::from([127, 0, 0, 1]).into());
    let (key, password) = account(&config).await?;
    let application = Application::build(config, recorder).await?;
    let (api, stop) = (format!("http://{}", application.address), CancellationToken::new());
    let serving = actix::spawn(application.run(stop.clone().cancelled_owned()));

    let ask = json!({"url": format!("http://{site}/")}).to_string();
    say!("A sample site is served at http://{site}/, the service at {api}. This is what it is asked:\n");
    say!("curl {api}{} -H 'x-api-key: {}' \\", GENERATE, key.expose());
    say!("  -H 'content-type: application/json' -d '{ask}'\n");
    let answer = generate(&api, &key, ask).await?;
    for (name, field) in [("llms.txt", "llmsTxt"), ("llms-full.txt", "llmsFullTxt")] {
        print(name, answer[field].as_str().unwrap_or_default())?;
    }
    if let Some(note) = answer["note"].as_str() {
        say!("note: {note}");
    }
    if keep {
        say!("Log in to the dashboard at {api}{LOG_IN} as {EMAIL} with the password {password}");
        say!(
            "Site and service stay until you press Ctrl-C: {api}/docs, account {EMAIL}, key {}",
            key.expose()
        );
        tokio::signal::ctrl_c().await?;
    }
    stop.cancel();
    serving.await??;
    Ok(())
}

/// A key of an account that may do everything, and the account's password.
async fn account(config: &Config) -> Result<(ApiKey, String), Failure> {
    let (store, now) = (Store::open(&config.database).await?, Timestamp::now());
    let email: Email = EMAIL.parse()?;
    let account = store.create_account(&email, Plan::Business, Some(now), now).await?;
    let key = store.create_key(account, "demo", config.plans.business.keys, now).await?;
    let password: String = Secret::generate()?.expose().chars().take(PASSWORD_CHARS).collect();
    let hash = Hasher::start()?.hash(password.clone().into()).await?;
    store.set_password(&email, &hash).await?;
    store.close().await;
    Ok((key, password))
}

async fn generate(api: &str, key: &ApiKey, body: String) -> Result<Value, Failure> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let request = client.post(format!("{api}{GENERATE}")).header("x-api-key", key.expose());
    let answer = request.header("content-type", "application/json").body(body).send().await?;
    let (status, body) = (answer.status(), answer.text().await?);
    if !status.is_success() {
        return Err(Failure { message: format!("the service answered {status}: {body}"), code: 1 });
    }
    Ok(serde_json::from_str(&body)?)
}

fn print(name: &str, text: &str) -> Result<(), Failure> {
    output::print(|out| {
        writeln!(out, "──── {name} ────")?;
        text.lines().take(SHOWN_LINES).try_for_each(|line| writeln!(out, "{line}"))?;
        if let Some(more) = text.lines().count().checked_sub(SHOWN_LINES).filter(|more| *more > 0) {
            writeln!(out, "[… {more} more lines]")?;
        }
        writeln!(out)
    })
}

/// The embedded file, a folder's index, or an honest 404.
async fn serve(request: HttpRequest) -> HttpResponse {
    let path = request.path().trim_start_matches('/');
    let file =
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    let Some(found) = SampleSite::get(&file) else {
        return HttpResponse::NotFound()
            .content_type("text/plain; charset=utf-8")
            .body("There is no such page.");
    };
    let is_page = Path::new(&file).extension().is_some_and(|e| e == "html");
    let kind = if is_page { "text/html; charset=utf-8" } else { "text/plain; charset=utf-8" };
    HttpResponse::Ok().content_type(kind).body(found.data.into_owned())
}
