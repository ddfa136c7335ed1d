//! Objects related to a set, on random heaps, compared with the definitions: searches without the set, without one
//! object at a time, and lists of references. No dominator tree is used.

use std::collections::{BTreeMap, BTreeSet};

use heaplens_analysis::cuts::Cut;
use heaplens_analysis::dominator_tree::{Partition, PartitionBy};
use heaplens_analysis::related::{Related, RelatedKind, related};
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{ClassId, ObjectId, Totals};
use heaplens_testkit::fixtures;
use heaplens_testkit::heaps;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::random::Random;

type Objects = BTreeSet<ObjectId>;

/// Objects reachable from `starts` along references that count, without those that `skips` leaves out.
fn reach(dump: &Dump, starts: &[ObjectId], skips: impl Fn(ObjectId, ObjectId) -> bool) -> Objects {
    let heap = &dump.facts.heap;
    let mut by_class: Objects = starts.iter().copied().collect();
    let mut open: Vec<ObjectId> = starts.to_vec();
    while let Some(from) = open.pop() {
        let weakest = dump.analysis.rules.min_strength;
        let counted = (0..).zip(heap.references(from)).filter(|&(index, _)| heap.strength(from, index) <= weakest);
        let class = heap.class(from).object.into_iter();
        for to in class.chain(counted.filter_map(|(_, &to)| ObjectId::from_raw(to))) {
            if !skips(from, to) && by_class.insert(to) {
                open.push(to);
            }
        }
    }
    by_class
}

/// GC roots that are not in `set`.
fn roots(dump: &Dump, set: &Objects) -> Vec<ObjectId> {
    let roots = dump.analysis.roots().objects().iter().filter_map(|&row| ObjectId::from_raw(row));
    roots.filter(|root| !set.contains(root)).collect()
}

/// Objects still reachable without `set` and without some references.
fn left(dump: &Dump, set: &Objects, cut: &[(ObjectId, ObjectId)]) -> Objects {
    reach(dump, &roots(dump, set), |from, to| set.contains(&to) || cut.contains(&(from, to)))
}

/// Nearest dominator of an object outside `set`: of all objects without which it cannot be reached, the one that all
/// others dominate too.
fn dominator(dump: &Dump, object: ObjectId, set: &Objects, shown: &Objects) -> Option<ObjectId> {
    let dominates =
        |above: ObjectId, below: ObjectId| above != below && !left(dump, &[above].into(), &[]).contains(&below);
    let above: Vec<ObjectId> =
        shown.iter().copied().filter(|one| !set.contains(one) && dominates(*one, object)).collect();
    above.iter().copied().max_by_key(|&one| above.iter().filter(|&&other| dominates(other, one)).count())
}

/// Number of objects and of the set, by class.
fn totals_by_class(related: &Related) -> BTreeMap<Option<ClassId>, (u64, Option<u64>)> {
    related.rows.iter().map(|row| (row.class, (row.totals.objects, row.of_set))).collect()
}

fn by_class(dump: &Dump, objects: &Objects) -> BTreeMap<Option<ClassId>, (u64, Option<u64>)> {
    let mut classes = BTreeMap::new();
    for &object in objects {
        classes.entry(Some(dump.facts.heap.class_id(object))).or_insert((0, None)).0 += 1;
    }
    classes
}

#[test]
fn related_objects_are_those_of_the_definitions() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let size = random.between(8, 60);
        let dump = crate::open_bytes(write(&heaps::random(seed, size), Form::MODERN), &OpenOptions::default());
        let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
        let shown: Objects = heap.objects().filter(|&object| analysis.is_reachable(object)).collect();
        let chosen: Vec<ObjectId> = shown.iter().copied().filter(|_| random.one_in(6)).collect();
        let set: Objects = chosen.iter().copied().collect();
        let of = dump.data();
        let complete = Partition::new(heap, PartitionBy::Class);
        let ask = |by, without: &[Cut]| related(of, &chosen, by, without, &complete, &Task::new()).expect("an answer");

        let removed = |cut: &[(ObjectId, ObjectId)]| -> Objects {
            let left = left(&dump, &set, cut);
            shown.iter().copied().filter(|object| !left.contains(object)).collect()
        };
        assert_eq!(totals_by_class(&ask(RelatedKind::Retained, &[])), by_class(&dump, &removed(&[])), "seed {seed}");

        // A reference that is assumed not to exist adds what only it holds besides the set.
        let mut edges = shown.iter().flat_map(|&from| {
            heap.references(from).iter().filter_map(move |&to| Some((from, ObjectId::from_raw(to)?)))
        });
        if let Some(edge) = edges.find(|_| random.one_in(3)) {
            let below = reach(&dump, &chosen, |_, _| false);
            let expected = removed(&[edge]).intersection(&below).copied().collect();
            let without = [Cut::Reference { from: edge.0, to: edge.1 }];
            // The reference to the class of an object is not one of its own.
            if heap.class(edge.0).object != Some(edge.1) {
                assert_eq!(
                    totals_by_class(&ask(RelatedKind::Retained, &without)),
                    by_class(&dump, &expected),
                    "seed {seed}"
                );
            }
        }

        let mut dominators: Objects = Objects::new();
        let mut counts: BTreeMap<Option<ClassId>, u64> = BTreeMap::new();
        for &object in &chosen {
            let above = dominator(&dump, object, &set, &shown);
            dominators.extend(above);
            *counts.entry(above.map(|above| heap.class_id(above))).or_default() += 1;
        }
        let answer = totals_by_class(&ask(RelatedKind::Dominators, &[]));
        let of_set: BTreeMap<_, _> = answer.iter().map(|(&class, &(_, of_set))| (class, of_set.unwrap_or(0))).collect();
        assert_eq!(of_set, counts, "seed {seed}");
        let classes: BTreeMap<_, _> =
            answer.iter().filter(|(class, _)| class.is_some()).map(|(c, n)| (*c, n.0)).collect();
        let expected: BTreeMap<_, _> = by_class(&dump, &dominators).into_iter().map(|(c, n)| (c, n.0)).collect();
        assert_eq!(classes, expected, "seed {seed}");

        for by in [RelatedKind::Incoming, RelatedKind::Outgoing] {
            let is_edge = |from: ObjectId, to: ObjectId| heap.references(from).contains(&to.raw());
            let is_related = |one: ObjectId, other: ObjectId| {
                if by == RelatedKind::Incoming { is_edge(other, one) } else { is_edge(one, other) }
            };
            let mut objects = Objects::new();
            let mut counts: BTreeMap<Option<ClassId>, BTreeSet<ObjectId>> = BTreeMap::new();
            for (&one, &other) in chosen.iter().flat_map(|one| shown.iter().map(move |other| (one, other))) {
                if is_related(one, other) {
                    objects.insert(other);
                    counts.entry(Some(heap.class_id(other))).or_default().insert(one);
                }
            }
            let expected: BTreeMap<_, _> = by_class(&dump, &objects)
                .into_iter()
                .map(|(class, (objects, _))| (class, (objects, counts.get(&class).map(|of| of.len() as u64))))
                .collect();
            assert_eq!(totals_by_class(&ask(by, &[])), expected, "seed {seed} {by:?}");
        }
    }
}

/// Groups are unions of classes: objects and bytes add up, each object of the set counts once for a group, and bytes
/// that several classes of a group retain count once.
#[test]
fn groups_sum_up_their_classes() {
    let path = fixtures::path("leak-after-jdk25.hprof.gz");
    let dump = heaplens_dump::open_with(path, &OpenOptions::default(), &Task::new()).expect("a dump");
    let heap = &*dump.facts.heap;
    let of = dump.data();
    let map = heap.classes.named("java.util.HashMap").expect("a class");
    let set: Vec<ObjectId> = heap.objects().filter(|&object| heap.class_id(object) == map).collect();
    for by in [PartitionBy::Package, PartitionBy::Loader] {
        let (partition, mut shared) = (Partition::new(heap, by), 0);
        for relation in [RelatedKind::Retained, RelatedKind::Dominators, RelatedKind::Incoming, RelatedKind::Outgoing] {
            let ask = |partition| related(of, &set, relation, &[], partition, &Task::new()).expect("an answer");
            let (classes, groups) = (ask(&Partition::new(heap, PartitionBy::Class)), ask(&partition));
            assert_eq!((groups.set, groups.totals()), (classes.set, classes.totals()), "{by:?} {relation:?}");
            for group in groups.rows.iter().filter(|group| group.class.is_some()) {
                let sum = group.classes.iter().fold(Totals::default(), |sum, class| sum.plus(class.totals));
                assert_eq!(group.totals, sum);
                let ids = group.classes.iter().flat_map(|class| &class.largest);
                for &object in ids {
                    assert_eq!(Some(partition.group_of(heap, object)), group.class);
                }
                let retained: Option<Vec<u64>> =
                    group.classes.iter().map(|class| Some(class.retained?.0)).collect::<Option<_>>();
                if let (Some(complete), Some(parts)) = (group.retained, retained) {
                    assert!(complete.0 <= parts.iter().sum() && Some(&complete.0) >= parts.iter().max());
                    shared += u32::from(complete.0 < parts.iter().sum());
                }
                let of_set: Option<Vec<u64>> = group.classes.iter().map(|class| class.of_set).collect();
                if let (Some(complete), Some(parts)) = (group.of_set, of_set) {
                    let sum: u64 = parts.iter().sum();
                    let adds_up = relation == RelatedKind::Dominators;
                    assert!(
                        Some(&complete) >= parts.iter().max()
                            && if adds_up { complete == sum } else { complete <= sum }
                    );
                }
            }
            if relation == RelatedKind::Dominators {
                let none = |of: &Related| of.rows.iter().find(|row| row.class.is_none()).and_then(|row| row.of_set);
                assert_eq!(none(&groups), none(&classes));
            }
        }
        assert!(shared > 0, "{by:?}: no bytes are retained by several classes of a group");
    }
}
