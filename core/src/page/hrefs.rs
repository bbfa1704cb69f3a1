//! Where a page's `a` and `link` elements lead, read off its tags alone.

use super::charset;
use super::tokenizer::{Token, Tokenizer};
use super::vocabulary::{Name, Tag};

/// Elements that are looked at; a page with more is no home page.
const MAX_HREFS: usize = 10_000;

/// The references of a page as written, character references decoded.
pub fn hrefs(body: &[u8], content_type: Option<&str>) -> Vec<String> {
    let html = charset::decode_html(body, content_type);
    let mut tokens = Tokenizer::new(&html);
    let mut found = Vec::new();
    while let Some(token) = tokens.next_token() {
        if let Token::Start { tag: Tag::A | Tag::Link, first, .. } = token
            && found.len() < MAX_HREFS
        {
            let href = tokens.attributes[first..].iter().find(|attribute| attribute.name == Name::Href);
            found.extend(href.map(|href| htmlize::unescape_attribute(href.value).into_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_links_and_anchors() {
        let html = b"<!-- <a href=no> --><link rel=describedby href=/llms.txt><script>'<a href=no>'</script><a href='?a&amp;b'>";
        assert_eq!(hrefs(html, Some("text/html")), ["/llms.txt", "?a&b"]);
    }
}
