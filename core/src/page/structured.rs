//! What a page says in its scripts of structured data (JSON-LD), read without a parser: one value of one name.

use super::fold::fold;
use super::tree::{NodeId, Tree};

/// Scripts of structured data that are looked at.
pub(super) const MAX_SCRIPTS: usize = 8;
/// Bytes of a value; the rest is left out.
const MAX_VALUE: usize = 2_400;

/// The first text that one of the scripts gives the name `key`.
pub(super) fn value(tree: &Tree<'_>, scripts: &[NodeId], key: &str) -> Option<String> {
    let mut filled = scripts.iter().filter(|&&script| tree.node(script).end > script + 1);
    filled.find_map(|&script| text_of(tree.raw_text(script + 1), &format!("\"{key}\"")))
}

/// The text behind the first `quoted` key that has one.
fn text_of(json: &str, quoted: &str) -> Option<String> {
    json.match_indices(quoted).find_map(|(at, _)| {
        let rest = json.get(at + quoted.len()..)?.trim_start().strip_prefix(':')?.trim_start();
        unquoted(rest.strip_prefix('"')?)
    })
}

fn unquoted(json: &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = json.chars();
    while text.len() < MAX_VALUE {
        match chars.next()? {
            '"' => break,
            '\\' => match chars.next()? {
                'n' | 'r' | 't' => text.push(' '),
                'u' => {
                    let code: String = chars.by_ref().take(4).collect();
                    text.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
                }
                c => text.push(c),
            },
            c => text.push(c),
        }
    }
    Some(fold(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_name() {
        let json = r#"{"a":{"description":7},"description" : "say \"hi\"\n\u00e9","b":1}"#;
        assert_eq!(text_of(json, "\"description\"").as_deref(), Some("say \"hi\" \u{e9}"));
        assert_eq!(text_of(json, "\"b\""), None);
        assert_eq!(text_of(r#"{"a":"never ends"#, "\"a\""), None);
    }
}
