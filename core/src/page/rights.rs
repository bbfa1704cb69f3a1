//! What is said of rights, which tells nothing of what a page or a site is about.

use crate::phrases::Phrases;

static RIGHTS: Phrases = Phrases::new(&[
    "copyright \u{a9}",
    "copyright (c)",
    "all rights reserved",
    "redistribute it",
    "permission is granted to",
    "permission is hereby granted",
    "without any warranty",
    "implied warranty",
    "received a copy of the",
]);

/// Whether a sentence or a paragraph says who holds the rights to a text, or what others may do with it.
pub(crate) fn is_about_rights(text: &str) -> bool {
    let start = text.get(.."copyright".len());
    start.is_some_and(|start| start.eq_ignore_ascii_case("copyright"))
        || text.starts_with('\u{a9}')
        || RIGHTS.any_in(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_licence_is_told_from_what_is_licensed() {
        for text in [
            "Copyright 2026 The Kiln Authors",
            "\u{a9} 2026 Acme",
            "This manual is free software; you may redistribute it and/or modify it under the terms of the licence.",
            "Permission is granted to make verbatim copies of this manual.",
            "It is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY.",
            "You should have received a copy of the licence along with this manual; if not, write to its authors.",
        ] {
            assert!(is_about_rights(text), "{text}");
        }
        assert!(!is_about_rights("Kiln is a free tool to fire pots, licensed under the MIT licence."));
    }
}
