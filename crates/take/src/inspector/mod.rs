//! JavaScript engines by their inspector protocol: Node, Chrome, Electron, Deno.
//!
//! Source of the rules: the Chrome DevTools Protocol, domain `HeapProfiler`, and Node's "Debugging guide".

mod figures;
mod session;
mod snapshot;
mod start;
mod targets;

pub(crate) use self::figures::{EngineFigures, engine_figures};
pub(crate) use self::snapshot::{heap_usage, take_snapshot};
pub(crate) use self::start::start_inspector;
pub(crate) use self::targets::{InspectorTarget, choose, list_targets};
