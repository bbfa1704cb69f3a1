//! The page that a log-in leads to: a path of ours, never another site.

use url::Url;

/// Octets of a path that is remembered.
const MAX_LENGTH: usize = 512;
/// Stands where the service's own origin would: only the rest counts.
const BASE: &str = "http://wayfile.invalid/";

/// The path and query that `wanted` names here; none when it leads elsewhere.
pub(crate) fn local(wanted: &str) -> Option<String> {
    if wanted.len() > MAX_LENGTH || !wanted.starts_with('/') {
        return None;
    }
    let base = Url::parse(BASE).ok()?;
    let url = base.join(wanted).ok()?;
    // As browsers read it: `//` and `/\` name another host. A path that still begins so would do it the next time.
    let stays = url.origin() == base.origin() && !url.path().starts_with("//");
    stays
        .then(|| url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_after_login_stay_on_this_host() {
        assert_eq!(local("/keys?page=2#top").as_deref(), Some("/keys?page=2"));
        assert_eq!(local("/a/../usage").as_deref(), Some("/usage"));
        for elsewhere in [
            "",
            "keys",
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "/a/..//evil.example",
            "/.//evil.example",
            &format!("/{}", "a".repeat(600)),
        ] {
            assert_eq!(local(elsewhere), None, "{elsewhere}");
        }
    }
}
