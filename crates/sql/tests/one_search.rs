//! Views, tables and queries about one dump share their answers: an expensive search runs once.

use std::path::Path;
use std::sync::Arc;

use heaplens_analysis::diff::Pair;
use heaplens_analysis::secrets::SecretsQuestion;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::dump::open_and_wait;
use heaplens_session::leaks::found_and_wasted;
use heaplens_session::overview::{DetailsQuestion, WasteTotalsQuestion};
use heaplens_session::side_by_side::side_by_side;
use heaplens_session::{LeakRules, OpenOptions, SideRowKind};
use heaplens_sql::{CollectedAnswer, Database, Limits, QuerySource};
use heaplens_tables::TableContext;
use heaplens_tables::query::RowQuery;
use heaplens_tables::relation::Relation;
use heaplens_tables::relations::{BITMAPS, COLLECTIONS, FINALIZERS, SITES, STRINGS, WASTE};

/// Steps of the searches that read all objects.
const SEARCHES: [&str; 5] =
    ["Reading strings", "Searching for waste", "Searching for leaks", "Reading collections", "Finding finalizers"];

fn opened(name: &str) -> Dump {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
    open_and_wait(&path, &OpenOptions::default(), &Task::new()).expect("a dump")
}

/// How often a step was run.
fn count(task: &Task, step: &str) -> usize {
    task.progress().finished.iter().filter(|finished| finished.name == step).count()
}

fn table(dump: &Dump, relation: &Relation, task: &Task) -> usize {
    let rows = RowQuery::default();
    relation.table(TableContext::of(dump), &rows, task).unwrap_or_else(|error| panic!("{error}")).count()
}

/// Number of rows of a relation, by a query.
fn rows_of(database: &mut Database, relation: &str, task: &Task) -> String {
    let mut answer = CollectedAnswer::new(10);
    let query = format!("SELECT count(*) FROM {relation}");
    database.run(&query, Limits::default(), task, &mut answer).unwrap_or_else(|error| panic!("{error}"));
    format!("{:?}", answer.rows)
}

#[test]
fn overview_waste_strings_and_queries_search_once() {
    let (dump, task, rules) = (opened("leak-after.hprof.gz"), &Task::new(), LeakRules::default());
    let min_bytes = heaplens_analysis::leaks::default_min_bytes(dump.analysis.shown.shallow);
    found_and_wasted(dump.data(), (&rules, min_bytes), task, task).expect("not cancelled");
    dump.answer(&DetailsQuestion, task).expect("not cancelled");
    let kinds = table(&dump, &WASTE, task);
    let texts = table(&dump, &STRINGS, task);
    table(&dump, &COLLECTIONS, task);
    let finalizers = table(&dump, &FINALIZERS, task);
    let source = QuerySource::of(&dump, rules);
    let mut database = Database::new(Arc::clone(&source), None).expect("a database");
    for (relation, expected) in [("strings", texts), ("waste", kinds), ("finalizers", finalizers)] {
        assert_eq!(rows_of(&mut database, relation, task), format!("[[Integer({expected})]]"), "{relation}");
    }
    source.findings_and_waste(task).expect("not cancelled");
    let pair = Pair { before: dump.data(), after: dump.data() };
    assert_eq!(side_by_side(pair, SideRowKind::Strings, task).expect("not cancelled").len(), texts);
    task.finish();
    assert_eq!(SEARCHES.map(|step| count(task, step)), [1; 5], "{:?}", task.progress().finished);
    assert_eq!(dump.answers().computations(&WasteTotalsQuestion), 1);
}

/// What only some dumps have: bitmaps, and objects with an allocation site.
#[test]
fn tables_of_android_and_queries_search_once() {
    let (dump, task) = (opened("android/tracked.hprof"), &Task::new());
    let source = QuerySource::of(&dump, LeakRules::default());
    let mut database = Database::new(source, None).expect("a database");
    for relation in [&BITMAPS, &SITES] {
        let rows = table(&dump, relation, task);
        let name = relation.name.expect("a name in queries");
        assert_eq!(rows_of(&mut database, name, task), format!("[[Integer({rows})]]"), "{name}");
        assert_eq!(table(&dump, relation, task), rows, "{name}");
    }
    task.finish();
    for step in ["Finding bitmaps", "Reading allocation sites"] {
        assert_eq!(count(task, step), 1, "{:?}", task.progress().finished);
    }
}

/// Credentials are no table of a dump; the command line, other programs and their clones share one search.
#[test]
fn credentials_are_searched_for_once() {
    let (dump, task) = (opened("leak-after.hprof.gz"), &Task::new());
    for dump in [&dump, &dump.clone()] {
        dump.answer(&SecretsQuestion, task).expect("not cancelled");
    }
    task.finish();
    assert_eq!(count(task, "Searching strings"), 1, "{:?}", task.progress().finished);
}
