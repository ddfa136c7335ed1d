//! The engine that wrote a snapshot. The file does not name it: its types and names show it.

use rayon::prelude::*;

use super::meta::{Head, Meta, NodeKind};
use super::words::{KnownWords, Word};
use super::{nodes::Nodes, summary::SummaryInput};
use heaplens_heap::{ImportNote, RootKind, Severity, roots::Roots};

/// Writers of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    V8,
    /// V8 since it records memory of the embedder.
    RecentV8,
    ArkTs,
    /// JavaScriptCore, in V8's form as Bun writes it.
    Bun,
    /// JavaScriptCore, converted from its own form.
    JavaScriptCore,
    Hermes,
    Julia,
}

impl Engine {
    pub(super) fn of(head: &Head, input: &SummaryInput<'_>) -> Self {
        let SummaryInput { meta, nodes, known, .. } = *input;
        if head.engine.as_deref() == Some("JavaScriptCore") {
            return Self::JavaScriptCore;
        }
        if meta.hidden_by_name {
            return Self::ArkTs;
        }
        // Julia names types of nodes after the types of its runtime.
        if meta.node_types.iter().any(|(name, _)| name.starts_with("jl_")) {
            return Self::Julia;
        }
        if head.extra_native_bytes.is_some() {
            return Self::RecentV8;
        }
        if has_structures(meta, nodes, known) {
            return Self::Bun;
        }
        // Sections of roots that only Hermes has.
        let is_hermes =
            |row: usize| input.kind(row) == NodeKind::Synthetic && known.is(input.name(row), Word::HermesRoots);
        if (0..nodes.len()).into_par_iter().any(is_hermes) {
            return Self::Hermes;
        }
        Self::V8
    }

    pub(super) fn producer(self) -> &'static str {
        match self {
            Self::V8 => "V8",
            Self::RecentV8 => "V8 (Node.js 22 or Chrome 130, or later)",
            Self::ArkTs => "ArkTS",
            Self::Bun => "Bun (JavaScriptCore)",
            Self::JavaScriptCore => "JavaScriptCore",
            Self::Hermes => "Hermes",
            Self::Julia => "Julia",
        }
    }

    /// Note about nodes to which no reference is recorded.
    pub(super) fn unrecorded_note(self, head: &Head, roots: &Roots) -> Option<ImportNote> {
        let of_roots = roots.all().iter().filter(|root| root.kind == RootKind::NotRecorded).count() as u64;
        let (count, row) = match head.unrecorded {
            Some(count) => (count, "grouped in (references not recorded)"),
            None => (of_roots, "GC roots of the kind No Recorded Reference"),
        };
        let why = match self {
            // A few nodes of the engine itself, in nearly every snapshot.
            Self::V8 | Self::RecentV8 | Self::ArkTs => return None,
            Self::Bun | Self::JavaScriptCore => " (JavaScriptCore records none from the storage of a Map or Set)",
            Self::Hermes | Self::Julia => "",
        };
        let message = format!("nodes without a recorded reference{why}: {row}");
        ImportNote::if_any(Severity::Info, count, message, None)
    }
}

/// True if a node is a hidden class of JavaScriptCore.
fn has_structures(meta: &Meta, nodes: &Nodes, known: &KnownWords) -> bool {
    let is_structure = |row: usize| {
        let of = nodes.kinds.get(row).copied().unwrap_or(u8::MAX);
        let name = nodes.names.get(row).copied().unwrap_or(u32::MAX);
        known.is(name, Word::Structure) && meta.node_type(of) == "object shape"
    };
    (0..nodes.len()).into_par_iter().any(is_structure)
}
