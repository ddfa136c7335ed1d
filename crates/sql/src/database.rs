//! A dump as a database: runs queries.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::{Batch, Connection, Statement};

use crate::answer::AnswerColumn;
use crate::answer_sink::AnswerSink;
use crate::catalog::{self, CatalogTable};
use crate::connection::{self, MEMORY};
use crate::error::{Advice, QueryError};
use crate::relations::class_fields::{ClassFields, classes_named};
use crate::relations::held_rows::{HeldRows, RowSource};
use crate::source::QuerySource;
use crate::tokens::tokens;
use crate::value::SqlType;
use crate::virtual_table::{RelationList, owned, quoted};
use crate::{oql, oql_functions, scalars};
use heaplens_base::Task;
use heaplens_tables::columns::Value;

/// Instructions of SQLite between two looks at the clock: a few hundred microseconds.
const INSTRUCTIONS: i32 = 10_000;
/// Maximum number of classes that become tables in one query.
const MOST_CLASSES: usize = 100;

/// Begin of the names of functions that read the older of two dumps.
const OLDER: &str = "before_";

/// Limits of a query.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// Longest time; `None` for no limit.
    pub time: Option<Duration>,
}

/// A database of one dump, or of two: the tables of the older one, or of the dump before removals, are in the schema
/// `before`, those of the other also in `after`.
pub struct Database {
    connection: Connection,
    list: RelationList,
    /// One for each dump, the newer first.
    schemas: Vec<Schema>,
    /// True while tables are made.
    is_building: Arc<AtomicBool>,
}

struct Schema {
    name: &'static str,
    /// Another name, if there are two dumps.
    alias: Option<&'static str>,
    /// True if ids in it are of another dump than those of the first schema.
    is_older: bool,
    /// Its dump; `None` of rows that are held in memory.
    source: Option<Arc<QuerySource>>,
    /// Its tables, also those of classes.
    tables: Vec<CatalogTable>,
}

impl Schema {
    /// The names that it has.
    fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        [self.name].into_iter().chain(self.alias)
    }
}

/// True if both are of one dump: one is the other without some references.
fn is_same_dump(before: &QuerySource, after: &QuerySource) -> bool {
    Arc::ptr_eq(&before.facts().contents, &after.facts().contents)
}

impl Database {
    /// A database with the tables of a dump, and of an older one or the same dump before removals.
    ///
    /// # Errors
    /// If SQLite has no memory.
    pub fn new(source: Arc<QuerySource>, before: Option<Arc<QuerySource>>) -> Result<Self, QueryError> {
        let mut database = Self::empty().map_err(failed)?;
        let is_same = before.as_ref().is_some_and(|before| is_same_dump(before, &source));
        let alias = before.is_some().then_some("after");
        if alias.is_some() {
            let attach = "ATTACH ':memory:' AS before; ATTACH ':memory:' AS after";
            database.connection.execute_batch(attach).map_err(failed)?;
        }
        for (index, source) in [source].into_iter().chain(before).enumerate() {
            let (name, prefix) = [("main", ""), ("before", OLDER)][index.min(1)];
            scalars::add(&database.connection, prefix, &source, &database.list).map_err(failed)?;
            oql_functions::add(&database.connection, prefix, &source, &database.list).map_err(failed)?;
            let tables = catalog::tables(&source);
            let (alias, is_older) = (alias.filter(|_| index == 0), index > 0 && !is_same);
            database.schemas.push(Schema { name, alias, is_older, source: Some(source), tables: Vec::new() });
            for table in tables {
                database.add(index, table).map_err(failed)?;
            }
        }
        let of = |schema: usize| database.schemas.get(schema)?.source.as_ref();
        // Objects before and after removals are the same: their ids join them.
        let compared = of(1).zip(of(0)).filter(|_| !is_same).map(|(before, after)| catalog::compared(before, after));
        for table in compared.into_iter().flatten() {
            database.add(0, table).map_err(failed)?;
        }
        database.is_building.store(false, Relaxed);
        Ok(database)
    }

    /// A database of tables whose rows are held in memory: name, what it is, and its rows.
    ///
    /// # Errors
    /// If SQLite has no memory.
    pub fn of_rows(
        tables: impl IntoIterator<Item = (&'static str, &'static str, Arc<dyn RowSource>)>,
    ) -> Result<Self, QueryError> {
        let mut database = Self::empty().map_err(failed)?;
        let (alias, is_older) = (None, false);
        database.schemas.push(Schema { name: "main", alias, is_older, source: None, tables: Vec::new() });
        for (name, about, rows) in tables {
            let relation = Arc::new(HeldRows(rows));
            database.add(0, CatalogTable { name: name.to_owned(), about, relation }).map_err(failed)?;
        }
        database.is_building.store(false, Relaxed);
        Ok(database)
    }

    fn empty() -> rusqlite::Result<Self> {
        let is_building = Arc::new(AtomicBool::new(true));
        let list = RelationList::default();
        let connection = connection::open(&list, &is_building)?;
        Ok(Self { connection, list, schemas: Vec::new(), is_building })
    }

    /// The newer dump; `None` without one.
    fn source(&self) -> Option<&Arc<QuerySource>> {
        self.schemas.first()?.source.as_ref()
    }

    /// Functions that return one value: each with its arguments, and what it returns.
    pub fn functions(&self) -> Vec<(String, String)> {
        let all = || scalars::ABOUT.iter().chain(&oql_functions::ABOUT);
        let newer = all().filter(|_| self.source().is_some()).map(|&(call, about)| (call.to_owned(), about.to_owned()));
        let older = all().filter(|_| self.schemas.len() > 1);
        let is_older = self.schemas.get(1).is_some_and(|schema| schema.is_older);
        let of = if is_older { "In the older dump" } else { "Before the removals" };
        let older = older.map(|(call, about)| (format!("{OLDER}{call}"), format!("{of}: {about}")));
        newer.chain(older).collect()
    }

    /// Tables and functions of the dump that return rows, for help and completion.
    pub fn tables(&self) -> &[CatalogTable] {
        self.schemas.first().map_or(&[][..], |schema| &schema.tables)
    }

    fn add(&mut self, schema: usize, table: CatalogTable) -> rusqlite::Result<()> {
        let number = self.list.add(Arc::clone(&table.relation), self.schemas[schema].is_older);
        let table_name = quoted(&table.name);
        for name in self.schemas[schema].names() {
            let sql = format!("CREATE VIRTUAL TABLE {name}.{table_name} USING heap({number})");
            self.connection.execute_batch(&sql)?;
        }
        self.schemas[schema].tables.push(table);
        Ok(())
    }

    /// Makes tables of the classes that a query names.
    fn add_classes(&mut self, query: &str) -> rusqlite::Result<()> {
        let names: BTreeSet<String> =
            tokens(query).iter().filter_map(|token| token.name(query)).map(Cow::into_owned).collect();
        let mut added = 0;
        for schema in 0..self.schemas.len() {
            for name in &names {
                let tables = &self.schemas[schema].tables;
                let known = tables.iter().position(|table| table.name.eq_ignore_ascii_case(name));
                // SQLite does not tell names by case: the class that this query names takes the place of another.
                let other = known.filter(|&at| tables[at].about.is_empty() && tables[at].name != *name);
                if added == MOST_CLASSES || known.is_some() && other.is_none() {
                    continue;
                }
                let Some(source) = &self.schemas[schema].source else { continue };
                let Some(classes) = classes_named(source.heap(), name) else { continue };
                let relation = Arc::new(ClassFields::new(Arc::clone(source), classes));
                if let Some(at) = other {
                    self.drop_table(schema, at)?;
                }
                let table = CatalogTable { name: name.clone(), about: "", relation };
                self.building(|database| database.add(schema, table))?;
                added += 1;
            }
        }
        Ok(())
    }

    fn drop_table(&mut self, schema: usize, at: usize) -> rusqlite::Result<()> {
        let table = quoted(&self.schemas[schema].tables.remove(at).name);
        let dropped = self.schemas[schema].names().map(|name| format!("DROP TABLE {name}.{table};"));
        let sql: String = dropped.collect();
        self.building(|database| database.connection.execute_batch(&sql))
    }

    /// Does what makes or removes tables: no query may.
    fn building(&mut self, change: impl FnOnce(&mut Self) -> rusqlite::Result<()>) -> rusqlite::Result<()> {
        self.is_building.store(true, Relaxed);
        let result = change(self);
        self.is_building.store(false, Relaxed);
        result
    }

    /// Runs one statement: SQL, or a query as MAT writes it.
    ///
    /// # Errors
    /// If the query is wrong, cancelled, or exceeds a limit.
    pub fn run(
        &mut self,
        query: &str,
        limits: Limits,
        task: &Task,
        sink: &mut dyn AnswerSink,
    ) -> Result<(), QueryError> {
        // Positions in errors of SQLite are those of the statement, which begins after empty ones.
        let statement = query.trim_start_matches(|c: char| c == ';' || c.is_whitespace());
        let result = self.run_trimmed(statement, limits, task, sink);
        result.map_err(|error| error.moved_by(query.len() - statement.len()))
    }

    fn run_trimmed(
        &mut self,
        query: &str,
        limits: Limits,
        task: &Task,
        sink: &mut dyn AnswerSink,
    ) -> Result<(), QueryError> {
        if query.len() > connection::LONGEST as usize {
            return Err(QueryError::wrong("the query is longer than a megabyte"));
        }
        // The time is over for everything that reads the heap, too.
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        let translated = self.source().map_or(Ok(None), |source| oql::translate(query, source, self.tables()))?;
        let is_translated = translated.is_some();
        let query = &*translated.unwrap_or_else(|| query.to_owned());
        self.add_classes(query).map_err(failed)?;
        let (watched, late) = (task.clone(), Arc::new(AtomicBool::new(false)));
        let is_late = Arc::clone(&late);
        let watch = move || {
            if deadline.is_some_and(|deadline| Instant::now() > deadline) {
                is_late.store(true, Relaxed);
            }
            is_late.load(Relaxed) || watched.is_cancelled()
        };
        self.connection.progress_handler(INSTRUCTIONS, Some(watch)).map_err(failed)?;
        self.list.set_task(task);
        let timer = deadline.map(|deadline| Timer::start(deadline, task.clone(), Arc::clone(&late)));
        let result = self.run_statement(query, sink);
        drop(timer);
        result.map_err(|error| {
            if late.load(Relaxed) {
                return QueryError::TooSlow(limits.time.unwrap_or_default());
            }
            if task.is_cancelled() {
                return QueryError::Cancelled;
            }
            let error = match error {
                Failed::Sql(error) => failed(error),
                Failed::Query(error) => error,
            };
            // Positions are those of the translation, which the user did not write.
            let error = match error {
                QueryError::Wrong { message, advice, .. } if is_translated => {
                    QueryError::Wrong { message: format!("{message} (as SQL: {query})"), position: None, advice }
                }
                error => error,
            };
            error.advised(|message| self.advice(query, message))
        })
    }

    fn run_statement(&self, query: &str, sink: &mut dyn AnswerSink) -> Result<(), Failed> {
        let mut batch = Batch::new(&self.connection, query);
        let Some(mut statement) = batch.next().map_err(Failed::Sql)? else {
            return Err(Failed::Query(QueryError::wrong("the query is empty")));
        };
        sink.begin(&columns(&statement));
        let count = statement.column_count();
        let mut rows = statement.query([]).map_err(Failed::Sql)?;
        while let Some(row) = rows.next().map_err(Failed::Sql)? {
            let values = (0..count).map(|column| row.get_ref(column).map_or(Value::Null, owned)).collect();
            if !sink.row(values) {
                return Ok(());
            }
        }
        drop(rows);
        drop(statement);
        match batch.next() {
            Ok(None) => Ok(()),
            _ => Err(Failed::Query(QueryError::wrong("one statement at a time: there is text after the semicolon"))),
        }
    }

    /// What to write instead.
    fn advice(&self, query: &str, message: &str) -> Advice {
        let has_schemas = self.schemas.len() > 1 || self.source().is_none();
        let of_schema = if has_schemas { None } else { catalog::schema_advice(query, message) };
        of_schema.unwrap_or_else(|| {
            catalog::advice(self.source().map(|source| source.heap()), self.tables(), query, message)
        })
    }
}

fn failed(error: rusqlite::Error) -> QueryError {
    QueryError::of(error, MEMORY)
}

enum Failed {
    Sql(rusqlite::Error),
    Query(QueryError),
}

fn columns(statement: &Statement<'_>) -> Vec<AnswerColumn> {
    let column = |column: rusqlite::Column<'_>| AnswerColumn {
        name: column.name().to_owned(),
        kind: column.decl_type().and_then(SqlType::of_word),
    };
    statement.columns().map(column).collect()
}

/// Cancels what reads the heap when the time is over; the query ends at the next instruction.
struct Timer {
    _end: crossbeam_channel::Sender<()>,
}

impl Timer {
    fn start(deadline: Instant, task: Task, late: Arc<AtomicBool>) -> Self {
        let (end, ended) = crossbeam_channel::bounded(0);
        // Without a thread, the query ends at the next look at the clock.
        let _not_started = heaplens_base::threads::start("time limit", move || {
            if ended.recv_deadline(deadline) == Err(crossbeam_channel::RecvTimeoutError::Timeout) {
                late.store(true, Relaxed);
                task.cancel();
            }
        });
        Self { _end: end }
    }
}
