//! One language: a crawl keeps to the one of its seed.
//!
//! Two letters in a path are a language only when something else agrees (`/it/` may be a department), so an
//! address is refused on evidence: the seed stands in such a folder itself, the code has a region (`pt-br`), a
//! page says so of its translations, or pages fetched from the folder were written in that language. What a page is
//! written in is told by its text before what it declares.

mod familiar;
mod originals;
mod prose;
mod script;
mod tag;

use std::collections::{HashMap, HashSet};

use whatlang::Lang;

use self::familiar::Familiar;
use self::originals::Originals;
use self::prose::{head, is_mostly_ascii, sample, tongue, words};
use self::script::Script;
pub use self::tag::Tag;
use crate::url::{SiteUrl, above, folders, segments};
use crate::wording::Wording;

/// Query keys that choose a language.
const KEYS: &[&str] = &["hl", "lang", "language", "locale"];

/// How many folders a crawl remembers the language of.
const MAX_FOLDERS: usize = 1_000;

/// How many leading folders of an address may hold one language.
const MAX_DEPTH: usize = 3;

/// So many folders of other languages beside it tell that one is another.
const SIBLINGS: u32 = 2;

/// So many pages of a folder tell its language.
const TELLING_PAGES: u32 = 2;

/// How much of a page is looked at for its language, in bytes.
const MAX_TEXT: usize = 3 << 10;

/// The same where pages beside it told the language of their folder.
const KNOWN_TEXT: usize = 1 << 10;

/// And that much tells whether it has the words of those pages.
const FAMILIAR_TEXT: usize = 1 << 9;

/// A text in Chinese signs that is shorter than this may be Japanese, if it says so; in bytes.
const TELLING_SIGNS: usize = 600;

/// A text is familiar if its share of the words that the site's pages have in common is one in so many of the share in those
/// pages.
const SHARE: usize = 3;

/// The same where pages beside it told the language of their folder.
const KNOWN_SHARE: usize = 6;

/// Where a site begins in another language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation {
    /// What the site calls it, else its language's own name, else its tag or folder.
    pub name: String,
    /// Its home page.
    pub url: SiteUrl,
}

/// What the pages of a folder were found to be written in.
#[derive(Debug, Default)]
struct FolderLanguage {
    own: u32,
    other: u32,
}

/// What one page tells of its language, beside that of the crawl.
struct Evidence {
    /// It declares another.
    other_tag: bool,
    /// Its text is in other letters.
    other_script: bool,
    /// Whether its words are those of another, where they tell.
    other_tongue: Option<bool>,
    /// It is in Latin letters among pages of others, and declares their language.
    is_untranslated: bool,
}

/// Which language the crawl keeps to, and what it has learnt about the site's folders.
#[derive(Debug, Default)]
pub struct Locale {
    wanted: Option<Tag>,
    seed_in_folder: bool,
    /// How long the path of the folder is that the site begins in, in bytes.
    root: usize,
    /// What the text of the home page is written in.
    script: Option<Script>,
    tongue: Option<Lang>,
    /// The words that its pages share.
    familiar: Familiar,
    /// What the pages of each folder are written in, as far as they were read.
    folders: HashMap<String, FolderLanguage>,
    /// Those in another language as far as was read, while that is most of what was read.
    doubted: HashSet<String>,
    /// The folders that hold another language.
    others: HashSet<String>,
    /// How many of them are called after their language, by the folder that they stand in.
    siblings: HashMap<String, u32>,
    /// Pages that are in the language of the seed, and those refused on their own evidence.
    agreeing: u32,
    disagreeing: u32,
}

impl Locale {
    /// Keeps to the language of the seed's address, or, until a page tells, to none.
    pub fn new(seed: &SiteUrl) -> Self {
        let found = in_path(seed).map(|(_, tag)| tag);
        let seed_in_folder = found.is_some();
        let root = seed.path().rfind('/').map_or(0, |end| end + 1);
        Self { wanted: found.or_else(|| in_query(seed)), seed_in_folder, root, ..Self::default() }
    }

    /// The language of the crawl, once known: its primary subtag.
    pub fn wanted(&self) -> Option<&str> {
        self.wanted.as_ref().map(|tag| tag.primary.as_str())
    }

    /// The address tells that the page is in another language.
    pub fn refuses(&self, url: &SiteUrl) -> bool {
        self.part(url).is_some()
    }

    /// Whether a tag is that of another language.
    pub(crate) fn is_other(&self, tag: &str) -> bool {
        let other = |tag: Tag| self.wanted.as_ref().is_some_and(|wanted| wanted.primary != tag.primary);
        primary(tag).is_some_and(other)
    }

    /// The part of an address that tells that the page is in another language.
    pub(crate) fn part<'u>(&self, url: &'u SiteUrl) -> Option<&'u str> {
        // `/de` without a slash is the home page of a language too.
        let mut places = folders(url, MAX_DEPTH).chain([url.path()]);
        if !self.others.is_empty()
            && let Some(folder) = places.find(|at| self.others.contains(*at))
        {
            return Some(folder);
        }
        let wanted = self.wanted.as_ref()?;
        if in_query(url).is_some_and(|tag| !tag.suits(wanted)) {
            return url.as_url().query();
        }
        let (folder, tag) = in_path(url)?;
        // Beside `/de` and `/fr`, `/it` is no department.
        let is_among = || self.siblings.get(above(folder)).is_some_and(|&count| count >= SIBLINGS);
        let is_certain = self.seed_in_folder || tag.region.is_some() || is_among();
        (is_certain && !tag.suits(wanted)).then_some(folder)
    }

    /// Takes in a translation that a page or a sitemap declares (`hreflang`); `true` when it is not ours.
    pub fn declared(&mut self, tag: &str, url: &SiteUrl) -> bool {
        // A site for several regions in one language declares them all; the address must tell them apart.
        if !self.is_other(tag) {
            return false;
        }
        if let Some((folder, in_path)) = in_path(url)
            && primary(tag).is_some_and(|tag| tag.primary == in_path.primary)
        {
            self.remember(folder.to_owned());
        }
        true
    }

    /// Takes in a link of the home page: what those who speak a language call it leads to the site in that language.
    pub fn named(&mut self, name: &str, url: &SiteUrl) {
        let Some((folder, tag)) = in_path(url).filter(|(_, tag)| self.is_other(&tag.primary)) else { return };
        let own = Wording::language_of(&tag.primary);
        if own.is_some_and(|own| name.to_lowercase().contains(&own.to_lowercase())) {
            self.remember(folder.to_owned());
        }
    }

    /// Takes in the home page: the language that it declares, and what its text is written in.
    pub fn learn_home(&mut self, language: Option<&str>, text: &str) {
        let sample = sample(head(text, MAX_TEXT));
        // Names and addresses in Japanese have no kana.
        let is_short_of_kana =
            language.and_then(primary).is_some_and(|tag| tag.primary == "ja") && sample.len() < TELLING_SIGNS;
        self.script = match Script::of(&sample) {
            Some(Script::Chinese) if is_short_of_kana => Some(Script::Japanese),
            script => script,
        };
        self.tongue = tongue(&sample, self.script);
        self.wanted = self.wanted.take().or_else(|| language.and_then(primary));
        self.agreeing += 1;
    }

    /// Takes in a fetched page, by what it declares and what it is written in; `true` when that is another language.
    ///
    /// Themes are known to declare a wrong language throughout, so the text has the last word; but what is not translated
    /// yet is in Latin letters anywhere. A page is refused for itself only while those that agree with the seed outnumber
    /// those refused: a home page may differ from all of its site. `is_known` tells whether the site has a path.
    pub fn refuses_page(
        &mut self,
        url: &SiteUrl,
        language: Option<&str>,
        text: &str,
        is_known: impl Fn(&str) -> bool,
    ) -> bool {
        let declared = language.and_then(primary);
        let evidence = self.evidence(url, declared.as_ref(), text);
        let originals = self.originals();
        let is_translated = |folder: &str| originals.has(url, folder, &is_known);
        let is_other = match evidence.other_tongue {
            _ if evidence.is_untranslated => folders(url, MAX_DEPTH).any(is_translated),
            Some(other) => other,
            None => evidence.other_script || evidence.other_tag,
        };
        let is_told = evidence.other_script || evidence.other_tongue.is_some();
        if !is_other {
            self.agreeing += 1;
        }
        if is_told || (declared.is_some() && !evidence.other_tag) {
            self.count(url, is_other, is_translated);
        }
        if !is_other {
            return false;
        }
        if let Some((folder, tag)) = in_path(url)
            && self.is_other(&tag.primary)
            && declared.is_some_and(|declared| declared.primary == tag.primary)
        {
            self.remember(folder.to_owned());
            return true;
        }
        if self.refuses(url) {
            return true;
        }
        let refused = self.disagreeing < self.agreeing;
        self.disagreeing += u32::from(refused);
        refused
    }

    /// What a page tells of its language, and learns from it what the site's language is like.
    fn evidence(&mut self, url: &SiteUrl, declared: Option<&Tag>, text: &str) -> Evidence {
        let other_tag =
            matches!((declared, &self.wanted), (Some(its), Some(ours)) if its.primary != ours.primary);
        // What stands beside pages that told their language takes less to tell: it is dear, and every page would pay it.
        let is_open = other_tag || self.is_new(url);
        let text = head(text, if is_open { MAX_TEXT } else { KNOWN_TEXT });
        let is_latin_site = self.script.is_none_or(|script| script == Script::Latin);
        // The addresses of a list may be most of its bytes.
        let is_plain = is_latin_site && !other_tag && is_mostly_ascii(text);
        let script = if is_plain { self.script } else { Script::of(&sample(text)) };
        let other_script = matches!((script, self.script), (Some(its), Some(ours)) if its != ours);
        if self.wanted.is_none() && !other_script {
            self.wanted = declared.cloned();
        }
        // Where one alphabet serves both, telling them apart takes longer: it is done where there is a doubt, and the words of
        // the site's pages do not settle it. Languages that share them stand in folders that are called after them.
        let is_asked = (is_open || declared.is_none()) && !other_script;
        let (few, share) = if is_open { (text, SHARE) } else { (head(text, FAMILIAR_TEXT), KNOWN_SHARE) };
        let is_familiar = || !other_tag && in_path(url).is_none() && self.familiar.knows(words(few), share);
        let tongue = match self.tongue {
            _ if !is_asked => None,
            ours @ Some(_) if is_familiar() => ours,
            _ => tongue(&sample(text), script),
        };
        let other_tongue = tongue.zip(self.tongue).map(|(its, ours)| its != ours);
        if !other_tag && !other_script {
            self.tongue = self.tongue.or(tongue);
        }
        if other_tongue == Some(false) {
            self.familiar.learn(words(text));
        }
        let is_untranslated = other_script && !other_tag && script == Some(Script::Latin);
        Evidence { other_tag, other_script, other_tongue, is_untranslated }
    }

    /// Whether nothing but its own text says that a page is in another language: the site has no page that it translates, by its
    /// folder or its name (`about-de.html`).
    pub(crate) fn stands_alone(&self, url: &SiteUrl, is_known: impl Fn(&str) -> bool) -> bool {
        let originals = self.originals();
        // Before the extension, if there is one.
        let name = segments(url.path()).last().unwrap_or_default();
        let is_tagged = name.rsplit(['-', '_', '.']).take(2).any(|end| Tag::parse(end).is_some());
        !is_tagged
            && !self.refuses(url)
            && in_path(url).is_none_or(|(_, tag)| !self.is_other(&tag.primary))
            && !folders(url, MAX_DEPTH).any(|folder| originals.has(url, folder, &is_known))
    }

    fn originals(&self) -> Originals {
        let folder = self.wanted.as_ref().map(|wanted| format!("/{}", wanted.primary));
        Originals { root: self.root, folder }
    }

    /// Whether no page of the innermost folder was read that could tell its language.
    fn is_new(&self, url: &SiteUrl) -> bool {
        let read = |folder: &FolderLanguage| folder.own + folder.other >= TELLING_PAGES;
        let is_read = |folder: &str| self.folders.get(folder).is_some_and(read);
        folders(url, MAX_DEPTH).last().map_or(self.agreeing < TELLING_PAGES, |folder| !is_read(folder))
    }

    /// Counts a page for the folders that it lies in. One whose pages are all in another language, and without which their
    /// paths are those of others, is left out, if it is the smaller part of what was read.
    fn count(&mut self, url: &SiteUrl, is_other: bool, is_translated: impl Fn(&str) -> bool) {
        for folder in folders(url, MAX_DEPTH) {
            if !self.folders.contains_key(folder) && self.folders.len() >= MAX_FOLDERS {
                continue;
            }
            let counts = self.folders.entry(folder.to_owned()).or_default();
            counts.own += u32::from(!is_other);
            counts.other += u32::from(is_other && is_translated(folder));
            if counts.own == 0 && counts.other >= TELLING_PAGES {
                self.doubted.insert(folder.to_owned());
            }
        }
        // The pages of the site's own language may come behind those of others.
        if !self.doubted.is_empty() {
            self.settle_doubts();
        }
    }

    fn settle_doubts(&mut self) {
        let counts = |folder: &String| self.folders.get(folder).map(|counts| (counts.own, counts.other));
        let is_other =
            |folder: &String| counts(folder).is_some_and(|(own, other)| own == 0 && other < self.agreeing);
        let (others, doubted): (HashSet<_>, HashSet<_>) =
            std::mem::take(&mut self.doubted).into_iter().partition(is_other);
        self.doubted = doubted;
        for folder in others {
            self.remember(folder);
        }
    }

    fn remember(&mut self, folder: String) {
        // What stands in a folder of the site's own language is of several, at most.
        let suits = |tag: Tag| self.wanted.as_ref().is_some_and(|wanted| tag.suits(wanted));
        let is_own = segments(&folder).find_map(Tag::parse).is_some_and(suits);
        if is_own || self.others.len() >= MAX_FOLDERS || self.others.contains(&folder) {
            return;
        }
        let last = folder.rsplit('/').next().unwrap_or_default();
        if Tag::parse(last).is_some() {
            *self.siblings.entry(above(&folder).to_owned()).or_default() += 1;
        }
        self.others.insert(folder);
    }
}

/// The primary language of a tag, if it is one.
fn primary(language: &str) -> Option<Tag> {
    Tag::parse(language.split(['-', '_']).next().unwrap_or(language))
}

/// The first of the first three folders that is a language, with the path up to it.
fn in_path(url: &SiteUrl) -> Option<(&str, Tag)> {
    let path = url.path();
    let folders = above(path);
    // `/de` without a slash is the home page of a language too.
    let alone = (folders.is_empty()).then(|| path.trim_start_matches('/'));
    let mut end = 0;
    for segment in alone.into_iter().chain(folders.split('/').skip(1)).take(MAX_DEPTH) {
        end += segment.len() + 1;
        if let Some(tag) = Tag::parse(segment) {
            return path.get(..end).map(|folder| (folder, tag));
        }
    }
    None
}

fn in_query(url: &SiteUrl) -> Option<Tag> {
    url.as_url().query()?.split('&').find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        KEYS.contains(&key).then(|| Tag::parse(value)).flatten()
    })
}

/// Whether a path consists of nothing but a language: the home page of a translation.
pub(crate) fn is_bare(url: &SiteUrl) -> bool {
    let mut all = segments(url.path());
    all.next().is_some_and(|s| Tag::parse(s).is_some()) && all.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> SiteUrl {
        SiteUrl::parse(&format!("https://example.com{path}")).unwrap()
    }

    fn never(_: &str) -> bool {
        false
    }

    #[test]
    fn a_seed_in_a_language_folder_refuses_the_others() {
        let locale = Locale::new(&url("/en/docs/"));
        assert!(locale.refuses(&url("/de/docs/a")));
        assert!(locale.refuses(&url("/pt-br/docs/a")));
        assert!(!locale.refuses(&url("/en/docs/a")));
        assert!(!locale.refuses(&url("/docs/a")));
    }

    /// A crawl whose home page declares this language.
    fn at_home(language: &str) -> Locale {
        let mut locale = Locale::new(&url("/"));
        locale.learn_home(Some(language), "");
        locale
    }

    /// A crawl that has read its home page and three pages of this folder, all of them English.
    fn with_pages_in_english(folder: &str) -> Locale {
        let mut locale = Locale::new(&url("/"));
        locale.learn_home(Some("en"), ENGLISH);
        for page in ["a", "b", "c"] {
            assert!(!locale.refuses_page(&url(&format!("{folder}/{page}")), Some("en"), ENGLISH, never));
        }
        locale
    }

    const ENGLISH: &str = "The kiln is heated for a day and a night before the pots are fired, and it cools for as long. \
        Whoever opens it early will find that the glaze has cracked, since cold air reaches the walls of the pots while \
        they are still glowing. There is no way to mend that afterwards, so it is worth the while to wait for the morning \
        and to open the door by no more than a hand's breadth at first.";
    const FRENCH: &str = "Le four est chauff\u{e9} pendant un jour et une nuit avant la cuisson des pots, et il refroidit \
        aussi longtemps. Celui qui l'ouvre trop t\u{f4}t verra que l'\u{e9}mail s'est fendu, car l'air froid atteint les \
        parois des pots alors qu'elles sont encore rouges. On ne peut plus rien y faire ensuite, il vaut donc la peine \
        d'attendre le matin et de n'ouvrir la porte que d'une largeur de main.";
    const KOREAN: &str = "\u{ac00}\u{b9c8}\u{b294} \u{d558}\u{b8e8} \u{b099}\u{ace0} \u{d558}\u{b8e8} \u{bc24} \
        \u{b3d9}\u{c548} \u{b370}\u{c6cc}\u{c9c4}\u{b2e4} `kiln --heat` \u{b97c} \u{c0ac}\u{c6a9}\u{d569}\u{b2c8}\u{b2e4}";

    #[test]
    fn two_letters_alone_prove_nothing() {
        let locale = at_home("en");
        assert!(!locale.refuses(&url("/it/helpdesk")));
        assert!(locale.refuses(&url("/zh-cn/docs")));
        assert!(locale.refuses(&url("/docs?lang=fr")));
        assert!(!locale.refuses(&url("/ar-vr/headsets")) && !locale.refuses(&url("/ga-v4/")));
    }

    #[test]
    fn one_fetched_page_tells_the_language_of_a_folder() {
        let mut locale = at_home("en");
        assert!(locale.refuses_page(&url("/fr/a"), Some("fr"), "", never));
        assert!(locale.refuses(&url("/fr/b")));
    }

    #[test]
    fn hreflang_gives_a_folder_away() {
        let mut locale = at_home("en");
        assert!(locale.declared("de-DE", &url("/de/")));
        assert!(locale.refuses(&url("/de/preise")));
        assert!(!locale.declared("x-default", &url("/")));
        assert!(!at_home("nb-NO").declared("no", &url("/a")));
        assert_eq!(at_home("en_XX").wanted(), Some("en"));
    }

    #[test]
    fn a_theme_with_a_wrong_language_does_not_empty_the_site() {
        let mut locale = at_home("de");
        let lost =
            (0..100).filter(|i| locale.refuses_page(&url(&format!("/p{i}")), Some("en"), "", never)).count();
        assert_eq!(lost, 1);
    }

    #[test]
    fn the_text_has_the_last_word() {
        let mut locale = Locale::new(&url("/"));
        locale.learn_home(Some("en"), ENGLISH);
        assert!(!locale.refuses_page(&url("/a"), Some("fr"), ENGLISH, never));
        assert!(locale.refuses_page(&url("/b"), Some("en"), KOREAN, never));
        assert!(locale.refuses_page(&url("/c/d"), Some("en"), FRENCH, never));
        assert!(!locale.refuses_page(&url("/c/e"), Some("en"), "# Oui", never));
    }

    #[test]
    fn a_folder_of_another_language_is_known_by_two_pages() {
        let has_twin = |path: &str| ["/docs/a", "/docs/b"].contains(&path);
        for (language, text) in [("en", KOREAN), ("xx", FRENCH)] {
            let mut locale = with_pages_in_english("/docs");
            for page in ["/kr/docs/a", "/kr/docs/b"] {
                assert!(!locale.refuses(&url(page)));
                assert!(locale.refuses_page(&url(page), Some(language), text, has_twin), "{page}");
            }
            assert!(locale.refuses(&url("/kr/c")) && !locale.refuses(&url("/docs/d")));
        }
    }

    #[test]
    fn a_folder_of_another_language_stands_beside_that_of_the_sites_own() {
        let mut locale = with_pages_in_english("/en/docs");
        let has_twin = |path: &str| ["/en/docs/a", "/en/docs/b"].contains(&path);
        for page in ["/kr/docs/a", "/kr/docs/b"] {
            assert!(locale.refuses_page(&url(page), Some("ko"), KOREAN, has_twin), "{page}");
        }
        assert!(locale.refuses(&url("/kr/c")));
    }

    #[test]
    fn addresses_in_a_list_are_no_text_of_it() {
        let mut locale = with_pages_in_english("/en/docs");
        let names = KOREAN.split(' ').collect::<Vec<_>>();
        let link = |name: &&str| format!("- [{name}](https://docs.example.org/kr/{})\n", "docs/".repeat(20));
        let list: String = names.iter().map(link).collect();
        for page in ["/kr/docs/a", "/kr/docs/b"] {
            locale.refuses_page(&url(page), Some("ko"), &list, |path| path.starts_with("/en/"));
        }
        assert!(locale.refuses(&url("/kr/c")));
    }

    #[test]
    fn a_folder_of_another_language_may_be_read_before_the_sites_own() {
        let mut locale = Locale::new(&url("/"));
        locale.learn_home(Some("en"), ENGLISH);
        let has_twin = |path: &str| path.starts_with("/en/");
        for page in ["/kr/docs/a", "/kr/docs/b", "/kr/docs/c"] {
            locale.refuses_page(&url(page), Some("ko"), KOREAN, has_twin);
            assert!(!locale.refuses(&url("/kr/c")));
        }
        for page in ["/en/docs/a", "/en/docs/b", "/en/docs/c"] {
            assert!(!locale.refuses_page(&url(page), Some("en"), ENGLISH, has_twin));
        }
        assert!(locale.refuses(&url("/kr/c")) && !locale.refuses(&url("/en/c")));
    }

    #[test]
    fn untranslated_pages_belong_to_their_site() {
        let mut locale = Locale::new(&url("/"));
        locale.learn_home(Some("en"), &KOREAN.repeat(3));
        assert!(!locale.refuses_page(&url("/book/a"), Some("en"), ENGLISH, never));
        assert!(!locale.refuses_page(&url("/book/b"), Some("en"), KOREAN, never));
        assert!(locale.refuses_page(&url("/original/c"), Some("en"), ENGLISH, |path| path == "/c"));
    }

    #[test]
    fn a_folder_of_a_site_that_begins_in_a_folder_is_no_translation_of_its_home_page() {
        let mut locale = Locale::new(&url("/book/"));
        locale.learn_home(Some("ko"), &KOREAN.repeat(3));
        for page in ["/book/appendix/a", "/book/appendix/b", "/book/appendix/c"] {
            assert!(!locale.refuses_page(&url(page), Some("ko"), ENGLISH, |path| path == "/book/"), "{page}");
        }
    }

    #[test]
    fn names_in_other_letters_do_not_tell_the_language_of_a_text() {
        let quoted =
            ENGLISH.replace(". ", ". \u{7a91}\u{7089}\u{70e7}\u{5236}\u{4e00}\u{5929}\u{4e00}\u{591c} ");
        let chinese = format!("{quoted}{}", "\u{7a91}\u{7089}\u{70e7}\u{5236}".repeat(6));
        assert_eq!(Script::of(&chinese), Some(Script::Chinese));
        assert_eq!(tongue(&chinese, None), Some(Lang::Eng));
        assert_eq!(tongue(&chinese, Script::of(&chinese)), None);
    }

    #[test]
    fn a_home_page_in_another_language_than_all_of_its_site_does_not_empty_it() {
        let mut locale = Locale::new(&url("/"));
        locale.learn_home(Some("en"), ENGLISH);
        let lost = (0..100)
            .filter(|i| locale.refuses_page(&url(&format!("/docs/p{i}")), None, FRENCH, never))
            .count();
        assert_eq!(lost, 1);
        assert!(!locale.refuses(&url("/docs/p")));
    }

    #[test]
    fn languages_called_by_their_own_names_are_others_and_so_is_what_stands_beside_them() {
        let mut locale = at_home("en");
        let named =
            [("Deutsch", "/de"), ("Visit us", "/fr/"), ("English", "/en/"), ("Italiano", "/docs/it/")];
        for (name, path) in named {
            locale.named(name, &url(path));
        }
        assert!(locale.refuses(&url("/de/kilns")) && locale.refuses(&url("/docs/it/")));
        assert!(
            !["/fr/", "/no/kilns", "/en/kilns", "/docs/fr/"].iter().any(|path| locale.refuses(&url(path)))
        );
        locale.named("Français", &url("/fr/"));
        assert!(["/fr/", "/no/kilns", "/nl"].iter().all(|path| locale.refuses(&url(path))));
        assert!(!locale.refuses(&url("/en/kilns")) && !locale.refuses(&url("/docs/fr/")));
    }

    #[test]
    fn a_folder_of_the_sites_own_language_is_none_of_another() {
        let mut locale = at_home("en");
        let german =
            "Der Brennofen wird über Nacht geheizt und am nächsten Tag langsam wieder abgekühlt. ".repeat(6);
        let english =
            "The kiln is heated during the night and slowly cooled down again on the next day. ".repeat(6);
        for at in 0..4 {
            assert!(!locale.refuses_page(&url(&format!("/{at}")), Some("en"), &english, |_| true));
        }
        for (at, folder) in [(1, "en"), (2, "en"), (1, "news"), (2, "news")] {
            assert!(locale.refuses_page(&url(&format!("/{folder}/{at}")), Some("en"), &german, |_| true));
        }
        assert!(!locale.refuses(&url("/en/3")) && locale.refuses(&url("/news/3")));
    }

    #[test]
    fn a_bare_language_path_is_seen() {
        assert!(
            is_bare(&url("/de/")) && is_bare(&url("/de")) && !is_bare(&url("/de/a")) && !is_bare(&url("/"))
        );
    }
}
