#!/usr/bin/env bash
# Runs the graph algorithms and the readers' cursor under Miri, which checks every memory access for undefined behaviour
# and data races, in dependencies too. Takes minutes; needs a nightly toolchain with Miri (rustup toolchain install nightly
# --component miri). Arguments are passed to the tests of the graph: a part of a name.
set -euo pipefail
cd "$(dirname "$0")/.."
# The thread pool is not shut down at the end, which Miri would report as a leak, and crossbeam-epoch below it satisfies
# only Tree Borrows and casts pointers to integers. Two threads find the same races as eight.
flags='-Zmiri-disable-isolation -Zmiri-ignore-leaks -Zmiri-tree-borrows -Zmiri-permissive-provenance'
export MIRIFLAGS="$flags ${MIRIFLAGS:-}" RAYON_NUM_THREADS=2
cargo +nightly miri test --locked -p heaplens_graph --lib -- "$@"
(($#)) || cargo +nightly miri test --locked -p heaplens_formats --lib -- cursor::
# Only the multi-threaded test of `crates/graph/tests/naive/`; all of it would take hours.
(($#)) || cargo +nightly miri test --locked -p heaplens_graph --test naive -- any_number_of_threads
