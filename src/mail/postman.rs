//! Goes round and delivers what is due.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::error::Elapsed;
use tokio::time::{sleep, timeout};
use url::Url;
use wayfile_core::back_off::BackOff;

use super::letter::{self, Letter};
use super::post::{Post, PostError};
use crate::auth::Secret;
use crate::config::{AccountsSettings, MailSettings};
use crate::dashboard::people;
use crate::store::{LinkKind, MailKind, Store, StoreError, WaitingMail};
use crate::tasks::{Task, Tasks};

/// How often it is looked whether something is due that nobody rang for: retries, and mails of other servers that died.
const ROUND: Duration = Duration::from_secs(5);
/// No wait between two tries is longer.
const LONGEST_WAIT: Duration = Duration::from_hours(1);

type Deliveries = JoinSet<Result<(), StoreError>>;

/// Rings when a mail was noted, so that it does not wait for the next round.
#[derive(Clone, Default)]
pub(crate) struct Bell(Arc<Notify>);

impl Bell {
    pub(crate) fn ring(&self) {
        self.0.notify_one();
    }
}

/// What the links in mails are made of.
pub(crate) struct Links {
    /// Where people reach the dashboard.
    pub(crate) base: Url,
    /// How long the link that verifies an address works.
    pub(crate) verify_within: Duration,
    /// How long the link to reset a password works.
    pub(crate) reset_within: Duration,
}

impl Links {
    pub(crate) fn new(base: Url, settings: &AccountsSettings) -> Self {
        Self { base, verify_within: settings.verify_within, reset_within: settings.reset_within }
    }

    fn to(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(path);
        url
    }

    fn holding(&self, path: &str, secret: &Secret) -> Url {
        let mut url = self.to(path);
        url.query_pairs_mut().append_pair(people::TOKEN, secret.expose());
        url
    }
}

/// Delivers mails, several at once: one that a server takes its time with holds up no other.
pub(crate) struct Postman {
    pub(crate) store: Store,
    pub(crate) post: Post,
    pub(crate) links: Links,
    pub(crate) settings: MailSettings,
    pub(crate) bell: Bell,
}

/// Why a mail was not delivered.
#[derive(Debug, thiserror::Error)]
enum Undelivered {
    #[error(transparent)]
    Post(#[from] PostError),
    #[error("it took longer than mail.timeout")]
    Late(#[from] Elapsed),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Undelivered {
    /// Another try would come to the same.
    fn is_for_good(&self) -> bool {
        matches!(self, Self::Post(PostError::Unwritable(_)))
    }
}

impl Postman {
    /// Starts going round.
    pub(crate) fn start(self, tasks: &Tasks) -> Task {
        let postman = Arc::new(self);
        tasks.spawn("mail", move || postman.clone().go_round())
    }

    async fn go_round(self: Arc<Self>) {
        let mut under_way = JoinSet::new();
        loop {
            if let Err(error) = self.send_out(&mut under_way).await {
                tracing::warn!(%error, "mails wait until the store answers");
            }
            tokio::select! {
                Some(delivered) = under_way.join_next() => match delivered {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => tracing::warn!(%error, "what became of a mail cannot be noted: it is sent again"),
                    // Its turn comes again when its lease is over, as often as it may be tried.
                    Err(error) => tracing::error!(%error, "a delivery was broken off"),
                },
                () = self.bell.0.notified() => {}
                () = sleep(ROUND) => {}
            }
        }
    }

    /// Begins to deliver what is due, as much at once as may be.
    async fn send_out(self: &Arc<Self>, under_way: &mut Deliveries) -> Result<(), StoreError> {
        while under_way.len() < self.settings.at_once {
            let now = Timestamp::now();
            // Whoever takes longer than a delivery may is gone.
            let lease = now + self.settings.timeout * 2 + ROUND;
            let Some(mail) = self.store.next_mail(now, lease).await? else { break };
            under_way.spawn(self.clone().take_out(mail));
        }
        Ok(())
    }

    async fn take_out(self: Arc<Self>, mail: WaitingMail) -> Result<(), StoreError> {
        let (mail_id, kind, tries) = (mail.id, mail.kind.name(), mail.tries);
        let delivered = timeout(self.settings.timeout, self.deliver(mail)).await;
        match delivered.map_err(Undelivered::from).flatten() {
            Ok(()) => self.store.drop_mail(mail_id).await,
            Err(error) if tries >= self.settings.tries || error.is_for_good() => {
                tracing::error!(mail.id = mail_id, kind, tries, %error, "a mail is given up");
                self.store.drop_mail(mail_id).await
            }
            Err(error) => {
                let wait = wait_after(tries, self.settings.first_wait);
                tracing::warn!(mail.id = mail_id, kind, tries, ?wait, %error, "a mail is tried again later");
                self.store.postpone_mail(mail_id, Timestamp::now() + wait).await
            }
        }
    }

    /// Only now it is looked whether there is an account: whoever asked for the mail could have told by the time it took.
    async fn deliver(&self, mut mail: WaitingMail) -> Result<(), Undelivered> {
        let is_known = match self.store.account(&mail.email).await {
            Ok(account) => account.verified.is_some(),
            Err(StoreError::NoAccount(_)) => false,
            Err(error) => return Err(error.into()),
        };
        let letter = match (mail.kind, is_known) {
            (MailKind::SignUp, false) => {
                // Sent again: with the password of the sign-up that waits.
                if mail.password_hash.is_none() {
                    mail.password_hash = self.store.waiting_sign_up(&mail.email, Timestamp::now()).await?;
                }
                if mail.password_hash.is_none() {
                    return Ok(());
                }
                let link = self.link(LinkKind::Verify, &mail, self.links.verify_within).await?;
                letter::verify(&link, self.links.verify_within)
            }
            (MailKind::SignUp, true) => {
                letter::known_already(&self.links.to(people::LOG_IN), &self.links.to(people::FORGOTTEN))
            }
            (MailKind::Reset, true) => {
                let link = self.link(LinkKind::Reset, &mail, self.links.reset_within).await?;
                letter::reset(&link, self.links.reset_within)
            }
            (MailKind::PasswordChanged, true) => letter::password_changed(&self.links.to(people::FORGOTTEN)),
            // Nobody is there to be written to.
            (MailKind::Reset | MailKind::PasswordChanged, false) => return Ok(()),
        };
        let Letter { subject, .. } = letter;
        self.post.hand_over(&mail.email, letter).await?;
        tracing::debug!(mail.id = mail.id, subject, "a mail was handed over");
        Ok(())
    }

    async fn link(&self, kind: LinkKind, mail: &WaitingMail, within: Duration) -> Result<Url, StoreError> {
        let secret = Secret::generate()?;
        let (hash, expires) = (secret.hash(), Timestamp::now() + within);
        self.store.make_link(kind, &mail.email, mail.password_hash.as_ref(), hash, expires).await?;
        let path = match kind {
            LinkKind::Verify => people::VERIFY,
            LinkKind::Reset => people::RESET,
        };
        Ok(self.links.holding(path, &secret))
    }
}

fn wait_after(tries: u32, first: Duration) -> Duration {
    BackOff { free: 1, first, longest: LONGEST_WAIT }.wait_after(tries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_become_rarer_up_to_one_an_hour() {
        let waits = [1, 2, 3, 8, 9, 60].map(|tries| wait_after(tries, Duration::from_secs(30)).as_secs());
        assert_eq!(waits, [30, 60, 120, 3_600, 3_600, 3_600]);
    }

    #[test]
    fn links_lie_where_people_reach_the_dashboard() {
        let secret = Secret::generate().unwrap();
        let hour = Duration::from_hours(1);
        let base = "https://wayfile.example:8443/".parse().unwrap();
        let links = Links { base, verify_within: hour, reset_within: hour };
        let written = format!("https://wayfile.example:8443/verify?token={}", secret.expose());
        assert_eq!(links.holding("/verify", &secret).as_str(), written);
    }
}
