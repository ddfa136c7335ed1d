//! The reader's answers for generated snapshots, compared with the naive implementation of every rule.

use std::collections::BTreeMap;

use heaplens_analysis::strings::duplicate_strings;
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{ObjectId, SizeModel};
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::random::{mutate, random};
use heaplens_testkit::v8::snapshot::{Edge, Node, Snapshot as Made};
use heaplens_testkit::v8::write::write;

use super::naive::statistics::statistics;
use super::naive::strings::proven_duplicates;
use super::naive::{Mode, Snapshot};

pub(super) fn open(text: &str, mode: Mode) -> Dump {
    let mut options = OpenOptions::default();
    if mode == Mode::Raw {
        options.read.sizes = SizeModel::File;
    }
    crate::open_bytes(text, &options)
}

/// Lists that should be equal, and where they first are not.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, slow: &[T], fast: &[T]) -> Result<(), String> {
    let differ = slow.iter().zip(fast).enumerate().find(|(_, (slow, fast))| slow != fast);
    match differ {
        Some((at, (slow, fast))) => Err(format!("{what}, {at}: {slow:?} by the rules, {fast:?} by the reader")),
        None if slow.len() != fast.len() => {
            let more = slow.get(fast.len()).or_else(|| fast.get(slow.len()));
            Err(format!("{what}: {} by the rules, {} by the reader; {more:?}", slow.len(), fast.len()))
        }
        None => Ok(()),
    }
}

/// Compares all figures of a snapshot in both implementations.
pub(super) fn check(text: &str, mode: Mode) -> Result<(), String> {
    let (slow, dump) = (Snapshot::of(text, mode), open(text, mode));
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let objects: Vec<ObjectId> = heap.objects().collect();
    let of = |by: &dyn Fn(ObjectId) -> String| objects.iter().map(|&object| by(object)).collect::<Vec<_>>();
    let nodes = 0..slow.graph.nodes.len();
    let slowly = |by: &dyn Fn(usize) -> String| nodes.clone().map(by).collect::<Vec<_>>();
    let id = |node: usize| format!("@{}", slow.graph.nodes[node].id);
    same("ids", &slowly(&id), &of(&|object| heap.id_text(object)))?;
    same("sizes", &slowly(&|node| slow.sizes[node].to_string()), &of(&|object| heap.shallow(object).0.to_string()))?;
    let edges = |object: ObjectId| {
        let beside = heap.snapshot().map_or(0, |snapshot| snapshot.non_retaining_targets(object).len());
        format!("{} and {beside}", heap.references(object).len())
    };
    let slow_edges = |node: usize| {
        let hold = slow.essential[node].iter().filter(|&&holds| holds).count();
        format!("{hold} and {}", slow.essential[node].len() - hold)
    };
    same("edges that hold, and others", &slowly(&slow_edges), &of(&edges))?;
    let above = |node: usize| if node == slow.graph.root { "nobody".to_owned() } else { id(slow.dominators[node]) };
    // Children of the root have no dominator in the heap.
    let root = analysis.top(heap).expect("a root");
    let dominator = |object| match analysis.immediate_dominator(object) {
        None if object == root => "nobody".to_owned(),
        by => heap.id_text(by.unwrap_or(root)),
    };
    same("dominators", &slowly(&above), &of(&dominator))?;
    let retained = |object| analysis.retained(object).0.to_string();
    same("retained sizes", &slowly(&|node| slow.retained[node].to_string()), &of(&retained))?;
    let distance = |object| analysis.shown_distance(heap, object).map_or("-5".to_owned(), |steps| steps.to_string());
    same("distances", &slowly(&|node| slow.distances[node].to_string()), &of(&distance))?;
    let detached = |object| heap.snapshot().is_some_and(|snapshot| snapshot.is_detached(object)).to_string();
    same("detached nodes", &slowly(&|node| (slow.detachedness[node] == 2).to_string()), &of(&detached))?;
    let class = |node: usize| slow.classes.names[node].to_string();
    same("classes", &slowly(&class), &of(&|object| heap.class(object).name.to_string()))?;

    let mut table: Vec<_> = slow.table(|_| true).into_iter().collect();
    table.sort_by_key(|group| (group.name.clone(), group.members.clone()));
    let mut groups: Vec<(String, usize, u64, u64)> =
        table.iter().map(|group| (group.name.clone(), group.members.len(), group.self_size, group.retained)).collect();
    groups.sort();
    let listed = heap.classes.iter().filter(|(_, class)| !class.unlisted);
    let totals =
        listed.map(|(id, class)| (class.name.to_string(), analysis.class_totals(id), analysis.class_retained(id)));
    let mut rows: Vec<(String, usize, u64, u64)> = totals
        .filter(|(_, totals, _)| totals.objects > 0)
        .map(|(name, totals, retained)| (name, totals.objects as usize, totals.shallow.0, retained.0))
        .collect();
    rows.sort();
    same("table of classes", &groups, &rows)?;

    let parts = statistics(&slow);
    let actual = heap.snapshot().expect("a snapshot").statistics();
    let actual = [
        actual.total,
        actual.native,
        actual.typed_arrays,
        actual.code,
        actual.strings,
        actual.js_arrays,
        actual.system,
    ];
    let parts =
        [parts.total, parts.native, parts.typed_arrays, parts.code, parts.strings, parts.js_arrays, parts.system];
    same("statistics", &parts, &actual.map(|bytes| bytes.0))?;

    let mut slow_strings: Vec<(usize, u64)> =
        proven_duplicates(&slow).iter().map(|(members, bytes)| (members.len(), *bytes)).collect();
    let strings = duplicate_strings(dump.data(), &Task::new()).expect("not cancelled");
    let mut fast_strings: Vec<(usize, u64)> =
        strings.groups.iter().map(|group| (group.objects as usize, group.shallow.0)).collect();
    slow_strings.sort_unstable();
    fast_strings.sort_unstable();
    same("duplicate strings", &slow_strings, &fast_strings)
}

/// Error message of a snapshot that is read wrong, without numbers.
fn fault(made: &Made, form: &Form, mode: Mode) -> Option<String> {
    let what = check(&write(made, form), mode).err()?;
    Some(what.split([',', ':']).next().unwrap_or_default().to_owned())
}

/// Reduces a snapshot to the fewest nodes and edges that still show the same fault.
fn shrunk(mut made: Made, form: &Form, mode: Mode) -> Made {
    let wrong = fault(&made, form, mode);
    loop {
        let before = made.nodes.len() + made.edge_count();
        for node in (1..made.nodes.len()).rev() {
            let less = made.only(|other| other != node);
            if fault(&less, form, mode) == wrong {
                made = less;
            }
        }
        for (node, edge) in (0..made.nodes.len()).flat_map(|node| (0..100).map(move |edge| (node, edge))) {
            let mut less = made.clone();
            if edge < less.nodes[node].edges.len() {
                less.nodes[node].edges.remove(edge);
                if fault(&less, form, mode) == wrong {
                    made = less;
                }
            }
        }
        if made.nodes.len() + made.edge_count() == before {
            return made;
        }
    }
}

/// A line for each node.
fn drawn(made: &Made) -> String {
    let edge = |edge: &Edge| format!("{} {:?} -> {}", edge.kind, edge.label, edge.to);
    let line = |(at, node): (usize, &Node)| {
        let edges: Vec<_> = node.edges.iter().map(edge).collect();
        let about = format!("{at}: {} {:?} @{}, {} bytes", node.kind, node.name, node.id, node.self_size);
        format!("    {about}, state {}, {}\n", node.detachedness, edges.join(", "))
    };
    made.nodes.iter().enumerate().map(line).collect()
}

/// Prints the seed of each snapshot that is read wrong, and a minimal example of each fault.
fn check_all(made: impl Fn(u64) -> (Made, Form), seeds: std::ops::Range<u64>, mode: Mode) {
    let mut wrong = BTreeMap::<String, Vec<(usize, u64)>>::new();
    for seed in seeds {
        let (made, form) = made(seed);
        if let Some(fault) = fault(&made, &form, mode) {
            wrong.entry(fault).or_default().push((made.nodes.len(), seed));
        }
    }
    let mut lines = String::new();
    for (fault, mut cases) in wrong {
        cases.sort_unstable();
        let (small, form) = made(cases[0].1);
        let small = shrunk(small, &form, mode);
        let what = check(&write(&small, &form), mode).err().unwrap_or_default();
        let some = &cases[..cases.len().min(4)];
        lines += &[format!("{fault}: {} snapshots, {some:?}\n  {what}\n", cases.len()), drawn(&small)].concat();
    }
    assert!(lines.is_empty(), "read wrong, by fault: (nodes, seed)\n{lines}");
}

fn nodes(seed: u64) -> u32 {
    1 + (seed * 13 % 120) as u32
}

#[test]
fn made_up_snapshots_are_read_as_devtools_reads_them() {
    check_all(|seed| (random(seed, nodes(seed)), Form::random(seed)), 0..1000, Mode::DevTools);
}

#[test]
fn small_made_up_snapshots_are_read_as_devtools_reads_them() {
    check_all(|seed| (random(seed, (seed % 7) as u32), Form::node20()), 1000..1400, Mode::DevTools);
}

#[test]
fn without_the_rules_of_devtools_nothing_moves() {
    check_all(|seed| (random(seed, nodes(seed)), Form::random(seed)), 2000..2300, Mode::Raw);
}

#[test]
fn old_snapshots_know_the_detached_by_their_names() {
    let old = |seed| {
        let made = random(seed, nodes(seed));
        (made.only(|node| Form::old().node_types.iter().any(|kind| kind == made.nodes[node].kind)), Form::old())
    };
    check_all(old, 3000..3200, Mode::DevTools);
}

#[test]
fn later_snapshots_have_a_detachedness_field() {
    check_all(|seed| (mutate(&random(seed, nodes(seed)), seed), Form::chromium()), 4000..4200, Mode::DevTools);
}

#[test]
fn the_root_may_be_the_last_node() {
    check_all(|seed| (random(seed, nodes(seed)).root_last(), Form::chromium()), 5000..5200, Mode::DevTools);
}
