//! Random snapshots of JavaScript engines. The file without the references is what the engine writes after a garbage
//! collection.

use std::collections::BTreeMap;

use heaplens_analysis::cuts::Cut;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{Address, ObjectId};
use heaplens_testkit::heaps;
use heaplens_testkit::random::Random;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::random::random as random_snapshot;
use heaplens_testkit::v8::sketch_conversion::snapshot;
use heaplens_testkit::v8::snapshot::{Label, Snapshot, Text};
use heaplens_testkit::v8::storage::StorageEdge;
use heaplens_testkit::v8::write::write;

use super::{Row, cut, difference, rows};

/// References to remove from a snapshot, by index of the node.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Removal {
    Reference(usize, usize),
    Object(usize),
    Class(Text),
    /// All references from an object of the program.
    From(usize),
}

impl Removal {
    /// `stored` are the edges by which the engine stores properties and elements.
    fn random(of: &Snapshot, stored: &[StorageEdge], random: &mut Random) -> Option<Self> {
        let any = random.below(of.nodes.len() as u32) as usize;
        let from = if random.one_in(2) && !stored.is_empty() { random.pick(stored).owner } else { any };
        // The program can remove references of its own objects.
        if of.nodes[from].kind != "object" {
            return None;
        }
        Some(match random.below(9) {
            8 => Self::From(from),
            0 => Self::Object(from),
            1 => Self::Class(of.nodes[from].name.clone()),
            _ => {
                let edges = of.nodes[from].edges.iter().filter(|edge| edge.kind != "weak" && edge.to != from);
                let targets: Vec<usize> = edges.map(|edge| edge.to).collect();
                (!targets.is_empty()).then(|| Self::Reference(from, *random.pick(&targets)))?
            }
        })
    }

    fn as_cut(&self, dump: &Dump, of: &Snapshot) -> Cut {
        let object = |node: usize| dump.facts.heap.at(Address(of.nodes[node].id)).expect("a node of the file");
        match self {
            Self::Reference(from, to) => Cut::Reference { from: object(*from), to: object(*to) },
            Self::Object(node) => Cut::Object(object(*node)),
            Self::From(node) => Cut::From(Box::new(Cut::Object(object(*node)))),
            Self::Class(name) => {
                let node = of.nodes.iter().position(|node| node.kind == "object" && node.name == *name);
                Cut::Class(dump.facts.heap.class_id(object(node.expect("an object of the class"))))
            }
        }
    }

    fn apply(&self, to: &Snapshot, stored: &[StorageEdge]) -> Snapshot {
        let without_nodes = |is_removed: &dyn Fn(usize) -> bool| {
            let mut left = to.clone();
            left.nodes.iter_mut().for_each(|node| node.edges.retain(|edge| !is_removed(edge.to)));
            left
        };
        match self {
            Self::Reference(from, node) => to.without(*from, *node, stored),
            Self::Object(node) => without_nodes(&|to| to == *node),
            Self::From(node) => {
                let mut left = to.clone();
                left.nodes[*node].edges.clear();
                left
            }
            Self::Class(name) => {
                let is_instance = |node: usize| to.nodes[node].kind == "object" && to.nodes[node].name == *name;
                without_nodes(&is_instance)
            }
        }
    }
}

fn open(made: &Snapshot, form: &Form) -> Dump {
    crate::open_bytes(write(made, form).as_bytes(), &OpenOptions::default())
}

/// Objects of the program, and the two nodes above them all.
fn of_program(made: &Snapshot, mut rows: BTreeMap<u64, Row>, counts: bool) -> BTreeMap<u64, Row> {
    let ids = made.nodes.iter().filter(|node| ["object", "synthetic"].contains(&node.kind)).map(|node| node.id);
    let ids: Vec<u64> = ids.collect();
    rows.retain(|id, _| ids.contains(id));
    rows.values_mut().filter(|_| !counts).for_each(|row| row.objects = 0);
    rows
}

fn check(with_storage: bool) {
    let (mut compared, mut freed) = (0, 0);
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let mut made = snapshot(&heaps::random(seed, 10 + random.below(60)), |id| 8 + id % 8);
        let stored = if with_storage { made.store_all(&mut random) } else { Vec::new() };
        let form = Form::random(seed);
        let dump = open(&made, &form);
        for _ in 0..3 {
            let count = if random.one_in(2) { 1 } else { random.between(2, 10) };
            let removals: Vec<Removal> =
                (0..count).filter_map(|_| Removal::random(&made, &stored, &mut random)).collect();
            let cuts: Vec<Cut> = removals.iter().map(|removal| removal.as_cut(&dump, &made)).collect();
            let edited = removals.iter().fold(made.clone(), |made, removal| removal.apply(&made, &stored)).collected();
            let (before, derived) = (rows(&dump), rows(&cut(&dump, &cuts)));
            let [derived, written] =
                [derived, rows(&open(&edited, &form))].map(|rows| of_program(&made, rows, !with_storage));
            let differs = difference(&derived, &written);
            assert_eq!(differs, None, "seed {seed}, {removals:?}");
            compared += 1;
            freed += u32::from(derived.len() < before.len());
        }
    }
    assert!(compared > 250 && freed > 80, "{compared}, {freed}");
}

#[test]
fn cuts_of_a_snapshot_equal_a_file_without_the_references() {
    check(false);
}

/// The storage of properties has no size, and may be shared by several objects: only objects of the program are compared.
#[test]
fn cuts_of_a_snapshot_with_storage_equal_a_file_without_the_references() {
    check(true);
}

/// A page, whose objects the engine holds once the page does not. The size of an object of the engine counts for its
/// only owner in the file: that may be another one after a cut, so no sizes are compared.
#[test]
fn cuts_of_a_page_equal_a_file_without_the_references() {
    let (mut compared, mut freed) = (0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let made = retaining(random_snapshot(seed, 20 + random.below(60))).collected();
        let form = Form::random(seed);
        let dump = open(&made, &form);
        if has_orphans(&dump) {
            continue;
        }
        for _ in 0..3 {
            let from = random.below(made.nodes.len() as u32) as usize;
            let edges = made.nodes[from].edges.iter().filter(|edge| edge.kind != "weak" && edge.to != from);
            let targets: Vec<usize> = edges.map(|edge| edge.to).collect();
            if targets.is_empty() || from == made.root {
                continue;
            }
            let removal = Removal::Reference(from, *random.pick(&targets));
            let edited = removal.apply(&made, &[]).collected();
            let (before, derived) = (rows(&dump), rows(&cut(&dump, &[removal.as_cut(&dump, &made)])));
            let shape = |rows: &BTreeMap<u64, Row>| -> BTreeMap<u64, Row> {
                rows.iter().map(|(&id, row)| (id, Row { shallow: 0, retained: 0, path: None, ..row.clone() })).collect()
            };
            let differs = difference(&shape(&derived), &shape(&rows(&open(&edited, &form))));
            assert_eq!(differs, None, "seed {seed}, {removal:?}");
            compared += 1;
            freed += u32::from(derived.len() < before.len());
        }
    }
    assert!(compared > 300 && freed > 80, "{compared}, {freed}");
}

/// Without edges that keep an object in the file and retain nothing (shortcuts within the heap, entries of weak maps),
/// and with shortcuts as the only edges from the root to objects of the page, as engines write them.
fn retaining(mut made: Snapshot) -> Snapshot {
    let root = made.root;
    let is_synthetic: Vec<bool> = made.nodes.iter().map(|node| node.kind == "synthetic").collect();
    for (from, node) in made.nodes.iter_mut().enumerate() {
        // What is in use for the moment holds nothing after a cut, and yet is in the edited file.
        if node.name.to_string() == "(Stack roots)" {
            node.name = "(Eternal handles)".into();
        }
        node.edges.retain(|edge| {
            let is_entry = matches!(&edge.label, Label::Name(name) if name.to_string().contains("part of key"));
            !is_entry && (edge.kind == "shortcut") == (from == root && !is_synthetic[edge.to])
        });
    }
    made
}

/// True if the file has objects that are shown although no reference that retains leads to them from a root.
fn has_orphans(dump: &Dump) -> bool {
    let mut reached = vec![false; dump.facts.heap.len()];
    let mut waiting: Vec<ObjectId> =
        dump.analysis.roots().objects().iter().filter_map(|&row| ObjectId::from_raw(row)).collect();
    while let Some(object) = waiting.pop() {
        if !std::mem::replace(&mut reached[object.index()], true) {
            waiting.extend(dump.references_of(object));
        }
    }
    reached.contains(&false)
}
