//! Short names: what they say of members that a compiler, a thread or a scope stands before.

use std::fmt::Write as _;

use super::Named;
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::snapshot::{Edge, Location, Node, Snapshot};
use heaplens_testkit::v8::write::write;

impl Named {
    /// Short names of the objects of a class.
    fn short_names(&self, class: &str) -> Vec<String> {
        self.instances(class).into_iter().map(|object| self.short_name(object)).collect()
    }

    fn short_name(&self, object: ObjectId) -> String {
        let name = self.namer().short_name(object, &Task::new()).expect("not cancelled");
        name.map(|name| name.to_string()).unwrap_or_default()
    }
}

const LIST: &str = "class java.util.ArrayList\n  field elementData: object\n  field size: int\n";

#[test]
fn fields_of_traits_of_groovy_have_the_name_of_the_trait() {
    let mut text = format!(
        "{LIST}class my_desk.Audited$Trait$FieldHelper\nclass my_desk.Ledger\n  field my_desk_Audited__open__changes: object\n  \
         field my_desk_Other__list: object\n  static ledger: object = ledger\nroot my_desk.Ledger class\n\
         ledger = my_desk.Ledger my_desk_Audited__open__changes=first my_desk_Other__list=second\n"
    );
    for (list, elements) in [("first", "one"), ("second", "other")] {
        writeln!(text, "{list} = java.util.ArrayList elementData={elements} size=1").expect("a text");
        writeln!(text, "{elements} = java.lang.Object[] null").expect("a text");
    }
    let mut names = Named::sketched(&text).short_names("java.util.ArrayList");
    names.sort();
    assert_eq!(names, ["Audited.open__changes", "Ledger.my_desk_Other__list"]);
}

#[test]
fn of_two_fields_the_one_with_fewer_objects_between_names_an_object() {
    // The library keeps a bean for each of its destinations in the list, and the destinations themselves in the array.
    let text = format!(
        "{LIST}class io.netty.Bean\n  field bean: object\nclass web.Client\n  field beans: object\n  \
         field destinations: object\n  static client: object = client\nroot web.Client class\nclass web.Destination\n\
         client = web.Client beans=list destinations=pair\nlist = java.util.ArrayList elementData=inList size=2\n\
         inList = java.lang.Object[] bean0 bean1\nbean0 = io.netty.Bean bean=first\nbean1 = io.netty.Bean bean=second\n\
         pair = java.lang.Object[] first second\nfirst = web.Destination\nsecond = web.Destination\n"
    );
    let named = Named::sketched(&text);
    assert_eq!(named.short_names("web.Destination"), ["Client.destinations"; 2]);
}

#[test]
fn a_link_far_down_a_chain_has_the_name_of_the_first() {
    let count = 6_000;
    let mut text = String::from(
        "class io.netty.Timer\n  field wheel: object\nclass io.netty.Timeout\n  field next: object\n  field prev: object\n  \
         field task: object\nclass seats.Holds\n  static expiry: object = timer\nroot seats.Holds class\nclass seats.Hold\n\
         class java.lang.Thread\n  field target: object\nworker = java.lang.Thread target=timer\n\
         root worker thread 1 trace 1\ntrace 1 thread 1\ntimer = io.netty.Timer wheel=wheel\n\
         wheel = java.lang.Object[] link0 null\n",
    );
    for at in 0..count {
        let (prev, next) = (at.max(1) - 1, (at + 1).min(count - 1));
        writeln!(
            text,
            "link{at} = io.netty.Timeout prev=link{prev} next=link{next} task=hold{at}\nhold{at} = seats.Hold"
        )
        .expect("a text");
    }
    let named = Named::sketched(&text);
    for held in named.instances("seats.Hold").into_iter().step_by(count / 5) {
        let name = named.short_name(held);
        assert!(name.starts_with("Holds.expiry"), "{name}");
    }
}

#[test]
fn thread_locals_of_a_thread_have_the_name_of_the_field_with_most_of_them() {
    let entries = |sizes: &[(&str, usize)]| {
        let mut text = String::from(
            "class java.lang.ref.Reference\n  field referent: object\n\
             class java.lang.ref.WeakReference extends java.lang.ref.Reference\n\
             class java.lang.ThreadLocal\n\
             class java.lang.ThreadLocal$ThreadLocalMap$Entry extends java.lang.ref.WeakReference\n  field value: object\n\
             class java.lang.ThreadLocal$ThreadLocalMap\n  field table: object\n\
             class java.lang.Thread\n  field threadLocals: object\n\
             class pool.Bag\n  static open: object = open\n  static other: object = other\nroot pool.Bag class\n\
             open = java.lang.ThreadLocal\nother = java.lang.ThreadLocal\n\
             worker = java.lang.Thread threadLocals=map\nroot worker thread 1 trace 1\ntrace 1 thread 1\n\
             map = java.lang.ThreadLocal$ThreadLocalMap table=table\n",
        );
        let mut all = Vec::new();
        for (at, (key, size)) in sizes.iter().enumerate() {
            writeln!(text, "entry{at} = java.lang.ThreadLocal$ThreadLocalMap$Entry referent={key} value=value{at}")
                .expect("a text");
            writeln!(text, "value{at} = long[]{}", " 1".repeat(*size)).expect("a text");
            all.push(format!("entry{at}"));
        }
        writeln!(text, "table = java.lang.ThreadLocal$ThreadLocalMap$Entry[] {} null", all.join(" ")).expect("a text");
        Named::sketched(&text).short_names("java.lang.ThreadLocal$ThreadLocalMap")
    };
    assert_eq!(entries(&[("open", 900), ("other", 20), ("open", 30)]), ["Bag.open"]);
    // Of two that have as much, neither is the name.
    let equal = entries(&[("open", 400), ("other", 400)]);
    assert!(equal.iter().all(|name| !name.starts_with("Bag")), "{equal:?}");
}

/// A program of which the engine holds `closures` closures of one function, each with a scope of its own that has the same
/// variable; with `share`, they have one scope.
pub(super) fn timers(closures: usize, share: bool) -> Named {
    let named = |kind: &'static str, name: &str, to| Edge::named(kind, name, to);
    let mut nodes: Vec<Node> = Vec::new();
    let mut add = |kind, name: &str, edges| {
        let id = 2 * nodes.len() as u64 + 1;
        nodes.push(Node { kind, name: name.into(), id, self_size: 16, edges, ..Node::default() });
        nodes.len() - 1
    };
    let root = add("synthetic", "", Vec::new());
    let source = add("string", "function keepAlive() {}", Vec::new());
    let script = add("code", "/srv/app/heartbeat.js", vec![named("internal", "source", source)]);
    let code = add("code", "beat", vec![named("internal", "script", script)]);
    let (mut locations, mut from_root, mut scope) = (Vec::new(), Vec::new(), None);
    for at in 0..closures {
        let of_scope = match scope.filter(|_| share) {
            Some(scope) => scope,
            None => {
                let visit = add("object", "Visit", Vec::new());
                add("object", "system / Context", vec![named("context", "visit", visit)])
            }
        };
        scope = Some(of_scope);
        let internal = vec![named("internal", "shared", code), named("internal", "context", of_scope)];
        let closure = add("closure", "beat", internal);
        locations.push(Location { node: closure, script: 5, line: 6, column: 4 });
        from_root.push(Edge::numbered("element", at as u32, closure));
    }
    nodes[root].edges = from_root;
    let snapshot = Snapshot { nodes, root, locations, ..Snapshot::default() };
    let mut file = tempfile::Builder::new().suffix(".heapsnapshot").tempfile().expect("a file");
    std::io::Write::write_all(&mut file, write(&snapshot, &Form::node20()).as_bytes()).expect("disk space");
    Named::at(file.path())
}

#[test]
fn what_many_closures_hold_has_the_name_of_their_function() {
    assert_eq!(timers(12, false).short_names("Visit"), ["beat (heartbeat.js:7)"; 12]);
    assert_eq!(timers(3, false).short_names("Visit"), ["heartbeat.js visit"; 3], "few");
    assert_eq!(timers(12, true).short_names("Visit"), ["heartbeat.js visit"], "one scope is one variable");
}

#[test]
fn constants_of_a_class_have_its_name_unless_a_field_leads_to_them() {
    let named = Named::sketched(
        "class desk.OrderDesk\n  static <resolved_references>: object = constants\n  static last: object = second\n\
         root desk.OrderDesk class\nclass java.lang.Runtime\n  static <resolved_references>: object = ofRuntime\n\
         root java.lang.Runtime class\nconstants = java.lang.Object[] first second null\n\
         ofRuntime = java.lang.Object[] third\nfirst = \"placed\"\nsecond = \"shipped\"\nthird = \"memory\"\n",
    );
    let of = |label: &str| {
        let is_it = |&object: &ObjectId| {
            named.dump.facts.contents.label(&named.dump.facts.heap, object).as_deref() == Some(label)
        };
        named.instances("java.lang.String").into_iter().find(is_it).expect("a string")
    };
    assert_eq!(named.short_name(of("placed")), "OrderDesk constants[…]");
    assert_eq!(named.owner(of("placed")).as_deref(), Some("OrderDesk constants"));
    assert_eq!(named.short_name(of("shipped")), "OrderDesk.last");
    assert_eq!(named.short_name(of("memory")), "Runtime constants[…]");
    assert_eq!(named.owner(of("memory")), None, "the runtime owns nothing");
    assert_eq!(named.short_names("java.lang.Object[]"), ["OrderDesk constants", "Runtime constants"]);
}
