//! Secrets that stand for a person: session cookies and the links in mails. 256 random bits, stored as a hash.

use std::fmt::Write;

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

const BYTES: usize = 32;

/// A bearer secret: it is never stored and never logged.
#[derive(Debug, Clone)]
pub struct Secret(SecretString);

/// What a secret is stored and found by: SHA-256 is enough for 256 random bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretHash(pub [u8; 32]);

impl Secret {
    /// Makes a new one from the operating system's randomness.
    /// Errors: The system has no randomness to give.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut random = [0_u8; BYTES];
        getrandom::fill(&mut random)?;
        Ok(Self(hex(&random).into()))
    }

    /// Reads one as a browser sent it. None: no secret has this form, so the store need not be asked.
    pub fn parse(text: &str) -> Option<Self> {
        let sane = text.len() == 2 * BYTES && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        sane.then(|| Self(text.into()))
    }

    /// What it is stored and found by.
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(self.expose()).into())
    }

    /// The whole secret, for a cookie or a link.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        // A string takes whatever is written to it.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

impl std::fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretHash(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_made_secret_reads_back_and_tells_nothing() {
        let secret = Secret::generate().unwrap();
        assert_eq!(Secret::parse(secret.expose()).unwrap().hash(), secret.hash());
        assert_ne!(Secret::generate().unwrap().hash(), secret.hash());
        let told = format!("{secret:?} {:?}", secret.hash());
        assert!(!told.contains(secret.expose()), "{told}");
    }

    #[test]
    fn junk_is_no_secret() {
        let good = Secret::generate().unwrap();
        for junk in
            ["", "00", &good.expose().to_uppercase().replace('0', "A"), &format!("{}0", good.expose())]
        {
            assert!(Secret::parse(junk).is_none(), "{junk}");
        }
        assert!(Secret::parse(&"g".repeat(64)).is_none());
    }
}
