//! `dominator_tree`: the reachable objects in preorder. An object dominates those between its place and its last one, so
//! joins on ranges of places replace recursion.

use std::sync::Arc;

use crate::relation::{Access, Comparison, Constraint, Plan, Rows, RowsError, SortedBy, SqlColumn, SqlRelation};
use crate::source::QuerySource;
use crate::value::{SqlType, object_of_id};
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_tables::columns::Value;

/// The table.
pub(crate) struct DominatorTree {
    source: Arc<QuerySource>,
    columns: Vec<SqlColumn>,
}

impl DominatorTree {
    pub(crate) fn new(source: Arc<QuerySource>) -> Self {
        let columns = vec![
            SqlColumn::shown("place", SqlType::Integer, "Position in the preorder, from 1"),
            SqlColumn::shown("last", SqlType::Integer, "Position of the last object that it dominates, or its own"),
            SqlColumn::shown("id", SqlType::Object, "The object"),
            SqlColumn::shown("immediate_dominator", SqlType::Object, "Its parent; null at the top"),
            SqlColumn::shown("retained_bytes", SqlType::Bytes, "Bytes freed if the object were collected"),
        ];
        Self { source, columns }
    }
}

impl SqlRelation for DominatorTree {
    fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    fn plan(&self, constraints: &[Constraint], order: Option<SortedBy>) -> Option<Plan> {
        let all = self.source.heap().len() as f64;
        let mut plan = Plan { rows: all, cost: all, ..Plan::default() };
        for (at, constraints) in constraints.iter().enumerate().filter(|(_, constraints)| constraints.is_usable) {
            let is_range = constraints.column == 0 && !matches!(constraints.by, Comparison::Like | Comparison::Glob);
            let is_id = constraints.column == 2 && constraints.by == Comparison::Equal;
            if is_range || is_id {
                plan.used.push(at);
                let rows = if is_id { 1.0 } else { plan.rows / 10.0 };
                (plan.rows, plan.cost, plan.is_unique) = (rows, rows, plan.is_unique | is_id);
            }
        }
        plan.is_sorted = order.is_some_and(|by| by.column == 0 && !by.descending);
        Some(plan)
    }

    fn rows(&self, access: &Access, task: &Task) -> Result<Box<dyn Rows>, RowsError> {
        let analysis = self.source.analysis();
        let (mut first, mut last) = (1_i128, self.source.heap().len() as i128);
        for known in &access.known {
            match (known.column, known.by, &known.value) {
                (2, _, &Value::Integer(id)) => {
                    let preorder = object_of_id(self.source.heap(), id).and_then(|object| analysis.preorder(object));
                    let preorder = preorder.map_or(0, i128::from);
                    (first, last) = (first.max(preorder), last.min(preorder));
                }
                (2, ..) => last = 0,
                (0, by, &Value::Integer(preorder)) => {
                    let preorder = i128::from(preorder);
                    match by {
                        Comparison::Equal => (first, last) = (first.max(preorder), last.min(preorder)),
                        Comparison::Less => last = last.min(preorder - 1),
                        Comparison::AtMost => last = last.min(preorder),
                        Comparison::Greater => first = first.max(preorder + 1),
                        Comparison::AtLeast => first = first.max(preorder),
                        Comparison::Like | Comparison::Glob => {}
                    }
                }
                // Comparisons with other values are SQLite's.
                _ => {}
            }
        }
        let next = u32::try_from(first.clamp(1, u32::MAX.into())).unwrap_or(u32::MAX);
        let last = u32::try_from(last.clamp(0, (u32::MAX - 1).into())).unwrap_or(0);
        Ok(Box::new(Preorder { source: Arc::clone(&self.source), task: task.clone(), next, last, current: None }))
    }
}

struct Preorder {
    source: Arc<QuerySource>,
    task: Task,
    /// Next place, and the last.
    next: u32,
    last: u32,
    current: Option<ObjectId>,
}

impl Rows for Preorder {
    fn advance(&mut self) -> Result<bool, RowsError> {
        self.task.checkpoint_at(self.next as usize)?;
        self.current = (self.next <= self.last).then(|| self.source.analysis().at_preorder(self.next)).flatten();
        self.next = self.next.saturating_add(1);
        Ok(self.current.is_some())
    }

    fn number(&self) -> i64 {
        i64::from(self.next) - 1
    }

    fn value(&self, column: usize) -> Result<Value<'_>, RowsError> {
        let (heap, analysis) = (self.source.heap(), self.source.analysis());
        let Some(object) = self.current else { return Ok(Value::Null) };
        Ok(match column {
            0 => Value::Integer(self.number()),
            1 => Value::Integer(self.number() + analysis.dominated_count(object) as i64),
            2 => Value::object(heap, object),
            3 => Value::optional(analysis.shown_immediate_dominator(heap, object), |above| Value::object(heap, above)),
            _ => Value::Bytes(analysis.retained(object)),
        })
    }
}
