//! Allocation sites: of each object, and as a call tree.

use heaplens_analysis::histogram::histogram_of;
use heaplens_analysis::object::describe;
use heaplens_analysis::sites::{Sites, sites};
use heaplens_testkit::art::{APP, Art, Class, Frame, ZYGOTE, root};
use heaplens_testkit::sketch::Type;

use super::*;

const NODE: Id = 0x200;
const ARRAY: Id = 0x300;
/// Two objects of the same site, one of another that the same frame called, one without, and an array.
const OBJECTS: [(Id, u32); 5] = [(0x1000, 7), (0x1100, 7), (0x1200, 9), (0x1300, 0), (0x1400, 11)];

/// A heap taken while allocations were tracked. Trace 11 has no frames, 12 no object.
pub(super) fn tracked() -> Art {
    let mut art = Art::default();
    let frame = |class, method, line| Frame { class, method, source: "Shop.java", line };
    let main = frame(NODE, "main", 3);
    art.trace(7, &[frame(NODE, "fill", 20), frame(NODE, "open", 10), main]);
    art.trace(9, &[frame(0x100, "<init>", -1), frame(NODE, "open", 10), main]);
    art.trace(11, &[]);
    art.trace(12, &[main]);
    art.root(root::STICKY_CLASS, 0x100, 0);
    art.root(root::STICKY_CLASS, NODE, 0);
    art.root(root::STICKY_CLASS, ARRAY, 0);
    for (id, _) in OBJECTS {
        art.root(root::JNI_GLOBAL, id, 0);
    }
    art.heap(APP, "app");
    art.class(Class { id: 0x100, name: "java.lang.Object", bytes: 8, ..Class::default() });
    art.class(Class { id: NODE, name: "dalvik.a.b", superclass: 0x100, bytes: 24, ..Class::default() });
    art.class(Class { id: ARRAY, name: "byte[]", superclass: 0x100, ..Class::default() });
    for (id, trace) in OBJECTS {
        art.allocated(trace);
        if id == 0x1100 {
            art.heap(ZYGOTE, "zygote");
        }
        match id {
            0x1400 => art.numbers(id, Type::Byte, Vec::new()),
            0x1200 => art.instance(id, 0x100, &[]),
            _ => art.instance(id, NODE, &[]),
        };
        art.heap(APP, "app");
    }
    art
}

fn sites_of(dump: &Dump) -> Sites {
    sites(dump.data(), &Task::new()).expect("not cancelled")
}

fn allocated(dump: &Dump, id: Id) -> Vec<String> {
    describe(dump.data(), object(dump, id), 10).allocated
}

#[test]
fn objects_say_where_they_were_allocated() {
    let dump = open(&tracked().write(Writer::Art));
    let expected = ["dalvik.a.b.fill(Shop.java:20)", "dalvik.a.b.open(Shop.java:10)", "dalvik.a.b.main(Shop.java:3)"];
    assert_eq!(allocated(&dump, 0x1000), expected);
    assert_eq!(allocated(&dump, 0x1200)[0], "java.lang.Object.<init>(Shop.java)");
    assert!(allocated(&dump, 0x1300).is_empty() && allocated(&dump, 0x1400).is_empty());
    // A mapping names frames here, too.
    let text = "shop.Shop -> dalvik.a.b:\n    20:20:void fillShelves():7:7 -> fill\n";
    let file = crate::temporary_file(text);
    let mapping = MappingFile::read(file.path()).expect("a mapping");
    let named = open_mapped(&tracked().write(Writer::Art), &Arc::new(mapping));
    assert_eq!(allocated(&named, 0x1000)[0], "shop.Shop.fillShelves(Shop.java:7)");
}

#[test]
fn sites_are_a_tree_of_calls() {
    let dump = open(&tracked().write(Writer::Art));
    let sites_found = sites_of(&dump);
    let rows: Vec<_> = sites_found
        .rows
        .iter()
        .map(|row| (&*row.frame, row.depth, row.below.objects, row.below.shallow.0, row.own.objects, row.end))
        .collect();
    let expected = [
        ("dalvik.a.b.main(Shop.java:3)", 0, 3, 56, 0, 4),
        ("dalvik.a.b.open(Shop.java:10)", 1, 3, 56, 0, 4),
        ("dalvik.a.b.fill(Shop.java:20)", 2, 2, 48, 2, 3),
        ("java.lang.Object.<init>(Shop.java)", 2, 1, 8, 1, 4),
    ];
    assert_eq!(rows, expected);
    assert_eq!((sites_found.known.objects, sites_found.known.shallow), (3, Bytes(56)));
    // Bytes by heap: app, zygote.
    assert_eq!(sites_found.rows[0].regions[..2], [Bytes(32), Bytes(24)]);
    // Objects allocated at a site, by class.
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let at = |row| {
        let wanted = sites_found.below(row);
        let is_there = |object| contents.allocation_site(heap, object).is_some_and(|site| wanted.contains(&site));
        let classes = histogram_of(dump.data(), is_there, &Task::new()).expect("not cancelled");
        classes.rows.iter().map(|row| (heap.classes.get(row.class).name.to_string(), row.objects)).collect::<Vec<_>>()
    };
    assert_eq!(at(2), [("dalvik.a.b".to_owned(), 2)]);
    assert_eq!(at(0), [("dalvik.a.b".to_owned(), 2), ("java.lang.Object".to_owned(), 1)]);
}

#[test]
fn untracked_objects_have_no_site() {
    let dump = open(&sample().write(Writer::Art));
    assert!(!dump.facts.contents.has_sites() && sites_of(&dump).rows.is_empty());
    // A trace of an allocation is no stack of a thread.
    let dump = open(&tracked().write(Writer::Art));
    assert!(dump.facts.contents.stack_owners().is_empty());
    // Tailor leaves no stacks.
    let dump = open(&tracked().write(Writer::Tailor));
    assert!(sites_of(&dump).rows.is_empty() && allocated(&dump, 0x1000).is_empty());
    // KOOM keeps the stacks of the objects it keeps.
    let dump = open(&tracked().write(Writer::Koom));
    assert_eq!(sites_of(&dump).known.objects, 2);
}
