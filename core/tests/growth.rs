//! Every reader of foreign bytes is linear: twice the input takes at most 2.5 times the work, for every pattern that
//! the syntaxes are made of.
//!
//! Work is counted in instructions, by callgrind, on this very executable: no clock, so the answer is the same on any
//! machine. A new reader is a line in `readers.rs`, a new pattern a line in `patterns.rs`. `WAYFILE_GROWTH=NAME` tries
//! the readers of which the name is a part, with every pair of tokens.
//!
//! It takes minutes, so `cargo test` leaves it out. `.ci/run` has it; by hand, with valgrind installed, it is
//! `cargo test --profile growth -p wayfile-core --test growth -- --ignored`.

#[cfg(test)]
mod growth {
    mod measure;
    mod page;
    mod patterns;
    mod readers;
    mod slots;
    #[path = "../quoted/written.rs"]
    mod written;
}
