//! Comparison of snapshots: two dumps of a process against its log of changes; generated programs with random changes;
//! invariants of any two heaps.

#![expect(clippy::print_stderr, reason = "prints matching rates for readers of the test output")]

mod cases;
mod collections;
mod hostile;
mod javascript;
mod laws;
mod leaks;
mod ledger;
mod one_program;
mod one_ranking;
mod opened;
mod owners;
mod programs;
mod random;
mod tally;
mod through;

use opened::{FIXTURES, PAIRS, compared, fixture, pair};

#[test]
fn a_dump_has_not_changed_from_itself() {
    for name in FIXTURES {
        let (one, two) = (fixture(name), fixture(name));
        let pair = pair(&one, &two);
        let actual = compared(pair);
        laws::hold(pair, &actual);
        laws::nothing_changed(pair, &actual, name);
    }
}

#[test]
fn sums_add_up_and_swapping_mirrors_the_diff() {
    for (before, after) in PAIRS {
        let (one, two) = (fixture(before), fixture(after));
        let pair = pair(&one, &two);
        let actual = compared(pair);
        laws::hold(pair, &actual);
        laws::mirrored(pair, &actual, &format!("{before} and {after}"));
    }
}
