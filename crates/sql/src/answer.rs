//! Answer of a query.

use heaplens_base::Bytes;
use heaplens_heap::{Address, Heap, ObjectId};
use heaplens_tables::columns::Value;

use crate::value::{SqlType, object_of_id};

/// Column of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerColumn {
    /// Name.
    pub name: String,
    /// Type, if the column is one of a table; `None` of expressions.
    pub kind: Option<SqlType>,
}

impl AnswerColumn {
    /// The value with the type of this column. Ids are as people write them, sizes as sizes.
    pub fn cell<'v>(&self, heap: Option<&Heap>, value: &'v Value<'_>) -> Value<'v> {
        match (self.kind, value) {
            (Some(SqlType::Object | SqlType::OlderObject), &Value::Integer(id)) => {
                heap.map_or(Value::Integer(id), |heap| Value::Object(Address(id as u64), heap.origin.ids))
            }
            (Some(SqlType::Bytes), &Value::Integer(bytes @ 0..)) => Value::Bytes(Bytes(bytes as u64)),
            (_, value) => value.borrowed(),
        }
    }

    /// Type of its values: that of the table, or the narrowest that all values have.
    pub fn kind_of<'v>(&self, values: impl Iterator<Item = &'v Value<'v>>) -> SqlType {
        let of_values = |kind, value: &Value<'_>| match (value, kind) {
            (Value::Null, kind) => kind,
            (Value::Text(_), _) | (_, Some(SqlType::Text)) => Some(SqlType::Text),
            (Value::Real(_), _) | (_, Some(SqlType::Real)) => Some(SqlType::Real),
            // SQLite has no other numbers.
            _ => Some(SqlType::Integer),
        };
        let observed = values.fold(None, of_values);
        // A union may have texts below the numbers of a table.
        let declared = self.kind.filter(|&kind| kind == SqlType::Text || observed != Some(SqlType::Text));
        declared.or(observed).unwrap_or(SqlType::Text)
    }

    /// True if its values are objects of the dump.
    pub(crate) fn is_of_objects(&self) -> bool {
        self.kind == Some(SqlType::Object)
    }

    /// The object that a value in this column is.
    pub fn object(&self, heap: &Heap, value: &Value<'_>) -> Option<ObjectId> {
        match (self.kind, value) {
            (Some(SqlType::Object), &Value::Integer(id)) => object_of_id(heap, id),
            _ => None,
        }
    }
}
