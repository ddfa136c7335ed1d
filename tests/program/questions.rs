//! Round trips: a table of the window → its question → words of the command line → the same question and table.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use heaplens::cli::args::question;
use heaplens::cli::query::table_query;
use heaplens_analysis::android::shark::Roots;
use heaplens_analysis::dominator_tree::{LevelForm, PartitionBy};
use heaplens_analysis::javascript::retained_by::RetainerKind;
use heaplens_analysis::ownership::retained_set::RootSource;
use heaplens_analysis::paths::aggregated::Thresholds;
use heaplens_analysis::paths::merged::{MergeBy, PathTargets};
use heaplens_analysis::references::Direction;
use heaplens_base::{Bytes, Named, Task};
use heaplens_heap::{ClassId, Heap, ObjectId, Rules, SizeModel, SoftLinks, Strength, VmRoots};
use heaplens_session::dump::open_and_wait;
use heaplens_session::{OpenOptions, OpenSettings};
use heaplens_tables::diff::DiffRows;
use heaplens_tables::dump::aggregated::AggregatedQuery;
use heaplens_tables::dump::folded::{LevelParent, LevelQuery};
use heaplens_tables::dump::javascript::JavaScriptQuery;
use heaplens_tables::dump::javascript_leaks::SnapshotLeakKind;
use heaplens_tables::dump::merged::MergedPathsQuery;
use heaplens_tables::dump::ownership::OwnershipQuery;
use heaplens_tables::dump::retained_set::RetainedSetQuery;
use heaplens_tables::dump::route::RouteQuery;
use heaplens_tables::query::Word;
use heaplens_tables::relations::RELATIONS;
use heaplens_tables::{HistogramRows, OutputForm, Question, RowQuery, TableKind, TableQuery};

const DUMP: &str = "fixtures/leak-after.hprof.gz";

/// Kinds that a command answers with a query of its own; of these only the question makes the round trip.
fn is_of_command(kind: &TableKind) -> bool {
    matches!(
        kind,
        TableKind::Objects
            | TableKind::ObjectsOf(_)
            | TableKind::Named(_)
            | TableKind::Merged(_)
            | TableKind::MergedByClass(_)
    )
}

/// Every kind, with every option of it.
fn kinds(heap: &Heap) -> Vec<TableKind> {
    let objects: Vec<ObjectId> = heap.objects().take(3).collect();
    let [a, b, c] = objects[..] else { panic!("three objects") };
    let class = heap.class_id(a);
    let mut kinds = vec![
        TableKind::Objects,
        TableKind::ObjectsOf(class),
        TableKind::Named(objects.clone()),
        TableKind::Level(None, String::new()),
        TableKind::Level(Some(a), "Map".to_owned()),
        TableKind::References(a, Direction::Incoming),
        TableKind::References(a, Direction::Outgoing),
    ];
    let computed = RELATIONS.iter().filter(|relation| relation.compute.is_some());
    kinds.extend(computed.map(|relation| TableKind::Relation(relation)));
    kinds.push(TableKind::Allocated { first: 5, last: 70 });
    for soft in [SoftLinks::Follow, SoftLinks::Ignore] {
        kinds.extend([false, true].map(|every_object| TableKind::Ownership(OwnershipQuery { soft, every_object })));
        let of = |roots| TableKind::RetainedSet(RetainedSetQuery { objects: vec![b, a], roots, soft });
        kinds.extend([None, Some(RootSource::File), Some(RootSource::Inferred)].map(of));
    }
    for weakest in [None, Some(Strength::Strong), Some(Strength::Weak)] {
        kinds.push(TableKind::Route(RouteQuery { from: a, to: c, weakest }));
    }
    for weakest in [Strength::Strong, Strength::Final, Strength::Phantom] {
        let least = Thresholds { retained: Bytes(1_000), objects: 7 };
        kinds.push(TableKind::MergedByClass(AggregatedQuery { least, weakest }));
        for (of, by) in [
            (PathTargets::Class(class), MergeBy::Object),
            (PathTargets::Objects(Arc::from(objects.clone())), MergeBy::Class),
        ] {
            kinds.push(TableKind::Merged(MergedPathsQuery { of, by, weakest }));
        }
    }
    kinds.extend(levels(heap, (a, b)).into_iter().map(TableKind::FoldedLevel));
    kinds
}

/// Levels of chains and groups.
fn levels(heap: &Heap, (a, b): (ObjectId, ObjectId)) -> Vec<LevelQuery> {
    let mut parents = vec![
        LevelParent::Below(None),
        LevelParent::Below(Some(a)),
        LevelParent::Chain(a),
        LevelParent::ChainObjects(b),
        LevelParent::SharedBy(None),
        LevelParent::SharedBy(Some(vec![a, b])),
        LevelParent::Shared,
    ];
    let level = |form, index, only| LevelQuery { form, parent: index, only, of_class: String::new() };
    let mut levels: Vec<LevelQuery> = parents.drain(..).map(|index| level(LevelForm::Folded, index, None)).collect();
    // The first class of a name, package or loader represents it.
    let first = |is_same: &dyn Fn(ClassId) -> bool| heap.classes.iter().map(|(id, _)| id).find(|&id| is_same(id));
    let class = heap.classes.iter().filter(|(id, class)| heap.classes.named(&class.name) == Some(*id)).last();
    let (class, last) = class.expect("a class");
    let package = first(&|id| heap.classes.get(id).package() == last.package()).expect("a package");
    let loader = first(&|id| heap.classes.get(id).loader == last.loader).expect("a loader");
    for (by, class) in [(PartitionBy::Class, class), (PartitionBy::Package, package), (PartitionBy::Loader, loader)] {
        levels.push(level(LevelForm::By(by), LevelParent::Below(None), None));
        levels.push(LevelQuery {
            of_class: "Node".to_owned(),
            ..level(LevelForm::By(by), LevelParent::Below(None), None)
        });
        if by != PartitionBy::Class {
            levels.push(level(LevelForm::By(by), LevelParent::Below(Some(a)), Some((by, class))));
        }
    }
    levels.push(level(LevelForm::Folded, LevelParent::Below(None), Some((PartitionBy::Class, class))));
    levels
}

/// Filters, orders and ranges, of tables that can be sorted and of others.
fn rows(kind: &TableKind) -> Vec<RowQuery> {
    let mut all =
        vec![RowQuery::default(), RowQuery { filter: "-x|y's".to_owned(), top: Some(3), ..RowQuery::default() }];
    // Paths have their own order.
    if !matches!(kind, TableKind::Route(_) | TableKind::Merged(_) | TableKind::MergedByClass(_)) {
        let sort = Some("retained_bytes".to_owned());
        let indexes = vec![1..=1, 5..=9];
        all.push(RowQuery { sort, numbers: indexes, reverse: true, skip: 2, top: Some(20), ..RowQuery::default() });
    }
    all
}

fn settings() -> [OpenSettings; 2] {
    let file = Path::new(DUMP).to_owned();
    let rules = Rules { min_strength: Strength::Soft, keep_unreachable: true, vm_roots: VmRoots::Ignore };
    [
        OpenSettings { file: file.clone(), ..OpenSettings::default() },
        OpenSettings { file, sizes: SizeModel::Mat, rules, redacted: true, mapping: None, owner_rules: false },
    ]
}

#[test]
fn tables_and_command_lines_are_the_same_question() {
    let dump = open_and_wait(Path::new(DUMP), &OpenOptions::default(), &Task::new()).expect("the fixture opens");
    let heap = &dump.facts.heap;
    for subject in kinds(heap) {
        for method in rows(&subject) {
            for opened in settings() {
                let query = TableQuery { kind: subject.clone(), rows: method.clone() };
                let command_line = query.command(heap, &opened);
                let again = question(command_line.words()).unwrap_or_else(|why| panic!("{command_line}: {why}"));
                assert_eq!(again, command_line, "{command_line}");
                let text = serde_json::to_string(&command_line).expect("its file name is text");
                assert_eq!(serde_json::from_str::<Question>(&text).expect("a question"), command_line, "{text}");
                let actual = table_query(&command_line, &dump).unwrap_or_else(|why| panic!("{command_line}: {why}"));
                assert_eq!(actual, Some(query).filter(|query| !is_of_command(&query.kind)), "{command_line}");
            }
        }
    }
}

#[test]
fn part_of_a_path_is_a_command() {
    let dump = open_and_wait(Path::new(DUMP), &OpenOptions::default(), &Task::new()).expect("the fixture opens");
    let [from, to] = [0, 1].map(|row| ObjectId::from_raw(row).expect("an object"));
    let subject = TableKind::Route(RouteQuery { from, to, weakest: None });
    let method = RowQuery { skip: 2, top: Some(3), ..RowQuery::default() };
    let [opened, _] = settings();
    let command_line = TableQuery { kind: subject, rows: method }.command(&dump.facts.heap, &opened);
    assert!(command_line.to_string().ends_with("--top 5"), "{command_line}");
    assert_eq!(question(command_line.words()).expect("a command"), command_line);
}

/// Options and the words that they take.
#[test]
fn every_declared_word_is_accepted() {
    fn all<T: Named>(command: &[&str], option: &str) {
        for name in T::NAMES {
            for word in [Some(name.word), name.alias].into_iter().flatten() {
                let words = [&["heaplens"], command, &[option, word]].concat().into_iter().map(OsString::from);
                let command_line = question(words).unwrap_or_else(|why| panic!("{option} {word}: {why}"));
                let given = command_line
                    .opening
                    .iter()
                    .chain(&command_line.options)
                    .find(|(name, _)| format!("--{name}") == option);
                assert_eq!(given.and_then(|(_, value)| value.clone()), Some(Word(word.into())), "{option} {word}");
            }
        }
    }
    let file = ["summary", "a"];
    all::<SizeModel>(&file, "--sizes");
    all::<VmRoots>(&file, "--vm-roots");
    all::<Strength>(&file, "--strength");
    all::<SoftLinks>(&["roots", "a", "--ownership"], "--soft");
    all::<RootSource>(&["retained-set", "a", "0x10"], "--roots");
    all::<SnapshotLeakKind>(&["leaks", "a", "--baseline", "b"], "--of");
    all::<Roots>(&["leaks", "a"], "--roots");
    all::<MergeBy>(&["paths", "a", "--all", "--class", "C"], "--merge");
    all::<PartitionBy>(&["dominators", "a"], "--by");
    all::<HistogramRows>(&["histogram", "a"], "--by");
    all::<RetainerKind>(&["histogram", "a"], "--retained-by");
    all::<JavaScriptQuery>(&["javascript", "a"], "--of");
    all::<DiffRows>(&["diff", "a", "b"], "--of");
}

#[test]
fn each_command_has_its_formats() {
    let accepted = |command: &[&str]| -> Vec<OutputForm> {
        let is_accepted = |form: &OutputForm| {
            let words = [&["heaplens"], command, &["--format", form.name()]].concat().into_iter().map(OsString::from);
            question(words).is_ok()
        };
        OutputForm::NAMES.iter().map(|name| name.value).filter(is_accepted).collect()
    };
    assert_eq!(accepted(&["histogram", "a"]), OutputForm::OF_TABLES);
    assert_eq!(accepted(&["leaks", "a"]), OutputForm::OF_FINDINGS);
    assert_eq!(accepted(&["diff", "a", "b"]), OutputForm::OF_FINDINGS);
    assert_eq!(accepted(&["overview", "a"]), OutputForm::OF_OVERVIEWS);
}
