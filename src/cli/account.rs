//! `wayfile account create|plan|list`

use std::io::Write;

use jiff::Timestamp;

use super::Failure;
use super::args::Account;
use crate::config::Config;
use crate::runtime;
use crate::store::Store;

/// Makes, changes or lists accounts. Safe while a server runs: the next request sees the change.
///
/// # Errors
/// [`Failure`]: the store refuses or cannot be reached.
pub(crate) fn run(config: &Config, command: Account) -> Result<(), Failure> {
    runtime::run(async {
        let store = Store::open(&config.database.url).await?;
        match command {
            Account::Create(account) => {
                let now = Timestamp::now();
                // An operator vouches for the address.
                store.create_account(&account.email, account.plan, Some(now), now).await?;
                eprintln!("{} has an account with the {} plan.", account.email, account.plan);
            }
            Account::Plan(account) => {
                store.set_plan(&account.email, account.plan).await?;
                eprintln!("{} has the {} plan from the next request on.", account.email, account.plan);
            }
            Account::List => {
                let mut stdout = std::io::stdout().lock();
                for account in store.accounts().await? {
                    let verified = account.verified.map_or("unverified", |_| "verified");
                    let (email, plan, created) = (account.email, account.plan, account.created);
                    writeln!(stdout, "{email}\t{plan}\t{verified}\tcreated {created:.0}")?;
                }
            }
        }
        store.close().await;
        Ok(())
    })?
}
