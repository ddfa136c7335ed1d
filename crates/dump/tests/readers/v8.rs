//! Snapshots of V8: the same heap as in HPROF, damaged ones, and bundles with source maps. The rules of DevTools are tested beside the analyses.

mod broken;
mod same_heap;
mod sources;
