//! What-if results on random heaps, compared with a naive reference: remove the references and search again. The
//! reference implementation uses no dominator tree.

#![expect(clippy::print_stderr, reason = "prints the seed of a failing heap")]

use std::collections::{BTreeMap, BTreeSet};

use heaplens_analysis::cuts::{
    Cut, SmallestCut, WhatIf, excluded_references, frees_at_least, smallest_cut, what_if, what_if_with_objects,
};
use heaplens_analysis::diff::{Pair, compare};
use heaplens_base::Task;
use heaplens_base::storage::MemoryBudget;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::reach::Holder;
use heaplens_heap::{ClassId, ObjectId, ReferenceKind, Rules, Strength, Totals};
use heaplens_testkit::heaps;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::random::Random;

fn open(seed: u64, objects: u32, rules: Rules) -> Dump {
    let bytes = write(&heaps::random(seed, objects), Form::MODERN);
    crate::open_bytes(bytes, &OpenOptions { rules, ..OpenOptions::default() })
}

/// One reference with its field name; `None` if it is not an instance field.
struct Edge {
    to: ObjectId,
    field: Option<(String, String)>,
    to_class: bool,
    is_static: bool,
    counts: bool,
}

/// References of a dump as adjacency lists.
struct Plain<'a> {
    dump: &'a Dump,
    edges: Vec<Vec<Edge>>,
}

impl<'a> Plain<'a> {
    fn new(dump: &'a Dump) -> Self {
        let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
        let weakest = dump.analysis.rules.min_strength;
        let row = |object: ObjectId| {
            let mut edges: Vec<Edge> = heap
                .class(object)
                .object
                .into_iter()
                .map(|to| Edge { to, field: None, to_class: true, is_static: false, counts: true })
                .collect();
            // Fields that are read account for some of the references; the rest are statics, elements, locals.
            let mut fields = Vec::new();
            if heap.classes.of_object(object).is_none() {
                fields = contents.fields(heap, object).expect("it can be read");
            }
            let mut fields: Vec<(ObjectId, (String, String))> =
                fields.into_iter().filter_map(|f| Some((f.value.object()?, (f.declared_by, f.name)))).collect();
            let is_referent = |field: &(String, String)| field.0 == "java.lang.ref.Reference" && field.1 == "referent";
            for (index, to) in heap.references(object).iter().enumerate() {
                let to = ObjectId::from_raw(*to).expect("an object");
                let first = index == 0 && heap.has_referent_first(object);
                let at = fields.iter().position(|(target, field)| *target == to && is_referent(field) == first);
                let field = at.map(|at| fields.remove(at).1);
                let counts = heap.strength(object, index) <= weakest;
                // Of the references from a class to its superclass or loader, as many as it has static fields with it.
                let is_static = heap.classes.of_object(object).is_some() && {
                    let before = edges.iter().filter(|edge: &&Edge| edge.to == to && !edge.to_class).count();
                    let names = contents.reference_names(heap, object, to, 100);
                    before < names.iter().filter(|name| name.kind == ReferenceKind::Static).count()
                };
                edges.push(Edge { to, field, to_class: false, is_static, counts });
            }
            edges
        };
        Self { dump, edges: heap.objects().map(row).collect() }
    }

    fn is_cut(&self, cuts: &[Cut], from: ObjectId, edge: &Edge) -> bool {
        let heap = &self.dump.facts.heap;
        cuts.iter().any(|cut| match cut {
            Cut::Reference { from: f, to } => !edge.to_class && *f == from && *to == edge.to,
            Cut::Field { class, name } => {
                let declared = declared_by(self.dump, *class, name);
                heap.classes.is_subclass(heap.class_id(from), *class)
                    && edge
                        .field
                        .as_ref()
                        .is_some_and(|field| Some(&field.0) == declared.as_ref() && *field.1 == **name)
            }
            Cut::From(_) | Cut::Package(_) => !edge.to_class && self.is_source(cut, from, edge),
            _ => self.is_gone(cuts, edge.to),
        })
    }

    /// True if a cut removes all references of an object, of a class object the static fields.
    fn is_source(&self, cut: &Cut, from: ObjectId, edge: &Edge) -> bool {
        let heap = &self.dump.facts.heap;
        let class = heap.classes.of_object(from);
        let package = |class: ClassId| heap.classes.get(class).package().to_owned();
        let is_one = match cut {
            Cut::From(of) => match **of {
                Cut::Class(source) => class.unwrap_or(heap.class_id(from)) == source,
                Cut::Reference { to: object, .. } | Cut::Object(object) => object == from,
                ref other => unreachable!("{other:?}"),
            },
            Cut::Package(name) => {
                let package = package(class.unwrap_or(heap.class_id(from)));
                package == **name || package.starts_with(&format!("{name}."))
            }
            other => unreachable!("{other:?}"),
        };
        is_one && (class.is_none() || edge.is_static)
    }

    fn is_no_root(&self, cuts: &[Cut], root: ObjectId) -> bool {
        let is_one = |cut: &Cut| matches!(cut, Cut::Roots(of) if **of == Cut::Object(root));
        self.is_gone(cuts, root) || cuts.iter().any(is_one)
    }

    fn is_gone(&self, cuts: &[Cut], object: ObjectId) -> bool {
        cuts.iter().any(|cut| match cut {
            Cut::Object(removed) => *removed == object,
            Cut::Class(class) => self.dump.facts.heap.class_id(object) == *class,
            Cut::Query { objects, .. } => objects.contains(&object),
            Cut::Loader(loader) => {
                let classes = &self.dump.facts.heap.classes;
                let of = [Some(self.dump.facts.heap.class_id(object)), classes.of_object(object)];
                let its = of.into_iter().flatten().any(|class| classes.get(class).loader == Some(*loader));
                its || object == *loader
            }
            _ => false,
        })
    }

    fn reached(&self, cuts: &[Cut], without: Option<ObjectId>) -> BTreeSet<ObjectId> {
        let roots = self.dump.analysis.roots().objects().iter().filter_map(|&root| ObjectId::from_raw(root));
        let mut waiting: Vec<ObjectId> = roots.filter(|&root| !self.is_no_root(cuts, root)).collect();
        let mut reached = BTreeSet::new();
        while let Some(object) = waiting.pop() {
            if Some(object) != without && reached.insert(object) {
                let left =
                    self.edges[object.index()].iter().filter(|edge| edge.counts && !self.is_cut(cuts, object, edge));
                waiting.extend(left.map(|edge| edge.to));
            }
        }
        reached
    }

    /// Retained sets of single objects: all objects not reached without them.
    fn kept_by(&self, object: ObjectId) -> BTreeSet<ObjectId> {
        let all = self.reached(&[], None);
        let left = self.reached(&[], Some(object));
        all.difference(&left).copied().collect()
    }

    fn totals<'b>(&self, objects: impl Iterator<Item = &'b ObjectId>) -> Totals {
        objects.fold(Totals::default(), |mut all, &object| {
            all.add(Totals { objects: 1, shallow: self.dump.facts.heap.shallow(object) });
            all
        })
    }

    /// Reference result.
    fn what_if(&self, cuts: &[Cut]) -> (Totals, Totals, u64) {
        let (before, after) = (self.reached(&[], None), self.reached(cuts, None));
        let mut targets = BTreeSet::new();
        let is_on_reference =
            |cut: &&Cut| matches!(cut, Cut::Field { .. } | Cut::Reference { .. } | Cut::From(_) | Cut::Package(_));
        let on_references: Vec<Cut> = cuts.iter().filter(is_on_reference).cloned().collect();
        let roots = cuts.iter().filter_map(|cut| if let Cut::Roots(of) = cut { Some(&**of) } else { None });
        targets.extend(roots.filter_map(|of| if let Cut::Object(root) = of { Some(*root) } else { None }));
        for &from in &before {
            // A weak reference that is not followed is a reference nevertheless.
            let row = self.edges[from.index()].iter();
            targets.extend(row.filter(|edge| self.is_cut(&on_references, from, edge)).map(|edge| edge.to));
        }
        targets.retain(|object| before.contains(object) && !self.is_gone(cuts, *object));
        let (mut held, mut paths) = (BTreeSet::new(), 0);
        for &target in &targets {
            let stored = self.kept_by(target);
            held.extend(stored.iter().copied().filter(|object| after.contains(object)));
            if !after.contains(&target) {
                continue;
            }
            let roots = if self.is_no_root(cuts, target) { &[] } else { self.dump.analysis.roots().of(target) };
            paths += roots.len() as u64;
            let holds = |from: &&ObjectId| {
                let mut edges = self.edges[from.index()].iter();
                !stored.contains(from)
                    && edges.any(|edge| edge.to == target && edge.counts && !self.is_cut(cuts, **from, edge))
            };
            paths += after.iter().filter(holds).count() as u64;
        }
        (self.totals(before.difference(&after)), self.totals(held.iter()), paths)
    }
}

/// Class that declares the field of this name of instances of `class`.
fn declared_by(dump: &Dump, class: ClassId, name: &str) -> Option<String> {
    let heap = &dump.facts.heap;
    let named = dump.facts.contents.named_references(class);
    named.into_iter().find(|(_, field)| *field == name).map(|(declares, _)| heap.classes.get(declares).name.to_string())
}

fn some_cut(dump: &Dump, random: &mut Random) -> Option<Cut> {
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let object = ObjectId::from_raw(random.below(heap.len() as u32))?;
    let loader = |object| heap.classes.get(heap.class_id(object)).loader;
    let is_class = heap.classes.of_object(object).is_some();
    let is_root = !dump.analysis.roots().of(object).is_empty();
    Some(match random.below(13) {
        0 => Cut::Object(object),
        1 => Cut::Class(heap.class_id(object)),
        8 if is_root => Cut::Roots(Box::new(Cut::Object(object))),
        9 if !is_class => Cut::From(Box::new(Cut::Object(object))),
        10 => Cut::From(Box::new(Cut::Class(heap.class_id(object)))),
        11 => Cut::Package(heap.class(object).package().into()),
        12 if random.one_in(2) => Cut::Loader(loader(object)?),
        12 => {
            let objects = (0..random.between(1, 5)).filter_map(|_| ObjectId::from_raw(random.below(heap.len() as u32)));
            Cut::Query { text: "SELECT id FROM objects".into(), objects: objects.collect() }
        }
        2..=4 => {
            let fields: Vec<String> =
                contents.named_references(heap.class_id(object)).into_iter().map(|(_, name)| name.to_owned()).collect();
            if fields.is_empty() {
                return None;
            }
            // Declared by the class itself, or by a superclass with a field of the same name.
            let name = random.pick(&fields).clone();
            let above = heap.class(object).superclass.filter(|_| random.one_in(2));
            let class = above.filter(|&a| declared_by(dump, a, &name).is_some()).unwrap_or(heap.class_id(object));
            Cut::Field { class, name: name.into() }
        }
        _ => {
            let row = heap.references(object);
            if row.is_empty() {
                return None;
            }
            Cut::Reference { from: object, to: ObjectId::from_raw(*random.pick(row))? }
        }
    })
}

fn rules(random: &mut Random) -> Rules {
    let weakest = *random.pick(&[Strength::Phantom, Strength::Phantom, Strength::Strong, Strength::Soft]);
    Rules { min_strength: weakest, keep_unreachable: random.one_in(4), ..Rules::default() }
}

/// All reported alternative paths exist, and no more are reported than exist.
fn check_remaining_references(dump: &Dump, plain: &Plain<'_>, cuts: &[Cut], answer: &WhatIf) {
    assert!(answer.other_holders.len() as u64 <= answer.other_references);
    assert_eq!(answer.other_holders.is_empty(), answer.other_references == 0);
    let after = plain.reached(cuts, None);
    for path in &answer.other_holders {
        assert!(after.contains(&path.object));
        match path.holder {
            Holder::Root(kind) => assert!(dump.analysis.roots().of(path.object).iter().any(|root| root.kind == kind)),
            Holder::Object(from) => {
                assert!(after.contains(&from) && !plain.kept_by(path.object).contains(&from));
                let names = dump.facts.contents.reference_names(&dump.facts.heap, from, path.object, 100);
                assert!(names.iter().any(|name| Some(&name.text) == path.reference.as_ref()));
                let mut left = plain.edges[from.index()].iter().filter(|edge| edge.to == path.object && edge.counts);
                let implicit = left.all(|edge| edge.to_class || plain.is_cut(cuts, from, edge));
                assert_eq!(matches!(path.cut, Cut::Class(_)), implicit, "an instance always holds its class");
            }
        }
    }
}

#[test]
fn cutting_equals_removing_and_searching_again() {
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..250 {
        eprintln!("seed {seed}");
        let mut random = Random::new(seed);
        let dump = open(seed, 40, rules(&mut random));
        let plain = Plain::new(&dump);
        for _ in 0..12 {
            let count = random.between(1, 4);
            let cuts: Vec<Cut> = (0..count).filter_map(|_| some_cut(&dump, &mut random)).collect();
            let answer = what_if(dump.data(), &cuts, &Task::new()).expect("not cancelled");
            let (freed, held, paths) = plain.what_if(&cuts);
            assert_eq!(answer.freed, freed, "freed by {cuts:?}");
            assert_eq!(answer.still_held, held, "still held after {cuts:?}");
            assert_eq!(answer.other_references, paths, "other ways after {cuts:?}");
            assert_eq!(answer.unread, 0, "the dump is here");
            assert!(frees_at_least(dump.data(), &cuts) <= freed.shallow, "a bound for {cuts:?}");
            check_remaining_references(&dump, &plain, &cuts, &answer);
            *kinds.entry(if freed.objects > 0 { "freed" } else { "nothing freed" }).or_default() += 1;
            *kinds.entry(if paths > 0 { "held" } else { "not held" }).or_default() += 1;
        }
    }
    assert!(kinds.len() == 4 && kinds.values().all(|&times| times > 100), "{kinds:?} does not try everything");
}

/// Results for a heap with excluded references equal those for a heap created without them.
#[test]
fn a_heap_is_derived_without_cut_references() {
    for seed in 2_000..2_080 {
        eprintln!("seed {seed}");
        let mut random = Random::new(seed);
        let dump = open(seed, 40, rules(&mut random));
        let plain = Plain::new(&dump);
        let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
        for _ in 0..3 {
            let count = random.between(1, 4);
            let cuts: Vec<Cut> = (0..count).filter_map(|_| some_cut(&dump, &mut random)).collect();
            let left_out = excluded_references(dump.data(), &cuts, &Task::new()).expect("not cancelled");
            let without = dump.without(&left_out, &MemoryBudget::default(), &Task::new());
            let without = without.unwrap_or_else(|error| panic!("{error}"));
            let after = plain.reached(&cuts, None);
            assert_eq!(without.analysis.shown, plain.totals(after.iter()), "shown without {cuts:?}");
            for object in heap.objects() {
                assert_eq!(without.analysis.is_reachable(object), after.contains(&object), "{object:?} reachable");
                let left = plain.reached(&cuts, Some(object));
                let stored =
                    if after.contains(&object) { plain.totals(after.difference(&left)) } else { Totals::default() };
                assert_eq!(without.analysis.kept_by(object), stored, "kept by {object:?} without {cuts:?}");
                assert_eq!(without.facts.heap.class_id(object), heap.class_id(object));
                let edges = plain.edges[object.index()].iter().filter(|edge| !edge.to_class);
                let edges = edges.filter(|edge| !plain.is_cut(&cuts, object, edge)).count();
                assert!(without.facts.heap.references(object).len() == edges || !analysis.is_reachable(object));
            }
        }
    }
}

/// Sets of so many of the references between two objects of a heap.
fn sets(references: &[(ObjectId, ObjectId)], count: usize) -> Vec<Vec<Cut>> {
    let cut = |&(from, to): &(ObjectId, ObjectId)| Cut::Reference { from, to };
    match count {
        0 => vec![Vec::new()],
        1 => references.iter().map(|one| vec![cut(one)]).collect(),
        _ => {
            let rest = |at: usize| sets(&references[at + 1..], count - 1);
            let of = |(at, one): (usize, &(ObjectId, ObjectId))| {
                rest(at).into_iter().map(|set| [vec![cut(one)], set].concat()).collect::<Vec<_>>()
            };
            references.iter().enumerate().flat_map(of).collect()
        }
    }
}

/// Removing the smallest set frees the object, and no smaller set does.
#[test]
fn no_set_of_references_that_frees_an_object_is_smaller() {
    let (mut several, task) = (0, Task::new());
    for seed in 0..60 {
        let dump = open(seed, 9, Rules::default());
        let (heap, data) = (&dump.facts.heap, dump.data());
        let frees = |cuts: &[Cut], object| {
            let result = what_if_with_objects(data, cuts, &task).expect("it is not cancelled");
            result.freed.contains(&dump.analysis, object)
        };
        let is_alive =
            |object: ObjectId| heap.classes.of_object(object).is_some() || !dump.analysis.roots().of(object).is_empty();
        let to = |from: ObjectId| heap.references(from).iter().filter_map(|&to| ObjectId::from_raw(to));
        let mut references: Vec<(ObjectId, ObjectId)> =
            heap.objects().flat_map(|from| to(from).map(move |to| (from, to))).collect();
        references.sort_unstable();
        references.dedup();
        references.retain(|&(_, to)| !is_alive(to));
        for object in heap.objects().filter(|&object| dump.analysis.is_reachable(object)) {
            match smallest_cut(data, object, &task).expect("it is not cancelled") {
                SmallestCut::AlwaysAlive => assert!(is_alive(object), "seed {seed}"),
                SmallestCut::References(cuts) => {
                    assert!(!is_alive(object) && frees(&cuts, object), "seed {seed}, {object:?}: {cuts:?}");
                    several += usize::from(cuts.len() > 1);
                    let smaller = sets(&references, cuts.len().saturating_sub(1).min(2));
                    assert!(!smaller.iter().any(|set| frees(set, object)), "seed {seed}, {object:?}: {cuts:?}");
                }
                SmallestCut::HeldByEngine => panic!("seed {seed}: no snapshot"),
                SmallestCut::TooMany => panic!("seed {seed}: a heap of nine objects"),
            }
        }
    }
    assert!(several > 20, "{several} objects need several references");
}

/// The set nearest to the object: of a list whose nodes are held one by one, the reference to the object itself.
#[test]
fn of_two_smallest_sets_the_nearer_one_is_chosen() {
    let bytes = write(&heaps::random(3, 40), Form::MODERN);
    let dump = crate::open_bytes(bytes, &OpenOptions::default());
    for object in dump.facts.heap.objects() {
        let answer = smallest_cut(dump.data(), object, &Task::new()).expect("it is not cancelled");
        if let SmallestCut::References(cuts) = &answer
            && let [Cut::Reference { from, to }] = cuts[..]
        {
            // Nothing nearer holds it alone.
            let above = dump.analysis.immediate_dominator(object);
            assert!(to == object || above.is_some_and(|above| dump.analysis.dominates(to, above)), "{from:?} {to:?}");
        }
    }
}

/// The heap after removals is compared with the heap before by row: what is freed is removed, everything else is itself.
#[test]
fn a_comparison_with_the_heap_after_has_what_is_freed() {
    let mut freed = 0;
    for seed in 0..40 {
        let dump = open(seed, 40, Rules::default());
        let mut random = Random::new(seed);
        let cuts: Vec<Cut> = (0..3).filter_map(|_| some_cut(&dump, &mut random)).collect();
        let left_out = excluded_references(dump.data(), &cuts, &Task::new()).expect("not cancelled");
        let after = dump.without(&left_out, &MemoryBudget::default(), &Task::new()).unwrap_or_else(|e| panic!("{e}"));
        let pair = Pair { before: dump.data(), after: after.data() };
        let comparison = compare(pair, &Task::new()).expect("not cancelled");
        let difference = dump.analysis.shown.shallow.0 as i64 - after.analysis.shown.shallow.0 as i64;
        let sum: i64 = comparison.growth.rows.iter().map(|row| row.bytes.0).sum();
        assert_eq!(sum, -difference, "seed {seed}");
        for object in dump.facts.heap.objects().filter(|&object| dump.analysis.is_reachable(object)) {
            let is_left = after.analysis.is_reachable(object);
            assert_eq!(comparison.matches.after(object), is_left.then_some(object), "seed {seed}");
            freed += usize::from(!is_left);
        }
    }
    assert!(freed > 0, "something is freed");
}
