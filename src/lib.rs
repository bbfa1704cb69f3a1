//! The service Wayfile: commands, accounts and keys, and the store behind them. `wayfile-actors` does the work.

mod app;
pub mod auth;
mod cli;
pub mod config;
mod dashboard;
mod error;
mod error_responses;
mod listen;
mod log_lines;
mod mail;
mod memory;
mod middleware;
mod openapi;
mod paths;
mod readiness;
mod reload;
mod routes;
mod runtime;
mod service;
mod shutdown_gate;
pub mod store;
mod tasks;
mod telemetry;

pub use cli::run;
