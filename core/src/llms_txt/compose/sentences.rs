//! Where sentences end: by UAX 29, which knows the stops of every script, but no abbreviations.

use icu_segmenter::SentenceSegmenter;
use icu_segmenter::options::SentenceBreakInvariantOptions;

use crate::llms_txt::describe::is_unspaced;

/// Abbreviations that a name follows, in lower case; those with stops inside and single letters are known by that.
const ABBREVIATIONS: [&str; 15] =
    ["approx", "bzw", "cf", "dr", "eg", "ie", "mr", "mrs", "prof", "st", "ul", "vs", "кв", "просп", "ул"];
/// The most letters of an abbreviation that a number follows.
const ABBREVIATED_CHARS: usize = 3;

/// What words stand between that are said beside others.
pub(super) const OPENING: [char; 4] = ['(', '[', '（', '【'];
const CLOSING: [char; 4] = [')', ']', '）', '】'];

/// What a sentence ends with that has no stop: nothing in the scripts of South-East Asia.
pub(super) fn stop(said: &str) -> &'static str {
    match said.chars().next_back() {
        Some('\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}') => "。",
        Some(c) if is_unspaced(c) => "",
        _ => ".",
    }
}

/// What stands between the items of a list: more than a comma where they have one of their own.
pub(super) fn comma(items: &[&str]) -> &'static str {
    let has_own = items.iter().any(|item| item.contains([',', '、', '，']));
    let of_signs = items.iter().filter(|item| stop(item) == "。").count();
    match (of_signs * 2 > items.len(), has_own) {
        (true, true) => "；",
        (true, false) => "、",
        (false, true) => "; ",
        (false, false) => ", ",
    }
}

/// How far from the end of its room a text is cut at a word, in characters: scripts without spaces have none.
const WORD_CHARS: usize = 40;

/// What stands between the clauses of a sentence.
const CLAUSES: [char; 11] = [',', ';', ':', '(', '\u{2013}', '\u{2014}', '，', '、', '；', '（', '،'];

/// The sentences of a line of text, each with what closes it.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut ends =
        SentenceSegmenter::new(SentenceBreakInvariantOptions::default()).segment_str(text).peekable();
    let (mut start, mut read, mut says, mut depth, mut quotes) = (0, 0, false, 0_i32, 0_usize);
    let (last_close, last_quote) = (text.rfind(CLOSING), text.rfind('"'));
    std::iter::from_fn(move || {
        loop {
            let end = ends.next()?;
            // What was read before is not read again, or many numbers in a row would take long.
            let part = text.get(read..end).unwrap_or_default();
            says |= part.contains(char::is_alphabetic);
            depth += part.chars().map(turn).sum::<i32>();
            quotes += part.matches('"').count();
            // A stop between brackets or quotation marks ends nothing, if they close.
            let closes = |last: Option<usize>| last.is_some_and(|close| close >= end);
            let is_inside = depth > 0 && closes(last_close) || quotes % 2 == 1 && closes(last_quote);
            read = end;
            let sentence = text.get(start..end).unwrap_or_default().trim();
            // A mark that is part of a name ends nothing: `panic! stops it`, `panic!は`, `panic! は`.
            let (above, rest) = text.split_at_checked(end).unwrap_or_default();
            let touches = !above.ends_with(char::is_whitespace) && rest.starts_with(char::is_alphabetic);
            let goes_on_low = |c: char| c.is_lowercase() || is_unspaced(c);
            let is_mark =
                sentence.ends_with(['!', '?']) && (touches || rest.trim_start().starts_with(goes_on_low));
            if !sentence.is_empty()
                && (ends.peek().is_none() || says && !is_mark && !is_inside && !goes_on(sentence, rest))
            {
                (start, says, depth, quotes) = (end, false, 0, 0);
                return Some(sentence);
            }
        }
    })
}

/// How much deeper in brackets a text is behind a sign.
fn turn(c: char) -> i32 {
    i32::from(OPENING.contains(&c)) - i32::from(CLOSING.contains(&c))
}

/// Whether a stop ends no sentence: it stands behind an abbreviation, as any short word before a number is, or for what was left
/// out.
fn goes_on(sentence: &str, rest: &str) -> bool {
    let Some(bare) = sentence.strip_suffix('.') else { return false };
    let word = bare.rsplit(' ').next().unwrap_or_default().trim_start_matches(['(', '"', '\'', '\u{201c}']);
    let is_part = |part: &str| {
        let mut chars = part.chars();
        chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
    };
    let is_short = word.chars().nth(ABBREVIATED_CHARS).is_none() && word.chars().all(char::is_alphabetic);
    word.split('.').all(is_part)
        || is_short && rest.starts_with(|c: char| c.is_ascii_digit())
        || word.chars().all(|c| c == '.')
        || ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

/// Where a sentence of a text ends in it, in bytes.
pub(super) fn end_in(text: &str, sentence: &str) -> usize {
    sentence.as_ptr().addr() - text.as_ptr().addr() + sentence.len()
}

/// Whole sentences that fit into `room` characters, else the clauses of the first that do, or its words, and an ellipsis.
pub(super) fn cut(text: &str, room: usize) -> String {
    let Some((limit, _)) = text.char_indices().nth(room) else { return text.trim().to_owned() };
    let whole = sentences(text).map(|sentence| end_in(text, sentence)).take_while(|end| *end <= limit).last();
    if let Some(whole) = whole.and_then(|end| text.get(..end)) {
        return whole.trim().to_owned();
    }
    let head: String = text.chars().take(room.saturating_sub(1)).collect();
    let near = |at: &usize| head.get(*at..).is_some_and(|rest| rest.chars().count() <= WORD_CHARS);
    let clause = head.rfind(CLAUSES).filter(|at| at * 2 > head.len());
    let at = clause.or_else(|| head.rfind(' ').filter(near)).unwrap_or(head.len());
    let words = head.get(..at).unwrap_or_default();
    let words = words.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')');
    format!("{words}\u{2026}")
}

/// Whether a text ends as a sentence does, whatever closes it.
pub(super) fn is_ended(text: &str) -> bool {
    let said =
        text.trim_end_matches(|c: char| !c.is_alphanumeric() && ENDS.iter().all(|ends| !ends.contains(c)));
    said.ends_with(|c| ENDS.iter().any(|ends| ends.contains(c)))
}

/// What sentences end with: in most scripts, in those of East Asia, of the Near East, of South Asia and Ethiopia.
const ENDS: [&str; 4] = [".!?\u{2026}", "。！？｡．", "؟۔", "।॥။።"];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_list_is_joined_as_most_of_its_items_are_written() {
        assert_eq!(comma(&["窑炉", "陶器", "Kiln"]), "、");
        assert_eq!(comma(&["窑炉，陶器", "火"]), "；");
        assert_eq!(comma(&["Kiln", "窑炉", "Pot"]), ", ");
        assert_eq!(comma(&["Kilns, pots", "Fire"]), "; ");
    }

    #[test]
    fn sentences_end_where_a_reader_would_say() {
        let first = |text: &'static str| sentences(text).next().unwrap();
        for (text, sentence) in [
            ("Tools, e.g. Git. And more.", "Tools, e.g. Git."),
            ("Biuro stoi przy ul. Polnej. Jest czynne.", "Biuro stoi przy ul. Polnej."),
            ("Version 3.11 is out (new!). Yes", "Version 3.11 is out (new!)."),
            ("It reads kiln.conf. Then it starts.", "It reads kiln.conf."),
            ("By J. Doe. Next", "By J. Doe."),
            ("Der Ofen (ehem. Kiln) ist heiß. Ja.", "Der Ofen (ehem. Kiln) ist heiß."),
            ("It is (so to say. Hot", "It is (so to say."),
            ("It says \"Hot. Do not open\". And", "It says \"Hot. Do not open\"."),
            ("A door of 20\" is wide. Open it.", "A door of 20\" is wide."),
            ("The fire! macro lights it. Then", "The fire! macro lights it."),
            ("It burns! Then it cools.", "It burns!"),
            ("Hello, world!やfire!を使います。次に", "Hello, world!やfire!を使います。"),
            ("窯では fire! 这样的宏を使います。次に", "窯では fire! 这样的宏を使います。"),
            ("See Table 8.9. More follows.", "See Table 8.9."),
            ("On Nov. 9 Ada lit it. Then", "On Nov. 9 Ada lit it."),
            ("Nach Abs. 55 Ofengesetz ist er heiß. Ja.", "Nach Abs. 55 Ofengesetz ist er heiß."),
            ("It fires the kilns. 3 Kilns are hot.", "It fires the kilns."),
            ("Use ALTER ... ENABLE it. Then", "Use ALTER ... ENABLE it."),
            ("1.2. Pots are fired. Then", "1.2. Pots are fired."),
            ("Der Ofen, z. B. Aus Ton, ist heiß. Ja.", "Der Ofen, z. B. Aus Ton, ist heiß."),
            ("窯は熱い。次に冷ます。", "窯は熱い。"),
            ("هل الفرن ساخن؟ نعم.", "هل الفرن ساخن؟"),
            ("यह भट्ठी है। वह ठंडी है।", "यह भट्ठी है।"),
        ] {
            assert_eq!(first(text), sentence);
            assert!(is_ended(sentence), "{sentence}");
        }
        assert!(!is_ended("Kilns (of all kinds)") && is_ended("Kilns (of all kinds.)"));
    }

    #[test]
    fn long_text_is_cut_at_a_sentence_or_word() {
        assert_eq!(cut("One two three. Four five six seven.", 20), "One two three.");
        assert_eq!(cut("One two three four five", 15), "One two three\u{2026}");
        assert_eq!(cut("One two three, four five six", 20), "One two three\u{2026}");
        assert_eq!(cut("窯の使い方を説明します", 5), "窯の使い\u{2026}");
    }

    proptest! {
        #[test]
        fn a_cut_text_fits(text in "([.!? ()]|\\PC){0,60}", room in 10_usize..40) {
            prop_assert!(cut(&text, room).chars().count() <= room);
        }

        #[test]
        fn sentences_are_the_whole_text(text in "([.!? a。]|\\PC){0,60}") {
            let said: String = sentences(&text).collect();
            let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(bare(&said), bare(&text));
        }
    }
}
