//! Traces as LeakCanary writes them, letter by letter.

use heaplens_tables::export::traces::trace_text;

use super::{found, found_with};

fn text(heap: &str, known: &str) -> String {
    let report = found_with(heap, &["leaking"], known);
    trace_text(&report.leaks[0].traces[0])
}

#[test]
fn labels_of_an_object_keep_their_order() {
    let heap = "
        class Leaking
        leaking = Leaking
        all = java.lang.Object[] leaking
        class ParentClass
          field leak: object
        class Child extends ParentClass
        child = Child leak=all
        class GcRoot
          static leak: object = child
        root GcRoot class";
    let expected = "\
┬───
│ GC Root: System class
│
├─ GcRoot class
│    Leaking: NO (a class is never leaking)
│    ↓ static GcRoot.leak
│                    ~~~~
├─ Child instance
│    Leaking: UNKNOWN
│    ↓ ParentClass.leak
│                  ~~~~
├─ java.lang.Object[] array
│    Leaking: UNKNOWN
│    ↓ Object[0]
│            ~~~
╰→ Leaking instance
\u{200b}     Leaking: YES (ObjectWatcher was watching this because its lifecycle has ended)
\u{200b}     Retaining 0 B in 1 objects
\u{200b}     key = a-key
\u{200b}     watchDurationMillis = 20000
\u{200b}     retainedDurationMillis = 10000";
    assert_eq!(text(heap, ""), expected);
    let known = text(heap, "library field ParentClass#leak");
    assert!(known.contains(
        "├─ Child instance\n│    Leaking: UNKNOWN\n│    Library leak match: instance field ParentClass#leak\n"
    ));
}

/// The state of one object determines those before and after it.
#[test]
fn states_propagate_along_the_path() {
    let of = |first: &str, third: &str| {
        let heap = format!(
            "class android.app.Activity
               field mDestroyed: boolean
               field next: object
             class Leaking
             class Class1 extends android.app.Activity
             class Class2
               field next: object
             class Class3 extends android.app.Activity
             class Plain
               field next: object
             leaking = Leaking
             three = {third} next=leaking
             two = Class2 next=three
             one = {first} next=two
             class GcRoot
               static one: object = one
             root GcRoot class"
        );
        let report = found(&heap, &["leaking"]);
        let trace = report.leaks.iter().flat_map(|leak| &leak.traces).next_back().expect("a trace");
        let steps = trace.steps.iter().map(|step| {
            let suspect = step.reference.as_ref().is_some_and(|reference| reference.is_suspect);
            format!(
                "{} {} {}{}",
                step.subject.class,
                step.status.name(),
                step.subject.reason,
                if suspect { " ~" } else { "" }
            )
        });
        steps.collect::<Vec<String>>()
    };
    let fine = of("Plain", "Class3 mDestroyed=false");
    assert_eq!(
        fine[..4],
        [
            "GcRoot NO Class3↓ is not leaking and a class is never leaking",
            "Plain NO Class3↓ is not leaking",
            "Class2 NO Class3↓ is not leaking",
            "Class3 NO Activity#mDestroyed is false ~",
        ]
    );
    // A leaking object ends the path: objects below it are reported with it.
    let gone = of("Class1 mDestroyed=true", "Plain");
    assert_eq!(gone, ["GcRoot NO a class is never leaking ~", "Class1 YES Activity#mDestroyed is true"]);
    let between = of("Class1 mDestroyed=false", "Class3 mDestroyed=true");
    assert_eq!(between[2..], ["Class2 UNKNOWN  ~", "Class3 YES Activity#mDestroyed is true"]);
}

#[test]
fn conflicting_verdicts_are_both_reported() {
    let heap = "
        class android.app.Activity
          field mDestroyed: boolean
        leaking = android.app.Activity mDestroyed=false
        class GcRoot
          static it: object = leaking
        root GcRoot class";
    let watched = "ObjectWatcher was watching this because its lifecycle has ended";
    assert!(text(heap, "").contains(&format!("YES ({watched}. Conflicts with Activity#mDestroyed is false)")));
    let both = text(&heap.replace("=false", "=true"), "");
    assert!(both.contains(&format!("YES ({watched} and Activity#mDestroyed is true)")), "{both}");
}
