//! What query keys and file extensions mean on the sites of the world: lower case.

use crate::phrases::list;

/// Query keys that look for something.
pub(super) const SEARCH_KEYS: &[&str] = &["q", "query", "s", "search", "search_query", "keyword", "keywords"];

/// Query keys that leaf through a list.
pub(super) const PAGE_KEYS: &[&str] =
    &["page", "paged", "pg", "offset", "start", "cursor", "from_page", "seite"];

/// Query keys that sort or filter a list.
pub(super) const FILTER_KEYS: &[&str] = list! {
    "dir" "direction" "display" "facet" "filter" "filters" "layout" "limit" "max_price" "min_price"
    "order" "orderby" "order_by" "per_page" "sort" "sortby" "sort_by" "view" "view_as"
};

/// Query keys that act.
pub(super) const ACTION_KEYS: &[&str] = list! {
    "action" "add-to-cart" "cmd" "diff" "do" "edit" "oldid" "replytocom" "redirect_to" "return_to"
    "returnto" "returnurl" "share" "veaction"
};

/// Extensions that a page may have.
pub(super) const PAGE_EXTENSIONS: &[&str] =
    &["asp", "aspx", "cfm", "do", "htm", "html", "jsp", "jspx", "md", "mdx", "php", "php5", "shtml", "xhtml"];

/// Extensions that no page has.
pub(super) const FILE_EXTENSIONS: &[&str] = list! {
    "7z" "aac" "apk" "appimage" "asc" "atom" "avi" "avif" "bib" "bin" "bmp" "bz2" "cab" "c" "cc" "cpp"
    "css" "csv" "deb" "dmg" "doc" "docx" "dtd" "eot" "eps" "epub" "exe" "flac" "gif" "gz" "h" "heic" "hpp"
    "ico" "ics" "ipynb" "iso" "jar" "java" "jpeg" "jpg" "js" "json" "jsonl" "jsx" "log" "m4a" "m4v" "map"
    "mjs" "mkv" "mobi" "mov" "mp3" "mp4" "mpeg" "mpg" "msi" "odp" "ods" "odt" "ogg" "ogv" "opus" "otf"
    "patch" "pdf" "pem" "pkg" "png" "ppt" "pptx" "ps" "psd" "py" "rar" "rb" "rpm" "rs" "rss" "rst" "rtf"
    "sh" "sig" "sha256" "sql" "svg" "svgz" "swf" "tar" "tex" "tgz" "tif" "tiff" "toml" "ts" "tsv" "tsx"
    "ttf" "txt" "vcf" "wasm" "wav" "webm" "webmanifest" "webp" "whl" "wmv" "woff" "woff2" "xls" "xlsx"
    "xml" "xpi" "xsd" "xsl" "xz" "yaml" "yml" "zip" "zst"
};
