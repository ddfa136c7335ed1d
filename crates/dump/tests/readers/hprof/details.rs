//! Single heaps, each for one rule.

use heaplens_base::Task;
use heaplens_dump::{OpenOptions, open_with};
use heaplens_heap::{Address, ReferenceKind, SizeModel, Strength};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use heaplens_testkit::sketch::Object;

use super::{noted, open};

#[test]
fn the_first_name_of_a_reference_is_a_strong_one() {
    let (sketch, dump) = noted(
        "class java.lang.ref.Reference
           field referent: object
           field next: object
         class java.lang.ref.WeakReference extends java.lang.ref.Reference
         both = java.lang.ref.WeakReference referent=it next=it
         weak = java.lang.ref.WeakReference referent=it
         array = java.lang.Object[] it null it it
         it = java.lang.Object
         root both
         root weak
         root array",
    );
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let object = |label| heap.at(Address(sketch.id(label))).expect("it is in the heap");
    let names = |from, limit| {
        let names = contents.reference_names(heap, object(from), object("it"), limit).into_iter();
        names.map(|name| (name.text, name.strength)).collect::<Vec<_>>()
    };
    let (next, referent) = (("next".to_owned(), Strength::Strong), ("referent".to_owned(), Strength::Weak));
    assert_eq!(names("both", 1), std::slice::from_ref(&next));
    assert_eq!(names("both", usize::MAX), [next, referent.clone()]);
    assert_eq!(names("weak", 1), [referent]);
    assert_eq!(names("array", 2), ["[0]", "[2]"].map(|text| (text.to_owned(), Strength::Strong)));
    assert_eq!((names("array", 9).len(), names("array", 0).len()), (3, 0));
    let class = heap.class(object("it")).object.expect("a class object");
    let kinds = contents.reference_names(heap, object("it"), class, 9).into_iter().map(|name| name.kind);
    assert_eq!(kinds.collect::<Vec<_>>(), [ReferenceKind::Class]);
}

#[test]
fn a_class_without_superclass_has_the_size_of_its_fields() {
    let mut sketch =
        notation::read("class A\n  field n: int\n  field next: object\na = A n=1 next=a\nroot a").expect("a heap");
    sketch.classes.iter_mut().filter(|class| class.name == "A").for_each(|class| class.superclass = 0);
    let mut options = OpenOptions::default();
    options.read.sizes = SizeModel::File;
    let dump = open(write(&sketch, Form::MODERN), &options);
    let it = dump.facts.heap.at(Address(sketch.id("a"))).expect("it is in the heap");
    assert_eq!(dump.facts.heap.shallow(it).0, 4 + 8);
}

/// Ids of an odd distance do not fit the first plan for addresses: the file is counted again.
#[test]
fn counting_again_is_a_step_of_its_own() {
    let mut sketch = notation::read("class A\na = A\nroot a").expect("a heap");
    for (distance, times) in [(8, 1), (9, 2)] {
        let next = sketch.objects[0].id + distance;
        sketch.objects.push(Object { id: next, ..sketch.objects[0].clone() });
        let file = crate::temporary_file(write(&sketch, Form::MODERN));
        let task = Task::new();
        open_with(file.path(), &OpenOptions::default(), &task).expect("it is readable");
        let steps: Vec<&str> = task.progress().finished.iter().map(|phase| phase.name).collect();
        assert_eq!(steps.iter().filter(|&&name| name == "Counting objects").count(), times, "{steps:?}");
    }
}
