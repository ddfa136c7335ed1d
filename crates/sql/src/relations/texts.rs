//! `texts`: every reachable string with its text.

use std::sync::Arc;

use crate::relation::{Access, Asked, Plan, Relation, Rows, RowsError, SortedBy, SqlColumn};
use crate::source::QuerySource;
use crate::value::{SqlType, SqlValue};
use heaplens_base::Task;
use heaplens_core::heap::{ClassId, ObjectId, Role};

/// Maximum number of characters of a text.
const MOST: usize = 100_000;

/// The table.
pub(crate) struct Texts {
    source: Arc<QuerySource>,
    columns: Vec<SqlColumn>,
}

impl Texts {
    pub(crate) fn new(source: Arc<QuerySource>) -> Self {
        let columns = vec![
            SqlColumn::shown("id", SqlType::Object, "The string"),
            SqlColumn::shown("text", SqlType::Text, "Its text, at most 100,000 characters"),
            SqlColumn::shown("shallow_bytes", SqlType::Bytes, "Bytes of the object itself, without its array"),
            SqlColumn::shown("retained_bytes", SqlType::Bytes, "Bytes freed if the object were collected"),
        ];
        Self { source, columns }
    }
}

impl Relation for Texts {
    fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    fn plan(&self, _asked: &[Asked], _order: Option<SortedBy>) -> Option<Plan> {
        let all = self.source.heap().len() as f64;
        Some(Plan { rows: all / 10.0, cost: 5.0 * all, ..Plan::default() })
    }

    fn rows(&self, _access: &Access, task: &Task) -> Result<Box<dyn Rows>, RowsError> {
        let (heap, contents) = (self.source.heap(), self.source.contents());
        let is_text = |class: ClassId| contents.role(class) == Role::Text;
        let classes = heap.classes.iter().map(|(class, _)| is_text(class)).collect();
        Ok(Box::new(TextRows { source: Arc::clone(&self.source), task: task.clone(), classes, next: 0, current: None }))
    }
}

struct TextRows {
    source: Arc<QuerySource>,
    task: Task,
    /// By class, true if its objects are strings.
    classes: Vec<bool>,
    next: usize,
    current: Option<ObjectId>,
}

impl Rows for TextRows {
    fn advance(&mut self) -> Result<bool, RowsError> {
        let (heap, analysis) = (self.source.heap(), self.source.analysis());
        self.current = None;
        while self.current.is_none() && self.next < heap.len() {
            self.task.checkpoint_at(self.next)?;
            let is_text = |&object: &ObjectId| self.classes.get(heap.class_id(object).index()) == Some(&true);
            let object = ObjectId::new(self.next).filter(is_text);
            self.current = object.filter(|&object| analysis.is_reachable(object));
            self.next += 1;
        }
        Ok(self.current.is_some())
    }

    fn number(&self) -> i64 {
        self.current.map_or(0, |object| i64::from(object.raw()))
    }

    fn value(&self, column: usize) -> Result<SqlValue<'_>, RowsError> {
        let (heap, Some(object)) = (self.source.heap(), self.current) else { return Ok(SqlValue::Null) };
        Ok(match column {
            0 => SqlValue::object(heap, object),
            1 => SqlValue::of(self.source.contents().text(heap, object, MOST), SqlValue::text),
            2 => SqlValue::bytes(heap.shallow(object)),
            _ => SqlValue::bytes(self.source.analysis().retained(object)),
        })
    }
}
