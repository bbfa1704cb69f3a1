//! One place where a page is named, and how far it can be trusted.

use super::words::Word;
use crate::site::addresses::Id;

/// How trustworthy a mention is, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// A footer list of the home page.
    Footer,
    /// A list on a page that lists the whole site.
    Contents,
    /// A list on some page.
    FarList,
    /// A list on a page of the same folder.
    ListOfNeighbour,
    /// The running text of the home page.
    HomeText,
    /// A list on a page that the home page links to.
    List,
    /// A list without a caption on a page that lies above it or whose name begins as its own.
    LooseListOfKin,
    /// A menu or a list of the home page that puts it into no group.
    HomeLink,
    /// A captioned list on a page that lies above it or whose name begins as its own.
    ListOfKin,
    /// Under a heading of the home page.
    HomeHeading,
    /// A captioned or nested list in the text of the home page.
    HomeList,
    /// A captioned or nested group of a menu of inner pages.
    Menu,
    /// A captioned or nested group of the home page's menu.
    HomeMenu,
}

impl Strength {
    /// The page that names it stands above it.
    pub(super) fn is_list(self) -> bool {
        matches!(
            self,
            Self::Contents
                | Self::FarList
                | Self::ListOfNeighbour
                | Self::List
                | Self::LooseListOfKin
                | Self::ListOfKin
        )
    }
}

/// One place where a page is named.
#[derive(Debug, Clone)]
pub(crate) struct Mention {
    pub(crate) strength: Strength,
    /// The page that names it.
    pub(crate) hub: Id,
    /// The page whose list item holds the list that names it, or, for lists of inner pages, the hub.
    pub(super) parent: Option<Id>,
    pub(super) group: Option<Word>,
    /// The caption above the one of the group.
    pub(super) outer: Option<Word>,
    pub(super) label: Option<Word>,
    /// Its position among the links of the hub.
    pub(crate) order: u32,
}

impl Mention {
    /// The stronger, and the more it says, the heavier.
    pub(super) fn weight(&self) -> (Strength, bool, bool) {
        (self.strength, self.group.is_some(), self.label.is_some())
    }
}
