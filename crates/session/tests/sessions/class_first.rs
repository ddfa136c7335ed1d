//! Dumps whose first reference of an object is its class: it is no reference of the heap, and not shown in the
//! inspector.

use heaplens_base::storage::Folder;
use heaplens_dump::Dump;
use heaplens_heap::{Address, ObjectId, SizeModel, Value};
use heaplens_session::OpenOptions;
use heaplens_testkit::phd::{ClassRecord, Form, Writer};

use crate::try_open;

const ELEMENT: u64 = 0x1000;
const ARRAY: u64 = 0x1100;

/// An instance and an array, each with its class first: of an array that is the last that is written.
fn dump_of(form: Form) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, form).expect("a header");
    writer.instance(0x8000, ELEMENT, &[ELEMENT, 0x8010, 0x8020]).expect("an instance");
    writer.instance(0x8010, ELEMENT, &[ELEMENT]).expect("an instance");
    writer.instance(0x8020, ELEMENT, &[]).expect("an instance");
    writer.objects(0x9000, ELEMENT, &[0x8010, 0x8020, ARRAY], 3, 40).expect("an array");
    for (id, name) in [(ELEMENT, "A"), (ARRAY, "[LA;")] {
        let record = ClassRecord { id, instance_bytes: 24, superclass: 0, name, references: &[] };
        writer.class(&record).expect("a class");
    }
    writer.end().expect("an end");
    bytes
}

/// Names and targets of the instance's fields; length of the array, and targets of its elements.
fn inside(dump: &Dump) -> (Vec<(String, u64)>, Option<u64>, Vec<u64>) {
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let at = |address| heap.at(Address(address)).expect("it exists");
    let id = |value: &Value| value.object().map_or(0, |object| heap.address(object).0);
    let fields = contents.fields(heap, at(0x8000)).expect("a record");
    let fields = fields.into_iter().map(|field| (field.name, id(&field.value))).collect();
    let elements = contents.elements(heap, at(0x9000), 0..100).expect("a record");
    // The inspector shows the references of the heap.
    for address in [0x8000, 0x9000] {
        let own = heap.own_references(at(address)).iter().filter_map(|&to| ObjectId::from_raw(to));
        for (index, to) in own.enumerate() {
            let names = contents.reference_names(heap, at(address), to, 10);
            assert!(names.iter().any(|name| name.text == format!("[{index}]")), "{names:?}");
        }
    }
    (fields, contents.array_length(heap, at(0x9000)), elements.iter().map(id).collect())
}

#[test]
fn contained_objects_have_no_reference_to_their_class() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.phd");
    let fields = |ids: &[u64]| (0..).zip(ids).map(|(index, &id)| (format!("[{index}]"), id)).collect::<Vec<_>>();
    let old = Form { version: 4, ..Form::MODERN };
    let (bare, led) = ([0x8010, 0x8020], [ELEMENT, 0x8010, 0x8020]);
    let complete = [0x8010, 0x8020, ARRAY];
    for (form, model, instance, array) in [
        (old, SizeModel::Auto, &bare[..], &bare[..]),
        (old, SizeModel::Mat, &bare, &bare),
        (Form::MODERN, SizeModel::Mat, &bare, &complete),
        (Form::MODERN, SizeModel::Auto, &led, &complete),
    ] {
        std::fs::write(&file, dump_of(form)).expect("disk space");
        let mut options = OpenOptions::default();
        options.read.sizes = model;
        options.storage.folder = Some(Folder::at(folder.path().join(format!("{}-{model:?}", form.version))));
        // The stored analysis knows it too.
        for is_kept in [false, true] {
            let dump = try_open(&file, &options).expect("a heap");
            assert_eq!(dump.is_from_cache(), is_kept);
            let expected = (fields(instance), Some(array.len() as u64), array.to_vec());
            assert_eq!(inside(&dump), expected, "{form:?}, {model:?}, kept: {is_kept}");
        }
    }
}
