//! What the text alone tells of its use to agents.

mod agents;
mod links;
mod notes;
mod size;

use super::TextCheck;
use super::rule::Check;

pub use size::HARD_LIMIT_CHARS;

/// In the order of the answer.
pub(super) const CHECKS: [TextCheck; 15] = [
    Check::readiness(
        ("fits-agent-window", 10, "Fits one agent fetch"),
        ("at most 50,000 characters", "List fewer pages, or shorten the notes."),
        size::fits_window,
    ),
    Check::readiness(
        ("fits-hard-limit", 5, "Not truncated by known agents"),
        ("at most 100,000 characters", "List fewer pages: agents cut what is longer."),
        size::fits_hard_limit,
    ),
    Check::readiness(
        ("not-stub", 4, "Not a stub"),
        ("at least 200 characters", "Add a summary and the pages that matter."),
        size::not_stub,
    ),
    Check::readiness(
        ("link-descriptions", 8, "Links are described"),
        (
            "at least 80 % of the listed links have notes of 10 characters or more",
            "Say after a colon what each page answers.",
        ),
        notes::described,
    ),
    Check::readiness(
        ("informative-descriptions", 3, "Notes add information"),
        (
            "neither the title again nor one and the same text on more than 10 % of the links",
            "Say of each page what the others do not hold.",
        ),
        notes::informative,
    ),
    Check::readiness(
        ("absolute-links", 5, "All links absolute"),
        ("every link names scheme and host", "Write the whole address, such as https://host/path."),
        links::absolute,
    ),
    Check::readiness(
        ("https-links", 3, "All links https"),
        ("no http link", "Link to the https address."),
        links::https,
    ),
    Check::readiness(
        ("markdown-links", 8, "Links lead to Markdown"),
        (
            "at least half of the pages end in .md, .mdx or .txt",
            "Serve Markdown twins of the pages and link to those.",
        ),
        links::markdown,
    ),
    Check::readiness(
        ("same-site-links", 4, "Mostly own pages"),
        ("at least half lead to the same registrable domain", "List pages of this site first."),
        links::same_site,
    ),
    Check::readiness(
        ("link-count-in-range", 3, "Curated, not a dump"),
        ("3 to 500 links", "Choose the pages that matter."),
        links::count,
    ),
    Check::readiness(
        ("grouped-links", 3, "Links are grouped"),
        (
            "more than 10 links stand in at least 2 sections",
            "Split the list into sections by what readers look for.",
        ),
        links::grouped,
    ),
    Check::readiness(
        ("agent-instructions", 6, "Instructions for agents"),
        (
            "a heading or bold title such as \"Instructions for LLM Agents\"",
            "Add a block that tells agents how to use the site.",
        ),
        agents::instructions,
    ),
    Check::readiness(
        ("llms-full-linked", 4, "Points to llms-full.txt"),
        ("llms-full.txt is named or linked", "Publish llms-full.txt and name its address."),
        agents::full_linked,
    ),
    Check::readiness(
        ("no-private-links", 2, "No private pages"),
        ("no login, cart, checkout or admin page", "Remove pages that only a signed-in person can use."),
        links::no_private,
    ),
    Check::readiness(
        ("agent-entry-points", 2, "Names API or MCP entry points"),
        (
            "OpenAPI, MCP, .well-known or AGENTS.md is named",
            "Name the machine-readable entry points, if there are any.",
        ),
        agents::entry_points,
    ),
];
