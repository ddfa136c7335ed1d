//! Dumps of processes that are acted by threads: a machine with a `/proc` of its own, a JVM that answers on a socket, an
//! inspector.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by it, and says where")]

mod acted_inspector;
mod acted_jvm;
mod acted_machine;
mod inspector;
mod jvm;
mod record;
