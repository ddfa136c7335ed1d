//! Tables of views as queries: the same number of rows.

use std::path::Path;
use std::sync::Arc;

use heaplens_analysis::GroupBy;
use heaplens_analysis::references::Direction;
use heaplens_base::Task;
use heaplens_core::heap::ObjectId;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_session::leaks::LeakRules;
use heaplens_sql::{CollectedAnswer, Database, Limits, QuerySource, as_query};
use heaplens_tables::{RowQuery, TableContext, TableKind, TableQuery};

#[test]
fn a_table_and_its_query_have_the_same_rows() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/leak-after.hprof.gz");
    let task = Task::new();
    let dump = open_and_wait(&fixture, &OpenOptions::default(), &task).expect("a dump");
    let source = QuerySource::loaded(&dump, LeakRules::default());
    let mut database = Database::new(Arc::clone(&source), None).expect("a database");
    let heap = &dump.facts.heap;
    let largest = heap.objects().max_by_key(|&object| dump.analysis.retained(object)).expect("an object");
    let map = heap.find("0xfe0c8bf8").expect("the map");
    let kinds: Vec<(TableKind, Option<usize>)> = vec![
        (TableKind::Classes, None),
        (TableKind::Groups(GroupBy::Package), None),
        (TableKind::ObjectsOf(heap.class_id(map)), None),
        (TableKind::Level(None, String::new()), None),
        (TableKind::Level(Some(largest), String::new()), None),
        (TableKind::Threads, None),
        (TableKind::Strings, Some(7)),
        (TableKind::Collections, None),
        (TableKind::Waste, None),
        (TableKind::Loaders, None),
        (TableKind::Roots, None),
        (TableKind::Gaps, None),
        // The reference to the class is no reference of the heap.
        (TableKind::References(map, Direction::Outgoing), None),
    ];
    for (kind, top) in kinds {
        let is_outgoing = matches!(kind, TableKind::References(..));
        let table = TableQuery { kind, rows: RowQuery { top, ..RowQuery::default() } };
        let query = as_query(&table, heap).unwrap_or_else(|| panic!("{table:?} has no query"));
        let mut answer = CollectedAnswer::new(usize::MAX);
        database.run(&query, Limits::default(), &task, &mut answer).unwrap_or_else(|error| panic!("{query}: {error}"));
        let context = TableContext::loaded(&dump);
        let rows = table.table(context, &task).expect("rows");
        let ordered = rows.ordered_rows(context, &table.rows, &task).expect("rows");
        let expected = ordered.rows.count() - usize::from(is_outgoing);
        assert_eq!(answer.rows.len(), expected, "{query}");
        assert!(expected > 0, "{query}");
    }
    let named =
        TableQuery { kind: TableKind::Named(vec![ObjectId::new(0).expect("an object")]), rows: RowQuery::default() };
    assert_eq!(as_query(&named, heap), None);
}
