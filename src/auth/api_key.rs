//! API keys: `wf_`, 32 random characters, 6 characters of checksum.

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use wayfile_actors::ledger::KeyHash;

const MARK: &str = "wf_";
const RANDOM: usize = 32;
const CHECKSUM: usize = 6;
/// Random characters that stay visible, so that people can tell their keys apart.
const VISIBLE: usize = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A whole key. It is shown once, never stored and never logged.
#[derive(Debug, Clone)]
pub struct ApiKey(SecretString);

impl ApiKey {
    /// Makes a new key from the operating system's randomness.
    /// Errors: The system has no randomness to give.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut random = String::with_capacity(RANDOM);
        let mut bytes = [0_u8; RANDOM];
        while random.len() < RANDOM {
            getrandom::fill(&mut bytes)?;
            // 248 is four times 62: the bytes above it would make some characters likelier than others.
            let fair = bytes.iter().filter(|b| **b < 248).map(|b| char::from(BASE62[usize::from(*b) % 62]));
            random.extend(fair.take(RANDOM - random.len()));
        }
        Ok(Self(format!("{MARK}{random}{}", checksum(random.as_bytes())).into()))
    }

    /// Reads a key as a client sent it. None: wrong mark, length, characters or checksum, so the store need not be asked.
    pub fn parse(text: &str) -> Option<Self> {
        let (random, sum) = text.strip_prefix(MARK)?.split_at_checked(RANDOM)?;
        let sane = random.bytes().all(|b| b.is_ascii_alphanumeric());
        (sane && sum == checksum(random.as_bytes())).then(|| Self(text.into()))
    }

    /// What it is stored and found by.
    pub fn hash(&self) -> KeyHash {
        KeyHash(Sha256::digest(self.expose()).into())
    }

    /// `wf_` and the first characters.
    pub fn prefix(&self) -> &str {
        self.expose().get(..MARK.len() + VISIBLE).unwrap_or_default()
    }

    /// The last 4 characters.
    pub fn last4(&self) -> &str {
        self.expose().get(MARK.len() + RANDOM + CHECKSUM - 4..).unwrap_or_default()
    }

    /// The whole key, for the one moment it is shown.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

fn checksum(random: &[u8]) -> String {
    let mut rest = crc32fast::hash(random);
    let mut digits = [b'0'; CHECKSUM];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    digits.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ZEROS: &str = "wf_00000000000000000000000000000000";

    #[test]
    fn a_made_key_reads_back_and_tells_its_ends_only() {
        let key = ApiKey::generate().unwrap();
        assert_eq!(key.expose().len(), 3 + 32 + 6);
        assert_eq!(ApiKey::parse(key.expose()).unwrap().hash(), key.hash());
        assert!(key.expose().starts_with(key.prefix()) && key.expose().ends_with(key.last4()));
        assert_eq!((key.prefix().len(), key.last4().len()), (9, 4));
        let told = format!("{key:?} {:?}", key.hash());
        assert!(!told.contains(key.last4()) && !told.contains(key.prefix()), "{told}");
        assert_ne!(ApiKey::generate().unwrap().expose(), key.expose());
    }

    #[test]
    fn the_checksum_is_crc32_in_base62() {
        let crc = crc32fast::hash(b"00000000000000000000000000000000");
        let mut value = 0_u64;
        for digit in checksum(&ZEROS.as_bytes()[3..]).bytes() {
            value = value * 62 + BASE62.iter().position(|b| *b == digit).unwrap() as u64;
        }
        assert_eq!(value, u64::from(crc));
        assert_eq!(crc32fast::hash(b"123456789"), 0xCBF4_3926, "the check value of CRC-32/ISO-HDLC");
    }

    #[test]
    fn checksum_finds_a_wrong_character() {
        let key = ApiKey::generate().unwrap();
        for at in 0..key.expose().len() {
            let mut bytes = key.expose().as_bytes().to_vec();
            bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
            assert!(ApiKey::parse(&String::from_utf8(bytes).unwrap()).is_none(), "at {at}");
        }
    }

    proptest! {
        #[test]
        fn junk_is_no_key(junk in "\\PC{0,60}") {
            prop_assert!(ApiKey::parse(&junk).is_none());
            let marked = format!("wf_{junk}");
            prop_assert!(ApiKey::parse(&marked).is_none());
        }
    }
}
