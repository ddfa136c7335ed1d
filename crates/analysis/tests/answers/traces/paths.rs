//! Paths to leaking objects, and their grouping into leaks.

use super::{found_with, labels, path_texts, report_of};

#[test]
fn paths_through_known_leaks_are_searched_last() {
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
    assert_eq!(path_texts(&of("")), ["application System class: GcRoot.shortestPath"]);
    let long = "application System class: GcRoot.longestPath HasLeaking.leaking";
    assert_eq!(path_texts(&of("library static GcRoot#shortestPath")), [long]);
    let both = of("library static GcRoot#shortestPath # why\nlibrary static GcRoot#longestPath");
    assert_eq!(path_texts(&both), ["library System class: GcRoot.shortestPath"]);
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
fn objects_watched_too_briefly_are_no_leaks() {
    let heap = "
        class Fine
        class GcRoot
          static fine: object = fine
        fine = Fine
        early = leakcanary.KeyedWeakReference referent=fine key=key retainedUptimeMillis=-1
        gone = leakcanary.KeyedWeakReference key=key retainedUptimeMillis=1
        root GcRoot class";
    let report = report_of(heap, &[]);
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
    let report = report_of(heap, &["a", "b", "c"]);
    assert_eq!(path_texts(&report), ["application System class: GcRoot.all Object[0]"]);
    assert_eq!(report.leaks[0].traces.len(), 3);
}

#[test]
fn threads_hold_their_locals_and_local_paths_come_last() {
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
    let report = report_of(heap, &["leaking", "held"]);
    let local = "application Thread object: MyThread<Java Local>";
    assert_eq!(path_texts(&report), ["application System class: Other.field", local]);
    let known = found_with(heap, &["leaking"], "library local kroutine");
    assert_eq!(path_texts(&known), ["library Thread object: MyThread<Java Local>"]);
    let ignored = found_with(&heap.replace("kroutine", "main"), &["leaking"], "");
    assert_eq!((ignored.leaks.len(), ignored.unreachable.len()), (0, 1));
}

#[test]
fn native_code_holds_objects_by_their_class() {
    let heap = "
        class Leaking
        leaking = Leaking
        root leaking global";
    let report = report_of(heap, &["leaking"]);
    assert_eq!(path_texts(&report), ["application Global variable in native code: "]);
    // Shark's fingerprint of a path of no reference.
    assert_eq!(report.leaks[0].fingerprint, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    let known = "library native Leaking";
    assert_eq!(path_texts(&found_with(heap, &["leaking"], known)), ["library Global variable in native code: "]);
    let other = "
        class Has
          field it: object
        class GcRoot
          static has: object = has
        has = Has it=leaking
        root GcRoot class";
    let longer = found_with(&format!("{heap}{other}"), &["leaking"], known);
    assert_eq!(path_texts(&longer), ["application System class: GcRoot.has Has.it"]);
    // In Shark these two are one leak, for their fingerprints are the same.
    let two =
        report_of(&format!("{heap}\nclass Another\nanother = Another\nroot another global"), &["leaking", "another"]);
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
    let only = report_of(&heap.replace("static other: object = holder", ""), &["parent", "child"]);
    assert_eq!(path_texts(&only), ["application System class: GcRoot.parent"]);
    assert!(labels(&only.leaks[0])[0].starts_with("Also retains leaking object "));
    let both = report_of(heap, &["parent", "child"]);
    let second = "application System class: GcRoot.other Holder.child";
    assert_eq!(path_texts(&both), ["application System class: GcRoot.parent", second]);
    assert!(labels(&both.leaks[1])[0].ends_with("(Parent), which has its own leak trace"));
    assert_eq!(labels(&both.leaks[0])[0], "key = a-key");
    // Objects also reachable from the holder are not the parent's.
    assert_eq!((both.leaks[0].retained().0, both.leaks[1].retained().0), (4, 0));
}

/// For each class, their number is reported instead of each object.
#[test]
fn several_leaking_objects_below_another_are_counted() {
    let heap = "
        class Child
        class Parent
          field left: object
          field right: object
        class GcRoot
          static parent: object = parent
        left = Child
        right = Child
        parent = Parent left=left right=right
        root GcRoot class";
    let report = report_of(heap, &["parent", "left", "right"]);
    assert_eq!(path_texts(&report), ["application System class: GcRoot.parent"]);
    assert_eq!(labels(&report.leaks[0])[0], "Also retains 2 leaking Child objects");
}

#[test]
fn the_nearest_class_with_a_pattern_counts() {
    let heap = "
        class Leaking
        leaking = Leaking
        class Mine extends java.lang.ref.WeakReference
        weak = Mine referent=leaking
        class GcRoot
          static it: object = weak
        root GcRoot class";
    let of = |known| found_with(heap, &["leaking"], known);
    // Built-in matcher: a weak reference does not hold.
    assert!(of("").leaks.is_empty());
    let library = "library field java.lang.ref.WeakReference#referent";
    assert_eq!(path_texts(&of(library)), ["library System class: GcRoot.it Reference.referent"]);
    let both = of(&format!("{library}\nignored field Mine#referent"));
    assert!(both.leaks.is_empty());
    assert_eq!(both.unreachable.len(), 1);
}

#[test]
fn fields_of_a_thread_come_before_its_locals() {
    let heap = "
        class java.lang.Thread
          field name: object
        class MyThread extends java.lang.Thread
          field kept: object
        class Leaking
        leaking = Leaking
        name = \"worker\"
        thread = MyThread name=name kept=leaking
        root thread thread 7
        root leaking frame 7 0";
    assert_eq!(path_texts(&report_of(heap, &["leaking"])), ["application Thread object: MyThread.kept"]);
}

#[test]
fn dangling_references_are_skipped() {
    let heap = "
        class Leaking
        leaking = Leaking
        all = java.lang.Object[] 0x77777770 leaking
        class GcRoot
          static gone: object = 0x77777700
          static it: object = all
        root GcRoot class";
    assert_eq!(path_texts(&report_of(heap, &["leaking"])), ["application System class: GcRoot.it Object[1]"]);
}

/// References after the first leaking object do not identify the holder.
#[test]
fn fingerprints_are_those_of_the_references_to_look_at() {
    let of = |first: &str, last: &str| {
        let heap = format!(
            "class Leaking
             class android.app.Activity
               field mDestroyed: boolean
               field field3a: object
               field field3b: object
             class Holder
               field field2a: object
               field field2b: object
             class GcRoot
               static holder: object = holder
             leaking = Leaking
             gone = android.app.Activity mDestroyed=true {last}=leaking
             holder = Holder {first}=gone
             root GcRoot class"
        );
        report_of(&heap, &[]).leaks[0].fingerprint.clone()
    };
    assert_eq!(of("field2a", "field3a"), of("field2a", "field3b"));
    assert_ne!(of("field2a", "field3a"), of("field2b", "field3a"));
}

/// A list with a leaking object at each node has paths of millions of objects: reported paths are limited.
#[test]
fn paths_over_the_length_limit_are_counted() {
    const NODES: usize = 2_000;
    let nodes = (0..NODES).map(|n| {
        let next = if n + 1 < NODES { format!("node{}", n + 1) } else { "null".to_owned() };
        format!("node{n} = Node next={next} held=gone{n}\ngone{n} = android.app.Activity mDestroyed=true\n")
    });
    let nodes: Vec<String> = nodes.collect();
    let heap = format!(
        "class android.app.Activity
           field mDestroyed: boolean
         class Node
           field held: object
           field next: object
         class GcRoot
           static first: object = node0
         root GcRoot class
         {}",
        nodes.concat()
    );
    let report = report_of(&heap, &[]);
    let text: u64 = report.leaks.iter().map(|leak| leak.traces.len() as u64).sum();
    assert_eq!(text + report.untraced, NODES as u64);
    assert!(report.untraced > 0 && text > 1_000, "{text}");
}
