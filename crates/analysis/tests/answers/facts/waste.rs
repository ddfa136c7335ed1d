//! Waste of every kind, planted in known numbers: each planted object is found with its kind, and the rows equal a
//! naive count over the whole dump.

use std::collections::{BTreeMap, BTreeSet};

use heaplens_analysis::collections::{CollectionRow, collections};
use heaplens_analysis::strings::duplicate_strings;
use heaplens_analysis::waste::{WasteKind, WasteRow, waste, waste_objects};
use heaplens_base::{Bytes, Task};
use heaplens_heap::{ClassKind, LogicalCollection, ObjectId, Value};

use super::fixture::{FIXTURES, Fixture, unquoted, words};

fn waste_row(it: &Fixture, kind: WasteKind) -> WasteRow {
    let task = &Task::new();
    let strings = duplicate_strings(it.dump.data(), task).expect("not cancelled");
    let rows = waste(it.dump.data(), &strings, task).expect("not cancelled");
    rows.into_iter().find(|row| row.kind == kind).unwrap_or_else(|| panic!("{}: no {}", it.name, kind.title()))
}

fn reachable_instances(it: &Fixture, class: &str) -> Vec<ObjectId> {
    it.instances(class).into_iter().filter(|&object| it.dump.analysis.is_reachable(object)).collect()
}

fn logical(it: &Fixture, collection: ObjectId) -> LogicalCollection {
    let (heap, contents) = (&*it.dump.facts.heap, &*it.dump.facts.contents);
    contents.logical(heap, collection, 0..0).expect("a known collection")
}

/// Bytes that equal things take beyond the first of each.
fn surplus_of<K: Ord>(it: &Fixture, things: Vec<(K, ObjectId)>) -> (u64, Bytes) {
    let mut groups: BTreeMap<K, Vec<ObjectId>> = BTreeMap::new();
    things.into_iter().for_each(|(key, object)| groups.entry(key).or_default().push(object));
    let surplus: Vec<ObjectId> = groups.into_values().flat_map(|group| group.into_iter().skip(1)).collect();
    (surplus.len() as u64, surplus.iter().map(|&object| it.dump.facts.heap.shallow(object)).sum())
}

/// The smallest group of strings could belong to other code; these strings are only in the program.
#[test]
fn duplicate_strings_are_counted_and_their_holder_is_named() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let actual = duplicate_strings(it.dump.data(), &Task::new()).expect("not cancelled");
        for (text, message) in it.truths("duplicate") {
            let text = unquoted(text);
            let groups: Vec<_> = actual.groups.iter().filter(|g| actual.text(it.dump.data(), g) == text).collect();
            let [group] = groups[..] else { panic!("{name}: {text} is there in {} groups", groups.len()) };
            assert_eq!(group.objects.to_string(), words(message)["count"], "{name}: {text}");
            assert_eq!(group.shallow.0 / group.objects * (group.objects - 1), group.wasted.0, "{name}: {text}");
            let members = actual.members(group);
            assert!(members.iter().all(|&string| it.text(string) == text), "{name}: {text}");
            let [holder] = &actual.held_by(it.dump.data(), group, 3)[..] else { panic!("{name}: {text}") };
            assert_eq!((&*holder.name, holder.objects), ("java.lang.Object[]", group.objects), "{name}: {text}");
        }
    }
}

#[test]
fn planted_waste_is_found_with_its_kind() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let (heap, contents) = (&*it.dump.facts.heap, &*it.dump.facts.contents);
        for (field, text) in it.truths("waste") {
            let (all, text) = (it.list(it.held_by(field)), words(text));
            assert_eq!(all.len().to_string(), text["count"], "{name}: {field}");
            if let (Some(size), Some(capacity)) = (text.get("size"), text.get("capacity")) {
                for collection in all {
                    let actual = logical(&it, collection);
                    assert_eq!(actual.size.to_string(), *size, "{name}: {field}");
                    assert_eq!(
                        actual.capacity.map(|room| room.to_string()).as_deref(),
                        Some(*capacity),
                        "{name}: {field}"
                    );
                    let planted = field.ends_with("OVERSIZED_LISTS") || field.ends_with("SPARSE_MAPS");
                    assert_eq!(actual.is_sparse(), planted, "{name}: {field}");
                    let nothing_free = *capacity == "0" || field.ends_with("SMALL_LISTS");
                    // The empty array shared by all new lists cannot be freed.
                    assert_eq!(actual.unused(heap) == Bytes(0), nothing_free, "{name}: {field}");
                }
            } else if text["class"] == "java.lang.Integer" {
                let values: BTreeSet<String> =
                    all.iter().map(|&number| contents.boxed(heap, number).expect("a number").to_string()).collect();
                assert_eq!(values.len().to_string(), text["distinct"], "{name}: {field}");
            } else if let Some(distinct) = text.get("distinct") {
                let prints = all.iter().map(|&array| contents.fingerprint(heap, array).expect("numbers"));
                let prints: Vec<_> = prints.collect();
                let different: BTreeSet<[u64; 2]> = prints.iter().map(|print| print.hash).collect();
                assert_eq!(different.len().to_string(), *distinct, "{name}: {field}");
                let zero = text.get("used") == Some(&"0");
                if let Some(used) = text.get("used") {
                    let set = |&array: &ObjectId| it.elements(array).iter().filter(|e| e.to_string() != "0").count();
                    assert!(all.iter().all(|array| set(array).to_string() == *used), "{name}: {field}");
                }
                assert!(prints.iter().all(|print| print.zero == zero), "{name}: {field}");
                assert!(prints.iter().all(|print| print.length.to_string() == text["length"]), "{name}: {field}");
            } else {
                let used = |&array: &ObjectId| it.elements(array).iter().filter(|&&e| e != Value::Null).count();
                assert!(all.iter().all(|array| used(array).to_string() == text["used"]), "{name}: {field}");
            }
        }
    }
}

/// Lists and maps of the whole dump, read by their fields.
#[test]
fn rows_of_collections_match_their_fields() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let heap = &it.dump.facts.heap;
        let rows = collections(it.dump.data(), &Task::new()).expect("not cancelled");
        for (class, room) in [("java.util.ArrayList", "elementData"), ("java.util.HashMap", "table")] {
            let row = rows.iter().find(|(id, _)| *heap.classes.get(*id).name == *class).expect("a row").1;
            let mut expected = CollectionRow::default();
            for object in reachable_instances(&it, class) {
                let Some(Value::Int(size)) = it.field(object, "size") else { panic!("{name}: a {class} of no size") };
                let size = u64::from(size.cast_unsigned());
                let array = it.follow(object, room);
                let capacity = array.map_or(0, |array| it.length(array));
                let bytes = array.map_or(Bytes(0), |array| heap.shallow(array));
                expected.objects += 1;
                expected.elements += size;
                expected.empty += u64::from(size == 0);
                expected.single += u64::from(size == 1);
                expected.sparse += u64::from(size > 0 && size * 4 < capacity);
                expected.capacity += capacity;
                expected.filled += size;
                expected.shallow += heap.shallow(object) + bytes;
                expected.wasted += Bytes((bytes.0 * capacity.saturating_sub(size)).checked_div(capacity).unwrap_or(0));
            }
            assert_eq!(row, expected, "{name}: {class}");
        }
        // With those of other classes; the planted ones are the largest.
        let sparse = waste_row(&it, WasteKind::SparseCollections);
        let rows_say: u64 = rows.iter().map(|(_, row)| row.sparse).sum();
        assert!((13..=rows_say).contains(&sparse.objects), "{name}: {} of {rows_say}", sparse.objects);
        let maps = it.list(it.held_by("facts.Wasted.SPARSE_MAPS"));
        assert!(maps.iter().all(|map| sparse.examples.contains(map)), "{name}");
        let empty = waste_row(&it, WasteKind::EmptyCollections);
        let emptied = it.list(it.held_by("facts.Wasted.EMPTIED_MAPS"));
        assert!(empty.objects >= emptied.len() as u64, "{name}: {}", empty.objects);
    }
}

#[test]
fn rows_of_waste_match_their_values() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let (heap, analysis) = (&*it.dump.facts.heap, &it.dump.analysis);
        let of_text = |&array: &ObjectId| {
            let holders = analysis.retainers(array).iter().filter_map(|&row| ObjectId::from_raw(row));
            holders.take(1).any(|holder| it.class_of(holder) == "java.lang.String")
        };
        let arrays = heap.objects().filter(|&object| heap.class(object).kind == ClassKind::PrimitiveArray);
        let arrays = arrays.filter(|&array| analysis.is_reachable(array) && it.length(array) > 0);
        let arrays = arrays.filter(|array| !of_text(array));
        // By text, not by value: NaN is not equal to itself, but may occur twice.
        let written = |array| it.elements(array).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let arrays: Vec<_> = arrays.map(|array| ((it.class_of(array), written(array)), array)).collect();
        let zeros = |text: &str| text.split(' ').all(|n| ["0", "false", "'\\u0000'"].contains(&n));
        let zero: Vec<ObjectId> = arrays.iter().filter(|((_, text), _)| zeros(text)).map(|(_, array)| *array).collect();
        let row = waste_row(&it, WasteKind::ZeroArrays);
        let bytes = zero.iter().map(|&array| heap.shallow(array)).sum();
        assert_eq!((row.objects, row.wasted), (zero.len() as u64, bytes), "{name}: arrays of zeros");
        let row = waste_row(&it, WasteKind::DuplicateArrays);
        assert_eq!((row.objects, row.wasted), surplus_of(&it, arrays), "{name}: equal arrays");

        let boxed = ["Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Short"];
        let numbers = boxed.iter().flat_map(|class| {
            let numbers = reachable_instances(&it, &format!("java.lang.{class}")).into_iter();
            numbers.map(|number| ((*class, it.field(number, "value").expect("a value").to_string()), number))
        });
        let row = waste_row(&it, WasteKind::DuplicateNumbers);
        assert_eq!((row.objects, row.wasted), surplus_of(&it, numbers.collect()), "{name}: equal numbers");
    }
}

/// The objects behind a row are found again: as many as it counts, with those that waste most.
#[test]
fn the_objects_of_a_kind_of_waste_are_those_that_are_counted() {
    let task = &Task::new();
    for name in FIXTURES {
        let it = Fixture::open(name);
        let strings = duplicate_strings(it.dump.data(), task).expect("not cancelled");
        for row in waste(it.dump.data(), &strings, task).expect("not cancelled") {
            let objects = waste_objects(it.dump.data(), row.kind, task).expect("not cancelled");
            assert_eq!(objects.len() as u64, row.objects, "{name}: {}", row.kind.title());
            assert!(objects.is_sorted_by(|a, b| a < b), "{name}: {}", row.kind.title());
            // Of equal strings, the example is the one that would stay.
            let are_members = row.examples.iter().all(|example| objects.binary_search(example).is_ok());
            assert!(row.kind == WasteKind::DuplicateStrings || are_members, "{name}: {}", row.kind.title());
        }
    }
}
