//! Leaks of Android must be those that Shark finds: its own unit cases, restated as
//! small heaps. Where Shark is known to be wrong, the test says what is right.

use heaplens::analysis::android::shark::{Device, Leak, LeakReport, Matchers, Question, Roots, leak_report, root_text};
use heaplens::session::dump::{OpenDump, OpenOptions, open_and_wait};
use heaplens::synth::art::{APP, Art, Class, Writer, root};
use heaplens::synth::hprof::{Form, write};
use heaplens::synth::notation;
use heaplens::synth::sketch::{Id, Type, Value};
use heaplens::task::Task;

/// What LeakCanary watches with.
const WATCHED: &str = "
    strings as chars
    class java.lang.ref.Reference
      field referent: object
    class java.lang.ref.WeakReference extends java.lang.ref.Reference
    class leakcanary.KeyedWeakReference extends java.lang.ref.WeakReference
      field key: object
      field description: object
      field watchUptimeMillis: long
      field retainedUptimeMillis: long
      static heapDumpUptimeMillis: long = 30000
    key = \"a-key\"
    ended = \"its lifecycle has ended\"
    ";

fn open(bytes: &[u8]) -> OpenDump {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("room for it");
    open_and_wait(file.path(), &OpenOptions::default(), &Task::new()).unwrap_or_else(|error| panic!("{error}"))
}

fn look(dump: &OpenDump, matchers: &Matchers) -> LeakReport {
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let device = Device::default();
    leak_report(Question { heap, contents, matchers, device: &device, roots: Roots::All }, &Task::new())
        .expect("nobody cancels it")
}

/// The leaks of a heap in which some objects are watched, with more that is known to leak.
fn found_with(heap: &str, watched: &[&str], known: &str) -> LeakReport {
    let weak = |object: &&str| {
        format!(
            "weak_{object} = leakcanary.KeyedWeakReference referent={object} key=key description=ended \
             watchUptimeMillis=10000 retainedUptimeMillis=20000\n"
        )
    };
    let weak: String = watched.iter().map(weak).collect();
    let sketch = notation::read(&format!("{WATCHED}{heap}\n{weak}")).expect("a heap");
    let mut matchers = Matchers::default();
    matchers.add(known).expect("matchers");
    look(&open(&write(&sketch, Form { id_bytes: 4, ..Form::MODERN })), &matchers)
}

fn found(heap: &str, watched: &[&str]) -> LeakReport {
    found_with(heap, watched, "")
}

/// A leak in one line: `application System class: GcRoot.path Holder.next`.
fn way(leak: &Leak) -> String {
    let trace = &leak.traces[0];
    let references = trace.steps.iter().filter_map(|step| step.reference.as_ref());
    let way: Vec<String> = references.map(|reference| format!("{}{}", reference.prefix(), reference.name)).collect();
    format!("{} {}: {}", leak.kind(), root_text(trace.root), way.join(" "))
}

fn ways(report: &LeakReport) -> Vec<String> {
    report.leaks.iter().map(way).collect()
}

fn labels(leak: &Leak) -> &[String] {
    leak.traces[0].steps.last().map_or(&[], |step| &step.subject.labels)
}

#[test]
fn known_leaks_are_looked_at_last() {
    let heap = "
        class Leaking
        class HasLeaking
          field leaking: object
        class GcRoot
          static shortestPath: object = leaking
          static longestPath: object = has
        leaking = Leaking
        has = HasLeaking leaking=leaking
        root GcRoot class";
    let of = |known| found_with(heap, &["leaking"], known);
    assert_eq!(ways(&of("")), ["application System class: GcRoot.shortestPath"]);
    let long = "application System class: GcRoot.longestPath HasLeaking.leaking";
    assert_eq!(ways(&of("library static GcRoot#shortestPath")), [long]);
    let both = of("library static GcRoot#shortestPath # why\nlibrary static GcRoot#longestPath");
    assert_eq!(ways(&both), ["library System class: GcRoot.shortestPath"]);
    let known = both.leaks[0].known.as_ref().expect("it is known");
    assert_eq!((&*known.pattern, &*known.cause), ("static field GcRoot#shortestPath", "why"));
    let none = of("ignored static GcRoot#shortestPath\nignored static GcRoot#longestPath");
    assert!(none.leaks.is_empty());
    assert_eq!(none.unreachable.len(), 1);
    assert_eq!(none.unreachable[0].reason, "ObjectWatcher was watching this because its lifecycle has ended");
    let labels = ["key = a-key", "watchDurationMillis = 20000", "retainedDurationMillis = 10000"];
    assert_eq!(none.unreachable[0].labels, labels);
}

#[test]
fn what_is_not_waited_for_long_enough_is_no_leak() {
    let heap = "
        class Fine
        class GcRoot
          static fine: object = fine
        fine = Fine
        early = leakcanary.KeyedWeakReference referent=fine key=key retainedUptimeMillis=-1
        gone = leakcanary.KeyedWeakReference key=key retainedUptimeMillis=1
        root GcRoot class";
    let report = found(heap, &[]);
    assert!(report.leaks.is_empty() && report.unreachable.is_empty());
}

#[test]
fn equal_paths_are_one_leak() {
    let heap = "
        class Leaking
        class GcRoot
          static all: object = all
        a = Leaking
        b = Leaking
        c = Leaking
        all = java.lang.Object[] a null b c
        root GcRoot class";
    let report = found(heap, &["a", "b", "c"]);
    assert_eq!(ways(&report), ["application System class: GcRoot.all Object[0]"]);
    assert_eq!(report.leaks[0].traces.len(), 3);
}

#[test]
fn threads_hold_what_their_frames_hold_and_locals_go_last() {
    let heap = "
        class java.lang.Thread
          field name: object
        class MyThread extends java.lang.Thread
        class Leaking
        class Other
          static field: object = held
        leaking = Leaking
        held = Leaking
        name = \"kroutine\"
        thread = MyThread name=name
        root thread thread 7
        root leaking frame 7 0
        root held frame 7 0
        root Other class";
    let report = found(heap, &["leaking", "held"]);
    let local = "application Thread object: MyThread<Java Local>";
    assert_eq!(ways(&report), ["application System class: Other.field", local]);
    let known = found_with(heap, &["leaking"], "library local kroutine");
    assert_eq!(ways(&known), ["library Thread object: MyThread<Java Local>"]);
    let ignored = found_with(&heap.replace("kroutine", "main"), &["leaking"], "");
    assert_eq!((ignored.leaks.len(), ignored.unreachable.len()), (0, 1));
}

#[test]
fn native_code_holds_objects_by_their_class() {
    let heap = "
        class Leaking
        leaking = Leaking
        root leaking global";
    let report = found(heap, &["leaking"]);
    assert_eq!(ways(&report), ["application Global variable in native code: "]);
    // Shark's fingerprint of a path of no reference.
    assert_eq!(report.leaks[0].fingerprint, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    let known = "library native Leaking";
    assert_eq!(ways(&found_with(heap, &["leaking"], known)), ["library Global variable in native code: "]);
    let other = "
        class Has
          field it: object
        class GcRoot
          static has: object = has
        has = Has it=leaking
        root GcRoot class";
    let longer = found_with(&format!("{heap}{other}"), &["leaking"], known);
    assert_eq!(ways(&longer), ["application System class: GcRoot.has Has.it"]);
    // In Shark these two are one leak, for their fingerprints are the same.
    let two = found(&format!("{heap}\nclass Another\nanother = Another\nroot another global"), &["leaking", "another"]);
    assert_eq!(two.leaks.len(), 2);
}

#[test]
fn no_path_leads_through_another_leaking_object() {
    let heap = "
        class Child
        class Parent
          field child: object
        class Holder
          field child: object
        class GcRoot
          static parent: object = parent
          static other: object = holder
        child = Child
        parent = Parent child=child
        holder = Holder child=child
        root GcRoot class";
    let only = found(&heap.replace("static other: object = holder", ""), &["parent", "child"]);
    assert_eq!(ways(&only), ["application System class: GcRoot.parent"]);
    assert!(labels(&only.leaks[0])[0].starts_with("Also retains leaking object "));
    let both = found(heap, &["parent", "child"]);
    let second = "application System class: GcRoot.other Holder.child";
    assert_eq!(ways(&both), ["application System class: GcRoot.parent", second]);
    assert!(labels(&both.leaks[1])[0].ends_with("(Parent), which has its own leak trace"));
    assert_eq!(labels(&both.leaks[0])[0], "key = a-key");
    // What the holder reaches, too, is not the parent's.
    assert_eq!((both.leaks[0].retained().0, both.leaks[1].retained().0), (4, 0));
}

#[test]
fn retained_bytes_are_those_of_shark() {
    let of = |fields: &str, values: &str, more: &str| {
        let heap = format!(
            "class Leaking\n{fields}\nclass GcRoot\n  static leaking: object = leaking\n  static other: object = other\n\
             leaking = Leaking {values}\nroot GcRoot class\nother = java.lang.Object\n{more}"
        );
        let report = found(&heap, &["leaking"]);
        (report.leaks[0].retained().0, report.leaks[0].traces[0].objects)
    };
    let integer =
        "class java.lang.Integer\n  field value: int\none = java.lang.Integer value=1\ntwo = java.lang.Integer";
    assert_eq!(of("", "", ""), (0, 1));
    assert_eq!(of("  field n: long", "n=1", ""), (8, 1));
    assert_eq!(of("  field f: object", "f=chars", "chars = char[] 52 50"), (8, 2));
    assert_eq!(of("  field f: object", "f=text", "text = \"42\""), (16, 2));
    assert_eq!(of("  field f: object", "f=one", integer), (8, 2));
    let boxes = format!("{integer}\nboxes = java.lang.Integer[] one two");
    assert_eq!(of("  field f: object", "f=boxes", &boxes), (20, 2));
    let objects = "a = java.lang.Object\nb = java.lang.Object\nall = java.lang.Object[] a b";
    assert_eq!(of("  field f: object", "f=all", objects), (12, 4));
    assert_eq!(of("  field f: object", "f=other", ""), (4, 1));
}

#[test]
fn entries_of_collections_are_named_as_in_shark() {
    let node = "
        class java.util.HashMap$Node
          field key: object
          field value: object
          field next: object
        class java.util.HashMap
          field table: object
          field loadFactor: float
        class java.util.HashSet
          field map: object
        class java.util.ArrayList
          field elementData: object
        class java.util.LinkedList
          field first: object
        class java.util.LinkedList$Node
          field item: object
          field next: object
        class Leaking
        leaking = Leaking
        text = \"session\"
        other = java.lang.Object
        table = java.util.HashMap$Node[] null first
        map = java.util.HashMap table=table
        root GcRoot class\n";
    let of = |more: &str, held: &str| {
        let report = found(&format!("{node}{more}\nclass GcRoot\n  static it: object = {held}"), &["leaking"]);
        let reference = report.leaks[0].traces[0].steps[1].reference.clone().expect("a reference");
        assert_eq!(reference.generic, "[x]");
        format!("{}{}", reference.prefix(), reference.name)
    };
    let first = |key: &str, value: &str| format!("first = java.util.HashMap$Node key={key} value={value}");
    assert_eq!(of(&first("text", "leaking"), "map"), "HashMap[\"session\"]");
    assert_eq!(of(&first("null", "leaking"), "map"), "HashMap[null]");
    assert_eq!(of(&first("leaking", "null"), "map"), "HashMap[key()]");
    let by_object = of(&first("other", "leaking"), "map");
    assert!(by_object.starts_with("HashMap[instance @") && by_object.ends_with(" of java.lang.Object]"), "{by_object}");
    let set = format!("{}\nset = java.util.HashSet map=map", first("leaking", "other"));
    assert_eq!(of(&set, "set"), "HashSet[element()]");
    let list = "first = java.util.HashMap$Node\nlist = java.util.ArrayList elementData=array\narray = java.lang.Object[] null leaking";
    assert_eq!(of(list, "list"), "ArrayList[1]");
    // A ring: nothing goes round for ever.
    let ring = "first = java.util.HashMap$Node\nlist = java.util.LinkedList first=a\na = java.util.LinkedList$Node next=b\n\
                b = java.util.LinkedList$Node item=leaking next=a";
    assert_eq!(of(ring, "list"), "LinkedList[1]");
}

/// States are told by which static holds them: Shark reads their names, and knows none in a dump without texts.
#[test]
fn fragments_are_judged_by_their_state() {
    let of = |state: &str, version: &str, values: &str| {
        let heap = format!(
            "class State
               field unused: int
               static DESTROYED: object = destroyed
               static INITIALIZED: object = initialized
               static RESUMED: object = resumed
             destroyed = State
             initialized = State
             resumed = State
             class androidx.lifecycle.LifecycleRegistry
               field state: object
             registry = androidx.lifecycle.LifecycleRegistry state={state}
             class androidx.fragment.app.Fragment
               field mLifecycleRegistry: object
               field mFragmentManager: object
               field mCalled: boolean
               {version}
             class GcRoot
               static it: object = fragment
             manager = java.lang.Object
             fragment = androidx.fragment.app.Fragment mLifecycleRegistry=registry {values}
             root GcRoot class"
        );
        let report = found(&heap, &[]);
        report.leaks.first().map(|leak| leak.traces[0].steps[1].subject.reason.clone())
    };
    let newer = "field mMaxState: object";
    let is = |state: &str| Some(format!("Fragment.mLifecycleRegistry.state is {state}"));
    assert_eq!(of("destroyed", "", ""), is("DESTROYED"));
    assert_eq!(of("destroyed", newer, ""), is("DESTROYED"));
    assert_eq!(of("initialized", "", ""), None);
    assert_eq!(of("initialized", newer, "mCalled=false"), None);
    assert_eq!(of("initialized", newer, "mCalled=true mFragmentManager=manager"), None);
    assert_eq!(of("resumed", newer, "mCalled=true"), None);
    let reset = of("initialized", newer, "mCalled=true").expect("a leak");
    assert!(reset.contains("was reset to INITIALIZED by Fragment#initState()"), "{reset}");
}

/// An activity that a static keeps, in ART's layout.
fn kept_activity() -> Art {
    const OBJECT: Id = 0x7000_0000;
    let mut art = Art::default();
    art.root(root::STICKY_CLASS, 0x12c0_0100, 0);
    art.heap(APP, "app");
    let class = |id, name, superclass| Class { id, name, superclass, bytes: 12, ..Class::default() };
    art.class(Class { bytes: 8, ..class(OBJECT, "java.lang.Object", 0) });
    art.class(Class { fields: &[("mDestroyed", Type::Boolean)], ..class(0x7000_0100, "android.app.Activity", OBJECT) });
    art.class(class(0x12c0_0000, "com.example.MainActivity", 0x7000_0100));
    let statics = [("last", Value::Object(0x12c0_1000)), ("lost", Value::Object(0x12cf_0000))];
    art.class(Class { statics: &statics, ..class(0x12c0_0100, "com.example.Holder", OBJECT) });
    art.instance(0x12c0_1000, 0x12c0_0000, &[Value::Boolean(true)]);
    art
}

/// Neither Build nor texts nor anything else of Android is there: Shark gives up.
#[test]
fn whatever_is_missing_is_no_verdict() {
    let whole = look(&open(&kept_activity().write(Writer::Art)), &Matchers::default());
    assert_eq!(ways(&whole), ["application System class: Holder.last"]);
    assert_eq!(whole.metadata.device, Device::default());
    for by in Writer::ALL {
        let report = look(&open(&kept_activity().write(by)), &Matchers::default());
        assert_eq!(report.leaks.len(), 1, "{by:?}");
        assert_eq!(report.leaks[0].fingerprint, whole.leaks[0].fingerprint, "{by:?}");
    }
}
