//! Who waits for a crawl, and what each of them wants of it.

use tokio::sync::oneshot;
use wayfile_core::llms_txt::compose;
use wayfile_core::site::url::SiteUrl;

use crate::error::CrawlError;
use crate::generated::{Generated, Job, Wish};
use crate::messages::{FileWish, FullWish, IndexWish};
use crate::progress::Event;
use crate::settings::CrawlSettings;

/// The answer for each wish, or the error that is everyone's.
pub(super) type Answered = Result<Vec<(Wish, Generated)>, CrawlError>;

/// Where a caller waits for its answer.
pub(crate) type Reply = oneshot::Sender<Result<Generated, CrawlError>>;

struct Caller {
    number: usize,
    job: Job,
    reply: Reply,
}

/// The callers of one crawl.
#[derive(Default)]
pub(super) struct Callers {
    all: Vec<Caller>,
    joined: usize,
}

impl Callers {
    /// Adds one; the number is for leaving.
    pub(super) fn join(&mut self, job: Job, reply: Reply) -> usize {
        self.joined += 1;
        self.all.push(Caller { number: self.joined, job, reply });
        self.joined
    }

    pub(super) fn leave(&mut self, number: usize) {
        self.all.retain(|caller| caller.number != number);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn are_watching(&self) -> bool {
        self.all.iter().any(|caller| caller.job.events.is_heard())
    }

    /// One of them wants to know what became of every address.
    pub(super) fn want_report(&self) -> bool {
        self.all.iter().any(|caller| caller.job.reported)
    }

    pub(super) fn tell(&self, event: &Event) {
        for caller in self.all.iter().filter(|caller| caller.job.events.is_heard()) {
            caller.job.events.tell(event.clone());
        }
    }

    /// What they want, each wish once.
    pub(super) fn wishes(&self) -> Vec<Wish> {
        let mut wishes: Vec<Wish> = Vec::new();
        for caller in &self.all {
            if !wishes.contains(&caller.job.wish) {
                wishes.push(caller.job.wish.clone());
            }
        }
        wishes
    }

    /// Of how many pages the text may be of use to one of them.
    pub(super) fn worth_keeping(&self, settings: &CrawlSettings) -> usize {
        self.all.iter().map(|caller| worth_keeping(&caller.job.wish, settings)).max().unwrap_or(0)
    }

    /// Answers everyone; a caller that left needs no answer.
    pub(super) fn answer(&mut self, answered: &Answered) {
        for caller in self.all.drain(..) {
            let result = match answered {
                Ok(files) => {
                    let own = files.iter().find(|(wish, _)| *wish == caller.job.wish);
                    own.map(|(_, generated)| generated.clone()).ok_or(CrawlError::Internal)
                }
                Err(error) => Err(error.clone()),
            };
            let _ = caller.reply.send(result);
        }
    }
}

/// Of how many pages the text may be of use to a caller with this wish.
pub(super) fn worth_keeping(wish: &Wish, settings: &CrawlSettings) -> usize {
    let links = if wish.file_type.index() { wish.index_pages } else { 0 };
    let full_pages = if wish.file_type.full() { wish.full_pages } else { 0 };
    compose::worth_keeping(links, settings.index_max_chars, full_pages)
}

/// A wish in the terms of the Assembler: the site's address is known now.
pub(super) fn file_wish(wish: &Wish, site: &SiteUrl, settings: &CrawlSettings) -> FileWish {
    let (index, full) = (wish.file_type.index(), wish.file_type.full());
    FileWish {
        index: index.then(|| IndexWish {
            max_pages: wish.index_pages,
            max_chars: settings.index_max_chars,
            full: if full { site.join("llms-full.txt").ok() } else { None },
            instructions: wish.instructions.clone(),
        }),
        full: full.then_some(FullWish { max_pages: wish.full_pages, max_bytes: settings.full_max_bytes.0 }),
    }
}
