//! What an editor takes out of pages that are no documentation: the pictures of an article with their captions,
//! who wrote it and when, what stands around the posts of a forum, texts that are there twice, and sections that
//! lead elsewhere.

use super::announced;
use super::announcements::{self, Phrase};
use super::column::MOST_RUNNING;
use super::genre::Genre;
use super::marks::Marks;
use super::repeats::Repeats;
use super::sharing::Sharing;
use super::survey::Survey;
use super::tree::{NodeId, Tree, is_field};
use super::vocabulary::{Name, Tag};
use crate::maps::Map;

/// Share of a page's text that a part beside it may take.
const MOST_BESIDE: f32 = 0.4;
/// Share of what stands below a heading that links have at least where it is over links.
const MOSTLY_LINKS: f32 = 0.7;
/// Bytes of a line that says who wrote a text and when.
const LONGEST_BYLINE: f32 = 240.0;
/// Bytes of a caption or a credit.
const LONGEST_CAPTION: f32 = 600.0;
/// Bytes of a card that leads to another page, at most, and of the name that it gives to that, at least.
const CARD: f32 = 700.0;
const CARD_NAME: usize = 20;
/// Cards in a run, at least and at most.
const MIN_CARDS: usize = 3;
const MAX_CARDS: usize = 60;
/// Nodes of a card before its name, at most.
const MAX_CARD_NODES: usize = 60;
/// Bytes of a paragraph of the text itself, at least.
const PARAGRAPH: f32 = 120.0;
/// Nodes around a text that are looked at: those that may hold the colon which leads up to a list, or the rest of a word.
const MAX_LAST: usize = 4;
/// Elements around a block that may be the entry of a list or a table which it is all or a part of.
const MAX_HOLDERS: usize = 3;
/// Bytes of a text that can only be there twice by mistake; what the posts of a forum share is its layout sooner.
const REPEATED: usize = 80;
const REPEATED_IN_POSTS: usize = 20;

/// Marks what has to go inside `roots`.
pub(super) fn leave_out(
    tree: &Tree<'_>,
    survey: &Survey,
    roots: &[NodeId],
    genre: Genre,
    left_out: &mut [bool],
) {
    let total = roots.iter().map(|&root| survey.all(root)).sum();
    let code = roots.iter().flat_map(|&root| tree.descendants(root)).find(|&n| tree.tag(n) == Tag::Pre);
    let running: f32 = roots.iter().map(|&root| survey.running(root)).sum();
    let paragraphs: f32 = roots.iter().map(|&root| survey.paragraphs(root)).sum();
    let article = genre == Genre::Prose && code.is_none() && paragraphs > 0.6 * total;
    let repeats = Repeats::of(tree, roots);
    let sharing = Sharing::inside(roots);
    let last = if article { last_paragraph(tree, survey, roots) } else { NodeId::MAX };
    let mut editor = Editor {
        tree,
        survey,
        genre,
        total,
        running,
        article,
        code,
        repeats,
        sharing,
        lines: Map::default(),
        last,
    };
    for &root in roots {
        let mut node = root + 1;
        while node < tree.node(root).end {
            let tag = tree.tag(node);
            if !tree.spend(1) {
                return;
            }
            if left_out[node as usize] || matches!(tag, Tag::Pre | Tag::Code | Tag::Math) {
                node = tree.node(node).end;
                continue;
            }
            let end = if tag == Tag::Text { node } else { editor.cut(root, node) };
            if end == node {
                node += 1;
                continue;
            }
            let mut gone = node;
            while gone < end {
                left_out[gone as usize] = true;
                gone = tree.node(gone).end;
            }
            node = end;
        }
    }
}

/// The last paragraph of a text: it stands beside another one, as those of cards do not.
fn last_paragraph(tree: &Tree<'_>, survey: &Survey, roots: &[NodeId]) -> NodeId {
    let is_long =
        |&n: &NodeId| tree.tag(n) == Tag::P && survey.prose(n) > PARAGRAPH && survey.link_share(n) < 0.3;
    let mut all = roots.iter().rev().flat_map(|&root| tree.descendants(root).rev()).filter(is_long);
    let mut behind = None;
    let parent = |n: NodeId| tree.node(n).parent;
    all.find(|&n| behind.replace(n).is_some_and(|last| parent(last) == parent(n))).unwrap_or(NodeId::MAX)
}

struct Editor<'e, 'a> {
    tree: &'e Tree<'a>,
    survey: &'e Survey,
    genre: Genre,
    /// Bytes of text of the page's content.
    total: f32,
    /// Bytes of it that are running text.
    running: f32,
    /// Most of the text is paragraphs.
    article: bool,
    /// The first listing.
    code: Option<NodeId>,
    repeats: Repeats,
    sharing: Sharing<'e, 'a>,
    /// Which elements that were asked for hold running text themselves.
    lines: Map<NodeId, bool>,
    /// The last paragraph of an article that stands beside another one; where there is none, nothing stands behind it.
    last: NodeId,
}

impl Editor<'_, '_> {
    /// One past what has to go from `node` on; `node` itself when it stays.
    fn cut(&mut self, root: NodeId, node: NodeId) -> NodeId {
        let end = self.tree.node(node).end;
        if self.is_beside(node) || self.is_picture(node) || self.is_repeated(node) {
            return end;
        }
        if self.tree.tag(node) == Tag::P
            && self.survey.link_share(node) > 0.4
            && announcements::leads_elsewhere(&self.tree.folded_text(node, 4 * announcements::LONGEST))
        {
            return end;
        }
        if self.is_form(node) || self.is_interruption(node) || node > self.last && self.are_teasers(node) {
            return end;
        }
        let Some(phrase) = announced::phrase(self.tree, self.survey, node) else {
            return self.links_below(root, node);
        };
        if phrase == Phrase::Readers && self.genre == Genre::Discussion {
            return node;
        }
        let is_call = phrase == Phrase::Call && !self.is_in_name(node);
        if self.is_inline(node) && !is_call || self.is_in_prose(node) {
            return node;
        }
        announced::section(self.tree, self.survey, root, node, phrase).end
    }

    /// Whether the names of a part say that it is none of the prose.
    fn is_beside(&mut self, node: NodeId) -> bool {
        let marks = self.survey.marks(node);
        let named = Marks::BESIDE.with(Marks::BYLINE).with(Marks::POSTER);
        // A link in a line of prose is part of it, however it is named.
        if !marks.any(named) || self.survey.holds_title(self.tree, node) || self.is_in_prose(node) {
            return false;
        }
        let page = self.survey.all(0).max(self.total).max(1.0);
        let share = self.sharing.bytes(self.tree, self.survey, node) / page;
        if marks.any(Marks::BESIDE) && share < MOST_BESIDE {
            // The text itself is not beside it, even on a page that is mostly something else.
            return self.survey.running(node) <= MOST_RUNNING * self.running;
        }
        if self.genre == Genre::Discussion {
            return marks.any(Marks::POSTER) && share < MOST_BESIDE;
        }
        // Who wrote a text stands above it, not among its samples.
        marks.any(Marks::BYLINE)
            && self.code.is_none_or(|code| node < code)
            && self.survey.all(node) < LONGEST_BYLINE
            && share < 0.2
            && !self.is_in_table(node)
    }

    /// Pictures show what the prose says, or nothing; so do their captions.
    fn is_picture(&self, node: NodeId) -> bool {
        let all = self.survey.all(node);
        match self.tree.tag(node) {
            Tag::Img | Tag::Picture => true,
            Tag::Figcaption => all < LONGEST_CAPTION,
            tag => {
                self.article
                    && self.survey.marks(node).any(Marks::CREDITS)
                    && tag != Tag::Caption
                    && !self.is_in_table(node)
                    && tag.heading_level().is_none()
                    && all < LONGEST_CAPTION
                    && all < 0.2 * self.total
            }
        }
    }

    /// A heading over little but links, whatever it says: beside a text of paragraphs they lead to other ones.
    fn links_below(&self, root: NodeId, node: NodeId) -> NodeId {
        if !self.article || self.tree.tag(node).heading_level().is_none_or(|level| level == 1) {
            return node;
        }
        let section = announced::section(self.tree, self.survey, root, node, Phrase::Elsewhere);
        let (mut links, mut all) = (0.0, 0.0);
        let mut part = self.tree.node(node).end;
        while part < section.end {
            let own = self.survey.all(part);
            let teased = node > self.last && self.are_teasers(part);
            links += if teased { own } else { own - self.survey.prose(part) };
            all += own;
            part = self.tree.node(part).end;
        }
        if links > MOSTLY_LINKS * all { section.end } else { node }
    }

    /// Whether a block behind the last paragraphs of an article is a run of cards, each with a link to what it shows.
    fn are_teasers(&self, node: NodeId) -> bool {
        let (tree, survey) = (self.tree, self.survey);
        let is_block = matches!(tree.tag(node), Tag::Div | Tag::Section | Tag::Ul | Tag::Ol | Tag::Aside);
        if !is_block || survey.all(node) > MOST_BESIDE * self.total {
            return false;
        }
        let cards = tree.children(node).filter(|&c| survey.bytes(c) > 0).take(MAX_CARDS);
        let (cards, others): (Vec<_>, Vec<_>) = cards.partition(|&c| self.is_card(c));
        cards.len() >= MIN_CARDS && others.len() <= 1
    }

    /// A short block that names another page by a link, and says little besides.
    fn is_card(&self, node: NodeId) -> bool {
        let (tree, survey) = (self.tree, self.survey);
        let leads_away = |a: NodeId| {
            tree.tag(a) == Tag::A
                && tree
                    .raw_attribute(a, Name::Href)
                    .is_some_and(|href| !href.starts_with('#') && !href.starts_with("javascript:"))
        };
        let inside = tree.descendants(node).take(MAX_CARD_NODES);
        tree.spend(inside.len());
        let texts = inside.filter(|&n| tree.tag(n) == Tag::Text && survey.bytes(n) >= CARD_NAME);
        tree.tag(node).is_block()
            && survey.all(node) < CARD
            && texts.take(2).any(|text| {
                std::iter::once(node).chain(tree.ancestors(text).take_while(|&a| a > node)).any(leads_away)
            })
    }

    /// In an article, a paragraph, or a short block, of nothing but links to other pages that nothing leads up to and that is
    /// no entry of a list or a table.
    fn is_interruption(&self, node: NodeId) -> bool {
        let is_entry = |n| matches!(self.tree.tag(n), Tag::Li | Tag::Td | Tag::Th | Tag::Dd | Tag::Dt);
        let block = match self.tree.tag(node) {
            Tag::P => true,
            Tag::Ul | Tag::Div => self.survey.all(node) < 400.0,
            _ => false,
        };
        block
            && self.article
            && self.survey.bytes(node) > 0
            && self.survey.link_share(node) > 0.95
            && !self.survey.holds_heading(self.tree, node)
            && !self.tree.ancestors(node).take(MAX_HOLDERS).any(is_entry)
            && !self.is_led_up_to(node)
    }

    /// Fields to fill in, and what is said about them.
    fn is_form(&self, node: NodeId) -> bool {
        let related = || self.survey.related_in(self.tree, node).iter();
        let has_fields = || related().filter(|&&n| is_field(self.tree, n)).nth(1).is_some();
        self.tree.tag(node) == Tag::Form
            && self.survey.all(node) < MOST_BESIDE * self.total
            && has_fields()
            && !self.survey.holds_title(self.tree, node)
    }

    /// Whether the text before it is a heading or ends in a colon.
    fn is_led_up_to(&self, node: NodeId) -> bool {
        let tree = self.tree;
        let said = std::iter::once(node).chain(tree.ancestors(node)).take(MAX_LAST).find_map(|node| {
            let mut before = std::iter::successors(tree.previous(node), |&n| tree.previous(n));
            before.find(|&n| self.survey.bytes(n) > 0)
        });
        said.is_some_and(|said| {
            let mut last = tree.descendants(said).rev().take(MAX_LAST);
            tree.tag(said).heading_level().is_some()
                || last.any(|n| tree.raw_text(n).trim_end().ends_with([':', '\u{ff1a}']))
        })
    }

    /// Whether a block says what another one said before it; a cell of a table does so with reason.
    fn is_repeated(&mut self, node: NodeId) -> bool {
        let least = if self.genre == Genre::Discussion { REPEATED_IN_POSTS } else { REPEATED };
        self.tree.tag(node).is_block()
            && self.survey.bytes(node) >= least
            && !self.is_in_table(node)
            && self.repeats.is_repeated(self.tree, node)
    }

    fn is_in_table(&self, node: NodeId) -> bool {
        let parent = self.tree.node(node).parent;
        [node, parent]
            .iter()
            .any(|&n| matches!(self.tree.tag(n), Tag::Table | Tag::Tbody | Tag::Tr | Tag::Td | Tag::Th))
    }

    /// Whether an inline element is a part of a heading, of a word or of a call: `close` in `closeAll` or `close()`.
    fn is_in_name(&self, node: NodeId) -> bool {
        let tree = self.tree;
        let parent = tree.node(node).parent;
        let is_end = |&n: &NodeId| tree.tag(n) == Tag::Text || tree.tag(n).is_block();
        let goes_on = |c: char| c.is_alphanumeric() || c == '(';
        let behind = (tree.node(node).end..tree.node(parent).end).take(MAX_LAST).find(is_end);
        let before = (parent + 1..node).rev().take(MAX_LAST).find(is_end);
        // What is beside it in a link or a block of its own is another text.
        let joins = |n: NodeId| {
            let holder = tree.node(n).parent;
            holder == parent || tree.tag(holder) == Tag::Span
        };
        behind.is_some_and(|n| joins(n) && tree.raw_text(n).starts_with(goes_on))
            || before.is_some_and(|n| joins(n) && tree.raw_text(n).ends_with(char::is_alphanumeric))
            || tree.ancestors(node).take(MAX_LAST).any(|n| tree.tag(n).heading_level().is_some())
    }

    fn is_inline(&self, node: NodeId) -> bool {
        let tag = self.tree.tag(node);
        !(tag.is_block() || matches!(tag, Tag::Label | Tag::Button))
    }

    /// Part of a line of running text.
    fn is_in_prose(&mut self, node: NodeId) -> bool {
        let parent = self.tree.node(node).parent;
        let (tree, survey) = (self.tree, self.survey);
        self.is_inline(node)
            && (survey.all(parent) > survey.all(node) + 8.0)
            && *self.lines.entry(parent).or_insert_with(|| {
                tree.children(parent).any(|c| tree.tag(c) == Tag::Text && survey.bytes(c) > 2)
            })
    }
}

#[cfg(test)]
mod tests;
