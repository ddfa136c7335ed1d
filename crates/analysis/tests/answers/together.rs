//! Combined retained sizes, compared with the definition: sets of objects and groups of classes on random heaps; threads
//! and finalizers on hand-written heaps.

#![expect(clippy::print_stderr, reason = "prints the seed of a failing case")]

use std::collections::{BTreeMap, BTreeSet};

use heaplens_analysis::finalizers::{FinalizerState, finalizers};
use heaplens_analysis::holders::holders;
use heaplens_analysis::retained::retained_set;
use heaplens_analysis::roots::roots_by_kind;
use heaplens_analysis::threads::{stack, threads};
use heaplens_analysis::unreachable::Unreachable;
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{Address, ObjectId, RootKind, Rules, SizeModel, Strength, ThreadState};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::Sketch;
use heaplens_testkit::{heaps, notation};

fn open(sketch: &Sketch, rules: Rules) -> Dump {
    let mut options = OpenOptions { rules, ..OpenOptions::default() };
    // Class objects without static fields have size 0 by these rules, so sums cover the objects of the sketch.
    options.read.sizes = SizeModel::Mat;
    crate::open_bytes(write(sketch, Form::MODERN), &options)
}

/// Objects reached from `roots` if `removed` is removed.
fn reached(dump: &Dump, roots: &[u32], removed: &BTreeSet<ObjectId>) -> BTreeSet<ObjectId> {
    let (heap, weakest) = (&dump.facts.heap, dump.analysis.rules.min_strength);
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<ObjectId> = roots.iter().filter_map(|&root| ObjectId::from_raw(root)).collect();
    while let Some(object) = waiting.pop() {
        if removed.contains(&object) || !reached.insert(object) {
            continue;
        }
        waiting.extend(heap.class(object).object);
        let references = heap.references(object).iter().enumerate();
        let counting = references.filter(|&(position, _)| heap.strength(object, position) <= weakest);
        waiting.extend(counting.filter_map(|(_, &to)| ObjectId::from_raw(to)));
    }
    reached
}

fn some_rules(seed: u64) -> Rules {
    let strengths = [Strength::Phantom, Strength::Strong, Strength::Soft, Strength::Final];
    Rules { min_strength: strengths[seed as usize % 4], keep_unreachable: seed.is_multiple_of(3), ..Rules::default() }
}

#[test]
fn sets_and_groups_match_the_definition_of_retained_size() {
    for seed in 0..150 {
        eprintln!("seed {seed}");
        let dump = open(&heaps::random(seed, 60), some_rules(seed));
        let (heap, analysis, task) = (&*dump.facts.heap, &*dump.analysis, Task::new());
        let mut random = Random::new(seed);
        let roots = analysis.roots().objects();
        let all = reached(&dump, roots, &BTreeSet::new());
        let shallow = |objects: &BTreeSet<ObjectId>| objects.iter().map(|&o| heap.shallow(o).0).sum::<u64>();
        for _ in 0..6 {
            let count = random.below(8);
            // With duplicates and unreachable objects.
            let set: Vec<ObjectId> =
                (0..count).filter_map(|_| ObjectId::from_raw(random.below(heap.len() as u32))).collect();
            let removed: BTreeSet<ObjectId> = set.iter().copied().collect();
            let freed: BTreeSet<ObjectId> = all.difference(&reached(&dump, roots, &removed)).copied().collect();
            let answer = retained_set(dump.data(), &set, &task).expect("not cancelled");
            assert_eq!((answer.retained.0, answer.retained_objects), (shallow(&freed), freed.len() as u64));
            assert_eq!(answer.objects, removed.intersection(&all).count() as u64);
            let below = |&object: &ObjectId| removed.iter().any(|&member| analysis.dominates(member, object));
            let dominated: BTreeSet<ObjectId> = all.iter().copied().filter(below).collect();
            assert_eq!(answer.dominated.0, shallow(&dominated));
            assert!(answer.dominated <= answer.retained);
            let held = holders(dump.data(), &set, &task).expect("not cancelled");
            assert_eq!(
                (held.objects, held.shallow, held.dominated),
                (answer.objects, answer.shallow, answer.dominated)
            );
            let mut nearest: BTreeMap<Option<ObjectId>, u64> = BTreeMap::new();
            for &member in removed.intersection(&all) {
                let mut above = analysis.immediate_dominator(member);
                while let Some(inside) = above.filter(|above| removed.contains(above)) {
                    above = analysis.immediate_dominator(inside);
                }
                *nearest.entry(above).or_default() += 1;
            }
            let actual: BTreeMap<_, _> = held.holders.iter().map(|holder| (holder.object, holder.objects)).collect();
            assert_eq!((actual.len(), actual), (held.holders.len(), nearest));
            assert!(held.holders.is_sorted_by_key(|holder| std::cmp::Reverse(holder.objects)));
        }
        let group_of: Vec<u32> = heap.classes.iter().map(|_| random.below(4)).collect();
        let group = |object: ObjectId| group_of[heap.class_id(object).index()];
        let totals = analysis.retained_by_group(group, 3, &task).expect("not cancelled");
        for (number, total) in (0..).zip(totals) {
            let members: Vec<ObjectId> = all.iter().copied().filter(|&object| group(object) == number).collect();
            let below = |&object: &ObjectId| members.iter().any(|&member| analysis.dominates(member, object));
            assert_eq!(total.0, shallow(&all.iter().copied().filter(below).collect()), "group {number}");
        }
        let dead = Unreachable::find(dump.data(), &task).expect("not cancelled");
        let alive = reached(&dump, heap.roots.objects(), &BTreeSet::new());
        assert!(heap.objects().all(|object| dead.contains(object) != alive.contains(&object)));
        for kind in roots_by_kind(&*dump.facts.contents, analysis) {
            let below = |&object: &ObjectId| kind.objects.iter().any(|&root| analysis.dominates(root, object));
            let expected = shallow(&all.iter().copied().filter(below).collect());
            assert_eq!(kind.retained.0, expected, "{}", kind.kind.name());
        }
    }
}

/// A cycle of superclasses does not cause an endless loop.
#[test]
fn subclasses_are_found_in_any_table() {
    for seed in 0..60 {
        let dump = open(&heaps::random(seed, 40), Rules::default());
        let classes = &dump.facts.heap.classes;
        for (ancestor, _) in classes.iter() {
            let below = classes.all_below(&[ancestor]);
            assert!(classes.iter().all(|(class, _)| below[class.index()] == classes.is_subclass(class, ancestor)));
        }
    }
}

#[test]
fn threads_show_state_and_retained_size_per_frame() {
    let sketch = notation::read(
        "class java.lang.Thread
           field name: object
           field holder: object
           field tid: long
           field contextClassLoader: object
         class java.lang.Thread$FieldHolder
           field daemon: boolean
           field priority: int
           field threadStatus: int
         class java.lang.BaseVirtualThread extends java.lang.Thread
         class java.lang.VirtualThread extends java.lang.BaseVirtualThread
           field state: int
           static PARKED: int = 4
           static TERMINATED: int = 99
         class java.lang.OutOfMemoryError
         class desk.Till
         clerk = java.lang.Thread name=name holder=held tid=17
         held = java.lang.Thread$FieldHolder daemon=true priority=7 threadStatus=0x401
         light = java.lang.VirtualThread state=0x104 tid=18
         name = \"clerk\"
         kept = java.lang.Object[] inner
         inner = desk.Till
         other = desk.Till
         shared = desk.Till
         waited = desk.Till
         root clerk thread 7 trace 3
         root kept frame 7 1
         root inner frame 7 1
         root clerk frame 7 1
         root other local 7 0
         root shared frame 7 0
         root shared global
         root light global
         root waited block 7
         trace 3 thread 7
           frame java.lang.OutOfMemoryError.<init> ()V OutOfMemoryError.java 48
           frame desk.Till.sell (I)V Till.java 12
         trace 4 thread 9
           frame desk.Till.close (I)V Till.java 20",
    )
    .expect("a heap");
    let dump = open(&sketch, Rules::default());
    let (heap, contents, analysis) = (&*dump.facts.heap, &*dump.facts.contents, &*dump.analysis);
    let rows = threads(dump.data(), &Task::new()).expect("not cancelled");
    assert_eq!(rows.len(), 3);
    let object = |label: &str| heap.at(Address(sketch.id(label))).expect("it is in the heap");
    let of = |label: &str| rows.iter().find(|row| row.object == Some(object(label))).expect("a thread");
    let (clerk, light) = (of("clerk"), of("light"));
    assert_eq!((clerk.name.as_deref(), clerk.daemon, clerk.priority), (Some("clerk"), Some(true), Some(7)));
    assert_eq!((clerk.state, clerk.tid, clerk.is_virtual), (Some(ThreadState::Blocked), Some(17), false));
    assert!(clerk.out_of_memory && !light.out_of_memory);
    // Parked and suspended.
    assert_eq!((light.state, light.is_virtual), (Some(ThreadState::Waiting), true));
    let stack_of = stack(contents, analysis, clerk);
    let frames: Vec<&str> = stack_of.frames.iter().map(|frame| &*frame.text).collect();
    assert_eq!(frames, ["java.lang.OutOfMemoryError.<init>(OutOfMemoryError.java:48)", "desk.Till.sell(Till.java:12)"]);
    // The frame does not retain an object that a global reference also holds.
    assert_eq!(stack_of.frames[0].retained, heap.shallow(object("other")));
    // Elements of the array are also local variables: the frame retains both, each once, but not the thread.
    assert_eq!(stack_of.frames[1].retained, heap.shallow(object("kept")) + heap.shallow(object("inner")));
    assert_eq!(stack_of.frames[1].locals.len(), 3);
    assert_eq!(stack_of.outside[0].kind, RootKind::ThreadBlock);
    let without = rows.iter().find(|row| row.object.is_none()).expect("a thread without an object");
    assert_eq!(stack(contents, analysis, without).frames[0].text, "desk.Till.close(Till.java:20)");
}

#[test]
fn finalizers_run_wait_or_are_registered() {
    let sketch = notation::read(
        "class java.lang.Thread
           field name: object
         class java.lang.ref.Reference
           field referent: object
           field next: object
         class java.lang.ref.FinalReference extends java.lang.ref.Reference
         class java.lang.ref.Finalizer extends java.lang.ref.FinalReference
           field after: object
           static queue: object = queue
           static unfinalized: object = first
         class java.lang.ref.ReferenceQueue
           field head: object
         class java.lang.ref.Finalizer$FinalizerThread extends java.lang.Thread
         class desk.Receipt
         class desk.Stream
         queue = java.lang.ref.ReferenceQueue head=w1
         w1 = java.lang.ref.Finalizer referent=a next=w2
         w2 = java.lang.ref.Finalizer referent=b next=w2
         first = java.lang.ref.Finalizer referent=c after=done
         done = java.lang.ref.Finalizer
         now = java.lang.ref.Finalizer referent=d
         a = desk.Receipt
         b = desk.Receipt
         c = desk.Stream
         d = desk.Receipt
         worker = java.lang.ref.Finalizer$FinalizerThread
         root java.lang.ref.Finalizer class
         root worker thread 3 trace 5
         root now frame 3 0
         trace 5 thread 3
           frame java.lang.ref.Finalizer.runFinalizer ()V Finalizer.java 87",
    )
    .expect("a heap");
    let dump = open(&sketch, Rules::default());
    let heap = &*dump.facts.heap;
    let rows = finalizers(dump.data(), &Task::new()).expect("not cancelled");
    let rows: Vec<(FinalizerState, &str, usize)> =
        rows.iter().map(|row| (row.state, &*heap.classes.get(row.class).name, row.objects.len())).collect();
    let expected = [
        (FinalizerState::Running, "desk.Receipt", 1),
        (FinalizerState::Waiting, "desk.Receipt", 2),
        (FinalizerState::Registered, "desk.Stream", 1),
    ];
    assert_eq!(rows, expected);
    let first = heap.at(Address(sketch.id("first"))).expect("it is in the heap");
    assert_eq!(heap.strength(first, 0), Strength::Final);
    // Without finalizer and weaker references, only objects without pending finalizer are left.
    let strong = open(&sketch, Rules { min_strength: Strength::Soft, ..Rules::default() });
    let c = strong.facts.heap.at(Address(sketch.id("c"))).expect("it is in the heap");
    assert!(!strong.analysis.is_reachable(c));
}
