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
use heaplens_tables::dump::javascript::{AllocatedQuery, JavaScriptQuery};
use heaplens_tables::dump::javascript_leaks::SnapshotLeakKind;
use heaplens_tables::dump::merged::MergedPathsQuery;
use heaplens_tables::dump::objects::ObjectsQuery;
use heaplens_tables::dump::ownership::OwnershipQuery;
use heaplens_tables::dump::references::ReferencesQuery;
use heaplens_tables::dump::retained_set::RetainedSetQuery;
use heaplens_tables::dump::route::RouteQuery;
use heaplens_tables::query::{TableKind, Word};
use heaplens_tables::relations::{MERGED, OBJECTS, PROCESS, RELATIONS, ROUTE};
use heaplens_tables::{HistogramRows, OutputForm, Question, RowQuery, TableQuery};

const DUMP: &str = "fixtures/leak-after.hprof.gz";

/// Kinds that a command answers with a query of its own; of these only the question makes the round trip.
fn is_of_command(kind: &dyn TableKind) -> bool {
    [&OBJECTS, &MERGED, &PROCESS].into_iter().any(|of_command| kind.relation() == Some(of_command))
}

/// Every kind, with every option of it.
fn kinds(heap: &Heap) -> Vec<Arc<dyn TableKind>> {
    let objects: Vec<ObjectId> = heap.objects().take(3).collect();
    let [a, b, c] = objects[..] else { panic!("three objects") };
    let class = heap.class_id(a);
    let mut kinds: Vec<Arc<dyn TableKind>> = vec![
        Arc::new(ObjectsQuery::All),
        Arc::new(ObjectsQuery::OfClass(class)),
        Arc::new(ObjectsQuery::Listed(objects.clone())),
        Arc::new(LevelQuery::children(None)),
        Arc::new(LevelQuery { of_class: "Map".to_owned(), ..LevelQuery::children(Some(a)) }),
        Arc::new(ReferencesQuery { of: a, direction: Direction::Incoming }),
        Arc::new(ReferencesQuery { of: a, direction: Direction::Outgoing }),
        Arc::new(AllocatedQuery { first: 5, last: 70 }),
    ];
    for relation in RELATIONS.iter().copied().filter(|relation| relation.compute.is_some()) {
        kinds.push(Arc::new(relation));
    }
    for soft in [SoftLinks::Follow, SoftLinks::Ignore] {
        for every_object in [false, true] {
            kinds.push(Arc::new(OwnershipQuery { soft, every_object }));
        }
        for roots in [None, Some(RootSource::File), Some(RootSource::Inferred)] {
            kinds.push(Arc::new(RetainedSetQuery { objects: vec![b, a], roots, soft }));
        }
    }
    for min_strength in [None, Some(Strength::Strong), Some(Strength::Weak)] {
        kinds.push(Arc::new(RouteQuery { from: a, to: c, min_strength }));
    }
    for min_strength in [Strength::Strong, Strength::Final, Strength::Phantom] {
        let least = Thresholds { retained: Bytes(1_000), objects: 7 };
        kinds.push(Arc::new(AggregatedQuery { least, min_strength }));
        for (of, by) in [
            (PathTargets::Class(class), MergeBy::Object),
            (PathTargets::Objects(Arc::from(objects.clone())), MergeBy::Class),
        ] {
            kinds.push(Arc::new(MergedPathsQuery { of, by, min_strength }));
        }
    }
    for level in levels(heap, (a, b)) {
        kinds.push(Arc::new(level));
    }
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
fn rows(kind: &dyn TableKind) -> Vec<RowQuery> {
    let mut all =
        vec![RowQuery::default(), RowQuery { filter: "-x|y's".to_owned(), top: Some(3), ..RowQuery::default() }];
    // Paths have their own order.
    if ![&ROUTE, &MERGED].into_iter().any(|ordered| kind.relation() == Some(ordered)) {
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
        OpenSettings {
            file,
            sizes: SizeModel::Mat,
            rules,
            redacted: true,
            mapping: None,
            owner_rules: false,
            cuts: Vec::new(),
        },
    ]
}

#[test]
fn tables_and_command_lines_are_the_same_question() {
    let dump = open_and_wait(Path::new(DUMP), &OpenOptions::default(), &Task::new()).expect("the fixture opens");
    let heap = &dump.facts.heap;
    for kind in kinds(heap) {
        for rows in rows(&*kind) {
            for opened in settings() {
                let query = TableQuery { kind: Arc::clone(&kind), rows: rows.clone() };
                let command_line = query.command(heap, &opened);
                let again = question(command_line.words()).unwrap_or_else(|why| panic!("{command_line}: {why}"));
                assert_eq!(again, command_line, "{command_line}");
                let text = serde_json::to_string(&command_line).expect("its file name is text");
                assert_eq!(serde_json::from_str::<Question>(&text).expect("a question"), command_line, "{text}");
                let actual = table_query(&command_line, &dump).unwrap_or_else(|why| panic!("{command_line}: {why}"));
                let expected = Some(query).filter(|query| !is_of_command(&*query.kind));
                assert_eq!(actual, expected, "{command_line}");
            }
        }
    }
}

#[test]
fn part_of_a_path_is_a_command() {
    let dump = open_and_wait(Path::new(DUMP), &OpenOptions::default(), &Task::new()).expect("the fixture opens");
    let [from, to] = [0, 1].map(|row| ObjectId::from_raw(row).expect("an object"));
    let rows = RowQuery { skip: 2, top: Some(3), ..RowQuery::default() };
    let [opened, _] = settings();
    let query = TableQuery::new(RouteQuery { from, to, min_strength: None }, rows);
    let command_line = query.command(&dump.facts.heap, &opened);
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
