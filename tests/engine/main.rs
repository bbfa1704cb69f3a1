//! The engine against real servers on loopback.

#![expect(clippy::unwrap_used, reason = "what is wrong here must stop it at once, with its place")]

#[path = "../support/mod.rs"]
mod support;

mod caching;
mod content;
mod crowd;
mod error_pages;
mod faults;
mod joining;
mod model;
mod model_faults;
mod politeness;
mod redirects;
mod repeating;
mod resolving;
mod robots;
mod unresponsive;
mod validation;
