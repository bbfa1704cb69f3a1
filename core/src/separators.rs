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
    let sign = |mark: &str| mark.chars().find(|&c| c != ' ');
    SEPARATORS.iter().copied().filter(move |mark| sign(mark).is_some_and(|sign| title.contains(sign)))
}

/// Marks that part titles without a space beside them in scripts that have none.
const TIGHT: &[&str] = &["|", "\u{ff5c}", "\u{2014}", "\u{2013}", "\u{b7}", "\u{30fb}", "_", "-", "\u{ff0d}"];

/// Those of the marks that part a title beside a letter of a script without spaces: `窑炉_指南`.
pub(crate) fn tight_separators_in(title: &str) -> impl Iterator<Item = &'static str> {
    let has_wide = title.contains(is_wide);
    let parts = move |mark: &&str| {
        title.match_indices(mark).any(|(at, mark)| {
            let (before, behind) = (title.get(..at), title.get(at + mark.len()..));
            let beside =
                [before.and_then(|it| it.chars().next_back()), behind.and_then(|it| it.chars().next())];
            beside.into_iter().flatten().any(is_wide)
        })
    };
    TIGHT.iter().copied().filter(move |_| has_wide).filter(parts)
}

/// All marks that may part a title.
pub(crate) fn marks_in(title: &str) -> impl Iterator<Item = &'static str> {
    separators_in(title).chain(tight_separators_in(title))
}

/// A letter of a script that is written without spaces.
pub(crate) fn is_wide(sign: char) -> bool {
    sign > '\u{2e7f}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_part_scripts_without_spaces_alone() {
        let marks = |title| tight_separators_in(title).collect::<Vec<_>>();
        assert_eq!(marks("窑炉_指南"), ["_"]);
        assert_eq!(marks("Kiln 入门-窑"), ["-"]);
        assert_eq!(marks("窑炉｜指南"), ["\u{ff5c}"]);
        assert!(marks("x-ray_4 窑炉").is_empty() && marks("wood-fired").is_empty());
    }
}
