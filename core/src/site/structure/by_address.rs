//! What addresses say of their pages, each asked once.

use super::Structure;
use crate::site::addresses::Id;
use crate::site::locale::Tag;
use crate::site::rank::{Class, classify, refuse};
use crate::site::version::VersionLabel;
use crate::url::segments;

/// What an address says of its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ByAddress {
    pub(super) kind: PageKind,
    /// It names a language or a version.
    pub(super) choice: bool,
}

/// What sort of page it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageKind {
    /// What was new once.
    Post,
    Other,
    /// No page, such as a list of what carries a tag.
    None,
}

impl Structure {
    /// Asks the addresses that were not asked before.
    pub(super) fn ask(&mut self, ids: impl Iterator<Item = Id>) {
        for id in ids {
            if self.by_address(id).is_some() {
                continue;
            }
            let Some(url) = self.addresses.url(id) else { continue };
            let kind = match refuse(url, "/", false).map_or_else(|| Some(classify(url)), |_| None) {
                Some(Class::News) => PageKind::Post,
                Some(_) => PageKind::Other,
                None => PageKind::None,
            };
            let choice = has_choice(url.path());
            self.spot_mut(id).by_address = Some(ByAddress { kind, choice });
        }
    }

    /// What an address that was asked says.
    pub(super) fn by_address(&self, id: Id) -> Option<ByAddress> {
        self.spot(id)?.by_address
    }
}

/// Whether one of the segments of a path names a language or a version.
pub(super) fn has_choice(path: &str) -> bool {
    segments(path).any(|segment| {
        Tag::parse(segment).is_some() || VersionLabel::of_segment(segment, None, false).is_some()
    })
}
