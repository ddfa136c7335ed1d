//! By what a reader knows which dump something is from: it heads what is copied
//! and every report.

use std::path::Path;

use serde::Serialize;

use super::printable::one_line;
use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::vm_roots::VmRoots;
use crate::units::{Bytes, Count};

/// Which dump something is from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// The name of the file, without its folder.
    pub file: String,
    /// Its format.
    pub format: String,
    /// Who wrote it.
    pub producer: String,
    /// When, as the file says.
    pub taken_at: Option<String>,
    /// Objects that are shown.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How sizes are worked out.
    pub size_model: &'static str,
    /// Whether what no GC root reaches counts as kept.
    pub unreachable_kept: bool,
    /// Whether roots of the virtual machine outside of the app heap count only where nothing else leads.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub vm_roots_ignored: bool,
    /// Who says so.
    pub heaplens: &'static str,
    /// Bytes of the file, unpacked.
    #[serde(skip)]
    pub file_bytes: Bytes,
}

impl Identity {
    /// The identity of an opened dump. What is copied and reports are sent around: where the file lies on this machine
    /// is nobody's business.
    pub fn new(file: &Path, heap: &Heap, analyzed: &Analyzed) -> Self {
        Self {
            file: file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned(),
            format: heap.origin.format.to_string(),
            producer: heap.origin.producer.clone(),
            taken_at: super::json::taken_at(heap),
            objects: analyzed.shown.objects,
            bytes: analyzed.shown.shallow.0,
            size_model: heap.origin.size_model.name(),
            unreachable_kept: analyzed.rules.keep_unreachable,
            vm_roots_ignored: analyzed.rules.vm_roots == VmRoots::Ignore,
            heaplens: env!("CARGO_PKG_VERSION"),
            file_bytes: Bytes(heap.origin.file_bytes),
        }
    }

    /// In one line.
    pub(super) fn line(&self) -> String {
        let taken = self.taken_at.as_ref().map(|at| format!(" · taken {at}")).unwrap_or_default();
        let kept = if self.unreachable_kept { "including unreachable objects" } else { "reachable" };
        let roots = if self.vm_roots_ignored { ", VM roots ignored" } else { "" };
        let (objects, bytes) = (Count(self.objects), Bytes(self.bytes));
        let Self { file, producer, size_model, heaplens, .. } = self;
        let line = format!(
            "{file} · {producer}{taken} · {objects} objects, {bytes} {kept}{roots} · {size_model} sizes · heaplens {heaplens}"
        );
        one_line(&line)
    }
}
