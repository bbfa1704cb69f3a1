//! Writes a [`Document`] as `llms.txt`.

use std::fmt::Write;

use crate::llms_txt::document::{Document, INSTRUCTIONS_TITLE, Link, Passage};

impl Document {
    /// The file's text. The reference parser of the format reads every one, and what
    /// [`parse`](crate::llms_txt::parse::parse) reads of it is the same document.
    pub fn render(&self) -> String {
        let mut out = format!("# {}\n\n> {}\n", self.title.markdown(), self.summary.markdown());
        for paragraph in &self.info {
            push(&mut out, format_args!("\n{}\n", paragraph.markdown()));
        }
        if !self.instructions.is_empty() {
            push(&mut out, format_args!("\n**{INSTRUCTIONS_TITLE}**\n"));
        }
        let mut in_list = false;
        for passage in &self.instructions {
            match passage {
                Passage::Paragraph(text) => push(&mut out, format_args!("\n{}\n", text.markdown())),
                Passage::Item(text) => {
                    let gap = if in_list { "" } else { "\n" };
                    push(&mut out, format_args!("{gap}- {}\n", text.markdown()));
                }
            }
            in_list = matches!(passage, Passage::Item(_));
        }
        for section in &self.sections {
            push(&mut out, format_args!("\n## {}\n\n", section.name.markdown()));
            for link in &section.links {
                link.render(&mut out);
            }
        }
        out
    }
}

impl Link {
    /// Writes the entry with its line end.
    pub fn render(&self, out: &mut String) {
        push(out, format_args!("- [{}]({})", self.name.markdown(), self.url));
        if let Some(notes) = &self.notes {
            push(out, format_args!(": {}", notes.markdown()));
        }
        out.push('\n');
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::llms_txt::document::Section;
    use crate::llms_txt::inline::{Destination, Name, Text};
    use crate::llms_txt::reference::readable;
    use crate::written;

    /// Text as a hostile page would write it.
    pub(crate) fn hostile() -> impl Strategy<Value = String> {
        let marks = prop::sample::select(vec![
            "\n## ",
            "\r# ",
            "](",
            "[",
            "]",
            ")",
            "(",
            "`",
            "```",
            "<script>",
            "<!--",
            "-->",
            "> ",
            "- [a](b): c",
            "* ",
            "\\",
            "**",
            "__",
            "\u{2028}",
            "\u{85}",
            "\u{a0}",
            "\u{1c}",
            "###",
            "~~~",
            "===",
            "---",
            "1. ",
            "| ",
            "&#10;",
            ": ",
            "]: ",
            "https://",
            "word",
            " ",
        ]);
        vec(prop_oneof![marks.prop_map(str::to_owned), "\\PC{0,3}", any::<String>()], 0..8)
            .prop_map(|v| v.concat())
    }

    fn name() -> impl Strategy<Value = Name> {
        hostile().prop_filter_map("blank", |raw| Name::clean(&raw))
    }

    fn text() -> impl Strategy<Value = Text> {
        hostile().prop_filter_map("blank", |raw| Text::clean(&raw))
    }

    fn link() -> impl Strategy<Value = Link> {
        let url = hostile().prop_filter_map("blank", |raw| Destination::clean(&raw));
        (name(), url, prop::option::of(text())).prop_map(|(name, url, notes)| Link { name, url, notes })
    }

    pub(crate) fn document() -> impl Strategy<Value = Document> {
        let passage = prop_oneof![text().prop_map(Passage::Paragraph), text().prop_map(Passage::Item)];
        let section = (name(), vec(link(), 0..4)).prop_map(|(name, links)| Section { name, links });
        (name(), text(), vec(text(), 0..3), vec(passage, 0..4), vec(section, 0..4)).prop_map(
            |(title, summary, info, instructions, sections)| Document {
                title,
                summary,
                info,
                instructions,
                sections,
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

        #[test]
        fn rendering_round_trips(document in document()) {
            let text = document.render();
            prop_assert_eq!(written::document(&text), Some(document), "{}", text);
        }

        #[test]
        fn the_reference_parser_reads_whatever_is_rendered(document in document()) {
            let text = document.render();
            prop_assert_eq!(readable(&text), Ok(()), "{}", text);
        }
    }
}
