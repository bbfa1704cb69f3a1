//! Which sitemaps are still to be read.

use std::collections::{HashSet, VecDeque};

use wayfile_core::site::robots::Robots;
use wayfile_core::site::sitemap::{self, INDEX_MAX_DEPTH};
use wayfile_core::url::{SiteUrl, UrlKey};

/// Sitemaps read at once: they are large, and pages can be fetched meanwhile.
const AT_ONCE: usize = 2;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SitemapTask {
    pub(crate) url: SiteUrl,
    depth: usize,
    /// A guess at a usual place: it need not be there.
    pub(crate) guessed: bool,
}

/// The sitemaps that robots.txt names, else the usual places one after the other until one is there.
#[derive(Debug)]
pub(crate) struct SitemapQueue {
    named: VecDeque<SitemapTask>,
    guesses: VecDeque<SitemapTask>,
    seen: HashSet<UrlKey>,
    running: usize,
    room: usize,
    /// Below more indexes than are followed.
    too_deep: usize,
}

impl SitemapQueue {
    pub(crate) fn new(site: &SiteUrl, robots: &Robots, max_sitemaps: usize) -> Self {
        let origin = site.origin();
        let named = origin.at("/robots.txt").map(|at| sitemap::named_by(robots, &at)).unwrap_or_default();
        let mut guesses = if named.is_empty() { sitemap::well_known(&origin) } else { Vec::new() };
        if let (Some(first), Ok(own)) = (guesses.first(), site.join("sitemap.xml"))
            && *first != own
        {
            // A site below a path of its host, such as a project's documentation, keeps its map there.
            guesses.insert(0, own);
        }
        let mut queue = Self {
            named: VecDeque::new(),
            guesses: VecDeque::new(),
            seen: HashSet::new(),
            running: 0,
            room: max_sitemaps,
            too_deep: 0,
        };
        queue.queue(named, 0);
        queue.guesses = guesses.into_iter().map(|url| SitemapTask { url, depth: 0, guessed: true }).collect();
        queue
    }

    /// The next one to be read, which the caller must settle.
    pub(crate) fn next(&mut self) -> Option<SitemapTask> {
        if self.running >= AT_ONCE || self.room == 0 {
            return None;
        }
        let task = match self.named.pop_front() {
            Some(task) => task,
            // One guess at a time: the first that is right ends the guessing.
            None if self.running == 0 => self.guesses.pop_front()?,
            None => return None,
        };
        self.running += 1;
        self.room -= 1;
        Some(task)
    }

    /// A sitemap was read; it may name others.
    pub(crate) fn found(&mut self, task: &SitemapTask, children: Vec<SiteUrl>) {
        self.running -= 1;
        self.guesses.clear();
        self.seen.insert(task.url.key());
        if task.depth < INDEX_MAX_DEPTH {
            self.queue(children, task.depth + 1);
        } else {
            self.too_deep += children.iter().filter(|url| !self.seen.contains(&url.key())).count();
        }
    }

    pub(crate) fn missed(&mut self) {
        self.running -= 1;
    }

    /// Those that are known and were not read.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &SiteUrl> {
        self.named.iter().map(|task| &task.url)
    }

    /// How many may still be asked for.
    pub(crate) fn to_come(&self) -> usize {
        (self.named.len() + self.guesses.len()).min(self.room)
    }

    /// Sitemaps that the site named and that were not read.
    pub(crate) fn unread(&self) -> usize {
        self.named.len() + self.too_deep
    }

    pub(crate) fn has_room(&self) -> bool {
        self.room > 0
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.running == 0 && (self.room == 0 || self.named.is_empty() && self.guesses.is_empty())
    }

    fn queue(&mut self, urls: Vec<SiteUrl>, depth: usize) {
        for url in urls {
            if self.seen.insert(url.key()) {
                self.named.push_back(SitemapTask { url, depth, guessed: false });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(robots: &str, room: usize) -> SitemapQueue {
        let site = SiteUrl::parse("https://tide.example.com/docs/").unwrap();
        SitemapQueue::new(&site, &Robots::parse(robots.as_bytes(), "x"), room)
    }

    fn url(path: &str) -> SiteUrl {
        SiteUrl::parse(&format!("https://tide.example.com{path}")).unwrap()
    }

    #[test]
    fn guesses_end_with_the_first_that_is_right() {
        let mut queue = queue("", 10);
        assert_eq!(queue.next().unwrap().url, url("/docs/sitemap.xml"));
        assert_eq!(queue.next(), None);
        queue.missed();
        let second = queue.next().unwrap();
        assert_eq!(second.url, url("/sitemap.xml"));
        assert!(second.guessed && queue.to_come() > 0);
        queue.found(&second, vec![]);
        assert!(queue.is_finished() && queue.to_come() == 0);
    }

    #[test]
    fn a_guess_that_was_right_is_not_read_again_where_it_is_named() {
        let mut queue = queue("", 10);
        let guess = queue.next().unwrap();
        queue.found(&guess, vec![url("/b.xml")]);
        let named = queue.next().unwrap();
        queue.found(&named, vec![guess.url.clone()]);
        assert_eq!(queue.next(), None);
    }

    #[test]
    fn an_index_is_followed_to_its_depth_and_never_twice() {
        let mut queue = queue("Sitemap: /a.xml", 10);
        for n in 0..=INDEX_MAX_DEPTH {
            let task = queue.next().unwrap();
            assert!(!task.guessed);
            queue.found(&task, vec![url("/a.xml"), url(&format!("/{n}.xml"))]);
        }
        assert!(queue.is_finished());
        assert_eq!(queue.unread(), 1);
    }

    #[test]
    fn sitemaps_beyond_the_limit_are_not_read() {
        let mut queue = queue("Sitemap: /a.xml\nSitemap: /b.xml\nSitemap: /c.xml", 2);
        assert_eq!(queue.to_come(), 2);
        assert!(queue.next().is_some() && queue.next().is_some());
        assert_eq!((queue.next(), queue.to_come()), (None, 0));
        assert!(!queue.is_finished());
        queue.missed();
        queue.missed();
        assert!(queue.is_finished());
        assert_eq!(queue.unread(), 1);
    }
}
