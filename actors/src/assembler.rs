//! The Assembler: one per crawl.
//!
//! Owns the pages that count, in the order they came, and what is known of their content: of the first ones their text, of
//! those beyond what the files can hold that they are there. Bounded by the crawl's page cap; dies with its Supervisor. Both
//! files are written when a core is free, until they are cancelled.

use std::sync::Arc;

use actix::prelude::*;
use wayfile_core::llms_txt::compose::{self, FullOptions, IndexOptions};
use wayfile_core::site::duplicate::Duplicates;
use wayfile_core::site::outline::{self, CrawledPage};
use wayfile_core::url::SiteUrl;
use wayfile_core::work::{Halt, Work};

use crate::cpu_pool::CpuPool;
use crate::error::FetchResult;
use crate::job::OutputOptions;
use crate::messages::{Add, Added, Assemble, Assembled, Show, WrittenFiles};
use crate::metrics::{self, Held};
use crate::panics::guard;

pub(crate) struct Assembler {
    pages: Vec<CrawledPage>,
    /// Pages that count, too, and whose text was not kept.
    untold: usize,
    duplicates: Duplicates,
    pool: CpuPool,
    _alive: Held,
}

impl Assembler {
    pub(crate) fn new(pool: CpuPool) -> Self {
        Self {
            pages: Vec::new(),
            untold: 0,
            duplicates: Duplicates::default(),
            pool,
            _alive: metrics::ACTORS.hold("assembler"),
        }
    }
}

impl Actor for Assembler {
    type Context = Context<Self>;
}

impl Handler<Add> for Assembler {
    type Result = FetchResult<Added>;

    fn handle(&mut self, Add { mut page, room }: Add, _: &mut Self::Context) -> Self::Result {
        // Once a page was let go of, those behind it are, too: pages that were new are known by their number.
        let kept = self.untold == 0 && self.pages.len() < room;
        let Self { pages, duplicates, .. } = self;
        let seen = guard("assembler", || {
            let twin = duplicates.seen(&page, kept, pages)?;
            // A site that is one document to scripts has its home page first. Elsewhere it is a variant, or made for print.
            if twin != 0 || !pages.first().is_some_and(|home| page.is_other_view(home)) {
                return Some(twin);
            }
            // What it shows is the other's text, which the files have once.
            page.page.markdown.clear();
            page.page.shell = true;
            duplicates.seen(&page, kept, pages)
        })?;
        if let Some(of) = seen.and_then(|twin| duplicates.url(twin)) {
            return Ok(Added::Duplicate(of.clone()));
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
    type Result = FetchResult<Option<SiteUrl>>;

    fn handle(&mut self, Show { title, markdown }: Show, _: &mut Self::Context) -> Self::Result {
        let shown =
            guard("assembler", || self.duplicates.shown_by(title.as_deref(), &markdown, &self.pages))?;
        // Pages that a script fills may show the same before it runs; their titles tell them apart.
        let shown = shown.and_then(|at| self.pages.get(at)).filter(|page| page.page.title == title);
        Ok(shown.map(|page| page.url.clone()))
    }
}

impl Handler<Assemble> for Assembler {
    type Result = ResponseFuture<FetchResult<Assembled>>;

    fn handle(&mut self, ask: Assemble, _: &mut Self::Context) -> Self::Result {
        let mut pages = std::mem::take(&mut self.pages);
        let added = self.untold + pages.len();
        pages.retain(|page| !ask.dropped.contains(&page.url));
        let untold = added.saturating_sub(ask.dropped.len() + pages.len());
        let (pool, cancel) = (self.pool.clone(), ask.cancel.clone());
        let work = move |stop: &dyn Fn() -> bool| {
            outline::settle_titles(ask.home.as_deref(), &mut pages);
            let pages = Arc::new(pages);
            let files = files(&ask, &pages, untold, &Work::new(usize::MAX, stop))?;
            Ok(Assembled { files, pages })
        };
        Box::pin(async move { pool.run("assembler", cancel, work).await })
    }
}

fn files(
    ask: &Assemble,
    pages: &Arc<Vec<CrawledPage>>,
    untold: usize,
    work: &Work<'_>,
) -> Result<Vec<WrittenFiles>, Halt> {
    work.check()?;
    let outline = outline::outline(ask.home.as_deref(), &ask.structure, pages);
    let written = ask.written.as_ref();
    let full_lies_at = ask.site.join("llms-full.txt").ok();
    let files_for = |output: &OutputOptions| {
        work.check()?;
        let (has_index, has_full) = (output.file_type.index(), output.file_type.full());
        let index = has_index.then(|| {
            let options = IndexOptions {
                max_pages: output.index_pages,
                max_chars: ask.settings.index_max_chars,
                full: full_lies_at.as_ref().filter(|_| has_full),
                instructions: output.instructions.as_deref(),
                written,
                untold,
                work: Some(work),
                ..IndexOptions::default()
            };
            compose::index(&outline, pages, Some(&ask.site), &options)
        });
        let full = has_full.then(|| {
            let (max_pages, max_bytes) = (output.full_pages, ask.settings.full_max_bytes.0);
            let options = FullOptions { max_pages, max_bytes, written, untold, work: Some(work) };
            compose::full(&outline, pages, Some(&ask.site), &options)
        });
        work.check().map(|()| WrittenFiles { index, full })
    };
    ask.outputs.iter().map(files_for).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::Duration;

    use tokio::time::{sleep, timeout};
    use tokio_util::sync::CancellationToken;
    use wayfile_core::llms_txt::FileType;
    use wayfile_core::page::{MarkdownOrigin, Page};
    use wayfile_core::site::structure::Structure;

    use super::*;
    use crate::error::FetchError;
    use crate::panics::ask;
    use crate::settings::{ByteSize, CrawlSettings, defaults};

    /// What does not come within this time never comes.
    const NEVER: Duration = Duration::from_secs(10);

    /// A page that takes long to read.
    fn page(at: usize) -> CrawledPage {
        let url = SiteUrl::parse(&format!("https://docs.example.org/{at}")).unwrap();
        let title = Some(format!("Part {at}"));
        let markdown = "[Fire](x) the *kiln* with `care`.\n\n".repeat(2_000);
        let page = Page { title, markdown, origin: MarkdownOrigin::Served, ..Page::default() };
        CrawledPage { link: url.clone(), url, page }
    }

    /// Asks for both files of `pages`, whole.
    fn composing(
        pool: &CpuPool,
        pages: Vec<CrawledPage>,
        cancel: &CancellationToken,
    ) -> impl Future<Output = FetchResult<()>> {
        let (site, all) = (pages[0].url.clone(), usize::MAX);
        let output = OutputOptions {
            file_type: FileType::Both,
            instructions: None,
            index_pages: all,
            full_pages: all,
        };
        let settings = CrawlSettings { index_max_chars: all, full_max_bytes: ByteSize(all), ..defaults() };
        let assemble = Assemble {
            structure: Structure::new(&site, pages.len()),
            site,
            home: None,
            dropped: HashSet::new(),
            outputs: vec![output],
            settings: Arc::new(settings),
            written: None,
            cancel: cancel.clone(),
        };
        let assembler = Assembler { pages, ..Assembler::new(pool.clone()) }.start();
        async move { ask(&assembler, assemble).await.map(|_| ()) }
    }

    #[actix::test]
    async fn composing_stops_when_cancelled() {
        let (pool, cancel) = (CpuPool::on(1), CancellationToken::new());
        let leaving = async {
            sleep(Duration::from_secs(1)).await;
            cancel.cancel();
        };
        let composing = composing(&pool, (0..1_000).map(page).collect(), &cancel);
        assert_eq!(tokio::join!(composing, leaving).0, Err(FetchError::Cancelled));
        // Its core is free again.
        let next = pool.run("test", CancellationToken::new(), |_| Ok(()));
        assert_eq!(timeout(NEVER, next).await, Ok(Ok(())));
    }

    #[actix::test]
    async fn pages_of_one_text_are_told_apart_by_what_their_heads_say() {
        let assembler = Assembler::new(CpuPool::on(1)).start();
        let view = |at: usize, canonical: usize, title: &str| {
            let mut view = page(0);
            view.url = page(at).url;
            let (title, description) = (Some(title.to_owned()), Some(format!("All on {title}.")));
            view.page = Page { title, description, canonical: Some(page(canonical).url), ..view.page };
            view
        };
        let mut added = Vec::new();
        for page in [
            view(0, 0, "Kilns"),
            view(1, 1, "Pots"),
            view(2, 0, "Clay"),
            view(3, 3, "Pots"),
            view(4, 4, "Kilns"),
        ] {
            added.push(ask(&assembler, Add { page, room: 9 }).await.unwrap());
        }
        let twin_of = |added: &Added| match added {
            Added::Kept => None,
            Added::Duplicate(of) => Some(of.path().to_owned()),
        };
        let twins: Vec<_> = added.iter().map(twin_of).collect();
        let [home, pots] = ["/0", "/1"].map(|path| Some(path.to_owned()));
        assert_eq!(twins, [None, None, home.clone(), pots, home]);
    }

    #[actix::test]
    async fn a_few_words_that_many_pages_show_make_none_of_them_the_other() {
        let assembler = Assembler::new(CpuPool::on(1)).start();
        let stub = |at: usize, title: &str| {
            let page = Page {
                title: Some(title.to_owned()),
                markdown: "Write to us.".to_owned(),
                ..Page::default()
            };
            CrawledPage { page, ..self::page(at) }
        };
        let mut added = Vec::new();
        for page in [stub(0, "Kilns"), stub(1, "Contact"), stub(2, "Contact")] {
            added.push(matches!(ask(&assembler, Add { page, room: 9 }).await.unwrap(), Added::Kept));
        }
        assert_eq!(added, [true, true, false]);
    }

    #[actix::test]
    async fn composing_waits_for_a_core() {
        let (pool, cancel) = (CpuPool::on(1), CancellationToken::new());
        let (go, gate) = std::sync::mpsc::channel::<()>();
        let busy = pool.run("test", CancellationToken::new(), move |_| Ok(gate.recv().is_ok()));
        let mut busy = Box::pin(busy);
        assert!(timeout(Duration::ZERO, &mut busy).await.is_err());
        let mut files = Box::pin(composing(&pool, vec![page(0)], &cancel));
        assert!(timeout(Duration::from_secs(1), &mut files).await.is_err(), "its core is another's");
        go.send(()).unwrap();
        assert_eq!(tokio::join!(busy, files), (Ok(true), Ok(())));
    }
}
