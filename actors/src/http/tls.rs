//! How the clients speak TLS. Reading the system's certificates takes milliseconds, so they share one configuration.

use std::sync::Arc;

use rustls::crypto::aws_lc_rs::default_provider;
use rustls::{ClientConfig, Error};
use rustls_platform_verifier::BuilderVerifierExt;

/// What servers may choose from.
const PROTOCOLS: [&str; 2] = ["h2", "http/1.1"];

/// TLS 1.2 and 1.3 with whom the system trusts.
pub(super) fn config() -> Result<ClientConfig, Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?.with_platform_verifier()?;
    let mut config = builder.with_no_client_auth();
    config.alpn_protocols = PROTOCOLS.map(Into::into).into();
    Ok(config)
}
