//! Addresses that are listened on, and the servers there.

use std::net::{SocketAddr, TcpListener};

use actix_web::dev::Server;
use actix_web::middleware::{Compress, from_fn};
use actix_web::{App, HttpServer, web};
use anyhow::Context;
use tokio::net::TcpSocket;
use tracing_actix_web::TracingLogger;

use crate::app::LAST_MOMENT;
use crate::routes::frame;
use crate::telemetry::RequestSpan;

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// Takes an address, so that it is known before anything is built on it; port 0 takes any that is free.
///
/// # Errors
/// Somebody else has it, or the machine does not.
pub(crate) fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    let bound = socket.bind(address).and_then(|()| socket.listen(BACKLOG)?.into_std());
    bound.with_context(|| format!("{address} cannot be listened on"))
}

/// Serves on `listener` what `mount` mounts.
///
/// # Errors
/// The listener cannot be used.
pub(crate) fn serve<F>(listener: TcpListener, mount: F) -> anyhow::Result<Server>
where
    F: Fn(&mut web::ServiceConfig) + Clone + Send + 'static,
{
    let server = HttpServer::new(move || {
        App::new()
            .default_service(web::to(frame::nothing_here))
            .configure(mount.clone())
            .wrap(Compress::default())
            .wrap(TracingLogger::<RequestSpan>::new())
            .wrap(from_fn(frame::frame))
    });
    let server = server
        .disable_signals()
        .shutdown_timeout(LAST_MOMENT.as_secs())
        // A client that hangs up while it waits is noticed, and its run stops.
        .h1_allow_half_closed(false)
        .listen(listener)?;
    Ok(server.run())
}
