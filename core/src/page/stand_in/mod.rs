//! What servers send with status 200 in the place of a page.
//!
//! Only pages with next to nothing to say are looked at: a page that speaks of walls and of missing pages says more.

mod absent;
mod wall;

use super::tree::Tree;

pub use wall::is_marked;

/// Bytes of Markdown from which a page is one, whatever it is called.
const MAX_MARKDOWN: usize = 1_200;

/// What came in the place of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandIn {
    /// A wall before whoever is no browser: a challenge, a captcha, a refusal.
    Wall,
    /// The word that there is no such page.
    NotFound,
}

/// What a page stands in for, if it is none. `names`: its title and its headings.
pub(super) fn of(tree: &Tree<'_>, names: &[&str], markdown: &str) -> Option<StandIn> {
    if markdown.len() > MAX_MARKDOWN {
        return None;
    }
    if wall::is_wall(tree, names) {
        Some(StandIn::Wall)
    } else if absent::is_absent(names, markdown) {
        Some(StandIn::NotFound)
    } else {
        None
    }
}

/// Lower case, one space between words, one kind of apostrophe, no signs at the ends.
fn plain(text: &str) -> String {
    let text = super::fold::fold(text).to_lowercase().replace('\u{2019}', "'");
    text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}
