//! Which letters a text is written in.

/// So many letters tell the script of a text.
const TELLING_LETTERS: usize = 40;

/// A letter that stands for a syllable or a word counts for so many of an alphabet.
const LETTERS_PER_SIGN: usize = 3;

/// A page in another script may quote this share of Latin letters, names and code, and is in that script still: three in four.
const LATIN_SHARE: usize = 4;

/// In Japanese one sign in so many is no Chinese one, or more are.
const KANA_SHARE: usize = 10;

/// The letters of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Script {
    Latin,
    Chinese,
    Japanese,
    Korean,
    /// Of another alphabet, by the block of Unicode that it begins in, in steps of 128.
    Other(u32),
}

impl Script {
    /// The script that most of a text is written in, if it is long enough to tell. Linear in the text.
    pub(super) fn of(text: &str) -> Option<Self> {
        let ascii = text.bytes().filter(u8::is_ascii_alphabetic).count();
        if text.is_ascii() {
            return (ascii >= TELLING_LETTERS).then_some(Self::Latin);
        }
        let (mut latin, mut han, mut kana, mut hangul) = (ascii, 0, 0, 0);
        let mut other = [0_usize; BLOCKS];
        for c in text.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()) {
            match u32::from(c) {
                0..0x250 | 0x1e00..0x1f00 => latin += 1,
                0x3040..0x3100 => kana += LETTERS_PER_SIGN,
                0x3400..0xa000 => han += LETTERS_PER_SIGN,
                0x1100..0x1200 | 0xac00..0xd7b0 => hangul += LETTERS_PER_SIGN,
                code => {
                    if let Some(count) = other.get_mut(block(code)) {
                        *count += 1;
                    }
                }
            }
        }
        let (block, alphabet) = (0..).zip(other).max_by_key(|&(_, count)| count)?;
        let signs = if kana * KANA_SHARE > han { Self::Japanese } else { Self::Chinese };
        let found = [(Self::Other(block), alphabet), (signs, han + kana), (Self::Korean, hangul)];
        let (script, letters) = found.into_iter().max_by_key(|&(_, count)| count)?;
        let all = letters + latin;
        let script = if letters * LATIN_SHARE >= all { script } else { Self::Latin };
        (all >= TELLING_LETTERS).then_some(script)
    }
}

/// Blocks of the alphabets, up to Unicode's first signs of syllables.
const BLOCKS: usize = 34;

/// The block that a letter belongs to; the supplements of Greek, Cyrillic and Arabic belong to theirs.
fn block(code: u32) -> usize {
    let home = match code {
        0x370..0x400 | 0x1f00..0x2000 => 0x380,
        0x400..0x530 => 0x400,
        0x590..0x600 => 0x580,
        0x600..0x780 => 0x600,
        code => code,
    };
    (home / 128) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_in_the_script_of_most_of_its_words() {
        let twice = |text: &str| format!("{text} ").repeat(10);
        for (text, script) in [
            ("Kiln und \u{d6}fen", Some(Script::Latin)),
            ("\u{7a91}\u{7089} kiln \u{70e7}\u{5236}", Some(Script::Chinese)),
            ("\u{7aaf}\u{3092}\u{713c}\u{304f} kiln", Some(Script::Japanese)),
            ("\u{ac00}\u{b9c8} heat the kiln", Some(Script::Korean)),
            ("\u{43f}\u{435}\u{447}\u{44c} kiln", Some(Script::Other(8))),
            ("A word such as \u{7a91} among many others", Some(Script::Latin)),
            ("1 2 3", None),
        ] {
            assert_eq!(Script::of(&twice(text)), script, "{text}");
        }
        assert_eq!(Script::of("short"), None);
    }
}
