//! `texts`: every reachable string with its text.

use std::sync::Arc;

use crate::relation::{Access, Constraint, Plan, Rows, RowsError, SortedBy, SqlColumn, SqlRelation};
use crate::relations::of_classes::OfClasses;
use crate::source::QuerySource;
use crate::value::SqlType;
use heaplens_base::Task;
use heaplens_heap::{ClassId, Role};
use heaplens_tables::columns::Value;

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

impl SqlRelation for Texts {
    fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    fn plan(&self, _asked: &[Constraint], _order: Option<SortedBy>) -> Option<Plan> {
        let all = self.source.heap().len() as f64;
        Some(Plan { rows: all / 10.0, cost: 5.0 * all, ..Plan::default() })
    }

    fn rows(&self, _access: &Access, task: &Task) -> Result<Box<dyn Rows>, RowsError> {
        let (heap, contents) = (self.source.heap(), self.source.contents());
        let is_text = |class: ClassId| contents.role(class) == Role::Text;
        let classes = Arc::new(heap.classes.iter().map(|(class, _)| is_text(class)).collect());
        let strings = OfClasses::new(&self.source, classes, 0..heap.len(), task);
        Ok(Box::new(TextRows { source: Arc::clone(&self.source), strings }))
    }
}

struct TextRows {
    source: Arc<QuerySource>,
    strings: OfClasses,
}

impl Rows for TextRows {
    fn advance(&mut self) -> Result<bool, RowsError> {
        self.strings.advance()
    }

    fn number(&self) -> i64 {
        self.strings.number()
    }

    fn value(&self, column: usize) -> Result<Value<'_>, RowsError> {
        let (heap, Some(object)) = (self.source.heap(), self.strings.current()) else { return Ok(Value::Null) };
        Ok(match column {
            0 => Value::object(heap, object),
            1 => Value::optional(self.source.contents().text(heap, object, MOST), Value::text),
            2 => Value::Bytes(heap.shallow(object)),
            _ => Value::Bytes(self.source.analysis().retained(object)),
        })
    }
}
