//! The service Wayfile: commands, accounts and keys, and the store behind them. `wayfile-actors` does the work.

mod app;
pub mod auth;
mod cli;
pub mod config;
mod dashboard;
mod demo;
mod error;
mod listen;
mod mail;
mod memory;
mod openapi;
mod readiness;
mod reload;
mod routes;
mod runtime;
mod shutdown;
pub mod store;
mod tasks;
mod telemetry;

pub use cli::run;
