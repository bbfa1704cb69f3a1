//! How connections are opened: names by our resolver, TLS by one configuration, and a [`Wire`] over all.

use std::error::Error;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use hyper_rustls::{HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower_service::Service;

use super::gate::Gate;
use super::resolve::PublicResolver;
use super::wire::Wire;

/// A machine at the other end that is gone without a word is noticed: it is asked after this time, as often, and given up.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const KEEP_ALIVE_TRIES: u32 = 3;
/// What was sent and not received ends the connection after this time.
const UNHEARD: Duration = Duration::from_secs(30);

type BoxError = Box<dyn Error + Send + Sync>;
type Stream = TokioIo<MaybeHttpsStream<TokioIo<TcpStream>>>;

/// Opens connections to one domain.
#[derive(Clone)]
pub(super) struct Connector {
    https: HttpsConnector<HttpConnector<PublicResolver>>,
    gate: Arc<Gate>,
    /// Time for all of it, TLS included.
    timeout: Duration,
}

impl Connector {
    pub(super) fn new(
        resolver: PublicResolver,
        tls: Arc<ClientConfig>,
        gate: Arc<Gate>,
        timeout: Duration,
    ) -> Self {
        let mut http = HttpConnector::new_with_resolver(resolver);
        http.enforce_http(false);
        http.set_nodelay(true);
        http.set_keepalive(Some(KEEP_ALIVE));
        http.set_keepalive_interval(Some(KEEP_ALIVE));
        http.set_keepalive_retries(Some(KEEP_ALIVE_TRIES));
        http.set_tcp_user_timeout(Some(UNHEARD));
        // It goes on to the next address of a name before the time for all of them is over.
        http.set_connect_timeout(Some(timeout));
        Self { https: HttpsConnector::from((http, tls)), gate, timeout }
    }
}

impl Service<Uri> for Connector {
    type Response = TokioIo<Wire<Stream>>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.https.poll_ready(cx)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let (connecting, gate) = (timeout(self.timeout, self.https.call(uri)), self.gate.clone());
        Box::pin(async move {
            let stream = connecting.await.map_err(io::Error::from)??;
            Ok(TokioIo::new(Wire::new(TokioIo::new(stream), gate)))
        })
    }
}
