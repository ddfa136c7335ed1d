//! Dumps of which the JVM or a tool wrote a part of the values only: what is missing is neither a value, nor waste.

use std::collections::{BTreeMap, BTreeSet};

use heaplens_analysis::WasteKind;
use heaplens_analysis::strings::duplicate_strings;
use heaplens_analysis::waste::waste;
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{Address, ObjectId, RecordedText, Value as Read};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::{Body, Class, Id, Object, RootRecord, Sketch, Type, Value};

const STRING: Id = 0x1_0000;
const HOLDER: Id = 0x1_1000;

/// A heap of strings and arrays, some of them equal, and the text of each string by id.
fn heap(seed: u64, chars: bool) -> (Sketch, BTreeMap<Id, String>) {
    let mut random = Random::new(seed);
    let mut sketch = Sketch::default();
    let class = |id, name: &str, superclass| Class { id, name: name.to_owned(), superclass, ..Class::default() };
    let object = 0x1_0100;
    sketch.classes.extend([class(object, "java.lang.Object", 0), class(0x1_0200, "java.lang.Class", object)]);
    sketch.classes.push(class(0x1_0300, "java.lang.Object[]", object));
    let names = ["boolean", "char", "float", "double", "byte", "short", "int", "long"];
    for (at, name) in (0..).zip(names) {
        sketch.classes.push(class(0x1_0400 + at * 0x100, &format!("{name}[]"), object));
    }
    let mut fields = vec![("value".to_owned(), Type::Object), ("hash".to_owned(), Type::Int)];
    if !chars {
        fields.push(("coder".to_owned(), Type::Byte));
    }
    sketch.classes.push(Class { fields, ..class(STRING, "java.lang.String", object) });
    let (mut id, mut texts, mut held) = (0x2_0000, BTreeMap::new(), Vec::new());
    let lengths = [1, 2, 5, 60, 119, 120, 121, 200, 400];
    for at in 0..60 {
        // Different ones differ at the end.
        let length = if at < 8 { 300 } else { *random.pick(&lengths) };
        let text = "status ".repeat(60)[..length - 1].to_owned() + *random.pick(&["a", "b", "c"]);
        let hash = text.bytes().fold(0_i32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        let kind = if chars { Type::Char } else { Type::Byte };
        let unit = |byte: u8| if chars { Value::Char(byte.into()) } else { Value::Byte(byte.cast_signed()) };
        let elements = text.bytes().map(unit).collect();
        sketch.objects.push(Object { id: id + 0x800, body: Body::Primitives { kind, elements } });
        let mut fields = vec![Value::Object(id + 0x800), Value::Int(if random.one_in(2) { hash } else { 0 })];
        if !chars {
            fields.push(Value::Byte(0));
        }
        sketch.objects.push(Object { id, body: Body::Instance { class: STRING, fields } });
        texts.insert(id, text);
        held.push(id);
        id += 0x1000;
    }
    for _ in 0..40 {
        let length = *random.pick(&[3, 40, 80, 90, 100, 500]);
        let is_zero = random.one_in(3);
        let mut number = || if is_zero { 0 } else { random.between(1, 3) as i32 };
        let (kind, elements) = match random_kind(id) {
            Type::Int => (Type::Int, (0..length).map(|_| Value::Int(number())).collect()),
            _ => (Type::Byte, (0..length).map(|_| Value::Byte(number() as i8)).collect()),
        };
        sketch.objects.push(Object { id, body: Body::Primitives { kind, elements } });
        held.push(id);
        id += 0x1000;
    }
    sketch.objects.push(Object { id: HOLDER, body: Body::Objects { class: 0x1_0300, elements: held } });
    sketch.roots.push((HOLDER, RootRecord::JniGlobal));
    (sketch, texts)
}

fn random_kind(id: Id) -> Type {
    if id & 0x1000 == 0 { Type::Int } else { Type::Byte }
}

fn zero(value: Value) -> Value {
    match value {
        Value::Char(_) => Value::Char(0),
        Value::Byte(_) => Value::Byte(0),
        Value::Int(_) => Value::Int(0),
        other => other,
    }
}

/// The same heap with zeros after the first elements of each array: of bytes and chars, and of others.
fn limited(sketch: &Sketch, characters: usize, numbers: usize) -> Sketch {
    let mut sketch = sketch.clone();
    for object in &mut sketch.objects {
        if let Body::Primitives { kind, elements } = &mut object.body {
            let limit = if matches!(kind, Type::Byte | Type::Char) { characters } else { numbers };
            elements.iter_mut().skip(limit).for_each(|value| *value = zero(*value));
        }
    }
    sketch
}

fn open(sketch: &Sketch) -> Dump {
    crate::open_bytes(write(sketch, Form::MODERN), &OpenOptions::default())
}

fn at(dump: &Dump, id: Id) -> ObjectId {
    dump.facts.heap.at(Address(id)).expect("it exists")
}

fn is_noted(dump: &Dump) -> bool {
    dump.facts.heap.notes.iter().any(|note| note.message.contains("blanked") || note.message.contains("zeros after"))
}

/// Groups of equal strings, as sets of ids.
fn claimed(dump: &Dump) -> BTreeSet<BTreeSet<Id>> {
    let heap = &dump.facts.heap;
    let actual = duplicate_strings(dump.data(), &Task::new()).expect("not cancelled");
    let ids = |group| actual.members(group).iter().map(|&object| heap.address(object).0).collect();
    actual.groups.iter().map(ids).collect()
}

/// Groups of equal texts of at most so many characters.
fn equal(texts: &BTreeMap<Id, String>, most: usize) -> BTreeSet<BTreeSet<Id>> {
    let mut groups: BTreeMap<&str, BTreeSet<Id>> = BTreeMap::new();
    for (&id, text) in texts.iter().filter(|(_, text)| text.len() <= most) {
        groups.entry(text).or_default().insert(id);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Primitive arrays of zeros of the program, none of them of a string, with at most so many elements.
fn zero_arrays(sketch: &Sketch, texts: &BTreeMap<Id, String>, limits: [usize; 2]) -> u64 {
    let is_zero = |object: &&Object| match &object.body {
        Body::Primitives { kind, elements } if !texts.contains_key(&(object.id - 0x800)) => {
            let limit = limits[usize::from(*kind == Type::Int)];
            elements.len() <= limit && elements.iter().all(|&value| zero(value) == value)
        }
        _ => false,
    };
    sketch.objects.iter().filter(is_zero).count() as u64
}

fn found_zero_arrays(dump: &Dump) -> u64 {
    let task = Task::new();
    let strings = duplicate_strings(dump.data(), &task).expect("not cancelled");
    let rows = waste(dump.data(), &strings, &task).expect("not cancelled");
    rows.iter().find(|row| row.kind == WasteKind::ZeroArrays).map_or(0, |row| row.objects)
}

#[test]
fn zeros_after_the_first_elements_are_no_values() {
    for seed in 0..24 {
        let (sketch, texts) = heap(seed, seed % 2 == 0);
        let complete = open(&sketch);
        assert!(!is_noted(&complete), "seed {seed}: {:?}", complete.facts.heap.notes);
        assert_eq!(claimed(&complete), equal(&texts, usize::MAX), "seed {seed}");
        assert_eq!(found_zero_arrays(&complete), zero_arrays(&sketch, &texts, [usize::MAX; 2]), "seed {seed}");

        let dump = open(&limited(&sketch, 120, 80));
        let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
        assert!(is_noted(&dump), "seed {seed}: {:?}", heap.notes);
        assert_eq!(claimed(&dump), equal(&texts, 120), "seed {seed}");
        // What is known to be written of arrays of numbers is the longest that does not end in zero.
        let longest = sketch.objects.iter().filter_map(|object| match &object.body {
            Body::Primitives { kind: Type::Int, elements }
                if elements.len() <= 80 && zero(elements[0]) != elements[0] =>
            {
                Some(elements.len())
            }
            _ => None,
        });
        let longest = longest.max().unwrap_or(0);
        assert_eq!(found_zero_arrays(&dump), zero_arrays(&sketch, &texts, [120, longest]), "seed {seed}");
        for (&id, text) in &texts {
            let recorded = contents.recorded_text(heap, at(&dump, id));
            let shown = contents.text(heap, at(&dump, id), 1_000).expect("a text");
            if text.len() <= 120 {
                assert_eq!((recorded, &shown), (RecordedText::Whole, text), "seed {seed}");
            } else {
                let total = Some(text.len() as u64);
                assert_eq!(recorded, RecordedText::Beginning { units: 120, total, is_exact: true }, "seed {seed}");
                assert_eq!(shown, format!("{}…", &text[..120]), "seed {seed}");
                let array = at(&dump, id + 0x800);
                let elements = contents.elements(heap, array, 118..122).expect("readable");
                assert!(elements[..2].iter().all(|value| *value != Read::Unavailable), "{elements:?}");
                assert!(elements[2..].iter().all(|value| *value == Read::Unavailable), "{elements:?}");
            }
        }
        // The stored analysis knows it, too.
        let saved = contents.save();
        assert_ne!(saved, complete.facts.contents.save(), "seed {seed}");
    }
}

#[test]
fn arrays_of_zeros_only_are_no_values() {
    for seed in 0..12 {
        let (sketch, texts) = heap(seed, seed % 2 == 0);
        for numbers in [0, usize::MAX] {
            let dump = open(&limited(&sketch, 0, numbers));
            let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
            assert!(is_noted(&dump), "seed {seed}: {:?}", heap.notes);
            assert_eq!(claimed(&dump), BTreeSet::new(), "seed {seed}");
            assert_eq!(found_zero_arrays(&dump), zero_arrays(&sketch, &texts, [0, numbers]), "seed {seed}");
            let string = at(&dump, *texts.keys().next().expect("a string"));
            assert_eq!(contents.recorded_text(heap, string), RecordedText::Nothing, "seed {seed}");
            assert_eq!(contents.text(heap, string, 10), None, "seed {seed}");
        }
    }
}

/// Strings of the program that do end in zeros are its values.
#[test]
fn texts_that_end_in_zeros_are_values_if_their_hash_says_so() {
    let (mut sketch, _) = heap(1, false);
    let mut texts = Vec::new();
    for at in 0..8_u64 {
        let id = 0x90_0000 + at * 0x1000;
        let elements: Vec<Value> = (0..600).map(|unit| Value::Byte(if unit < 30 { b'x' as i8 } else { 0 })).collect();
        let hash =
            (0..600).fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(if unit < 30 { 120 } else { 0 }));
        sketch.objects.push(Object { id: id + 0x800, body: Body::Primitives { kind: Type::Byte, elements } });
        let fields = vec![Value::Object(id + 0x800), Value::Int(hash), Value::Byte(0)];
        sketch.objects.push(Object { id, body: Body::Instance { class: STRING, fields } });
        sketch.roots.push((id, RootRecord::JniGlobal));
        texts.push(id);
    }
    let dump = open(&sketch);
    assert!(!is_noted(&dump), "{:?}", dump.facts.heap.notes);
    assert!(claimed(&dump).contains(&texts.into_iter().collect()));
}
