//! Views, tables and queries about one dump share their answers: an expensive search runs once.

use std::path::Path;
use std::sync::Arc;

use heaplens_analysis::diff::Pair;
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
use heaplens_tables::relations::{COLLECTIONS, STRINGS, WASTE};

/// Steps of the searches that read all objects.
const SEARCHES: [&str; 4] = ["Reading strings", "Searching for waste", "Searching for leaks", "Reading collections"];

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

#[test]
fn overview_waste_strings_and_queries_search_once() {
    let (dump, task, rules) = (opened("leak-after.hprof.gz"), &Task::new(), LeakRules::default());
    let min_bytes = heaplens_analysis::leaks::default_min_bytes(dump.analysis.shown.shallow);
    found_and_wasted(dump.data(), (&rules, min_bytes), task, task).expect("not cancelled");
    dump.answer(&DetailsQuestion, task).expect("not cancelled");
    let kinds = table(&dump, &WASTE, task);
    let texts = table(&dump, &STRINGS, task);
    table(&dump, &COLLECTIONS, task);
    let source = QuerySource::of(&dump, rules);
    let mut database = Database::new(Arc::clone(&source), None).expect("a database");
    for (query, expected) in [("SELECT count(*) FROM strings", texts), ("SELECT count(*) FROM waste", kinds)] {
        let mut answer = CollectedAnswer::new(10);
        database.run(query, Limits::default(), task, &mut answer).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format!("{:?}", answer.rows), format!("[[Integer({expected})]]"), "{query}");
    }
    source.findings_and_waste(task).expect("not cancelled");
    let pair = Pair { before: dump.data(), after: dump.data() };
    assert_eq!(side_by_side(pair, SideRowKind::Strings, task).expect("not cancelled").len(), texts);
    task.finish();
    assert_eq!(SEARCHES.map(|step| count(task, step)), [1; 4], "{:?}", task.progress().finished);
    assert_eq!(dump.answers().computations(&WasteTotalsQuestion), 1);
}
