//! What path segments, without extension, query keys and extensions mean on the sites of the world: lower case.

use crate::phrases::list;

/// Documentation, in the languages that name their folders so.
pub(super) const DOCS: &[&str] = list! {
    "api" "apidocs" "aide" "anleitung" "ayuda" "book" "concepts" "cookbook" "developer" "developers" "doc"
    "docs" "documentacao" "documentacion" "documentation" "documentazione" "dokumentation" "einstieg"
    "ejemplos" "examples" "example" "exemples" "beispiele" "faq" "faqs" "fundamentals" "get-started"
    "getting-started" "gettingstarted" "guia" "guias" "guida" "guide" "guides" "handbook" "handbuch"
    "help" "hilfe" "howto" "howtos" "how-to" "how-tos" "install" "installation" "integrations" "intro"
    "introduction" "kb" "knowledge-base" "knowledgebase" "learn" "library" "man" "manual" "manuals"
    "manuel" "overview" "quick-start" "quickstart" "recipes" "ref" "reference" "references" "sdk" "sdks"
    "spec" "specification" "support" "topics" "troubleshooting" "tutorial" "tutorials" "tutoriel"
    "tutoriels" "tutoriales" "usage" "user-guide" "userguide" "wiki"
};

/// How the hosts of documentation begin.
pub(super) const DOCS_HOSTS: &[&str] = &["api", "developer", "developers", "doc", "docs", "help", "manual"];

/// Folders of what describes an interface call by call.
pub(super) const REFERENCE: &[&str] = &["api", "apidocs", "ref", "reference", "references", "rest"];

/// What is new rather than what holds.
pub(super) const NEWS: &[&str] = list! {
    "actualites" "aktuelles" "announcements" "blog" "blogs" "events" "insights" "magazine" "media"
    "neuigkeiten" "news" "newsroom" "noticias" "podcast" "podcasts" "post" "posts" "presse" "press"
    "press-releases" "stories" "updates" "webinars"
};

/// What a reader who is short of room can skip.
pub(super) const OPTIONAL: &[&str] = list! {
    "about-us" "acceptable-use" "accessibility" "affiliates" "agb" "bugs" "career" "careers"
    "change-log" "changelog" "changelogs" "changes" "code-of-conduct" "contact" "contact-us"
    "contributing" "contributors" "cookie-policy" "cookies" "copying" "copyright" "credits" "datenschutz"
    "disclaimer" "dpa" "gdpr" "history" "impressum" "imprint" "investors" "jobs" "karriere" "kontakt"
    "legal" "legal-notice" "legalnotice" "license" "licenses" "licensing" "mentions-legales" "partners"
    "privacidad" "privacy" "privacy-policy" "release" "release-notes" "releaselog" "releasenotes"
    "releases" "sponsors" "status" "team" "terms" "terms-and-conditions" "terms-of-service" "terms-of-use"
    "testimonials" "thanks" "tos" "trademarks" "whats-new" "whatsnew"
};

/// Those of [`OPTIONAL`] that speak of who runs the site: on its menu they are there to be found.
pub(super) const OWNER: &[&str] = list! {
    "about-us" "career" "careers" "contact" "contact-us" "history" "investors" "jobs" "karriere"
    "kontakt" "partners" "sponsors" "team" "testimonials"
};

/// Those of [`OPTIONAL`] that mean the same inside documentation, as names of pages too.
pub(super) const CHRONICLE: &[&str] = list! {
    "change-log" "changelog" "changelogs" "code-of-conduct" "contributing" "contributors" "copying"
    "copyright" "credits" "legal" "legal-notice" "legalnotice" "license" "licenses" "licensing"
    "release-notes" "releaselog" "releasenotes" "releases" "trademarks" "whats-new" "whatsnew"
};

/// Pages that hold one's account.
pub(super) const ACCOUNT: &[&str] = list! {
    "account" "anmelden" "connexion" "dashboard" "forgot-password"
    "iniciar-sesion" "log-in" "log-out" "login" "logout" "my-account" "mein-konto" "oauth"
    "password-reset" "profile" "recover-password" "register" "registrieren" "reset-password" "sign-in"
    "sign-out" "sign-up" "signin" "signout" "signup" "sso" "unsubscribe" "user-login" "wp-admin"
    "wp-login"
};

/// Folders of which only the pages to sign in and out are of an account.
pub(super) const USER: &[&str] = &["auth", "user", "users"];

/// Shopping, apart from the goods.
pub(super) const CART: &[&str] = list! {
    "basket" "bag" "carrito" "cart" "checkout" "kasse" "order-status" "orders" "panier" "warenkorb"
    "wish-list" "wishlist" "wunschliste"
};

/// Forms that look for something.
pub(super) const SEARCH: &[&str] = list! {
    "buscar" "busqueda" "find" "recherche" "ricerca" "search" "search-results" "searchresults" "suche"
};

/// Lists of what carries a tag.
pub(super) const TAG: &[&str] =
    &["hashtag", "hashtags", "schlagwort", "tag", "tagged", "tags", "etiqueta", "etiquetas"];

/// All that was ever posted, beside what was posted last.
pub(super) const ARCHIVE: &[&str] = &["archiv", "archive", "archives", "archivo", "archivos", "arquivo"];

/// Folders of lists of what each author has written.
pub(super) const AUTHORS: &[&str] =
    &["author", "authors", "auteur", "auteurs", "autor", "autoren", "autores"];

/// The same page, for the printer.
pub(super) const PRINT: &[&str] =
    &["_print", "print", "print-view", "printable", "printview", "drucken", "imprimir"];

/// Folders of the numbered pages of a list.
pub(super) const PAGE: &[&str] = &["page", "pagina", "seite"];

/// Feeds.
pub(super) const FEED: &[&str] = &["atom", "feed", "feeds", "feed.json", "feed.xml", "rss", "rss2", "rdf"];

/// Views that act on a page instead of being one.
pub(super) const ACTION: &[&str] = list! {
    "cdn-cgi" "cgi-bin" "commits" "edit" "raw" "revisions" "share" "wp-content" "wp-includes" "wp-json"
    "xmlrpc" "trackback" "embed" "_edit" "_history"
};

/// Pages that stand for their folder.
pub(super) const FRONT: &[&str] = &["index", "package-summary", "module-summary", "overview-summary"];

/// What documentation generators make for look-up by machines: alphabetical indexes, source listings.
pub(super) const INDEX: &[&str] = list! {
    "_modules" "_sources" "_static" "_images" "allclasses" "allclasses-frame" "allclasses-index"
    "allclasses-noframe" "help-doc" "allpackages-index" "annotated" "bookindex" "class-use" "classlist" "deprecated-list"
    "doc_keyword_index" "functions_all" "genindex" "genindex-all" "globals" "hierarchy" "index-all"
    "index-files" "keyword_index" "modindex" "np-modindex" "overview-frame" "overview-tree" "package-frame"
    "package-tree" "package-use" "py-modindex" "src-html" "theindex" "wordindex"
};

/// Pages that list all of a site.
pub(super) const SITE_MAP: &[&str] = list! {
    "karta-sajta" "karta-sayta" "mapa-del-sitio" "mapa-do-site" "mapa-sitio" "mapa-stranek" "mapa-strony" "mapa-web"
    "mapaweb" "mappa-del-sito" "mappa-sito" "plan-du-site" "plandusite" "sajtkarta" "site-haritasi" "site-map" "site_map"
    "sitemap" "sivukartta"
};

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
