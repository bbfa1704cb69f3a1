//! The names of HTML that matter here, found by one comparison of numbers instead of a chain of comparisons of texts.

/// The longest word that its key holds whole.
const MAX_WHOLE: usize = 7;

/// A closed list of lower-case words with a hash index built at compile time.
pub(super) struct WordIndex<const SLOTS: usize> {
    /// The key of a word and its number, counted from 1.
    slots: [(u64, u16); SLOTS],
}

impl<const SLOTS: usize> WordIndex<SLOTS> {
    /// Indexes `words`; `SLOTS` has to exceed their number (twice it keeps probes short).
    pub(super) const fn new(words: &[&str]) -> Self {
        let mut slots = [(0, 0); SLOTS];
        let mut at = 0;
        let mut number = 1;
        while at < words.len() {
            let key = key(words[at].as_bytes());
            let mut slot = slot(key, SLOTS);
            while slots[slot].1 != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = (key, number);
            number += 1;
            at += 1;
        }
        Self { slots }
    }

    /// The position in `words` (the list that the index was built from) of `word`, whatever its case.
    pub(super) fn find(&self, words: &[&str], word: &[u8]) -> Option<usize> {
        let wanted = key(word);
        let mut slot = slot(wanted, SLOTS);
        loop {
            let (key, number) = self.slots[slot];
            let at = usize::from(number).checked_sub(1)?;
            if key == wanted
                && (word.len() <= MAX_WHOLE
                    || words.get(at).is_some_and(|known| known.as_bytes().eq_ignore_ascii_case(word)))
            {
                return Some(at);
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// A word as a number: its length and its letters in lower case, of a long word those at both ends.
pub(super) const fn key(word: &[u8]) -> u64 {
    let letters = match (word.first_chunk(), word.last_chunk()) {
        (Some(&start), Some(&end)) => {
            u32::from_le_bytes(start) as u64 | (u32::from_le_bytes(end) as u64 >> 8) << 32
        }
        _ => match *word {
            [a, b, c] => u32::from_le_bytes([a, b, c, 0]) as u64,
            [a, b] => u16::from_le_bytes([a, b]) as u64,
            [a] => a as u64,
            _ => 0,
        },
    };
    let length = if word.len() < 0xff { word.len() as u64 } else { 0xff };
    lower_case(letters) | length << 56
}

/// Eight bytes of ASCII in lower case; those of other characters stay.
const fn lower_case(bytes: u64) -> u64 {
    const ALL: u64 = 0x0101_0101_0101_0101;
    // Sums of seven bits each: their top bits tell which bytes are `A` or above, and which are above `Z`.
    let low = bytes & (0x7f * ALL);
    let from_a = low + (0x80 - b'A' as u64) * ALL;
    let above_z = low + (0x7f - b'Z' as u64) * ALL;
    let capitals = from_a & !above_z & !bytes & (0x80 * ALL);
    bytes | capitals >> 2
}

/// Where a table of so many slots keeps what has this key.
pub(super) const fn slot(key: u64, slots: usize) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % slots
}

macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident in $slots:literal: $($variant:ident $text:literal,)*) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum $name { $($variant,)* Other }

        impl $name {
            const NAMES: &'static [&'static str] = &[$($text),*];
            const ALL: &'static [Self] = &[$(Self::$variant),*];
            const INDEX: WordIndex<$slots> = WordIndex::new(Self::NAMES);

            /// Finds a name, whatever its case.
            pub(super) fn of(name: &[u8]) -> Self {
                static INDEX: WordIndex<$slots> = $name::INDEX;
                INDEX.find(Self::NAMES, name).and_then(|at| Self::ALL.get(at).copied()).unwrap_or(Self::Other)
            }
        }
    };
}

vocabulary! {
    /// Elements; `Document` and `Text` stand for the nodes that are none.
    Tag in 512:
    Document "#document", Text "#text",
    A "a", Abbr "abbr", Address "address", Annotation "annotation", Applet "applet", Area "area",
    Article "article", Aside "aside", Audio "audio", B "b", Base "base", Big "big", Blockquote "blockquote",
    Body "body", Br "br", Button "button", Canvas "canvas", Caption "caption", Center "center", Cite "cite",
    Code "code", Col "col", Colgroup "colgroup", Dd "dd", Del "del", Details "details", Dfn "dfn",
    Dialog "dialog", Dir "dir", Div "div", Dl "dl", Dt "dt", Em "em", Embed "embed", Fieldset "fieldset",
    Figcaption "figcaption", Figure "figure", Font "font", Footer "footer", ForeignObject "foreignobject",
    Form "form", Frame "frame", H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header",
    Hgroup "hgroup", Hr "hr", Html "html", I "i", Iframe "iframe", Img "img", Input "input", Ins "ins",
    Kbd "kbd", Label "label", Legend "legend", Li "li", Link "link", Listing "listing", Main "main",
    Map "map", Mark "mark", Marquee "marquee", Math "math", Menu "menu", Meta "meta", Nav "nav",
    Nobr "nobr", Noembed "noembed", Noframes "noframes", Noscript "noscript", Object "object", Ol "ol",
    Optgroup "optgroup", Option "option", P "p", Param "param", Picture "picture", Pre "pre", Q "q",
    Rp "rp", Rt "rt", Ruby "ruby", S "s", Samp "samp", Script "script", Search "search",
    Section "section", Select "select", Slot "slot", Small "small", Source "source", Span "span",
    Strike "strike", Strong "strong", Style "style", Sub "sub", Summary "summary", Sup "sup", Svg "svg",
    Table "table", Tbody "tbody", Td "td", Template "template", Textarea "textarea", Tfoot "tfoot",
    Th "th", Thead "thead", Time "time", Title "title", Tr "tr", Track "track", Tt "tt", U "u", Ul "ul",
    Var "var", Video "video", Wbr "wbr", Xmp "xmp",
}

vocabulary! {
    /// Attributes that say something about content; all others are not kept.
    Name in 128:
    Accesskey "accesskey", Align "align", Alt "alt", AltText "alttext", AriaHidden "aria-hidden", AriaLabel "aria-label",
    Charset "charset", Checked "checked", Class "class", Colspan "colspan", Content "content", DataDgst "data-dgst", DataLang "data-lang",
    DataLanguage "data-language", DataSrc "data-src", Datetime "datetime", Display "display", Encoding "encoding",
    Hidden "hidden", Href "href", Hreflang "hreflang", HttpEquiv "http-equiv", Id "id",
    Itemprop "itemprop", Itemtype "itemtype", Lang "lang", Media "media", MetaKey "name", Popover "popover", Property "property",
    Rel "rel", Role "role", Rowspan "rowspan", Src "src", Start "start", Style "style", Title "title", Type "type", Value "value",
    XmlLang "xml:lang",
}

impl Name {
    /// The set of names of which only those that are not kept are members.
    pub(super) const SET_OF_OTHER: u64 = 1 << Self::Other as u32;

    /// Adds itself to a set of names; says whether it is new there.
    pub(super) fn joins(self, names: &mut u64) -> bool {
        let before = *names;
        *names |= 1 << self as u32;
        *names != before
    }
}

impl Tag {
    /// How many there are: the size of a table by tag.
    pub(super) const COUNT: usize = Self::NAMES.len() + 1;

    /// The name, lower case; empty for [`Tag::Other`].
    #[cfg(test)]
    pub(super) fn name(self) -> &'static str {
        Self::NAMES.get(self as usize).copied().unwrap_or_default()
    }

    /// 1 to 6 for a heading.
    pub(super) fn heading_level(self) -> Option<u8> {
        match self {
            Self::H1 => Some(1),
            Self::H2 => Some(2),
            Self::H3 => Some(3),
            Self::H4 => Some(4),
            Self::H5 => Some(5),
            Self::H6 => Some(6),
            _ => None,
        }
    }

    /// Elements whose start tag ends an open paragraph.
    pub(super) fn ends_paragraph(self) -> bool {
        self.is_block() && !self.stands_in_its_place()
    }
}

macro_rules! tag_sets {
    ($($(#[$meta:meta])* $name:ident { $($tag:ident)* })*) => {
        impl Tag {
            $($(#[$meta])*
            pub(super) fn $name(self) -> bool {
                matches!(self, $(Self::$tag)|*)
            })*
        }
    };
}

tag_sets! {
    /// Elements that say something about the page as a whole: there are few, and they are asked for again and again.
    is_landmark {
        Base Body H1 H2 Html Link Meta Script Svg Template Time Title
    }

    /// Elements that never have content (HTML standard, section 13.1.2).
    is_void {
        Area Base Br Col Embed Frame Hr Img Input Link Meta Param Source Track Wbr
    }

    /// Elements whose content is text up to their end tag, whatever it looks like.
    is_raw_text {
        Script Style Xmp Iframe Noembed Noframes Title Textarea
    }

    /// Elements of the running text that the standard calls formatting: their end tag may come out of order.
    is_formatting {
        A B Big Code Em Font I Nobr S Small Strike Strong Tt U
    }

    /// Elements that stand on lines of their own.
    is_block {
        Address Article Aside Blockquote Body Caption Center Dd Details Dialog Dir Div Dl Dt Fieldset
        Figcaption Figure Footer Form H1 H2 H3 H4 H5 H6 Header Hgroup Hr Html Legend Li Listing Main Menu
        Nav Ol Optgroup Option P Pre Search Section Summary Table Tbody Td Tfoot Th Thead Tr Ul Xmp
    }

    /// Blocks that stand where no paragraph can be open.
    stands_in_its_place {
        Body Caption Html Legend Optgroup Option Tbody Td Tfoot Th Thead Tr
    }

    /// Elements that an end tag outside cannot close (HTML standard, "in scope").
    is_scope {
        Document Applet Caption Html Marquee Object Table Td Template Th ForeignObject
    }

    /// Elements whose content is never shown as text.
    is_unseen {
        Head Script Style Template Svg Iframe Object Video Audio Canvas Noframes Noembed Select Textarea
    }

    /// Elements that stand in running text without being a part of it.
    is_wordless {
        Script Style Svg Template
    }

    /// Elements that belong in the head of a page.
    belongs_in_head {
        Head Html Base Link Meta Noframes Noscript Script Style Template Title
    }

    /// Elements that mean something themselves: the search for a container ends before them.
    is_leaf {
        H1 H2 H3 H4 H5 H6 P Pre Table Ul Ol Dl Blockquote Figure Details
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_in_any_case() {
        for (at, name) in Tag::NAMES.iter().enumerate() {
            assert_eq!(Tag::of(name.to_uppercase().as_bytes()) as usize, at, "{name}");
        }
        for (at, name) in Name::NAMES.iter().enumerate() {
            assert_eq!(Name::of(name.as_bytes()) as usize, at, "{name}");
        }
        assert_eq!(Tag::of(b"blink"), Tag::Other);
        assert_eq!(Tag::of(b""), Tag::Other);
    }

    #[test]
    fn keys_tell_short_words_apart() {
        assert_eq!(Tag::of(b"h\x11"), Tag::Other);
        assert_eq!(Tag::of(b"a\0"), Tag::Other);
        assert_eq!(Tag::of(b"bloXXquote"), Tag::Other);
        let bytes = || (0..=u8::MAX).map(char::from);
        for byte in bytes() {
            let lower = u64::from(byte.to_ascii_lowercase()) & 0xff;
            assert_eq!(lower_case(u64::from(byte) << 56 | u64::from(byte)), lower << 56 | lower, "{byte:?}");
        }
    }
}
