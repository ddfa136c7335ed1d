//! Snapshots of V8: the same heap as in HPROF, and damaged ones. The rules of DevTools are tested beside the analyses.

mod broken;
mod same_heap;
