//! Properties of objects of 1.x: in a dictionary, or laid out by their class; and native memory of wrapped objects.

use super::{MemoryImage, VALUE};
use crate::rawheap::bytes::{u32_at, u64_at};
use crate::rawheap::snapshot::{Edge, EdgeKind, EdgeVisitor};
use crate::{error::OpenError, rawheap::names::NAMELESS};

/// Bit in the attributes of a property: its value is inside the object.
const INSIDE: u64 = 1 << 4;

/// List of properties in an array, with two values each.
struct Layout {
    /// Number of properties.
    count: u32,
    /// Number of in-object properties.
    inside: u32,
}

impl Layout {
    /// Decodes the bits of a hidden class.
    fn of(bits: u32) -> Self {
        let (words, first) = (bits >> 15 & 0x7fff, bits >> 10 & 0x1f);
        Self { count: bits & 0x3ff, inside: words.saturating_sub(first) }
    }
}

impl MemoryImage<'_> {
    /// Properties of an object, in any representation.
    pub(super) fn properties(
        &mut self,
        from: u32,
        class: u32,
        js: u8,
        take: &mut EdgeVisitor<'_>,
    ) -> Result<(), OpenError> {
        let offsets = &self.metadata.offsets;
        let (Some(properties), Some(data)) = (offsets.properties, offsets.data) else { return Ok(()) };
        let properties = u64_at(self.memory(from), properties.into()).and_then(|address| self.find(address));
        let Some(properties) = properties else { return Ok(()) };
        let is_dictionary = self.nodes.get(properties as usize).map(|node| node.js) == self.metadata.special.dictionary;
        if is_dictionary {
            self.dictionary(from, properties, data.into(), take)
        } else {
            self.layout(from, class, js, self.memory(properties), data.into(), take)
        }
    }

    fn dictionary(&mut self, from: u32, of: u32, data: u64, take: &mut EdgeVisitor<'_>) -> Result<(), OpenError> {
        let (memory, shape) = (self.memory(of), self.metadata.dictionary);
        let entry = u64::from(shape.entry_size) * VALUE;
        let start = data + u64::from(shape.header_size) * VALUE;
        let Some(count) = u32_at(memory, data + 2 * VALUE).filter(|_| entry > 0) else { return Ok(()) };
        for at in (start..).step_by(entry as usize).take(count as usize) {
            if at + entry > memory.len() as u64 || !self.has_budget(from) {
                break;
            }
            let part = |index: u32| u64_at(memory, at + u64::from(index) * VALUE);
            let (Some(key), Some(value)) = (part(shape.key_index), part(shape.value_index)) else { break };
            let Some(key) = self.find(key).and_then(|key| self.nodes.get(key as usize)) else { continue };
            let name = key.name;
            self.value(from, value, EdgeKind::Property, name, take)?;
        }
        Ok(())
    }

    fn layout(
        &mut self,
        from: u32,
        class: u32,
        js: u8,
        properties: &[u8],
        data: u64,
        take: &mut EdgeVisitor<'_>,
    ) -> Result<(), OpenError> {
        let (offsets, of_class) = (&self.metadata.offsets, self.memory(class));
        let layout = offsets.class_layout.and_then(|at| u64_at(of_class, at.into())).and_then(|at| self.find(at));
        let counts = offsets.class_counts.and_then(|at| u32_at(of_class, at.into()));
        let (Some(layout), Some(counts)) = (layout.map(|layout| self.memory(layout)), counts) else { return Ok(()) };
        if layout.is_empty() {
            return Ok(());
        }
        let (memory, counts) = (self.memory(from), Layout::of(counts));
        let end = self.metadata.of(js).map_or(0, |of| of.end);
        let nameless = self.names.add_text("InlineProperty");
        for at in 0..counts.count {
            let entry = data + u64::from(at) * 2 * VALUE;
            let (Some(key), Some(attributes)) = (u64_at(layout, entry), u64_at(layout, entry + VALUE)) else { break };
            if !self.has_budget(from) {
                break;
            }
            let Some(key) = self.find(key).and_then(|key| self.nodes.get(key as usize)) else { continue };
            let name = if key.name == NAMELESS { nameless } else { key.name };
            let value = if attributes & INSIDE != 0 {
                u64_at(memory, u64::from(end) + u64::from(at) * VALUE)
            } else {
                at.checked_sub(counts.inside).and_then(|at| u64_at(properties, data + u64::from(at) * VALUE))
            };
            if let Some(value) = value {
                self.value(from, value, EdgeKind::Property, name, take)?;
            }
        }
        Ok(())
    }

    /// Native wrapper object: adds the memory that its native pointers refer to.
    pub(super) fn native_pointers(&mut self, from: u32, js: u8, take: &mut EdgeVisitor<'_>) -> Result<(), OpenError> {
        let offsets = &self.metadata.offsets;
        let pointers = self.metadata.of(js).and_then(|of| of.offset_of("NativePointers"));
        let pointers = pointers.and_then(|at| u64_at(self.memory(from), at.into())).and_then(|at| self.find(at));
        let (Some(array), Some(length), Some(data), Some(outside)) =
            (pointers, offsets.length, offsets.data, offsets.external_pointer)
        else {
            return Ok(());
        };
        let memory = self.memory(array);
        let values = memory.get(data as usize..).unwrap_or_default().chunks_exact(VALUE as usize);
        for (index, value) in (0..u32_at(memory, length.into()).unwrap_or(0)).zip(values) {
            if !self.has_budget(from) {
                break;
            }
            let pointer = u64_at(value, 0).and_then(|address| self.find(address));
            let address = pointer.and_then(|pointer| u64_at(self.memory(pointer), outside.into()));
            if let Some(address) = address.filter(|&address| address != 0) {
                let to = self.pointer(address);
                let name = self.names.add_text(format!("NativeAddress{index}"));
                take(from, Edge { kind: EdgeKind::Property, name, to })?;
            }
        }
        Ok(())
    }
}
