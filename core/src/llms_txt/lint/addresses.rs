//! The addresses of a file, for whoever wants to try them: most texts are checked and their links left alone.

/// Addresses and the lines they stand in, one behind the other in one text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Addresses {
    text: String,
    /// Of each address its line and where it ends.
    ends: Vec<(usize, usize)>,
}

impl Addresses {
    pub(super) fn push(&mut self, line: usize, address: &str) {
        self.text.push_str(address);
        self.ends.push((line, self.text.len()));
    }

    /// Lines and addresses, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(line, end)| {
            let address = self.text.get(start..end).unwrap_or_default();
            start = end;
            (line, address)
        })
    }
}
