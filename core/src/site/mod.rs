//! What a site is and which of its pages matter: addresses, robots.txt, sitemaps, ranking, the frontier.

pub mod outline;
pub mod pace;
pub mod url;
