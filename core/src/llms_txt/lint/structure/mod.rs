//! What the text alone tells of its form.

mod encoding;
mod headings;
mod links;
mod prose;
mod sections;

pub(super) use prose::holds_html_page;

use super::TextCheck;
use super::rule::Check;

/// Bytes a file may have: 500 KB.
pub const MAX_BYTES: usize = 512_000;

/// The two checks that an empty file or an HTML page has; any other text passes them.
pub(super) const READABLE: [TextCheck; 2] = [
    Check::structure(
        ("not-empty", 5, "File has content"),
        (
            "it has a character that is not blank",
            "Write a title, a summary and lists of links into the file.",
        ),
        encoding::not_empty,
    ),
    Check::structure(
        ("not-html", 10, "File is Markdown, not an HTML page"),
        (
            "it does not start with a doctype, html, head, body or xml",
            "Serve the Markdown text itself at this address, not a page of the site.",
        ),
        encoding::not_html,
    ),
];

/// All others.
pub(super) const CHECKS: [TextCheck; 28] = [
    Check::structure(
        ("valid-utf8", 3, "Valid UTF-8"),
        (
            "it decodes as UTF-8 and holds neither U+FFFD nor NUL",
            "Save the file as UTF-8 and replace what was lost.",
        ),
        encoding::valid_utf8,
    ),
    Check::structure(
        ("no-bom", 1, "No byte-order mark"),
        ("it does not start with U+FEFF", "Save the file as UTF-8 without a byte-order mark."),
        encoding::no_bom,
    ),
    Check::structure(
        ("no-frontmatter", 1, "No YAML front matter"),
        ("the first line is not `---`", "Remove the block between the lines of `---`."),
        encoding::no_frontmatter,
    ),
    Check::structure(
        ("h1-present", 12, "Has an H1 title"),
        ("a heading of level 1 outside code", "Start the file with `# Name of the site`."),
        headings::h1_present,
    ),
    Check::structure(
        ("h1-first", 4, "Title is the first line"),
        ("the H1 is the first line that is not blank", "Move the H1 to the top of the file."),
        headings::h1_first,
    ),
    Check::structure(
        ("single-h1", 4, "Exactly one H1"),
        ("no second heading of level 1", "Make every further H1 an H2."),
        headings::single_h1,
    ),
    Check::structure(
        ("title-not-url", 2, "Title names the site"),
        ("the H1 is neither a URL nor a file name", "Write the name of the site or product into the H1."),
        headings::title_not_url,
    ),
    Check::structure(
        ("summary-present", 10, "Has a blockquote summary"),
        (
            "a quotation between the H1 and the first H2",
            "Add `> One or two sentences on what this is` below the H1.",
        ),
        headings::summary_present,
    ),
    Check::structure(
        ("summary-first", 2, "Summary follows the title"),
        ("the quotation is the first block after the H1", "Move the quotation right below the H1."),
        headings::summary_first,
    ),
    Check::structure(
        ("preamble-no-headings", 2, "No headings before the first section"),
        (
            "no H3 or lower before the first H2",
            "Use paragraphs before the first H2, or make the heading an H2.",
        ),
        headings::preamble_no_headings,
    ),
    Check::structure(
        ("sections-present", 8, "Has H2 sections"),
        ("at least one heading of level 2", "Group the links under headings such as `## Docs`."),
        sections::present,
    ),
    Check::structure(
        ("no-deep-headings", 2, "No headings below H2"),
        ("no heading of level 3 or lower", "Make deeper headings H2, or drop them."),
        headings::no_deep_headings,
    ),
    Check::structure(
        ("sections-have-links", 7, "Every section lists links"),
        (
            "an item with a link under every H2, instructions excepted",
            "List links in the section, or move its text above the first H2.",
        ),
        sections::have_links,
    ),
    Check::structure(
        ("link-syntax", 8, "List items are `[name](url): notes`"),
        (
            "at least 90 % of the items in sections are a link, then nothing or a colon and notes",
            "Write each item as `- [name](url): notes`.",
        ),
        sections::link_syntax,
    ),
    Check::structure(
        ("links-present", 8, "Has links"),
        ("at least one", "List the pages that matter as `- [name](url): notes`."),
        links::present,
    ),
    Check::structure(
        ("link-text-present", 2, "Every link has a name"),
        ("something between the square brackets", "Write the title of the page between the square brackets."),
        links::text_present,
    ),
    Check::structure(
        ("link-urls-valid", 4, "Every URL is valid http(s) or relative"),
        (
            "no blank or broken URL, no mailto, tel, javascript, data or file",
            "Link to pages; write other addresses as plain text.",
        ),
        links::urls_valid,
    ),
    Check::structure(
        ("section-names-unique", 1, "No repeated section"),
        ("no two H2 with the same text, in any case", "Merge the sections, or give them different names."),
        sections::names_unique,
    ),
    Check::structure(
        ("optional-last", 1, "`Optional` comes last"),
        ("no H2 after the one called Optional", "Move the Optional section to the end of the file."),
        sections::optional_last,
    ),
    Check::structure(
        ("no-duplicate-links", 2, "No URL twice"),
        (
            "every listed URL once, fragments and slashes at the end apart",
            "Keep the entry in the section it fits best.",
        ),
        links::no_duplicates,
    ),
    Check::structure(
        ("description-separator", 1, "Notes follow a colon"),
        ("the notes of an item are set apart with a colon, not a dash", "Write `[name](url): notes`."),
        links::separator,
    ),
    Check::structure(
        ("no-html-tags", 2, "No HTML tags"),
        ("none outside code", "Use Markdown instead of tags, or put them into backticks."),
        prose::no_html_tags,
    ),
    Check::structure(
        ("no-robots-directives", 1, "No robots.txt lines"),
        ("no User-agent, Allow, Disallow or Crawl-delay line", "Move these lines to robots.txt."),
        prose::no_robots_directives,
    ),
    Check::structure(
        ("code-fences-closed", 1, "Code fences closed"),
        ("every ``` and ~~~ has its closing line", "Close the code block."),
        prose::fences_closed,
    ),
    Check::structure(
        ("line-endings", 1, "Unix line endings"),
        ("no carriage return", "Save the file with LF line ends."),
        encoding::line_endings,
    ),
    Check::structure(
        ("size-under-limit", 2, "At most 500 KB"),
        ("at most 512,000 bytes", "List fewer pages; put long texts into llms-full.txt."),
        encoding::size,
    ),
    Check::structure(
        ("no-placeholders", 1, "No placeholder or local URLs"),
        ("no link to localhost, example.com or an unfilled template", "Replace it with the real address."),
        links::no_placeholders,
    ),
    Check::structure(
        ("reference-parseable", 1, "Readable by the reference parser"),
        (
            "what the format's own parser (llms-txt on PyPI) accepts",
            "Keep sections to lines of `- [name](url): notes`.",
        ),
        prose::reference_parseable,
    ),
];
