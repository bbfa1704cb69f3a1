//! The listeners: connections of HTTP/1.1, with clients cut off that send or read too slowly. What is no request gets a bare
//! status line of actix, before any route.

mod busy;
mod portions;
mod stream;

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use actix_http::HttpService;
use actix_http::error::DispatchError;
use actix_service::{ServiceFactory, apply_fn_factory, map_config};
use actix_web::dev::{AppConfig, Extensions, Server, Service};
use actix_web::middleware::{Compress, from_fn};
use actix_web::{App, web};
use anyhow::Context;
use tokio::net::{TcpSocket, TcpStream};
use tracing_actix_web::TracingLogger;

use crate::middleware;
use crate::telemetry::RequestSpan;
use busy::Busy;
use stream::{ClientStream, ReadRate};

const BACKLOG: u32 = 1024;
/// Bytes that the system keeps for a client which has not taken them (Linux takes twice as much). By itself it would keep
/// megabytes for each, and how slowly they are taken would not be seen.
const SEND_BUFFER: u32 = 128 << 10;
/// A client sends the head of its first request within this time.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a connection that ends is listened to: a client that still sends while it is closed would lose the answer (RFC 9112
/// section 9.6).
const LINGER: Duration = Duration::from_secs(1);

/// Takes an address, so that it is known before anything is built on it; port 0 takes any that is free.
/// Errors: The address is in use, or not this machine's.
pub(crate) fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    // Connections have what their listener has.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    let bound = socket.bind(address).and_then(|()| socket.listen(BACKLOG)?.into_std());
    bound.with_context(|| format!("{address} cannot be listened on"))
}

/// Serves on `listener` what `mount` mounts, to clients that take `min_read_rate` bytes a second of it. Told to stop, it gives
/// running answers at most `drain_timeout`.
pub(crate) fn serve(
    listener: TcpListener,
    drain_timeout: Duration,
    min_read_rate: usize,
    mount: impl Fn(&mut web::ServiceConfig) + Clone + Send + 'static,
) -> anyhow::Result<Server> {
    let server = Server::build().disable_signals().shutdown_timeout(drain_timeout.as_secs());
    let stopping = server.graceful_shutdown_signal();
    let server = server.listen("http", listener, move || {
        let stopping = stopping.clone();
        let stopping = move || {
            let stopping = stopping.clone();
            async move { stopping.notified().await }
        };
        connections(mount.clone(), min_read_rate, stopping)
    })?;
    Ok(server.run())
}

/// What serves one connection. `stopping`: when the server ends, connections that wait for a request do.
fn connections<N: Future<Output = ()> + 'static>(
    mount: impl Fn(&mut web::ServiceConfig) + 'static,
    min_read_rate: usize,
    stopping: impl Fn() -> N + 'static,
) -> impl ServiceFactory<TcpStream, Config = (), Response = (), Error = DispatchError, InitError = ()> {
    // What is mounted may have its own answer to whatever has no route, so it comes last.
    let app = App::new()
        .default_service(web::to(middleware::nothing_here))
        .configure(mount)
        .wrap(from_fn(portions::hand_out))
        .wrap(Compress::default())
        .wrap(TracingLogger::<RequestSpan>::new())
        .wrap(from_fn(middleware::wrap));
    let http = HttpService::build()
        .graceful_shutdown_signal(stopping)
        .client_request_timeout(HEAD_TIMEOUT)
        .client_disconnect_timeout(LINGER)
        // A client that hangs up while it waits is noticed, and its run stops.
        .h1_allow_half_closed(false)
        .on_connect_ext(|stream: &ClientStream, data: &mut Extensions| drop(data.insert(stream.busy.clone())))
        .h1(map_config(app, |()| AppConfig::default()));
    apply_fn_factory(http, move |stream: TcpStream, http| {
        let (peer, busy) = (stream.peer_addr().ok(), Busy::new());
        let talk = http.call((ClientStream::new(stream, busy.clone(), ReadRate::new(min_read_rate)), peer));
        async move {
            let ended = tokio::select! {
                ended = talk => ended,
                () = busy.is_no_more() => Err(DispatchError::SlowRequestTimeout),
            };
            if let Err(error) = ended {
                tell(&error);
            }
            Ok(())
        }
    })
}

/// Clients that say nothing sensible or go away are their own affair; the rest is ours.
fn tell(error: &DispatchError) {
    match error {
        DispatchError::Io(_)
        | DispatchError::Parse(_)
        | DispatchError::SlowRequestTimeout
        | DispatchError::DisconnectTimeout
        | DispatchError::HandlerDroppedPayload => tracing::debug!(%error, "a connection broke off"),
        _ => tracing::error!(%error, "a connection broke off by a fault of ours"),
    }
}
