//! The file of an SQLite store: readable by its owner alone, and served by one process.

use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use secrecy::ExposeSecret;
use sqlx::sqlite::SqliteConnectOptions;

use super::settings::DatabaseKind;
use super::{DatabaseUrl, StoreError, StoreResult};

/// It holds addresses of people and hashes of passwords. SQLite gives its log and index the same mode.
const OWNER_ONLY: u32 = 0o600;

/// Held by the one process that serves an SQLite store; the system frees it when that process ends, however it does.
#[derive(Debug)]
pub(crate) struct ServeLock {
    _file: File,
}

impl ServeLock {
    /// Takes the lock of the store, if it is SQLite: pace, rates and crawls at once are kept in memory then, and two
    /// processes would each keep their own. None: several nodes may serve this store.
    /// Errors: [`StoreError::Served`]: another process serves it; [`StoreError::NoLock`]: the folder takes no file.
    pub(crate) fn take(url: &DatabaseUrl) -> StoreResult<Option<Self>> {
        let Some(path) = file(url)? else { return Ok(None) };
        let mut beside = real(&path).map_err(StoreError::NoLock)?.into_os_string();
        beside.push(".serve.lock");
        let beside = PathBuf::from(beside);
        let lock = OpenOptions::new().write(true).create(true).truncate(false).mode(OWNER_ONLY).open(&beside);
        let lock = lock.map_err(StoreError::NoLock)?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Self { _file: lock })),
            Err(TryLockError::WouldBlock) => Err(StoreError::Served(path)),
            Err(TryLockError::Error(error)) => Err(StoreError::NoLock(error)),
        }
    }
}

/// The one file that is meant, whatever names lead to it; it may be yet to be made.
fn real(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize()?;
            Ok(folder.join(path.file_name().unwrap_or_default()))
        }
        found => found,
    }
}

/// Which file an open SQLite store is in: what is written to one that was deleted or replaced is lost.
#[derive(Debug, Clone)]
pub(super) struct StoreFile {
    path: PathBuf,
    number: (u64, u64),
}

impl StoreFile {
    /// None: the store is PostgreSQL, or lies in no file.
    pub(super) fn of(url: &DatabaseUrl) -> StoreResult<Option<Self>> {
        let path = file(url)?;
        Ok(path.and_then(|path| Some(Self { number: number(&path)?, path })))
    }

    pub(super) fn is_there(&self) -> bool {
        number(&self.path) == Some(self.number)
    }
}

/// What the system tells a file by.
fn number(path: &Path) -> Option<(u64, u64)> {
    path.metadata().ok().map(|file| (file.dev(), file.ino()))
}

/// The file of an SQLite store that is not there yet.
pub(crate) fn missing(url: &DatabaseUrl) -> StoreResult<Option<PathBuf>> {
    Ok(file(url)?.filter(|path| !path.exists()))
}

/// Makes the file of an SQLite store where there is none, and hides one that is there from others. An error is left to the
/// opening of the store.
pub(super) fn make_private(url: &DatabaseUrl) -> StoreResult {
    if let Some(path) = file(url)? {
        drop(make(&path));
    }
    Ok(())
}

fn make(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(OWNER_ONLY).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Err(_) => {
            // A backup in its place may have another mode. What is no file of ours stays as it is.
            let there = path.metadata()?;
            let mode = there.permissions().mode();
            if there.is_file() && mode & OWNER_ONLY != mode & 0o777 {
                drop(std::fs::set_permissions(path, Permissions::from_mode(mode & OWNER_ONLY)));
            }
            Ok(())
        }
        Ok(_) => Ok(()),
    }
}

/// None: the store is PostgreSQL.
fn file(url: &DatabaseUrl) -> StoreResult<Option<PathBuf>> {
    if url.kind == DatabaseKind::Postgres {
        return Ok(None);
    }
    let options: SqliteConnectOptions = url.for_driver().expose_secret().parse()?;
    Ok(Some(options.get_filename().to_owned()))
}
