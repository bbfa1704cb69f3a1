//! The service Wayfile: commands, accounts and keys, and the store behind them. `wayfile-actors` does the work.

pub mod auth;
mod cli;
pub mod config;
mod demo;
mod runtime;
pub mod store;

pub use cli::run;
