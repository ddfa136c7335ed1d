//! Classes merged by an optimizer, and mappings given as files.

use std::sync::Arc;

use heaplens_dump::mapping::MappingFile;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_testkit::perfetto::{self, Form, Graph, Object, Type, merged, root};

use super::{at, graph, open_recorded, try_bytes, type_name, warnings};

type Discriminators = &'static [(&'static str, u64)];

/// Objects of one class with these fields; ids are from 0.
fn objects(graph: &mut Graph<'_>, name: &str, objects: &[Discriminators]) -> std::io::Result<()> {
    graph.type_of(&Type { id: 1, name, ..Type::default() })?;
    for (id, &discriminators) in (0..).zip(objects) {
        graph.object(&Object { id, of: 1, size: 64, discriminators, ..Object::default() })?;
    }
    Ok(())
}

fn names(dump: &Dump) -> Vec<String> {
    dump.facts.heap.objects().map(|object| type_name(dump, object).replace("com.example.", "")).collect()
}

#[test]
fn merged_classes_are_told_apart_by_a_field() {
    let mut bytes = graph(Form::MODERN, |graph| {
        objects(
            graph,
            "MergedBase",
            &[
                &[("$cid", 0)],
                &[("$cid", 1), ("$cid2", 10)],
                &[("$cid", 2)],
                &[("$cid", 3)],
                &[("$cid", 999)],
                &[],
                &[("$cid", 1)],
                &[("$cid", 1), ("$cid2", 0)],
                &[("$cid", 1), ("$cid2", 99)],
                &[("$cid", 4)],
            ],
        )
    });
    let nested = merged("$cid2", vec![(0, "com.example.NestedBase", None), (10, "com.example.NestedLeaf", None)]);
    let mismatch = merged("", vec![(0, "com.example.MismatchChild", None)]);
    let classes = merged(
        "$cid",
        vec![
            (0, "com.example.MergedBase", None),
            (1, "com.example.NestedBase", Some(nested)),
            (2, "com.example.DirectLeaf2", None),
            (3, "com.example.MergedBase", None),
            (4, "com.example.MismatchOwner", Some(mismatch)),
        ],
    );
    bytes.extend(perfetto::mapping("com.example.app", &[("MergedBase", "com.example.MergedBase", &[], Some(classes))]));
    let dump = open_recorded(&bytes);
    let base = "MergedBase";
    let expected = [base, "NestedLeaf", "DirectLeaf2", base, base, base, "NestedBase", "NestedBase", base, base]
        .map(str::to_owned);
    assert_eq!(names(&dump), expected);
    assert_eq!(dump.facts.heap.classes.len(), 4);
}

#[test]
fn merged_classes_without_a_common_field() {
    let mut bytes = graph(Form::MODERN, |graph| {
        objects(
            graph,
            "MergedRoot",
            &[
                &[("$cidA", 1)],
                &[("$cidA", 2)],
                &[("$cidB", 10)],
                &[("$cidA", 0)],
                &[],
                &[("$cidA", 999)],
                &[("$cidA", 1), ("$cidB", 10)],
            ],
        )
    });
    let name = |name: &str| format!("com.example.{name}");
    let [root, a, a1, a2, b, leaf] = ["MergedRoot", "GroupA", "ALeaf1", "ALeaf2", "GroupB", "BLeaf"].map(name);
    let group_a = merged("$cidA", vec![(0, &a, None), (1, &a1, None), (2, &a2, None)]);
    let group_b = merged("$cidB", vec![(0, &b, None), (10, &leaf, None)]);
    let classes = merged("", vec![(0, &root, None), (0, &a, Some(group_a)), (0, &b, Some(group_b))]);
    bytes.extend(perfetto::mapping("com.example.app", &[("MergedRoot", &root, &[], Some(classes))]));
    let dump = open_recorded(&bytes);
    let base = "MergedRoot";
    assert_eq!(names(&dump), ["ALeaf1", "ALeaf2", "BLeaf", base, base, base, base].map(str::to_owned));
    assert_eq!(dump.facts.heap.classes.len(), 4);
}

#[test]
fn a_mapping_file_renames_classes_and_fields() {
    let bytes = graph(Form::MODERN, |graph| {
        graph.type_of(&Type { id: 1, name: "a.b", fields: &[7], kind: 1, ..Type::default() })?;
        graph.type_of(&Type { id: 2, name: "a.b[]", kind: 4, ..Type::default() })?;
        graph.roots(root::JNI_GLOBAL, &[16])?;
        graph.object(&Object { id: 16, of: 1, size: 16, references: &[18], ..Object::default() })?;
        graph.object(&Object { id: 18, of: 2, size: 12, ..Object::default() })?;
        graph.field_name(7, "a.b[] a.b.c")
    });
    let file = crate::temporary_file("shop.Cart -> a.b:\n    shop.Cart[] items -> c\n");
    let mapping = Arc::new(MappingFile::read(file.path()).expect("a mapping"));
    let dump = try_bytes(&bytes, &OpenOptions::default()).expect("a heap");
    let dump = dump.with_facts(dump.facts.renamed(&mapping));
    let heap = &dump.facts.heap;
    assert_eq!(type_name(&dump, at(&dump, 18)), "shop.Cart[]");
    let fields = dump.facts.contents.fields(heap, at(&dump, 16)).expect("a record");
    assert_eq!((&*fields[0].declared_by, &*fields[0].name), ("shop.Cart", "items"));
    let mapped = dump.facts.mapped.as_ref().expect("a result");
    assert_eq!((mapped.classes.0, mapped.doubt.clone()), (2, None));
    assert_eq!(warnings(&dump), []);
}
