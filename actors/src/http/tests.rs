//! A line to a server that speaks HTTP/2 over TLS.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use h2::Reason;
use h2::server::SendResponse;
use http::Response;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use wayfile_core::url::SiteUrl;

use super::{Answer, HttpClient, Reply, SystemLookup, Want};
use crate::error::FetchError;
use crate::settings::CrawlSettings;

#[derive(Deserialize)]
struct Defaults {
    crawl: CrawlSettings,
}

/// What a test says to a request, which is told how many came before it.
type Speak = fn(usize, &mut SendResponse<Bytes>);

struct Server {
    url: SiteUrl,
    requests: Arc<AtomicUsize>,
    certificate: CertificateDer<'static>,
}

impl Server {
    async fn start(speak: Speak) -> Self {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
        let certificate = CertificateDer::from(made.cert);
        let config = ServerConfig::builder().with_no_client_auth();
        let mut config = config.with_single_cert(vec![certificate.clone()], key).unwrap();
        config.alpn_protocols = vec![b"h2".to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = SiteUrl::parse(&format!("https://{}/", listener.local_addr().unwrap())).unwrap();
        let requests = Arc::<AtomicUsize>::default();
        let counted = requests.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, counted) = (acceptor.clone(), counted.clone());
                tokio::spawn(async move {
                    let stream = acceptor.accept(stream).await.unwrap();
                    let mut connection = h2::server::handshake(stream).await.unwrap();
                    while let Some(Ok((_, mut respond))) = connection.accept().await {
                        speak(counted.fetch_add(1, Ordering::SeqCst), &mut respond);
                    }
                });
            }
        });
        Self { url, requests, certificate }
    }

    async fn page(&self) -> Result<Reply, FetchError> {
        let Defaults { crawl: mut settings } =
            toml::from_str(include_str!("../../../config/default.toml")).unwrap();
        settings.allow_networks = vec!["127.0.0.0/8".parse().unwrap()];
        let mut client = HttpClient::new(&settings, Arc::new(SystemLookup)).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).unwrap();
        let mut tls = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        tls.alpn_protocols.clone_from(&client.tls.alpn_protocols);
        client.tls = Arc::new(tls);
        client.line().get(&self.url, Want::Page, None).await
    }
}

fn answer(respond: &mut SendResponse<Bytes>) {
    let head = Response::builder().header("content-type", "text/html").body(()).unwrap();
    respond.send_response(head, false).unwrap().send_data("<p>Tides".into(), true).unwrap();
}

fn hint(respond: &mut SendResponse<Bytes>, times: usize) {
    for _ in 0..times {
        let hint = Response::builder().status(103).header("link", "</a.css>; rel=preload").body(()).unwrap();
        respond.send_informational(hint).unwrap();
    }
}

fn is_page(reply: Result<Reply, FetchError>) -> bool {
    matches!(reply.unwrap().answer, Answer::Page(_))
}

#[tokio::test]
async fn what_was_not_looked_at_is_asked_again() {
    let server = Server::start(|before, respond| match before {
        0 | 1 => respond.send_reset(Reason::REFUSED_STREAM),
        _ => answer(respond),
    })
    .await;
    assert!(is_page(server.page().await));
    assert_eq!(server.requests.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_site_that_looks_at_nothing_is_not_asked_for_ever() {
    let server = Server::start(|_, respond| respond.send_reset(Reason::REFUSED_STREAM)).await;
    let error = server.page().await.unwrap_err();
    assert!(matches!(error, FetchError::Broken(_)), "{error:?}");
    assert_eq!(server.requests.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn what_was_broken_off_is_left_to_others() {
    let server = Server::start(|_, respond| respond.send_reset(Reason::INTERNAL_ERROR)).await;
    let error = server.page().await.unwrap_err();
    assert!(matches!(error, FetchError::Broken(_)), "{error:?}");
    assert_eq!(server.requests.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn interim_answers_are_passed_over_and_a_flood_of_them_is_cut_off() {
    let server = Server::start(|_, respond| {
        hint(respond, 3);
        answer(respond);
    })
    .await;
    assert!(is_page(server.page().await));
    let server = Server::start(|_, respond| {
        hint(respond, 100);
        answer(respond);
    })
    .await;
    let error = server.page().await.unwrap_err();
    assert!(error.to_string().contains("interim answers"), "{error:?}");
}

#[tokio::test]
async fn a_connection_that_is_cut_says_nothing_against_its_tls() {
    // The server's task ends at once, and its connection with it, without a word of TLS.
    let server = Server::start(|_, _| std::panic::resume_unwind(Box::new("cut"))).await;
    let error = server.page().await.unwrap_err();
    assert!(matches!(error, FetchError::Broken(_)), "{error:?}");
}
