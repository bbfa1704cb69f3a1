//! Pages that are not wanted themselves and may lead to those that are: those outside of a selection, what lists go on with.

use std::collections::VecDeque;

use super::Frontier;
use super::page_table::PageState;
use super::priority::Found;
use crate::digits::is_short_number;
use crate::page::{LinkPlace, Page, PageLink};
use crate::site::addresses::Id;
use crate::site::rank::{LeftOut, is_page_folder, refuse};
use crate::url::{SiteUrl, below};

/// So many are read for their links.
const MAX_READ: usize = 50;
/// So many are remembered.
const MAX_KNOWN: usize = 1_000;

/// The fewest links that make a text a list.
const MIN_LISTED: usize = 3;

/// Unwanted pages in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct LinkOnlyPages {
    waiting: VecDeque<Id>,
    read: usize,
}

impl LinkOnlyPages {
    pub(super) fn add(&mut self, id: Id) {
        if self.waiting.len() < MAX_KNOWN {
            self.waiting.push_back(id);
        }
    }

    /// There are some that may be read.
    pub(super) fn is_waiting(&self) -> bool {
        self.read < MAX_READ && !self.waiting.is_empty()
    }

    fn next(&mut self) -> Option<Id> {
        let next = self.is_waiting().then(|| self.waiting.pop_front()).flatten();
        self.read += usize::from(next.is_some());
        next
    }
}

impl Frontier {
    /// Whether a page is no more than what a list goes on with: its address says so, or ends with a number, and most links of
    /// its text lead to what lies beside that number.
    pub(super) fn continues_a_list(&self, url: &SiteUrl, page: &Page) -> bool {
        let path = url.path().trim_end_matches('/');
        let (folder, number) = path.rsplit_once('/').unwrap_or_default();
        // Most addresses have neither.
        let may_say_so = url.as_url().query().is_some() || path.bytes().any(|byte| byte.is_ascii_digit());
        let priority = || self.table.priority(self.structure.addresses().find(url)?);
        let is_named = || priority().is_some_and(|priority| priority.found == Found::HomeNavigation);
        if may_say_so && refuse(url, "/", is_named()) == Some(LeftOut::Pagination) {
            return true;
        }
        if !is_short_number(number) {
            return false;
        }
        let in_text = page.links.iter().filter(|link| link.place == LinkPlace::Content);
        let is_beside = |link: &&PageLink| {
            let inner = below(link.url.path(), folder);
            let part = inner.and_then(|rest| rest.split('/').next()).filter(|part| !part.is_empty());
            link.url.origin() == url.origin() && part.is_some_and(|part| !is_short_number(part))
        };
        let beside = in_text.clone().filter(is_beside).count();
        beside >= MIN_LISTED && beside * 2 > in_text.count()
    }

    /// The page that a list begins on which another page continues: that of the folder before the number (`/news/page/2/`
    /// of `/news/`), or the address without its query. The home page places nothing.
    pub(super) fn first_of_list(&self, url: &SiteUrl, page: &Page) -> Option<Id> {
        if !self.continues_a_list(url, page) {
            return None;
        }
        let path = url.path().trim_end_matches('/');
        let front = path.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('/');
        let front = front.rsplit_once('/').filter(|(_, last)| is_page_folder(last)).map_or(front, |it| it.0);
        let folder = format!("{front}/");
        let places = if url.as_url().query().is_some() { [url.path(), &folder] } else { [&folder, front] };
        let find = |path: &str| self.structure.addresses().find(&url.origin().at(path)?);
        places.into_iter().find_map(find).filter(|&id| id != self.seed)
    }

    /// An unwanted page to be read for its links, when no wanted one waits or is on its way.
    pub(super) fn next_link_only(&mut self) -> Option<SiteUrl> {
        let counts = self.table.counts();
        if counts.queued + counts.in_flight > 0 {
            return None;
        }
        let id = self.link_only.next()?;
        self.table.reconsider(id);
        self.table.change(id, PageState::InFlight);
        self.structure.addresses().url(id).cloned()
    }
}
