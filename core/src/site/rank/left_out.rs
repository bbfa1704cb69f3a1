//! Why an address that the site names is not among the pages.

/// The reasons, in the order in which a note tells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LeftOut {
    /// The site's robots.txt asks not to fetch it.
    Robots,
    /// The page asks not to be indexed.
    NoIndex,
    /// The page is empty without JavaScript.
    Shell,
    /// The page has no text at all.
    Empty,
    /// It is written in another language than the crawl's.
    Language,
    /// It belongs to another version of the documentation.
    Version,
    /// Signing in, signing up, one's own account.
    Account,
    /// Carts, checkouts, wish lists.
    Cart,
    /// Lists of what carries a tag.
    Tag,
    /// Lists of what is in a category, by an author, from a month.
    Archive,
    /// Search forms and their results.
    Search,
    /// The same page, for the printer.
    Print,
    /// RSS, Atom and other feeds.
    Feed,
    /// No page by its extension: an image, an archive, a PDF.
    File,
    /// The second and later pages of a list.
    Pagination,
    /// The same list, sorted or filtered in another way.
    Filter,
    /// Edit, share, log and history views, scripts of the server.
    Action,
    /// Alphabetical indexes and source listings that a generator made.
    Index,
    /// A part of the site that multiplies addresses without end.
    Trap,
    /// In a folder of which nothing is there.
    MissingFolder,
    /// More addresses than the crawl keeps in mind.
    Overflow,
    /// Outside of what the caller asked for.
    Unwanted,
    /// It redirects out of the site.
    MovedAway,
    /// A sibling host, such as `blog.` beside `www.`.
    Sibling,
}

impl LeftOut {
    /// What a note says of `count` such addresses: `12 pages in other languages`.
    pub fn note(self, count: usize) -> String {
        let (one, many) = self.names();
        format!("{count} {}", if count == 1 { one } else { many })
    }

    /// What one such address is: `page in another language`.
    pub fn reason(self) -> &'static str {
        self.names().0
    }

    /// What one is, and what several are.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Robots => ("page that robots.txt closes", "pages that robots.txt closes"),
            Self::NoIndex => ("page that asks not to be indexed", "pages that ask not to be indexed"),
            Self::Shell => {
                ("page that is empty without JavaScript", "pages that are empty without JavaScript")
            }
            Self::Empty => ("page without any text", "pages without any text"),
            Self::Language => ("page in another language", "pages in other languages"),
            Self::Version => ("page of another version", "pages of other versions"),
            Self::Account => ("sign-in or account page", "sign-in and account pages"),
            Self::Cart => ("shopping cart page", "shopping cart pages"),
            Self::Tag => ("tag page", "tag pages"),
            Self::Archive => ("category or archive page", "category and archive pages"),
            Self::Search => ("search page", "search pages"),
            Self::Print => ("print view", "print views"),
            Self::Feed => ("feed", "feeds"),
            Self::File => ("file that is no page", "files that are no pages"),
            Self::Pagination => ("continued list page", "continued list pages"),
            Self::Filter => ("sorted or filtered view", "sorted or filtered views"),
            Self::Action => ("edit, share or script address", "edit, share and script addresses"),
            Self::Index => ("generated index page", "generated index pages"),
            Self::Trap => ("address in a seemingly endless part", "addresses in seemingly endless parts"),
            Self::MissingFolder => ("link into a folder that is gone", "links into folders that are gone"),
            Self::Overflow => ("address beyond the crawl's memory", "addresses beyond the crawl's memory"),
            Self::Unwanted => ("page outside of what was asked for", "pages outside of what was asked for"),
            Self::MovedAway => ("page that moved to another site", "pages that moved to another site"),
            Self::Sibling => ("link to a sibling host", "links to sibling hosts"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_counts_in_plain_english() {
        assert_eq!(LeftOut::Language.note(12), "12 pages in other languages");
        assert_eq!(LeftOut::Language.note(1), "1 page in another language");
    }
}
