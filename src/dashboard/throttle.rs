//! How often strangers may try. It is kept in memory, and what counts tries of passwords and mails in the store where several
//! nodes share one: a refusal must cost little, and there it costs no write. A restart forgets waits of minutes.
//!
//! What is refused is answered 429 and how long to wait; where the store is away, 503.

use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use wayfile_core::back_off::{Attempts, BackOff};
use wayfile_core::limits::{Gcra, Rate, whole_seconds};

use crate::auth::{AddressRange, Email, hex};
use crate::config::AccountsSettings;
use crate::error::{ApiError, ApiResult, Code};
use crate::store::{AccountId, SharedStates, StoreResult};

/// Addresses, and ranges of them, that are remembered; the ones that were quiet for longest are forgotten first. Some
/// hundred bytes each.
const REMEMBERED: u64 = 50_000;
/// A rate is unused again after this long.
const MINUTE: Duration = Duration::from_mins(1);

/// What is known of each one; a value has a lock of its own.
type Buckets<K, V> = Cache<K, Arc<Mutex<V>>>;

/// What tries are counted by: an account, and where they come from. Whoever guesses a stranger's password is not to keep its
/// owner out, who comes from elsewhere.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Tries {
    email: Email,
    /// `None`: from anywhere, or from a session of the account.
    from: Option<AddressRange>,
}

/// Counts tries by account and by where they come from. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Throttle {
    logins: Buckets<Tries, Attempts>,
    mails: Buckets<Tries, Attempts>,
    forms: Buckets<AddressRange, Gcra>,
    keys: Buckets<AccountId, Gcra>,
    login_rule: BackOff,
    mail_rule: BackOff,
    form_rate: Rate,
    shared: Option<SharedStates>,
}

impl Throttle {
    pub(crate) fn new(settings: &AccountsSettings, shared: Option<SharedStates>) -> Self {
        let rule = |first| BackOff { free: settings.free_tries, first, longest: settings.longest_wait };
        // A wait, and the silence after which it is forgotten.
        let quiet = settings.longest_wait * 2;
        Self {
            logins: known(quiet),
            mails: known(quiet),
            forms: known(MINUTE),
            keys: known(MINUTE),
            login_rule: rule(settings.first_wait),
            mail_rule: rule(settings.first_mail_wait),
            form_rate: Rate { per_minute: settings.forms_per_minute },
            shared,
        }
    }

    /// Counts a try of a password for an account, whether there is one or not, `from` a range or by whoever is signed in.
    pub(crate) async fn log_in(&self, email: &Email, from: Option<AddressRange>) -> ApiResult<()> {
        let tries = Tries { email: email.clone(), from };
        let taken = self.take(&self.logins, "login", &tries, self.login_rule).await?;
        unless_too_fast(taken, "Too many passwords were tried for this account")
    }

    /// The password was right: earlier tries from there do not count any more.
    pub(crate) async fn logged_in(&self, email: &Email, from: Option<AddressRange>) -> StoreResult {
        let tries = Tries { email: email.clone(), from };
        self.logins.invalidate(&tries);
        if let Some(shared) = &self.shared {
            shared.forget_tries(&name("login", &tries)).await?;
        }
        Ok(())
    }

    /// Counts a mail that is asked for to an address, whether there is an account or not.
    pub(crate) async fn mail(&self, email: &Email) -> ApiResult<()> {
        let tries = Tries { email: email.clone(), from: None };
        let taken = self.take(&self.mails, "mail", &tries, self.mail_rule).await?;
        unless_too_fast(taken, "Too many mails were asked for to this address")
    }

    /// Takes one try, among all nodes where there are several.
    async fn take(
        &self,
        known: &Buckets<Tries, Attempts>,
        kind: &str,
        tries: &Tries,
        rule: BackOff,
    ) -> StoreResult<Result<(), Duration>> {
        match &self.shared {
            Some(shared) => shared.take_try(&name(kind, tries), rule).await,
            None => Ok(known.get_with_by_ref(tries, Arc::default).lock().take(rule, Timestamp::now())),
        }
    }

    /// Counts a form of a client that is not signed in.
    pub(crate) fn form(&self, from: AddressRange) -> ApiResult<()> {
        let used = self.forms.get_with_by_ref(&from, Arc::default);
        let taken = used.lock().take(self.form_rate, Instant::now());
        unless_too_fast(taken, "Too many forms came from your network")
    }

    /// Counts a new key: each leaves a row, also when it is revoked at once.
    pub(crate) fn key(&self, account: AccountId) -> ApiResult<()> {
        let used = self.keys.get_with_by_ref(&account, Arc::default);
        let taken = used.lock().take(self.form_rate, Instant::now());
        unless_too_fast(taken, "Too many keys were asked for")
    }
}

fn unless_too_fast(taken: Result<(), Duration>, what: &str) -> ApiResult<()> {
    taken.map_err(|wait| {
        let seconds = whole_seconds(wait).max(1);
        let unit = if seconds == 1 { "second" } else { "seconds" };
        ApiError::saying(Code::RateLimited, format!("{what}. Try again in {seconds} {unit}."))
            .retry_after(wait)
    })
}

/// Where tries are counted in the store: a hash, which tells neither the address nor the range.
fn name(kind: &str, tries: &Tries) -> String {
    let from = tries.from.map_or_else(String::new, |range| format!("{range:?}"));
    let hash: [u8; 32] = Sha256::digest(format!("{} {from}", tries.email)).into();
    format!("{kind} {}", hex(&hash))
}

/// The one that was quiet for longest goes when there are too many; a new one is never turned away.
fn known<K: Hash + Eq + Send + Sync + 'static, V: Send + 'static>(quiet: Duration) -> Buckets<K, V> {
    let known = Cache::builder().max_capacity(REMEMBERED).time_to_idle(quiet);
    known.eviction_policy(EvictionPolicy::lru()).build()
}
