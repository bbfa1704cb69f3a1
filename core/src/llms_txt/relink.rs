//! An index whose entries lead elsewhere.

use super::link::links;

/// The text with the address of each list entry that `target` has another one for. Everything else stays as it is.
pub fn relink(text: &str, target: impl Fn(&str) -> Option<String>) -> String {
    let line = |line: &str| {
        let entry = line.starts_with("- [").then(|| links(line).next()).flatten();
        let moved = entry.and_then(|link| Some((link, target(link.url)?)));
        moved.map(|(link, to)| {
            // In an address they would end it.
            let to = to.replace('(', "%28").replace(')', "%29");
            format!("{}[{}]({to}){}", link.before, link.name, link.after)
        })
    };
    text.split_inclusive('\n').map(|text| line(text).unwrap_or_else(|| text.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_lead_elsewhere_and_the_rest_stays() {
        let text = "# Tide\n\n> See [a](https://a.dev/a).\n\n## Docs\n\n- [A \\[x\\]](https://a.dev/a): of [a](https://a.dev/a)\n\
                    - [B](https://a.dev/b)";
        let moved = relink(text, |url| (url == "https://a.dev/a").then(|| format!("{url}(1).md")));
        let entry = "- [A \\[x\\]](https://a.dev/a%281%29.md): of [a](https://a.dev/a)\n";
        assert_eq!(moved, text.replace("- [A \\[x\\]](https://a.dev/a): of [a](https://a.dev/a)\n", entry));
        assert_eq!(relink(text, |_| None), text);
    }
}
