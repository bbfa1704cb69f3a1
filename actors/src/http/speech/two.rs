//! HTTP/2: every request is a frame that begins a head, and so is every answer to it, interim or not.

use super::frames::Frames;
use super::{Flood, MAX_INTERIM};

/// What a client says before its first frame (RFC 9113 section 3.4): bytes.
const PREFACE_BYTES: usize = 24;
/// Heads that may come for one request: interim answers, the answer, and what follows its body.
const MAX_HEADS: usize = MAX_INTERIM + 2;

/// Many exchanges at once.
pub(in crate::http) struct Two {
    written: Frames,
    came: Frames,
    /// The request at the beginning of what is to be written was let through.
    passed: bool,
    /// Heads that may still come.
    heads: usize,
}

impl Default for Two {
    fn default() -> Self {
        Self { written: Frames::behind(PREFACE_BYTES), came: Frames::default(), passed: false, heads: 0 }
    }
}

impl Two {
    pub(super) fn before_request(&self, bytes: &[u8]) -> usize {
        let mut next = None;
        let (mut written, mut passed) = (self.written, self.passed);
        written.walk(bytes, |at| {
            if !std::mem::take(&mut passed) {
                next = next.or(Some(at));
            }
        });
        next.unwrap_or(bytes.len())
    }

    pub(super) fn request_begins(&mut self) {
        self.passed = true;
    }

    pub(super) fn wrote(&mut self, bytes: &[u8]) {
        let (passed, heads) = (&mut self.passed, &mut self.heads);
        self.written.walk(bytes, |_| {
            *passed = false;
            *heads += MAX_HEADS;
        });
    }

    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<(), Flood> {
        let mut came = 0;
        self.came.walk(bytes, |_| came += 1);
        self.heads = self.heads.checked_sub(came).ok_or(Flood)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: u8 = 0;
    const HEADERS: u8 = 1;
    const SETTINGS: u8 = 4;

    fn frame(kind: u8, length: u8) -> Vec<u8> {
        let mut frame = vec![0, 0, length, kind, 4, 0, 0, 0, 1];
        frame.resize(9 + usize::from(length), HEADERS);
        frame
    }

    fn begun() -> Two {
        let mut two = Two::default();
        two.wrote(&[&[0; PREFACE_BYTES][..], &frame(SETTINGS, 12)].concat());
        two
    }

    /// Writes as a wire does; how much was let through at once, each time.
    fn write(two: &mut Two, mut bytes: &[u8], most: usize) -> Vec<usize> {
        let mut steps = Vec::new();
        while !bytes.is_empty() {
            let mut free = two.before_request(bytes);
            if free == 0 {
                two.request_begins();
                steps.push(0);
                free = two.before_request(bytes);
            }
            let (part, rest) = bytes.split_at(free.min(most));
            two.wrote(part);
            bytes = rest;
        }
        steps
    }

    #[test]
    fn requests_that_wait_together_are_let_through_one_by_one() {
        let requests = [frame(SETTINGS, 0), frame(HEADERS, 30), frame(HEADERS, 5), frame(DATA, 9)].concat();
        let two = begun();
        assert_eq!(two.before_request(&requests), 9);
        for most in [1, 3, 4, 10, 1000] {
            assert_eq!(write(&mut begun(), &requests, most), [0, 0], "{most} bytes at a time");
        }
    }

    #[test]
    fn every_request_has_its_answers_and_no_more() {
        for size in [1, 8, 1000] {
            let mut two = begun();
            write(&mut two, &frame(HEADERS, 20).repeat(2), 1000);
            let answers = [frame(HEADERS, 40).repeat(MAX_HEADS), frame(DATA, 200)].concat().repeat(2);
            assert_eq!(answers.chunks(size).try_for_each(|part| two.read(part)), Ok(()));
            assert_eq!(two.read(&frame(DATA, 200)), Ok(()));
            assert_eq!(two.read(&frame(HEADERS, 40)), Err(Flood));
        }
    }
}
