//! How much work an untrusted text may cause, and whether it was cancelled.
//!
//! Readers are linear, but linear is no bound: markup that is cheap to write can be dear to read at every byte. So what
//! they do is counted, in steps of about the same price: a byte that is read or written, a node that is looked at. Time
//! is not, so that the same page has the same fate on every machine.

use std::cell::Cell;
use std::fmt;

/// Steps between two looks at whether to stop: some tenths of a millisecond.
const STRETCH: usize = 1 << 16;

/// A meter of the steps that one text may take. Once it is used up or cancelled, it stays so: loops end
/// early, and the caller asks [`Work::check`] before using what they made.
pub struct Work<'s> {
    /// Steps until the next look.
    stretch: Cell<usize>,
    /// Steps behind that.
    left: Cell<usize>,
    ended: Cell<Option<Halt>>,
    stop: &'s dyn Fn() -> bool,
}

/// Why a text was not read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// It would take more steps than one text may.
    #[error("it is too complex to be read")]
    TooComplex,
    /// It was cancelled.
    #[error("nobody waits for it any more")]
    Cancelled,
}

impl<'s> Work<'s> {
    /// At most so many `steps`, and none once `stop` says so; that is asked often, so it has to be cheap.
    pub fn new(steps: usize, stop: &'s dyn Fn() -> bool) -> Self {
        Self { stretch: Cell::new(0), left: Cell::new(steps), ended: Cell::new(None), stop }
    }

    /// For a text that is trusted: as many steps as it takes.
    pub fn unbounded() -> Work<'static> {
        Work::bounded(usize::MAX)
    }

    /// At most so many `steps`.
    pub fn bounded(steps: usize) -> Work<'static> {
        Work::new(steps, &|| false)
    }

    /// Counts steps; says whether to go on.
    #[inline]
    pub fn spend(&self, steps: usize) -> bool {
        match self.stretch.get().checked_sub(steps) {
            Some(rest) => {
                self.stretch.set(rest);
                true
            }
            None => self.look(steps),
        }
    }

    /// Whether what was made so far is whole.
    ///
    /// # Errors
    /// [`Halt`] says why not.
    pub fn check(&self) -> Result<(), Halt> {
        if self.ended.get().is_none() && (self.stop)() {
            self.end(Halt::Cancelled);
        }
        self.ended.get().map_or(Ok(()), Err)
    }

    /// Steps that are left.
    pub fn left(&self) -> usize {
        self.left.get().saturating_add(self.stretch.get())
    }

    #[cold]
    fn look(&self, steps: usize) -> bool {
        if self.ended.get().is_some() {
            return false;
        }
        if (self.stop)() {
            return self.end(Halt::Cancelled);
        }
        let Some(left) = self.left().checked_sub(steps) else { return self.end(Halt::TooComplex) };
        self.stretch.set(left.min(STRETCH));
        self.left.set(left - self.stretch.get());
        true
    }

    fn end(&self, why: Halt) -> bool {
        self.ended.set(Some(why));
        self.stretch.set(0);
        self.left.set(0);
        false
    }
}

impl fmt::Debug for Work<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("left", &self.left()).field("ended", &self.ended).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_at_its_bound_and_stays_ended() {
        let work = Work::bounded(3 * STRETCH);
        assert!(work.spend(2 * STRETCH) && work.spend(STRETCH) && work.check() == Ok(()));
        assert!(!work.spend(1) && !work.spend(1));
        assert_eq!(work.check(), Err(Halt::TooComplex));
        assert!(Work::unbounded().spend(usize::MAX));
    }

    #[test]
    fn cancellation_is_noticed_within_a_stretch() {
        let left = Cell::new(false);
        let stop = || left.get();
        let work = Work::new(usize::MAX, &stop);
        assert!(work.spend(1) && work.check() == Ok(()));
        left.set(true);
        let steps = (0..=STRETCH).take_while(|_| work.spend(1)).count();
        assert!(steps <= STRETCH, "{steps}");
        assert_eq!(work.check(), Err(Halt::Cancelled));
    }
}
