//! What stands in a line: texts, links, code spans, images, formulas.

use std::borrow::Cow;

use memchr::memchr;

use super::super::fold::{fold, folded, is_space};
use super::super::tree::NodeId;
use super::super::vocabulary::{Name, Tag};
use super::inline::SpanKind;
use super::{Close, MarkdownWriter, code, escape};

/// Nodes inside an element of signs alone, at most.
const SIGN_NODES: usize = 4;

/// The longest exponent, in bytes.
const MAX_EXPONENT: usize = 16;

/// A code span in the output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// One past its last byte.
    end: usize,
    /// No backtick is in it.
    plain: bool,
}

/// Writes a code span, `plain` where no backtick is in it.
fn write_span(line: &mut String, text: &str, plain: bool) {
    if plain {
        line.push('`');
        line.push_str(text);
        line.push('`');
        return;
    }
    let fence = code::fence(text, 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    for piece in [&fence, pad, text, pad, &fence] {
        line.push_str(piece);
    }
}

impl MarkdownWriter<'_, '_, '_> {
    fn at_start(&self) -> bool {
        self.out.at_start()
    }

    pub(super) fn follows_word(&self) -> bool {
        !self.inline.space && !self.at_start() && self.out.last().is_some_and(char::is_alphanumeric)
    }

    /// Whether what is raised counts: `10²`, `2ⁿ`; no ending of a word, as in `21st` and `XXe`, and no sign of a mark.
    pub(super) fn is_exponent(&self, node: NodeId) -> bool {
        let is_plain = self.tree.descendants(node).all(|n| self.tree.tag(n) == Tag::Text);
        let raised = self.tree.folded_text(node, MAX_EXPONENT);
        let is_variable =
            raised.len() == 1 && raised.starts_with(|c: char| c.is_ascii_alphabetic() && !"eoa".contains(c));
        is_plain && (is_variable || raised.contains(|c: char| c.is_ascii_digit() || "+-−".contains(c)))
    }

    pub(super) fn line_break(&mut self) {
        if self.cell || self.one_line > 0 || self.at_start() {
            self.inline.space = true;
        } else {
            self.inline.line_break = true;
        }
    }

    /// A code span; its white space is folded.
    pub(super) fn code_text(&mut self, text: &str) {
        let mut folded = folded(text);
        if folded.is_empty() {
            self.inline.space |= !text.is_empty();
            return;
        }
        if self.cell && memchr(b'|', folded.as_bytes()).is_some() {
            folded = folded.replace('|', "\\|").into();
        }
        self.inline.space |= text.starts_with(is_space);
        let line = self.inline.start_word(&mut self.out, "`");
        let plain = memchr(b'`', folded.as_bytes()).is_none();
        // Backticks side by side would be read as other bounds: what touches is one span, or stands apart.
        match self.span.filter(|before| before.end == line.len()) {
            Some(before) if before.plain && plain => {
                line.pop();
                line.push_str(&folded);
                line.push('`');
            }
            touches => {
                if touches.is_some() {
                    line.push(' ');
                }
                write_span(line, &folded, plain);
            }
        }
        self.span = Some(Span { end: line.len(), plain });
        self.inline.space |= text.ends_with(is_space);
    }

    pub(super) fn code_span(&mut self, node: NodeId) -> bool {
        // Code elements nest: what made the outer one none makes the inner ones none, too.
        if self.tree.descendants(node).contains(&self.no_code) {
            return true;
        }
        let mut text = Cow::Borrowed("");
        for inner in self.tree.descendants(node) {
            if !self.tree.spend(1 + self.survey.bytes(inner).min(self.tree.raw_text(inner).len())) {
                return false;
            }
            match self.tree.tag(inner) {
                Tag::Text => text += self.tree.text(inner),
                Tag::A if !self.inline.in_link() && !self.left_out[inner as usize] => {
                    self.code += 1;
                    self.then(node, Close::Inline(SpanKind::Code));
                    return true;
                }
                Tag::Br => text += " ",
                Tag::Img | Tag::Pre | Tag::Table | Tag::Ul | Tag::P => {
                    self.no_code = inner;
                    return true;
                }
                _ => {}
            }
        }
        self.code_text(&text);
        false
    }

    pub(super) fn style(&mut self, node: NodeId, kind: SpanKind) {
        if self.is_sign(node) {
            return;
        }
        self.inline.open(kind, None);
        self.then(node, Close::Inline(kind));
    }

    /// Whether it holds signs alone (`<em>*</em>`): beside a word, markers round them would be read as text.
    fn is_sign(&self, node: NodeId) -> bool {
        let inside = self.tree.descendants(node);
        inside.len() <= SIGN_NODES
            && self.survey.bytes(node) > 0
            && inside.into_iter().all(|n| match self.tree.tag(n) {
                Tag::Text => !self.tree.text(n).contains(char::is_alphanumeric),
                tag => tag == Tag::Span,
            })
    }

    pub(super) fn link(&mut self, node: NodeId) {
        let Some(href) = self.tree.raw_attribute(node, Name::Href) else { return };
        // A heading that links to itself is only a permalink round its text.
        let heads = || self.one_line > 0 || self.survey.holds_heading(self.tree, node);
        if self.inline.in_link() || (href.starts_with('#') && heads()) {
            return;
        }
        let Some(target) = self.resolver.destination(href) else { return };
        self.inline.open(SpanKind::Link, Some(target));
        self.then(node, Close::Inline(SpanKind::Link));
    }

    pub(super) fn image(&mut self, node: NodeId) {
        let alt = self.tree.attribute(node, Name::Alt).or_else(|| self.tree.attribute(node, Name::Title));
        let alt = fold(alt.as_deref().unwrap_or_default());
        let source = [Name::Src, Name::DataSrc]
            .into_iter()
            .filter_map(|name| self.tree.raw_attribute(node, name))
            .find(|src| !src.trim_start().starts_with("data:") && !src.trim().is_empty());
        if alt.is_empty() {
            return;
        }
        // The same picture for a dark page, or in another size.
        if self.image.as_ref().is_some_and(|(end, same)| *end == self.out.len() && *same == alt) {
            return;
        }
        let target = source.and_then(|src| self.resolver.destination(src));
        let mut text = String::with_capacity(alt.len());
        let brackets = escape::Brackets::Link;
        let spot = escape::TextPosition {
            cell: self.cell,
            brackets,
            before: Some('['),
            ..escape::TextPosition::default()
        };
        escape::words(&mut text, &alt, spot);
        match target {
            Some(target) => self.inline.write(&mut self.out, &format!("![{text}]({target})")),
            None => self.inline.write(&mut self.out, &text),
        }
        self.image = Some((self.out.len(), alt));
    }

    pub(super) fn text(&mut self, node: NodeId) {
        let text = self.tree.text(node);
        if self.code > 0 {
            return self.code_text(&text);
        }
        self.words(&text);
    }

    /// Running text.
    pub(super) fn words(&mut self, text: &str) {
        let spot = escape::TextPosition { cell: self.cell, ..escape::TextPosition::default() };
        self.inline.text(&mut self.out, text, spot);
    }
}
