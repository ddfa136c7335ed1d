#!/usr/bin/env bash
# Runs the graph algorithms and the readers' cursor under Miri, which checks every memory access for undefined behaviour
# and data races, in dependencies too. Takes minutes; needs a nightly toolchain with Miri (rustup toolchain install nightly
# --component miri). Arguments are passed to the tests: a part of a name.
set -euo pipefail
cd "$(dirname "$0")/.."
# The thread pool is not shut down at the end, which Miri would report as a leak, and crossbeam-epoch below it satisfies
# only Tree Borrows and casts pointers to integers. Two threads find the same races as eight.
flags='-Zmiri-disable-isolation -Zmiri-ignore-leaks -Zmiri-tree-borrows -Zmiri-permissive-provenance'
export MIRIFLAGS="$flags ${MIRIFLAGS:-}" RAYON_NUM_THREADS=2
cargo +nightly miri test --locked --no-default-features --lib -- "${@:-graph::}"
(($#)) || cargo +nightly miri test --locked --no-default-features --lib -- cursor::
# Only the multi-threaded test of `tests/naive.rs`; the whole file would take hours.
(($#)) || cargo +nightly miri test --locked --no-default-features --test naive -- any_number_of_threads
