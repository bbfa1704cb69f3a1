//! The files of a run: written, or held against those that are there.

use std::fs::Permissions;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use similar::TextDiff;
use tempfile::Builder;
use wayfile_actors::Generated;

use super::pages::MarkdownFile;
use crate::cli::args::Generate;
use crate::cli::{Failure, output};
use crate::routes::generate::GenerateResponse;

const INDEX: &str = "llms.txt";
const FULL: &str = "llms-full.txt";
/// What may be done with a new file, less what the user's mask takes away.
const NEW_FILE: u32 = 0o666;
/// Texts that have little in common are not compared to the end.
const COMPARING: Duration = Duration::from_secs(5);

/// Finds out before the work whether its result can be kept.
pub(super) fn prepare(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    tempfile::tempfile_in(folder)
        .with_context(|| format!("nothing can be written into {}", folder.display()))?;
    Ok(())
}

/// Whether both paths lead to one folder.
pub(super) fn are_same(one: &Path, other: impl AsRef<Path>) -> bool {
    matches!((one.canonicalize(), other.as_ref().canonicalize()), (Ok(one), Ok(other)) if one == other)
}

pub(super) fn write(generated: &Generated, command: &Generate) -> Result<(), Failure> {
    let index = generated.llms_txt.iter().map(|text| text.as_str());
    let full = generated.llms_full_txt.iter().flat_map(|text| text.pieces());
    if let Some(folder) = &command.out {
        if generated.llms_txt.is_some() {
            put(&folder.join(INDEX), index)?;
        }
        if generated.llms_full_txt.is_some() {
            put(&folder.join(FULL), full)?;
        }
        return Ok(());
    }
    output::print(|out| {
        if command.json {
            output::json(out, &GenerateResponse::from(generated))
        } else {
            index.chain(full).try_for_each(|piece| out.write_all(piece.as_bytes()))
        }
    })
}

/// Prints how the files in the folder differ from those of the run, as a unified diff; whether they do.
/// Errors: [`Failure`]: a file is there and cannot be read.
pub(super) fn differ(
    generated: &Generated,
    pages: &[MarkdownFile],
    command: &Generate,
) -> Result<bool, Failure> {
    let Some(folder) = &command.out else { return Ok(false) };
    let index = generated.llms_txt.as_ref().map(|text| (folder.join(INDEX), text.to_string()));
    let full = generated.llms_full_txt.as_ref().map(|text| (folder.join(FULL), text.to_string()));
    let below = |path: &Path| command.pages.as_ref().map(|folder| folder.join(path));
    let pages = pages.iter().filter_map(|page| Some((below(&page.path)?, page.text.clone())));
    let mut differ = false;
    for (path, new) in index.into_iter().chain(full).chain(pages) {
        let (old, from) = match std::fs::read(&path) {
            Ok(old) => (String::from_utf8_lossy(&old).into_owned(), path.display().to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound => (String::new(), "/dev/null".to_owned()),
            Err(error) => {
                return Err(anyhow::Error::from(error).context(format!("{}", path.display())).into());
            }
        };
        if old == new {
            continue;
        }
        differ = true;
        let diff = TextDiff::configure().timeout(COMPARING).diff_lines(&old, &new);
        let to = path.display().to_string();
        output::print(|out| diff.unified_diff().header(&from, &to).to_writer(out))?;
    }
    Ok(differ)
}

pub(super) fn write_pages(folder: &Path, pages: &[MarkdownFile]) -> anyhow::Result<()> {
    for page in pages {
        let path = folder.join(&page.path);
        let above = path.parent().unwrap_or(folder);
        let written = std::fs::create_dir_all(above).and_then(|()| std::fs::write(&path, &page.text));
        written.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    say!("{}: {} pages", folder.display(), pages.len());
    Ok(())
}

/// Writes a file. What was there stays until all of the new one is: it may be what a server gives out.
fn put<'t>(path: &Path, pieces: impl Iterator<Item = &'t str>) -> anyhow::Result<()> {
    let written = || -> io::Result<usize> {
        // A link stays one.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (mut new, folder) = (Builder::new(), path.parent().unwrap_or(&path));
        let new = new.permissions(Permissions::from_mode(NEW_FILE)).tempfile_in(folder)?;
        let mut file = BufWriter::new(new);
        let mut bytes = 0;
        for piece in pieces {
            file.write_all(piece.as_bytes())?;
            bytes += piece.len();
        }
        let file = file.into_inner()?;
        if let Ok(old) = path.metadata() {
            file.as_file().set_permissions(old.permissions())?;
        }
        file.persist(path)?;
        Ok(bytes)
    };
    let bytes = written().with_context(|| format!("{} cannot be written", path.display()))?;
    say!("{}: {bytes} bytes", path.display());
    Ok(())
}
