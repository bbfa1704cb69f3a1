//! Frames of HTTP/2 (RFC 9113 section 4.1), as far as to tell heads from the rest.

/// Length, type, flags and stream, before what a frame holds.
const HEAD_BYTES: usize = 9;
/// Where the type stands, behind the length.
const TYPE_AT: usize = 3;
/// The type of a frame that begins a head: of a request, of an answer, or of what follows a body.
const HEADERS: u8 = 1;

/// Walks over frames, in whatever pieces they come.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frames {
    /// Bytes of the head of a frame that were seen.
    seen: usize,
    /// The length it told.
    length: usize,
    /// Bytes to go to the next frame.
    skip: usize,
}

impl Frames {
    /// Behind `bytes` that are no frames.
    pub(super) fn behind(bytes: usize) -> Self {
        Self { skip: bytes, ..Self::default() }
    }

    /// Goes over `bytes` and tells where a head begins in them: at 0 if its first bytes came before.
    pub(super) fn walk(&mut self, bytes: &[u8], mut head: impl FnMut(usize)) {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.skip > 0 {
                let step = self.skip.min(bytes.len() - at);
                self.skip -= step;
                at += step;
                continue;
            }
            match self.seen {
                ..TYPE_AT => self.length = self.length << 8 | usize::from(byte),
                TYPE_AT if byte == HEADERS => head(at.saturating_sub(TYPE_AT)),
                _ => {}
            }
            self.seen += 1;
            at += 1;
            if self.seen == HEAD_BYTES {
                *self = Self::behind(self.length);
            }
        }
    }
}
