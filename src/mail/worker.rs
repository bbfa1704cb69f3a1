//! The worker that delivers the mails that are due.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use url::Url;
use wayfile_core::back_off::BackOff;

use super::templates::{self, MailText};
use super::transport::{MailSettings, MailTransport, Undelivered};
use crate::auth::Secret;
use crate::paths::{self, pages};
use crate::store::{LinkKind, MailKind, Store, StoreError, WaitingMail};
use crate::tasks::{Task, Tasks};

/// How often the store is asked for mails that were not notified: retries, and mails of other nodes that died.
const POLL: Duration = Duration::from_secs(5);
/// Deliveries at once: a slow mail server holds up no other mail.
const AT_ONCE: usize = 8;
const LONGEST_WAIT: Duration = Duration::from_hours(1);

type Deliveries = JoinSet<Result<(), StoreError>>;

/// Wakes the worker when a mail was noted, so that it does not wait for the next poll.
pub(crate) type MailSignal = Arc<Notify>;

pub(crate) struct MailWorker {
    pub(crate) store: Store,
    pub(crate) transport: MailTransport,
    /// Where people reach the dashboard.
    pub(crate) base: Url,
    pub(crate) verify_within: Duration,
    pub(crate) reset_within: Duration,
    pub(crate) settings: MailSettings,
    pub(crate) mail_signal: MailSignal,
}

impl MailWorker {
    pub(crate) fn start(self, tasks: &Tasks) -> Task {
        let worker = Arc::new(self);
        tasks.spawn("mail", move || worker.clone().run())
    }

    async fn run(self: Arc<Self>) {
        let mut under_way = JoinSet::new();
        loop {
            if let Err(error) = self.start_due(&mut under_way).await {
                tracing::warn!(%error, "mails wait until the store answers");
            }
            tokio::select! {
                Some(delivered) = under_way.join_next() => match delivered {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => tracing::warn!(%error, "what became of a mail cannot be noted: it is sent again"),
                    // Its turn comes again when its lease is over, as often as it may be tried.
                    Err(error) => tracing::error!(%error, "a delivery was broken off"),
                },
                () = self.mail_signal.notified() => {}
                () = sleep(POLL) => {}
            }
        }
    }

    async fn start_due(self: &Arc<Self>, under_way: &mut Deliveries) -> Result<(), StoreError> {
        while under_way.len() < AT_ONCE {
            let now = Timestamp::now();
            // A worker that holds a mail longer than this has died.
            let lease = now + self.settings.timeout * 2 + POLL;
            let Some(mail) = self.store.next_mail(now, lease).await? else { break };
            under_way.spawn(self.clone().attempt(mail));
        }
        Ok(())
    }

    async fn attempt(self: Arc<Self>, mail: WaitingMail) -> Result<(), StoreError> {
        let (mail_id, kind, tries) = (mail.id, mail.kind.name(), mail.tries);
        let delivered = timeout(self.settings.timeout, self.deliver(mail)).await;
        match delivered.map_err(Undelivered::from).flatten() {
            Ok(()) => self.store.drop_mail(mail_id).await,
            Err(error) if tries >= self.settings.tries || error.is_final() => {
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

    /// Only here the account is looked up: in the request, the time it takes would tell whether there is one.
    async fn deliver(&self, mut mail: WaitingMail) -> Result<(), Undelivered> {
        let is_known = match self.store.account(&mail.email).await {
            Ok(account) => account.verified.is_some(),
            Err(StoreError::NoAccount(_)) => false,
            Err(error) => return Err(error.into()),
        };
        let text = match (mail.kind, is_known) {
            (MailKind::SignUp, false) => {
                // Sent again: with the password of the sign-up that waits.
                if mail.password_hash.is_none() {
                    mail.password_hash = self.store.waiting_sign_up(&mail.email, Timestamp::now()).await?;
                }
                if mail.password_hash.is_none() {
                    return Ok(());
                }
                let link = self.link(LinkKind::Verify, &mail, self.verify_within).await?;
                templates::verify(&link, self.verify_within)
            }
            (MailKind::SignUp, true) => {
                templates::known_already(&at(&self.base, pages::LOG_IN), &at(&self.base, pages::FORGOTTEN))
            }
            (MailKind::Reset, true) => {
                let link = self.link(LinkKind::Reset, &mail, self.reset_within).await?;
                templates::reset(&link, self.reset_within)
            }
            (MailKind::PasswordChanged, true) => {
                templates::password_changed(&at(&self.base, pages::FORGOTTEN))
            }
            // There is no account to write to.
            (MailKind::Reset | MailKind::PasswordChanged, false) => return Ok(()),
        };
        let MailText { subject, .. } = text;
        self.transport.send(&mail.email, text).await?;
        tracing::debug!(mail.id = mail.id, subject, "a mail was handed over");
        Ok(())
    }

    async fn link(&self, kind: LinkKind, mail: &WaitingMail, within: Duration) -> Result<Url, StoreError> {
        let secret = Secret::generate()?;
        let (hash, expires) = (secret.hash(), Timestamp::now() + within);
        self.store.make_link(kind, &mail.email, mail.password_hash.as_ref(), hash, expires).await?;
        let path = match kind {
            LinkKind::Verify => pages::VERIFY,
            LinkKind::Reset => pages::RESET,
        };
        Ok(holding(&self.base, path, &secret))
    }
}

fn at(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(path);
    url
}

fn holding(base: &Url, path: &str, secret: &Secret) -> Url {
    let mut url = at(base, path);
    url.query_pairs_mut().append_pair(paths::TOKEN, secret.expose());
    url
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
        let base = "https://wayfile.example:8443/".parse().unwrap();
        let written = format!("https://wayfile.example:8443/verify?token={}", secret.expose());
        assert_eq!(holding(&base, "/verify", &secret).as_str(), written);
    }
}
