//! The client and a server over TLS that says what a test wants.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::{Certificate, Client};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::server::TlsStream;
use wayfile_core::url::SiteUrl;

use super::client::LARGE_SITEMAPS;
use super::{Answer, HttpClient, Reply, SystemLookup, Want};
use crate::error::{FetchError, FetchResult};
use crate::settings::{ByteSize, CrawlSettings, defaults};

const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 8\r\n\r\n<p>Tides";

struct Server {
    url: SiteUrl,
    /// Connections that were opened.
    connections: Arc<AtomicUsize>,
    certificate: Certificate,
}

impl Server {
    /// Says `answer` to every request; one that is empty cuts the connection without a word of TLS.
    async fn start(answer: &'static [u8]) -> Self {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
        let certificate = Certificate::from_der(made.cert.der()).unwrap();
        let config = ServerConfig::builder().with_no_client_auth();
        let mut config = config.with_single_cert(vec![made.cert.into()], key).unwrap();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = SiteUrl::parse(&format!("https://{}/", listener.local_addr().unwrap())).unwrap();
        let connections = Arc::<AtomicUsize>::default();
        let counted = connections.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(speak(acceptor.accept(stream).await.unwrap(), answer));
            }
        });
        Self { url, connections, certificate }
    }

    fn client(&self) -> HttpClient {
        self.client_with(defaults())
    }

    fn client_with(&self, settings: CrawlSettings) -> HttpClient {
        let allow_networks = vec!["127.0.0.0/8".parse().unwrap()];
        let settings = CrawlSettings { allow_networks, ..settings };
        let certificate = self.certificate.clone();
        let trusts = move || Client::builder().tls_certs_only([certificate.clone()]);
        HttpClient::with_builder(&settings, Arc::new(SystemLookup), trusts).unwrap()
    }

    async fn get(&self, client: &HttpClient) -> FetchResult<Reply> {
        client.get(&self.url, Want::Page, None, || {}).await
    }
}

async fn speak(mut stream: TlsStream<TcpStream>, answer: &[u8]) {
    let mut request = [0; 4096];
    while let Ok(1..) = stream.read(&mut request).await {
        if answer.is_empty() {
            return;
        }
        assert!(request.starts_with(b"GET / HTTP/1.1\r\n"));
        stream.write_all(answer).await.unwrap();
        stream.flush().await.unwrap();
    }
}

#[tokio::test]
async fn speaks_http_1_1_and_uses_a_connection_again() {
    let server = Server::start(PAGE).await;
    let client = server.client();
    for _ in 0..3 {
        assert!(matches!(server.get(&client).await.unwrap().answer, Answer::Page(_)));
        // The connection's task has to see the end of the answer before it can be used again.
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn tells_when_a_request_was_sent_before_its_answer_comes() {
    let server = Server::start(PAGE).await;
    let client = server.client();
    for _ in 0..2 {
        let mut sent = None;
        client.get(&server.url, Want::Page, None, || sent = Some(Instant::now())).await.unwrap();
        assert!(sent.unwrap() < Instant::now());
    }
}

#[tokio::test]
async fn a_connection_that_is_cut_says_nothing_against_its_tls() {
    let server = Server::start(b"").await;
    let error = server.get(&server.client()).await.unwrap_err();
    assert!(matches!(error, FetchError::Broken(_)), "{error:?}");
}

#[tokio::test]
async fn few_sitemaps_that_are_larger_than_a_page_are_in_memory_at_once() {
    const LARGE: usize = 5_000;
    const CUT: usize = 1_000;
    let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {LARGE}\r\n\r\n{}", "x".repeat(LARGE));
    let server = Server::start(answer.leak().as_bytes()).await;
    let page_timeout = Duration::from_secs(4);
    let settings = CrawlSettings { page_max_bytes: ByteSize(CUT), page_timeout, ..defaults() };
    let client = server.client_with(settings);
    let get = async || match client.get(&server.url, Want::Sitemap, None, || {}).await.unwrap().answer {
        Answer::Page(page) => page.body,
        other => panic!("{other:?}"),
    };
    let held = join_all((0..LARGE_SITEMAPS + 2).map(|_| get())).await;
    let sizes = |size| held.iter().filter(|body| body.len() == size).count();
    assert_eq!((sizes(LARGE), sizes(CUT)), (LARGE_SITEMAPS, 2));
    drop(held);
    assert_eq!(get().await.len(), LARGE);
}
