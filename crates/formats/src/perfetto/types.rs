//! Types, field names and roots of a heap graph. They may come before or after the objects.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::samples::{Sample, tag};
use super::wire::{Field, Message, Numbers};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{RootKind, Strength};

/// Kinds of types; 0 is unknown: Android 11 writes none.
pub(super) mod kind {
    pub(in crate::perfetto) const NO_REFERENCES: u64 = 2;
    pub(in crate::perfetto) const STRING: u64 = 3;
    pub(in crate::perfetto) const ARRAY: u64 = 4;
}

/// A type as recorded.
#[derive(Debug, Clone, Default)]
pub(super) struct RawType {
    pub(super) id: u64,
    /// Name in source notation, obfuscated.
    pub(super) name: String,
    /// Id of the file with its code.
    pub(super) location: Option<u64>,
    /// Size of an instance in bytes.
    pub(super) object_size: u64,
    /// Id of the superclass; 0 for none.
    pub(super) superclass: u64,
    /// Id of the loader's object; 0 for none.
    pub(super) loader: u64,
    pub(super) kind: u64,
    /// Ids of the names of its own reference fields.
    pub(super) fields: Vec<u64>,
}

impl RawType {
    fn read(bytes: &[u8]) -> Self {
        let (message, mut raw, mut fields) = (Message::of(bytes), Self::default(), Numbers::None);
        for field in message {
            match (field.number, field.as_number()) {
                (1, Some(id)) => raw.id = id,
                (2, location @ Some(_)) => raw.location = location,
                (3, None) => raw.name = field.as_text().unwrap_or_default(),
                (4, Some(size)) => raw.object_size = size,
                (5, Some(id)) => raw.superclass = id,
                (6, _) => fields.add(message, &field),
                (7, Some(kind)) => raw.kind = kind,
                (8, Some(id)) => raw.loader = id,
                _ => {}
            }
        }
        raw.fields = fields.iter().collect();
        raw
    }

    /// True if the names of its fields say nothing about its references.
    pub(super) fn has_no_fields(&self) -> bool {
        matches!(self.kind, kind::NO_REFERENCES | kind::STRING | kind::ARRAY)
    }

    /// Strength of the referent of its instances, by its kind.
    pub(super) fn strength(&self) -> Strength {
        match self.kind {
            8 => Strength::Soft,
            9 => Strength::Weak,
            10 => Strength::Final,
            11 => Strength::Phantom,
            _ => Strength::Strong,
        }
    }
}

/// Objects that are roots for one reason.
#[derive(Debug, Clone)]
pub(super) struct RawRoot {
    pub(super) kind: RootKind,
    pub(super) objects: Vec<u64>,
    /// Offset in the file.
    pub(super) at: u64,
}

fn root_kind(number: u64) -> RootKind {
    match number {
        1 => RootKind::JniGlobal,
        2 => RootKind::JniLocal,
        3 => RootKind::JavaFrame,
        4 => RootKind::NativeStack,
        5 => RootKind::SystemClass,
        6 => RootKind::ThreadBlock,
        7 => RootKind::Monitor,
        8 => RootKind::Thread,
        9 => RootKind::InternedString,
        10 => RootKind::Finalizing,
        11 => RootKind::Debugger,
        12 => RootKind::ReferenceCleanup,
        13 => RootKind::VmInternal,
        14 => RootKind::JniMonitor,
        _ => RootKind::Unknown,
    }
}

impl RawRoot {
    fn read(field: &Field<'_>, bytes: &[u8]) -> Self {
        let (message, mut kind, mut objects) = (Message::of(bytes), 0, Numbers::None);
        for field in message {
            match field.number {
                1 => objects.add(message, &field),
                2 => kind = field.as_number().unwrap_or_default(),
                _ => {}
            }
        }
        Self { kind: root_kind(kind), objects: objects.iter().collect(), at: field.at }
    }
}

/// Names, types and roots of a heap graph.
#[derive(Debug, Default)]
pub(super) struct Types {
    /// Each id once, in the order of their first records; of several records the last counts.
    pub(super) rows: Vec<RawType>,
    /// `shop.Cart shop.Order.cart`: type, declaring class, name.
    pub(super) fields: FxHashMap<u64, String>,
    pub(super) locations: FxHashMap<u64, String>,
    pub(super) roots: Vec<RawRoot>,
}

#[derive(Default)]
struct PartTypes {
    rows: Vec<RawType>,
    fields: Vec<(u64, String)>,
    locations: Vec<(u64, String)>,
    roots: Vec<RawRoot>,
}

fn text(bytes: &[u8]) -> (u64, String) {
    let (mut id, mut text) = (0, String::new());
    for field in Message::of(bytes) {
        match field.number {
            1 => id = field.as_number().unwrap_or_default(),
            2 => text = field.as_text().unwrap_or_default(),
            _ => {}
        }
    }
    (id, text)
}

/// Reads everything but the objects of a heap graph.
pub(super) fn types(file: &[u8], sample: &Sample, task: &Task) -> Result<Types, Cancelled> {
    let read = sample.parts.par_iter().with_max_len(1).map(|part| {
        task.checkpoint()?;
        let mut part_types = PartTypes::default();
        for field in Message::new(file, &part.range).filter(|field| !field.is_cut) {
            let Some(bytes) = field.as_bytes() else { continue };
            match field.number {
                tag::TYPE => part_types.rows.push(RawType::read(bytes)),
                tag::FIELD_NAME => part_types.fields.push(text(bytes)),
                tag::LOCATION => part_types.locations.push(text(bytes)),
                tag::ROOT => part_types.roots.push(RawRoot::read(&field, bytes)),
                _ => {}
            }
        }
        Ok(part_types)
    });
    let read: Vec<PartTypes> = read.collect::<Result<_, Cancelled>>()?;
    let (mut types, mut indexes) = (Types::default(), FxHashMap::default());
    for part_types in read {
        for row in part_types.rows {
            let index = *indexes.entry(row.id).or_insert(types.rows.len());
            match types.rows.get_mut(index) {
                Some(known) => *known = row,
                None => types.rows.push(row),
            }
        }
        // Of several texts of an id, the first counts.
        for (id, text) in part_types.fields {
            types.fields.entry(id).or_insert(text);
        }
        for (id, text) in part_types.locations {
            types.locations.entry(id).or_insert(text);
        }
        types.roots.extend(part_types.roots);
    }
    Ok(types)
}

impl Types {
    /// File with the code of a type.
    pub(super) fn location(&self, row: &RawType) -> Option<&str> {
        row.location.and_then(|id| self.locations.get(&id)).map(String::as_str)
    }
}

/// Index of each type by its id.
pub(super) enum TypeIndex {
    /// Ids are small numbers in real traces.
    Dense(Vec<u32>),
    Sparse(FxHashMap<u64, u32>),
}

impl TypeIndex {
    pub(super) fn new(rows: &[RawType]) -> Self {
        let highest = rows.iter().map(|row| row.id).max().unwrap_or_default();
        let pairs = || rows.iter().zip(0..).map(|(row, at)| (row.id, at));
        if highest > rows.len() as u64 * 8 + 4096 {
            return Self::Sparse(pairs().collect());
        }
        let mut index = vec![u32::MAX; highest as usize + 1];
        pairs().for_each(|(id, at)| index.get_mut(id as usize).into_iter().for_each(|known| *known = at));
        Self::Dense(index)
    }

    /// Index of the type with this id.
    #[inline]
    pub(super) fn get(&self, id: u64) -> Option<u32> {
        match self {
            Self::Dense(index) => index.get(usize::try_from(id).ok()?).copied().filter(|&at| at != u32::MAX),
            Self::Sparse(index) => index.get(&id).copied(),
        }
    }
}
