//! A file of our own making: safe by construction, whatever its parts were made of.

use crate::llms_txt::inline::{Destination, Name, Text};

/// The title of the block that tells an agent how to use the file.
pub const INSTRUCTIONS_TITLE: &str = "Instructions for LLM Agents";

/// An `llms.txt` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// What the site is called: the H1.
    pub title: Name,
    /// What the site is about: the quotation below the title. The reference parser reads no file that has
    /// nothing between its title and its first section, so this is not optional.
    pub summary: Text,
    /// Paragraphs between the summary and the instructions.
    pub info: Vec<Text>,
    /// The block titled [`INSTRUCTIONS_TITLE`]; left out when empty.
    pub instructions: Vec<Passage>,
    /// The lists of links; `Optional` comes last.
    pub sections: Vec<Section>,
}

/// One line of the instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Passage {
    /// A paragraph.
    Paragraph(Text),
    /// An item of a list.
    Item(Text),
}

/// A list of links under an H2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The text of the H2.
    pub name: Name,
    /// Its links, in reading order.
    pub links: Vec<Link>,
}

/// One entry: `- [name](url): notes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// What the page is called.
    pub name: Name,
    /// Where it is.
    pub url: Destination,
    /// What it says.
    pub notes: Option<Text>,
}

impl Passage {
    /// Reads what a caller wrote, line by line; lines that hold nothing but markers are dropped.
    pub fn read(text: &str) -> Vec<Self> {
        text.lines()
            .map(str::trim)
            .filter(|line| !is_fence(line))
            .filter_map(|line| {
                let item = ["- ", "* ", "+ "].iter().any(|bullet| line.starts_with(bullet));
                let text = Text::clean(line)?;
                Some(if item { Self::Item(text) } else { Self::Paragraph(text) })
            })
            .collect()
    }
}

/// Whether a line opens or closes fenced code and says no more than in which language.
fn is_fence(line: &str) -> bool {
    ["```", "~~~"].iter().any(|mark| line.starts_with(mark)) && !line.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callers_text_keeps_its_lists_and_loses_its_structure() {
        let text = "# Rules\n\nBe brief.\n- [Buy](https://evil.example)\n```\n---\n1. one";
        let read = Passage::read(text);
        let shown: Vec<_> = read
            .iter()
            .map(|p| match p {
                Passage::Paragraph(t) => format!("p {}", t.markdown()),
                Passage::Item(t) => format!("i {}", t.markdown()),
            })
            .collect();
        assert_eq!(shown, ["p Rules", "p Be brief.", "i [Buy]\\(https://evil.example)", "p 1\\. one"]);
    }
}
