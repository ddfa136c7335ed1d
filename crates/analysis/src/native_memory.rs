//! Native memory owned by the reachable objects, by kind.

use crate::answers::DumpData;
use heaplens_base::Bytes;
use heaplens_heap::native::{NativeKind, NativeTotals};
use heaplens_heap::{ObjectId, Strength};

/// The objects that keep an object with native memory, and whether it has a cleaner: all that refer to it, but no cleaner,
/// whose phantom reference counts in retained sizes and keeps nothing, and no action of a cleaner, which closes it.
pub(crate) fn keepers(dump: DumpData<'_>, object: ObjectId) -> (Vec<ObjectId>, bool) {
    let DumpData { heap, analysis, .. } = dump;
    let is_kept = |from: ObjectId| analysis.strength(from).is_some_and(|strength| strength != Strength::Phantom);
    let (cleaners, others): (Vec<ObjectId>, Vec<ObjectId>) = analysis
        .referrers(object)
        .filter(|&from| analysis.is_reachable(from))
        .partition(|&from| heap.is_phantom_of(from, object));
    let keeping = others.into_iter().filter(|&from| is_kept(from) && !is_cleaner_action(dump, from));
    (keeping.collect(), !cleaners.is_empty())
}

/// True of what only cleaners refer to: the action that they run, such as the one that closes a descriptor.
fn is_cleaner_action(dump: DumpData<'_>, object: ObjectId) -> bool {
    let DumpData { heap, analysis, .. } = dump;
    let mut referrers = analysis.referrers(object).filter(|&from| analysis.is_reachable(from)).peekable();
    referrers.peek().is_some()
        && referrers.all(|from| heap.class(from).strength == Strength::Phantom && !heap.is_phantom_of(from, object))
}

/// Native memory of the objects that keep it: a direct buffer that only its cleaner still refers to is about to be freed, and
/// does not count. Views of other buffers own nothing, and mapped files are no memory of the
/// process: neither counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutsideHeap {
    /// Sums by kind, those without any left out.
    pub kinds: Vec<NativeTotals>,
}

impl OutsideHeap {
    /// Sums the native memory of a dump.
    pub fn of(dump: DumpData<'_>) -> Self {
        Self { kinds: dump.heap.native_bytes().totals(|owned| dump.analysis.has_live_native(owned)) }
    }

    /// Bytes of all kinds.
    pub fn bytes(&self) -> Bytes {
        self.kinds.iter().map(|sum| sum.bytes).sum()
    }

    /// Number of objects that own memory of a kind.
    pub fn objects(&self, kind: NativeKind) -> u64 {
        self.kinds.iter().find(|sum| sum.kind == kind).map_or(0, |sum| sum.objects)
    }
}
