//! What a site is and which of its pages matter: addresses, robots.txt, sitemaps, ranking, the frontier.

pub mod outline;
pub mod pace;
mod percent;
pub mod public;
pub mod robots;
pub mod scope;
pub mod sitemap;
pub mod traps;
pub mod url;
