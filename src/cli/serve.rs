//! `wayfile serve`

use nix::sys::signal::Signal;
use tokio::signal::unix::{SignalKind, signal};

use super::Failure;
use crate::app::Application;
use crate::config::Config;
use crate::{runtime, telemetry};

/// Serves until SIGTERM or Ctrl-C, and then drains. On SIGHUP it takes up what `read` gives.
pub(crate) fn run(
    config: Config,
    read: impl Fn() -> anyhow::Result<Config> + 'static,
) -> Result<(), Failure> {
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    let recorder = telemetry::metrics()?;
    runtime::serve(async {
        let told = signal(SignalKind::hangup())?;
        // A file that may not grow any more is to the store as a disk that fails; the signal would end the process.
        let _limit = signal(SignalKind::from_raw(Signal::SIGXFSZ as i32))?;
        let application = Application::build(config.clone(), recorder).await?;
        let reloading = actix::spawn(application.reloader(config).run(told, read));
        let served = application.run(told_to_stop()?).await;
        reloading.abort();
        Ok(served?)
    })?
}

/// Waits for SIGTERM or Ctrl-C.
pub(super) fn told_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
