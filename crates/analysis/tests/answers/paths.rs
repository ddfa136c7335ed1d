//! Paths to GC roots, single and merged, compared with simple reference results on random heaps.

#![expect(clippy::print_stderr, reason = "prints the seed of a failing heap")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use heaplens_analysis::paths::aggregated::{Thresholds, aggregated, classes_over};
use heaplens_analysis::paths::chains::chains;
use heaplens_analysis::paths::finder::Finder;
use heaplens_analysis::paths::ignored::{IgnoredReference, IgnoredReferences};
use heaplens_analysis::paths::merged::{MergeBy, MergedTree, PathTargets, TOP, merged_paths};
use heaplens_analysis::paths::{PathOptions, paths};
use heaplens_base::{Bytes, Task};
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{Address, ClassId, ObjectId, Strength};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::Sketch;
use heaplens_testkit::{heaps, notation};

fn open(sketch: &Sketch) -> Dump {
    crate::open_bytes(write(sketch, Form::MODERN), &OpenOptions::default())
}

const STRENGTHS: [Strength; 5] = [Strength::Strong, Strength::Soft, Strength::Weak, Strength::Final, Strength::Phantom];

/// Targets of all references of at least strength `weakest`, per object.
fn edges(dump: &Dump, weakest: Strength) -> Vec<Vec<ObjectId>> {
    let heap = &dump.facts.heap;
    let row = |object: ObjectId| {
        let references = heap.references(object).iter().enumerate();
        let counting = references.filter(|&(at, _)| heap.strength(object, at) <= weakest);
        heap.class(object).object.into_iter().chain(counting.filter_map(|(_, &to)| ObjectId::from_raw(to))).collect()
    };
    heap.objects().map(row).collect()
}

/// Distances from the nearest root over edges accepted by `open`, without nodes of `avoided`.
fn distances(
    dump: &Dump,
    edges: &[Vec<ObjectId>],
    avoided: &[ObjectId],
    open: impl Fn(ObjectId, ObjectId) -> bool,
) -> BTreeMap<ObjectId, usize> {
    let mut actual = BTreeMap::new();
    let mut waiting: VecDeque<(ObjectId, usize)> =
        dump.analysis.roots().objects().iter().filter_map(|&r| Some((ObjectId::from_raw(r)?, 0))).collect();
    while let Some((object, distance)) = waiting.pop_front() {
        if avoided.contains(&object) || actual.contains_key(&object) {
            continue;
        }
        actual.insert(object, distance);
        waiting.extend(edges[object.index()].iter().filter(|&&to| open(object, to)).map(|&to| (to, distance + 1)));
    }
    actual
}

#[test]
fn alternative_paths_are_distinct_real_and_sorted_by_length() {
    for seed in 0..120 {
        eprintln!("seed {seed}");
        let dump = open(&heaps::random(seed, 50));
        let (heap, contents, analysis) = (&*dump.facts.heap, &*dump.facts.contents, &*dump.analysis);
        let mut random = Random::new(seed);
        for weakest in STRENGTHS {
            let edges = edges(&dump, weakest);
            let ignored: Vec<IgnoredReference> = (0..random.below(4))
                .filter_map(|_| {
                    let from = ObjectId::from_raw(random.below(heap.len() as u32))?;
                    let row = &edges[from.index()];
                    let to = *row.get(random.below(row.len().max(1) as u32) as usize)?;
                    let name = contents.reference_names(heap, from, to, 1).pop()?.text;
                    Some(match random.below(3) {
                        0 => IgnoredReference::Between(from, to),
                        1 => IgnoredReference::Member(from, name),
                        _ => IgnoredReference::ClassField(heap.class(from).name.to_string(), name),
                    })
                })
                .collect();
            let leaves = |from: ObjectId, to: ObjectId| {
                let names = contents.reference_names(heap, from, to, 99);
                names.iter().filter(|name| name.strength <= weakest).any(|name| {
                    !ignored.iter().any(|ignored| match ignored {
                        IgnoredReference::Between(a, b) => (*a, *b) == (from, to),
                        IgnoredReference::Member(object, field) => *object == from && *field == name.text,
                        IgnoredReference::ClassField(class, field) => {
                            let is_it = |id| {
                                heap.classes
                                    .iter()
                                    .any(|(c, it)| *it.name == **class && heap.classes.is_subclass(id, c))
                            };
                            let stands_for = heap.classes.of_object(from);
                            *field == name.text && (is_it(heap.class_id(from)) || stands_for.is_some_and(is_it))
                        }
                    })
                })
            };
            let ignoring = IgnoredReferences::new(heap, &ignored);
            let mut finder = Finder::new(dump.data(), weakest, &ignoring);
            for _ in 0..6 {
                let object = ObjectId::from_raw(random.below(heap.len() as u32)).expect("a row");
                let all = distances(&dump, &edges, &[], leaves);
                let (mut used, mut before) = (Vec::new(), 0);
                // Paths to each referrer that avoid the object itself.
                let past = distances(&dump, &edges, &[object], leaves);
                let mut retainers: BTreeSet<ObjectId> =
                    past.keys().copied().filter(|&r| edges[r.index()].contains(&object) && leaves(r, object)).collect();
                while let Some(path) = finder.next_path(object, &used, &[], &Task::new()).expect("not cancelled") {
                    let length = path.len() - 1;
                    assert!(!analysis.roots().of(path[0]).is_empty() && path.last() == Some(&object));
                    assert!(path.windows(2).all(|s| edges[s[0].index()].contains(&s[1]) && leaves(s[0], s[1])));
                    assert_eq!(path.iter().collect::<BTreeSet<_>>().len(), path.len(), "a step twice");
                    assert!(length >= before, "a shorter way after a longer one");
                    if used.is_empty() {
                        assert_eq!(Some(&length), all.get(&object), "the shortest");
                    }
                    if length == 0 {
                        retainers.clear();
                        break;
                    }
                    let last = path[length - 1];
                    assert!(retainers.remove(&last), "a retainer once");
                    assert_eq!(Some(&(length - 1)), past.get(&last));
                    // The result is repeatable.
                    assert_eq!(finder.next_path(object, &used, &[], &Task::new()), Ok(Some(path)));
                    before = length;
                    used.push(last);
                }
                assert!(retainers.is_empty(), "{object:?} is held otherwise too");
                if ignored.is_empty() && !used.is_empty() {
                    let count = finder.choices(object, None, &Task::new()).expect("not cancelled");
                    let exact = weakest == Strength::Phantom;
                    assert!(count == used.len() || !exact && count > used.len(), "{count} and {}", used.len());
                }
                // A path around an object on the shortest path, if one exists.
                let avoided = [ObjectId::from_raw(random.below(heap.len() as u32)).expect("a row")];
                let round = finder.next_path(object, &[], &avoided, &Task::new()).expect("not cancelled");
                if avoided[0] != object {
                    let expected = distances(&dump, &edges, &avoided, leaves).get(&object).copied();
                    assert_eq!(round.map(|path| path.len() - 1), expected);
                }
            }
        }
    }
}

/// All nodes of a tree with their parents.
fn nodes(tree: &MergedTree) -> Vec<(usize, usize)> {
    let mut actual = Vec::new();
    let mut waiting = vec![TOP];
    while let Some(node) = waiting.pop() {
        for index in 0..tree.node(node).expect("a node").children() {
            let child = tree.child(node, index).expect("a child");
            actual.push((child, node));
            waiting.push(child);
        }
    }
    actual
}

#[test]
fn merged_paths_sum_up_the_single_ones() {
    for seed in 0..120 {
        eprintln!("seed {seed}");
        let dump = open(&heaps::random(seed, 60));
        let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
        let mut random = Random::new(seed);
        for weakest in STRENGTHS {
            let count = 1 + random.below(12);
            let set: Vec<ObjectId> =
                (0..count).filter_map(|_| ObjectId::from_raw(random.below(heap.len() as u32))).collect();
            let distinct: BTreeSet<ObjectId> = set.iter().copied().collect();
            let edges = edges(&dump, weakest);
            let reached = distances(&dump, &edges, &[], |_, _| true);
            let led: BTreeSet<ObjectId> = distinct.iter().copied().filter(|o| reached.contains_key(o)).collect();
            for by in [MergeBy::Object, MergeBy::Class] {
                let of = PathTargets::Objects(Arc::from(set.clone()));
                let tree = merged_paths(dump.data(), &of, by, weakest, &Task::new());
                let tree = tree.expect("not cancelled");
                let top = tree.node(TOP).expect("the top");
                assert_eq!(
                    (u64::from(top.objects), tree.unreached),
                    (led.len() as u64, (distinct.len() - led.len()) as u64)
                );
                assert_eq!(top.shallow.0, led.iter().map(|&o| heap.shallow(o).0).sum::<u64>());
                assert_eq!(top.retained, analysis.retained_together(led.iter().copied()));
                // A class node names the first parent object, which may hold another object.
                let by_class = by == MergeBy::Class;
                let actual = nodes(&tree);
                assert_eq!(actual.len() + 1, tree.len());
                for &(node, above) in &actual {
                    let (it, above) = (tree.node(node).expect("a node"), tree.node(above).expect("a node"));
                    assert!(it.objects > 0 && it.objects <= above.objects && it.retained <= above.retained);
                    let (object, before) = (it.object().expect("an object"), it.before());
                    let held = |by: ObjectId| by_class || edges[by.index()].contains(&object);
                    assert!(before.map_or(!analysis.roots().of(object).is_empty(), held));
                }
                let tops = (0..top.children()).filter_map(|at| tree.node(tree.child(TOP, at)?));
                assert_eq!(tops.map(|node| node.objects).sum::<u32>(), top.objects);
            }
            // Shortest paths of the single objects, over the strongest references, from the nearest root.
            if weakest == Strength::Strong {
                let ignoring = IgnoredReferences::default();
                let mut finder = Finder::new(dump.data(), weakest, &ignoring);
                let mut through: BTreeMap<ObjectId, BTreeSet<ObjectId>> = BTreeMap::new();
                for &object in &led {
                    let path =
                        finder.next_path(object, &[], &[], &Task::new()).expect("not cancelled").expect("a path");
                    for step in path {
                        through.entry(step).or_default().insert(object);
                    }
                }
                let of = PathTargets::Objects(led.iter().copied().collect());
                let tree = merged_paths(dump.data(), &of, MergeBy::Object, weakest, &Task::new());
                let tree = tree.expect("not cancelled");
                let mut steps = 0;
                for (node, _) in nodes(&tree) {
                    let node = tree.node(node).expect("a node");
                    let behind = &through[&node.object().expect("an object")];
                    assert_eq!(node.objects as usize, behind.len());
                    assert_eq!(node.shallow.0, behind.iter().map(|&o| heap.shallow(o).0).sum::<u64>());
                    assert_eq!(node.retained, analysis.retained_together(behind.iter().copied()));
                    steps += node.steps as usize;
                }
                assert_eq!(steps, through.len(), "every object on a way is in one node");
            }
        }
    }
}

/// A linked list of 50 nodes with a string each, held by a static field.
fn list() -> Dump {
    let node = |at: usize| {
        let next = if at == 49 { String::new() } else { format!(" next=n{}", at + 1) };
        format!("n{at} = a.Node{next} text=t{at}\nt{at} = \"text {at}\"\n")
    };
    let classes = "class a.Node\n field next: object\n field text: object\n\
                   class a.Holder\n static head: object = n0\nroot a.Holder class\n";
    let text = classes.to_owned() + &(0..50).map(node).collect::<Vec<_>>().concat();
    open(&notation::read(&text).expect("a heap"))
}

#[test]
fn linked_lists_collapse_in_single_and_merged_paths() {
    let dump = list();
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let ignoring = IgnoredReferences::default();
    let mut finder = Finder::new(dump.data(), Strength::Strong, &ignoring);
    let node = heap.classes.named("a.Node").expect("the class");
    let last = heap.objects().filter(|&o| heap.class_id(o) == node).max_by_key(|&o| analysis.distance(o));
    let path = finder.next_path(last.expect("a node"), &[], &[], &Task::new()).expect("not cancelled").expect("a path");
    let folded = chains(dump.data(), &path, &Task::new()).expect("not cancelled");
    // The owner, the first node, 48 nodes through `next`, and the last one.
    assert_eq!(path.len(), 51);
    assert_eq!(folded.iter().map(|c| (c.first, c.steps, &*c.field)).collect::<Vec<_>>(), [(2, 48, "next")]);

    let shape = |of: &str, by: MergeBy| -> Vec<(String, u32, u32)> {
        let of = PathTargets::Class(heap.classes.named(of).expect("the class"));
        let tree = merged_paths(dump.data(), &of, by, Strength::Strong, &Task::new());
        let tree = tree.expect("not cancelled");
        let row = |(node, _): &(usize, usize)| {
            let it = tree.node(*node).expect("a node");
            let class = heap.class(it.object().expect("an object")).name.to_string();
            (format!("{} {class}", tree.name(*node).unwrap_or_default()), it.steps, it.objects)
        };
        nodes(&tree).iter().map(row).collect()
    };
    let row = |name: &str, steps, objects| (name.to_owned(), steps, objects);
    assert_eq!(shape("a.Node", MergeBy::Object), [row(" java.lang.Class", 1, 50), row(" a.Node", 50, 50)]);
    let by_class = [row(" java.lang.Class", 1, 50), row("head a.Node", 50, 50), row("text java.lang.String", 50, 50)];
    assert_eq!(shape("java.lang.String", MergeBy::Class), by_class);
    // By object, all nodes have a string and a next node, except the last, which has only a string.
    assert_eq!(shape("java.lang.String", MergeBy::Object).len(), 1 + 50 + 50);
}

#[test]
fn ignored_references_print_as_they_were_typed() {
    let dump = list();
    let heap = &dump.facts.heap;
    let node = heap.objects().find(|&o| &*heap.class(o).name == "a.Node").map(|o| heap.id_text(o)).expect("a node");
    for text in
        ["a.Holder.head", "a.Node.next", &format!("{node}.next"), &format!("{node}[7]"), &format!("{node}:{node}")]
    {
        let ignored = IgnoredReference::parse(heap, text).expect("a reference");
        assert_eq!(ignored.text(heap), text);
    }
    for text in ["", "next", ".next", "a.Holder.", "a.Nothing.next", "0x1.next", "0x1:0x2", "0xzz[1]", ":"] {
        assert!(IgnoredReference::parse(heap, text).is_err(), "{text}");
    }
}

#[test]
fn every_class_over_the_thresholds_has_its_tree() {
    for seed in 0..60 {
        eprintln!("seed {seed}");
        let dump = open(&heaps::random(seed, 60));
        let (heap, contents, analysis) = (&*dump.facts.heap, &*dump.facts.contents, &*dump.analysis);
        let mut random = Random::new(seed);
        let least = Thresholds { retained: Bytes(random.below(2_000).into()), objects: random.below(6).into() };
        let members = |class: ClassId| heap.objects().filter(move |&o| heap.class_id(o) == class);
        let shown = |class: ClassId| members(class).filter(|&o| analysis.is_reachable(o)).collect::<Vec<_>>();
        let stored = |class: ClassId| analysis.retained_together(shown(class));
        let over = classes_over(dump.data(), least);
        assert!(over.windows(2).all(|two| stored(two[0]) >= stored(two[1])), "what keeps most alive comes first");
        for (class, _) in heap.classes.iter() {
            let count = shown(class).len() as u64;
            let is_over = count > 0 && count >= least.objects && stored(class) >= least.retained;
            assert_eq!(over.contains(&class), is_over, "{}", heap.classes.get(class).name);
        }
        let trees = aggregated(dump.data(), &over, Strength::Strong, &Task::new()).expect("not cancelled");
        assert_eq!(trees.iter().map(|(class, _)| *class).collect::<Vec<_>>(), over);
        for (class, tree) in trees {
            let led: Vec<ObjectId> = shown(class).into_iter().filter(|&o| analysis.strongly_reachable(o)).collect();
            let top = tree.node(TOP).expect("the top");
            assert_eq!(u64::from(top.objects) + tree.unreached, shown(class).len() as u64);
            assert_eq!(top.shallow, led.iter().map(|&o| heap.shallow(o)).sum());
            assert_eq!(top.retained, analysis.retained_together(led.iter().copied()), "each byte once");
            // Shortest paths of the single objects, as classes and fields, with runs of a class as one step.
            let mut single: BTreeMap<Vec<(ClassId, String)>, u32> = BTreeMap::new();
            for &object in &led {
                let mut path = vec![object];
                while let Some(before) = analysis.predecessor(heap, path[path.len() - 1]) {
                    path.push(before);
                }
                path.reverse();
                let mut steps: Vec<(ClassId, String)> = Vec::new();
                for (at, &step) in path.iter().enumerate() {
                    let class = heap.class_id(step);
                    if steps.last().is_some_and(|(last, _)| *last == class) {
                        continue;
                    }
                    let name = at.checked_sub(1).map_or(String::new(), |before| {
                        let from = path[before];
                        let name = contents.reference_names(heap, from, step, 1).pop().expect("a name").text;
                        if name.starts_with('[') { "[…]".to_owned() } else { name }
                    });
                    steps.push((class, name));
                    *single.entry(steps.clone()).or_default() += 0;
                }
                (1..=steps.len()).for_each(|length| *single.entry(steps[..length].to_vec()).or_default() += 1);
            }
            let mut merged: BTreeMap<Vec<(ClassId, String)>, u32> = BTreeMap::new();
            let mut waiting = vec![(TOP, Vec::new())];
            while let Some((node, above)) = waiting.pop() {
                for child in (0..tree.node(node).expect("a node").children()).filter_map(|at| tree.child(node, at)) {
                    let it = tree.node(child).expect("a node");
                    let class = heap.class_id(it.object().expect("an object"));
                    let name = tree.name(child).unwrap_or_default().to_owned();
                    let steps: Vec<(ClassId, String)> = [above.clone(), vec![(class, name)]].concat();
                    assert!(merged.insert(steps.clone(), it.objects).is_none(), "one node for one name");
                    waiting.push((child, steps));
                }
            }
            assert_eq!(merged, single, "ways to {}", heap.classes.get(class).name);
        }
    }
}

/// One that is weak too, or that an array holds several times, is named by the first that is strong.
#[test]
fn a_path_names_the_first_strong_reference() {
    let sketch = notation::read(
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
    let sketch = sketch.unwrap_or_else(|why| panic!("{why}"));
    let dump = open(&sketch);
    let heap = &*dump.facts.heap;
    let it = heap.at(Address(sketch.id("it"))).expect("it is in the heap");
    let options = PathOptions::default().count(9).max_listed_at_end(9);
    let actual = paths(dump.data(), it, options, &Task::new()).expect("not cancelled");
    let mut last: Vec<_> = actual.iter().filter_map(|path| path.steps.last()?.reference.as_deref()).collect();
    last.sort_unstable();
    assert_eq!(last, ["[0]", "next"]);
}
