//! `wayfile serve`

use tokio::signal::unix::{SignalKind, signal};

use super::Failure;
use crate::app::Application;
use crate::config::Config;
use crate::{runtime, telemetry};

/// Serves until SIGTERM or Ctrl-C, and then drains.
///
/// # Errors
/// [`Failure`]: the address is taken, the store cannot be opened.
pub(crate) fn run(config: Config) -> Result<(), Failure> {
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    let recorder = telemetry::metrics()?;
    runtime::serve(async {
        let application = Application::build(config, recorder).await?;
        Ok(application.run(told_to_stop()?).await?)
    })?
}

fn told_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
