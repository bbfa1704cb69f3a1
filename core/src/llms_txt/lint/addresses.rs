//! The addresses of a file, for whoever wants to try them: most texts are checked and their links left alone.

/// Addresses and the lines they stand in, one behind the other in one text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct LinkedAddresses {
    text: String,
    /// Of each address its line, where it ends, and how it is written.
    ends: Vec<(usize, usize, LinkForm)>,
}

/// How an address is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkForm {
    /// With scheme and host.
    Absolute,
    /// To be resolved against the file's own address.
    Relative,
}

impl<'a> FromIterator<(usize, LinkForm, &'a str)> for LinkedAddresses {
    fn from_iter<I: IntoIterator<Item = (usize, LinkForm, &'a str)>>(addresses: I) -> Self {
        let addresses: Vec<_> = addresses.into_iter().collect();
        let bytes = addresses.iter().map(|(.., address)| address.len()).sum();
        let (mut text, mut ends) = (String::with_capacity(bytes), Vec::with_capacity(addresses.len()));
        for (line, written, address) in addresses {
            text.push_str(address);
            ends.push((line, text.len(), written));
        }
        Self { text, ends }
    }
}

impl LinkedAddresses {
    /// Lines and addresses, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, LinkForm, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(line, end, written)| {
            let address = self.text.get(start..end).unwrap_or_default();
            start = end;
            (line, written, address)
        })
    }
}
