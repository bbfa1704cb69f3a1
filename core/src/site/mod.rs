//! What a site is and which of its pages matter: robots.txt, sitemaps, ranking, the frontier.

pub mod address_policy;
mod addresses;
pub mod duplicate;
pub mod failure_detector;
pub mod frontier;
pub mod globs;
pub mod locale;
pub mod outline;
pub mod pace;
pub mod rank;
pub mod robots;
pub mod scope;
pub mod sitemap;
pub mod soft_404;
pub mod structure;
pub mod traps;
pub mod version;
