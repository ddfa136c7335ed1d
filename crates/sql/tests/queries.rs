//! Queries on dumps of every kind: examples, queries of MAT, random ones, and files of columns read back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Row, RowAccessor};

use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_session::leaks::LeakRules;
use heaplens_sql::{
    CollectedAnswer, Database, Export, ExportError, Limits, QueryError, QuerySource, exported_tables, gallery,
};
use heaplens_tables::columns::Value;

const DUMPS: [&str; 5] = [
    "leak-after.hprof.gz",
    "leak-before-all.hprof.gz",
    "node/desk-final.heapsnapshot.gz",
    "ibm/shop-v5.phd",
    "android/album.hprof.gz",
];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

fn opened(name: &str) -> Dump {
    open_and_wait(&fixture(name), &OpenOptions::default(), &Task::new()).expect("a dump")
}

fn source(dump: &Dump) -> Arc<QuerySource> {
    QuerySource::of(dump, LeakRules::default())
}

fn rows(database: &mut Database, query: &str) -> Result<Vec<Vec<Value<'static>>>, QueryError> {
    let limits = Limits { time: Some(Duration::from_secs(20)) };
    let mut answer = CollectedAnswer::new(5_000);
    database.run(query, limits, &Task::new(), &mut answer)?;
    Ok(answer.rows)
}

#[test]
fn every_example_has_an_answer() {
    for name in DUMPS {
        let dump = opened(name);
        let source = source(&dump);
        let mut database = Database::new(Arc::clone(&source), None).expect("a database");
        let mut answered = 0;
        for example in gallery(source.heap()) {
            match rows(&mut database, example.query) {
                Ok(rows) => answered += usize::from(!rows.is_empty()),
                // A program may have no instance of a class of the example.
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains("no such table"), "{name}: {}: {text}", example.title);
                }
            }
        }
        assert!(answered >= 8, "{name}: {answered} examples have rows");
    }
}

/// The order of allocation is measured once, for queries and for all else.
#[test]
fn queries_read_the_ages_of_the_dump() {
    let dump = opened("leak-after.hprof.gz");
    let (heap, task) = (&dump.facts.heap, &Task::new());
    let newest = heap.objects().last().expect("an object");
    let of_table = dump.ages(task).expect("not cancelled").shown(heap, newest);
    let source = source(&dump);
    let of_query = source.ages(task).expect("not cancelled").shown(heap, newest);
    assert_eq!((of_table, dump.answers().computations(&heaplens_analysis::clock::AgesQuestion)), (of_query, 1));
}

#[test]
fn every_table_can_be_read_and_every_function_called() {
    for name in DUMPS {
        let dump = opened(name);
        let mut database = Database::new(source(&dump), None).expect("a database");
        let tables: Vec<(String, usize)> = database
            .tables()
            .iter()
            .map(|table| {
                let is_argument = |column: &&heaplens_sql::SqlColumn| column.role == heaplens_sql::ColumnRole::Argument;
                (table.name.clone(), table.columns().iter().filter(is_argument).count())
            })
            .collect();
        for (table, arguments) in tables {
            let object = "(SELECT id FROM objects WHERE reachable ORDER BY retained DESC LIMIT 1)";
            let query = match (&*table, arguments) {
                ("freed_by" | "what_if", _) => continue,
                (_, 0) => format!("SELECT * FROM \"{table}\" LIMIT 50"),
                _ => format!("SELECT * FROM {table}({object}) LIMIT 50"),
            };
            let read = match rows(&mut database, &query) {
                Ok(read) => read,
                // What a format does not record is said.
                Err(error) if ["gaps", "sites", "smallest_cut"].contains(&&*table) => {
                    assert!(error.to_string().contains("no "), "{name}: {query}: {error}");
                    continue;
                }
                Err(error) => panic!("{name}: {query}: {error}"),
            };
            assert!(!(table == "objects" || table == "refs" || table == "path") || !read.is_empty(), "{name}: {query}");
        }
        for (call, _) in database.functions() {
            let call = match call.split_once('(').map_or("", |(function, _)| function) {
                "object" => "object('0x1')".to_owned(),
                "dominates" => "dominates(id, id)".to_owned(),
                "is_subclass" => "is_subclass(class, class)".to_owned(),
                "passes_filter" => "passes_filter(class, 'a')".to_owned(),
                "matches" => "matches(class, 'a.*')".to_owned(),
                function @ ("field" | "field_text") => format!("{function}(id, 'a.b[0]')"),
                function => format!("{function}(id)"),
            };
            let query = format!("SELECT {call} FROM objects WHERE reachable LIMIT 20");
            assert_eq!(rows(&mut database, &query).map(|rows| rows.len()), Ok(20), "{name}: {query}");
        }
    }
}

/// What is looked up is what SQLite would find by reading every row.
#[test]
fn conditions_that_are_looked_up_lose_no_row() {
    for name in DUMPS {
        let dump = opened(name);
        let source = source(&dump);
        let mut database = Database::new(Arc::clone(&source), None).expect("a database");
        let largest = "SELECT id, class FROM objects WHERE reachable ORDER BY dominated DESC LIMIT 1";
        let actual = rows(&mut database, largest).expect("an object");
        let [Value::Integer(id), Value::Text(class)] = &actual[0][..] else { panic!("{actual:?}") };
        let upper = class.to_uppercase();
        let pairs = [
            (
                format!("FROM refs WHERE source = {id} OR target = {id}"),
                format!("FROM refs WHERE +source = {id} OR +target = {id}"),
            ),
            (format!("FROM refs WHERE source = '{id}'"), format!("FROM refs WHERE +source = {id}")),
            (format!("FROM objects WHERE id = '{id}'"), format!("FROM objects WHERE +id = {id}")),
            (format!("FROM objects WHERE id = {id}.0"), format!("FROM objects WHERE +id = {id}")),
            (format!("FROM objects WHERE id IN ({id}, 'x', NULL, 1.5)"), format!("FROM objects WHERE +id = {id}")),
            (
                format!("FROM objects WHERE immediate_dominator = {id} AND dominator = {id}"),
                format!("FROM objects WHERE +immediate_dominator = {id}"),
            ),
            (
                format!("FROM objects WHERE class = '{upper}' COLLATE NOCASE"),
                format!("FROM objects WHERE upper(class) = '{upper}'"),
            ),
            (format!("FROM dominator_tree WHERE id = '{id}'"), format!("FROM dominator_tree WHERE +id = {id}")),
            (
                "FROM dominator_tree WHERE place > 5 AND place <= 9 OR place > 99999999999".to_owned(),
                "FROM dominator_tree WHERE +place > 5 AND +place <= 9".to_owned(),
            ),
        ];
        for (quick, plain) in pairs {
            let mut count = |from: &str| rows(&mut database, &format!("SELECT count(*) {from}"));
            assert_eq!(count(&quick), count(&plain), "{name}: {quick}");
        }
        // A function of NULL has no rows, and no value.
        let nulls = "SELECT count(*) FROM (SELECT NULL AS none) n, path(n.none)";
        assert_eq!(rows(&mut database, nulls), Ok(vec![vec![Value::Integer(0)]]), "{name}");
        let nulls = "SELECT field(id, NULL), object(NULL), is_subclass(NULL, class) FROM objects LIMIT 1";
        assert_eq!(rows(&mut database, nulls), Ok(vec![vec![Value::Null; 3]]), "{name}");
        let unknown = rows(&mut database, "SELECT 1 FROM objects WHERE \"clas\" = 'x'");
        assert!(unknown.is_err_and(|error| error.to_string().contains("no such column")), "{name}");
    }
}

/// Numbers of a xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

const PIECES: [&str; 74] = [
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "LIMIT",
    "AND",
    "OR",
    "NOT",
    "(",
    ")",
    ",",
    "*",
    "=",
    "<",
    ">",
    "LIKE",
    "GLOB",
    "IN",
    "IS NULL",
    "objects",
    "refs",
    "classes",
    "roots",
    "threads",
    "findings",
    "id",
    "class",
    "retained",
    "shallow_bytes",
    "source",
    "target",
    "field",
    "\"java.util.HashMap\"",
    "\"instanceof java.lang.Object\"",
    "java.lang.String",
    "INSTANCEOF",
    "s",
    "s.@retainedHeapSize",
    "@length",
    "toString(s)",
    "path(1)",
    "path(",
    "retained_set(id)",
    "reachable_from(0xfe03f300)",
    "entries(id)",
    "freed_by('a.b')",
    "count(*)",
    "sum(retained)",
    "text(id)",
    "field(id, 'a.b[0].c')",
    "field(id, '[99999999999999999999]')",
    "object('x')",
    "dominates(id, id)",
    "0xfe03f300",
    "-1",
    "9223372036854775807",
    "1e308",
    "'%'",
    "'",
    "\"",
    "[",
    "--",
    "/*",
    ";",
    "NULL",
    "DESC",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)",
    "n",
    "JOIN",
    "USING (class)",
    "DISTINCT",
    "\u{0}",
    "ä→",
];

/// No text is a crash, a hang, or an answer after the limit. `HEAPLENS_FUZZ_SECONDS` sets how long it runs.
#[test]
fn random_queries_end_in_time() {
    let seconds = std::env::var("HEAPLENS_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let end = Instant::now() + Duration::from_secs(seconds);
    let dump = opened("leak-after.hprof.gz");
    let mut database = Database::new(source(&dump), None).expect("a database");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut question, mut answered) = (0_u32, 0_u32);
    // A slow machine needs longer for the first query that is right.
    while Instant::now() < end || (answered == 0 && question < 20_000) {
        let pieces = 1 + random.below(14);
        let mut query = if random.below(3) == 0 { String::new() } else { "SELECT ".to_owned() };
        if random.below(2) == 0 {
            query += ["* FROM objects ", "id, class FROM objects WHERE ", "count(*) FROM refs WHERE "][random.below(3)];
        }
        for _ in 0..pieces {
            query += PIECES[random.below(PIECES.len())];
            query += [" ", " ", " ", ""][random.below(4)];
        }
        let limit = Duration::from_millis(200);
        let begin = Instant::now();
        let limits = Limits { time: Some(limit) };
        let rows = database.run(&query, limits, &Task::new(), &mut CollectedAnswer::new(2_000));
        // A busy machine may be late; a query that does not end is later.
        assert!(begin.elapsed() < limit + Duration::from_secs(2), "{:?}: {query}", begin.elapsed());
        question += 1;
        answered += u32::from(rows.is_ok());
    }
    assert!(answered > 0 && question > answered, "{answered} of {question} queries have an answer");
}

#[test]
fn a_cancelled_query_ends_at_once() {
    let dump = opened("leak-after.hprof.gz");
    let mut database = Database::new(source(&dump), None).expect("a database");
    let queries = [
        "SELECT count(*) FROM objects a, objects b WHERE a.shallow + b.shallow < 0",
        "SELECT owner, count(*) FROM objects, roots GROUP BY owner",
        "SELECT sum(length(text(object))) FROM \"java.lang.String\", threads, threads, threads",
    ];
    for query in queries {
        let task = Task::new();
        let other = task.clone();
        let cancelled = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            other.cancel();
            Instant::now()
        });
        let ended = database.run(query, Limits::default(), &task, &mut CollectedAnswer::new(usize::MAX));
        let took = cancelled.join().expect("a thread").elapsed();
        assert_eq!(ended, Err(QueryError::Cancelled), "{query}");
        assert!(took < Duration::from_secs(2), "{query}: {took:?}");
    }
}

#[test]
fn files_of_columns_have_the_rows_of_the_tables() {
    for name in DUMPS {
        let dump = opened(name);
        let source = source(&dump);
        let mut database = Database::new(Arc::clone(&source), None).expect("a database");
        let export = Export::new(&source, vec![("dump", name.to_owned())], true);
        for table in exported_tables(true) {
            let mut file = tempfile::tempfile().expect("a file");
            let written =
                export.write(table, &mut file, &Task::new()).unwrap_or_else(|e| panic!("{name}: {table}: {e}"));
            let reader = SerializedFileReader::new(file).expect("a Parquet file");
            assert_eq!(reader.metadata().file_metadata().num_rows() as u64, written, "{name}: {table}");
            let ours = match table {
                "objects" => {
                    "SELECT count(*), sum(id), sum(retained_bytes), sum(ifnull(immediate_dominator, 0)), \
                              sum(dominated), count(root) FROM objects"
                }
                "references" => "SELECT count(*), sum(source), sum(target), sum(position) FROM refs",
                "dominators" => {
                    "SELECT count(*), sum(id), sum(place), sum(last), sum(ifnull(immediate_dominator, 0)) \
                                 FROM dominator_tree"
                }
                "strings" => "SELECT count(*), sum(id), sum(octet_length(text)) FROM texts",
                _ => continue,
            };
            let keys: &[&str] = match table {
                "objects" => &["id", "retained_bytes", "immediate_dominator", "dominated", "root"],
                "references" => &["source", "target", "position"],
                "dominators" => &["id", "place", "last", "immediate_dominator"],
                _ => &["id", "text"],
            };
            let fields: Vec<String> =
                reader.metadata().file_metadata().schema().get_fields().iter().map(|f| f.name().to_owned()).collect();
            let index = |key: &str| fields.iter().position(|field| field == key).expect("a column");
            let mut sums = vec![0_i64; keys.len() + 1];
            for row in reader.get_row_iter(None).expect("rows") {
                let row = row.expect("a row");
                sums[0] += 1;
                for (sum, key) in sums[1..].iter_mut().zip(keys) {
                    *sum += number(&row, index(key));
                }
            }
            let expected: Vec<i64> = rows(&mut database, ours).expect("sums")[0]
                .iter()
                .map(|value| if let Value::Integer(number) = value { *number } else { 0 })
                .collect();
            assert_eq!(sums, expected, "{name}: {table}");
        }
    }
}

/// A number; for a text its length, of a root whether there is one.
fn number(row: &Row, index: usize) -> i64 {
    let text = |row: &Row| row.get_string(index).map(|text| text.len() as i64);
    let is_root = row.get_column_iter().nth(index).is_some_and(|(name, _)| name == "root");
    row.get_long(index).or_else(|_| text(row).map(|length| if is_root { 1 } else { length })).unwrap_or(0)
}

#[test]
fn names_of_findings_are_values() {
    let dump = opened("leak-after.hprof.gz");
    let source = source(&dump);
    let columns = |values: bool| {
        let mut file = tempfile::tempfile().expect("a file");
        let export = Export::new(&source, Vec::new(), values);
        export.write("findings", &mut file, &Task::new()).expect("a file");
        let reader = SerializedFileReader::new(file).expect("a Parquet file");
        let fields = reader.metadata().file_metadata().schema().get_fields();
        fields.iter().map(|field| field.name().to_owned()).collect::<Vec<String>>()
    };
    let has = |values, name: &str| columns(values).iter().any(|column| column == name);
    assert!(has(true, "name") && has(true, "cut") && has(false, "fingerprint"));
    assert!(!has(false, "name") && !has(false, "cut"));
}

#[test]
fn a_cancelled_export_writes_nothing_more() {
    let dump = opened("leak-after.hprof.gz");
    let source = source(&dump);
    let task = Task::new();
    task.cancel();
    let result = Export::new(&source, Vec::new(), false).write("objects", tempfile::tempfile().expect("a file"), &task);
    assert!(matches!(result, Err(ExportError::Cancelled)), "{result:?}");
}

#[test]
fn functions_read_the_older_dump_by_their_prefix() {
    let (older, newer) = (opened("leak-before.hprof.gz"), opened("leak-after.hprof.gz"));
    let mut database = Database::new(source(&newer), Some(source(&older))).expect("a database");
    let both = "SELECT m.before_id, m.id FROM matches m WHERE m.before_id IS NOT NULL AND m.id IN (SELECT id FROM objects ORDER BY retained_bytes DESC LIMIT 200)";
    let expected: Vec<(u64, u64)> = rows(&mut database, both)
        .expect("matches")
        .iter()
        .map(|row| {
            let [Value::Integer(before), Value::Integer(after)] = row[..] else { panic!("{row:?}") };
            let retained = |dump: &Dump, id: i64| {
                let object = dump.facts.heap.at(heaplens_heap::Address(id as u64)).expect("an object");
                dump.analysis.retained(object).0
            };
            (retained(&older, before), retained(&newer, after))
        })
        .collect();
    let query = format!("SELECT before_retained(before_id), retained(id) FROM ({both})");
    let actual: Vec<(u64, u64)> = rows(&mut database, &query)
        .expect("sizes")
        .iter()
        .map(|row| {
            let [Value::Integer(before), Value::Integer(after)] = row[..] else { panic!("{row:?}") };
            (before as u64, after as u64)
        })
        .collect();
    assert_eq!(actual, expected);
    assert!(actual.iter().any(|(before, after)| before != after), "one that grew");
    assert_eq!(database.functions().len(), 50);
}

#[test]
fn the_place_of_an_error_counts_empty_statements() {
    let dump = opened("leak-after.hprof.gz");
    let mut database = Database::new(source(&dump), None).expect("a database");
    let query = " ;\n; SELECT wrong FROM objects";
    let Err(QueryError::Wrong { position, .. }) = rows(&mut database, query) else { panic!("a wrong query") };
    assert_eq!(position, query.find("wrong"));
}
