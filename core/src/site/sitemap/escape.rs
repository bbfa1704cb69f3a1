//! Escapes in the text and the attributes of XML, read leniently.

use std::borrow::Cow;

use quick_xml::escape::resolve_xml_entity;

/// Resolves the predefined entities and character references, twice: plug-ins escape what is escaped already.
/// Any other `&` is plain text.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    match unescape_once(text) {
        Cow::Borrowed(text) => Cow::Borrowed(text),
        Cow::Owned(once) => Cow::Owned(match unescape_once(&once) {
            Cow::Borrowed(_) => once,
            Cow::Owned(twice) => twice,
        }),
    }
}

fn unescape_once(text: &str) -> Cow<'_, str> {
    let Some((plain, mut rest)) = text.split_once('&') else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    out.push_str(plain);
    loop {
        let (next, more) = rest.split_once('&').map_or((rest, None), |(next, more)| (next, Some(more)));
        if let Some((character, after)) =
            next.split_once(';').and_then(|(name, after)| Some((referred(name)?, after)))
        {
            out.push(character);
            out.push_str(after);
        } else {
            out.push('&');
            out.push_str(next);
        }
        match more {
            Some(more) => rest = more,
            None => return Cow::Owned(out),
        }
    }
}

fn referred(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return resolve_xml_entity(name)?.chars().next();
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predefined_entities_and_character_references() {
        assert_eq!(unescape("&lt;&gt;&quot;&apos;&#97;&#x62;"), "<>\"'ab");
        assert!(matches!(unescape("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn doubly_escaped_text_is_unescaped_twice() {
        assert_eq!(unescape("a=1&amp;amp;b=2"), "a=1&b=2");
    }

    #[test]
    fn other_ampersands_are_plain_text() {
        assert_eq!(unescape("?a&b=1&nbsp;&#xffffffff;&;&"), "?a&b=1&nbsp;&#xffffffff;&;&");
    }
}
