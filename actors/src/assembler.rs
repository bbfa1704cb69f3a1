//! The Assembler: one per crawl.
//!
//! Owns the pages that count, in the order they came, and what is known of their content: of the first ones their text, of
//! those beyond what the files can hold that they are there. Bounded by the crawl's page cap; dies with its Supervisor. Both files are written on the CPU pool.

use std::sync::Arc;

use actix::prelude::*;
use wayfile_core::llms_txt::compose::{self, FullOptions, IndexOptions};
use wayfile_core::site::duplicate::Duplicates;
use wayfile_core::site::outline::{self, Fetched};
use wayfile_core::site::url::SiteUrl;

use crate::error::FetchError;
use crate::guard::{guard, on_cpu_pool};
use crate::messages::{Add, Added, Assemble, Assembled, FileWish, Files, Show};
use crate::metrics::Alive;

/// One crawl's assembler.
pub(crate) struct Assembler {
    pages: Vec<Fetched>,
    /// Pages that count, too, and whose text was not kept.
    untold: usize,
    duplicates: Duplicates,
    _alive: Alive,
}

impl Assembler {
    pub(crate) fn new() -> Self {
        Self {
            pages: Vec::new(),
            untold: 0,
            duplicates: Duplicates::default(),
            _alive: Alive::actor("assembler"),
        }
    }
}

impl Actor for Assembler {
    type Context = Context<Self>;
}

impl Handler<Add> for Assembler {
    type Result = Result<Added, FetchError>;

    fn handle(&mut self, Add { page, room }: Add, _: &mut Self::Context) -> Self::Result {
        // Once a page was let go of, those behind it are, too: pages that were new are known by their number.
        let kept = self.untold == 0 && self.pages.len() < room;
        let seen = guard("assembler", || {
            self.duplicates.seen(&page.url, &page.page.markdown, kept, |at| text_of(&self.pages, at))
        })?;
        if let Some(of) = seen {
            return Ok(Added::Duplicate(of));
        }
        if kept {
            self.pages.push(page);
        } else {
            self.untold += 1;
        }
        Ok(Added::Kept)
    }
}

impl Handler<Show> for Assembler {
    type Result = Result<Option<SiteUrl>, FetchError>;

    fn handle(&mut self, Show { title, markdown }: Show, _: &mut Self::Context) -> Self::Result {
        let shown =
            guard("assembler", || self.duplicates.shown_by(&markdown, |at| text_of(&self.pages, at)))?;
        // Pages that a script fills may show the same before it runs; their titles tell them apart.
        let is_called_so =
            |url: &SiteUrl| self.pages.iter().any(|page| page.url == *url && page.page.title == title);
        Ok(shown.filter(is_called_so))
    }
}

impl Handler<Assemble> for Assembler {
    type Result = ResponseFuture<Result<Assembled, FetchError>>;

    fn handle(&mut self, ask: Assemble, _: &mut Self::Context) -> Self::Result {
        let mut pages = std::mem::take(&mut self.pages);
        let added = self.untold + pages.len();
        pages.retain(|page| !ask.dropped.contains(&page.url));
        let untold = added.saturating_sub(ask.dropped.len() + pages.len());
        let work = move || {
            outline::settle_titles(&mut pages);
            let pages = Arc::new(pages);
            Assembled { files: files(&ask, &pages, untold), pages }
        };
        Box::pin(on_cpu_pool("assembler", work))
    }
}

/// The first pages that count are those that were new first, in the same order.
fn text_of(pages: &[Fetched], number: usize) -> Option<&str> {
    pages.get(number).map(|page| page.page.markdown.as_str())
}

fn files(ask: &Assemble, pages: &Arc<Vec<Fetched>>, untold: usize) -> Vec<Files> {
    let outline = outline::outline(ask.home.as_deref(), &ask.navigation, pages);
    let written = ask.written.as_ref();
    let wished = |wish: &FileWish| {
        let index = wish.index.as_ref().map(|wish| {
            let options = IndexOptions {
                max_pages: wish.max_pages,
                max_chars: wish.max_chars,
                full: wish.full.as_ref(),
                instructions: wish.instructions.as_deref(),
                written,
                untold,
                ..IndexOptions::default()
            };
            compose::index(&outline, pages, Some(&ask.site), &options)
        });
        let full = wish.full.as_ref().map(|wish| {
            let options =
                FullOptions { max_pages: wish.max_pages, max_bytes: wish.max_bytes, written, untold };
            compose::full(&outline, pages, Some(&ask.site), &options)
        });
        Files { index, full }
    };
    ask.wishes.iter().map(wished).collect()
}
