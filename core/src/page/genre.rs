//! What sort of page it is: that decides what an editor would take out of it.

use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};
use crate::phrases::list;
use crate::url::SiteUrl;

/// Generators of documentation, as they name themselves in `meta name=generator`.
const DOCUMENTATION: &str = "antora asciidoc bookdown docbook docfx docusaurus docutils doxygen gitbook groff haddock \
    javadoc jsdoc makeinfo mandoc mdbook mediawiki mintlify mkdocs nextra pandoc pdoc quarto \
    readme.io rustdoc sphinx starlight texinfo typedoc vitepress vuepress yard zensical";
/// What addresses of documentation are made of: first labels of a host, folders of a path.
const DOCUMENTATION_FOLDERS: &[&str] = list! {
    "api" "apidocs" "doc" "docs" "documentation" "handbook" "hc" "help" "javadoc" "kb" "man" "manual"
    "manuals" "reference" "wiki"
};
const DOCUMENTATION_HOSTS: &[&str] = list! {
    "api" "developer" "doc" "docs" "help" "manual" "support" "wiki"
};
/// And those of discussions.
const FORUM_FOLDERS: &[&str] = list! {
    "discuss" "discussion" "discussions" "forum" "forums" "questions" "showthread" "showthread.php"
    "showtopic" "thread" "threads" "topic" "viewtopic.php"
};

/// Names of programs on a page that documents them, at least.
const MIN_NAMES: NodeId = 8;
/// Elements of such a page for each of them, at most.
const ELEMENTS_PER_NAME: NodeId = 20;

/// What sort of page it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Genre {
    /// A generator of documentation made it: what that calls content is not second-guessed.
    Generated,
    /// Its address or the names of programs in it say that it documents something.
    Documentation,
    /// What readers write is its content.
    Discussion,
    /// Everything else: articles, shops, lists, home pages.
    Prose,
}

impl Genre {
    /// Decides by the generator, then by the address, then by what the page consists of.
    pub(super) fn of(tree: &Tree<'_>, url: &SiteUrl) -> Self {
        let body = tree.all(Tag::Body).next().unwrap_or(tree.len());
        let (mut is_article, mut is_documented) = (false, false);
        for node in tree.all(Tag::Meta).take_while(|&n| n < body) {
            let named = |name| tree.raw_attribute(node, name).unwrap_or_default().to_ascii_lowercase();
            is_article |= named(Name::Property) == "og:type" && named(Name::Content) == "article";
            if named(Name::MetaKey) == "generator" {
                let content = named(Name::Content);
                // `GAPDoc` is not `pdoc`.
                let starts = |(at, _)| !content.get(..at).is_some_and(|s| s.ends_with(char::is_alphanumeric));
                let is_named = |generator: &str| content.match_indices(generator).any(starts);
                if DOCUMENTATION.split(' ').any(is_named) {
                    return Self::Generated;
                }
                // Most others are called after what they write.
                is_documented |= content.contains("doc");
            }
        }
        match Self::by_address(url) {
            Self::Prose if is_documented || !is_article && is_reference(tree, body) => Self::Documentation,
            genre => genre,
        }
    }

    /// Whether nothing may be taken out but chrome.
    pub(super) fn is_documentation(self) -> bool {
        matches!(self, Self::Generated | Self::Documentation)
    }

    fn by_address(url: &SiteUrl) -> Self {
        let host = url.host().split('.').next().unwrap_or_default();
        let holds = |folders: &[&str]| url.path().split('/').any(|folder| folders.contains(&folder));
        if holds(FORUM_FOLDERS) {
            Self::Discussion
        } else if DOCUMENTATION_HOSTS.contains(&host) || holds(DOCUMENTATION_FOLDERS) {
            Self::Documentation
        } else {
            Self::Prose
        }
    }
}

/// Whether names of programs are much of what a page consists of.
fn is_reference(tree: &Tree<'_>, body: NodeId) -> bool {
    let total = |tag| tree.total(tag);
    let names: NodeId =
        [Tag::Code, Tag::Tt, Tag::Pre, Tag::Dt, Tag::Var, Tag::Kbd, Tag::Samp].into_iter().map(total).sum();
    let is_element = |&node: &NodeId| tree.tag(node) != Tag::Text;
    names >= MIN_NAMES
        && names.saturating_mul(ELEMENTS_PER_NAME) as usize > (body..tree.len()).filter(is_element).count()
        && names * 2 > total(Tag::P)
        && names > 2 * total(Tag::Img)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn genre(html: &str, url: &str) -> Genre {
        let tree = Tree::of(html);
        Genre::of(&tree, &SiteUrl::parse(url).unwrap())
    }

    #[test]
    fn pages_say_what_they_are() {
        let plain = "https://site.example/a";
        assert_eq!(genre("<meta name=generator content='mkdocs-1.6'><body>", plain), Genre::Generated);
        assert_eq!(genre("<meta name=generator content='WordPress 6'><body>", plain), Genre::Prose);
        assert_eq!(genre("<meta name=generator content='Kiln Docs 2'><body>", plain), Genre::Documentation);
        assert_eq!(genre("", "https://docs.site.example/"), Genre::Documentation);
        assert_eq!(genre("", "https://site.example/en/docs/a"), Genre::Documentation);
        assert_eq!(genre("", "https://site.example/threads/a.1"), Genre::Discussion);
        assert_eq!(genre("", "https://docsite.example/doctors"), Genre::Prose);
    }
}
