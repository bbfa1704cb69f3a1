//! What stands between the parts of a title: the page's name, the site's, a tagline.

use crate::phrases::list;

/// The least sure of them: it stands inside names too.
pub(crate) const COLON: &str = ": ";

/// All of them, the surest first.
pub(crate) const SEPARATORS: &[&str] = list! {
    " | " " \u{2014} " " \u{2013} " " \u{b7} " " \u{2022} " " :: " " \u{bb} " " \u{2039} " " \u{ab} " " -- " " - " COLON
};

/// Those whose sign a title holds; few have any, and to look for each as a whole is dear.
pub(crate) fn separators_in(title: &str) -> impl Iterator<Item = &'static str> {
    SEPARATORS
        .iter()
        .copied()
        .filter(move |mark| mark.trim().chars().next().is_some_and(|sign| title.contains(sign)))
}
