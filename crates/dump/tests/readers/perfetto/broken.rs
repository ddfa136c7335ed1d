//! Traces that are truncated, damaged or inconsistent.

use heaplens_dump::OpenOptions;
use heaplens_heap::Severity;
use heaplens_testkit::perfetto::{self, Form, Graph, Object, Type, natives, root};
use heaplens_testkit::random::Random;

use super::same_heap::heap_of;
use super::{at, graph, open_recorded, try_bytes, type_name, warnings};

fn tiny() -> Vec<Vec<u8>> {
    let sketch = heap_of(5, 6);
    let forms = Form::all().into_iter().step_by(7);
    let mut all: Vec<Vec<u8>> = forms.map(|form| perfetto::write(&sketch, form, |_| 24)).collect();
    all.push(natives::sample(Form::MODERN));
    all
}

#[test]
fn every_truncation_opens_or_reports_why() {
    let options = OpenOptions::default();
    for (nth, complete) in tiny().into_iter().enumerate() {
        let all = try_bytes(&complete, &options).expect("a heap").facts.heap.len();
        let mut most = 0;
        // 200 places of one file and 25 of the others, and every place near the beginning and the end.
        let step = (complete.len() / if nth == 1 { 200 } else { 25 }).max(1);
        for end in (0..complete.len()).filter(|end| end % step == 0 || end + 10 > complete.len() || *end < 30) {
            match try_bytes(&complete[..end], &options) {
                Ok(dump) => {
                    assert!(dump.facts.heap.len() <= all);
                    most = most.max(dump.facts.heap.len());
                    assert!(!warnings(&dump).is_empty(), "{end} of {} bytes: nothing is said", complete.len());
                }
                Err(error) => assert!(error.contains("expected"), "{error}"),
            }
        }
        assert!(most > all / 2, "{most} of {all}");
    }
}

#[test]
fn flipped_bytes_do_no_harm() {
    let options = OpenOptions::default();
    for (nth, complete) in (0..).zip(tiny()) {
        let mut random = Random::new(nth);
        for _ in 0..40 {
            let mut bytes = complete.clone();
            for _ in 0..random.between(1, 4) {
                let index = random.below(bytes.len() as u32) as usize;
                bytes[index] = random.number() as u8;
            }
            // A heap or an error: either is an answer.
            let _answer = try_bytes(&bytes, &options).map(|dump| {
                let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
                for object in heap.objects() {
                    let _read = contents.fields(heap, object);
                    let _named = contents.elements(heap, object, 0..10);
                    let _label = contents.label(heap, object);
                    for &to in heap.references(object).iter().take(3) {
                        let to = heaplens_heap::ObjectId::from_raw(to).expect("a row");
                        assert!(!contents.reference_names(heap, object, to, 5).is_empty());
                    }
                }
            });
        }
    }
}

#[test]
fn other_files_are_no_traces() {
    let options = OpenOptions::default();
    for bytes in [
        &b"\n<!DOCTYPE html><html><body>not found</body></html>\n"[..],
        b"\n\n\n",
        b"\n\x02ab\n\x02cd",
        b"\n\x05hello\n",
    ] {
        let error = try_bytes(bytes, &options).map(drop).expect_err("no dump");
        assert!(error.starts_with("expected a heap dump"), "{error}");
    }
}

#[test]
fn objects_after_a_missing_packet_have_no_wrong_ids() {
    let mut bytes = Vec::new();
    let mut graph = Graph::new(&mut bytes, Form { packet: 1, ..Form::MODERN }, (2, 999, 10));
    let object = |id| Object { id, of: 1, size: 16, ..Object::default() };
    graph.type_of(&Type { id: 1, name: "shop.Cart", ..Type::default() }).expect("memory");
    graph.roots(root::JNI_GLOBAL, &[8]).expect("memory");
    for id in [8, 16, 24] {
        graph.object(&object(id)).expect("memory");
    }
    graph.lose_packet();
    // Two are relative to the one that is missing, and one begins anew.
    for id in [40, 48, 4, 6] {
        graph.object(&object(id)).expect("memory");
    }
    graph.end().expect("memory");
    let dump = open_recorded(&bytes);
    let ids: Vec<u64> = dump.facts.heap.objects().map(|object| dump.facts.heap.address(object).0).collect();
    assert_eq!(ids, [4, 6, 8, 16, 24]);
    let warnings = warnings(&dump);
    assert!(warnings.iter().any(|(_, count, message, _)| *count == 2 && message.contains("relative")), "{warnings:?}");
    assert!(warnings.iter().any(|(_, count, message, at)| *count == 1 && message.contains("packets") && at.is_some()));
}

#[test]
fn inconsistent_records_are_noted() {
    let dump = open_recorded(&graph(Form::MODERN, |graph| {
        graph.type_of(&Type { id: 1, name: "shop.Cart", superclass: 2, fields: &[5], ..Type::default() })?;
        // Each extends the other.
        graph.type_of(&Type { id: 2, name: "shop.Base", superclass: 1, fields: &[6], ..Type::default() })?;
        graph.roots(root::JNI_GLOBAL, &[2, 77])?;
        // More references than fields, an unknown type, an id that is there twice.
        graph.object(&Object { id: 2, of: 1, size: 16, fields: &[5], references: &[4, 6], ..Object::default() })?;
        graph.object(&Object { id: 4, of: 9, size: 24, references: &[2; 200], ..Object::default() })?;
        graph.object(&Object { id: 6, of: 1, size: 32, references: &[2; 200], ..Object::default() })?;
        graph.object(&Object { id: 6, of: 2, size: 48, ..Object::default() })?;
        graph.field_name(5, "no qualifier")
    }));
    let heap = &dump.facts.heap;
    assert_eq!(heap.len(), 3);
    assert_eq!((heap.shallow(at(&dump, 6)).0, &*type_name(&dump, at(&dump, 6))), (32, "shop.Cart"));
    assert_eq!(type_name(&dump, at(&dump, 4)), "unknown class 9");
    assert_eq!(heap.references(at(&dump, 2)).len(), 2);
    let message = warnings(&dump);
    let has =
        |severity, text: &str| message.iter().any(|note| note.0 == severity && note.1 == 1 && note.2.contains(text));
    assert!(has(Severity::Error, "another number of field names"), "{message:?}");
    assert!(has(Severity::Error, "duplicate id") && has(Severity::DataLost, "without a type"), "{message:?}");
    let names = |from, to| dump.facts.contents.reference_names(heap, at(&dump, from), at(&dump, to), 9).len();
    assert_eq!((names(2, 4), names(6, 2)), (1, 9));
}
