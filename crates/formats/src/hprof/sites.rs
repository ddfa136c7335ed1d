//! Allocation sites of objects: the stack trace serial number in each record. Read on demand, so dumps without any cost
//! nothing.

use super::{record_access::HprofContents, tags::sub};
use crate::cursor::Cursor;
use heaplens_heap::{Address, AllocationSites, Heap, ObjectId};

/// Records whose id is followed by a stack trace serial number.
const OBJECTS: [u8; 5] = [
    sub::CLASS_DUMP,
    sub::INSTANCE_DUMP,
    sub::OBJECT_ARRAY_DUMP,
    sub::PRIMITIVE_ARRAY_DUMP,
    sub::PRIMITIVE_ARRAY_NODATA,
];

impl HprofContents {
    /// Allocation site of an object, if its record refers to a trace with frames.
    pub(super) fn site_of(&self, heap: &Heap, object: ObjectId) -> Option<u32> {
        let offset = usize::try_from(heap.file_offset(object)?).ok()?;
        let mut record = Cursor::new(self.file()?.bytes().get(offset..)?, 0);
        let (tag, id, site) = (record.u8()?, record.id(self.shapes.id_bytes)?, record.u32()?);
        // A different object there means a different file: the dump was replaced.
        let is_it = OBJECTS.contains(&tag) && heap.address(object) == Address(id);
        (is_it && self.stacks.is_site(site)).then_some(site)
    }
}

impl AllocationSites for HprofContents {
    fn has_sites(&self) -> bool {
        self.file().is_some() && self.stacks.has_sites()
    }

    fn allocation_site(&self, heap: &Heap, object: ObjectId) -> Option<u32> {
        if self.has_sites() { self.site_of(heap, object) } else { None }
    }

    fn site(&self, site: u32) -> Vec<String> {
        self.stacks.site(site).map(|frame| frame.text(&self.shapes)).collect()
    }
}
