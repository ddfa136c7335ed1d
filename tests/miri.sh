#!/usr/bin/env bash
# The graph algorithms and the cursor of the readers under Miri, which looks at every access of several threads: no
# undefined behaviour, no data race, also in the crates below. Takes minutes; needs a nightly toolchain with Miri
# (rustup toolchain install nightly --component miri). Arguments go to the tests: a part of a name.
set -euo pipefail
cd "$(dirname "$0")/.."
# The thread pool is not taken down at the end, which Miri would call a leak, and what is below it (crossbeam-epoch) keeps
# the rules of Tree Borrows alone and has pointers as numbers. Two threads meet as well as eight.
flags='-Zmiri-disable-isolation -Zmiri-ignore-leaks -Zmiri-tree-borrows -Zmiri-permissive-provenance'
export MIRIFLAGS="$flags ${MIRIFLAGS:-}" RAYON_NUM_THREADS=2
cargo +nightly miri test --locked --no-default-features --lib -- "${@:-graph::}"
(($#)) || cargo +nightly miri test --locked --no-default-features --lib -- cursor::
# Of `tests/naive.rs` the test in which threads meet; all of it would take hours.
(($#)) || cargo +nightly miri test --locked --no-default-features --test naive -- any_number_of_threads
