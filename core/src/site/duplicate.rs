//! The same main content under several addresses counts once.
//!
//! Equal once white space is normalised; or, above `MIN_WORDS` words, at least `OVERLAP_PERCENT` % of the
//! five-word shingles in common. Candidates come from bands of a min-hash signature of how the texts begin, and each is read
//! once more and checked as a whole: few pages are ever compared, so none is kept here beside its text.

use std::cell::LazyCell;
use std::hash::BuildHasher;
use std::ops::ControlFlow;

use crate::maps::{Hashing, Map};
use crate::page::Page;
use crate::site::outline::CrawledPage;
use crate::site::rank::stem;
use crate::url::{SiteUrl, segments};

/// Shorter pages are duplicates only when they are equal: on them a few words make the difference.
const MIN_WORDS: usize = 100;

/// Bytes of a text that is no more than a heading, a slogan or where to write to. Many pages may show it; their titles tell
/// them apart.
const FEW_WORDS_BYTES: usize = 120;

/// Bytes at the beginning of a text that its signature is of: pages that are nearly the same begin so.
const HEAD: usize = 4 << 10;

/// The share of shingles that two pages must have in common.
const OVERLAP_PERCENT: usize = 95;

/// The same of two pages whose addresses end alike and whose texts begin alike: `/x` and `/x.html`, `/for-teachers/x` and
/// `/x`.
const TWIN_PERCENT: usize = 80;

/// Words of a shingle.
const SHINGLE: usize = 5;

/// Bits by which a hash is turned for every word behind it, that the order of words matters.
const TURN: u32 = 7;

/// Min-hashes of a signature. With bands of two, two pages that overlap by 95 % miss each other with a
/// probability of about 0.1^8.
const BANDS: usize = 8;
const ROWS: usize = 2;

/// Shingles of a page that are compared: all of most pages; of longer ones those with the lowest hashes, a
/// fair sample since of every page the lowest are taken.
const SAMPLE: usize = 4_096;

/// Bytes of a word and of the space behind it: there is room for as many words.
const WORD_BYTES: usize = 6;

/// What a hash is multiplied with, and what it begins as.
const MULTIPLE: u64 = 0xf39c_c060_5ced_c835;
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// How many pages a new one is compared with at most.
const MAX_CANDIDATES: usize = 8;

/// How many pages may share a band before it tells nothing.
const MAX_BAND: usize = 16;

#[derive(Debug)]
struct SeenPage {
    url: SiteUrl,
    /// Of its text.
    bytes: usize,
}

/// What new content is known by.
struct Print {
    whole: u64,
    /// None of a short text.
    bands: Option<[(u8, u64); BANDS]>,
}

/// The contents of the pages kept so far.
#[derive(Debug, Default)]
pub struct Duplicates {
    exact: Map<u64, usize>,
    bands: Map<(u8, u64), Vec<u32>>,
    /// The first page of each name and first line, by the hash of both.
    names: Map<u64, u32>,
    pages: Vec<SeenPage>,
    hashing: Hashing,
}

impl Duplicates {
    /// The number of the page that showed this content before; `None` when it is new, and then it is remembered. `pages` are
    /// the first of those that were new; of a page that is not `kept` among them, only equal ones are found later. Linear in
    /// the text and those it resembles.
    pub fn seen(
        &mut self,
        CrawledPage { url, page, .. }: &CrawledPage,
        kept: bool,
        pages: &[CrawledPage],
    ) -> Option<usize> {
        let (title, text) = (page.title.as_deref(), text(page));
        let print = match self.look_up(title, text, pages) {
            ControlFlow::Break(twin) => return Some(twin),
            ControlFlow::Continue(print) => print,
        };
        let number = u32::try_from(self.pages.len()).unwrap_or(u32::MAX);
        let name = name(url, beside(title, text).unwrap_or(text));
        if let Some(&at) = self.names.get(&name).filter(|_| kept)
            && pages.get(at as usize).is_some_and(|twin| are_twins(self::text(&twin.page), text))
        {
            return Some(at as usize);
        }
        if kept {
            self.names.entry(name).or_insert(number);
        }
        for band in print.bands.filter(|_| kept).into_iter().flatten() {
            let pages = self.bands.entry(band).or_default();
            if pages.len() < MAX_BAND {
                pages.push(number);
            }
        }
        self.exact.insert(print.whole, self.pages.len());
        self.pages.push(SeenPage { url: url.clone(), bytes: text.len() });
        None
    }

    /// The number of the page that shows this content; nothing is remembered.
    pub fn shown_by(&self, title: Option<&str>, markdown: &str, pages: &[CrawledPage]) -> Option<usize> {
        self.look_up(title, markdown, pages).break_value()
    }

    /// The address of the page with this number.
    pub fn url(&self, number: usize) -> Option<&SiteUrl> {
        self.pages.get(number).map(|page| &page.url)
    }

    /// The page with this content, or what to remember of it.
    fn look_up(&self, title: Option<&str>, text: &str, pages: &[CrawledPage]) -> ControlFlow<usize, Print> {
        let (head, rest) = text.split_at(text.floor_char_boundary(HEAD));
        let (chain, words) = read(head);
        let whole = match beside(title, text) {
            Some(title) => self.hashing.hash_one((title, chain)),
            None if rest.is_empty() => chain,
            None => self.hashing.hash_one((chain, rest)),
        };
        if let Some(&at) = self.exact.get(&whole) {
            return ControlFlow::Break(at);
        }
        if words.len() <= MIN_WORDS {
            return ControlFlow::Continue(Print { whole, bands: None });
        }
        let bands = bands(&shingles(&words));
        match self.near(&bands, text, pages) {
            Some(twin) => ControlFlow::Break(twin),
            None => ControlFlow::Continue(Print { whole, bands: Some(bands) }),
        }
    }

    fn near(&self, bands: &[(u8, u64)], text: &str, pages: &[CrawledPage]) -> Option<usize> {
        let mut candidates: Vec<u32> =
            bands.iter().filter_map(|band| self.bands.get(band)).flatten().copied().collect();
        if candidates.is_empty() {
            return None;
        }
        // Those that share the most bands first.
        candidates.sort_unstable();
        let mut groups: Vec<&[u32]> = candidates.chunk_by(|a, b| a == b).collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        let mine = LazyCell::new(|| sample(&read(text).1));
        let numbers = groups.iter().take(MAX_CANDIDATES).filter_map(|group| Some(*group.first()? as usize));
        let is_near =
            |&number: &usize| self.pages.get(number).is_some_and(|page| may_overlap(page.bytes, text.len()));
        numbers.filter(is_near).find(|&number| {
            let words = pages.get(number).map(|page| read(self::text(&page.page)).1);
            words.is_some_and(|words| overlap_percent(&sample(&words), &mine) >= OVERLAP_PERCENT)
        })
    }
}

/// The text of a page, and of a shell, which shows none, what its head says.
fn text(page: &Page) -> &str {
    if page.shell { page.description.as_deref().unwrap_or_default() } else { &page.markdown }
}

/// The title, beside a text that does not tell its page from others.
fn beside<'t>(title: Option<&'t str>, text: &str) -> Option<&'t str> {
    title.filter(|_| text.len() < FEW_WORDS_BYTES)
}

/// What the two addresses of one page have in common, with what its text begins with: the last segment without its ending.
fn name(url: &SiteUrl, markdown: &str) -> u64 {
    let mut segments = segments(url.path()).rev();
    let last = segments.next().map_or("", stem);
    let name = if last == "index" { segments.next().unwrap_or_default() } else { last };
    let first = markdown.trim_start().lines().next().unwrap_or_default();
    let (_, words) = read(first);
    words.iter().chain(&read(name).1).fold(SEED, |all, &word| next(all, word))
}

/// Whether two texts are one but for where their links lead and some words.
fn are_twins(one: &str, other: &str) -> bool {
    let read = |text: &str| read(&without_addresses(text));
    let ((whole, words), (its, others)) = (read(one), read(other));
    if whole == its {
        return true;
    }
    let is_long = words.len().min(others.len()) > MIN_WORDS;
    is_long && overlap_percent(&sample(&words), &sample(&others)) >= TWIN_PERCENT
}

/// A text without the addresses of its links. Linear.
fn without_addresses(markdown: &str) -> String {
    let mut parts = markdown.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push(' ');
        text.push_str(part.split_once(')').map_or(part, |(_, behind)| behind));
    }
    text
}

/// The chain over all words of a text, and the hash of each. A forged collision gains nothing but the loss of one's own page.
fn read(text: &str) -> (u64, Vec<u64>) {
    let mut words = Vec::with_capacity(text.len() / WORD_BYTES);
    let mut word = SEED;
    for &byte in text.as_bytes() {
        if byte > b' ' {
            word = next(word, u64::from(byte));
        } else if word != SEED {
            words.push(std::mem::replace(&mut word, SEED));
        }
    }
    if word != SEED {
        words.push(word);
    }
    (words.iter().copied().fold(SEED, |whole, word| next(whole.rotate_left(TURN), word)), words)
}

/// Goes on with a hash. An odd factor takes no two words for one: pages that differ by a name differ wherever it stands.
fn next(hash: u64, part: u64) -> u64 {
    (hash ^ part).wrapping_mul(MULTIPLE)
}

/// The hashes of all runs of so many words as a shingle has. They are half as long as a number: two equal ones among a page's
/// few thousand are no matter.
fn shingles(words: &[u64]) -> Vec<u32> {
    let hash = |run: &[u64]| run.iter().fold(0, |all: u64, word| all.rotate_left(TURN) ^ word);
    words.windows(SHINGLE).map(|run| (hash(run).wrapping_mul(MULTIPLE) >> 32) as u32).collect()
}

/// The lowest hashes of a text's shingles, sorted.
fn sample(words: &[u64]) -> Vec<u32> {
    let mut shingles = shingles(words);
    if shingles.len() > SAMPLE {
        let _ = shingles.select_nth_unstable(SAMPLE);
        shingles.truncate(SAMPLE);
    }
    shingles.sort_unstable();
    shingles
}

/// One-permutation min-hash: the shingles fall into as many bins as the signature has rows, the lowest of each
/// counts.
fn bands(shingles: &[u32]) -> [(u8, u64); BANDS] {
    let mut lowest = [u32::MAX; BANDS * ROWS];
    for &shingle in shingles {
        let bin = shingle as usize % (BANDS * ROWS);
        lowest[bin] = lowest[bin].min(shingle);
    }
    let mut bands = [(0, 0); BANDS];
    for ((band, rows), number) in bands.iter_mut().zip(lowest.chunks(ROWS)).zip(0..) {
        *band = (number, rows.iter().fold(0, |all: u64, &row| all << 32 | u64::from(row)));
    }
    bands
}

/// Whether two pages of so many bytes can have enough in common: a look before one is read again.
fn may_overlap(a: usize, b: usize) -> bool {
    a.min(b) * 100 >= a.max(b) * TWIN_PERCENT
}

/// The Jaccard index of two sorted samples, in percent, over the range that both cover.
fn overlap_percent(a: &[u32], b: &[u32]) -> usize {
    let reach = match (a.last(), b.last()) {
        (Some(&last_a), Some(&last_b)) if a.len() == SAMPLE || b.len() == SAMPLE => last_a.min(last_b),
        (Some(_), Some(_)) => u32::MAX,
        _ => return 0,
    };
    let (mut left, mut right) = (within(a, reach).iter().peekable(), within(b, reach).iter().peekable());
    let (mut common, mut union) = (0usize, 0usize);
    while let (Some(low), Some(high)) = (left.peek(), right.peek()) {
        let order = low.cmp(high);
        common += usize::from(order.is_eq());
        union += 1;
        if order.is_le() {
            left.next();
        }
        if order.is_ge() {
            right.next();
        }
    }
    union += left.len() + right.len();
    (common * 100).checked_div(union).unwrap_or(0)
}

fn within(sorted: &[u32], reach: u32) -> &[u32] {
    sorted.split_at(sorted.partition_point(|&hash| hash <= reach)).0
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn url(n: usize) -> SiteUrl {
        SiteUrl::parse(&format!("https://example.com/{n}")).unwrap()
    }

    fn page(url: SiteUrl, markdown: &str) -> CrawledPage {
        CrawledPage {
            link: url.clone(),
            url,
            page: Page { markdown: markdown.to_owned(), ..Page::default() },
        }
    }

    /// The pages of a crawl.
    #[derive(Default)]
    struct Crawl {
        duplicates: Duplicates,
        pages: Vec<CrawledPage>,
    }

    impl Crawl {
        fn add(&mut self, page: CrawledPage) -> Option<SiteUrl> {
            let twin = self.duplicates.seen(&page, true, &self.pages);
            if twin.is_none() {
                self.pages.push(page);
            }
            self.duplicates.url(twin?).cloned()
        }

        fn seen(&mut self, number: usize, text: &str) -> Option<SiteUrl> {
            self.add(page(url(number), text))
        }

        fn shown_by(&self, text: &str) -> Option<SiteUrl> {
            self.duplicates.url(self.duplicates.shown_by(None, text, &self.pages)?).cloned()
        }
    }

    fn text(words: usize, salt: usize) -> Vec<String> {
        (0..words).map(|i| format!("word{}", (i * 7 + i * i * salt) % 9_973)).collect()
    }

    #[test]
    fn equal_but_for_white_space_is_the_same_page() {
        let mut pages = Crawl::default();
        assert_eq!(pages.seen(1, "# Hi\n\nshort text"), None);
        assert_eq!(pages.seen(2, "# Hi short  text\n"), Some(url(1)));
        assert_eq!(pages.shown_by("# Hi short texts"), None);
        assert_eq!(pages.seen(3, "# Hi short texts"), None);
        assert_eq!(pages.shown_by("# Hi short  texts"), Some(url(3)));
    }

    #[test]
    fn a_page_whose_text_is_gone_is_known_by_all_of_it() {
        let mut pages = Duplicates::default();
        let words = text(200, 3);
        let mut seen =
            |number, words: &[String]| pages.seen(&page(url(number), &words.join(" ")), false, &[]);
        assert_eq!(seen(1, &words), None);
        let mut other = words.clone();
        other[100] = "changed".to_owned();
        assert_eq!(seen(2, &other), None);
        assert_eq!((seen(3, &words), seen(4, &other)), (Some(0), Some(1)));
        assert!(pages.bands.is_empty());
    }

    #[test]
    fn one_page_under_two_addresses_may_differ_in_its_links_and_some_words() {
        let site = |path: &str| SiteUrl::parse(&format!("https://example.com{path}")).unwrap();
        let mut words = text(400, 3);
        words[0] = "# Kilns\n\n".to_owned();
        let first = format!("{} [Clay](https://example.com/clay)", words.join(" "));
        for at in [50, 150, 250, 350] {
            words[at] = "[changed](https://example.com/x/clay)".to_owned();
        }
        let second = words.join(" ");
        let short = ["# Pots\n\n[Clay](clay.html)", "# Pots\n\n[Clay](../clay/)"];
        let mut pages = Crawl::default();
        let mut seen = |path: &str, text: &str| pages.add(page(site(path), text));
        assert_eq!((seen("/kilns.html", &first), seen("/pots", short[0])), (None, None));
        assert_eq!(seen("/kilns/", &second), Some(site("/kilns.html")));
        assert_eq!(seen("/teachers/kilns/index.html", &second), Some(site("/kilns.html")));
        assert_eq!(seen("/pots.html", short[1]), Some(site("/pots")));
        assert_eq!((seen("/firing", &second), seen("/vases", short[1])), (None, None));
    }

    #[test]
    fn a_few_words_are_another_pages_only_under_its_title() {
        let titled = |number, title: &str, text: &str| {
            let mut page = page(url(number), text);
            page.page.title = Some(title.to_owned());
            page
        };
        let (few, many) = ("Soon more.", text(200, 3).join(" "));
        let mut pages = Crawl::default();
        assert_eq!((pages.add(titled(1, "Kilns", few)), pages.add(titled(2, "Pots", few))), (None, None));
        assert_eq!(pages.add(titled(3, "Pots", few)), Some(url(2)));
        assert_eq!(
            (pages.add(titled(4, "Clay", &many)), pages.add(titled(5, "Ash", &many))),
            (None, Some(url(4)))
        );
        let mut shell = titled(6, "Map", "");
        shell.page.shell = true;
        shell.page.description = Some("Where clay is dug.".to_owned());
        assert_eq!(pages.add(shell.clone()), None);
        shell.url = url(7);
        assert_eq!(pages.add(shell), Some(url(6)));
    }

    #[test]
    fn words_are_found_wherever_they_stand() {
        // Of every length, behind every number of blanks: some begin in one block and end in the next.
        let words: Vec<String> =
            (1..40).map(|length| "kiln\u{e9}".repeat(9).chars().take(length).collect()).collect();
        let spaced =
            |blank: &str| (0..70).map(|at| blank.repeat(at) + &words.join(blank)).collect::<Vec<_>>();
        let all = [spaced(" "), spaced("\n"), spaced(" \t")].concat();
        let first = read(&words.join(" "));
        assert_eq!(first.1.len(), words.len());
        assert!(all.iter().all(|text| read(text) == first && read(&format!("{text}\n")) == first));
        assert_ne!(read("kilns of clay"), read("kiln sof clay"));
    }

    #[test]
    fn long_pages_may_differ_by_little() {
        for words in [800, 6_000] {
            let mut pages = Crawl::default();
            pages.seen(0, "another page");
            let original = text(words, 3);
            assert_eq!(pages.seen(1, &original.join(" ")), None);
            let mut one_word = original.clone();
            one_word[words / 2] = "changed".to_owned();
            assert_eq!(pages.seen(2, &one_word.join("\n")), Some(url(1)), "{words}");
            let mut a_tenth = original;
            for word in &mut a_tenth[..words / 10] {
                word.push('x');
            }
            assert_eq!(pages.seen(3, &a_tenth.join(" ")), None, "{words}");
        }
    }

    #[test]
    fn pages_of_one_template_are_told_apart_by_a_name() {
        let mut pages = Crawl::default();
        for number in 0..1_000 {
            let sentences =
                (0..12).map(|at| format!("{number} has pots in room {at}, and clay in many other rooms."));
            assert_eq!(pages.seen(number, &sentences.collect::<Vec<_>>().join(" ")), None);
        }
    }

    #[test]
    fn short_pages_must_be_equal() {
        let mut pages = Crawl::default();
        let mut words = text(90, 3);
        pages.seen(1, &words.join(" "));
        words.push("more".to_owned());
        assert_eq!(pages.seen(2, &words.join(" ")), None);
    }

    #[test]
    fn a_run_is_the_same_wherever_it_stands() {
        let last = |text: &str| *shingles(&read(text).1).last().unwrap();
        let run = last("melts at a thousand degrees");
        assert_eq!(last("The glaze of a pot melts at a thousand degrees"), run);
        assert_ne!(last("a melts at thousand degrees"), run);
    }

    proptest! {
        #[test]
        fn pages_that_overlap_may_overlap(
            mut shared in vec(any::<u32>(), 1..80),
            mut own in vec(any::<u32>(), 0..9),
        ) {
            own.extend(&shared);
            shared.sort_unstable();
            own.sort_unstable();
            let overlaps = overlap_percent(&own, &shared) >= OVERLAP_PERCENT;
            prop_assert!(!overlaps || may_overlap(own.len(), shared.len()));
        }
    }
}
