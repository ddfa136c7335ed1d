//! `objects`: one row for each object of the heap.

mod by_class;
mod conditions;
mod ranked;
pub(crate) mod values;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use self::by_class::by_class;
use self::conditions::ObjectConditions;
use self::ranked::{RankKey, Ranked};
use self::values::{COLUMNS, ObjectValue as V, SHOWN, object_value};
use crate::relation::{
    Access, ColumnRole, Comparison, Constraint, Plan, Rows, RowsError, SortedBy, SqlColumn, SqlRelation,
};
use crate::source::QuerySource;
use crate::value::{SqlType, object_of_id};
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_tables::columns::Value;

/// The table.
pub(crate) struct Objects {
    source: Arc<QuerySource>,
    columns: Vec<SqlColumn>,
}

impl Objects {
    pub(crate) fn new(source: Arc<QuerySource>) -> Self {
        let column = |(index, &(name, kind, _, about)): (usize, &(&str, SqlType, V, &'static str))| {
            let role = if index < SHOWN { ColumnRole::Shown } else { ColumnRole::Alias };
            SqlColumn::shown(name, kind, about).with_role(role)
        };
        Self { source, columns: COLUMNS.iter().enumerate().map(column).collect() }
    }
}

fn value_at(column: usize) -> Option<V> {
    COLUMNS.get(column).map(|&(_, _, value, _)| value)
}

impl SqlRelation for Objects {
    fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    fn plan(&self, constraints: &[Constraint], order: Option<SortedBy>) -> Option<Plan> {
        let all = self.source.heap().len() as f64;
        let mut plan = Plan { rows: all, cost: all, ..Plan::default() };
        for (at, constraints) in constraints.iter().enumerate().filter(|(_, constraints)| constraints.is_usable) {
            let (rows, cost) = match (value_at(constraints.column)?, constraints.by) {
                (V::Id, Comparison::Equal) => (1.0, 1.0),
                // Children of one node of the dominator tree.
                (V::Dominator, Comparison::Equal) => (8.0, 8.0),
                (V::Class, Comparison::Equal) => (all / 100.0, all / 50.0),
                (V::Class, Comparison::Like | Comparison::Glob) => (all / 20.0, all / 20.0),
                (V::Reachable, Comparison::Equal) => (all, all),
                (V::Shallow | V::Retained, by) if !matches!(by, Comparison::Like | Comparison::Glob) => {
                    (all / 20.0, all / 20.0)
                }
                _ => continue,
            };
            plan.is_unique |= value_at(constraints.column) == Some(V::Id);
            plan.used.push(at);
            (plan.rows, plan.cost) = (plan.rows.min(rows), plan.cost.min(cost));
        }
        plan.is_sorted = order.is_some_and(|by| match Order::of(by.column) {
            Some(Order::Size(_)) => true,
            // Classes of one name are one after the other.
            Some(Order::Class) => !by.then_by_number,
            None => false,
        });
        Some(plan)
    }

    fn rows(&self, access: &Access, task: &Task) -> Result<Box<dyn Rows>, RowsError> {
        let (heap, analysis) = (self.source.heap(), self.source.analysis());
        let mut conditions = ObjectConditions::default();
        let mut listed: Option<Vec<u32>> = None;
        for known in &access.known {
            match (value_at(known.column), &known.value) {
                (Some(V::Id), &Value::Integer(id)) => {
                    let row = object_of_id(heap, id).map(ObjectId::raw);
                    listed = Some(narrowed(listed, row.into_iter().collect()));
                }
                (Some(V::Dominator), &Value::Integer(id)) => {
                    let children = object_of_id(heap, id).map(|parent| {
                        analysis.dominator_children(Some(parent)).map(ObjectId::raw).collect::<Vec<u32>>()
                    });
                    listed = Some(narrowed(listed, children.unwrap_or_default()));
                }
                (Some(V::Id | V::Dominator), _) => listed = Some(Vec::new()),
                (Some(value), _) => conditions.narrow(heap, value, known),
                (None, _) => {}
            }
        }
        let order = access.order.and_then(|by| Some((Order::of(by.column)?, by.descending)));
        let next = match (order, listed) {
            (order, Some(mut listed)) => {
                order.into_iter().for_each(|(order, descending)| order.sort(&self.source, &mut listed, descending));
                Next::Listed(listed.into_iter())
            }
            (Some((Order::Size(key), descending)), None) => Next::Ranked(Ranked::new(key, descending)),
            (Some((Order::Class, descending)), None) => {
                Next::Listed(by_class(&self.source, &conditions, descending, task)?.into_iter())
            }
            (None, None) => Next::All(0),
        };
        let (source, task) = (Arc::clone(&self.source), task.clone());
        Ok(Box::new(ObjectRows { source, task, conditions, next, current: None }))
    }
}

/// Order that rows can be read in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Class,
    Size(RankKey),
}

impl Order {
    fn of(column: usize) -> Option<Self> {
        match value_at(column)? {
            V::Class => Some(Self::Class),
            value => RankKey::of(value).map(Self::Size),
        }
    }

    /// Sorts a few rows; equal ones are in the order of their numbers.
    fn sort(self, source: &QuerySource, rows: &mut [u32], descending: bool) {
        let class = |row: u32| ObjectId::from_raw(row).map(|object| &*source.heap().class(object).name);
        match (self, descending) {
            (Self::Class, false) => rows.sort_by_key(|&row| (class(row), row)),
            (Self::Class, true) => rows.sort_by_key(|&row| (Reverse(class(row)), row)),
            (Self::Size(key), false) => rows.sort_by_key(|&row| (key.of_row(source, row), row)),
            (Self::Size(key), true) => rows.sort_by_key(|&row| (Reverse(key.of_row(source, row)), row)),
        }
    }
}

/// Objects in both lists.
fn narrowed(listed: Option<Vec<u32>>, rows: Vec<u32>) -> Vec<u32> {
    match listed {
        None => rows,
        Some(mut listed) => {
            let rows: BTreeSet<u32> = rows.into_iter().collect();
            listed.retain(|row| rows.contains(row));
            listed
        }
    }
}

/// Where the next row comes from.
enum Next {
    /// All objects, from this row on.
    All(usize),
    Listed(std::vec::IntoIter<u32>),
    Ranked(Ranked),
}

struct ObjectRows {
    source: Arc<QuerySource>,
    task: Task,
    conditions: ObjectConditions,
    next: Next,
    current: Option<ObjectId>,
}

impl Rows for ObjectRows {
    fn advance(&mut self) -> Result<bool, RowsError> {
        let (source, conditions) = (&*self.source, &self.conditions);
        let row = match &mut self.next {
            Next::All(next) => {
                let next_row = conditions.find(source, *next, &self.task)?;
                *next = next_row.map_or(usize::MAX, |next_row| next_row as usize + 1);
                next_row
            }
            Next::Listed(rows) => rows.find(|&row| conditions.meets(source, row)),
            Next::Ranked(rows) => rows.next(source, conditions, &self.task)?,
        };
        self.current = row.and_then(ObjectId::from_raw);
        Ok(self.current.is_some())
    }

    fn number(&self) -> i64 {
        self.current.map_or(0, |object| i64::from(object.raw()))
    }

    fn value(&self, column: usize) -> Result<Value<'_>, RowsError> {
        let (Some(object), Some(value)) = (self.current, value_at(column)) else { return Ok(Value::Null) };
        object_value(&self.source, object, value, &self.task)
    }
}
