//! Fingerprints for comparing texts and primitive arrays without keeping them.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::peek::{Characters, Peek};
use super::{subrecords::Record, tags::BasicType};
use heaplens_heap::{ClassKind, ContentHash, Fingerprint, ObjectId, PrefetchStep, Role};

/// Bytes hashed at once.
const BLOCK: usize = 256;

/// Prefetches one step of reading an object.
pub(super) fn prefetch_step(peek: Peek<'_>, object: ObjectId, step: PrefetchStep) {
    let heap = peek.heap;
    let array = || heap.at(peek.unchecked_array_of_text(object)?);
    match step {
        PrefetchStep::Offset => heap.prefetch_file_offset(object.raw()),
        PrefetchStep::Record => peek.prefetch_record(object),
        PrefetchStep::Rows => {
            let addresses = [peek.unchecked_id(object), peek.unchecked_array_of_text(object)];
            addresses.into_iter().flatten().for_each(|address| heap.prefetch_address(address));
        }
        PrefetchStep::ArrayOffset => array().into_iter().for_each(|array| heap.prefetch_file_offset(array.raw())),
        PrefetchStep::Array => array().into_iter().for_each(|array| peek.prefetch_record(array)),
    }
}

/// Fingerprint of a string's text or of a primitive array.
pub(super) fn fingerprint(peek: Peek<'_>, object: ObjectId) -> Option<Fingerprint> {
    let class = peek.heap.class_id(object);
    if peek.contents.rules.role(class) == Role::Text {
        return of_text(peek, object);
    }
    if peek.heap.classes.get(class).kind != ClassKind::PrimitiveArray {
        return None;
    }
    let array = peek.array(object).filter(|array| peek.contents.is_recorded(array))?;
    let mut hash = ContentHash::default();
    hash.write(array.kind.name().as_bytes());
    let mut zero = true;
    for block in array.elements.chunks(BLOCK) {
        hash.write(block);
        zero = zero && block.iter().all(|&byte| byte == 0);
    }
    hash.write(&array.length.to_le_bytes());
    Some(Fingerprint { hash: hash.finish(), length: array.length.into(), zero, array: object })
}

/// Hash of the values of an object other than references.
pub(super) fn digest(peek: Peek<'_>, object: ObjectId) -> Option<u64> {
    let class = peek.heap.class_id(object);
    let role = peek.contents.rules.role(class);
    if role == Role::Text {
        let mut hash = FxHasher::default();
        units_of_text(&peek.characters(object).filter(Characters::is_whole)?, |units| hash.write(units))?;
        return Some(hash.finish());
    }
    // Android writes all of them as zero to hide their values.
    if role == Role::Boxed && peek.contents.recorded.boxes_are_blanked {
        return None;
    }
    let mut hash = FxHasher::default();
    match peek.contents.record(peek.heap, object).ok()?? {
        Record::Class(_) => return None,
        Record::Array(array) => {
            // Without their elements, arrays of one length are not equal.
            let array = Some(array).filter(|array| peek.contents.is_recorded(array))?;
            hash.write(array.kind.name().as_bytes());
            hash.write_u32(array.length);
            if array.kind != BasicType::Object {
                hash.write(array.elements);
            }
        }
        Record::Instance(instance) => {
            let shape = peek.contents.shapes.class(class.raw())?;
            let fields = peek.contents.instance_fields(shape, instance.values);
            let mut numbers = 0_u64;
            for (_, _, bits) in fields.filter(|(_, field, _)| field.kind != BasicType::Object) {
                hash.write_u64(bits);
                numbers += 1;
            }
            if numbers == 0 {
                return None;
            }
        }
    }
    Some(hash.finish())
}

fn of_text(peek: Peek<'_>, string: ObjectId) -> Option<Fingerprint> {
    let characters = peek.characters(string).filter(Characters::is_whole)?;
    let mut hash = ContentHash::default();
    let mut zero = true;
    units_of_text(&characters, |units| {
        zero = zero && units.iter().all(|&byte| byte == 0);
        hash.write(units);
    })?;
    let narrow = characters.kind == BasicType::Byte && characters.latin1;
    let length = (characters.elements.len() >> u32::from(!narrow)) as u64;
    hash.write(&length.to_le_bytes());
    Some(Fingerprint { hash: hash.finish(), length, zero, array: characters.array })
}

/// Characters of a text as UTF-16 code units, low byte first, in chunks: the chunks are the same for every encoding.
fn units_of_text(characters: &Characters<'_>, mut with: impl FnMut(&[u8])) -> Option<()> {
    // A text may be stored in bytes, in pairs of bytes or in chars: compare it as UTF-16 code units.
    let narrow = characters.kind == BasicType::Byte && characters.latin1;
    let mut units = [0; BLOCK];
    let step = if narrow { BLOCK / 2 } else { BLOCK };
    for block in characters.elements.chunks(step) {
        let filled = match (narrow, characters.kind) {
            (true, _) => {
                for (unit, &byte) in units.as_chunks_mut::<2>().0.iter_mut().zip(block) {
                    *unit = [byte, 0];
                }
                block.len() * 2
            }
            (false, BasicType::Byte) => {
                units.iter_mut().zip(block).for_each(|(unit, &byte)| *unit = byte);
                block.len()
            }
            // Chars are stored big-endian.
            (false, _) => {
                for (unit, &[high, low]) in units.as_chunks_mut::<2>().0.iter_mut().zip(block.as_chunks::<2>().0) {
                    *unit = [low, high];
                }
                block.len()
            }
        };
        with(units.get(..filled)?);
    }
    Some(())
}
