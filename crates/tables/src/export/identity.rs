//! Identity of a dump: it heads copied content and every report.

use std::path::Path;

use serde::Serialize;

use super::printable::one_line;
use heaplens_base::{Bytes, Count};
use heaplens_dump::Dump;
use heaplens_heap::{FileSize, VmRoots};
use heaplens_session::marks;

/// Name and version of heaplens, which all its crates share: `heaplens 0.1.0`.
pub const HEAPLENS: &str = concat!("heaplens ", env!("CARGO_PKG_VERSION"));

/// Identity of a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// File name without its folder.
    pub file: String,
    /// Its format.
    pub format: String,
    /// Program that wrote it.
    pub producer: String,
    /// Time of the dump, as recorded in the file.
    pub taken_at: Option<String>,
    /// Number of shown objects.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Size model.
    pub size_model: &'static str,
    /// True if unreachable objects are included.
    pub unreachable_kept: bool,
    /// True if zygote and boot-image roots are ignored where possible.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub vm_roots_ignored: bool,
    /// Version of heaplens.
    pub heaplens: &'static str,
    /// Size of the file.
    #[serde(skip)]
    pub file_size: FileSize,
    /// Key of the dump in links.
    #[serde(skip)]
    pub dump: String,
    /// True if values are redacted.
    #[serde(skip)]
    pub is_redacted: bool,
}

impl Identity {
    /// Identity of an opened dump. Copies and reports are sent to others, so the folder of the file is left out.
    pub fn new(file: &Path, dump: &Dump) -> Self {
        let (heap, analysis) = (&dump.facts.heap, &dump.analysis);
        Self {
            file: file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned(),
            format: heap.origin.format.key().to_owned(),
            producer: heap.origin.producer.clone(),
            taken_at: super::time::taken_at(heap),
            objects: analysis.shown.objects,
            bytes: analysis.shown.shallow.0,
            size_model: heap.origin.size_model.name(),
            unreachable_kept: analysis.rules.keep_unreachable,
            vm_roots_ignored: analysis.rules.vm_roots == VmRoots::Ignore,
            heaplens: env!("CARGO_PKG_VERSION"),
            file_size: heap.origin.file_size,
            dump: marks::identity(dump.data()),
            is_redacted: dump.facts.is_redacted(),
        }
    }

    /// The identity in one line.
    pub(super) fn line(&self) -> String {
        let taken = self.taken_at.as_ref().map(|at| format!(" · taken {at}")).unwrap_or_default();
        let scope = if self.unreachable_kept { "including unreachable objects" } else { "reachable" };
        let roots = if self.vm_roots_ignored { ", VM roots ignored" } else { "" };
        let (objects, bytes) = (Count(self.objects), Bytes(self.bytes));
        let Self { file, producer, size_model, heaplens, .. } = self;
        let line = format!(
            "{file} · {producer}{taken} · {objects} objects, {bytes} {scope}{roots} · {size_model} sizes · heaplens {heaplens}"
        );
        one_line(&line)
    }
}
