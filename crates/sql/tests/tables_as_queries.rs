//! Tables of views as queries: the same rows in the same order, for every table, column and direction.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use heaplens_analysis::dominator_tree::PartitionBy;
use heaplens_analysis::paths::merged::PathTargets;
use heaplens_analysis::references::Direction;
use heaplens_analysis::related::RelatedKind;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::ObjectId;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_session::leaks::LeakRules;
use heaplens_sql::{CollectedAnswer, Database, Limits, QuerySource, as_query, sql_form};
use heaplens_tables::columns::Condition;
use heaplens_tables::columns::Value;
use heaplens_tables::dump::folded::LevelQuery;
use heaplens_tables::dump::objects::ObjectsQuery;
use heaplens_tables::dump::references::ReferencesQuery;
use heaplens_tables::dump::related::RelatedQuery;
use heaplens_tables::query::TableKind;
use heaplens_tables::relations::{RELATIONS, THREADS};
use heaplens_tables::{ColumnInfo, RowQuery, TableContext, TableQuery};

/// Dumps of formats whose tables together have all columns.
const DUMPS: [&str; 8] = [
    "leak-after.hprof.gz",
    "leaks/finalizer-jdk17-after.hprof.gz",
    "leaks/loader-context-jdk17-after.hprof.gz",
    "android/album.hprof.gz",
    "node/desk-final.heapsnapshot.gz",
    "node/recorded.heaptimeline.gz",
    "ibm/shop-v5.phd",
    "hprof-text/java.hprof.txt",
];

/// Rows compared of tables that have one for each object.
const FIRST: usize = 300;

struct Opened {
    dump: Dump,
    source: Arc<QuerySource>,
    database: Database,
}

impl Opened {
    fn new(name: &str) -> Self {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
        let dump = open_and_wait(&fixture, &OpenOptions::default(), &Task::new()).expect("a dump");
        let source = QuerySource::of(&dump, LeakRules::default());
        let database = Database::new(Arc::clone(&source), None).expect("a database");
        Self { dump, source, database }
    }

    /// Tables of the window that have rows in this dump, with a name; true if they have a row for each object.
    fn tables(&self) -> Vec<(&'static str, Arc<dyn TableKind>, bool)> {
        let heap = &self.dump.facts.heap;
        let analysis = &self.dump.analysis;
        let largest = heap.objects().max_by_key(|&object| analysis.dominated_count(object)).expect("an object");
        let most = heap.classes.iter().max_by_key(|&(class, _)| analysis.class_totals(class).objects);
        let mut held = heap.objects().filter(|&object| !analysis.retainers(object).is_empty());
        let target = held.next().expect("an object that another one refers to");
        let class_object = heap.classes.iter().find_map(|(_, class)| class.object).unwrap_or(target);
        let related = |of| RelatedQuery {
            of: PathTargets::Objects(vec![of].into()),
            by: RelatedKind::Retained,
            without: Vec::new(),
            group: PartitionBy::Class,
        };
        let references = |of, direction| Arc::new(ReferencesQuery { of, direction });
        let mut tables: Vec<(&str, Arc<dyn TableKind>, bool)> = vec![
            ("objects", Arc::new(ObjectsQuery::All), true),
            ("objects of a class", Arc::new(ObjectsQuery::OfClass(most.expect("a class").0)), true),
            ("roots of the dominator tree", Arc::new(LevelQuery::children(None)), true),
            ("level", Arc::new(LevelQuery::children(Some(largest))), true),
            ("incoming", references(target, Direction::Incoming), false),
            ("incoming of a class", references(class_object, Direction::Incoming), false),
            ("outgoing", references(largest, Direction::Outgoing), false),
            ("related", Arc::new(related(largest)), false),
        ];
        let of_dump = RELATIONS.iter().copied().filter(|relation| relation.dumps.include(heap));
        for relation in of_dump {
            tables
                .extend(relation.name.map(|name| -> (_, Arc<dyn TableKind>, _) { (name, Arc::new(relation), false) }));
        }
        tables
    }

    /// The rows of a query, by the names of its columns.
    fn query(&mut self, query: &str) -> Vec<BTreeMap<String, Value<'static>>> {
        let mut answer = CollectedAnswer::new(usize::MAX);
        let result = self.database.run(query, Limits::default(), &Task::new(), &mut answer);
        result.unwrap_or_else(|error| panic!("{query}: {error}"));
        let names: Vec<String> = answer.columns.iter().map(|column| column.name.clone()).collect();
        answer.rows.into_iter().map(|row| names.iter().cloned().zip(row).collect()).collect()
    }

    /// Compares the rows of a table with those of its query; the number of rows, `None` if the dump has no such table.
    fn compare(&mut self, name: &str, query: &TableQuery) -> Option<usize> {
        let (source, task) = (Arc::clone(&self.source), Task::new());
        let mut context = source.context();
        context.namer = Some(source.namer(&task).expect("names"));
        context.ages = Some(source.ages(&task).expect("ages"));
        let table = query.table(context, &task).ok()?;
        // A table that cannot be sorted so has no query either.
        let expected: Vec<u32> = table.ordered_rows(context, &query.rows, &task).ok()?.rows.collect();
        let declared = query.kind.relation().expect("a relation").columns;
        let is_sorted_by = |column: &&ColumnInfo| {
            query.rows.sort.as_deref().is_some_and(|key| column.heading.key == key || column.heading.alias == Some(key))
        };
        // A command sorts by what the dump does not have, too: all rows are equal.
        let is_missing = |column: &ColumnInfo| {
            let when = column.heading.when;
            !matches!(when, Condition::Always | Condition::SortKey) && !when.holds(context)
        };
        if declared.iter().find(is_sorted_by).is_some_and(is_missing) {
            return None;
        }
        let sql = as_query(query, context).unwrap_or_else(|| panic!("{name}: {:?} has no query", query.rows));
        let rows = self.query(&sql);
        let columns: Vec<ColumnInfo> = table.columns(context);
        let value = |row: &u32, column: &ColumnInfo| table.cell(context, *row as usize, column.index);
        let names: Vec<&String> = rows.first().map(|row| row.keys().collect()).unwrap_or_default();
        let columns: Vec<&ColumnInfo> =
            columns.iter().filter(|column| names.iter().any(|name| **name == column.heading.key)).collect();
        assert!(rows.is_empty() || columns.len() >= 2, "{name}: {sql}: {names:?}");
        let expected: Vec<Vec<Value<'_>>> =
            expected.iter().map(|row| columns.iter().map(|column| value(row, column)).collect()).collect();
        let rows: Vec<Vec<Value<'_>>> =
            rows.iter().map(|row| columns.iter().map(|column| row[column.heading.key].borrowed()).collect()).collect();
        for (nth, (rows, expected)) in rows.iter().zip(&expected).enumerate() {
            let is_equal = rows.iter().map(sql_form).eq(expected.iter().map(sql_form));
            assert!(is_equal, "{name}: row {nth} of {sql}: {rows:?}, not {expected:?}");
        }
        assert_eq!(rows.len(), expected.len(), "{name}: {sql}");
        Some(rows.len())
    }
}

fn rows_of(is_of_objects: bool) -> RowQuery {
    RowQuery { top: is_of_objects.then_some(FIRST), ..RowQuery::default() }
}

/// Keys that a table may be sorted by, and `None` for its default order.
fn keys(kind: &dyn TableKind) -> Vec<Option<String>> {
    let columns = kind.relation().expect("a relation").columns;
    let keys = columns.iter().flat_map(|column| [Some(column.heading.key), column.heading.alias]).flatten();
    std::iter::once(None).chain(keys.map(|key| Some(key.to_owned()))).collect()
}

#[test]
fn a_table_and_its_query_have_the_same_rows_in_the_same_order() {
    let mut most: BTreeMap<&str, usize> = BTreeMap::new();
    for dump in DUMPS {
        let mut opened = Opened::new(dump);
        for (name, kind, is_of_objects) in opened.tables() {
            for sort in keys(&*kind) {
                // The related table has columns of single objects that no query of classes has.
                if kind.downcast::<RelatedQuery>().is_some()
                    && !matches!(sort.as_deref(), None | Some("class" | "objects" | "shallow_bytes"))
                {
                    continue;
                }
                for reverse in [false, true] {
                    let rows = RowQuery { sort: sort.clone(), reverse, ..rows_of(is_of_objects) };
                    let query = TableQuery { kind: kind.clone(), rows };
                    let count = opened.compare(&format!("{dump}: {name}"), &query).unwrap_or(0);
                    let most = most.entry(name).or_default();
                    *most = count.max(*most);
                }
            }
        }
    }
    // Each order was one of several rows.
    let short: Vec<_> = most.iter().filter(|(_, rows)| **rows < 2).collect();
    assert!(short.is_empty(), "tables without rows: {short:?}");
}

#[test]
fn a_filtered_table_and_its_query_have_the_same_rows() {
    for dump in ["leak-after.hprof.gz", "android/album.hprof.gz", "node/desk-final.heapsnapshot.gz"] {
        let mut opened = Opened::new(dump);
        for (name, kind, is_of_objects) in opened.tables() {
            // Its rows are groups, whose filter is not one of objects.
            if kind.downcast::<RelatedQuery>().is_some() {
                continue;
            }
            let columns = kind.relation().expect("a relation").columns;
            let numbers = columns.iter().filter(|column| column.kind.is_number()).map(|column| column.heading.key);
            let mut filters: Vec<String> =
                ["a", "A e", "/^[a-m]/", "it's", "e >1kB", ">0.01%", "heap:app a"].map(str::to_owned).to_vec();
            for key in numbers {
                filters.extend([
                    format!("{key}>1"),
                    format!("{key}<=100 e"),
                    format!("{key}=1..1000"),
                    format!("{key}<50%"),
                ]);
            }
            for filter in filters {
                let rows = RowQuery { filter, ..rows_of(is_of_objects) };
                let query = TableQuery { kind: kind.clone(), rows };
                let _rows = opened.compare(&format!("{dump}: {name}"), &query);
            }
            let ranges = [(2, None, vec![]), (1, Some(3), vec![]), (0, None, vec![1..=2, 4..=9])];
            for (skip, top, row_numbers) in
                ranges.into_iter().filter(|(.., row_numbers)| row_numbers.is_empty() || !is_of_objects)
            {
                let rows = RowQuery { skip, top, numbers: row_numbers, ..RowQuery::default() };
                if top.is_some() || !is_of_objects {
                    let _rows = opened.compare(&format!("{dump}: {name}"), &TableQuery { kind: kind.clone(), rows });
                }
            }
        }
    }
}

/// The ages of this dump are known.
#[test]
fn objects_sorted_by_age_have_a_query() {
    let mut opened = Opened::new("leaks/two-indexes-jdk17-after.hprof.gz");
    let mut firsts = Vec::new();
    for reverse in [false, true] {
        let rows = RowQuery { sort: Some("age".to_owned()), reverse, top: Some(5_000), ..RowQuery::default() };
        let query = TableQuery::new(ObjectsQuery::All, rows);
        assert_eq!(opened.compare("objects", &query), Some(5_000));
        let sql = as_query(&query, TableContext::of(&opened.dump)).expect("a query");
        let first = &opened.query(&sql.replace("SELECT id", "SELECT older_from, id"))[0]["older_from"];
        let Value::Real(older) = first else { panic!("an age: {first:?}") };
        firsts.push(*older);
    }
    assert!(firsts[0] > 0.9 && firsts[1] < 0.1, "newest first, then oldest first: {firsts:?}");
}

#[test]
fn rows_without_a_query_have_none() {
    let opened = Opened::new("leak-after.hprof.gz");
    let context = TableContext::of(&opened.dump);
    let first = ObjectId::new(0).expect("an object");
    let named = TableQuery::all(ObjectsQuery::Listed(vec![first]));
    assert_eq!(as_query(&named, context), None);
    let row_numbers = RowQuery { numbers: vec![1..=2], ..RowQuery::default() };
    assert_eq!(as_query(&TableQuery::new(ObjectsQuery::All, row_numbers), context), None);
    let unknown = RowQuery { sort: Some("no such column".to_owned()), ..RowQuery::default() };
    assert_eq!(as_query(&TableQuery::new(&THREADS, unknown), context), None);
}
