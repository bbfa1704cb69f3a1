//! Error pages that are served with status 200: bot challenges and soft 404s.
//!
//! Only pages with little text are judged: an article about captchas or missing pages has more.

mod bot_challenge;
mod soft_404;

use super::tree::Tree;

pub use bot_challenge::is_marked;

/// Bytes of Markdown above which a page is none, whatever its title.
const MAX_MARKDOWN: usize = 1_200;

/// What a server sent instead of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorPage {
    /// A challenge, a captcha or a refusal for clients that are no browsers.
    BotChallenge,
    /// A page that says that there is no such page.
    Soft404,
}

/// The kind of error page that a page is, if it is one. `names`: its title and its headings.
pub(super) fn of(tree: &Tree<'_>, names: &[&str], markdown: &str) -> Option<ErrorPage> {
    if markdown.len() > MAX_MARKDOWN {
        return None;
    }
    if bot_challenge::is_bot_challenge(tree, names) {
        Some(ErrorPage::BotChallenge)
    } else if soft_404::is_soft_404(names, markdown) {
        Some(ErrorPage::Soft404)
    } else {
        None
    }
}

/// Lower case, one space between words, one kind of apostrophe, no signs at the ends.
fn plain(text: &str) -> String {
    let text = super::fold::fold(text).to_lowercase().replace('\u{2019}', "'");
    text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}
