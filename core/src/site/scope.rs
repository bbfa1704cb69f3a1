//! Which addresses belong to the site that was asked for.

use crate::percent;
use crate::url::SiteUrl;

/// The part of the web that one crawl may fetch: a host and its www or apex twin, on one port, below a path.
///
/// http and https count as one site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    host: String,
    /// `www.example.com` of `example.com` and the other way round.
    twin: Option<String>,
    /// None for the scheme's own port.
    port: Option<u16>,
    registrable: Option<String>,
    /// Ends with a slash, escapes normalised.
    prefix: String,
    /// The path of the seed, from which the prefix was made.
    seed_path: String,
}

impl Scope {
    /// The site of a seed, limited to the seed's path up to its last slash.
    pub fn new(seed: &SiteUrl) -> Self {
        let host = seed.host().to_owned();
        let registrable = seed.registrable_domain().map(str::to_owned);
        let seed_path = percent::normalize(seed.path()).into_owned();
        Self {
            twin: registrable.as_deref().and_then(|domain| twin(&host, domain)),
            port: seed.as_url().port(),
            prefix: directory(&seed_path).to_owned(),
            host,
            registrable,
            seed_path,
        }
    }

    /// Whether the crawl may fetch this address.
    pub fn contains(&self, url: &SiteUrl) -> bool {
        if !self.is_same_site(url) {
            return false;
        }
        if self.prefix == "/" {
            return true;
        }
        let path = percent::normalize(url.path());
        // `/docs` is where `/docs/` is linked from.
        path.starts_with(&self.prefix) || self.prefix.strip_suffix('/') == Some(&*path)
    }

    /// The folder that the site begins in, with a slash at both ends.
    pub fn folder(&self) -> &str {
        &self.prefix
    }

    /// Follows a redirect of the seed.
    ///
    /// A seed that names a directory keeps it when the redirect leads into it (`/` to `/en/welcome`, `/docs` to
    /// `/docs/intro`), or the rest of the site would be lost; any other redirect moves the scope to its target.
    pub fn moved_to(&mut self, target: &SiteUrl) {
        let mut moved = Self::new(target);
        if self.is_same_site(target) {
            let named = format!("{}/", self.seed_path.trim_end_matches('/'));
            if moved.seed_path.starts_with(&named) {
                moved.prefix = named;
                moved.seed_path.clone_from(&self.seed_path);
            }
        }
        *self = moved;
    }

    /// Whether an address belongs to another host of the same registrable domain (`blog.` beside `docs.`).
    pub fn is_sibling(&self, url: &SiteUrl) -> bool {
        !self.is_same_host(url)
            && self.registrable.is_some()
            && self.registrable.as_deref() == url.registrable_domain()
    }

    fn is_same_site(&self, url: &SiteUrl) -> bool {
        self.port == url.as_url().port() && self.is_same_host(url)
    }

    fn is_same_host(&self, url: &SiteUrl) -> bool {
        url.host() == self.host || self.twin.as_deref() == Some(url.host())
    }
}

/// Only the registrable domain itself and `www.` before it are twins.
fn twin(host: &str, registrable: &str) -> Option<String> {
    if host == registrable {
        Some(format!("www.{host}"))
    } else {
        (host.strip_prefix("www.")? == registrable).then(|| registrable.to_owned())
    }
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').and_then(|(before, _)| path.get(..=before.len())).unwrap_or("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn url(text: &str) -> SiteUrl {
        SiteUrl::parse(text).unwrap()
    }

    fn contains(seed: &str, other: &str) -> bool {
        Scope::new(&url(seed)).contains(&url(other))
    }

    #[test]
    fn a_host_and_its_twin_over_both_schemes() {
        assert!(contains("https://docs.rs/", "http://www.docs.rs/a"));
        assert!(contains("https://www.docs.co.uk/", "https://docs.co.uk/"));
        assert!(!contains("https://docs.rs/", "https://api.docs.rs/"));
        assert!(!contains("https://a.docs.rs/", "https://www.a.docs.rs/"));
        assert!(!contains("https://user.github.io/", "https://other.github.io/"));
        assert!(!contains("https://docs.rs/", "https://docs.rs:8443/"));
    }

    #[test]
    fn the_path_of_the_seed_limits_the_crawl() {
        let seed = "https://docs.rs/%7Ea/guide/intro.html";
        assert!(contains(seed, "https://docs.rs/~a/guide/x/y"));
        assert!(contains(seed, "https://docs.rs/~a/guide"));
        assert!(!contains(seed, "https://docs.rs/~a/guidelines"));
        assert!(!contains(seed, "https://docs.rs/"));
    }

    fn prefix_after(seed: &str, target: &str) -> String {
        let mut scope = Scope::new(&url(seed));
        scope.moved_to(&url(target));
        assert!(scope.contains(&url(target)));
        scope.prefix
    }

    #[test]
    fn a_redirect_of_the_seed_moves_the_scope() {
        assert_eq!(prefix_after("https://docs.rs/old/", "https://docs.rs/new/a"), "/new/");
        assert_eq!(prefix_after("https://docs.a.com/", "https://a.com/docs/"), "/docs/");
        assert_eq!(prefix_after("https://docs.rs/docs", "https://docs.rs/docs/intro/"), "/docs/");
    }

    #[test]
    fn a_redirect_into_the_seed_keeps_the_whole_of_it() {
        assert_eq!(prefix_after("http://docs.rs/", "https://www.docs.rs/en/welcome/"), "/");
        assert_eq!(prefix_after("https://docs.rs/docs/", "https://docs.rs/docs/v2/start/"), "/docs/");
    }

    #[test]
    fn other_hosts_of_the_domain_are_siblings() {
        let scope = Scope::new(&url("https://docs.a.co.uk/"));
        assert!(scope.is_sibling(&url("https://blog.a.co.uk/")));
        assert!(!scope.is_sibling(&url("https://docs.a.co.uk/x")));
        assert!(!scope.is_sibling(&url("https://b.co.uk/")));
        assert!(!Scope::new(&url("http://127.0.0.1/")).is_sibling(&url("http://127.0.0.2/")));
    }

    proptest! {
        #[test]
        fn a_site_holds_its_seed(path in "(/[a-z%0-9~.]{0,6}){0,5}", target in "(/[a-z]{0,3}){0,5}") {
            let seed = url(&format!("https://docs.rs{path}"));
            let mut scope = Scope::new(&seed);
            prop_assert!(scope.contains(&seed));
            let target = url(&format!("https://www.docs.rs{target}"));
            scope.moved_to(&target);
            prop_assert!(scope.contains(&target));
        }
    }
}
