//! What a command works on, as its arguments name it: a file, a folder, a pipe, stdin, or an address.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use wayfile_core::page::is_markdown_name;
use wayfile_core::url::{Seed, SiteUrl};

use super::Failure;

const STDIN: &str = "-";
/// What names of files end in. Some of these are also domains of countries: such a domain needs its scheme.
const ENDINGS: [&str; 18] = [
    "txt", "md", "mdx", "markdown", "rst", "html", "htm", "xhtml", "xml", "json", "yaml", "yml", "toml",
    "csv", "pdf", "log", "gz", "zip",
];

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    Local(Local),
    Address(Seed),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Local {
    Stdin,
    /// It is there: a file, a folder, a pipe.
    Path(PathBuf),
}

impl Input {
    /// Reads an argument. What looks like a file and is not there is no address: it is not looked up.
    /// Errors: [`Failure`]: a file that is not there, or no address.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        if text == STDIN {
            return Ok(Self::Local(Local::Stdin));
        }
        let path = Path::new(text);
        // A file whose name cannot be an address is looked for even where the folder may not be read.
        if !text.contains("://") && path.exists() {
            return Ok(Self::Local(Local::Path(path.to_owned())));
        }
        if looks_like_a_file(text) {
            let host = text.split('/').next().unwrap_or_default();
            let may_be_a_site = host.contains('.') && Seed::parse(text).is_ok();
            let hint = if may_be_a_site { format!("; a site is https://{text}") } else { String::new() };
            return Err(Failure::wrong_use(format!("there is no file {text}{hint}")));
        }
        Seed::parse(text).map(Self::Address).map_err(|error| {
            Failure::wrong_use(format!("{text:?} is neither a file nor an address: {error}"))
        })
    }
}

impl Local {
    /// Whether its name is that of Markdown.
    pub(super) fn is_markdown(&self) -> bool {
        matches!(self, Self::Path(path) if is_markdown_name(&path.to_string_lossy().to_lowercase()))
    }

    pub(super) fn read(&self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Stdin => {
                let mut bytes = Vec::new();
                std::io::stdin().read_to_end(&mut bytes).context("stdin cannot be read")?;
                Ok(bytes)
            }
            Self::Path(path) if path.is_dir() => {
                Err(Failure::wrong_use(format!("{} is a folder; name a file in it", path.display())))
            }
            Self::Path(path) => {
                Ok(std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?)
            }
        }
    }
}

/// What `--base` says to an address.
pub(super) const NO_BASE: &str =
    "--base is for what is read from a file: an address says itself where it lies";

/// The address that `--base` gives.
/// Errors: [`Failure`]: it is none. A word alone is a slip: it would be a host that nobody meant.
pub(super) fn base(text: &str) -> Result<SiteUrl, Failure> {
    let wrong = |why: &str| Failure::wrong_use(format!("--base {text:?} is no address: {why}"));
    if !text.contains(['.', ':']) {
        return Err(wrong("write it whole, such as https://docs.example.org"));
    }
    SiteUrl::parse(text).map_err(|error| wrong(&error.to_string()))
}

fn looks_like_a_file(text: &str) -> bool {
    if text.contains("://") {
        return false;
    }
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    text.contains(['/', '\\']) || ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_like_arguments_are_never_hosts() {
        for name in ["NOTES.md", "llms.txt", "docs/llms.txt", "./llms", "/tmp/none", "a.b/c", "Page.HTML"] {
            let failure = Input::parse(name).unwrap_err();
            assert!(failure.message.starts_with(&format!("there is no file {name}")), "{}", failure.message);
            assert_eq!(failure.code, 2);
        }
        let failure = Input::parse("tide.dev/docs").unwrap_err();
        assert_eq!(failure.message, "there is no file tide.dev/docs; a site is https://tide.dev/docs");
        assert_eq!(Input::parse("public/").unwrap_err().message, "there is no file public/");
    }

    #[test]
    fn other_pages_keep_their_markdown() {
        for address in ["tide.dev", "tide.dev:8080", "https://tide.dev/llms.txt", "http://a.b/c/README.md"] {
            assert!(matches!(Input::parse(address).unwrap(), Input::Address(_)), "{address}");
        }
        assert_eq!(Input::parse("-").unwrap(), Input::Local(Local::Stdin));
        assert!(Input::parse("two words").unwrap_err().message.contains("neither a file nor an address"));
    }

    #[test]
    fn a_base_is_a_whole_address() {
        for address in ["https://tide.dev/docs/", "tide.dev", "localhost:3000", "http://intranet"] {
            assert!(base(address).is_ok(), "{address}");
        }
        for word in ["docs", "", "./docs", "ftp://tide.dev"] {
            let told = base(word).unwrap_err().message;
            assert!(told.starts_with(&format!("--base {word:?} is no address: ")), "{told}");
        }
    }

    #[test]
    fn every_kind_of_input_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("notes");
        std::fs::write(&file, "text").unwrap();
        let local = |path: &str| match Input::parse(path).unwrap() {
            Input::Local(local) => local,
            Input::Address(seed) => panic!("{}", seed.url),
        };
        assert_eq!(local(file.to_str().unwrap()).read().unwrap(), b"text");
        assert!(
            local(folder.path().to_str().unwrap())
                .read()
                .unwrap_err()
                .message
                .contains("is a folder; name a file")
        );
        assert_eq!(local("/dev/null").read().unwrap(), b"");
    }
}
