//! Names that lead inside.

use std::io::{Error, ErrorKind};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use wayfile_actors::http::{Looking, Lookup};
use wayfile_actors::{CrawlError, Engine};

use crate::support::fault_server::{FaultServer, say};
use crate::support::{job, run, settings};

/// Answers every look-up with the next of its lists, the last for ever.
struct Names {
    answers: Vec<Vec<IpAddr>>,
    asked: AtomicUsize,
}

impl Lookup for Names {
    fn lookup(&self, _: String) -> Looking {
        let turn = self.asked.fetch_add(1, Ordering::SeqCst).min(self.answers.len() - 1);
        let answer = self.answers[turn].clone();
        Box::pin(async move { Ok(answer) })
    }
}

fn ips(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|t| t.parse().unwrap()).collect()
}

#[test]
fn a_name_with_any_private_address_looks_like_one_that_does_not_resolve() {
    run(async {
        let server = FaultServer::start(|_, stream| Box::pin(say(stream, b"HTTP/1.1 200 OK\r\n\r\n"))).await;
        let unknown = error_of(vec![vec![]], 80).await;
        assert!(matches!(unknown, CrawlError::Unreachable(_)));
        for private in [
            &["127.0.0.1"][..],
            &["10.1.2.3"],
            &["93.184.215.14", "10.0.0.1"],
            &["93.184.215.14", "fd00::1"],
            &["::ffff:10.0.0.1"],
            &["64:ff9b::a9fe:a9fe"],
            &["0.0.0.0"],
        ] {
            assert_eq!(error_of(vec![ips(private)], 80).await, unknown, "{private:?}");
            assert_eq!(
                error_of(vec![ips(private)], 8080).await.to_string(),
                unknown.to_string().replace("site.example.com/", "site.example.com:8080/"),
                "{private:?}"
            );
        }
        // Rebinding: public when it is checked, private when it is dialled.
        let rebound = vec![ips(&["93.184.215.14"]), ips(&["127.0.0.1"])];
        let error = error_of(rebound, server.address.port()).await;
        assert!(!matches!(error, CrawlError::Internal), "{error:?}");
        assert_eq!(server.requests(), 0);
    });
}

/// A resolver that fails in this way, and says so.
struct Failing(ErrorKind, &'static str);

impl Lookup for Failing {
    fn lookup(&self, _: String) -> Looking {
        let error = Error::new(self.0, format!("failed to lookup address information: {}", self.1));
        Box::pin(async move { Err(error) })
    }
}

#[test]
fn a_resolver_that_gives_up_says_nothing_of_the_name() {
    run(async {
        for (kind, told, says) in [
            (ErrorKind::TimedOut, "deadline has elapsed", "no answer within"),
            (ErrorKind::Other, "Temporary failure in name resolution", "cannot be looked up at the moment"),
            (ErrorKind::Other, "Name or service not known", "does not resolve"),
        ] {
            for port in [80, 8080] {
                let error = error_by(Arc::new(Failing(kind, told)), port).await.to_string();
                assert!(error.contains(says), "{error}");
            }
        }
    });
}

async fn error_of(answers: Vec<Vec<IpAddr>>, port: u16) -> CrawlError {
    error_by(Arc::new(Names { answers, asked: AtomicUsize::new(0) }), port).await
}

async fn error_by(lookup: Arc<dyn Lookup>, port: u16) -> CrawlError {
    let mut settings = settings();
    settings.allow_networks.clear();
    settings.retries = 0;
    let engine = Engine::start(settings, lookup).unwrap();
    let port = if port == 80 { String::new() } else { format!(":{port}") };
    engine.generate(job(&format!("http://site.example.com{port}/"))).await.unwrap_err()
}
