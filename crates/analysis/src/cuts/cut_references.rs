//! The references between two objects that one cut excludes: that of the program, and those by which an engine stores it.

use crate::answers::DumpData;
use heaplens_heap::ObjectId;

/// References as rows of source and target.
#[derive(Default)]
pub(super) struct CutReferences {
    /// References that are counted.
    pub(super) cut: Vec<(u32, u32)>,
    /// Storage of the same references.
    pub(super) stored: Vec<(u32, u32)>,
}

impl CutReferences {
    /// The reference from one object to another. A storage reference stands for the references that it stores.
    pub(super) fn between(of: DumpData<'_>, from: ObjectId, to: ObjectId) -> Self {
        let DumpData { heap, contents, analysis, .. } = of;
        let mut references = Self::default();
        let owners = analysis.storage_owners(heap, contents, from, to);
        for &owner in owners.as_deref().unwrap_or(&[from]) {
            references.cut.push((owner.raw(), to.raw()));
            let storages = analysis.storages(heap, contents, owner, to);
            references.stored.extend(storages.into_iter().map(|storage| (storage.raw(), to.raw())));
        }
        references
    }

    pub(super) fn append(&mut self, mut more: Self) {
        self.cut.append(&mut more.cut);
        self.stored.append(&mut more.stored);
    }
}
