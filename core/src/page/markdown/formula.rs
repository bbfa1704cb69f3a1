//! Formulas: their source in TeX where the page still has it, between dollar signs.

use std::borrow::Cow;

use super::super::fold::fold;
use super::super::tree::NodeId;
use super::super::vocabulary::{Name, Tag};
use super::output::Gap;
use super::{MarkdownWriter, roles};

/// Delimiters of TeX in HTML, and whether what they hold stands on lines of its own.
const DELIMITERS: [(&str, &str, bool); 4] =
    [("\\[", "\\]", true), ("$$", "$$", true), ("\\(", "\\)", false), ("$", "$", false)];

/// Nodes of a rendered formula among which its `MathML` is looked for, at most.
const MAX_RENDERED: usize = 128;

/// Whether an annotation is TeX, by any of the names that generators have for it.
fn is_tex(encoding: &str) -> bool {
    ["application/x-tex", "text/x-tex", "tex", "latex"]
        .iter()
        .any(|name| encoding.trim().eq_ignore_ascii_case(name))
}

impl MarkdownWriter<'_, '_, '_> {
    /// `MathML`: the source it was made from, else its text.
    pub(super) fn math(&mut self, node: NodeId) {
        let source = self.tree.descendants(node).find(|&n| {
            self.tree.tag(n) == Tag::Annotation
                && self.tree.raw_attribute(n, Name::Encoding).is_some_and(is_tex)
        });
        let text = match source {
            Some(annotation) => self.tree.folded_text(annotation, usize::MAX),
            None => match self.tree.attribute(node, Name::AltText) {
                Some(text) => fold(&text),
                None => return self.words(&self.tree.folded_text(node, usize::MAX)),
            },
        };
        self.write_formula(&text, self.tree.raw_attribute(node, Name::Display) == Some("block"));
    }

    /// An element that is named as a formula and holds nothing but its source, as text or as what stands for an
    /// image; says whether it is one.
    pub(super) fn formula(&mut self, node: NodeId, tag: Tag) -> bool {
        if tag == Tag::Img {
            return match self.tree.attribute(node, Name::Alt).map(|alt| fold(&alt)) {
                Some(source) if !source.is_empty() => {
                    self.write_source(&source, false);
                    true
                }
                _ => false,
            };
        }
        if self.is_said_behind(node) {
            return true;
        }
        if let Some(math) = self.only_math(node) {
            self.math(math);
            return true;
        }
        // Elements of that name nest: what made the outer one none makes the inner ones none, too.
        let (refused, before) = self.no_formula;
        if node < before && self.tree.descendants(node).contains(&refused) {
            return false;
        }
        let mut source = String::new();
        // The last node that said something; the element itself where none did.
        let mut said = node;
        let mut at = node + 1;
        while at < self.tree.node(node).end && self.tree.spend(1) {
            if self.left_out[at as usize] || roles::has_class(self.tree, at, &["eqno"]) {
                at = self.tree.node(at).end;
                continue;
            }
            match self.tree.tag(at) {
                Tag::Text => {
                    let text = self.tree.text(at);
                    self.tree.spend(text.len());
                    if !text.trim().is_empty() {
                        said = at;
                    }
                    source.push_str(&text);
                }
                Tag::Span | Tag::P => {}
                Tag::Br => source.push(' '),
                Tag::Img if said == node => {
                    let alt = self.tree.attribute(at, Name::Alt).unwrap_or_default();
                    self.tree.spend(alt.len());
                    if !alt.trim().is_empty() {
                        said = at;
                    }
                    source.push_str(&alt);
                }
                tag => {
                    // A picture may be the formula of an element that begins behind what was said.
                    self.no_formula = (at, if tag == Tag::Img { said } else { at });
                    return false;
                }
            }
            at += 1;
        }
        self.write_source(&fold(&source), tag.is_block());
        true
    }

    /// The `MathML` of a rendered formula, beside which there is only what the eye sees.
    fn only_math(&self, node: NodeId) -> Option<NodeId> {
        let mut inside = self.tree.descendants(node).take(MAX_RENDERED).filter(|_| self.tree.spend(1));
        let math = inside.find(|&n| self.tree.tag(n) == Tag::Math || self.tree.tag(n).is_block())?;
        let holds_more = |n| {
            n >= self.tree.node(math).end && (self.tree.tag(n) == Tag::Math || self.tree.tag(n).is_block())
        };
        (self.tree.tag(math) == Tag::Math && !inside.any(holds_more)).then_some(math)
    }

    /// Whether the source of a formula follows what a script has made of it.
    fn is_said_behind(&self, node: NodeId) -> bool {
        let next = self.tree.node(node).end;
        next < self.tree.node(self.tree.node(node).parent).end && self.is_formula_script(next)
    }

    /// Whether a node is a script that holds a formula.
    pub(super) fn is_formula_script(&self, node: NodeId) -> bool {
        self.tree.tag(node) == Tag::Script
            && self.tree.raw_attribute(node, Name::Type).is_some_and(|t| t.starts_with("math/tex"))
    }

    pub(super) fn formula_script(&mut self, node: NodeId) {
        if !self.is_formula_script(node) {
            return;
        }
        let display = self.tree.raw_attribute(node, Name::Type).is_some_and(|t| t.contains("mode=display"));
        let source: String =
            self.tree.children(node).map(|n| fold(&self.tree.text(n))).collect::<Vec<_>>().concat();
        self.write_formula(&source, display);
    }

    /// Writes a source that may come with its delimiters.
    fn write_source(&mut self, source: &str, block: bool) {
        let inner = DELIMITERS.iter().find_map(|(open, close, display)| {
            let inner = source.strip_prefix(open)?.strip_suffix(close)?;
            Some((inner.trim(), *display))
        });
        let (text, display) = inner.unwrap_or((source, block));
        self.write_formula(text, display);
    }

    fn write_formula(&mut self, source: &str, display: bool) {
        if source.is_empty() {
            return;
        }
        let source = apart(source);
        let display = display && !self.cell && self.one_line == 0;
        if display {
            self.block(Gap::Blank);
            self.inline.write(&mut self.out, &format!("$${source}$$"));
            self.block(Gap::Blank);
        } else if self.cell && source.contains('|') {
            self.inline.write(&mut self.out, &format!("${}$", source.replace('|', "\\|")));
        } else {
            self.inline.write(&mut self.out, &format!("${source}$"));
        }
    }
}

/// A source in which no sign starts a tag: white space means nothing in a formula.
fn apart(source: &str) -> Cow<'_, str> {
    let starts = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?');
    if !source.split('<').skip(1).any(|rest| rest.starts_with(starts)) {
        return Cow::Borrowed(source);
    }
    let mut pieces = source.split('<');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push_str(if piece.starts_with(starts) { "< " } else { "<" });
        out.push_str(piece);
    }
    Cow::Owned(out)
}
