//! An address as names of files.

use super::SiteUrl;
use crate::percent::{octet_of, octets};

/// Bytes of a name that every file system takes.
const NAME_MAX_BYTES: usize = 200;

impl SiteUrl {
    /// The parts of the path, decoded, as a file system would have them; a slash at the end makes no part. `None` where one is
    /// no plain name: empty, too long, `..`, or with a separator in it.
    pub fn file_names(&self) -> Option<Vec<String>> {
        let path = self.path().strip_prefix('/').unwrap_or(self.path());
        let path = path.strip_suffix('/').unwrap_or(path);
        if path.is_empty() {
            return Some(Vec::new());
        }
        path.split('/').map(file_name).collect()
    }
}

fn file_name(part: &str) -> Option<String> {
    if !part.split('%').skip(1).all(|run| octet_of(run.as_bytes()).is_some()) {
        return None;
    }
    let name = String::from_utf8(octets(part)).ok()?;
    let is_plain = !name.is_empty()
        && name.len() <= NAME_MAX_BYTES
        && !matches!(name.as_str(), "." | "..")
        && !name.contains(['/', '\\'])
        && !name.contains(char::is_control);
    is_plain.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str) -> Option<Vec<String>> {
        SiteUrl::parse(&format!("https://tide.dev{path}")).unwrap().file_names()
    }

    #[test]
    fn a_path_is_names_or_nothing() {
        assert_eq!(names("/").unwrap(), [""; 0]);
        assert_eq!(names("/docs/").unwrap(), ["docs"]);
        assert_eq!(names("/two%20words/caf%C3%A9.html?a=b").unwrap(), ["two words", "caf\u{e9}.html"]);
        for odd in ["/a//b", "/%2e%2e%2fa", "/a%00b", "/a%5cb", "/%ff", "/a%2", "/a%0Ab"] {
            assert_eq!(names(odd), None, "{odd}");
        }
        assert_eq!(names(&format!("/{}", "a".repeat(201))), None);
    }
}
