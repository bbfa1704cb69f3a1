//! `wayfile demo`: a sample site on loopback and the whole job done on it. No network is needed.

use std::path::Path;

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use rust_embed::RustEmbed;
use tokio_util::sync::CancellationToken;
use wayfile_actors::{Events, FileType, Job};
use wayfile_core::site::url::Seed;

use crate::cli::Failure;
use crate::cli::args::Demo;
use crate::config::Config;
use crate::runtime;

/// Lines of a file that are shown; the rest is counted.
const SHOWN_LINES: usize = 60;
const INDEX_PAGES: usize = 50;
const FULL_PAGES: usize = 50;

#[derive(RustEmbed)]
#[folder = "src/demo/site"]
struct Site;

/// Serves the sample site, generates from it and prints both files.
///
/// # Errors
/// [`Failure`]: the site cannot be served, or the crawl failed.
pub(crate) fn run(config: Config, command: &Demo) -> Result<(), Failure> {
    runtime::run(show(config, command.keep))?
}

async fn show(mut config: Config, keep: bool) -> Result<(), Failure> {
    let server = HttpServer::new(|| App::new().default_service(web::to(serve))).workers(1);
    let server = server.disable_signals().bind(("127.0.0.1", 0))?;
    let address = server.addrs().first().copied().ok_or_else(|| anyhow::anyhow!("no address was bound"))?;
    let server = server.run();
    let handle: ServerHandle = server.handle();
    actix::spawn(server);
    config.crawl.allow_networks.push(std::net::IpAddr::from([127, 0, 0, 1]).into());
    let url = format!("http://{address}/");
    eprintln!("The sample site is served at {url}; this is what Wayfile makes of it.");
    let generated = generate(config, &url).await?;
    for (name, text) in [("llms.txt", generated.llms_txt), ("llms-full.txt", generated.llms_full_txt)] {
        print(name, text.as_deref().unwrap_or_default());
    }
    if let Some(note) = generated.note {
        eprintln!("note: {note}");
    }
    if keep {
        eprintln!("The sample site stays at {url} until you press Ctrl-C.");
        eprintln!("Try: wayfile generate {url} --allow-network 127.0.0.1/32 --out out");
        tokio::signal::ctrl_c().await?;
    }
    handle.stop(false).await;
    Ok(())
}

async fn generate(config: Config, url: &str) -> Result<wayfile_actors::Generated, Failure> {
    let engine = config.start_engine()?;
    let job = Job {
        seed: Seed::parse(url)?,
        file_type: FileType::Both,
        instructions: None,
        index_pages: INDEX_PAGES,
        full_pages: FULL_PAGES,
        cancel: CancellationToken::new(),
        events: Events::default(),
    };
    Ok(engine.generate(job).await?)
}

fn print(name: &str, text: &str) {
    println!("──── {name} ────");
    for line in text.lines().take(SHOWN_LINES) {
        println!("{line}");
    }
    if let Some(more) = text.lines().count().checked_sub(SHOWN_LINES).filter(|more| *more > 0) {
        println!("[… {more} more lines]");
    }
    println!();
}

/// The embedded file, a folder's index, or an honest 404.
async fn serve(request: HttpRequest) -> HttpResponse {
    let path = request.path().trim_start_matches('/');
    let file =
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    match Site::get(&file) {
        Some(found) => {
            let is_page = Path::new(&file).extension().is_some_and(|e| e == "html");
            let kind = if is_page { "text/html; charset=utf-8" } else { "text/plain; charset=utf-8" };
            HttpResponse::Ok().content_type(kind).body(found.data.into_owned())
        }
        None => {
            HttpResponse::NotFound().content_type("text/plain; charset=utf-8").body("There is no such page.")
        }
    }
}
