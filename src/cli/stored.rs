//! `wayfile account create|plan|list`, `wayfile key create|revoke|list`, `wayfile nodes`: what is asked of the store itself. Safe
//! while a server runs: its next request sees the change.

use std::io::Write;

use jiff::Timestamp;

use super::args::{AccountCommand, KeyCommand};
use super::{Failure, output};
use crate::config::Config;
use crate::runtime;
use crate::store::{self, AccountId, Store, StoreResult};

pub(super) fn account(config: &Config, command: AccountCommand) -> Result<(), Failure> {
    match command {
        AccountCommand::Create(account) => {
            let made = store::missing(&config.database.url)?;
            on_any_store(config, async |store| {
                let now = Timestamp::now();
                // An operator vouches for the address.
                store.create_account(&account.email, account.plan, Some(now), now).await?;
                Ok(())
            })?;
            if let Some(file) = made {
                say!("{} is a new store.", file.display());
            }
            say!("{} has an account with the {} plan.", account.email, account.plan);
            say!("To log in, its owner chooses a password by \"Forgotten your password?\".");
            Ok(())
        }
        AccountCommand::Plan(account) => on_store(config, async |store| {
            store.set_plan(&account.email, account.plan).await?;
            say!("{} has the {} plan from the next request on.", account.email, account.plan);
            Ok(())
        }),
        AccountCommand::List => on_store(config, async |store| {
            let accounts = store.accounts().await?;
            output::print(|out| {
                for account in accounts {
                    let verified = account.verified.map_or("unverified", |_| "verified");
                    let (email, plan, created) = (account.email, account.plan, account.created);
                    writeln!(out, "{email}\t{plan}\t{verified}\tcreated {created:.0}")?;
                }
                Ok(())
            })
        }),
    }
}

pub(super) fn key(config: &Config, command: KeyCommand) -> Result<(), Failure> {
    on_store(config, async |store| {
        match command {
            KeyCommand::Create(key) => {
                let account = store.account(&key.email).await?;
                let at_most = config.plans.limits(account.plan).keys;
                let made = store.create_key(account.id, &key.name, at_most, Timestamp::now()).await?;
                say!("This is the only time the key is shown:");
                if let Err(failure) = output::print(|out| writeln!(out, "{}", made.expose())) {
                    // A key that nobody has seen is of no use to anybody.
                    revoke(store, account.id, &key.name).await?;
                    return Err(failure);
                }
            }
            KeyCommand::Revoke(key) => {
                let account = store.account(&key.email).await?;
                revoke(store, account.id, &key.name).await?;
                say!("The key {:?} is refused from the next request on.", key.name);
            }
            KeyCommand::List { email } => {
                let accounts = match &email {
                    Some(email) => vec![store.account(email).await?],
                    None => store.accounts().await?,
                };
                for account in accounts {
                    let mut keys = store.working_keys(account.id).await?;
                    keys.extend(store.revoked_keys(account.id, None, usize::MAX).await?);
                    let owner =
                        email.as_ref().map_or_else(|| format!("{}\t", account.email), |_| String::new());
                    output::print(|out| {
                        keys.iter().try_for_each(|key| writeln!(out, "{owner}{}", key_line(key)))
                    })?;
                }
            }
        }
        Ok(())
    })
}

async fn revoke(store: &Store, account: AccountId, name: &str) -> StoreResult {
    let named = store.key_named(account, name).await?;
    store.revoke_key(account, named.id, Timestamp::now()).await
}

fn key_line(key: &store::Key) -> String {
    let store::Key { id, name, prefix, last4, created, .. } = key;
    let used = key.last_used.map_or_else(|| "never used".to_owned(), |at| format!("last used {at:.0}"));
    let state = key.revoked.map_or_else(|| "working".to_owned(), |at| format!("revoked {at:.0}"));
    format!("{name}\t{prefix}...{last4}\tcreated {created:.0}\t{used}\t{state}\tkey.id {id}")
}

pub(super) fn nodes(config: &Config) -> Result<(), Failure> {
    on_store(config, async |store| {
        let nodes = store.nodes().await?;
        output::print(|out| {
            nodes.iter().try_for_each(|node| {
                writeln!(
                    out,
                    "{}\tlast sign of life {:.1} s ago\t{} units reserved\t{} sites reserved\t{} crawls of keys\t{} unanswered",
                    node.name,
                    node.silent.as_secs_f64(),
                    node.reserved,
                    node.sites,
                    node.crawls,
                    node.unanswered
                )
            })
        })?;
        if nodes.is_empty() {
            say!("No node serves this store.");
        }
        Ok(())
    })
}

/// Runs `work` on the store of these settings, which is there.
fn on_store(config: &Config, work: impl AsyncFnOnce(&Store) -> Result<(), Failure>) -> Result<(), Failure> {
    if let Some(file) = store::missing(&config.database.url)? {
        let message = format!(
            "there is no store {}: database.url names the service's; `wayfile serve` and `wayfile account create` make one",
            file.display()
        );
        return Err(Failure { message, code: 1 });
    }
    on_any_store(config, work)
}

/// Runs `work` on the store of these settings, which is made where it is not there.
fn on_any_store(
    config: &Config,
    work: impl AsyncFnOnce(&Store) -> Result<(), Failure>,
) -> Result<(), Failure> {
    runtime::run(async {
        let store = Store::open(&config.database).await?;
        work(&store).await?;
        store.close().await;
        Ok(())
    })?
}
