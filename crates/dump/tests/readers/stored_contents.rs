//! Saved and restored contents: with the dump, all results are unchanged; without it, values are correct or unknown. The
//! saved bytes contain no values of the program, and damaged bytes cause no panic.

#![expect(clippy::print_stderr, reason = "prints the name of a failing case")]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use heaplens_dump::Dump;
use heaplens_formats::restore_contents;
use heaplens_formats::source::Source;
use heaplens_heap::{Address, ClassKind, Contents, Heap, ObjectId, ReferenceKind, ReferenceName, Strength, Value};
use heaplens_testkit::fixtures;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::sketch::{Body, Sketch, Value as Written};
use heaplens_testkit::{heaps, notation};

const FIXTURES: [&str; 5] = ["leak-after", "leak-before", "leak-after-nocoops", "leak-after-jdk25", "leak-before-all"];

/// A dump read from its file.
fn opened(path: &Path) -> (Dump, Source) {
    let opened = heaplens_dump::open(path).expect("a readable file");
    let source = opened.facts.source.clone().expect("a file");
    (opened, source)
}

fn fixture(name: &str) -> (Dump, Source) {
    opened(&fixtures::path(&format!("{name}.hprof.gz")))
}

fn sketched(sketch: &Sketch) -> (Dump, Source) {
    opened(crate::temporary_file(write(sketch, Form::MODERN)).path())
}

fn noted(text: &str) -> (Sketch, Dump, Source) {
    let sketch = notation::read(text).unwrap_or_else(|why| panic!("{why}"));
    let (opened, source) = sketched(&sketch);
    (sketch, opened, source)
}

fn restored(opened: &Dump, file: Option<Source>) -> Arc<dyn Contents> {
    restore_contents(&opened.facts.heap, &opened.facts.contents.save(), file).expect("just saved")
}

/// Sample of objects: all class objects and threads, the bootstrap loader, and every `step`-th object.
fn some_objects(heap: &Heap, step: usize) -> Vec<ObjectId> {
    let thread = heap.classes.iter().find(|(_, class)| &*class.name == "java.lang.Thread").map(|(id, _)| id);
    let is_thread = |o: ObjectId| thread.is_some_and(|thread| heap.classes.is_subclass(heap.class_id(o), thread));
    let chosen = |o: &ObjectId| o.index().is_multiple_of(step) || heap.classes.of_object(*o).is_some() || is_thread(*o);
    heap.objects().filter(chosen).collect()
}

/// Distinct targets of an object's references, its class first.
fn targets(heap: &Heap, object: ObjectId) -> Vec<ObjectId> {
    let first = heap.references(object).iter().take(20).filter_map(|&raw| ObjectId::from_raw(raw));
    let all: BTreeSet<ObjectId> = heap.class(object).object.into_iter().chain(first).collect();
    all.into_iter().collect()
}

/// All data of one object as text, so that NaN equals itself.
fn answers(heap: &Heap, contents: &dyn Contents, object: ObjectId) -> String {
    let names: Vec<_> =
        targets(heap, object).into_iter().map(|to| contents.reference_names(heap, object, to, 30)).collect();
    let (length, elements) = (contents.array_length(heap, object), contents.elements(heap, object, 3..60));
    let (fields, text) = (contents.fields(heap, object), contents.text(heap, object, 300));
    let (label, stack) = (contents.label(heap, object), contents.stack(heap, object));
    format!("{fields:?} {length:?} {elements:?} {text:?} {label:?} {stack:?} {names:?}")
}

/// Compares restored contents, with and without the dump, with those read from the dump.
fn compare(name: &str, opened: &Dump, source: Source, step: usize) -> Known {
    let (heap, fresh) = (&opened.facts.heap, &*opened.facts.contents);
    let saved = fresh.save();
    eprintln!("{name}: {} bytes for {} classes", saved.len(), heap.classes.len());
    let (with, without) = (restored(opened, Some(source)), restored(opened, None));
    assert_eq!((with.save() == saved, without.save() == saved), (true, true), "{name}: saved again");
    let mut known = Known::default();
    for object in some_objects(heap, step) {
        let id = heap.id_text(object);
        assert_eq!(answers(heap, &*with, object), answers(heap, fresh, object), "{name}: {id}");
        known.compare(heap, fresh, &*without, object);
    }
    known
}

/// Share of data known without the dump.
#[derive(Debug, Default)]
struct Known {
    exact: usize,
    unknown: usize,
    names: usize,
    vague: usize,
}

impl Known {
    fn compare(&mut self, heap: &Heap, with: &dyn Contents, without: &dyn Contents, object: ObjectId) {
        let id = heap.id_text(object);
        let is_class = heap.classes.of_object(object).is_some();
        let (true_fields, fields) = (with.fields(heap, object), without.fields(heap, object));
        let (true_fields, fields) = (true_fields.expect("readable"), fields.expect("known or unknown"));
        assert_eq!(fields.len(), true_fields.len(), "{id}");
        for (truth, mut field) in true_fields.into_iter().zip(fields) {
            if field.value == Value::Unavailable {
                // Everything that follows from references is known.
                assert!(!(is_class && truth.type_name == "object"), "{id}: static {}", field.name);
                self.unknown += usize::from(truth.type_name == "object");
                field.value = truth.value;
            } else {
                assert_eq!(truth.type_name, "object", "{id}: {} is a number and known", field.name);
                self.exact += 1;
            }
            assert_eq!(format!("{field:?}"), format!("{truth:?}"), "{id}");
        }
        for to in targets(heap, object) {
            let all = |contents: &dyn Contents| contents.reference_names(heap, object, to, 1_000);
            let (truths, names) = (all(with), all(without));
            assert_eq!(names.len(), truths.len(), "{id}: {names:?} for {truths:?}");
            for (truth, name) in truths.iter().zip(&names) {
                assert_eq!((name.kind, name.strength), (truth.kind, truth.strength), "{id}: {name:?}");
                self.names += 1;
                if name.text != truth.text {
                    self.vague += 1;
                    let allowed = name.text.split(" or ").any(|candidate| candidate == truth.text);
                    assert!(allowed || name.text.ends_with(" …") || name.text == "[?]", "{id}: {name:?} for {truth:?}");
                }
            }
        }
        assert_eq!(without.stack(heap, object), with.stack(heap, object), "{id}");
        let label = without.label(heap, object);
        assert!(label.is_none() || label == with.label(heap, object), "{id}: {label:?}");
        assert!(label.is_some() || !is_class, "{id}: a class without its name");
        assert_eq!((without.text(heap, object, 9), without.array_length(heap, object)), (None, None), "{id}");
        let is_array = heap.class(object).kind != ClassKind::Plain;
        assert_eq!(without.elements(heap, object, 0..u64::MAX).is_err(), is_array, "{id}");
    }
}

#[test]
fn restored_contents_equal_those_read() {
    for name in FIXTURES {
        let (opened, source) = fixture(name);
        let known = compare(name, &opened, source, 37);
        eprintln!("{name}: without the dump {known:?}");
        // Most of the structure is known without the dump.
        assert!(known.exact > known.unknown, "{name}: {known:?}");
        assert!(known.names > 4 * known.vague, "{name}: {known:?}");
        assert!(opened.facts.contents.save().len() < 400_000, "{name}");
    }
}

#[test]
fn restored_contents_of_random_heaps_equal_those_read() {
    for seed in 0..60 {
        let (opened, source) = sketched(&heaps::random(seed, 120));
        compare(&format!("seed {seed}"), &opened, source, 1);
    }
}

fn names(names: &[ReferenceName]) -> Vec<(&str, Strength)> {
    names.iter().map(|name| (&*name.text, name.strength)).collect()
}

#[test]
fn references_list_their_candidate_fields() {
    let (sketch, opened, _) = noted(
        "class java.lang.ref.Reference
           field referent: object
           field queue: object
           field next: object
         class java.lang.ref.WeakReference extends java.lang.ref.Reference
         class Pair
           field left: object
           field count: int
           field right: object
         class Four
           field a: object
           field b: object
           field c: object
           field d: object
         full = Pair left=x right=y
         half = Pair right=y
         four = Four d=x
         weak = java.lang.ref.WeakReference referent=x next=y
         gone = java.lang.ref.WeakReference queue=x next=y
         array = java.lang.Object[] null x y x
         x = java.lang.Object
         y = java.lang.Object
         root full
         root array",
    );
    let (heap, contents) = (&opened.facts.heap, restored(&opened, None));
    let object = |label| heap.at(Address(sketch.id(label))).expect("it is in the heap");
    let names_of = |from, to, limit| {
        let actual = contents.reference_names(heap, object(from), object(to), limit);
        actual.into_iter().map(|name| (name.text, name.strength)).collect::<Vec<_>>()
    };
    let strong = |text: &str| vec![(text.to_owned(), Strength::Strong)];
    assert_eq!(names_of("full", "y", 9), strong("right"));
    assert_eq!(names_of("half", "y", 9), strong("left or right"));
    assert_eq!(names_of("four", "x", 9), strong("a or b or c …"));
    assert_eq!(names_of("weak", "x", 9), [("referent".to_owned(), Strength::Weak)]);
    assert_eq!(names_of("weak", "y", 9), strong("queue or next"));
    assert_eq!(names_of("gone", "y", 9), strong("next"));
    assert_eq!((names_of("array", "x", 9).len(), names_of("array", "x", 1)), (2, strong("[?]")));
    let class = contents.reference_names(heap, object("x"), heap.class(object("x")).object.expect("in the heap"), 9);
    assert_eq!((names(&class), class[0].kind), (vec![("<class>", Strength::Strong)], ReferenceKind::Class));

    let values = |label| {
        let fields = contents.fields(heap, object(label)).expect("known or unknown");
        fields.into_iter().map(|field| (field.name, field.value)).collect::<Vec<_>>()
    };
    let unavailable = Value::Unavailable;
    let expected = |list: &[(&str, Value)]| list.iter().map(|&(name, v)| (name.to_owned(), v)).collect::<Vec<_>>();
    let (x, y) = (Value::Object(object("x")), Value::Object(object("y")));
    assert_eq!(values("full"), expected(&[("left", x), ("count", unavailable), ("right", y)]));
    assert_eq!(values("half"), ["left", "count", "right"].map(|name| (name.to_owned(), unavailable)));
    assert_eq!(values("weak"), expected(&[("referent", x), ("queue", unavailable), ("next", unavailable)]));
    assert_eq!(values("gone"), expected(&[("referent", unavailable), ("queue", x), ("next", y)]));
}

/// Two programs with the same structure and different values yield the same bytes.
#[test]
fn no_value_is_saved() {
    let text = "class shop.Till
           field count: long
           field owner: object
           static limit: long = 81985529216486895
           static rate: double = 2.5
           static open: boolean = true
           static current: object = till
         till = shop.Till count=77 owner=name
         name = \"Kranich\"
         numbers = int[] 1 2 3
         root till
         root numbers";
    let (sketch, one, _) = noted(text);
    let mut other = sketch.clone();
    let changed = |value: &mut Written| {
        *value = match *value {
            Written::Object(id) => Written::Object(id),
            Written::Boolean(b) => Written::Boolean(!b),
            Written::Char(c) => Written::Char(!c),
            Written::Float(f) => Written::Float(f + 1.0),
            Written::Double(f) => Written::Double(f + 1.0),
            Written::Byte(n) => Written::Byte(!n),
            Written::Short(n) => Written::Short(!n),
            Written::Int(n) => Written::Int(!n),
            Written::Long(n) => Written::Long(!n),
        }
    };
    other.classes.iter_mut().flat_map(|class| &mut class.statics).for_each(|(_, value)| changed(value));
    for object in &mut other.objects {
        match &mut object.body {
            Body::Instance { fields, .. } => fields.iter_mut().for_each(changed),
            Body::Primitives { elements, .. } => elements.iter_mut().for_each(changed),
            Body::Objects { .. } => {}
        }
    }
    let other = sketched(&other).0;
    let of_class = |opened: &Dump| {
        let till = opened.facts.heap.classes.iter().find(|(_, class)| &*class.name == "shop.Till");
        let object = till.and_then(|(_, class)| class.object).expect("in the heap");
        opened
            .facts
            .contents
            .fields(&opened.facts.heap, object)
            .expect("readable")
            .into_iter()
            .map(|f| f.value)
            .collect::<Vec<_>>()
    };
    assert_eq!(of_class(&one)[..2], [Value::Long(0x0123_4567_89ab_cdef), Value::Double(2.5)]);
    assert_eq!(of_class(&other)[..2], [Value::Long(!0x0123_4567_89ab_cdef), Value::Double(3.5)]);
    assert_eq!(one.facts.contents.save(), other.facts.contents.save());
}

#[test]
fn no_text_of_a_real_heap_is_saved() {
    let (opened, _) = fixture("leak-after");
    let (heap, contents) = (&opened.facts.heap, &*opened.facts.contents);
    let saved = contents.save();
    let holds = |text: &str| saved.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("desk.EveryField") && holds("staticLong") && holds("OrderDesk.java"));
    // Thread names and strings, including those in static fields.
    let strings = heap.objects().filter_map(|object| contents.text(heap, object, 10_000));
    let texts: BTreeSet<String> =
        strings.filter(|text| text.len() > 5 && text.contains([' ', '/', '-', '@'])).collect();
    for known in ["session-reaper", "static text", "Stra\u{df}e nach K\u{f8}benhavn"] {
        assert!(texts.contains(known), "{known} is in the heap");
    }
    // A class name may also occur in a string of the program, such as `java/lang/String` in a path.
    let named: Vec<&String> = texts.iter().take(4_000).filter(|text| holds(text)).collect();
    assert!(named.is_empty(), "{named:?}");
}

/// Runs all queries of the window; any result is accepted.
fn read_all_contents(heap: &Heap, contents: &dyn Contents) {
    for object in heap.objects() {
        let _answers = answers(heap, contents, object);
    }
}

#[test]
fn damaged_bytes_do_no_harm() {
    let mut sketch = notation::read(
        "class java.lang.Thread
           field name: object
         class java.lang.ref.Reference
           field referent: object
           field next: object
         class B extends java.lang.ref.Reference
           field count: int
           static limit: long = 5
           static some: object = it
         clerk = java.lang.Thread name=name
         name = \"till\"
         it = B referent=name
         array = java.lang.Object[] it null clerk
         root clerk thread 7 trace 3
         root array frame 7 0
         trace 3 thread 7
           frame B.sell (I)V B.java 12",
    )
    .expect("a heap");
    sketch.classes.retain(|class| !class.name.ends_with("[][]"));
    let (opened, source) = sketched(&sketch);
    let (heap, saved) = (&opened.facts.heap, opened.facts.contents.save());
    for length in 0..saved.len() {
        assert!(restore_contents(heap, &saved[..length], None).is_err(), "cut to {length}");
    }
    assert!(restore_contents(heap, &[&saved[..], &[0]].concat(), None).is_err(), "one more");
    let mut harmless = 0;
    for at in 0..saved.len() {
        for flip in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff] {
            let mut damaged = saved.clone();
            damaged[at] ^= flip;
            for file in [None, Some(source.clone())] {
                if let Ok(contents) = restore_contents(heap, &damaged, file) {
                    read_all_contents(heap, &*contents);
                    harmless += 1;
                }
            }
        }
    }
    assert!(harmless > 0, "every damage was seen, which no check here does");
}

/// Walks over superclasses must end.
#[test]
fn a_cycle_of_superclasses_is_refused() {
    let (_, opened, _) = noted("class A\nclass B extends A\nit = B\nroot it");
    let saved = opened.facts.contents.save();
    let object =
        |name: &str| opened.facts.heap.classes.iter().find(|(_, class)| &*class.name == name).expect("it exists").0;
    // Only A's superclass index is changed.
    let (a, b) = (object("A").raw() as u8, object("B").raw() as u8);
    let above = opened.facts.heap.classes.get(object("A")).superclass.expect("Object").raw() as u8;
    let ring = saved.windows(3).enumerate().filter(|(_, window)| window[1..] == [1, above]).any(|(at, _)| {
        [a, b].into_iter().all(|below| {
            let mut ring = saved.clone();
            ring[at + 2] = below;
            restore_contents(&opened.facts.heap, &ring, None)
                .is_err_and(|error| error.to_string().contains("superclass chain"))
        })
    });
    assert!(ring, "no such place in {saved:?}");
}

/// A replaced dump is an error and does not yield values of another object.
#[test]
fn another_dump_is_not_mistaken_for_the_original() {
    let (opened, source) = sketched(&heaps::random(5, 80));
    let (other, other_source) = sketched(&heaps::random(6, 80));
    for file in [None, Some(other_source), Some(source)] {
        read_all_contents(&opened.facts.heap, &*restored(&opened, file.clone()));
        read_all_contents(&opened.facts.heap, &*restored(&other, file));
    }
    let (_, one, _) = noted("class A\n  field n: int\nit = A n=1\nroot it");
    let (_, _, moved) = noted("class Longer\n  field n: int\nit = Longer n=2\nroot it");
    let it = one.facts.heap.objects().last().expect("an object");
    assert!(restored(&one, Some(moved)).fields(&one.facts.heap, it).is_err());
}
