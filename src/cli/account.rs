//! `wayfile account create|plan|list`

use std::io::Write;

use jiff::Timestamp;

use super::args::AccountCommand;
use super::{Failure, on_any_store, on_store, output};
use crate::config::Config;
use crate::store;

/// Makes, changes or lists accounts. Safe while a server runs: the next request sees the change.
pub(crate) fn run(config: &Config, command: AccountCommand) -> Result<(), Failure> {
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
