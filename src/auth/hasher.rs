//! Password hashes, made and compared off the async threads: each takes a whole core for some 50 ms, and 19 MiB.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::{Error, PasswordHasher, PasswordVerifier};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{PasswordHash, Secret};

/// Hashes that may wait while all cores are busy: each takes one for some 50 ms.
const QUEUE: usize = 64;
/// Bytes of a salt: what RFC 9106 section 3.1 recommends.
const SALT: usize = 16;

/// Why there is no hash.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "what each one says is its meaning")]
pub enum HashError {
    #[error("too many passwords wait to be hashed")]
    Full,
    /// It cannot be made: no memory, no randomness.
    #[error("a password cannot be hashed: {0}")]
    Failed(String),
}

/// Makes and compares hashes, at most one per core at once. Cheap to clone.
#[derive(Clone)]
pub struct Hasher {
    running: Arc<Semaphore>,
    /// Those that run or wait.
    inside: Arc<Semaphore>,
    /// Compared with where there is no hash, so that it takes as long.
    decoy: PasswordHash,
}

impl Hasher {
    /// A hasher on all cores.
    /// Errors: [`HashError::Failed`]: not even one hash can be made.
    pub fn start() -> Result<Self, HashError> {
        Self::with_queue(QUEUE)
    }

    fn with_queue(queue: usize) -> Result<Self, HashError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let decoy = Secret::generate().map_err(failed)?;
        Ok(Self {
            running: Arc::new(Semaphore::new(cores)),
            inside: Arc::new(Semaphore::new(cores + queue)),
            decoy: hash(decoy.expose())?,
        })
    }

    /// The hash of a password, with a salt of its own.
    pub async fn hash(&self, password: SecretString) -> Result<PasswordHash, HashError> {
        self.run(move || hash(password.expose_secret())).await
    }

    /// Whether `password` is the one that `known` is of. Where there is none the answer is no, and takes as long.
    pub async fn verify(
        &self,
        password: SecretString,
        known: Option<PasswordHash>,
    ) -> Result<bool, HashError> {
        let (is_known, hash) = (known.is_some(), known.unwrap_or_else(|| self.decoy.clone()));
        let same = self.run(move || verify(password.expose_secret(), &hash)).await?;
        Ok(is_known && same)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HashError> + Send + 'static,
    ) -> Result<T, HashError> {
        let inside = self.inside.clone().try_acquire_owned().map_err(|_| HashError::Full)?;
        let running = self.running.clone().acquire_owned().await.map_err(failed)?;
        // A caller that goes away does not free the core before it is free.
        let permits: [OwnedSemaphorePermit; 2] = [inside, running];
        let done = tokio::task::spawn_blocking(move || {
            let _permits = permits;
            work()
        });
        let done = done.await.map_err(failed)?;
        tracing::debug!("a password was hashed");
        done
    }
}

/// The library's defaults are what OWASP's cheat sheet asks for at least of argon2id: 19 MiB, two passes, one lane.
fn hash(password: &str) -> Result<PasswordHash, HashError> {
    let mut salt = [0; SALT];
    getrandom::fill(&mut salt).map_err(failed)?;
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt).map_err(failed)?;
    Ok(hash.to_string().into())
}

fn verify(password: &str, hash: &PasswordHash) -> Result<bool, HashError> {
    match Argon2::default().verify_password(password.as_bytes(), hash.expose()) {
        Ok(()) => Ok(true),
        Err(Error::PasswordInvalid) => Ok(false),
        Err(error) => Err(failed(error)),
    }
}

fn failed(error: impl std::fmt::Display) -> HashError {
    HashError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_names_its_cost_and_knows_its_password_alone() {
        let hasher = Hasher::with_queue(4).unwrap();
        let hash = hasher.hash("tide-highs".into()).await.unwrap();
        assert!(hash.expose().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", hash.expose());
        assert_ne!(
            hasher.hash("tide-highs".into()).await.unwrap().expose(),
            hash.expose(),
            "a salt of its own"
        );
        assert!(hasher.verify("tide-highs".into(), Some(hash.clone())).await.unwrap());
        assert!(!hasher.verify("tide-lows!".into(), Some(hash)).await.unwrap());
        assert!(!hasher.verify("tide-highs".into(), None).await.unwrap());
    }

    #[tokio::test]
    async fn a_hash_waits_while_all_cores_are_busy() {
        let hasher = Hasher::with_queue(1).unwrap();
        let cores = u32::try_from(hasher.running.available_permits()).unwrap();
        let busy = hasher.running.clone().acquire_many_owned(cores).await.unwrap();
        let waiting = tokio::spawn({
            let hasher = hasher.clone();
            async move { hasher.hash("tide-highs".into()).await }
        });
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        assert!(!waiting.is_finished());
        drop(busy);
        assert!(waiting.await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn full_hash_queue_refuses_at_once() {
        let hasher = Hasher::with_queue(0).unwrap();
        let all = u32::try_from(hasher.inside.available_permits()).unwrap();
        let busy = hasher.inside.clone().acquire_many_owned(all).await.unwrap();
        assert!(matches!(hasher.hash("tide-highs".into()).await, Err(HashError::Full)));
        drop(busy);
        assert!(hasher.hash("tide-highs".into()).await.is_ok());
    }
}
