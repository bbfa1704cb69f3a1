//! What empty shells are filled with: what a browser shows, or the Markdown that the site shows in them.

use std::collections::HashMap;
use std::sync::Arc;

use actix::prelude::*;
use parking_lot::Mutex;
use wayfile_core::page::sources::{filled, is_menu};
use wayfile_core::page::{MarkdownOrigin, Page};
use wayfile_core::url::SiteUrl;

use super::{NoPage, Visitor};
use crate::error::FetchResult;
use crate::http::{PageBody, Want};
use crate::messages::ParseSource;
use crate::panics::ask;
use crate::renderer::{Lease, Opened, Render, RenderError, RenderResult, Rendered, Renderer};

/// Folders of one crawl whose shells are looked behind.
const MAX_FOLDERS: usize = 4;

/// What one crawl fills shells with.
#[derive(Clone)]
pub(crate) struct Filling {
    /// The process's browser, where one is configured, and the crawl's share in it.
    pub(crate) browser: Option<(Addr<Renderer>, Arc<Lease>)>,
    /// The folders that shells lie in, and whether Markdown lies beside them.
    pub(crate) folders: Arc<Mutex<HashMap<SiteUrl, bool>>>,
}

/// How it went to open a page in a browser, where it was tried.
pub(crate) type BrowserOutcome = Option<RenderResult<Opened>>;

pub(super) struct Shown {
    pub(super) page: Page,
    /// Where its text lies, if elsewhere.
    pub(super) link: Option<SiteUrl>,
    pub(super) opened: BrowserOutcome,
}

impl From<Page> for Shown {
    fn from(page: Page) -> Self {
        Self { page, link: None, opened: None }
    }
}

/// A file, menus beside it, and the folder that they are shown from.
type Sources = (Arc<PageBody>, Vec<Arc<PageBody>>, SiteUrl);

impl Filling {
    /// The folder with the shell that shows the Markdown file at `url`.
    fn folder_of(&self, url: &SiteUrl) -> Option<SiteUrl> {
        let folders = self.folders.lock();
        let around =
            folders.iter().filter(|(folder, has)| **has && url.as_str().starts_with(folder.as_str()));
        around.map(|(folder, _)| folder).max_by_key(|folder| folder.as_str().len()).cloned()
    }

    /// Whether to look for Markdown in a folder: once, and not in all of them.
    fn begins(&self, folder: &SiteUrl) -> bool {
        let mut folders = self.folders.lock();
        folders.len() < MAX_FOLDERS && folders.insert(folder.clone(), false).is_none()
    }

    fn found(&self, folder: SiteUrl) {
        self.folders.lock().insert(folder, true);
    }
}

impl Visitor {
    /// A page as its readers see it: where only scripts fill it, as a browser shows it, else as the site's Markdown has it. What
    /// neither fills stays as it is.
    pub(super) async fn shown(&self, page: Page, body: Arc<PageBody>) -> Shown {
        let Some(filling) = &self.filling else { return page.into() };
        if page.origin == MarkdownOrigin::Served
            && let Some(folder) = filling.folder_of(&body.url)
        {
            return self.parse_source(body, Vec::new(), folder).await.unwrap_or(page).into();
        }
        if !page.shell || page.error_page.is_some() || page.refresh.is_some() {
            return page.into();
        }
        let opened = match self.rendered(filling, body.clone()).await {
            Some(Ok((page, opened))) => return Shown { opened: Some(Ok(opened)), ..page.into() },
            Some(Err(error)) => Some(Err(error)),
            None => None,
        };
        match self.sources(filling, &page, &body).await {
            Some((file, menus, folder)) => {
                let link = file.url.clone();
                let text = self.parse_source(file, menus, folder).await.unwrap_or_default();
                Shown { page: filled(page, text), link: Some(link), opened }
            }
            None => Shown { opened, ..page.into() },
        }
    }

    /// What a browser shows at an address, where one is configured, and how that went.
    async fn rendered(&self, filling: &Filling, body: Arc<PageBody>) -> Option<RenderResult<(Page, Opened)>> {
        let (renderer, lease) = filling.browser.as_ref()?;
        let lease = lease.clone();
        let render =
            Render { page: body.clone(), freshness: self.freshness, asker: self.asker.clone(), lease };
        let answer = renderer.send(render).await.unwrap_or(Err(RenderError::Broken));
        let Rendered { html, leads_to, sources, opened } = match answer {
            Ok(answer) => answer,
            Err(error) => return Some(Err(error)),
        };
        if let Some(folder) = sources {
            filling.found(folder);
        }
        let content_type = Some("text/html; charset=utf-8".to_owned());
        let document = PageBody { body: html, content_type, ..PageBody::clone(&body) };
        let shown = self.parse(Arc::new(document), None).await.map_err(|_| RenderError::Broken);
        Some(shown.map(|shown| (Page { refresh: shown.refresh.clone().or(leads_to), ..shown }, opened)))
    }

    /// The Markdown that lies beside a shell: the file that it shows first, those with its menus, and their folder.
    async fn sources(&self, filling: &Filling, shell: &Page, body: &PageBody) -> Option<Sources> {
        let folder = body.url.join(".").ok().filter(|folder| filling.begins(folder))?;
        let mut texts = Vec::new();
        let mut menus = Vec::new();
        for url in &shell.sources {
            let leaves = |target: &SiteUrl| (target.origin() != url.origin()).then_some(NoPage::LeftTheSite);
            let Ok((file, permit)) = self.follow(url.clone(), Want::Page, leaves).await else { continue };
            match self.parse(file.clone(), permit).await {
                Ok(page) if page.origin != MarkdownOrigin::Served || page.is_empty() => {}
                Ok(page) if is_menu(&page) => menus.push(file),
                Ok(_) => texts.push(file),
                Err(_) => {}
            }
        }
        let text = texts.into_iter().next().or_else(|| menus.pop())?;
        filling.found(folder.clone());
        Some((text, menus, folder))
    }

    fn parse_source(
        &self,
        file: Arc<PageBody>,
        menus: Vec<Arc<PageBody>>,
        folder: SiteUrl,
    ) -> impl Future<Output = FetchResult<Page>> + use<> {
        ask(&self.parser, ParseSource { file, menus, folder, cancel: self.asker.cancel.clone() })
    }
}
