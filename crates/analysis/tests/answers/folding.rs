//! The grouped dominator tree on random heaps, compared with its definition: sums are exact, each object is in exactly
//! one row, chains and owners are correct.

#![expect(clippy::print_stderr, reason = "prints the seed of a failing case")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heaplens_analysis::dominator_tree::chains::{CHAIN_AT_LEAST, chain_from};
use heaplens_analysis::dominator_tree::drops::{accumulation_point, big_drops};
use heaplens_analysis::dominator_tree::folding::GROUP_AT_LEAST;
use heaplens_analysis::dominator_tree::shared::{self, MOST_OWNERS, SharedSet};
use heaplens_analysis::dominator_tree::{
    DropRule, FoldInputs, FoldKind, LevelForm, LevelOrder, LevelPart, Partition, PartitionBy, Shared, Source,
};
use heaplens_analysis::runtime_classes::RuntimeClasses;
use heaplens_base::{Bytes, Task};
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{Address, ObjectId, Rules, SizeModel, Strength};
use heaplens_testkit::hprof::{Form as Written, write};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::Sketch;
use heaplens_testkit::{heaps, notation};

const FORMS: [LevelForm; 5] = [
    LevelForm::Plain,
    LevelForm::Folded,
    LevelForm::By(PartitionBy::Class),
    LevelForm::By(PartitionBy::Package),
    LevelForm::By(PartitionBy::Loader),
];
const ORDERS: [LevelOrder; 6] = [
    LevelOrder::Retained,
    LevelOrder::Shallow,
    LevelOrder::Dominated,
    LevelOrder::Class,
    LevelOrder::Address,
    LevelOrder::Growth,
];

fn open(sketch: &Sketch, rules: Rules) -> Dump {
    let mut options = OpenOptions { rules, ..OpenOptions::default() };
    options.read.sizes = SizeModel::Mat;
    crate::open_bytes(write(sketch, Written::MODERN), &options)
}

/// A linked list of `nodes` nodes with one element each, and `more` carts in an array.
fn list(nodes: usize, more: usize) -> (Sketch, Dump) {
    let mut lines = vec![
        "class desk.Node
           field next: object
           field element: object
         class desk.Cart
           field size: int
         class desk.Desk
           static list: object = node0
           static carts: object = carts
         root desk.Desk class"
            .to_owned(),
    ];
    for node in 0..nodes {
        let next = if node + 1 < nodes { format!("next=node{}", node + 1) } else { String::new() };
        lines.push(format!("node{node} = desk.Node {next} element=element{node}"));
        lines.push(format!("element{node} = desk.Cart size={node}"));
    }
    let carts: Vec<String> = (0..more).map(|cart| format!("cart{cart}")).collect();
    lines.push(format!("carts = java.lang.Object[] {}", carts.join(" ")));
    lines.extend(carts.iter().map(|cart| format!("{cart} = desk.Cart size=1")));
    let sketch = notation::read(&lines.join("\n")).expect("a heap");
    let dump = open(&sketch, Rules::default());
    (sketch, dump)
}

fn children(dump: &Dump) -> BTreeMap<Option<ObjectId>, Vec<ObjectId>> {
    let mut children: BTreeMap<Option<ObjectId>, Vec<ObjectId>> = BTreeMap::new();
    for object in dump.facts.heap.objects().filter(|&o| dump.analysis.is_reachable(o)) {
        children.entry(dump.analysis.immediate_dominator(object)).or_default().push(object);
    }
    children
}

/// Length of the run of only children of the same class that starts at an object.
fn run(dump: &Dump, children: &BTreeMap<Option<ObjectId>, Vec<ObjectId>>, head: ObjectId) -> Vec<ObjectId> {
    let class = dump.facts.heap.class_id(head);
    let mut run = vec![head];
    loop {
        let below = children.get(&run.last().copied()).map_or(&[][..], Vec::as_slice);
        let same: Vec<_> = below.iter().filter(|&&o| dump.facts.heap.class_id(o) == class).collect();
        match same[..] {
            [&only] => run.push(only),
            _ => return run,
        }
    }
}

/// Walks all levels and returns the number of chains, groups and shared rows.
fn check(dump: &Dump, form: LevelForm, order: (LevelOrder, bool)) -> [usize; 3] {
    let (heap, analysis, task) = (&*dump.facts.heap, &*dump.analysis, Task::new());
    let by = if let LevelForm::By(by) = form { by } else { PartitionBy::Class };
    let partition = Partition::new(heap, by);
    let shared = Shared::find(dump.data(), &task).expect("not cancelled");
    let shared_by = Some(&shared);
    // Earlier retained sizes: above or below the current ones, some 0.
    let then = |object: ObjectId| Bytes(u64::from(object.raw()) * 37 % 400);
    let folding = FoldInputs {
        dump: dump.data(),
        names_chains: true,
        form,
        partition: &partition,
        shared: shared_by,
        order,
        then: Some(&then),
    };
    let below = children(dump);
    let least = DropRule::of(analysis).least;
    let mut seen = BTreeSet::new();
    let mut counts = [0; 3];
    let mut waiting = vec![(LevelPart::TOP, analysis.shown.shallow)];
    while let Some((part, complete)) = waiting.pop() {
        let rows = folding.rows(part, &|_| true, &task).expect("not cancelled");
        let growth = |object: &ObjectId| {
            let (now, before) = match rows.fold(*object) {
                Some(fold) => (fold.retained, fold.then.unwrap_or(fold.retained)),
                None => (analysis.retained(*object), then(*object)),
            };
            now.0.cast_signed() - before.0.cast_signed()
        };
        if order.0 == LevelOrder::Growth {
            let sorted = rows.rows.is_sorted_by(|a, b| {
                let forwards = (std::cmp::Reverse(growth(a)), a) <= (std::cmp::Reverse(growth(b)), b);
                if order.1 { !forwards } else { forwards }
            });
            assert!(sorted, "{form:?} {part:?}");
        }
        let mut sum = Bytes(0);
        let mut plain: BTreeMap<_, u64> = BTreeMap::new();
        for (at, &object) in rows.rows.iter().enumerate() {
            assert_eq!(rows.position(dump.data(), object), Some(at), "{form:?} {order:?}");
            let is_member = matches!(part.source, Source::Members(_));
            let fold = rows.fold(object);
            let retained = match fold {
                None if is_member => heap.shallow(object),
                None => analysis.retained(object),
                Some(fold) => fold.retained,
            };
            sum += retained;
            match fold.map(|fold| &fold.kind) {
                None => {
                    assert!(seen.insert(object), "{object:?} is in two rows");
                    let is_chain = run(dump, &below, object).len() as u64 >= CHAIN_AT_LEAST;
                    assert!(is_member || form == LevelForm::Plain || !is_chain, "a chain that is not folded");
                    if !is_member && analysis.retained(object) < least {
                        *plain.entry(heap.class_id(object)).or_default() += 1;
                    }
                }
                Some(FoldKind::Chain { chain, .. }) => {
                    counts[0] += 1;
                    let run = run(dump, &below, object);
                    assert_eq!((chain.head, chain.last, chain.objects), (object, run[run.len() - 1], run.len() as u64));
                    assert_eq!(chain.shallow, run.iter().map(|&o| heap.shallow(o)).sum());
                    assert!(run.iter().all(|&o| chain.contains(analysis, o)));
                }
                Some(FoldKind::Members(_)) => {}
                Some(FoldKind::Group(..)) => {
                    counts[1] += 1;
                    let enough = matches!((form, part.only), (LevelForm::By(_), None));
                    assert!(enough || fold.is_some_and(|fold| fold.objects >= GROUP_AT_LEAST));
                    assert_eq!(rows.row_of((heap, analysis), &partition, Some(&shared), object), object);
                }
                Some(FoldKind::Shared(_)) => counts[2] += 1,
            }
            let unfolded = rows.below(analysis, part, object);
            if let (Some(fold), Some(unfolded)) = (fold, unfolded)
                && matches!(fold.kind, FoldKind::Group(..) | FoldKind::Shared(_))
            {
                let members = folding.members(unfolded, &|_| true, &task).expect("not cancelled");
                assert_eq!(fold.then, Some(members.map(then).sum()), "{:?}", fold.kind);
            }
            if let Some(unfolded) = unfolded {
                assert_eq!(rows.unfolds_to(unfolded), Some(object), "{unfolded:?}");
                let own = if fold.is_none() { heap.shallow(object) } else { Bytes(0) };
                waiting.push((unfolded, Bytes(retained.0 - own.0)));
            }
        }
        assert_eq!(sum, complete, "{form:?} {part:?}");
        let is_folded = form == LevelForm::Folded && part.only.is_none() && !matches!(part.source, Source::Members(_));
        assert!(!is_folded || plain.values().all(|&objects| objects < GROUP_AT_LEAST), "many siblings side by side");
    }
    assert_eq!(seen.len() as u64, analysis.shown.objects, "{form:?}");
    counts
}

#[test]
fn rows_of_a_level_partition_the_objects() {
    let mut actual = [0; 3];
    for seed in 0..60 {
        eprintln!("seed {seed}");
        let dump = open(&heaps::random(seed, 250), Rules { keep_unreachable: seed % 3 == 0, ..Rules::default() });
        for form in FORMS {
            let order = (ORDERS[seed as usize % ORDERS.len()], seed % 2 == 0);
            let counts = check(&dump, form, order);
            (0..3).for_each(|at| actual[at] += counts[at]);
        }
    }
    assert!(actual[1] > 0 && actual[2] > 0, "nothing was folded: {actual:?}");
    let (_, dump) = list(40, 25);
    for form in FORMS {
        for order in ORDERS {
            let [chains, groups, _] = check(&dump, form, (order, false));
            assert_eq!(chains, usize::from(form != LevelForm::Plain), "{form:?}");
            assert!(groups > 0 || form == LevelForm::Plain);
        }
    }
}

#[test]
fn a_linked_list_is_one_row_with_its_contents_below() {
    let (sketch, dump) = list(300, 12);
    let (heap, analysis, task) = (&*dump.facts.heap, &*dump.analysis, Task::new());
    let object = |label: &str| heap.at(Address(sketch.id(label))).expect("it is in the heap");
    let partition = Partition::new(heap, PartitionBy::Class);
    let folding = FoldInputs {
        dump: dump.data(),
        names_chains: true,
        form: LevelForm::Folded,
        partition: &partition,
        shared: None,
        order: (LevelOrder::Retained, false),
        then: None,
    };
    let desk = LevelPart::below(
        heap.classes.get(heap.classes.named("desk.Desk").expect("a class")).object.expect("its object"),
    );
    let rows = folding.rows(desk, &|_| true, &task).expect("not cancelled");
    let fold = rows.fold(object("node0")).expect("the list is a chain");
    let FoldKind::Chain { chain, via } = &fold.kind else { panic!("{fold:?}") };
    assert_eq!((chain.objects, chain.last, &**via), (300, object("node299"), ".next"));
    // The elements form a group, the nodes a chain.
    let inside = rows.below(analysis, desk, object("node0")).expect("it expands");
    let rows = folding.rows(inside, &|_| true, &task).expect("not cancelled");
    let kinds: Vec<_> = rows.rows.iter().filter_map(|&row| rows.fold(row)).map(|f| (&f.kind, f.objects)).collect();
    // Only its instances hold the class.
    assert_eq!(rows.rows.len(), 3);
    assert!(kinds.iter().any(|(kind, objects)| matches!(kind, FoldKind::Members(_)) && *objects == 300));
    assert!(
        kinds.iter().any(|(kind, objects)| matches!(kind, FoldKind::Group(PartitionBy::Class, _)) && *objects == 300)
    );
    // Nodes are in list order.
    let members = rows.below(analysis, inside, object("node0")).expect("it expands");
    let nodes = folding.rows(members, &|_| true, &task).expect("not cancelled").rows;
    let expected: Vec<_> = (0..300).map(|node| object(&format!("node{node}"))).collect();
    assert_eq!(nodes, expected);
    // The accumulation point is the list, not its tail.
    let holder = heap.classes.get(heap.classes.named("desk.Desk").expect("a class")).object.expect("its object");
    let drop = accumulation_point(dump.data(), holder, 50, &task).expect("not cancelled");
    assert_eq!((drop.point, drop.biggest.child.map(|o| &*heap.class(o).name)), (object("node0"), Some("desk.Cart")));
}

/// Owners of all shared objects by definition: backward search over referrers.
fn owners(dump: &Dump) -> BTreeMap<ObjectId, BTreeSet<ObjectId>> {
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let top_of = |mut object: ObjectId| {
        while let Some(above) = analysis.immediate_dominator(object) {
            object = above;
        }
        object
    };
    let roots: BTreeSet<u32> = analysis.roots().objects().iter().copied().collect();
    let is_holder = |o: ObjectId| roots.contains(&o.raw()) || heap.classes.of_object(o).is_some();
    let counts = |from: ObjectId, to: ObjectId| {
        let references = heap.references(from).iter().enumerate();
        references
            .filter(|&(_, &o)| o == to.raw())
            .any(|(at, _)| heap.strength(from, at) <= analysis.rules.min_strength)
    };
    let reachable: Vec<ObjectId> = heap.objects().filter(|&o| analysis.is_reachable(o)).collect();
    let at_top = reachable.iter().copied().filter(|&o| analysis.immediate_dominator(o).is_none());
    let owners_of = |object: ObjectId| {
        let (mut owners, mut seen, mut waiting) = (BTreeSet::new(), BTreeSet::from([object]), vec![object]);
        while let Some(held) = waiting.pop() {
            for &from in reachable.iter().filter(|&&from| counts(from, held)) {
                let above = top_of(from);
                if is_holder(above) {
                    owners.insert(above);
                } else if seen.insert(above) {
                    waiting.push(above);
                }
            }
        }
        owners
    };
    at_top.filter(|&o| !is_holder(o)).map(|object| (object, owners_of(object))).collect()
}

#[test]
fn the_owner_is_the_first_application_object_backwards() {
    let (mut shared_objects, mut several) = (0, 0);
    for seed in 0..150 {
        eprintln!("seed {seed}");
        let strengths = [Strength::Phantom, Strength::Strong, Strength::Soft, Strength::Final];
        let rules =
            Rules { min_strength: strengths[seed as usize % 4], keep_unreachable: seed % 5 == 0, ..Rules::default() };
        let dump = open(&heaps::random(seed, 80), rules);
        let analysis = &*dump.analysis;
        let shared = Shared::find(dump.data(), &Task::new()).expect("not cancelled");
        let expected = owners(&dump);
        assert_eq!(shared.all().collect::<Vec<_>>(), expected.keys().copied().collect::<Vec<_>>());
        for (object, owners) in &expected {
            let set = shared.set_of(*object).expect("it is shared");
            assert!(shared.members(set).contains(&object.raw()));
            let actual = shared.sets[set as usize].owners.as_ref();
            if owners.len() > MOST_OWNERS {
                assert_eq!(actual, None);
            } else {
                assert_eq!(actual, Some(&owners.iter().copied().collect()), "{object:?}");
            }
            several += usize::from(owners.len() > 1);
        }
        let all = shared::children(analysis, None, &Task::new()).expect("not cancelled");
        let (among, of_sets) = Shared::among(dump.data(), (None, &all), Bytes(0), &Task::new()).expect("not cancelled");
        assert_eq!(among.all().collect::<Vec<_>>(), shared.all().collect::<Vec<_>>());
        assert_eq!(of_sets.len(), shared.sets.len());
        for (set, members) in (0..).zip(&of_sets) {
            let objects: Vec<u32> = members.iter().map(|&at| all[at as usize].object.raw()).collect();
            assert_eq!((&*objects, among.members(set)), (shared.members(set), shared.members(set)), "set {set}");
        }
        shared_objects += expected.len();
        let retained: Bytes = shared.sets.iter().map(|set| set.retained).sum();
        assert_eq!(retained, expected.keys().map(|&o| analysis.retained(o)).sum());
    }
    assert!(shared_objects > 100 && several > 50, "{shared_objects} {several}");
}

#[test]
fn several_owners_are_one_set_with_field_names() {
    let mut lines = vec![
        "class desk.Order
           field customer: object
         class desk.Cache
           static map: object = both
         class desk.Target
           static request: object = both
         both = desk.Order
         many = desk.Order
         root desk.Cache class
         root desk.Target class"
            .to_owned(),
    ];
    for holder in 0..=MOST_OWNERS {
        lines.push(format!("holder{holder} = desk.Order customer=many"));
        lines.push(format!("root holder{holder} global"));
    }
    let sketch = notation::read(&lines.join("\n")).expect("a heap");
    let dump = open(&sketch, Rules::default());
    let heap = &*dump.facts.heap;
    let shared = Shared::find(dump.data(), &Task::new()).expect("not cancelled");
    let set = |label: &str| {
        let set = shared.set_of(heap.at(Address(sketch.id(label))).expect("it is in the heap")).expect("it is shared");
        shared.sets[set as usize].owners_text()
    };
    assert_eq!(set("both"), "Cache.map and Target.request");
    assert_eq!(set("many"), "many owners");
}

#[test]
fn owners_of_the_runtime_are_named_last_by_the_rules_of_the_user() {
    let sketch = notation::read(
        "class desk.Order
         class desk.Cache
           static map: object = order
         class desk.Target
           static open$delegate: object = order
         order = desk.Order
         root desk.Cache class
         root desk.Target class",
    );
    let dump = open(&sketch.expect("a heap"), Rules::default());
    let owners = |dump: &Dump| {
        let shared = Shared::find(dump.data(), &Task::new()).expect("not cancelled");
        let texts = shared.sets.iter().map(SharedSet::owners_text);
        texts.filter(|text| text.contains("Target.open")).collect::<Vec<_>>()
    };
    assert_eq!(owners(&dump), ["Cache.map and Target.open"]);
    let dump = dump.with_answers(Arc::new(RuntimeClasses::with("desk.Cache")), None);
    assert_eq!(owners(&dump), ["Target.open and Cache.map"]);
}

#[test]
fn big_drops_end_where_no_child_dominates_most() {
    let mut drops_seen = 0;
    for seed in 0..40 {
        let dump = open(&heaps::random(seed, 200), Rules::default());
        let (analysis, task) = (&*dump.analysis, Task::new());
        let below = children(&dump);
        let rule = DropRule { percent: 60, ..DropRule::of(analysis) };
        let drops = big_drops(dump.data(), rule, &task).expect("not cancelled");
        for drop in &drops {
            assert!(analysis.dominates(drop.holder, drop.point) && analysis.retained(drop.holder) >= rule.least);
            if drop.chain.is_none() {
                let most = below.get(&Some(drop.point)).into_iter().flatten().map(|&o| analysis.retained(o)).max();
                assert_eq!(most, drop.biggest.child.map(|_| drop.biggest.retained));
                let part = most.unwrap_or_default().0 * 100;
                assert!(most.is_none() || part < analysis.retained(drop.point).0 * 60);
            }
        }
        let sizes: Vec<_> = drops.iter().map(|drop| analysis.retained(drop.holder)).collect();
        assert!(sizes.windows(2).all(|pair| pair[0] >= pair[1]));
        let tops = below.get(&None).into_iter().flatten().filter(|&&o| analysis.retained(o) >= rule.least);
        tops.for_each(|top| assert!(drops.iter().any(|drop| drop.holder == *top)));
        drops_seen += drops.len();
    }
    assert!(drops_seen > 40);
}

/// Long runs that end at an object with two children of the class, in either order.
#[test]
fn long_chains_end_at_a_branch() {
    let mut random = Random::new(7);
    for _ in 0..20 {
        let nodes = 400;
        let mut lines = vec![
            "class a.Node\n field next: object\n field other: object\n field more: object".to_owned(),
            "class a.Leaf\n field n: int\nclass a.Holder\n static head: object = n0\nroot a.Holder class".to_owned(),
        ];
        for node in 0..nodes {
            let next = if node + 1 < nodes { format!(" next=n{}", node + 1) } else { String::new() };
            // Next to the next node: a leaf, a second node or nothing, at a lower or higher address.
            let field = if random.between(0, 1) == 0 { "other" } else { "more" };
            let beside = match random.between(0, 149) {
                0 => Some("a.Node"),
                1..75 => Some("a.Leaf n=1"),
                _ => None,
            };
            let (mut before, mut after) = (String::new(), String::new());
            if let Some(beside) = beside {
                let index = if random.between(0, 1) == 0 { &mut before } else { &mut after };
                *index = format!("x{node} = {beside}\n");
            }
            let link = if beside.is_some() { format!(" {field}=x{node}") } else { String::new() };
            lines.push(format!("{before}n{node} = a.Node{next}{link}\n{after}"));
        }
        let dump = open(&notation::read(&lines.join("\n")).expect("a heap"), Rules::default());
        let (heap, below) = (&*dump.facts.heap, children(&dump));
        let node = heap.classes.named("a.Node").expect("the class");
        for head in heap.objects().filter(|&object| heap.class_id(object) == node) {
            let expected = run(&dump, &below, head);
            let actual = chain_from(dump.data(), head, &Task::new()).expect("not cancelled");
            let actual = actual.map_or(0, |chain| {
                assert_eq!(Some(&chain.last), expected.last());
                assert_eq!(chain.shallow, expected.iter().map(|&object| heap.shallow(object)).sum::<Bytes>());
                chain.objects
            });
            assert_eq!(actual, if expected.len() >= 4 { expected.len() as u64 } else { 0 });
        }
    }
}
