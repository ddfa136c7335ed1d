//! Records of a static heap (3.x): self-describing, little-endian, consecutive up to the end of the file. References
//! can be resolved only after all records are read.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::bytes::number;
use super::damage::{Damage, wrong};
use crate::{cursor::Cursor, error::OpenError};
use heaplens_base::Task;

/// Size of the header in bytes; also recorded in it.
const HEADER: u32 = 33;
/// Size of the record header, in bytes.
const HEAD: u64 = 17;
/// Size of an id in bytes; also recorded in the header.
const ID: u32 = 4;
/// Value in the header for both runtimes: objects of the other are in a second file.
const HYBRID: u8 = 2;

/// Types of values.
pub(super) mod of {
    pub(in super::super) const BOOL: u8 = 1;
    pub(in super::super) const CHAR: u8 = 2;
    pub(in super::super) const FLOAT: u8 = 3;
    pub(in super::super) const DOUBLE: u8 = 4;
    pub(in super::super) const BYTE: u8 = 5;
    pub(in super::super) const SHORT: u8 = 6;
    pub(in super::super) const INT: u8 = 7;
    pub(in super::super) const LONG: u8 = 8;
    pub(in super::super) const OBJECT: u8 = 9;
    pub(in super::super) const ARRAY: u8 = 10;
    pub(in super::super) const TAGGED: u8 = 11;
    pub(in super::super) const WEAK: u8 = 12;
}

/// Size of a value in bytes; `None` for an unknown type.
pub(super) fn bytes_of(kind: u8) -> Option<u64> {
    Some(match kind {
        of::BOOL | of::BYTE => 1,
        of::CHAR | of::SHORT => 2,
        of::INT | of::FLOAT | of::OBJECT | of::ARRAY | of::WEAK => 4,
        of::LONG | of::DOUBLE | of::TAGGED => 8,
        _ => return None,
    })
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    pub(super) kind: u8,
    pub(super) bits: u64,
}

impl Value {
    /// Reads the next type and value.
    pub(super) fn read(reader: &mut Cursor<'_>) -> Option<Self> {
        let kind = reader.u8()?;
        Some(Self { kind, bits: number(reader, bytes_of(kind)?)? })
    }
}

/// Sequence of values, each preceded by its type.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Values<'a>(&'a [u8]);

impl<'a> Values<'a> {
    fn read(reader: &mut Cursor<'a>, count: u64) -> Option<Self> {
        let mut ahead = *reader;
        for _ in 0..count {
            Value::read(&mut ahead)?;
        }
        reader.take(ahead.offset() - reader.offset()).map(Self)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Value> + 'a {
        let mut reader = Cursor::new(self.0, 0);
        std::iter::from_fn(move || Value::read(&mut reader))
    }
}

/// Class, merged from its two records.
#[derive(Debug, Default)]
pub(super) struct Class<'a> {
    pub(super) name: u32,
    pub(super) above: u32,
    /// Bytes of an instance.
    pub(super) size: u32,
    /// Names of static fields, and their values.
    pub(super) statics: Vec<u32>,
    pub(super) values: Vec<Values<'a>>,
    /// Names of the fields of instances, including inherited ones.
    pub(super) fields: Vec<u32>,
    pub(super) methods: Vec<u32>,
}

/// Instance, or another item with an id, a class and a size.
#[derive(Debug)]
pub(super) struct Object<T> {
    pub(super) id: u32,
    pub(super) class: u32,
    pub(super) size: u32,
    pub(super) inside: T,
}

/// Contents of an array.
#[derive(Debug, Clone, Copy)]
pub(super) enum Elements<'a> {
    /// References, weak or strong.
    References { ids: &'a [u8], are_weak: bool },
    /// Values, each with its own type.
    Tagged(Values<'a>),
    /// Numbers of one type.
    Numbers { kind: u8, bytes: &'a [u8] },
    /// Record with an unknown type.
    Unknown,
}

/// Reference between the runtimes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    /// Node id in the dynamic heap.
    pub(super) dynamic: u32,
    pub(super) fixed: u32,
    /// 0: from dynamic to static, 1: from static to dynamic, 2: both.
    pub(super) direction: u8,
}

#[derive(Default)]
pub(super) struct Records<'a> {
    pub(super) is_hybrid: bool,
    pub(super) strings: FxHashMap<u32, &'a [u8]>,
    pub(super) classes: BTreeMap<u32, Class<'a>>,
    pub(super) instances: Vec<Object<Values<'a>>>,
    pub(super) arrays: Vec<Object<Elements<'a>>>,
    pub(super) texts: Vec<Object<&'a [u8]>>,
    pub(super) roots: Vec<u32>,
    pub(super) crossings: Vec<Crossing>,
}

impl<'a> Records<'a> {
    /// Reads the file up to the first damage.
    pub(super) fn read(file: &'a [u8], damage: &mut Damage, task: &Task) -> Result<Self, OpenError> {
        let mut reader = Cursor::new(file, 8);
        let mut records = Self::header(&mut reader).ok_or_else(|| {
            let expected = "a static heap header (33 bytes, 4-byte ids, no features)";
            wrong(8, expected, "a different header", "Copy the file again, or update heaplens.")
        })?;
        while reader.left() > 0 {
            task.checkpoint()?;
            let at = reader.offset();
            let Some((tag, length, count)) = Self::head(&mut reader) else {
                damage.at(at);
                break;
            };
            if u64::from(length) > reader.left() {
                damage.at(at);
            }
            let body = reader.take(reader.left().min(length.into())).unwrap_or_default();
            let mut inside = Cursor::new(body, 0);
            let start = at + HEAD;
            let mut is_known = true;
            for item in 0..count {
                if item.is_multiple_of(1 << 12) {
                    task.checkpoint()?;
                }
                let at = inside.offset();
                is_known = records.item(tag, &mut inside).unwrap_or_else(|| {
                    damage.at(start + at);
                    false
                });
                if !is_known {
                    break;
                }
            }
            if is_known && count > 0 && inside.left() > 0 {
                damage.at(start + inside.offset());
            }
        }
        Ok(records)
    }

    fn header(reader: &mut Cursor<'_>) -> Option<Self> {
        let (id, _time) = (reader.u32_le()?, reader.u64_le()?);
        let language = reader.u8()?;
        let (header, _records, features) = (reader.u32_le()?, reader.u32_le()?, reader.u32_le()?);
        let is_known = id == ID && header == HEADER && features == 0 && (1..=HYBRID).contains(&language);
        is_known.then(|| Self { is_hybrid: language == HYBRID, ..Self::default() })
    }

    fn head(reader: &mut Cursor<'_>) -> Option<(u8, u32, u32)> {
        let (tag, _time) = (reader.u8()?, reader.u64_le()?);
        Some((tag, reader.u32_le()?, reader.u32_le()?))
    }

    /// Reads one item, if it is complete; returns true if there may be another. After an unknown record, there is none.
    fn item(&mut self, tag: u8, reader: &mut Cursor<'a>) -> Option<bool> {
        match tag {
            0x01 => {
                let (id, length) = (reader.u32_le()?, reader.u32_le()?);
                self.strings.insert(id, reader.take(length.into())?);
            }
            0x02 => {
                let (_serial, class, _stack, name) =
                    (reader.u32_le()?, reader.u32_le()?, reader.u32_le()?, reader.u32_le()?);
                reader.take(5)?;
                self.classes.entry(class).or_default().name = name;
            }
            0x0b => self.class(reader)?,
            0x10 => {
                reader.u8()?;
                self.roots.push(reader.u32_le()?);
            }
            0x14 => {
                let (id, class, _stack, size) =
                    (reader.u32_le()?, reader.u32_le()?, reader.u32_le()?, reader.u32_le()?);
                let count = reader.u16_le()?;
                let inside = Values::read(reader, count.into())?;
                self.instances.push(Object { id, class, size, inside });
            }
            0x15 => self.array(reader)?,
            0x16 => {
                let (id, class, size, length) =
                    (reader.u32_le()?, reader.u32_le()?, reader.u32_le()?, reader.u32_le()?);
                self.texts.push(Object { id, class, size, inside: reader.take(length.into())? });
            }
            0x30 => {
                let (dynamic, fixed, direction) = (reader.u32_le()?, reader.u32_le()?, reader.u8()?);
                self.crossings.push(Crossing { dynamic, fixed, direction });
            }
            _ => return Some(false),
        }
        Some(true)
    }

    fn class(&mut self, reader: &mut Cursor<'a>) -> Option<()> {
        let (id, _stack, above, _loader, size) =
            (reader.u32_le()?, reader.u32_le()?, reader.u32_le()?, reader.u32_le()?, reader.u32_le()?);
        let statics = fields(reader)?;
        let own = fields(reader)?;
        let count = reader.u16_le()?;
        let values = Values::read(reader, count.into())?;
        let methods = (0..reader.u16_le()?).map(|_| reader.u32_le()).collect::<Option<Vec<u32>>>()?;
        let class = self.classes.entry(id).or_default();
        (class.above, class.size) = (above, size);
        class.statics.extend(statics);
        class.fields.extend(own);
        class.values.push(values);
        class.methods.extend(methods);
        Some(())
    }

    fn array(&mut self, reader: &mut Cursor<'a>) -> Option<()> {
        let (id, class, _stack, size) = (reader.u32_le()?, reader.u32_le()?, reader.u32_le()?, reader.u32_le()?);
        let (length, kind) = (u64::from(reader.u32_le()?), reader.u8()?);
        let mut is_known = true;
        let inside = match (kind, bytes_of(kind)) {
            (of::TAGGED, _) => Elements::Tagged(Values::read(reader, length)?),
            (of::OBJECT | of::ARRAY | of::WEAK, _) => {
                Elements::References { ids: reader.take(4 * length)?, are_weak: kind == of::WEAK }
            }
            (_, Some(bytes)) => Elements::Numbers { kind, bytes: reader.take(bytes * length)? },
            (_, None) => {
                // The start of the next record is unknown.
                is_known = length == 0;
                Elements::Unknown
            }
        };
        self.arrays.push(Object { id, class, size, inside });
        is_known.then_some(())
    }
}

/// Names of the fields of a class.
fn fields(reader: &mut Cursor<'_>) -> Option<Vec<u32>> {
    let field = |reader: &mut Cursor<'_>| {
        let name = reader.u32_le()?;
        reader.take(7)?;
        Some(name)
    };
    (0..reader.u16_le()?).map(|_| field(reader)).collect()
}
