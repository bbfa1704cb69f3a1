//! Percent-encoding, made comparable.

use std::borrow::Cow;

/// Whether an octet means the same escaped and plain (RFC 3986 section 2.3).
pub(crate) const fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

/// The octet that an escape stands for, when `bytes` starts with one (`%2F`).
pub(crate) fn escape_at(bytes: &[u8]) -> Option<u8> {
    let [b'%', digits @ ..] = bytes else { return None };
    octet_of(digits)
}

/// An octet as an escape with upper-case digits.
pub(crate) const fn escape(octet: u8) -> [u8; 3] {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    [b'%', DIGITS[(octet >> 4) as usize], DIGITS[(octet & 15) as usize]]
}

/// A character as the escapes of its octets.
pub(crate) fn escaped(c: char) -> impl Iterator<Item = char> {
    let mut octets = [0; 4];
    let length = c.encode_utf8(&mut octets).len();
    octets.into_iter().take(length).flat_map(escape).map(char::from)
}

/// Decodes escapes of unreserved octets and writes the others in upper case (RFC 3986 section 6.2.2).
///
/// What only looks like an escape (`%zz`) stays. Applying it twice changes nothing more.
pub(crate) fn normalize(text: &str) -> Cow<'_, str> {
    let mut runs = text.split('%');
    let plain = runs.next().unwrap_or_default();
    if plain.len() == text.len() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    out.push_str(plain);
    for run in runs {
        let Some((meant, after)) = octet_of(run.as_bytes()).zip(run.get(2..)) else {
            out.push('%');
            out.push_str(run);
            continue;
        };
        if is_unreserved(meant) && !would_complete_escape(out.as_bytes(), meant) {
            out.push(char::from(meant));
        } else {
            out.extend(escape(meant).map(char::from));
        }
        out.push_str(after);
    }
    Cow::Owned(out)
}

/// A text with its escapes decoded, as somebody reads it; what is no UTF-8 is replaced.
pub(crate) fn decoded(text: &str) -> String {
    String::from_utf8_lossy(&octets(text)).into_owned()
}

/// The octets of a text with its escapes decoded.
pub(crate) fn octets(text: &str) -> Vec<u8> {
    let mut runs = text.split('%');
    let mut out = runs.next().unwrap_or_default().as_bytes().to_vec();
    for run in runs {
        let meant = octet_of(run.as_bytes());
        out.push(meant.unwrap_or(b'%'));
        out.extend(run.as_bytes().iter().skip(if meant.is_some() { 2 } else { 0 }));
    }
    out
}

/// The octet that the two digits at the start of `bytes` make.
pub(crate) fn octet_of(bytes: &[u8]) -> Option<u8> {
    let [high, low, ..] = bytes else { return None };
    Some(hex_value(*high)? << 4 | hex_value(*low)?)
}

/// Whether a decoded digit would turn a stray `%` before it into an escape: `%%34%31` must not become `%41`.
fn would_complete_escape(out: &[u8], digit: u8) -> bool {
    digit.is_ascii_hexdigit()
        && matches!(out, [.., b'%'] | [.., b'%', _])
        && out.last().is_some_and(|last| *last == b'%' || last.is_ascii_hexdigit())
}

const fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn unreserved_octets_are_decoded_and_the_rest_is_upper_case() {
        assert_eq!(normalize("/%41%2d%7e%5F/%2f%c3%bc"), "/A-~_/%2F%C3%BC");
    }

    #[test]
    fn false_escapes_stay() {
        assert_eq!(normalize("/%zz/%4/%"), "/%zz/%4/%");
    }

    #[test]
    fn text_without_escapes_is_borrowed() {
        assert!(matches!(normalize("/docs/intro"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_stray_percent_sign_gets_no_digits_from_its_neighbours() {
        assert_eq!(normalize("%%34%31"), "%%341");
        assert_eq!(normalize("%4%31"), "%4%31");
    }

    proptest! {
        #[test]
        fn normalizing_is_idempotent(text in "[%0-9a-fA-Fé/~]{0,40}") {
            let once = normalize(&text).into_owned();
            prop_assert_eq!(normalize(&once), once.as_str());
        }
    }
}
