//! Every object, class, reference and size of a made-up heap, in every form.

use std::collections::BTreeSet;

use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{Address, ObjectId, SizeModel, Value as Read};
use heaplens_testkit::ibm_text::{self, Variant};
use heaplens_testkit::phd::{self, Form, fields_that_refer, references_of_class};
use heaplens_testkit::sketch::{Body, Id, Sketch, Type};

use super::{at, heap_of, open_bytes, warnings};

/// References of an object in heap order, without dangling ones.
fn references(sketch: &Sketch, ids: &BTreeSet<Id>, id: Id) -> Vec<Id> {
    let class = sketch.classes.iter().find(|class| class.id == id).map(references_of_class);
    let object = || sketch.objects.iter().find(|object| object.id == id).map(|object| &object.body);
    let all = class.unwrap_or_else(|| match object() {
        Some(Body::Instance { fields, .. }) => fields_that_refer(fields),
        Some(Body::Objects { elements, .. }) => elements.clone(),
        _ => Vec::new(),
    });
    all.into_iter().filter(|id| ids.contains(id)).collect()
}

fn ids(sketch: &Sketch) -> BTreeSet<Id> {
    sketch.classes.iter().map(|class| class.id).chain(sketch.objects.iter().map(|object| object.id)).collect()
}

/// Holds objects, classes and references to the sketch.
fn holds(sketch: &Sketch, dump: &Dump, check_class: bool, class_block: bool) {
    let heap = &dump.facts.heap;
    let ids = ids(sketch);
    assert_eq!(heap.len(), ids.len());
    assert!(heap.objects().all(|object| dump.analysis.is_reachable(object)), "what is not reached is a root");
    for &id in &ids {
        let object = at(dump, id);
        let of = sketch.objects.iter().find(|object| object.id == id).and_then(|object| sketch.class_of(object));
        let class = of.or_else(|| sketch.class_named("java.lang.Class")).expect("all have classes");
        if check_class {
            assert_eq!(*heap.class(object).name, *class.name, "{id:#x}");
            assert_eq!(heap.class(object).object, heap.at(Address(class.id)), "{id:#x}");
        }
        let mut expected = references(sketch, &ids, id);
        if class_block {
            expected.insert(0, class.id);
        }
        let read = heap.own_references(object).iter().filter_map(|&to| ObjectId::from_raw(to));
        let read: Vec<Id> = read.map(|to| heap.address(to).0).collect();
        assert_eq!(read, expected, "references of {id:#x}");
    }
}

/// Size in bytes of an object as recorded in a form of PHD, else by the rules of IBM's reader.
fn size(sketch: &Sketch, form: Form, id: Id, model: SizeModel) -> u64 {
    let of_class = |class: Id| {
        let fields = sketch.line_of(class).into_iter().flat_map(|class| &class.fields);
        form.instance_bytes(fields.map(|&(_, kind)| kind))
    };
    let Some(object) = sketch.objects.iter().find(|object| object.id == id) else {
        return of_class(sketch.id("java.lang.Class"));
    };
    let (kind, length, there) = match &object.body {
        Body::Instance { class, .. } => return of_class(*class),
        Body::Objects { elements, .. } => {
            (Type::Object, elements.len() as u64, elements.iter().filter(|&&id| id != 0).count() as u64)
        }
        Body::Primitives { kind, elements } => (*kind, elements.len() as u64, elements.len() as u64),
    };
    // Version 4 knows how many elements refer to something, no more.
    let length = if form.version == 4 { there } else { length };
    if form.version == 6 {
        return form.array_bytes(kind, length, true);
    }
    // The smallest instance is that of java.lang.Object, 16 bytes: to IBM's reader a sign of narrow pointers.
    let narrow = Form { wide: false, ..form };
    match model {
        SizeModel::Auto => form.array_bytes(kind, length, true),
        _ => narrow.array_bytes(kind, length, false),
    }
}

#[test]
fn phds_are_read_back_exactly() {
    for (nth, form) in (0..).zip(Form::all()) {
        for seed in [nth, nth + 100] {
            eprintln!("{form:?}, seed {seed}");
            let sketch = heap_of(seed, 200);
            for model in [SizeModel::Mat, SizeModel::Auto] {
                let mut options = OpenOptions::default();
                options.read.sizes = model;
                let dump = open_bytes(&phd::write(&sketch, form), &options);
                assert_eq!(warnings(&dump), []);
                assert_eq!(dump.facts.heap.origin.format.key(), "phd");
                let has_leading = model == SizeModel::Mat && form.j9;
                if !has_leading {
                    holds(&sketch, &dump, true, false);
                }
                // The reference size is inferred from the distances of objects, which these dumps do not allow.
                let by_rule = model == SizeModel::Auto && !(form.hashed || form.j9) || model == SizeModel::Mat;
                let known = by_rule || form.version == 6 || form.hashed || !form.wide;
                for id in ids(&sketch) {
                    let model = if form.hashed || !form.j9 { SizeModel::Mat } else { model };
                    let array = sketch
                        .objects
                        .iter()
                        .any(|object| object.id == id && !matches!(object.body, Body::Instance { .. }));
                    if known || !array {
                        let read = dump.facts.heap.shallow(at(&dump, id)).0;
                        assert_eq!(read, size(&sketch, form, id, model), "{id:#x}, {model:?}");
                    }
                }
                let census: u64 = dump.facts.heap.objects().map(|object| dump.facts.heap.shallow(object).0).sum();
                assert_eq!(dump.census.shallow.0, census, "{model:?}");
            }
        }
    }
}

#[test]
fn texts_are_read_back_exactly() {
    for (nth, variant) in (0..).zip(Variant::ALL) {
        for end in ["\n", "\r\n"] {
            for seed in [nth, nth + 50] {
                eprintln!("{variant:?}, {end:?}, seed {seed}");
                let sketch = heap_of(seed, 200);
                let form = ibm_text::Form { variant, end, wrong_by: 0 };
                let text = ibm_text::write(&sketch, form, |id| 16 + id % 7 * 4);
                let dump = open_bytes(text.as_bytes(), &OpenOptions::default());
                assert_eq!(warnings(&dump), []);
                assert_eq!(dump.facts.heap.origin.format.key(), "ibm-text");
                assert_eq!(dump.facts.heap.origin.id_bytes, if variant == Variant::J9 { 8 } else { 4 });
                holds(&sketch, &dump, variant != Variant::Sovereign, variant == Variant::OldJ9);
                for id in ids(&sketch) {
                    assert_eq!(dump.facts.heap.shallow(at(&dump, id)).0, 16 + id % 7 * 4);
                }
            }
        }
    }
}

#[test]
fn ebcdic_gives_the_same_answer() {
    let sketch = heap_of(3, 300);
    let form = ibm_text::Form { variant: Variant::OldJ9, end: "\n", wrong_by: 0 };
    let dump = open_bytes(&ibm_text::ebcdic(&ibm_text::write(&sketch, form, |_| 24)), &OpenOptions::default());
    assert_eq!(warnings(&dump), []);
    holds(&sketch, &dump, true, true);
}

/// Contents of objects: references by index, lengths of arrays, names of classes.
#[test]
fn references_are_numbered() {
    let sketch = heap_of(8, 300);
    let text = ibm_text::Form { variant: Variant::Jdmpview, end: "\n", wrong_by: 0 };
    let files = [phd::write(&sketch, Form::MODERN), ibm_text::write(&sketch, text, |_| 24).into_bytes()];
    for (file, is_text) in files.into_iter().zip([false, true]) {
        let file_at = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file_at.path(), file).expect("disk space");
        let dump = super::try_open(file_at.path(), &OpenOptions::default()).expect("a heap");
        let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
        for object in &sketch.objects {
            let row = at(&dump, object.id);
            match &object.body {
                Body::Instance { fields, .. } => {
                    let read = contents.fields(heap, row).expect("a record");
                    let expected = fields_that_refer(fields);
                    assert_eq!(read.len(), expected.len());
                    for (index, (field, to)) in read.iter().zip(expected).enumerate() {
                        assert_eq!(field.name, format!("[{index}]"));
                        match heap.at(Address(to)) {
                            Some(to) => {
                                assert_eq!(field.value, Read::Object(to));
                                let names = contents.reference_names(heap, row, to, 100);
                                assert!(names.iter().any(|name| name.text == field.name), "{names:?}");
                            }
                            None => assert_eq!(field.value, Read::Dangling(Address(to))),
                        }
                    }
                    assert_eq!(contents.array_length(heap, row), None);
                }
                Body::Objects { elements, .. } => {
                    assert_eq!(contents.array_length(heap, row), Some(elements.len() as u64));
                    let read = contents.elements(heap, row, 0..u64::MAX).expect("a record");
                    let has_nulls = elements.contains(&0) && !is_text;
                    let there: Vec<Read> = elements
                        .iter()
                        .filter(|&&id| id != 0 || !has_nulls)
                        .map(|&id| match heap.at(Address(id)).filter(|_| id != 0) {
                            Some(to) => Read::Object(to),
                            None if id == 0 => Read::Null,
                            None => Read::Dangling(Address(id)),
                        })
                        .collect();
                    assert_eq!(read[..there.len()], there);
                    assert!(read[there.len()..].iter().all(|&value| value == Read::Unavailable));
                    assert_eq!(read.len(), elements.len());
                }
                Body::Primitives { elements, .. } => {
                    let length = (!is_text).then_some(elements.len() as u64);
                    assert_eq!(contents.array_length(heap, row), length);
                }
            }
        }
        let class = at(&dump, sketch.id("shop.C0"));
        assert_eq!(contents.label(heap, class).as_deref(), Some("shop.C0"));
    }
}
