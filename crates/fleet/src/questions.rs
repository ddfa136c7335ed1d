//! Questions to a fleet. Their SQL is in `sql/`: heaplens, DuckDB and Spark run the same text over the tables dumps,
//! findings and classes.

use std::sync::Arc;

use super::database::database;
use super::fleet::Fleet;
use heaplens_base::Task;
use heaplens_sql::{AnswerColumn, CollectedAnswer, Limits, QueryError};
use heaplens_tables::columns::Value;

/// Maximum number of rows of an answer.
const MOST: usize = 1_000_000;

/// A question.
#[derive(Debug)]
pub struct Question {
    /// Name, as on the command line.
    pub key: &'static str,
    /// What it answers, in one sentence.
    pub about: &'static str,
    /// Its SQL.
    pub sql: &'static str,
}

const fn question(key: &'static str, about: &'static str, sql: &'static str) -> Question {
    Question { key, about, sql }
}

/// All questions.
pub const QUESTIONS: [Question; 6] = [
    question("changes", "What changed in the last version of each program", include_str!("../sql/changes.sql")),
    question("leaks", "Leaks of each program, largest first", include_str!("../sql/leaks.sql")),
    question("leaks-by-version", "Each leak in each version", include_str!("../sql/leaks_by_version.sql")),
    question("leaks-by-device", "Each leak in each version on each device", include_str!("../sql/leaks_by_device.sql")),
    question("versions", "Versions with their dumps", include_str!("../sql/versions.sql")),
    question("damaged", "Unreadable and incomplete dumps", include_str!("../sql/damaged.sql")),
];

/// Answer of a question.
#[derive(Debug, Clone, Default)]
pub struct FleetAnswer {
    /// Columns.
    pub columns: Vec<AnswerColumn>,
    /// Rows.
    pub rows: Vec<Vec<Value<'static>>>,
}

impl FleetAnswer {
    /// Place of a column.
    fn index_of(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|known| known.name == column)
    }

    /// Text of a row in a column; empty if it has none.
    pub fn text(&self, row: usize, column: &str) -> &str {
        match self.value(row, column) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// Number of a row in a column; 0 if it has none.
    pub fn number(&self, row: usize, column: &str) -> f64 {
        match self.value(row, column) {
            Some(Value::Integer(number)) => *number as f64,
            Some(Value::Real(number)) => *number,
            _ => 0.0,
        }
    }

    fn value(&self, row: usize, column: &str) -> Option<&Value<'static>> {
        self.rows.get(row)?.get(self.index_of(column)?)
    }
}

/// Asks a question by its key.
///
/// # Errors
/// If there is no such question, the task is cancelled, or there is no memory.
pub fn ask(fleet: &Arc<Fleet>, key: &str, task: &Task) -> Result<FleetAnswer, QueryError> {
    let Some(question) = QUESTIONS.iter().find(|question| question.key == key) else {
        return Ok(FleetAnswer::default());
    };
    let mut answer = CollectedAnswer::new(MOST);
    database(fleet)?.run(question.sql, Limits::default(), task, &mut answer)?;
    Ok(FleetAnswer { columns: answer.columns, rows: answer.rows })
}
