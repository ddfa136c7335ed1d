//! Native memory of the objects as parts of the process.

use super::part::{Basis, PartKind, ProcessPart};
use super::remainder::Remainder;
use crate::answers::DumpData;
use crate::native_memory::OutsideHeap;
use crate::native_owners::NativeOwner;
use heaplens_base::Bytes;
use heaplens_heap::native::{NativeKind, NativeTotals};

/// Reachable bytes in the heap: a snapshot of JavaScript has memory outside of it in its sizes.
pub(super) fn live_heap(dump: DumpData<'_>) -> Bytes {
    let outside = dump.heap.snapshot().map_or(0, |snapshot| snapshot.statistics().native.0);
    Bytes(dump.analysis.shown.shallow.0.saturating_sub(outside))
}

/// Native memory of the objects of a dump by kind, that of garbage included: it is freed only when that is collected.
pub(super) struct Native {
    all: Vec<NativeTotals>,
    live: OutsideHeap,
    /// Mapped files: their number and bytes.
    pub(super) mapped: Option<(u64, Bytes)>,
}

impl Native {
    pub(super) fn of(dump: DumpData<'_>, owners: &[NativeOwner]) -> Self {
        let sum = |kind: NativeKind| {
            let of_kind = owners.iter().filter(|owner| owner.kind == kind);
            of_kind.fold((0, Bytes(0)), |(objects, bytes), owner| (objects + owner.objects, bytes + owner.bytes))
        };
        let mapped = sum(NativeKind::MappedFile);
        Self {
            all: dump.heap.native_bytes().totals(|_| true),
            live: OutsideHeap::of(dump),
            mapped: (mapped.0 > 0).then_some(mapped),
        }
    }

    /// Number and bytes of the memory of some kinds.
    fn sum(&self, kinds: &[NativeKind]) -> (u64, Bytes) {
        let meant = self.all.iter().filter(|sum| kinds.contains(&sum.kind));
        meant.fold((0, Bytes(0)), |(objects, bytes), sum| (objects + sum.objects, bytes + sum.bytes))
    }

    /// The parts that objects own; `left` is what may be resident of them.
    pub(super) fn parts(&self, left: &mut Remainder) -> Vec<ProcessPart> {
        const PARTS: [(PartKind, &[NativeKind], Basis); 4] = [
            (PartKind::Registered, &[NativeKind::Registered], Basis::Measured),
            (PartKind::Compression, &[NativeKind::Inflater, NativeKind::Deflater], Basis::Assumed),
            (PartKind::DirectBuffers, &[NativeKind::DirectBuffer], Basis::Measured),
            (PartKind::ForeignMemory, &[NativeKind::Arena], Basis::Measured),
        ];
        let part = |(kind, kinds, basis): (PartKind, &[NativeKind], Basis)| {
            let (objects, bytes) = self.sum(kinds);
            let resident = left.take(bytes.0);
            let live: Bytes = self.live.kinds.iter().filter(|sum| kinds.contains(&sum.kind)).map(|sum| sum.bytes).sum();
            let garbage = Bytes(bytes.0.saturating_sub(live.0));
            let mut about = Vec::new();
            if garbage > Bytes(0) {
                about.push(format!("{garbage} of them are garbage"));
            }
            if resident < bytes {
                about.push(format!("{bytes} are allocated; more cannot be resident"));
            }
            ProcessPart::new(kind, resident, basis).count(objects).about(about.join("; "))
        };
        PARTS.map(part).into_iter().filter(|part| part.count != Some(0)).collect()
    }
}
