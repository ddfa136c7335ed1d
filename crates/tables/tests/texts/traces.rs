//! Traces as LeakCanary writes them, letter by letter.

use heaplens_analysis::android::shark::{Device, Matchers, Roots, SharkQuery, leak_report};
use heaplens_base::Task;
use heaplens_tables::export::traces::trace_text;
use heaplens_testkit::leakcanary::watching;

/// The trace of an object that is labelled `leaking` and watched.
fn text(heap: &str, known: &str) -> String {
    let dump = crate::sketched(&watching(heap, &["leaking"]));
    let (heap, contents, device) = (&*dump.facts.heap, &*dump.facts.contents, Device::default());
    let mut matchers = Matchers::default();
    matchers.add(known).expect("matchers");
    let question = SharkQuery { heap, contents, matchers: &matchers, device: &device, roots: Roots::All };
    let report = leak_report(question, &Task::new()).expect("not cancelled");
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
