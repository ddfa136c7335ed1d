//! A fleet as a database: its records are the rows.

use std::sync::Arc;

use super::fleet::Fleet;
use super::record::{DigestRecord, sql_columns};
use heaplens_sql::{Database, QueryError, RowSource, SqlColumn};
use heaplens_tables::columns::Value;

/// Records of one kind.
struct Records {
    columns: Vec<SqlColumn>,
    fleet: Arc<Fleet>,
    of: fn(&Fleet) -> &[DigestRecord],
}

impl RowSource for Records {
    fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    fn count(&self) -> usize {
        (self.of)(&self.fleet).len()
    }

    fn value(&self, row: usize, column: usize) -> Value<'_> {
        (self.of)(&self.fleet).get(row).map_or(Value::Null, |record| record.value(column))
    }
}

/// The tables dumps, findings and classes. All have the columns of digests.
///
/// # Errors
/// If there is no memory.
pub fn database(fleet: &Arc<Fleet>) -> Result<Database, QueryError> {
    let records = |of: fn(&Fleet) -> &[DigestRecord]| {
        Arc::new(Records { columns: sql_columns(), fleet: Arc::clone(fleet), of }) as Arc<dyn RowSource>
    };
    Database::of_rows([
        ("dumps", "Dumps", records(|fleet| &fleet.dumps)),
        ("findings", "Findings of all dumps", records(|fleet| &fleet.findings)),
        ("classes", "The largest classes of each dump", records(|fleet| &fleet.classes)),
    ])
}
