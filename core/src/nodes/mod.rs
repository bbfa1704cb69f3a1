//! What nodes share that serve together: the time of a site and its places, and the clock that they agree on.
//!
//! Pure state machines. The owner of their state (a process in memory, several in a database) changes it one ask after the
//! other; times are of the clock that all of them share.

pub mod clock;
pub mod membership;
pub mod share;
pub mod windows;
