//! Usual fixes, with what they would free.

use super::rows::{Cell, Row, Rows};
use crate::columns::Value;
use crate::{TableContext, dump::policies::policies_table};
use heaplens_base::Task;
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = policies_table(TableContext::of(dump), task)?;
    let row = |policy: &heaplens_analysis::policies::Policy| {
        let freed = policy.what.freed;
        let cells =
            vec![Cell::count(freed.objects), Cell::bytes(freed.shallow), Value::text(policy.name.clone()).into()];
        Row { found_by: format!("{policy} {}", policy.name), ..Row::words(0, policy.to_string(), cells) }
    };
    let rows = table.rows.iter().map(row).collect();
    Ok(Rows::new(table, rows, "Select one and press X to see the heap after it".to_owned()))
}
