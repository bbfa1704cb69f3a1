//! What stands between the parts of a title: the page's name, the site's, a tagline.

use memchr::memchr;

use crate::phrases::list;

/// The least sure of them: it stands inside names too.
pub(crate) const COLON: &str = ": ";

/// All of them, the surest first.
pub(crate) const SEPARATORS: &[&str] = list! {
    " | " " \u{2014} " " \u{2013} " " \u{b7} " " \u{2022} " " :: " " \u{bb} " " \u{2039} " " \u{ab} " " -- " " - " COLON
};

/// Those of some marks that a text may hold: their sign alone is found sooner than all of them are.
pub(crate) fn met_in<'t>(
    marks: &'static [&'static str],
    text: &'t str,
) -> impl Iterator<Item = &'static str> + use<'t> {
    let has_sign = move |mark: &&str| {
        let sign = mark.trim().bytes().next_back();
        sign.is_some_and(|sign| memchr(sign, text.as_bytes()).is_some())
    };
    marks.iter().copied().filter(has_sign)
}
