//! The messages of the pipeline, in the order of the flow. Those of the model are in `summarizer`, that of the browser is in
//! `renderer`.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use actix::Message;
use bytes::Bytes;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use wayfile_core::llms_txt::compose::{Full, Index};
use wayfile_core::llms_txt::describe::ModelTexts;
use wayfile_core::llms_txt::lint::served;
use wayfile_core::page::Page;
use wayfile_core::site::outline;
use wayfile_core::site::robots::Robots;
use wayfile_core::site::sitemap::Sitemap;
use wayfile_core::site::structure::Structure;
use wayfile_core::url::SiteUrl;

use crate::error::{CrawlError, FetchResult};
use crate::http::{PageBody, Want};
use crate::job::{Freshness, Generated, Job, OutputOptions};
use crate::permits::{Owner, Permit};
use crate::settings::CrawlSettings;

/// Engine to Supervisor: crawl a site and write its files. The first starts the crawl, the others join it.
/// Nothing comes back from one that was closing already; else the answer comes later, to a caller that has its place.
#[derive(Message)]
#[rtype(result = "Option<oneshot::Receiver<Result<Generated, CrawlError>>>")]
pub(crate) struct Crawl(pub(crate) Job);

/// Who asks a Fetcher. When it leaves, so does what is queued for it.
#[derive(Debug, Clone)]
pub(crate) struct Asker {
    pub(crate) owner: Owner,
    pub(crate) cancel: CancellationToken,
    /// Requests that it has not asked for yet and will, as far as it knows.
    pub(crate) in_hand: Arc<AtomicUsize>,
}

impl Asker {
    pub(crate) fn new(cancel: CancellationToken) -> Self {
        Self { owner: Owner::new(), cancel, in_hand: Arc::default() }
    }
}

/// A domain's robots.txt as it binds us.
#[derive(Debug)]
pub(crate) struct SiteRobots {
    pub(crate) rules: Robots,
    /// The file itself, to be read with other agents' eyes; empty when there is none.
    pub(crate) text: Bytes,
}

/// Visitor to Fetcher: one address, when the domain's turn comes.
#[derive(Message)]
#[rtype(result = "FetchResult<Fetched>")]
pub(crate) struct Fetch {
    pub(crate) url: SiteUrl,
    pub(crate) want: Want,
    pub(crate) freshness: Freshness,
    pub(crate) asker: Asker,
}

#[derive(Debug, Clone)]
pub(crate) enum Fetched {
    /// A body. The permit it was fetched with moves along until it is parsed.
    Page {
        page: Arc<PageBody>,
        /// None when it came from the cache.
        permit: Option<Arc<Permit>>,
    },
    /// What a probe saw, whatever it was.
    Seen(Arc<served::HttpAnswer>),
    /// What robots.txt says, for those who asked for that.
    Rules(Arc<SiteRobots>),
    /// A redirect, to be checked and asked for like any address.
    Moved(SiteUrl),
}

/// Supervisor to Parser: bytes to Markdown, links and metadata.
#[derive(Message)]
#[rtype(result = "FetchResult<Page>")]
pub(crate) struct ParsePage {
    pub(crate) page: Arc<PageBody>,
    pub(crate) permit: Option<Arc<Permit>>,
    pub(crate) cancel: CancellationToken,
}

/// Supervisor to Parser: a Markdown file as the shell shows it that lies in a folder of its site.
#[derive(Message)]
#[rtype(result = "FetchResult<Page>")]
pub(crate) struct ParseSource {
    pub(crate) file: Arc<PageBody>,
    pub(crate) menus: Vec<Arc<PageBody>>,
    pub(crate) folder: SiteUrl,
    pub(crate) cancel: CancellationToken,
}

/// Supervisor to Parser: bytes to addresses.
#[derive(Message)]
#[rtype(result = "FetchResult<Sitemap>")]
pub(crate) struct ParseSitemap {
    pub(crate) page: Arc<PageBody>,
    pub(crate) permit: Option<Arc<Permit>>,
    pub(crate) cancel: CancellationToken,
}

/// Supervisor to Assembler: a page that was fetched with 200.
#[derive(Message)]
#[rtype(result = "FetchResult<Added>")]
pub(crate) struct Add {
    pub(crate) page: outline::CrawledPage,
    /// Pages whose text may be of use in all; of those beyond it is enough that they count.
    pub(crate) room: usize,
}

/// Supervisor to Assembler: which page shows this content under this title.
#[derive(Message)]
#[rtype(result = "FetchResult<Option<SiteUrl>>")]
pub(crate) struct Show {
    pub(crate) title: Option<String>,
    pub(crate) markdown: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Added {
    Kept,
    /// Its content was there already, at this address.
    Duplicate(SiteUrl),
}

/// Supervisor to Assembler: write the files of what was added, once for each different set of options and in their order.
#[derive(Message)]
#[rtype(result = "FetchResult<Assembled>")]
pub(crate) struct Assemble {
    /// The address of the site: where its home page lies.
    pub(crate) site: SiteUrl,
    pub(crate) home: Option<Arc<Page>>,
    pub(crate) structure: Structure,
    /// Pages that were added and turned out not to belong.
    pub(crate) dropped: HashSet<SiteUrl>,
    pub(crate) outputs: Vec<OutputOptions>,
    pub(crate) settings: Arc<CrawlSettings>,
    pub(crate) written: Option<ModelTexts>,
    /// Cancelled with the last caller.
    pub(crate) cancel: CancellationToken,
}

pub(crate) struct Assembled {
    pub(crate) files: Vec<WrittenFiles>,
    /// The pages that count and whose text was kept.
    pub(crate) pages: Arc<Vec<outline::CrawledPage>>,
}

pub(crate) struct WrittenFiles {
    pub(crate) index: Option<Index>,
    pub(crate) full: Option<Full>,
}
