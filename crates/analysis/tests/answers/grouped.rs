//! The grouped dominator tree of charts: level by level the rows of the table, with the same objects and sizes.

use std::collections::BTreeMap;

use heaplens_analysis::dominator_tree::{
    FoldInputs, FoldKind, GroupedTree, LevelForm, LevelOrder, LevelPart, Partition, PartitionBy, Shared, TreeRow,
};
use heaplens_analysis::outline::{OutlineLimits, OutlineTree, PieceKind, outline};
use heaplens_base::{Bytes, Task};
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{ObjectId, SizeModel};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::sketch::Sketch;
use heaplens_testkit::{heaps, notation};

fn open(sketch: &Sketch) -> Dump {
    let mut options = OpenOptions::default();
    options.read.sizes = SizeModel::Mat;
    crate::open_bytes(write(sketch, Form::MODERN), &options)
}

/// Number of carts: each retains less than a hundredth of the heap.
const CARTS: u64 = 300;

/// Carts in an array; a list; and objects in two arrays.
fn shop() -> Dump {
    let mut lines = vec![
        "class shop.Cart
           field size: int
         class shop.Node
           field next: object
         class shop.Item
           field price: int
         class shop.Shop
           static carts: object = carts
           static list: object = node0
           static first: object = shared1
           static second: object = shared2
         root shop.Shop class"
            .to_owned(),
    ];
    lines.extend((0..CARTS).map(|n| format!("cart{n} = shop.Cart size={n}")));
    let carts: Vec<String> = (0..CARTS).map(|n| format!("cart{n}")).collect();
    lines.push(format!("carts = java.lang.Object[] {}", carts.join(" ")));
    for n in 0..6 {
        let next = if n < 5 { format!("next=node{}", n + 1) } else { String::new() };
        lines.push(format!("node{n} = shop.Node {next}"));
    }
    lines.extend((0..3).map(|n| format!("item{n} = shop.Item price={n}")));
    lines.push("shared1 = java.lang.Object[] item0 item1".to_owned());
    lines.push("shared2 = java.lang.Object[] item0 item1".to_owned());
    open(&notation::read(&lines.join("\n")).expect("a heap"))
}

/// Weight and number of objects of the rows of a level.
type Level = BTreeMap<(Option<ObjectId>, Option<LevelPart>), (Bytes, u64)>;

/// Compares all levels; returns the number of groups.
fn compare(dump: &Dump) -> usize {
    let (data, task) = (dump.data(), Task::new());
    let tree = GroupedTree::new(data, &task).expect("not cancelled");
    let shared = Shared::find(data, &task).expect("not cancelled");
    let partition = Partition::new(data.heap, PartitionBy::Class);
    let folding = FoldInputs {
        dump: data,
        names_chains: false,
        form: LevelForm::Folded,
        partition: &partition,
        shared: Some(&shared),
        order: (LevelOrder::Retained, false),
        then: None,
    };
    let (mut waiting, mut groups) = (vec![(None, LevelPart::TOP)], 0);
    while let Some((node, part)) = waiting.pop() {
        let rows = folding.rows(part, &|_| true, &task).expect("not cancelled");
        let mut table = Level::new();
        for &object in &rows.rows {
            let below = rows.below(data.analysis, part, object);
            match rows.fold(object) {
                // The objects of a chain themselves are no cell of their own.
                Some(fold) if matches!(fold.kind, FoldKind::Members(_)) => {}
                Some(fold) if !matches!(fold.kind, FoldKind::Chain { .. }) => {
                    table.insert((None, below), (fold.retained, fold.objects));
                }
                _ => drop(table.insert((Some(object), None), (data.analysis.retained(object), 1))),
            }
        }
        let mut chart = Level::new();
        let mut children = Vec::new();
        let mut offer = |row| {
            let weight = Bytes(tree.weight(Some(row)));
            let key = match row {
                TreeRow::Object(object) => (Some(object), None),
                TreeRow::Group(group) => (None, Some(group.id.part)),
            };
            assert!(chart.insert(key, (weight, tree.objects(row))).is_none(), "a row twice");
            children.push(row);
        };
        let links = tree.rows_below(node, &mut offer, &task).expect("not cancelled");
        assert_eq!(table, chart, "{part:?}");
        if let Some(node) = node {
            assert_eq!(tree.links(node, &task), Ok(links));
        }
        for row in children {
            assert!(node.is_none_or(|node| tree.is_inside(node, row)), "{node:?} {row:?}");
            match row {
                TreeRow::Object(object) => {
                    let below = rows.below(data.analysis, part, object);
                    waiting.extend(below.map(|below| (Some(row), below)));
                }
                TreeRow::Group(group) => {
                    groups += 1;
                    let members = tree.members(group.id.part, &task).expect("not cancelled");
                    assert_eq!(members.iter().min(), Some(&group.id.first));
                    assert!(members.iter().all(|&member| tree.is_inside(row, TreeRow::Object(member))));
                    waiting.push((Some(row), group.id.part));
                }
            }
        }
    }
    groups
}

#[test]
fn charts_have_the_rows_of_the_table() {
    let mut groups = 0;
    for seed in 0..40 {
        groups += compare(&open(&heaps::random(seed, 250)));
    }
    assert!(groups > 20, "{groups} groups");
    assert!(compare(&shop()) >= 1);
}

#[test]
fn a_group_of_small_objects_is_one_cell() {
    let dump = shop();
    let task = Task::new();
    let tree = GroupedTree::new(dump.data(), &task).expect("not cancelled");
    // No cart is large enough to be drawn by itself.
    let cut = OutlineLimits { least: 100, pieces: 100, depth: 20 };
    let outline = outline(&tree, None, cut, &task).expect("not cancelled");
    let group = outline.pieces.iter().find_map(|piece| match piece.what {
        PieceKind::Node(TreeRow::Group(group)) if group.objects == CARTS => Some((piece, group)),
        _ => None,
    });
    let (piece, group) = group.expect("the carts");
    assert!(piece.below.is_empty(), "the same objects are not named twice");
    assert_eq!(piece.weight, group.retained.0);
    let above = outline.pieces[piece.above as usize].what.node().and_then(TreeRow::object).expect("the array");
    assert_eq!(&*dump.facts.heap.class(above).name, "java.lang.Object[]");
}
