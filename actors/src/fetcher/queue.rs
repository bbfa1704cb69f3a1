//! What a domain is to be asked, in order, and who waits for it.

use std::collections::{HashMap, VecDeque};
use std::time::Instant;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use wayfile_core::site::url::SiteUrl;

use crate::error::FetchError;
use crate::http::Want;
use crate::messages::Fetched;

type Answered = Result<Fetched, FetchError>;

/// One address to be asked for, however many wait for it.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) url: SiteUrl,
    pub(super) want: Want,
    /// How often it was tried before.
    pub(super) tries: u8,
    /// When it was queued.
    pub(super) since: Instant,
    /// Not to be started before.
    due: Instant,
}

struct Waiter {
    cancel: CancellationToken,
    reply: oneshot::Sender<Answered>,
}

/// First come, first served, validations before crawls; requests that wait for another try are passed over until they are due.
#[derive(Default)]
pub(super) struct Queue {
    requests: VecDeque<Request>,
    waiters: HashMap<(SiteUrl, Want), Vec<Waiter>>,
}

impl Queue {
    /// Joins an equal request that is queued or under way, else queues a new one.
    pub(super) fn push(
        &mut self,
        url: SiteUrl,
        want: Want,
        cancel: CancellationToken,
        reply: oneshot::Sender<Answered>,
    ) {
        let waiters = self.waiters.entry((url.clone(), want)).or_default();
        waiters.push(Waiter { cancel, reply });
        if waiters.len() > 1 {
            return;
        }
        // A validation goes before crawls, behind what was there before it.
        let before = |request: &Request| matches!(request.want, Want::Robots | Want::Look(_));
        let at = match want {
            Want::Look(_) => self.requests.iter().position(|r| !before(r)).unwrap_or(self.requests.len()),
            _ => self.requests.len(),
        };
        self.requests.insert(at, Request::new(url, want));
    }

    /// Goes before everything: nothing else may be asked until it is answered.
    pub(super) fn push_first(&mut self, url: SiteUrl, want: Want) {
        self.requests.push_front(Request::new(url, want));
    }

    pub(super) fn retry(&mut self, mut request: Request, due: Instant) {
        request.tries += 1;
        request.due = due;
        self.requests.push_front(request);
    }

    /// When the next request may start, as far as the queue is concerned, and what it is for.
    pub(super) fn next(&self, now: Instant) -> Option<(Instant, Want)> {
        let due = self.requests.iter().find(|r| r.due <= now);
        let next = due.or_else(|| self.requests.iter().min_by_key(|r| r.due))?;
        Some((next.due, next.want))
    }

    /// The next request that may start; those that nobody waits for any more are passed over for good.
    pub(super) fn pop(&mut self, now: Instant) -> Option<Request> {
        loop {
            let at = self.requests.iter().position(|r| r.due <= now)?;
            let request = self.requests.remove(at)?;
            if self.is_wanted(&request) {
                return Some(request);
            }
        }
    }

    fn is_wanted(&mut self, request: &Request) -> bool {
        if request.want == Want::Robots {
            return true;
        }
        let key = (request.url.clone(), request.want);
        let wanted = self.waiters.get(&key).is_some_and(|all| all.iter().any(|w| !w.cancel.is_cancelled()));
        if !wanted {
            self.waiters.remove(&key);
        }
        wanted
    }

    /// Ends with `error` what crawls that have begun wait for.
    pub(super) fn give_up(&mut self, error: &FetchError) {
        let (lost, kept): (VecDeque<_>, VecDeque<_>) =
            self.requests.drain(..).partition(|request| request.want.is_within_crawl());
        self.requests = kept;
        for request in lost {
            self.answer(&request, &Err(error.clone()));
        }
    }

    pub(super) fn answer(&mut self, request: &Request, result: &Answered) {
        for waiter in self.waiters.remove(&(request.url.clone(), request.want)).unwrap_or_default() {
            // A waiter that left needs no answer.
            let _ = waiter.reply.send(result.clone());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }
}

impl Request {
    fn new(url: SiteUrl, want: Want) -> Self {
        let now = Instant::now();
        Self { url, want, tries: 0, since: now, due: now }
    }
}
