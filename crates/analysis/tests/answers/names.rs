//! Names resolve to their objects, are stable across dumps and contain no addresses; owners match the source code.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use heaplens_analysis::cuts::Cut;
use heaplens_analysis::naming::{Namer, Unresolved};
use heaplens_analysis::object::describe;
use heaplens_analysis::runtime_classes::RuntimeClasses;
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::ObjectId;
use heaplens_testkit::fixtures;
use heaplens_testkit::sketch::{Body, Value as SketchValue};

mod costly;
mod leads;
mod runtime_owners;
mod short;

/// An open fixture.
struct Named {
    dump: Dump,
}

impl Named {
    fn open(fixture: &str) -> Self {
        Self::at(&fixtures::path(&format!("{fixture}.hprof.gz")))
    }

    fn sketched(sketch: &str) -> Self {
        let sketch = heaplens_testkit::notation::read(sketch).expect("a heap");
        let form = heaplens_testkit::hprof::Form::MODERN;
        Self::at(crate::temporary_file(heaplens_testkit::hprof::write(&sketch, form)).path())
    }

    fn at(path: &Path) -> Self {
        let dump = open_with(path, &OpenOptions::default(), &Task::new()).expect("a dump");
        Self { dump }
    }

    fn namer(&self) -> Namer<'_> {
        self.dump.namer(&Task::new()).expect("not cancelled")
    }

    fn name(&self, object: ObjectId) -> Option<String> {
        self.namer().name(object, &Task::new()).expect("not cancelled")
    }

    fn resolve(&self, name: &str) -> ObjectId {
        self.namer().resolve(name, &Task::new()).unwrap_or_else(|error| panic!("{name}: {error:?}"))
    }

    fn refusal(&self, name: &str) -> String {
        match self.namer().resolve(name, &Task::new()) {
            Err(why @ (Unresolved::NotFound(_) | Unresolved::Partly { .. })) => why.to_string(),
            other => panic!("{name}: {other:?}"),
        }
    }

    fn owner(&self, object: ObjectId) -> Option<String> {
        self.namer().owner(object, &Task::new()).expect("not cancelled").map(|owner| owner.text)
    }

    fn reachable(&self) -> impl Iterator<Item = ObjectId> {
        self.dump.facts.heap.objects().filter(|&object| self.dump.analysis.is_reachable(object))
    }
}

impl Named {
    /// Reachable objects of a class.
    fn instances(&self, class: &str) -> Vec<ObjectId> {
        self.reachable().filter(|&object| &*self.dump.facts.heap.class(object).name == class).collect()
    }

    fn class(&self, object: ObjectId) -> &str {
        &self.dump.facts.heap.class(object).name
    }

    /// With custom runtime class rules.
    fn with_runtime_classes(self, rules: &str) -> Self {
        Self { dump: self.dump.with_answers(Arc::new(RuntimeClasses::with(rules)), None) }
    }
}

/// Names of reachable objects resolve to exactly these objects. Checks all of them, or every `step`-th if another dump
/// covers the same case.
fn check_names_resolve(named: &Named, step: usize) {
    let mut wrong = Vec::new();
    for object in named.reachable().step_by(step) {
        let id = named.dump.facts.heap.id_text(object);
        let name = named.name(object).unwrap_or_default();
        let actual = named.namer().resolve(&name, &Task::new());
        if actual != Ok(object) {
            wrong.push(format!("{id} {name}: {actual:?}"));
        }
        // Strings of the program may contain anything.
        if name.contains("0x") && !name.contains('"') {
            wrong.push(format!("{id} {name} shows an address"));
        }
    }
    assert_eq!(wrong.len(), 0, "{}", wrong[..wrong.len().min(40)].join("\n"));
}

#[test]
fn names_resolve_in_the_leak_fixture() {
    check_names_resolve(&Named::open("leak-before"), 1);
}

#[test]
fn names_resolve_in_the_fixture_of_all_kinds() {
    check_names_resolve(&Named::open("facts-jdk17"), 1);
}

#[test]
fn names_resolve_on_the_other_jdk() {
    check_names_resolve(&Named::open("facts-jdk25"), 5);
}

#[test]
fn names_resolve_in_a_truncated_dump() {
    let path = fixtures::path("leak-after-nocoops.hprof.gz");
    let mut complete = Vec::new();
    flate2::read::MultiGzDecoder::new(&std::fs::read(path).expect("a fixture")[..])
        .read_to_end(&mut complete)
        .expect("a complete answer");
    let file = crate::temporary_file(&complete[..complete.len() / 100 * 75]);
    check_names_resolve(&Named::at(file.path()), 7);
}

#[test]
fn names_match_the_source() {
    let named = Named::open("leak-before");
    let map = named.resolve("desk.SessionCache.ENTRIES");
    assert_eq!(named.class(map), "java.util.HashMap");
    let sessions = named.instances("desk.Session");
    assert_eq!(sessions.len(), 60);
    for session in sessions {
        let name = named.name(session).expect("it is reachable");
        let key = name.strip_prefix("desk.SessionCache.ENTRIES[\"").and_then(|rest| rest.strip_suffix("\"]"));
        assert!(key.is_some_and(|key| key.chars().all(|c| c.is_ascii_hexdigit())), "{name}");
        // Internal objects of the map are named by their fields.
        let node = named.dump.analysis.immediate_dominator(session).expect("a node");
        let name = named.name(node).expect("it is reachable");
        assert!(name.starts_with("desk.SessionCache.ENTRIES.table["), "{name}");
    }
    let rows = named.instances("desk.ReportRow");
    let of_thread = |&&row: &&ObjectId| {
        named.name(row).is_some_and(|name| name.starts_with("thread \"report-writer\".<local of desk."))
    };
    assert_eq!(rows.iter().filter(of_thread).count(), rows.len());
}

#[test]
fn long_chains_have_short_names() {
    let named = Named::open("leak-before");
    let names: Vec<String> =
        named.instances("desk.ChainLink").into_iter().filter_map(|link| named.name(link)).collect();
    let longest = names.iter().filter(|name| name.contains('×')).count();
    assert!(
        longest > 990 && names.iter().all(|name| name.len() < 60),
        "{longest} of {}: {:?}",
        names.len(),
        names.first()
    );
    // In exact and in simplified spelling.
    let name = names.iter().find(|name| name.ends_with("×500")).expect("far down");
    assert_eq!(named.resolve(name), named.resolve(&name.replace('×', "*")));
}

/// Names of all objects of the application, except those held only by the runtime.
fn names_of_application(named: &Named) -> BTreeSet<String> {
    let of_application = |&object: &ObjectId| !RuntimeClasses::default().contains(named.class(object));
    named.reachable().filter(of_application).filter_map(|object| named.name(object)).collect()
}

#[test]
fn the_next_dump_has_the_same_names() {
    let (before, after) =
        (names_of_application(&Named::open("leak-before")), names_of_application(&Named::open("leak-after")));
    let removed: Vec<&String> = before.difference(&after).collect();
    assert!(before.len() > 1_000 && removed.is_empty(), "{} of {}: {removed:#?}", removed.len(), before.len());
}

#[test]
fn another_runtime_has_the_same_names() {
    let (old, new) =
        (names_of_application(&Named::open("facts-jdk17")), names_of_application(&Named::open("facts-jdk25")));
    let removed: Vec<&String> = old.difference(&new).collect();
    assert!(old.len() > 300 && removed.is_empty(), "{} of {}: {removed:#?}", removed.len(), old.len());
}

#[test]
fn names_are_the_same_every_time() {
    let (one, other) = (Named::open("facts-jdk17"), Named::open("facts-jdk17"));
    let objects: Vec<ObjectId> = one.reachable().collect();
    let names = |named: &Named, objects: &mut dyn Iterator<Item = &ObjectId>| {
        objects.step_by(7).map(|&object| (object, named.name(object))).collect::<Vec<_>>()
    };
    let forwards = names(&one, &mut objects.iter());
    let mut backwards = names(&other, &mut objects.iter().rev().skip((objects.len() - 1) % 7));
    backwards.reverse();
    assert_eq!(forwards, backwards);
}

#[test]
fn an_unknown_name_error_lists_candidates() {
    let named = Named::open("leak-before");
    for (name, text) in [
        ("desk.SessionCache.ENTRYS", "desk.SessionCache (class) has no .ENTRYS; it has .ENTRIES"),
        (
            "desk.SessionCache.ENTRIES[\"nobody\"]",
            "desk.SessionCache.ENTRIES (java.util.HashMap) has no [\"nobody\"]; it has [\"",
        ),
        ("desk.SesionCache.ENTRIES", "no class desk.SesionCache.ENTRIES; similar classes: desk."),
        ("thread \"nobody\"", "no thread \"nobody\""),
        ("root <JNI Global nothing>", "there are 0 of these"),
        ("desk.SessionCache.ENTRIES!", "ENTRIES continues with !, which is not a step of a name"),
        ("desk.SessionCache.", "desk.SessionCache (class) has no .; it has .ENTRIES"),
        ("desk.SessionCache.ENTRIES[\"us", "has no [\"us; it has [\""),
        ("desk.SessionCache.ENTRIES.table×9,999,999,999", "exceed the number of objects"),
        ("desk.SessionCache.ENTRIES.table×3", "after 1 of 3 steps"),
        ("", "no class "),
    ] {
        let why = named.refusal(name);
        assert!(why.contains(text), "{name}: {why}");
    }
}

#[test]
fn owners_are_the_nearest_application_holders() {
    let named = Named::open("leak-before");
    let owners = |class: &str| -> BTreeSet<String> {
        named.instances(class).into_iter().map(|object| named.owner(object).unwrap_or_default()).collect()
    };
    assert_eq!(owners("desk.Session"), BTreeSet::from(["SessionCache.ENTRIES".to_owned()]));
    assert_eq!(owners("desk.ReportRow"), BTreeSet::from(["Worker.startReport()".to_owned()]));
    // The owner of a session's objects is the session, not the cache.
    let session = named.instances("desk.Session")[0];
    let page = named.resolve(&(named.name(session).expect("reachable") + ".page"));
    assert_eq!(named.owner(page).as_deref(), Some("Session.page"));
}

/// Thousands of nodes of a queue: each owner is independent of the order of queries.
#[test]
fn cached_owners_equal_computed_ones() {
    use std::fmt::Write as _;
    const NODES: usize = 3_000;
    let mut sketch = "class java.lang.Thread
         class java.util.Item
         class java.util.Queue$Node
           field next: object
           field item: object
         class desk.Queue
           field first: object
         class desk.Holder
           static all: object = queue
         queue = desk.Queue first=n0
         root desk.Holder class
         root lone global\n"
        .to_owned();
    for (name, end) in [("n", "held"), ("m", "aside")] {
        for at in 0..NODES {
            let next = if at + 1 < NODES { format!("{name}{}", at + 1) } else { end.to_owned() };
            // Objects in between place the nodes of a chain in every third row, as an allocator does.
            writeln!(
                sketch,
                "{name}i{at} = java.util.Item\n{name}j{at} = java.util.Item\n{name}{at} = java.util.Queue$Node next={next}"
            )
            .expect("writing to a string");
        }
        writeln!(sketch, "{end} = java.util.Queue$Node").expect("writing to a string");
    }
    sketch += "lone = java.util.Queue$Node next=m0\n";
    let named = Named::sketched(&sketch);
    let nodes = named.instances("java.util.Queue$Node");
    assert_eq!(nodes.len(), 2 * NODES + 3);
    let queue = named.instances("desk.Queue")[0];
    let mut random = heaplens_testkit::random::Random::new(5);
    let mut of_queue = 0;
    for _ in 0..2 * nodes.len() {
        let node = *random.pick(&nodes);
        let is_held = named.dump.analysis.dominates(queue, node);
        assert_eq!(named.owner(node).as_deref(), is_held.then_some("Holder.all"), "{node:?}");
        of_queue += usize::from(is_held);
    }
    assert!(of_queue > NODES / 2 && of_queue < 4 * NODES, "{of_queue}");
}

#[test]
fn runtime_classes_own_nothing() {
    let named = Named::open("leak-before").with_runtime_classes("desk.Session");
    let session = named.instances("desk.Session")[0];
    let page =
        named.namer().resolve(&(named.name(session).expect("reachable") + ".page"), &Task::new()).expect("a page");
    assert_ne!(named.owner(page).as_deref(), Some("Session.page"));
    let named = named.with_runtime_classes("replace\njava.");
    assert_eq!(named.owner(page).as_deref(), Some("Session.page"));
}

#[test]
fn planted_collections_own_their_elements() {
    let named = Named::open("facts-jdk17");
    let wasted = named
        .dump
        .facts
        .heap
        .classes
        .iter()
        .find(|(_, class)| &*class.name == "facts.Wasted")
        .and_then(|(_, c)| c.object);
    let wasted = wasted.expect("the class");
    let facts = &named.dump.facts;
    let mut held = 0;
    for field in facts.contents.fields(&facts.heap, wasted).expect("statics") {
        let Some(list) = field.value.object() else { continue };
        let Some(logical) = facts.contents.logical(&facts.heap, list, 0..u64::MAX) else { continue };
        for element in logical.entries.iter().filter_map(|entry| entry.value.object()) {
            if named.dump.analysis.immediate_dominator(element).is_some() {
                held += 1;
                assert_eq!(named.owner(element), Some(format!("Wasted.{}", field.name)));
            }
        }
    }
    assert!(held > 100, "only {held}");
}

/// Names of cuts resolve to the same cuts, and so do user-written names.
#[test]
fn names_of_cuts_resolve() {
    let named = Named::open("leak-after");
    let (heap, task) = (&named.dump.facts.heap, Task::new());
    let cut = |text: &str| named.namer().resolve_cut(text, &task).unwrap_or_else(|error| panic!("{text}: {error}"));
    let back = |cut: &Cut| named.namer().cut_name(cut, &task).expect("not cancelled");
    let (mut by_name, mut all) = (0, 0);
    for object in named.reachable().step_by(151) {
        let some = heap.references(object).iter().filter_map(|&to| ObjectId::from_raw(to)).take(3);
        let references = some.map(|to| Cut::Reference { from: object, to });
        for meant in references.chain([Cut::Object(object), Cut::Class(heap.class_id(object))]) {
            let name = back(&meant);
            assert_eq!(cut(&name), meant, "{name}");
            all += 1;
            by_name += u32::from(!name.starts_with("0x"));
        }
    }
    assert!(by_name > all * 9 / 10, "{by_name} of {all} have a name");

    let object = |name: &str| named.resolve(name);
    let entries = object("desk.SessionCache.ENTRIES");
    let holder = object("desk.SessionCache.class");
    assert_eq!(cut("desk.SessionCache.ENTRIES"), Cut::Reference { from: holder, to: entries });
    assert_eq!(cut("object desk.SessionCache.ENTRIES"), Cut::Object(entries));
    assert_eq!(cut("desk.SessionCache.class"), Cut::Object(holder));
    assert_eq!(cut(&heap.id_text(entries)), Cut::Object(entries));
    assert_eq!(cut(&format!("{}.ENTRIES", heap.id_text(holder))), cut("desk.SessionCache.ENTRIES"));
    let session = heap.classes.named("desk.Session").expect("the class");
    assert_eq!(cut("desk.Session"), Cut::Class(session));
    assert_eq!(cut("desk.Session.cart"), Cut::Field { class: session, name: "cart".into() });
    // The node of a map holds the entry.
    let text = "desk.Samples.colliding";
    let Cut::Reference { from, to } = cut(&format!("{text}{}", first_key(&named, text))) else { panic!("a reference") };
    assert!(named.class(from).starts_with("java.util.HashMap$"), "{}", named.class(from));
    assert!(heap.references(from).contains(&to.raw()));

    for (text, message) in [
        ("desk.Sesion", "no class desk.Sesion; similar classes: desk.Se"),
        ("desk.Session.carts", "desk.Session has no reference .carts; it has .cart"),
        ("desk.SessionCache.ENTRIES.tables", "has no .tables; it has .table"),
        ("0x1", "no object 0x1"),
        ("0x1:0x2", "no object 0x1"),
        (&format!("{0}:{0}", heap.id_text(entries)), "does not refer to"),
        ("", "no class"),
    ] {
        let refused = named.namer().resolve_cut(text, &task).expect_err("it is nothing").to_string();
        assert!(refused.contains(message), "{text}: {refused}");
    }
}

/// Texts with ids resolve too: for every kind of cut, classes of one name, hidden classes and nodes of a snapshot.
#[test]
fn cuts_written_with_ids_resolve() {
    let snapshot = fixtures::path("node/desk-target.heapsnapshot.gz");
    for named in [Named::open("leak-after"), Named::open("facts-jdk25"), Named::at(&snapshot)] {
        let (heap, contents, task) = (&named.dump.facts.heap, &named.dump.facts.contents, Task::new());
        let check = |cut: Cut| {
            let text = cut.text_with_ids(heap);
            assert_eq!(named.namer().resolve_cut(&text, &task), Ok(cut), "{text}");
        };
        for object in named.reachable().step_by(151) {
            let some = heap.references(object).iter().filter_map(|&to| ObjectId::from_raw(to)).take(3);
            some.map(|to| Cut::Reference { from: object, to }).chain([Cut::Object(object)]).for_each(check);
        }
        let is_java = heap.snapshot().is_none();
        for class in heap.classes.iter().map(|(class, _)| class) {
            // Names of constructors may be any text.
            is_java.then(|| check(Cut::Class(class)));
            let fields = contents.named_references(class).into_iter();
            let fields = fields.map(|(_, name)| Cut::Field { class, name: name.into() });
            for cut in fields.chain([Cut::Class(class)]) {
                assert_eq!(cut.text_with_ids(heap), named.namer().cut_name(&cut, &task).expect("not cancelled"));
            }
        }
    }
}

/// Key suffix of a map's first entry, as in names.
fn first_key(named: &Named, map: &str) -> String {
    let refused = named.refusal(&format!("{map}[\"no such key\"]"));
    let keys = refused.split_once("it has ").expect("keys").1;
    keys.split(", [").next().expect("a key").to_owned()
}

/// IBM heap dumps have no field names: references are numbered and written like array elements.
#[test]
fn reference_numbers_resolve_where_fields_have_no_names() {
    for fixture in ["shop-v5.phd", "heapdump.20261122.120000.4711.0001.phd"] {
        let named = Named::at(&fixtures::path("ibm").join(fixture));
        check_names_resolve(&named, 1);
        let names: Vec<String> = named.reachable().filter_map(|object| named.name(object)).collect();
        assert!(names.iter().any(|name| name.ends_with("[0]")), "{fixture}");
        assert!(!names.iter().any(|name| name.contains(".\"[")), "{fixture}: {names:?}");
    }
}

/// A cache of Guava, whose entries are below segments, tables and reference objects.
const GUAVA: &str = r#"
class shop.Geocoder
  static byUrl: object = cache
class com.google.common.cache.LocalCache$LocalManualCache
  field localCache: object
class com.google.common.cache.LocalCache
  field segments: object
class com.google.common.cache.LocalCache$Segment
  field count: int
  field table: object
class java.util.concurrent.atomic.AtomicReferenceArray
  field array: object
class com.google.common.cache.LocalCache$StrongEntry
  field key: object
  field next: object
  field valueReference: object
class com.google.common.cache.LocalCache$StrongValueReference
  field referent: object
class shop.Address
  field street: object
cache = com.google.common.cache.LocalCache$LocalManualCache localCache=local
local = com.google.common.cache.LocalCache segments=segments
segments = java.lang.Object[] one
one = com.google.common.cache.LocalCache$Segment count=2 table=table
table = java.util.concurrent.atomic.AtomicReferenceArray array=array
array = java.lang.Object[] null e1
e1 = com.google.common.cache.LocalCache$StrongEntry key=k1 next=e2 valueReference=r1
e2 = com.google.common.cache.LocalCache$StrongEntry key=k2 valueReference=r2
r1 = com.google.common.cache.LocalCache$StrongValueReference referent=v1
r2 = com.google.common.cache.LocalCache$StrongValueReference referent=v2
k1 = "one"
k2 = "two"
v1 = shop.Address
v2@0x7000 = shop.Address street=street
street@0x7100 = "Main Street"
root shop.Geocoder class
"#;

#[test]
fn names_lead_through_collections_of_libraries() {
    let named = Named::sketched(GUAVA);
    for (id, name) in [("0x7000", "shop.Geocoder.byUrl[\"two\"]"), ("0x7100", "shop.Geocoder.byUrl[\"two\"].street")] {
        let object = named.dump.facts.heap.find(id).expect("an object");
        assert_eq!(named.name(object).as_deref(), Some(name));
        assert_eq!(named.resolve(name), object);
    }
}

/// Superclass and subclass each have a field of one name.
#[test]
fn fields_of_one_name_are_named_with_their_class() {
    let text = r"
class a.Base
  field kept: object
  field other: object
class a.Derived extends a.Base
  field kept: object
class a.Holder
  static it: object = it
it = a.Derived kept=one other=three
one@0x7000 = java.lang.Object
two@0x7100 = java.lang.Object
three@0x7200 = java.lang.Object
root a.Holder class
";
    let mut sketch = heaplens_testkit::notation::read(text).expect("a heap");
    let (it, two) = (sketch.id("it"), sketch.id("two"));
    for object in sketch.objects.iter_mut().filter(|object| object.id == it) {
        if let Body::Instance { fields, .. } = &mut object.body {
            // Own class first.
            fields[1] = SketchValue::Object(two);
        }
    }
    let file = crate::temporary_file(heaplens_testkit::hprof::write(&sketch, heaplens_testkit::hprof::Form::MODERN));
    let named = Named::at(file.path());
    let (heap, contents) = (&*named.dump.facts.heap, &*named.dump.facts.contents);
    let find = |id: &str| heap.find(id).expect("an object");
    for (id, reference, name) in [
        ("0x7000", "Derived.kept", "a.Holder.it.\"Derived.kept\""),
        ("0x7100", "Base.kept", "a.Holder.it.\"Base.kept\""),
        ("0x7200", "other", "a.Holder.it.other"),
    ] {
        let object = find(id);
        assert_eq!(named.name(object).as_deref(), Some(name));
        assert_eq!(named.resolve(name), object);
        let names = contents.reference_names(heap, named.resolve("a.Holder.it"), object, 4);
        assert_eq!(names.iter().map(|name| &*name.text).collect::<Vec<_>>(), [reference]);
    }
    // As earlier versions wrote it.
    assert_eq!(named.resolve("a.Holder.it.kept#2"), find("0x7100"));
    let details = describe(named.dump.data(), named.resolve("a.Holder.it"), 100);
    let names: Vec<&str> = details.fields.iter().map(|field| &*field.name).collect();
    assert_eq!(names, ["Derived.kept", "Base.kept", "other"]);
}
