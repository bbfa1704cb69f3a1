//! `wayfile nodes`

use std::io::Write;

use super::{Failure, on_store, output};
use crate::config::Config;

pub(crate) fn run(config: &Config) -> Result<(), Failure> {
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
