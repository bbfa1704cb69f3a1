//! Where a page sends its readers by a script: `location = "latest/"`.

use memchr::memmem;

use super::tree::Tree;
use super::vocabulary::Tag;

/// Scripts of a page that are looked at.
const MAX_SCRIPTS: usize = 8;
/// Bytes of a script that sends readers on; a longer one does more than that.
const MAX_SCRIPT: usize = 4 << 10;
/// Bytes of the address in it.
const MAX_TARGET: usize = 1 << 10;

/// The literal that the scripts of a page set its location to. Of several the last one: those before it are for readers
/// with a certain browser or language. Linear in the scripts.
pub(super) fn target(tree: &Tree<'_>) -> Option<String> {
    let scripts =
        tree.all(Tag::Script).take(MAX_SCRIPTS).filter(|&script| tree.node(script).end > script + 1);
    let texts = scripts.map(|script| tree.raw_text(script + 1)).filter(|text| text.len() <= MAX_SCRIPT);
    texts.filter_map(in_script).last().map(str::to_owned)
}

fn in_script(script: &str) -> Option<&str> {
    memmem::find_iter(script.as_bytes(), b"location").filter_map(|at| assigned(script, at)).last()
}

/// The literal that is assigned to the `location` at this place of a script.
fn assigned(script: &str, at: usize) -> Option<&str> {
    let before = script.get(..at)?;
    let is_own =
        ["window.", "document.", "self.", "top.", "parent."].iter().any(|owner| before.ends_with(owner))
            || !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'));
    let rest = script.get(at + "location".len()..).filter(|_| is_own)?.trim_start();
    let rest = rest.strip_prefix(".href").unwrap_or(rest).trim_start();
    let call = || [".replace", ".assign"].iter().find_map(|name| rest.strip_prefix(name));
    let value = match rest.strip_prefix('=') {
        Some(value) => value,
        None => call()?.trim_start().strip_prefix('(')?,
    };
    let value = value.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let (literal, behind) = value.get(1..)?.split_once(quote)?;
    let is_plain = !literal.is_empty() && literal.len() <= MAX_TARGET && !literal.contains(['\\', '\n', '$']);
    (is_plain && is_whole(behind)).then_some(literal)
}

/// Whether nothing is added to a literal but what the page's own address carries behind its path.
fn is_whole(behind: &str) -> bool {
    let Some(added) = behind.trim_start_matches([' ', '\t']).strip_prefix('+') else { return true };
    let added = added.trim_start();
    let added = added.strip_prefix("window.").or_else(|| added.strip_prefix("document.")).unwrap_or(added);
    ["location.search", "location.hash"].iter().any(|kept| added.starts_with(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_where_a_script_leads() {
        for (script, target) in [
            ("window.location = 'latest/'", Some("latest/")),
            ("location.href=\"/en/\";", Some("/en/")),
            ("window.location.replace( `docs/` );", Some("docs/")),
            ("top.location.assign('a.html')", Some("a.html")),
            ("location.replace('v2/' + window.location.search + location.hash)", Some("v2/")),
            ("if (old) { location = '/old/' } else { location = '/new/' }", Some("/new/")),
            ("location = base + '/x'", None),
            ("location = '/x' + name", None),
            ("location == '/x'", None),
            ("location.replace(`/${name}/`)", None),
            ("mylocation = '/x'; shop.location = '/y'; var s = 'location'", None),
            ("location", None),
            ("location = '", None),
        ] {
            assert_eq!(in_script(script), target, "{script}");
        }
    }
}
