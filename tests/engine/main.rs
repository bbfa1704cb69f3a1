//! The engine against real servers on loopback.

#[path = "../support/mod.rs"]
mod support;

mod caching;
mod content;
mod faults;
mod politeness;
mod redirects;
mod resolving;
mod robots;
