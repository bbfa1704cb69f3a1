//! `wayfile key create|revoke|list`

use std::io::Write;

use jiff::Timestamp;

use super::args::KeyCommand;
use super::{Failure, on_store, output};
use crate::config::Config;
use crate::store;

/// Makes, revokes or lists the keys of an account. Safe while a server runs: the next request sees the change.
pub(crate) fn run(config: &Config, command: KeyCommand) -> Result<(), Failure> {
    on_store(config, async |store| {
        match command {
            KeyCommand::Create(key) => {
                let account = store.account(&key.email).await?;
                let at_most = config.plans.limits(account.plan).keys;
                let made = store.create_key(account.id, &key.name, at_most, Timestamp::now()).await?;
                say!("This is the only time the key is shown:");
                output::print(|out| writeln!(out, "{}", made.expose()))?;
            }
            KeyCommand::Revoke(key) => {
                let account = store.account(&key.email).await?;
                let named = store.key_named(account.id, &key.name).await?;
                store.revoke_key(account.id, named.id, Timestamp::now()).await?;
                say!("The key {:?} is refused from the next request on.", key.name);
            }
            KeyCommand::List { email } => {
                let account = store.account(&email).await?;
                let mut keys = store.working_keys(account.id).await?;
                keys.extend(store.revoked_keys(account.id, None, usize::MAX).await?);
                output::print(|out| keys.iter().try_for_each(|key| writeln!(out, "{}", line(key))))?;
            }
        }
        Ok(())
    })
}

fn line(key: &store::Key) -> String {
    let store::Key { name, prefix, last4, created, .. } = key;
    let used = key.last_used.map_or_else(|| "never used".to_owned(), |at| format!("last used {at:.0}"));
    let state = key.revoked.map_or_else(|| "working".to_owned(), |at| format!("revoked {at:.0}"));
    format!("{name}\t{prefix}...{last4}\tcreated {created:.0}\t{used}\t{state}")
}
