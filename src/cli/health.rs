//! `wayfile health`: asks the service that these settings belong to whether it can do its work.

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use anyhow::anyhow;

use super::{Failure, output};
use crate::config::Config;
use crate::{paths, runtime};

const TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) fn run(config: &Config) -> Result<(), Failure> {
    let url = format!("http://{}{}", reachable(config.server.listen), paths::api::READYZ);
    runtime::run(async {
        let client = reqwest::Client::builder().no_proxy().timeout(TIMEOUT).build()?;
        let answer = client.get(&url).send().await;
        let answer = answer.map_err(|error| {
            let why = anyhow::Error::from(error);
            anyhow!("{url} does not answer: {}", why.root_cause())
        })?;
        let status = answer.status();
        let said = answer.text().await?;
        output::print(|out| writeln!(out, "{said}"))?;
        if status.is_success() {
            Ok(())
        } else {
            Err(Failure { message: format!("{url} says {status}"), code: 1 })
        }
    })?
}

/// A service that listens everywhere is asked on loopback.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}
