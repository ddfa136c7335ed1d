//! One heap as a trace, in every form, and as HPROF gives the same answers.

use heaplens_dump::OpenOptions;
use heaplens_testkit::perfetto::{self, Form};
use heaplens_testkit::sketch::{Id, RootRecord, Sketch};
use heaplens_testkit::{heaps, hprof};

use super::{at, dominators, retained, try_bytes, warnings};

/// Random heap that both formats can represent: without class loaders, which a JVM adds to HPROF, and with roots that
/// belong to no thread.
pub(super) fn heap_of(seed: u64, objects: u32) -> Sketch {
    let mut sketch = heaps::random(seed, objects);
    sketch.classes.iter_mut().for_each(|class| class.loader = 0);
    sketch.traces.clear();
    let classes: Vec<Id> = sketch.classes.iter().map(|class| class.id).collect();
    let some = sketch.objects.iter().step_by(7).map(|object| (object.id, RootRecord::JniGlobal));
    sketch.roots = classes.into_iter().map(|id| (id, RootRecord::StickyClass)).chain(some).collect();
    sketch
}

#[test]
fn a_trace_and_hprof_give_the_same_answer() {
    let options = OpenOptions::default();
    for (seed, form) in (0..).zip(Form::all()) {
        let sketch = heap_of(seed, 300);
        let hprof = try_bytes(&hprof::write(&sketch, hprof::Form::MODERN), &options).expect("a heap");
        let size = |id| hprof.facts.heap.shallow(at(&hprof, id)).0;
        let trace = try_bytes(&perfetto::write(&sketch, form, size), &options).expect("a heap");
        assert_eq!(warnings(&trace), [], "{form:?}");
        let (heap, other) = (&trace.facts.heap, &hprof.facts.heap);
        // Only HPROF has the loader at address 0.
        let mut expected = dominators(&hprof);
        assert!(expected.remove(&0).is_some());
        assert_eq!(dominators(&trace), expected, "{form:?}");
        let mut stored = retained(&hprof);
        stored.remove(&0);
        assert_eq!(retained(&trace), stored, "{form:?}");
        for object in heap.objects() {
            let id = heap.address(object);
            let twin = other.at(id).expect("an object of both");
            assert_eq!(heap.class(object).name, other.class(twin).name);
            assert_eq!(heap.class(object).strength, other.class(twin).strength, "{}", heap.class(object).name);
            let class_of =
                |heap: &heaplens_heap::Heap, of| heap.classes.of_object(of).map(|c| heap.classes.get(c).name.clone());
            assert_eq!(class_of(heap, object), class_of(other, twin));
            // References by name, without those of HPROF to the loader at address 0.
            let named = |dump: &heaplens_dump::Dump, from| {
                let heap = &dump.facts.heap;
                let mut all: Vec<(u64, Vec<String>)> = Vec::new();
                for &to in heap.references(from) {
                    let to = heaplens_heap::ObjectId::from_raw(to).expect("a row");
                    let names = dump.facts.contents.reference_names(heap, from, to, 1000);
                    let mut texts: Vec<String> = names
                        .into_iter()
                        .map(|name| {
                            // HPROF has more fields, of primitive types: one of them may share the name.
                            let field = name.text.rsplit('.').next().unwrap_or_default().to_owned();
                            format!("{field} {:?} {}", name.kind, name.strength.name())
                        })
                        .collect();
                    texts.sort();
                    all.push((heap.address(to).0, texts));
                }
                all.sort();
                all.retain(|(to, _)| *to != 0);
                all
            };
            assert_eq!(named(&trace, object), named(&hprof, twin), "{id} of {}", heap.class(object).name);
        }
        assert_eq!(heap.roots.objects().len(), heap.roots.all().len());
    }
}

#[test]
fn a_stored_analysis_names_what_follows_from_references() {
    let sketch = heap_of(3, 400);
    let options = OpenOptions::default();
    let dump = try_bytes(&perfetto::write(&sketch, Form::MODERN, |_| 24), &options).expect("a heap");
    let bare = dump.facts.without_file().expect("names are saved");
    let heap = &dump.facts.heap;
    let (mut exact, mut others) = (0, 0);
    for object in heap.objects().filter(|&object| heap.classes.of_object(object).is_none()) {
        let fields = dump.facts.contents.fields(heap, object).expect("a record");
        let inferred = bare.contents.fields(heap, object).expect("no record");
        for (field, inferred) in fields.iter().zip(&inferred) {
            assert_eq!((&field.name, &field.declared_by), (&inferred.name, &inferred.declared_by));
            if inferred.value == heaplens_heap::Value::Unavailable {
                others += 1;
            } else {
                assert_eq!(field.value, inferred.value, "{} of {}", field.name, heap.id_text(object));
                exact += 1;
            }
        }
    }
    assert!(exact > 10 && others > 10, "{exact} {others}");
}
