//! Frames of virtual threads: instances of one class that differ in size.

use super::{headers::JvmLayout, special::STACK_CHUNK};
use crate::{cursor::Cursor, hprof::schema::Schema, hprof::tags::BasicType};

/// Upper limit of the number of words in a stack.
const TOO_MANY: u32 = 1 << 26;

/// Computes the size of a stack chunk from its field `size`.
#[derive(Debug, Clone, Copy)]
pub(in crate::hprof) struct StackChunks {
    /// Place of the class.
    pub(in crate::hprof) class: u32,
    /// Offset of `size`, the number of words of the frames, in the values of an instance.
    offset: u32,
    layout: JvmLayout,
}

impl StackChunks {
    pub(super) fn find(
        schema: &Schema,
        text: &impl Fn(u64) -> Option<String>,
        layout: &JvmLayout,
        id_bytes: u32,
    ) -> Option<Self> {
        let chunk = schema.named(STACK_CHUNK)?;
        let mut offset = 0_u32;
        for field in &chunk.fields {
            if field.kind == BasicType::Int && text(field.name).as_deref() == Some("size") {
                return Some(Self { class: schema.of(chunk.id)?, offset, layout: *layout });
            }
            offset = offset.checked_add(field.kind.bytes(id_bytes))?;
        }
        None
    }

    /// Size of a chunk with these values; `empty` is the size of one without frames, in bytes.
    pub(in crate::hprof) fn size(&self, empty: u64, values: &[u8]) -> u64 {
        let words = Cursor::new(values, u64::from(self.offset)).u32().filter(|&words| words < TOO_MANY).unwrap_or(0);
        let words = u64::from(words);
        // The frames are followed by one bit for each possible reference.
        let bits = words * (8 / self.layout.reference);
        self.layout.instance(empty + 8 * (words + bits.div_ceil(64)))
    }
}
