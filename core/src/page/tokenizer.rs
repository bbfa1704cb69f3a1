//! HTML text to tags and texts, by section 13.2.5 of the HTML standard, on borrowed bytes.
//!
//! Comments, doctypes and processing instructions are skipped. Character references stay as they are:
//! the caller decodes the texts it needs.

use memchr::{memchr, memchr2, memmem};

use super::vocabulary::{Name, Tag};
use crate::maps::byte_set;

/// An attribute whose value still has its character references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attribute<'a> {
    pub(super) name: Name,
    pub(super) value: &'a str,
}

/// A piece of markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text with character references.
    Text(&'a str),
    /// Text without character references: the content of a script or style, a CDATA section.
    Raw(&'a str),
    /// A start tag; its attributes are those of [`Tokenizer::attributes`] from `first` on.
    Start { tag: Tag, name: &'a str, first: usize, self_closing: bool },
    /// An end tag.
    End { tag: Tag, name: &'a str },
}

/// Reads tokens one after another; every byte is looked at a bounded number of times.
pub(super) struct Tokenizer<'a> {
    source: &'a str,
    at: usize,
    raw_until: Option<(Tag, &'a str)>,
    /// The attributes of all start tags so far.
    pub(super) attributes: Vec<Attribute<'a>>,
    /// The text that was returned last holds no character references; without a look at all of it, it may.
    pub(super) plain: bool,
    /// Inside `svg` or `math`, where CDATA sections exist and titles are not raw text.
    pub(super) foreign: bool,
}

impl<'a> Tokenizer<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self {
            source,
            at: 0,
            raw_until: None,
            attributes: Vec::with_capacity(source.len() / 48),
            plain: false,
            foreign: false,
        }
    }

    #[inline]
    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.source.get(from..to).unwrap_or_default()
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.source.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn find(&self, byte: u8, from: usize) -> Option<usize> {
        if self.byte(from) == byte {
            return Some(from);
        }
        memchr(byte, self.source.as_bytes().get(from..)?).map(|i| from + i)
    }

    /// Bytes read so far.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next token; `None` at the end.
    pub(super) fn next_token(&mut self) -> Option<Token<'a>> {
        if let Some((tag, name)) = self.raw_until.take()
            && let Some(token) = self.raw_text(tag, name)
        {
            return Some(token);
        }
        // A tag often stands right behind another one.
        if self.opens_markup(self.at) { self.markup(self.at) } else { self.text() }
    }

    /// Whether a tag, a comment or the like begins here.
    fn opens_markup(&self, at: usize) -> bool {
        self.byte(at) == b'<'
            && match self.byte(at + 1) {
                b'/' => at + 2 < self.source.len(),
                next => next.is_ascii_alphabetic() || matches!(next, b'!' | b'?'),
            }
    }

    fn markup(&mut self, open: usize) -> Option<Token<'a>> {
        match self.byte(open + 1) {
            b'!' => Some(self.declaration(open)),
            b'/' if self.byte(open + 2).is_ascii_alphabetic() => self.end_tag(open),
            b'/' | b'?' => Some(self.bogus_comment(open)),
            _ => self.start_tag(open),
        }
    }

    /// Text up to the next markup.
    fn text(&mut self) -> Option<Token<'a>> {
        let start = self.at;
        let rest = self.source.as_bytes().get(start..)?;
        let sign = memchr2(b'<', b'&', rest).map_or(self.source.len(), |length| start + length);
        self.plain = self.byte(sign) != b'&';
        let mut end = self.find(b'<', sign);
        while let Some(open) = end.filter(|&open| !self.opens_markup(open)) {
            self.plain = false;
            end = self.find(b'<', open + 1);
        }
        self.at = end.unwrap_or(self.source.len());
        (start < self.at).then(|| Token::Text(self.slice(start, self.at)))
    }

    /// Content of a raw text element: everything up to its own end tag; of a frame in a `noscript`, where authors close
    /// it like an image, up to the end of that.
    fn raw_text(&mut self, tag: Tag, name: &str) -> Option<Token<'a>> {
        let start = self.at;
        let mut from = start;
        let end = loop {
            let Some(open) = self.find(b'<', from) else { break self.source.len() };
            let ends = |name: &str| {
                let after = open + 2 + name.len();
                self.slice(open + 2, after).eq_ignore_ascii_case(name)
                    && (after >= self.source.len() || TAG_BREAKS[usize::from(self.byte(after))])
            };
            if self.byte(open + 1) == b'/' && (ends(name) || (tag == Tag::Iframe && ends("noscript"))) {
                break open;
            }
            from = open + 1;
        };
        (self.at, self.plain) = (end, false);
        let text = self.slice(start, end);
        let decoded = matches!(tag, Tag::Title | Tag::Textarea);
        (!text.is_empty()).then_some(if decoded { Token::Text(text) } else { Token::Raw(text) })
    }

    fn declaration(&mut self, open: usize) -> Token<'a> {
        let rest = self.slice(open, self.source.len());
        if rest.starts_with("<!--") {
            self.at = self.comment_end(open + 4);
            return self.nothing();
        }
        if self.foreign && rest.starts_with("<![CDATA[") {
            let start = open + 9;
            let length = memmem::find(self.slice(start, self.source.len()).as_bytes(), b"]]>");
            let end = length.map_or(self.source.len(), |n| start + n);
            self.at = length.map_or(end, |_| end + 3);
            return Token::Raw(self.slice(start, end));
        }
        self.bogus_comment(open)
    }

    /// Where the comment whose text starts at `start` is over: at `-->`, `--!>`, or at once for `<!-->`.
    fn comment_end(&self, start: usize) -> usize {
        if self.byte(start) == b'>' {
            return start + 1;
        }
        if self.byte(start) == b'-' && self.byte(start + 1) == b'>' {
            return start + 2;
        }
        let mut from = start;
        while let Some(close) = self.find(b'>', from) {
            let before = self.slice(start, close);
            if before.ends_with("--") || before.ends_with("--!") {
                return close + 1;
            }
            from = close + 1;
        }
        self.source.len()
    }

    fn bogus_comment(&mut self, open: usize) -> Token<'a> {
        self.at = self.find(b'>', open).map_or(self.source.len(), |i| i + 1);
        self.nothing()
    }

    /// What a comment yields: an empty text.
    fn nothing(&self) -> Token<'a> {
        Token::Text(self.slice(self.at, self.at))
    }

    fn tag_name(&self, start: usize) -> usize {
        let bytes = self.source.as_bytes().get(start..).unwrap_or_default();
        start + position(bytes, &TAG_BREAKS).unwrap_or(bytes.len())
    }

    fn end_tag(&mut self, open: usize) -> Option<Token<'a>> {
        let end = self.tag_name(open + 2);
        let name = self.slice(open + 2, end);
        let kept = self.attributes.len();
        self.tag_end(end)?;
        self.attributes.truncate(kept);
        Some(Token::End { tag: Tag::of(name.as_bytes()), name })
    }

    fn start_tag(&mut self, open: usize) -> Option<Token<'a>> {
        let end = self.tag_name(open + 1);
        let name = self.slice(open + 1, end);
        let first = self.attributes.len();
        let self_closing = self.tag_end(end)?;
        let tag = Tag::of(name.as_bytes());
        if tag.is_raw_text() && !(self.foreign && (self_closing || tag == Tag::Title)) {
            self.raw_until = Some((tag, name));
        }
        Some(Token::Start { tag, name, first, self_closing })
    }

    /// Reads what stands behind the name of a tag through the closing `>`; says whether a slash stood before it.
    /// `None` when the text ends inside the tag, which is then no tag at all.
    #[inline]
    fn tag_end(&mut self, at: usize) -> Option<bool> {
        if self.byte(at) == b'>' {
            self.at = at + 1;
            return Some(false);
        }
        self.attributes(at)
    }

    /// Reads attributes; of several with one name the first counts.
    fn attributes(&mut self, mut at: usize) -> Option<bool> {
        let bytes = self.source.as_bytes();
        let mut names = Name::SET_OF_OTHER;
        let mut slash = false;
        self.at = bytes.len();
        loop {
            match *bytes.get(at)? {
                b'>' => {
                    self.at = at + 1;
                    return Some(slash);
                }
                b'/' => {
                    slash = true;
                    at += 1;
                }
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => at += 1,
                _ => {
                    slash = false;
                    let (end, attribute) = self.attribute(at)?;
                    if attribute.name.joins(&mut names) {
                        self.attributes.push(attribute);
                    }
                    at = end;
                }
            }
        }
    }

    /// The attribute that starts here, and where it ends.
    fn attribute(&self, start: usize) -> Option<(usize, Attribute<'a>)> {
        let bytes = self.source.as_bytes();
        // An equals sign at the start belongs to the name.
        let from = start + 1;
        let mut at = from + position(bytes.get(from..)?, &NAME_BREAKS)?;
        let name = Name::of(bytes.get(start..at)?);
        let mut after = at;
        while bytes.get(after)?.is_ascii_whitespace() {
            after += 1;
        }
        let mut value = "";
        if bytes[after] == b'=' {
            at = after + 1;
            while bytes.get(at)?.is_ascii_whitespace() {
                at += 1;
            }
            match bytes[at] {
                quote @ (b'"' | b'\'') => {
                    let end = self.find(quote, at + 1)?;
                    value = self.slice(at + 1, end);
                    at = end + 1;
                }
                b'>' => {}
                _ => {
                    let from = at;
                    while *bytes.get(at)? != b'>' && !bytes[at].is_ascii_whitespace() {
                        at += 1;
                    }
                    value = self.slice(from, at);
                }
            }
        }
        Some((at, Attribute { name, value }))
    }
}

/// A tag that no text has.
const END: (&str, &str) = ("wayfile-end", "<wayfile-end>");

/// Whether nothing is open behind a piece of HTML that would take markup for its own: no comment, no tag and no script.
/// Linear in the piece.
pub(crate) fn is_closed(html: &str) -> bool {
    let ended = format!("{html}{}", END.1);
    let (mut tokens, mut last) = (Tokenizer::new(&ended), None);
    while let Some(token) = tokens.next_token() {
        last = Some(token);
    }
    matches!(last, Some(Token::Start { name, .. }) if name == END.0)
}

/// What ends the name of a tag.
static TAG_BREAKS: [bool; 256] = byte_set(b" \t\n\r\x0c/>");
/// What ends the name of an attribute.
static NAME_BREAKS: [bool; 256] = byte_set(b" \t\n\r\x0c/>=");

/// Where the first byte of a set stands.
fn position(bytes: &[u8], set: &[bool; 256]) -> Option<usize> {
    bytes.iter().position(|&byte| set[usize::from(byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(html: &str) -> Vec<String> {
        let mut tokenizer = Tokenizer::new(html);
        let mut all = Vec::new();
        while let Some(token) = tokenizer.next_token() {
            match token {
                Token::Text("") => {}
                Token::Text(text) => all.push(text.to_owned()),
                Token::Raw(text) => all.push(format!("raw:{text}")),
                Token::Start { name, first, .. } => {
                    let values: Vec<_> = tokenizer.attributes[first..].iter().map(|a| a.value).collect();
                    all.push(format!("<{name} {}>", values.join(",")));
                }
                Token::End { name, .. } => all.push(format!("</{name}>")),
            }
        }
        all
    }

    #[test]
    fn comments_end_where_the_standard_says() {
        assert_eq!(
            tokens("a<!---->b<!--> c --><!-- x --!>d<!-- <p> -- > -->e"),
            ["a", "b", " c -->", "d", "e"]
        );
        assert_eq!(tokens("a<!-- never closed <p>"), ["a"]);
        assert_eq!(tokens("<!doctype html>x<?php echo ?>y</ bogus>z"), ["x", "y", "z"]);
    }

    #[test]
    fn attributes_in_every_spelling() {
        assert_eq!(
            tokens("<A HREF=/x?a=b title='it \"is\"' id = \"i\"class=c/><a href><a href=a/b/>"),
            ["<A /x?a=b,it \"is\",i,c/>", "<a >", "<a a/b/>"]
        );
    }

    #[test]
    fn raw_text_is_no_markup() {
        assert_eq!(
            tokens("<script>if (a</b) '</scripty>'</SCRIPT ><title>a<b>&amp;</title>"),
            ["<script >", "raw:if (a</b) '</scripty>'", "</SCRIPT>", "<title >", "a<b>&amp;", "</title>"]
        );
    }

    #[test]
    fn lone_angle_brackets_are_text() {
        assert_eq!(tokens("a < b <3 </"), ["a < b <3 </"]);
        assert_eq!(tokens("x<a href=\"unclosed"), ["x"]);
    }

    #[test]
    fn what_is_open_takes_the_next_tag() {
        for html in ["", "a < b", "<div>", "<p><!-- a --><script>b</script>", "<a href='\"'>", "</ <?php ?>"]
        {
            assert!(is_closed(html), "{html}");
        }
        for html in ["<!-- a", "<div", "<div class=\"a", "<script>", "<div><style>a</div>", "</div ", "<?php"]
        {
            assert!(!is_closed(html), "{html}");
        }
    }
}
