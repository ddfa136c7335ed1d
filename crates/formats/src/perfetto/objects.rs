//! Objects of a heap graph. The id of most is the distance to the object before it: reading can begin only where the
//! last id is known.

use super::wire::{Message, Numbers};

/// Numbers of fields of an object.
mod tag {
    pub(super) const ID: u32 = 1;
    pub(super) const TYPE: u32 = 2;
    pub(super) const SELF_SIZE: u32 = 3;
    pub(super) const FIELD_IDS: u32 = 4;
    pub(super) const REFERENCES: u32 = 5;
    /// In the definition it is called the base of field ids, but it has always been that of references.
    pub(super) const BASE: u32 = 6;
    pub(super) const ID_DELTA: u32 = 7;
    pub(super) const REGISTRY_SIZE: u32 = 8;
    pub(super) const HEAP: u32 = 9;
    pub(super) const INTERNAL: u32 = 10;
    pub(super) const BITMAP_ID: u32 = 11;
    pub(super) const BITMAP_SOURCE: u32 = 12;
    pub(super) const BITMAP_WIDTH: u32 = 13;
    pub(super) const BITMAP_HEIGHT: u32 = 14;
    pub(super) const VERSION_CODE: u32 = 15;
    pub(super) const DISCRIMINATOR: u32 = 16;
}

/// An object as recorded.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawObject<'a> {
    id: u64,
    /// Distance to the id of the object before; 0: `id` is its id.
    delta: u64,
    pub(super) type_id: u64,
    /// In bytes; 0: that of its type.
    pub(super) self_size: u64,
    /// Ids of the fields of the references; empty: those of the type.
    pub(super) field_ids: Numbers<'a>,
    /// Added to every reference but null.
    base: u64,
    references: Numbers<'a>,
    /// Objects held by structures of the runtime.
    pub(super) internal: Numbers<'a>,
    /// Heap of this and the following objects.
    pub(super) heap: Option<u64>,
    /// Size in the object if it is a registry of native allocations.
    pub(super) registry_size: Option<i64>,
    /// True if it tells which of several merged classes it is of.
    pub(super) has_discriminators: bool,
    message: Message<'a>,
}

/// Id of an object and whether it is relative to the object before it, and its heap if it names one: all that a packet
/// passes on to the next.
#[inline]
pub(super) fn identity(message: Message<'_>) -> ((u64, bool), Option<u64>) {
    let (mut id, mut delta, mut heap) = (0, 0, None);
    for field in message {
        match (field.number, field.as_number()) {
            (tag::ID, Some(number)) => id = number,
            (tag::ID_DELTA, Some(number)) => delta = number,
            (tag::HEAP, number @ Some(_)) => heap = number,
            _ => {}
        }
    }
    (if delta == 0 { (id, false) } else { (delta, true) }, heap)
}

/// Numeric field of which the format records the value: declaring class, name, type, and the value.
pub(super) type RecordedValue = (&'static str, &'static str, &'static str, i64);

impl<'a> RawObject<'a> {
    #[inline]
    pub(super) fn read(message: Message<'a>) -> Self {
        let mut object = Self {
            id: 0,
            delta: 0,
            type_id: 0,
            self_size: 0,
            field_ids: Numbers::None,
            base: 0,
            references: Numbers::None,
            internal: Numbers::None,
            heap: None,
            registry_size: None,
            has_discriminators: false,
            message,
        };
        for field in message {
            match (field.number, field.as_number()) {
                (tag::ID, Some(id)) => object.id = id,
                (tag::TYPE, Some(id)) => object.type_id = id,
                (tag::SELF_SIZE, Some(size)) => object.self_size = size,
                (tag::FIELD_IDS, _) => object.field_ids.add(message, &field),
                (tag::REFERENCES, _) => object.references.add(message, &field),
                (tag::BASE, Some(base)) => object.base = base,
                (tag::ID_DELTA, Some(delta)) => object.delta = delta,
                (tag::REGISTRY_SIZE, Some(size)) => object.registry_size = Some(size.cast_signed()),
                (tag::HEAP, heap @ Some(_)) => object.heap = heap,
                (tag::INTERNAL, _) => object.internal.add(message, &field),
                (tag::DISCRIMINATOR, None) => object.has_discriminators = true,
                _ => {}
            }
        }
        object
    }

    /// Reads the object whose field is at an offset of the file.
    pub(super) fn at(file: &'a [u8], offset: u64) -> Option<Self> {
        let field = Message::new(file, &(offset..file.len() as u64)).next()?;
        field.as_bytes().filter(|_| !field.is_cut)?;
        Some(Self::read(Message::new(file, &field.range())))
    }

    /// Its id and whether it is relative to the object before it.
    fn id(&self) -> (u64, bool) {
        if self.delta == 0 { (self.id, false) } else { (self.delta, true) }
    }

    /// Ids of the objects in its fields or elements; 0 is null.
    #[inline]
    pub(super) fn references(self) -> impl Iterator<Item = u64> + use<'a> {
        let base = self.base;
        self.references.iter().map(move |id| if id == 0 { 0 } else { id.wrapping_add(base) })
    }

    /// Number of its references, nulls included.
    pub(super) fn reference_count(&self) -> usize {
        self.references.len()
    }

    /// True if the number of fields differs from that of references: then no field is known.
    pub(super) fn is_inconsistent(&self) -> bool {
        !self.field_ids.is_empty() && self.field_ids.len() != self.references.len()
    }

    /// Fields that say which of several merged classes it is of, and their values.
    pub(super) fn discriminators(&self) -> Vec<(String, i64)> {
        let of = |bytes: &'a [u8]| {
            let (mut name, mut value) = (String::new(), 0);
            for field in Message::of(bytes) {
                match field.number {
                    1 => name = field.as_text().unwrap_or_default(),
                    2 => value = field.as_number().unwrap_or_default().cast_signed(),
                    _ => {}
                }
            }
            (name, value)
        };
        let all = self.message.filter(|field| field.number == tag::DISCRIMINATOR);
        all.filter_map(|field| field.as_bytes()).map(of).collect()
    }

    /// Numeric fields with a recorded value.
    pub(super) fn values(&self) -> Vec<RecordedValue> {
        const BITMAP: &str = "android.graphics.Bitmap";
        let named = |number| match number {
            tag::REGISTRY_SIZE => Some(("libcore.util.NativeAllocationRegistry", "size", "long")),
            tag::BITMAP_ID => Some((BITMAP, "mId", "long")),
            tag::BITMAP_SOURCE => Some((BITMAP, "mSourceId", "long")),
            tag::BITMAP_WIDTH => Some((BITMAP, "mWidth", "int")),
            tag::BITMAP_HEIGHT => Some((BITMAP, "mHeight", "int")),
            tag::VERSION_CODE => Some(("android.content.pm.ApplicationInfo", "longVersionCode", "long")),
            _ => None,
        };
        let value = |field: super::wire::Field<'a>| {
            let (class, name, kind) = named(field.number)?;
            Some((class, name, kind, field.as_number()?.cast_signed()))
        };
        self.message.filter_map(value).collect()
    }
}

/// Ids of consecutive objects.
#[derive(Debug, Clone, Copy)]
pub(super) struct IdDecoder {
    /// Id of the object before; `None` after a gap: ids relative to it are unknown.
    pub(super) last: Option<u64>,
}

impl IdDecoder {
    /// Id of the next object.
    #[inline]
    pub(super) fn next(&mut self, object: &RawObject<'_>) -> Option<u64> {
        self.last = match object.id() {
            (delta, true) => self.last.map(|last| last.wrapping_add(delta)),
            (id, false) => Some(id),
        };
        self.last
    }
}
