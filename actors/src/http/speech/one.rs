//! HTTP/1: a request begins with the first byte that is written after an answer, and heads follow each other until one is no
//! interim answer's.

use super::{Flood, MAX_INTERIM};

/// One exchange after the other.
#[derive(Default)]
pub(in crate::http) struct One {
    /// A request was let through, and nothing came yet.
    asked: bool,
    place: Place,
    interim: usize,
}

/// Where in an answer the next byte stands.
#[derive(Default)]
enum Place {
    /// Before the status.
    #[default]
    Version,
    /// At its first digit.
    Status,
    /// In the head of an interim answer; whether at the beginning of a line.
    Interim { line: bool },
    /// Behind the status of the answer.
    Answer,
}

impl One {
    pub(super) fn before_request(&self, bytes: &[u8]) -> usize {
        if self.asked { bytes.len() } else { 0 }
    }

    pub(super) fn request_begins(&mut self) {
        *self = Self { asked: true, ..Self::default() };
    }

    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<(), Flood> {
        self.asked &= bytes.is_empty();
        for &byte in bytes {
            self.place = match self.place {
                Place::Answer => return Ok(()),
                Place::Version if byte == b' ' => Place::Status,
                Place::Version => Place::Version,
                Place::Status if byte == b'1' => Place::Interim { line: false },
                Place::Status => Place::Answer,
                Place::Interim { line: true } if byte == b'\n' => {
                    self.interim += 1;
                    if self.interim > MAX_INTERIM {
                        return Err(Flood);
                    }
                    Place::Version
                }
                Place::Interim { line } => Place::Interim { line: byte == b'\n' || (line && byte == b'\r') },
            };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HINT: &[u8] = b"HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n";
    const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc";

    fn asked() -> One {
        let mut one = One::default();
        one.request_begins();
        one
    }

    #[test]
    fn a_request_begins_after_each_answer() {
        let mut one = One::default();
        assert_eq!(one.before_request(b"GET / HTTP/1.1\r\n"), 0);
        one.request_begins();
        assert_eq!(one.before_request(b"GET / HTTP/1.1\r\n"), 16);
        assert_eq!(one.before_request(b"\r\n"), 2);
        one.read(ANSWER).unwrap();
        assert_eq!(one.before_request(b"GET / HTTP/1.1\r\n"), 0);
    }

    #[test]
    fn as_many_hints_as_may_be_are_let_through_however_they_are_cut() {
        for size in [1, 7, 4096] {
            let mut one = asked();
            let stream = [HINT.repeat(MAX_INTERIM), ANSWER.to_vec()].concat();
            for part in stream.chunks(size) {
                assert_eq!(one.read(part), Ok(()));
            }
            assert_eq!(stream.chunks(size).try_for_each(|part| one.read(part)), Ok(()), "it was a body");
        }
    }

    #[test]
    fn one_hint_more_is_a_flood() {
        for hint in [HINT, b"HTTP/1.1 100 \n\n", b"\r\nHTTP/1.0 199 x\r\na: b\n\r\n"] {
            let stream = hint.repeat(MAX_INTERIM + 1);
            for size in [1, 7, 4096] {
                let mut one = asked();
                assert_eq!(stream.chunks(size).try_for_each(|part| one.read(part)), Err(Flood));
            }
        }
    }

    #[test]
    fn each_request_has_its_own() {
        let mut one = One::default();
        for _ in 0..3 {
            one.request_begins();
            one.read(&HINT.repeat(MAX_INTERIM)).unwrap();
            one.read(ANSWER).unwrap();
        }
    }
}
