//! Answer of a query.

use heaplens_base::Bytes;
use heaplens_heap::{Address, Heap, ObjectId};
use heaplens_tables::columns::Cell;

use crate::value::{SqlType, SqlValue, object_of_id};

/// Column of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerColumn {
    /// Name.
    pub name: String,
    /// Type, if the column is one of a table; `None` of expressions.
    pub kind: Option<SqlType>,
}

impl AnswerColumn {
    /// Cell of a value in this column. Ids are as people write them, sizes as sizes.
    pub fn cell(&self, heap: Option<&Heap>, value: &SqlValue<'_>) -> Cell {
        match (self.kind, value) {
            (_, SqlValue::Null) => Cell::Nothing,
            (Some(SqlType::Object | SqlType::OlderObject), &SqlValue::Integer(id)) => {
                heap.map_or(Cell::Integer(id), |heap| Cell::Text(heap.origin.ids.text(Address(id as u64))))
            }
            (Some(SqlType::Bytes), &SqlValue::Integer(bytes @ 0..)) => Cell::Size(Bytes(bytes as u64)),
            (_, &SqlValue::Integer(number)) => Cell::Integer(number),
            (_, &SqlValue::Real(number)) => Cell::Real(number),
            (_, SqlValue::Text(text)) => Cell::Text(text.to_string()),
        }
    }

    /// Type of its values: that of the table, or the narrowest that all values have.
    pub fn kind_of<'v>(&self, values: impl Iterator<Item = &'v SqlValue<'v>>) -> SqlType {
        let of_values = |kind, value: &SqlValue<'_>| match (value, kind) {
            (SqlValue::Null, kind) => kind,
            (SqlValue::Text(_), _) | (_, Some(SqlType::Text)) => Some(SqlType::Text),
            (SqlValue::Real(_), _) | (_, Some(SqlType::Real)) => Some(SqlType::Real),
            (SqlValue::Integer(_), _) => Some(SqlType::Integer),
        };
        let found = values.fold(None, of_values);
        // A union may have texts below the numbers of a table.
        let declared = self.kind.filter(|&kind| kind == SqlType::Text || found != Some(SqlType::Text));
        declared.or(found).unwrap_or(SqlType::Text)
    }

    /// The object that a value in this column is.
    pub fn object(&self, heap: &Heap, value: &SqlValue<'_>) -> Option<ObjectId> {
        match (self.kind, value) {
            (Some(SqlType::Object), &SqlValue::Integer(id)) => object_of_id(heap, id),
            _ => None,
        }
    }
}
