//! What the text alone tells of its form.

mod encoding;
mod headings;
mod links;
mod prose;
mod sections;

pub(super) use prose::holds_html_page;

use super::TextCheck;
use super::rule::checks;

/// Bytes a file may have: 500 KB.
pub const MAX_BYTES: usize = 512_000;

/// The two checks that an empty file or an HTML page has; any other text passes them.
pub(super) static READABLE: [TextCheck; 2] = checks!(Structure:
    "not-empty" 5 "File has content" => encoding::not_empty;
        "it has a character that is not blank";
        "Write a title, a summary and lists of links into the file.";
    "not-html" 10 "File is Markdown, not an HTML page" => encoding::not_html;
        "it does not start with a doctype, html, head, body or xml";
        "Serve the Markdown text itself at this address, not a page of the site.";
);

/// All others.
pub(super) static CHECKS: [TextCheck; 28] = checks!(Structure:
    "valid-utf8" 3 "Valid UTF-8" => encoding::valid_utf8;
        "it decodes as UTF-8 and holds neither U+FFFD nor NUL";
        "Save the file as UTF-8 and replace what was lost.";
    "no-bom" 1 "No byte-order mark" => encoding::no_bom;
        "it does not start with U+FEFF";
        "Save the file as UTF-8 without a byte-order mark.";
    "no-frontmatter" 1 "No YAML front matter" => encoding::no_frontmatter;
        "the first line is not `---`";
        "Remove the block between the lines of `---`.";
    "h1-present" 12 "Has an H1 title" => headings::h1_present;
        "a heading of level 1 outside code";
        "Start the file with `# Name of the site`.";
    "h1-first" 4 "Title is the first line" => headings::h1_first;
        "the H1 is the first line that is not blank";
        "Move the H1 to the top of the file.";
    "single-h1" 4 "Exactly one H1" => headings::single_h1;
        "no second heading of level 1";
        "Make every further H1 an H2.";
    "title-not-url" 2 "Title names the site" => headings::title_not_url;
        "the H1 is neither a URL nor a file name";
        "Write the name of the site or product into the H1.";
    "summary-present" 10 "Has a blockquote summary" => headings::summary_present;
        "a quotation between the H1 and the first H2";
        "Add `> One or two sentences on what this is` below the H1.";
    "summary-first" 2 "Summary follows the title" => headings::summary_first;
        "the quotation is the first block after the H1";
        "Move the quotation right below the H1.";
    "preamble-no-headings" 2 "No headings before the first section" => headings::preamble_no_headings;
        "no H3 or lower before the first H2";
        "Use paragraphs before the first H2, or make the heading an H2.";
    "sections-present" 8 "Has H2 sections" => sections::present;
        "at least one heading of level 2";
        "Group the links under headings such as `## Docs`.";
    "no-deep-headings" 2 "No headings below H2" => headings::no_deep_headings;
        "no heading of level 3 or lower";
        "Make deeper headings H2, or drop them.";
    "sections-have-links" 7 "Every section lists links" => sections::have_links;
        "an item with a link under every H2, instructions excepted";
        "List links in the section, or move its text above the first H2.";
    "link-syntax" 8 "List items are `[name](url): notes`" => sections::link_syntax;
        "at least 90 % of the items in sections are a link, then nothing or a colon and notes";
        "Write each item as `- [name](url): notes`.";
    "links-present" 8 "Has links" => links::present;
        "at least one";
        "List the pages that matter as `- [name](url): notes`.";
    "link-text-present" 2 "Every link has a name" => links::text_present;
        "something between the square brackets";
        "Write the title of the page between the square brackets.";
    "link-urls-valid" 4 "Every URL is valid http(s) or relative" => links::urls_valid;
        "no blank or broken URL, no mailto, tel, javascript, data or file";
        "Link to pages; write other addresses as plain text.";
    "section-names-unique" 1 "No repeated section" => sections::names_unique;
        "no two H2 with the same text, in any case";
        "Merge the sections, or give them different names.";
    "optional-last" 1 "`Optional` comes last" => sections::optional_last;
        "no H2 after the one called Optional";
        "Move the Optional section to the end of the file.";
    "no-duplicate-links" 2 "No URL twice" => links::no_duplicates;
        "every listed URL once, fragments and slashes at the end apart";
        "Keep the entry in the section it fits best.";
    "description-separator" 1 "Notes follow a colon" => links::separator;
        "the notes of an item are set apart with a colon, not a dash";
        "Write `[name](url): notes`.";
    "no-html-tags" 2 "No HTML tags" => prose::no_html_tags;
        "none outside code";
        "Use Markdown instead of tags, or put them into backticks.";
    "no-robots-directives" 1 "No robots.txt lines" => prose::no_robots_directives;
        "no User-agent, Allow, Disallow or Crawl-delay line";
        "Move these lines to robots.txt.";
    "code-fences-closed" 1 "Code fences closed" => prose::fences_closed;
        "every ``` and ~~~ has its closing line";
        "Close the code block.";
    "line-endings" 1 "Unix line endings" => encoding::line_endings;
        "no carriage return";
        "Save the file with LF line ends.";
    "size-under-limit" 2 "At most 500 KB" => encoding::size;
        "at most 512,000 bytes";
        "List fewer pages; put long texts into llms-full.txt.";
    "no-placeholders" 1 "No placeholder or local URLs" => links::no_placeholders;
        "no link to localhost, example.com or an unfilled template";
        "Replace it with the real address.";
    "reference-parseable" 1 "Readable by the reference parser" => prose::reference_parseable;
        "what the format's own parser (llms-txt on PyPI) accepts";
        "Keep sections to lines of `- [name](url): notes`.";
);
