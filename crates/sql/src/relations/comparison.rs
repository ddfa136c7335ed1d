//! `growth` and `matches`: the comparison of a dump with an older one, computed once, when a query first asks for it.

use std::sync::Arc;

use super::listed::{Listed, RowValues, table_rows};
use crate::relation::{Access, Comparison as By, Constraint, Plan, Rows, RowsError, SortedBy, SqlColumn, SqlRelation};
use crate::source::QuerySource;
use crate::value::{SqlType, object_of_id};
use heaplens_analysis::diff::Comparison;
use heaplens_analysis::diff::{MatchStatus, Pair};
use heaplens_base::{Shared, Task};
use heaplens_heap::ObjectId;
use heaplens_session::comparison::compare_dumps;
use heaplens_tables::columns::{ColumnInfo, Condition, Value};
use heaplens_tables::diff::{BorrowedHeaps, ChangeFilter, OwnerChanges, OwnerDetail};

/// Names of owners that a row lists, and keys of their entries.
const NAMES: usize = 3;
const KEYS: usize = 0;

/// Two dumps, and their comparison once it is known.
pub(crate) struct Compared {
    before: Arc<QuerySource>,
    after: Arc<QuerySource>,
    comparison: Shared<Comparison>,
}

impl Compared {
    pub(crate) fn new(before: Arc<QuerySource>, after: Arc<QuerySource>) -> Arc<Self> {
        Arc::new(Self { before, after, comparison: Shared::default() })
    }

    fn pair(&self) -> Pair<'_> {
        Pair { before: self.before.data(), after: self.after.data() }
    }

    fn comparison(&self, task: &Task) -> Result<Arc<Comparison>, RowsError> {
        Ok(self.comparison.get(task, |_| true, |task| compare_dumps(self.pair(), task))?)
    }
}

/// `growth`: the rows of `diff --of owners`.
pub(crate) fn growth(compared: &Arc<Compared>) -> Listed {
    let is_shown = |column: &ColumnInfo| column.heading.when != Condition::SortKey;
    let columns: Vec<ColumnInfo> = OwnerChanges::declared_columns().into_iter().filter(is_shown).collect();
    let sql = columns.iter().map(|column| SqlColumn::of_heading(&column.heading, column.kind)).collect();
    let compared = Arc::clone(compared);
    let source = Arc::clone(&compared.after);
    Listed::new(source, sql, move |source, _, task| growth_rows(&compared, source, &columns, task))
}

fn growth_rows(
    compared: &Compared,
    source: &QuerySource,
    columns: &[ColumnInfo],
    task: &Task,
) -> Result<Vec<RowValues>, RowsError> {
    let comparison = compared.comparison(task)?;
    let heaps = BorrowedHeaps { pair: compared.pair(), comparison: &comparison, namer: source.namer(task)? };
    let detail = OwnerDetail { keys: KEYS, names: NAMES };
    let table = OwnerChanges::new(Box::new(heaps), ChangeFilter::Changed, detail);
    table_rows(source, &table, columns, task)
}

/// `matches`: one row for each reachable object of the dump, and each of the older one without a match.
pub(crate) struct Matches {
    compared: Arc<Compared>,
    columns: Vec<SqlColumn>,
}

impl Matches {
    pub(crate) fn new(compared: &Arc<Compared>) -> Self {
        let columns = vec![
            SqlColumn::shown("before_id", SqlType::OlderObject, "The object in the older dump; null if it was added"),
            SqlColumn::shown("id", SqlType::Object, "The object in the dump; null if it was removed"),
            SqlColumn::shown("status", SqlType::Text, "matched, added, removed or ambiguous"),
            SqlColumn::shown("matched_by", SqlType::Text, "What the match is based on, such as key or path"),
            SqlColumn::shown("confidence", SqlType::Text, "certain, likely or guess"),
        ];
        Self { compared: Arc::clone(compared), columns }
    }
}

impl SqlRelation for Matches {
    fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    fn plan(&self, constraints: &[Constraint], _order: Option<SortedBy>) -> Option<Plan> {
        let by_id = constraints
            .iter()
            .position(|constraints| constraints.is_usable && constraints.column == 1 && constraints.by == By::Equal);
        let all = self.compared.after.heap().len() as f64;
        Some(match by_id {
            Some(at) => Plan { used: vec![at], rows: 1.0, cost: 2.0, is_unique: true, is_sorted: false },
            None => Plan { rows: all, cost: all, ..Plan::default() },
        })
    }

    fn rows(&self, access: &Access, task: &Task) -> Result<Box<dyn Rows>, RowsError> {
        let comparison = self.compared.comparison(task)?;
        let (before, after) = (self.compared.before.heap().len(), self.compared.after.heap().len());
        let only = access.known.first().map(|known| match known.value {
            Value::Integer(id) => object_of_id(self.compared.after.heap(), id).map_or(after, ObjectId::index),
            _ => after,
        });
        let (next, end) = only.map_or((0, after + before), |row| (row, (row + 1).min(after)));
        let (compared, task) = (Arc::clone(&self.compared), task.clone());
        Ok(Box::new(MatchRows { compared, comparison, task, next, end, current: None }))
    }
}

struct MatchRows {
    compared: Arc<Compared>,
    comparison: Arc<Comparison>,
    task: Task,
    /// Rows of the dump, then those of the older one.
    next: usize,
    end: usize,
    current: Option<(Option<ObjectId>, Option<ObjectId>, MatchStatus)>,
}

impl Rows for MatchRows {
    fn advance(&mut self) -> Result<bool, RowsError> {
        let (before, after) = (&self.compared.before, &self.compared.after);
        let matches = &self.comparison.matches;
        self.current = None;
        while self.current.is_none() && self.next < self.end {
            self.task.checkpoint_at(self.next)?;
            self.current = match self.next.checked_sub(after.heap().len()) {
                None => {
                    ObjectId::new(self.next).filter(|&object| after.analysis().is_reachable(object)).map(|object| {
                        let status = matches.match_status_of_after(object);
                        let of_before = if let MatchStatus::Matched(other, _) = status { Some(other) } else { None };
                        (of_before, Some(object), status)
                    })
                }
                Some(row) => {
                    ObjectId::new(row).filter(|&object| before.analysis().is_reachable(object)).and_then(|object| {
                        let status = matches.match_status_of_before(object);
                        (!matches!(status, MatchStatus::Matched(..))).then_some((Some(object), None, status))
                    })
                }
            };
            self.next += 1;
        }
        Ok(self.current.is_some())
    }

    fn number(&self) -> i64 {
        self.next as i64
    }

    fn value(&self, column: usize) -> Result<Value<'_>, RowsError> {
        let Some((before, after, status)) = self.current else { return Ok(Value::Null) };
        let method = if let MatchStatus::Matched(_, method) = status { Some(method) } else { None };
        let heap = |of: &Arc<QuerySource>, object| Value::object(of.heap(), object);
        Ok(match column {
            0 => Value::optional(before, |object| heap(&self.compared.before, object)),
            1 => Value::optional(after, |object| heap(&self.compared.after, object)),
            2 => Value::text(match (status, after) {
                (MatchStatus::Matched(..), _) => "matched",
                (MatchStatus::Unknown, _) => "ambiguous",
                (MatchStatus::Alone, Some(_)) => "added",
                (MatchStatus::Alone, None) => "removed",
            }),
            3 => Value::optional(method, |method| Value::text(method.name())),
            _ => Value::optional(method, |method| Value::text(method.confidence().name())),
        })
    }
}
