//! Functions that do nothing but call: callgrind writes down what each cost, so that one run counts many things.

/// What can be counted in one run.
pub(crate) const SLOTS: usize = 32 * 32;

type Slot = fn(&dyn Fn());

macro_rules! slots {
    ($($row:ident)*) => {
        $(mod $row { super::row! {
            c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 ca cb cc cd ce cf cg ch ci cj ck cl cm cn co cp cq cr cs ct cu cv
        } })*
        static ROWS: [[Slot; 32]; 32] = [$($row::ROW),*];
        static NAMES: [[&str; 32]; 32] = [$($row::NAMES),*];
    };
}

macro_rules! row {
    ($($slot:ident)*) => {
        $(#[inline(never)]
        fn $slot(run: &dyn Fn()) {
            run();
            // Where the compiler optimises, functions that are alike become one, and a call at the end a jump.
            std::hint::black_box(concat!(module_path!(), stringify!($slot)));
        })*
        pub(crate) static ROW: [super::Slot; 32] = [$($slot),*];
        pub(crate) static NAMES: [&str; 32] = [$(concat!(module_path!(), "::", stringify!($slot))),*];
    };
}
use row;

slots! { r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 ra rb rc rd re rf rg rh ri rj rk rl rm rn ro rp rq rr rs rt ru rv }

/// Runs something in a slot.
pub(crate) fn run_in(slot: usize, run: &dyn Fn()) {
    ROWS[slot / 32][slot % 32](run);
}

/// What a slot's function is called, without what a compiler adds behind it.
pub(crate) fn name_of(slot: usize) -> &'static str {
    NAMES[slot / 32][slot % 32]
}
