//! Contents of Java collections, across the field names of JDK 6 to 25 and of Android, including its old Harmony
//! library: a table says where each class keeps its entries, and [`super::walks`] iterates over them. Collections of other
//! libraries are read by the rules of a list ([`super::listed`]).

use std::ops::Range;

use super::collection_rules::{COUNT, EntryLayout, HASHTABLE, Names, SIZE};
use super::counters::added;
use super::listed::{self, Listed};
use super::peek::{Fields, Peek};
use super::runtime_rules::ClassRule;
use super::walks::Page;
use heaplens_heap::{LogicalCollection, LogicalEntry, LogicalKind, ObjectId, Value};

/// Maximum depth of nested wrappers: in a malformed dump they may form a cycle.
const WRAPPERS: usize = 8;
/// Maximum number of nodes read for the first keys.
const FIRST_STEPS: u64 = 256;
/// Maximum number of slots of a map whose first keys are read: all of them may have to be, to find one.
const FIRST_SLOTS: u64 = 1 << 12;

/// Collection with its wrappers removed.
struct UnwrappedCollection<'a> {
    kind: LogicalKind,
    entries: EntrySource<'a>,
    /// Wrappers on the way to the collection.
    wrappers: Vec<ObjectId>,
}

/// Object that has the entries, and where they are in it.
enum EntrySource<'a> {
    /// A class of the Java library or of Android.
    Library(Fields<'a>, EntryLayout),
    /// A class of the list.
    Listed(Listed<'a>),
}

impl<'a> EntrySource<'a> {
    fn recorded_size(&self, page: &mut Page<'a>) -> Option<u64> {
        match *self {
            Self::Library(fields, layout) => recorded_size(fields, layout, page),
            Self::Listed(listed) => listed::recorded_size(listed, page),
        }
    }

    fn walk(&self, page: &mut Page<'a>) {
        match *self {
            Self::Library(fields, layout) => walk(fields, layout, page),
            Self::Listed(listed) => listed::walk(listed, page),
        }
    }
}

fn unwrap_collection(peek: Peek<'_>, mut object: ObjectId) -> Option<UnwrappedCollection<'_>> {
    let (mut kind, mut wrappers) = (None, Vec::new());
    for _ in 0..WRAPPERS {
        match peek.contents.rules.collection(&peek.contents.shapes, peek.heap.class_id(object))? {
            ClassRule::Library(rule) => {
                kind = kind.or(rule.kind);
                let fields = peek.fields(object, rule.class)?;
                let EntryLayout::Within(names) = rule.layout else {
                    let entries = EntrySource::Library(fields, rule.layout);
                    return Some(UnwrappedCollection { kind: kind?, entries, wrappers });
                };
                match fields.object(names) {
                    Some(inner) => object = inner,
                    // Properties was a Hashtable before it wrapped a map; during construction it wraps nothing yet.
                    None if rule.class == "java.util.Properties" => {
                        let fields = peek.fields(object, "java.util.Hashtable")?;
                        let entries = EntrySource::Library(fields, HASHTABLE);
                        return Some(UnwrappedCollection { kind: LogicalKind::Map, entries, wrappers });
                    }
                    None => return None,
                }
            }
            ClassRule::Listed(rule, class) => {
                kind = kind.or(rule.kind);
                let listed = Listed { rule, fields: peek.fields(object, peek.contents.shapes.name(class.name))? };
                if !listed.is_within() {
                    let entries = EntrySource::Listed(listed);
                    return Some(UnwrappedCollection { kind: kind?, entries, wrappers });
                }
                object = listed.within()?;
            }
        }
        wrappers.push(object);
    }
    None
}

/// Number of entries of a collection, if a few reads suffice to determine it.
pub(super) fn size(peek: Peek<'_>, object: ObjectId) -> Option<u64> {
    let collection = unwrap_collection(peek, object)?;
    let mut page = Page::new(peek, collection.kind, 0..0);
    collection.entries.recorded_size(&mut page)
}

/// Keys of the first entries of a map, as far as they are found within a few reads.
pub(super) fn first_keys(peek: Peek<'_>, object: ObjectId, count: u64) -> Option<Vec<Value>> {
    let UnwrappedCollection { kind, entries, .. } = unwrap_collection(peek, object)?;
    let mut page = Page::within(peek, kind, 0..count, FIRST_STEPS);
    let recorded = entries.recorded_size(&mut page);
    if page.capacity.is_some_and(|capacity| capacity > FIRST_SLOTS) {
        return None;
    }
    page.limit(recorded);
    entries.walk(&mut page);
    Some(page.entries.into_iter().filter_map(|entry| entry.key).collect())
}

/// Entries `range` of a collection.
pub(super) fn logical(peek: Peek<'_>, object: ObjectId, range: Range<u64>) -> Option<LogicalCollection> {
    let UnwrappedCollection { kind, entries, wrappers } = unwrap_collection(peek, object)?;
    let wanted = !range.is_empty();
    let mut page = Page::new(peek, kind, range);
    let recorded = entries.recorded_size(&mut page);
    page.limit(recorded);
    if wanted || recorded.is_none() {
        entries.walk(&mut page);
    }
    let mut internals = wrappers;
    internals.append(&mut page.nodes);
    internals.dedup();
    Some(LogicalCollection {
        kind,
        size: recorded.unwrap_or(page.seen),
        capacity: page.capacity,
        backing: page.backing,
        internals,
        entries: page.entries,
        vacated: None,
    })
}

/// Entry that a path of references from a collection leads to, and the number of objects of the path up to its key or
/// value. For collections of the list only.
pub(super) fn entry_on_path(peek: Peek<'_>, object: ObjectId, path: &[ObjectId]) -> Option<(LogicalEntry, usize)> {
    let collection = unwrap_collection(peek, object)?;
    let EntrySource::Listed(listed) = collection.entries else { return None };
    let skipped = collection.wrappers.len();
    // A path that does not lead through the wrapped collection has no entry of it.
    let rest = path.strip_prefix(&*collection.wrappers)?;
    let (entry, covered) = listed::entry_on_path(listed, collection.kind, rest)?;
    Some((entry, skipped + covered))
}

/// Number of entries according to the collection's own fields; adds its backing arrays to `page`.
fn recorded_size(fields: Fields<'_>, layout: EntryLayout, page: &mut Page<'_>) -> Option<u64> {
    let peek = fields.peek;
    let sized = |room: u64| Some(fields.count(SIZE)?.min(room));
    match layout {
        EntryLayout::Within(_) => None,
        EntryLayout::Nothing => Some(0),
        EntryLayout::Own(own) => Some(own.iter().filter(|(_, value)| page.has_entry(fields, value)).count() as u64),
        EntryLayout::Array { array, size } => {
            let room = page.backed_by(fields.object(array), 1);
            // A size beyond the end of the array is wrong.
            Some(fields.count(size).map_or(room, |size| size.min(room)))
        }
        EntryLayout::Ring { array, head, tail, size } => {
            let room = page.backed_by(fields.object(array), 1);
            let size = fields.count(&[size]).or_else(|| {
                let (head, tail) = (fields.count(&[head])?, fields.count(&[tail])?);
                Some(if tail >= head { tail - head } else { tail + room.saturating_sub(head.min(room)) })
            });
            size.map(|size| size.min(room))
        }
        EntryLayout::Slots(array) => sized(page.backed_by(fields.object(array), 1)),
        EntryLayout::Pairs(array) => sized(page.backed_by(fields.object(array), 2)),
        EntryLayout::Parallel { values, .. } => sized(page.backed_by(fields.object(&[values]), 1)),
        EntryLayout::Buckets { table, size, .. } | EntryLayout::Backwards { table, size } => {
            page.backed_by(fields.object(&[table]), 1);
            fields.count(size)
        }
        EntryLayout::Bits { bits, .. } => match fields.get(bits)? {
            Value::Long(bits) => Some(bits.count_ones().into()),
            _ => fields.count(SIZE),
        },
        EntryLayout::Part { of, from, size } => {
            let (_, length) = backing_array(fields, of)?;
            Some(fields.count(size)?.min(length.saturating_sub(fields.count(&[from])?)))
        }
        EntryLayout::Copies { size, .. } => fields.count(size),
        EntryLayout::Segments => {
            if let Some(segments) = fields.object(&["segments"]) {
                return Some(page.segments(segments).map(|segment| segment.count(COUNT).unwrap_or(0)).sum());
            }
            page.backed_by(fields.object(&["table"]), 1);
            Some(added(fields, "baseCount", "counterCells")?.max(0).cast_unsigned())
        }
        EntryLayout::Chain { size, .. } => {
            if fields.get("table").is_some() {
                page.backed_by(fields.object(&["table"]), 1);
            }
            match fields.any(size)? {
                // Counter shared by threads.
                Value::Object(counter) => peek.fields(counter, "")?.count(&["value"]),
                _ => fields.count(size),
            }
        }
        EntryLayout::Sorted => fields.count(SIZE),
        EntryLayout::Skips => {
            let adder = peek.fields(fields.object(&["adder"])?, "java.util.concurrent.atomic.Striped64")?;
            Some(added(adder, "base", "cells")?.max(0).cast_unsigned())
        }
    }
}

/// Backing array of the list of which another is a view, and the number of elements of the view. The view does not own
/// the array, so it has no capacity.
fn backing_array(fields: Fields<'_>, of: Names) -> Option<(ObjectId, u64)> {
    let list = fields.peek.fields(fields.object(of)?, "java.util.ArrayList")?;
    let array = list.object(&["elementData"])?;
    Some((array, list.count(SIZE)?.min(fields.peek.array(array)?.length.into())))
}

fn walk(fields: Fields<'_>, layout: EntryLayout, page: &mut Page<'_>) {
    match layout {
        EntryLayout::Within(_) | EntryLayout::Nothing => {}
        EntryLayout::Own(own) => {
            for (key, value) in own {
                if !page.has_entry(fields, value) {
                    continue;
                }
                let key = fields.get(key);
                if let Some(value) = fields.get(value) {
                    page.offer(key, value, None);
                }
            }
        }
        EntryLayout::Array { array, .. } => page.array(fields.object(array), 0),
        EntryLayout::Ring { array, head, .. } => page.array(fields.object(array), fields.count(&[head]).unwrap_or(0)),
        EntryLayout::Slots(array) => page.slots(fields.object(array)),
        EntryLayout::Pairs(array) => page.pairs(fields.object(array)),
        EntryLayout::Parallel { keys, values } => page.parallel(fields.object(&[keys]), fields.object(&[values])),
        EntryLayout::Buckets { table, null_keys, .. } => page.buckets(fields.object(&[table]), null_keys, false),
        EntryLayout::Backwards { table, .. } => page.buckets(fields.object(&[table]), true, true),
        EntryLayout::Bits { universe, bits } => page.by_bits(fields.object(&[universe]), fields.get(bits)),
        EntryLayout::Part { of, from, .. } => {
            let array = backing_array(fields, of).map(|(array, _)| array);
            page.array(array, fields.count(&[from]).unwrap_or(0));
        }
        EntryLayout::Copies { element, .. } => page.copies(fields.get(element)),
        EntryLayout::Segments => match fields.object(&["segments"]) {
            Some(segments) => {
                let tables: Vec<_> = page.segments(segments).filter_map(|s| s.object(&["table"])).collect();
                tables.into_iter().for_each(|table| page.buckets(Some(table), false, false));
            }
            None => page.buckets(fields.object(&["table"]), false, false),
        },
        EntryLayout::Chain { first, next, skip_first, .. } => {
            // Before JDK 7 and 8, a head that is not an entry closes the chain to a cycle.
            let header = fields.object(&["header", "voidLink"]);
            page.chain(fields.object(first), next, header, skip_first || header.is_some());
        }
        EntryLayout::Sorted => page.tree(fields.object(&["root"])),
        EntryLayout::Skips => page.skips(fields.object(&["head"])),
    }
}
