//! Who does the arithmetic of TLS.

use rustls::crypto::ring;

/// Makes ring the process's provider for TLS. Every reqwest client asks for one when it is built; later calls change nothing.
pub fn install_tls_provider() {
    // An error says that there is one already.
    let _ = ring::default_provider().install_default();
}
