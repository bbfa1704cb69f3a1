//! How often strangers may try. It is kept in memory: a refusal must cost nothing, least of all a write that every try
//! at guessing would cause. A restart forgets waits of minutes; several servers allow as many tries each.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use wayfile_core::limits::{Gcra, Rate};
use wayfile_core::patience::{Doubling, Tries};

use crate::auth::{AddressRange, Email};
use crate::config::AccountsSettings;
use crate::store::AccountId;

/// Addresses, and ranges of them, that are remembered; the ones that were quiet for longest are forgotten first. Some
/// hundred bytes each.
const REMEMBERED: u64 = 50_000;
/// A rate is unused again after this long.
const MINUTE: Duration = Duration::from_mins(1);

/// What is known of each one; a value has a lock of its own.
type Known<K, V> = Cache<K, Arc<Mutex<V>>>;

/// Counts tries by account and by where they come from. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Throttle {
    logins: Known<Email, Tries>,
    mails: Known<Email, Tries>,
    forms: Known<AddressRange, Gcra>,
    keys: Known<AccountId, Gcra>,
    login_rule: Doubling,
    mail_rule: Doubling,
    form_rate: Rate,
}

impl Throttle {
    pub(crate) fn new(settings: &AccountsSettings) -> Self {
        let rule = |first| Doubling { free: settings.free_tries, first, longest: settings.longest_wait };
        // A wait, and the silence after which it is forgotten.
        let quiet = settings.longest_wait * 2;
        Self {
            logins: known(quiet),
            mails: known(quiet),
            forms: known(MINUTE),
            keys: known(MINUTE),
            login_rule: rule(settings.first_wait),
            mail_rule: rule(settings.first_mail_wait),
            form_rate: Rate::per_minute(settings.forms_per_minute),
        }
    }

    /// Somebody tries a password for an account, whether there is one or not.
    ///
    /// # Errors
    /// The time until the next try is allowed.
    pub(crate) fn log_in(&self, email: &Email, now: Instant) -> Result<(), Duration> {
        with(&self.logins, email, |tries| tries.take(self.login_rule, now))
    }

    /// The password was right: earlier tries do not count any more.
    pub(crate) fn logged_in(&self, email: &Email) {
        self.logins.invalidate(email);
    }

    /// Somebody has a mail sent to an address.
    ///
    /// # Errors
    /// The time until the next one is allowed.
    pub(crate) fn mail(&self, email: &Email, now: Instant) -> Result<(), Duration> {
        with(&self.mails, email, |tries| tries.take(self.mail_rule, now))
    }

    /// A form comes from a range of addresses.
    ///
    /// # Errors
    /// The time until the next one is taken.
    pub(crate) fn form(&self, from: AddressRange, now: Instant) -> Result<(), Duration> {
        with(&self.forms, &from, |used| used.take(self.form_rate, now))
    }

    /// Somebody makes a key: each leaves a row, also when it is revoked at once.
    ///
    /// # Errors
    /// The time until the next one is made.
    pub(crate) fn key(&self, account: AccountId, now: Instant) -> Result<(), Duration> {
        with(&self.keys, &account, |used| used.take(self.form_rate, now))
    }
}

/// The one that was quiet for longest goes when there are too many; a new one is never turned away.
fn known<K: Hash + Eq + Send + Sync + 'static, V: Send + 'static>(quiet: Duration) -> Known<K, V> {
    let known = Cache::builder().max_capacity(REMEMBERED).time_to_idle(quiet);
    known.eviction_policy(EvictionPolicy::lru()).build()
}

fn with<K, V, T>(known: &Known<K, V>, who: &K, work: impl FnOnce(&mut V) -> T) -> T
where
    K: Hash + Eq + Clone + Send + Sync + 'static,
    V: Default + Send + 'static,
{
    let value = known.get_with_by_ref(who, Arc::default);
    let mut value = value.lock().unwrap_or_else(PoisonError::into_inner);
    work(&mut value)
}
