//! How near pages are to the pages that list them.

use super::Structure;
use super::groups::GroupId;
use crate::site::addresses::Id;
use crate::site::rank::{is_index, stem};
use crate::url::{below, segments};

/// The fewest links of a list in a text that place a page below the page they stand on.
const MIN_LIST: usize = 3;
/// The same for pages that lie elsewhere.
const MIN_FAR_LIST: usize = 5;

/// How near a page is to the page that lists it, the farthest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kinship {
    /// Elsewhere.
    Far,
    /// In the same folder.
    Neighbour,
    /// Elsewhere, but the home page names the page that lists it.
    Linked,
    /// Below it, under no heading.
    Loose,
    /// Below it, under a heading.
    Kin,
}

impl Structure {
    /// How near a page is to the page that lists it: in a folder of that page or named after it (`ddl`, `ddl-basics`), beside
    /// it, or elsewhere. `None`: too few links stand there to be a list.
    pub(super) fn kinship(&self, hub: Id, id: Id, group: Option<GroupId>, size: usize) -> Option<Kinship> {
        let (hub_url, page) = (self.addresses.url(hub)?, self.addresses.url(id)?);
        let (folder, file) = hub_url.path().rsplit_once('/').unwrap_or_default();
        let name = stem(file);
        let inner = segments(folder).next().is_some();
        let rest = below(page.path(), folder);
        let is_front = name.is_empty() || is_index(file);
        let is_named_after =
            |rest: &str| rest.strip_prefix(name).is_some_and(|it| it.starts_with(['/', '-', '_']));
        let is_kin = rest
            .is_some_and(|rest| if is_front { inner || rest.contains('/') } else { is_named_after(rest) });
        let is_beside = inner && rest.is_some_and(|rest| !rest.contains('/'));
        // Footers name what is there for the law as well.
        let on_home = self.is_shown_by_home(hub) && !self.is_in_margins_only(hub);
        match group {
            Some(_) if is_kin => Some(Kinship::Kin),
            _ if size < MIN_LIST => None,
            None if is_kin => Some(Kinship::Loose),
            _ if on_home && (is_beside || size >= MIN_FAR_LIST) => Some(Kinship::Linked),
            _ if is_beside => Some(Kinship::Neighbour),
            Some(_) if size >= MIN_FAR_LIST => Some(Kinship::Far),
            _ => None,
        }
    }
}
