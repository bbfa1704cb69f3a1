//! Notifications between nodes, by LISTEN and NOTIFY. They only save waiting: what is told stands in the store too.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use secrecy::ExposeSecret;
use sqlx::postgres::PgListener;
use tokio::sync::broadcast;
use wayfile_actors::coordination::OnSiteChange;

use crate::store::{DatabaseUrl, Store};

/// All notifications of the service go over this.
pub(super) const CHANNEL: &str = "wayfile";
/// The wait before another try to listen.
const AGAIN: Duration = Duration::from_secs(1);
/// Ends of requests that are buffered; a waiter that misses some polls.
const BUFFER: usize = 256;

/// A notification of this topic tells what several nodes share of a site; who changed it follows, and what became of it.
pub(crate) const SITE: &str = "site";
/// That a request with a name has ended; its key and its name follow.
pub(crate) const ENDED: &str = "ended";

pub(crate) struct Notifier {
    store: Store,
    /// Hears of sites.
    pub(crate) site_changed: OnceLock<OnSiteChange>,
    ended: broadcast::Sender<String>,
}

impl Notifier {
    pub(crate) fn new(store: &Store) -> Arc<Self> {
        let (site_changed, ended) = (OnceLock::new(), broadcast::Sender::new(BUFFER));
        Arc::new(Self { store: store.clone(), site_changed, ended })
    }

    /// Sends a notification in the background, in a commit of its own: transactions that notify wait for each other.
    pub(crate) fn tell(&self, topic: &str, what: &str) {
        let (store, payload) = (self.store.clone(), format!("{topic} {what}"));
        self.store.spawn(async move {
            let tell = sqlx::query("SELECT 1 FROM pg_notify($1, $2)").bind(CHANNEL).bind(payload);
            if let Err(error) = tell.execute(&store.pool).await {
                tracing::debug!(%error, "other nodes find out by themselves");
            }
        });
    }

    /// Requests that end on any node, by key and name.
    pub(crate) fn ended(&self) -> broadcast::Receiver<String> {
        self.ended.subscribe()
    }

    pub(crate) async fn hear(self: Arc<Self>, url: DatabaseUrl) {
        loop {
            if let Err(error) = self.listen(&url).await {
                tracing::debug!(%error, "what other nodes tell is not heard for a moment");
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    async fn listen(&self, url: &DatabaseUrl) -> sqlx::Result<()> {
        let mut listener = PgListener::connect(url.for_driver().expose_secret()).await?;
        listener.listen(CHANNEL).await?;
        loop {
            let told = listener.recv().await?;
            let Some((topic, what)) = told.payload().split_once(' ') else { continue };
            match topic {
                SITE => self.site_changed.get().into_iter().for_each(|tell| tell(what)),
                // There may be no waiter.
                ENDED => drop(self.ended.send(what.to_owned())),
                _ => {}
            }
        }
    }
}
