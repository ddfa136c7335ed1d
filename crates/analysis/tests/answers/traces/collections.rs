//! Elements of collections are named by key or index, as in Shark.

use super::report_of;

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
        let report = report_of(&format!("{node}{more}\nclass GcRoot\n  static it: object = {held}"), &["leaking"]);
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
    // A cycle must not cause an endless loop.
    let ring = "first = java.util.HashMap$Node\nlist = java.util.LinkedList first=a\na = java.util.LinkedList$Node next=b\n\
                b = java.util.LinkedList$Node item=leaking next=a";
    assert_eq!(of(ring, "list"), "LinkedList[1]");
}

/// A heap in which `GcRoot.it` is `held`; returns the next reference of the path.
fn entry(classes: &str, held: &str) -> String {
    let heap = format!(
        "class Leaking
         leaking = Leaking
         text = \"key\"
         other = java.lang.Object
         {classes}
         class GcRoot
           static it: object = {held}
         root GcRoot class"
    );
    let report = report_of(&heap, &["leaking"]);
    let reference = report.leaks[0].traces[0].steps[1].reference.clone().expect("a reference");
    format!("{}{}", reference.prefix(), reference.name)
}

#[test]
fn maps_of_all_kinds_are_read() {
    let linked = "
        class java.util.HashMap
          field table: object
          field loadFactor: float
        class java.util.LinkedHashMap extends java.util.HashMap
        class java.util.HashMap$Node
          field key: object
          field value: object
          field next: object
        class java.util.LinkedHashMap$LinkedHashMapEntry extends java.util.HashMap$Node
        node = java.util.LinkedHashMap$LinkedHashMapEntry key=text value=leaking
        table = java.util.HashMap$Node[] node
        map = java.util.LinkedHashMap table=table";
    assert_eq!(entry(linked, "map"), "LinkedHashMap[\"key\"]");
    let concurrent = "
        class java.util.concurrent.ConcurrentHashMap
          field table: object
        class java.util.concurrent.ConcurrentHashMap$Node
          field key: object
          field val: object
          field next: object
        none = java.util.concurrent.ConcurrentHashMap$Node key=other val=null next=node
        node = java.util.concurrent.ConcurrentHashMap$Node key=text val=leaking
        table = java.lang.Object[] null none
        map = java.util.concurrent.ConcurrentHashMap table=table";
    assert_eq!(entry(concurrent, "map"), "ConcurrentHashMap[\"key\"]");
    let weak = "
        class java.util.WeakHashMap
          field table: object
        class java.util.WeakHashMap$Entry extends java.lang.ref.WeakReference
          field value: object
          field next: object
        node = java.util.WeakHashMap$Entry referent=text value=leaking
        table = java.lang.Object[] node
        map = java.util.WeakHashMap table=table";
    assert_eq!(entry(weak, "map"), "WeakHashMap[\"key\"]");
}

#[test]
fn lists_of_all_kinds_are_read() {
    let copied = "
        class java.util.concurrent.CopyOnWriteArrayList
          field array: object
        array = java.lang.Object[] leaking
        list = java.util.concurrent.CopyOnWriteArrayList array=array";
    assert_eq!(entry(copied, "list"), "CopyOnWriteArrayList[0]");
    let set = "
        class java.util.HashMap
          field table: object
          field loadFactor: float
        class java.util.HashMap$Node
          field key: object
          field value: object
          field next: object
        class java.util.HashSet
          field map: object
        class java.util.LinkedHashSet extends java.util.HashSet
        node = java.util.HashMap$Node key=leaking value=other
        table = java.util.HashMap$Node[] node
        map = java.util.HashMap table=table
        set = java.util.LinkedHashSet map=map";
    assert_eq!(entry(set, "set"), "LinkedHashSet[element()]");
}

/// Subclasses may have further fields, so their fields are shown.
#[test]
fn subclasses_of_collections_are_plain_objects() {
    let own = "
        class java.util.ArrayList
          field elementData: object
        class MyList extends java.util.ArrayList
        array = java.lang.Object[] leaking
        list = MyList elementData=array";
    assert_eq!(entry(own, "list"), "ArrayList.elementData");
}
