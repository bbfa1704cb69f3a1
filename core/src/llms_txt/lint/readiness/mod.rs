//! What the text alone tells of its use to agents.

mod links;
mod notes;
mod text;

use super::TextCheck;
use super::rule::checks;

pub use text::HARD_LIMIT_CHARS;

/// In the order of the answer.
pub(super) static CHECKS: [TextCheck; 15] = checks!(Readiness:
    "fits-agent-window" 10 "Fits one agent fetch" => text::fits_window;
        "at most 50,000 characters";
        "List fewer pages, or shorten the notes.";
    "fits-hard-limit" 5 "Not truncated by known agents" => text::fits_hard_limit;
        "at most 100,000 characters";
        "List fewer pages: agents cut what is longer.";
    "not-stub" 4 "Not a stub" => text::not_stub;
        "at least 200 characters";
        "Add a summary and the pages that matter.";
    "link-descriptions" 8 "Links are described" => notes::described;
        "at least 80 % of the listed links have notes of 10 characters or more";
        "Say after a colon what each page answers.";
    "informative-descriptions" 3 "Notes add information" => notes::informative;
        "neither the title again nor one and the same text on more than 10 % of the links";
        "Say of each page what the others do not hold.";
    "absolute-links" 5 "All links absolute" => links::absolute;
        "every link names scheme and host";
        "Write the whole address, such as https://host/path.";
    "https-links" 3 "All links https" => links::https;
        "no http link";
        "Link to the https address.";
    "markdown-links" 8 "Links lead to Markdown" => links::markdown;
        "at least half of the pages end in .md, .mdx or .txt";
        "Serve Markdown twins of the pages and link to those.";
    "same-site-links" 4 "Mostly own pages" => links::same_site;
        "at least half lead to the same registrable domain";
        "List pages of this site first.";
    "link-count-in-range" 3 "Curated, not a dump" => links::count;
        "3 to 500 links";
        "Choose the pages that matter.";
    "grouped-links" 3 "Links are grouped" => links::grouped;
        "more than 10 links stand in at least 2 sections";
        "Split the list into sections by what readers look for.";
    "agent-instructions" 6 "Instructions for agents" => text::instructions;
        "a heading or bold title such as \"Instructions for LLM Agents\"";
        "Add a block that tells agents how to use the site.";
    "llms-full-linked" 4 "Points to llms-full.txt" => text::full_linked;
        "a link or an address leads to an llms-full.txt";
        "Publish llms-full.txt and name its address.";
    "no-private-links" 2 "No private pages" => links::no_private;
        "no login, cart, checkout or admin page";
        "Remove pages that only a signed-in person can use.";
    "agent-entry-points" 2 "Names API or MCP entry points" => text::entry_points;
        "OpenAPI, MCP, .well-known or AGENTS.md is named";
        "Name the machine-readable entry points, if there are any.";
);
