//! Text dumps of the old HPROF agent are read back exactly, with the heap that the same sketch has as a binary dump;
//! truncated and damaged ones are read as far as possible.

use std::collections::BTreeMap;

use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::{Address, ObjectId, RootKind, Severity};
use heaplens_testkit::hprof_text::{Agent, write};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::{Id, Sketch};
use heaplens_testkit::{heaps, hprof};

fn try_bytes(bytes: &[u8]) -> Result<Dump, String> {
    let file = crate::temporary_file(bytes);
    open_with(file.path(), &OpenOptions::default(), &Task::new()).map_err(|error| error.to_string())
}

fn open(bytes: &[u8]) -> Dump {
    try_bytes(bytes).expect("a heap")
}

/// Immediate dominators by id.
fn dominators(dump: &Dump) -> BTreeMap<Id, Option<Id>> {
    let heap = &dump.facts.heap;
    let id = |object: ObjectId| heap.address(object).0;
    heap.objects().map(|object| (id(object), dump.analysis.immediate_dominator(object).map(id))).collect()
}

fn classes(dump: &Dump) -> BTreeMap<Id, String> {
    let heap = &dump.facts.heap;
    heap.objects().map(|object| (heap.address(object).0, heap.class(object).name.to_string())).collect()
}

/// Random heap that both formats can represent: without class loaders, which are at address 0 in binary dumps.
fn heap_of(seed: u64) -> Sketch {
    let mut sketch = heaps::random(seed, 300);
    sketch.classes.iter_mut().for_each(|class| class.loader = 0);
    sketch
}

#[test]
fn text_and_binary_give_the_same_answer() {
    for seed in 0..8 {
        let sketch = heap_of(seed);
        let binary = open(&hprof::write(&sketch, hprof::Form::MODERN));
        let (mut expected, mut expected_classes) = (dominators(&binary), classes(&binary));
        // Only a binary dump has the loader at address 0, which also leads to its class.
        let of_loader = sketch.class_named("java.lang.ClassLoader").map_or(0, |class| class.id);
        expected.retain(|&id, _| id != 0 && id != of_loader);
        expected_classes.remove(&0);
        // A synthetic class that a binary dump lacks has no record in the text.
        let known: Vec<Id> = sketch.classes.iter().map(|class| class.id).collect();
        let objects: Vec<Id> = sketch.objects.iter().map(|object| object.id).collect();
        let is_there = |id: &Id| known.contains(id) || objects.contains(id);
        expected.retain(|id, _| is_there(id));
        expected_classes.retain(|id, _| is_there(id));
        for agent in [Agent::Old, Agent::Jdk5] {
            let text = open(write(&sketch, agent, |id| 16 + id % 5 * 8).as_bytes());
            let heap = &text.facts.heap;
            assert_eq!(heap.origin.format.key(), "hprof-text");
            assert_eq!(classes(&text), expected_classes, "seed {seed}, {agent:?}");
            let mut actual = dominators(&text);
            actual.remove(&of_loader);
            assert_eq!(actual, expected, "seed {seed}, {agent:?}");
            for &id in &objects {
                let object = heap.at(Address(id)).expect("an object");
                assert_eq!(heap.shallow(object).0, 16 + id % 5 * 8);
            }
            assert!(heap.notes.iter().all(|note| note.severity == Severity::Info), "{:?}", heap.notes);
        }
    }
}

#[test]
fn fields_elements_threads_and_roots_have_their_names() {
    let text = "JAVA PROFILE 1.0.1, created Sun Mar  9 20:47:24 2008\r\n\r\n\
        THREAD START (obj=50000114, id = 200002, name=\"worker\", group=\"main\")\r\n\
        TRACE 300001:\r\n\tshop.Cart.add(Cart.java:17)\r\n\tshop.Cart.run(Cart.java:5)\r\n\
        HEAP DUMP BEGIN (4 objects, 64 bytes) Sun Mar  9 20:47:55 2008\r\n\
        ROOT 50000114 (kind=<thread>, id=200002, trace=300001)\r\n\
        ROOT 50000200 (kind=<Java stack>, thread=200002, frame=1)\r\n\
        ROOT 50000010 (kind=<system class>, name=java.lang.Object)\r\n\
        CLS 50000010 (name=java.lang.Object, trace=300000)\r\n\
        CLS 50000020 (name=java.lang.Thread, trace=300000)\r\n\tsuper\t\t50000010\r\n\tstatic FIRST\t50000300\r\n\
        CLS 50000030 (name=java.lang.ref.Reference, trace=300000)\r\n\tsuper\t\t50000010\r\n\
        CLS 50000040 (name=java.lang.ref.WeakReference, trace=300000)\r\n\tsuper\t\t50000030\r\n\
        CLS 50000050 (name=java.lang.Object[], trace=300000)\r\n\tsuper\t\t50000010\r\n\
        OBJ 50000114 (sz=96, trace=300000, class=java.lang.Thread@50000020)\r\n\ttarget\t\t50000300\r\n\
        \tinheritedAccessControlContext\t50000400\r\n\
        OBJ 50000200 (sz=24, trace=300000, class=java.lang.ref.WeakReference@50000040)\r\n\
        \tqueue\t\t50000114\r\n\treferent\t50000400\r\n\
        ARR 50000300 (sz=32, trace=300000, nelems=3, elem type=java.lang.Object[]@50000050)\r\n\
        \t[1]\t\t50000400\r\n\t[2]\t\t50000999\r\n\
        ARR 50000400 (sz=16, trace=300000, nelems=2, elem type=char[])\r\nHEAP DUMP END\r\n";
    let dump = open(text.as_bytes());
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let at = |id| heap.at(Address(id)).expect("an object");
    let fields = contents.fields(heap, at(0x5000_0114)).expect("fields");
    let fields: Vec<(String, Option<ObjectId>)> = fields.into_iter().map(|f| (f.name, f.value.object())).collect();
    let expected = [("target", 0x5000_0300), ("inheritedAccessControlContext", 0x5000_0400)];
    assert_eq!(fields, expected.map(|(name, id)| (name.to_owned(), Some(at(id)))));
    assert_eq!(contents.label(heap, at(0x5000_0114)).as_deref(), Some("worker"));
    assert_eq!(contents.stack(heap, at(0x5000_0114)), ["shop.Cart.add(Cart.java:17)", "shop.Cart.run(Cart.java:5)"]);
    let stack = contents.whole_stack(0);
    assert_eq!(stack.frames[1].locals.iter().map(|local| local.object).collect::<Vec<_>>(), [at(0x5000_0200)]);
    // An array has nulls where no line is.
    assert_eq!(contents.array_length(heap, at(0x5000_0300)), Some(3));
    let elements = contents.elements(heap, at(0x5000_0300), 0..9).expect("elements");
    assert_eq!(elements.iter().map(ToString::to_string).collect::<Vec<_>>()[..2], ["null", "object"]);
    assert!(elements[2].to_string().contains("not in the dump"));
    let name = |from, to| contents.reference_names(heap, at(from), at(to), 9)[0].text.clone();
    assert_eq!(name(0x5000_0300, 0x5000_0400), "[1]");
    assert_eq!(name(0x5000_0020, 0x5000_0300), "FIRST");
    assert_eq!(name(0x5000_0020, 0x5000_0010), "<super>");
    assert_eq!(name(0x5000_0114, 0x5000_0200), "<local>");
    let names = contents.reference_names(heap, at(0x5000_0200), at(0x5000_0400), 9);
    assert_eq!((names[0].text.as_str(), names[0].strength.name()), ("referent", "weak"));
    let kinds: Vec<RootKind> = heap.roots.all().iter().map(|root| root.kind).collect();
    assert_eq!(kinds, [RootKind::SystemClass, RootKind::Thread]);
}

#[test]
fn every_truncation_opens_or_reports_why() {
    let complete = write(&heap_of(3), Agent::Jdk5, |_| 16).into_bytes();
    let all = open(&complete).facts.heap.len();
    let mut most = 0;
    let step = (complete.len() / 60).max(1);
    for end in (0..complete.len() - 1).filter(|end| end % step == 0 || end + 16 > complete.len() || *end < 60) {
        match try_bytes(&complete[..end]) {
            Ok(dump) => {
                let heap = &dump.facts.heap;
                assert!(heap.len() <= all && heap.len() >= most, "{end}");
                most = heap.len();
                assert!(heap.is_incomplete(), "{end} of {} bytes: nothing is said", complete.len());
            }
            Err(error) => assert!(most == 0 && error.contains("expected"), "{end}: {error}"),
        }
    }
    assert_eq!(most, all);
}

#[test]
fn flipped_bytes_do_no_harm() {
    let complete = write(&heap_of(4), Agent::Jdk5, |_| 16).into_bytes();
    let mut random = Random::new(7);
    for _ in 0..60 {
        let mut bytes = complete.clone();
        for _ in 0..4 {
            let at = random.below(bytes.len() as u32) as usize;
            bytes[at] = random.below(256) as u8;
        }
        // Either answer is right; neither is a panic.
        let _opened = try_bytes(&bytes).map(|dump| dump.facts.heap.len());
    }
}

#[test]
fn files_without_a_dump_and_with_several_say_so() {
    let header = "JAVA PROFILE 1.0.1, created Sun Mar  9 20:47:24 2008\n\nTRACE 1:\n\t<empty>\n";
    let error = try_bytes(header.as_bytes()).map(|dump| dump.facts.heap.len()).expect_err("no dump");
    assert!(error.contains("HEAP DUMP BEGIN") && error.contains("heap=dump"), "{error}");
    let one = write(&heap_of(5), Agent::Jdk5, |_| 16);
    let begin = one.find("HEAP DUMP BEGIN").expect("a dump");
    let two = format!("{one}{}", &one[begin..]);
    let dump = open(two.as_bytes());
    assert!(dump.facts.heap.notes.iter().any(|note| note.message.contains("before the last one")));
    // Classes that are their own superclasses.
    let ring = format!(
        "{header}HEAP DUMP BEGIN (0 objects, 0 bytes) x\nCLS 1 (name=A, trace=0)\n\tsuper\t2\nCLS 2 (name=B, trace=0)\n\
         \tsuper\t1\nCLS 3 (name=C, trace=0)\n\tsuper\t3\nHEAP DUMP END\n"
    );
    assert_eq!(open(ring.as_bytes()).facts.heap.len(), 3);
}
