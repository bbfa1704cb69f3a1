//! Texts that are numbers.

/// Whether a text is a number in ASCII digits, and no more.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether it is one of at most two digits, as those of days and of the pages of a list are.
pub(crate) fn is_short_number(text: &str) -> bool {
    text.len() <= 2 && is_number(text)
}
