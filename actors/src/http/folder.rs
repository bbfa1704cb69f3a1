//! A folder of built pages in the place of a site: it answers as a static host does that serves it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use http::HeaderMap;
use http::header::{CONTENT_TYPE, HeaderValue};
use wayfile_core::url::SiteUrl;

use super::answer::{self, Answer, Reply, Want};
use crate::error::{FetchError, FetchResult};
use crate::settings::CrawlSettings;

/// What a folder's address answers with.
const INDEXES: [&str; 2] = ["index.html", "index.htm"];
/// What may be left out at the end of a page's address.
const ENDINGS: [&str; 2] = ["html", "htm"];

/// A folder and the address that it will be served at.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    base: SiteUrl,
}

#[derive(Debug, PartialEq, Eq)]
enum FolderEntry {
    File(PathBuf),
    /// A folder, whose address ends with a slash.
    Moved(SiteUrl),
}

impl Folder {
    /// The folder `root`; `base` is where it will be served.
    /// Errors: There is no such folder.
    pub fn open(root: &Path, base: &SiteUrl) -> io::Result<Self> {
        let path = base.path();
        let path = if path.ends_with('/') { path.to_owned() } else { format!("{path}/") };
        let base = base.origin().at(&path).unwrap_or_else(|| base.clone());
        Ok(Self { root: root.canonicalize()?, base })
    }

    /// Where it will be served: an address that ends with a slash.
    pub fn base(&self) -> &SiteUrl {
        &self.base
    }

    /// What a host would answer. Whatever lies outside of the folder is not there.
    pub(crate) async fn get(
        &self,
        url: &SiteUrl,
        want: Want,
        settings: &CrawlSettings,
    ) -> FetchResult<Reply> {
        let cap = want.max_bytes(settings.page_max_bytes.0);
        let (folder, url) = (self.clone(), url.clone());
        let reading = tokio::task::spawn_blocking(move || folder.read(&url, want, cap));
        let answer = reading.await.map_err(|_| FetchError::Internal)??;
        Ok(Reply { answer, latency: Duration::ZERO })
    }

    fn read(&self, url: &SiteUrl, want: Want, cap: usize) -> FetchResult<Answer> {
        let path = match self.find(url) {
            None => return Ok(Answer::Failed { status: 404, retry_after: None, is_challenge: false }),
            Some(FolderEntry::Moved(target)) => return Ok(Answer::Moved(target)),
            Some(FolderEntry::File(path)) => path,
        };
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type(&path)));
        answer::check_type(want, &headers)?;
        let mut page = answer::page(url.clone(), &headers);
        let broken = |error: io::Error| FetchError::Broken(error.to_string());
        let mut body = Vec::new();
        // One byte more shows that there are more.
        let mut file = File::open(&path).map_err(broken)?.take(cap as u64 + 1);
        file.read_to_end(&mut body).map_err(broken)?;
        if body.len() > cap {
            if !want.may_be_cut() {
                return Err(FetchError::TooLarge(cap));
            }
            body.truncate(cap);
        }
        page.body = body.into();
        Ok(Answer::Page(page))
    }

    fn find(&self, url: &SiteUrl) -> Option<FolderEntry> {
        if url.origin() != self.base.origin() {
            return None;
        }
        if !url.path().starts_with(self.base.path()) {
            let is_base = self.base.path().strip_suffix('/') == Some(url.path());
            return is_base.then(|| FolderEntry::Moved(self.base.clone()));
        }
        let is_folder = url.path().ends_with('/');
        let above = self.base.file_names()?.len();
        let mut path = self.root.clone();
        path.extend(url.file_names()?.iter().skip(above));
        if is_folder {
            return self.index(&path).map(FolderEntry::File);
        }
        let with_ending = |ending: &&str| {
            let mut name = path.clone().into_os_string();
            name.push(".");
            name.push(ending);
            PathBuf::from(name)
        };
        let page = ENDINGS.iter().map(with_ending).find(|page| self.holds(page));
        if self.holds(&path) {
            Some(FolderEntry::File(path))
        } else if let Some(page) = page {
            Some(FolderEntry::File(page))
        } else {
            self.index(&path)?;
            url.origin().at(&format!("{}/", url.path())).map(FolderEntry::Moved)
        }
    }

    fn index(&self, folder: &Path) -> Option<PathBuf> {
        INDEXES.iter().map(|name| folder.join(name)).find(|index| self.holds(index))
    }

    /// A file that lies in the folder, wherever links of the file system lead.
    fn holds(&self, path: &Path) -> bool {
        path.is_file() && path.canonicalize().is_ok_and(|path| path.starts_with(&self.root))
    }
}

fn media_type(path: &Path) -> &'static str {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "html" | "htm" => "text/html",
        "xhtml" => "application/xhtml+xml",
        "md" | "markdown" => "text/markdown",
        "txt" => "text/plain",
        "xml" => "text/xml",
        "css" => "text/css",
        "js" | "mjs" => "text/javascript",
        "csv" => "text/csv",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let outside = tempfile::tempdir().unwrap();
        let root = outside.path().join("build");
        for (path, text) in [
            ("index.html", "home"),
            ("docs/index.html", "docs"),
            ("docs/intro.html", "intro"),
            ("docs/two words.html", "two"),
            ("empty/page.txt", "text"),
            ("../secret.html", "secret"),
        ] {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        std::os::unix::fs::symlink(outside.path().join("secret.html"), root.join("link.html")).unwrap();
        let folder = Folder::open(&root, &SiteUrl::parse("https://tide.dev/v2").unwrap()).unwrap();
        (outside, folder)
    }

    #[test]
    fn folder_answers_like_a_static_host() {
        let (_kept, folder) = folder();
        let found = |path: &str| {
            let url = SiteUrl::parse(&format!("https://tide.dev{path}")).unwrap();
            match folder.find(&url)? {
                FolderEntry::File(file) => {
                    Some(file.strip_prefix(&folder.root).unwrap().display().to_string())
                }
                FolderEntry::Moved(to) => Some(format!("-> {}", to.path())),
            }
        };
        for (path, file) in [
            ("/v2/", Some("index.html")),
            ("/v2", Some("-> /v2/")),
            ("/v2/index.html", Some("index.html")),
            ("/v2/docs", Some("-> /v2/docs/")),
            ("/v2/docs/", Some("docs/index.html")),
            ("/v2/docs/intro", Some("docs/intro.html")),
            ("/v2/docs/intro.html", Some("docs/intro.html")),
            ("/v2/docs/two%20words.html", Some("docs/two words.html")),
            ("/v2/empty/", None),
            ("/v2/empty/page.txt", Some("empty/page.txt")),
            ("/v2/%2e%2e%2fsecret.html", None),
            ("/v2/link.html", None),
            ("/v2/docs//intro.html", None),
            ("/robots.txt", None),
        ] {
            assert_eq!(found(path).as_deref(), file, "{path}");
        }
        assert_eq!(folder.find(&SiteUrl::parse("https://www.tide.dev/v2/").unwrap()), None);
    }
}
