//! What takes the rows of an answer as they are found.

use crate::answer::AnswerColumn;
use crate::value::text_bytes;
use heaplens_tables::columns::Value;

/// Takes an answer.
pub trait AnswerSink {
    /// The columns, before the first row.
    fn begin(&mut self, columns: &[AnswerColumn]);

    /// A row; false if no more are wanted.
    fn row(&mut self, row: Vec<Value<'static>>) -> bool;
}

/// Collects an answer.
#[derive(Debug)]
pub struct CollectedAnswer {
    /// Columns.
    pub columns: Vec<AnswerColumn>,
    /// First rows.
    pub rows: Vec<Vec<Value<'static>>>,
    /// True if there are more rows.
    pub is_cut: bool,
    most: usize,
    text_bytes: usize,
}

/// Maximum size of all texts together, in bytes.
const MOST_TEXT: usize = 256 << 20;

impl CollectedAnswer {
    /// Collects at most so many rows.
    pub fn new(most: usize) -> Self {
        Self { columns: Vec::new(), rows: Vec::new(), is_cut: false, most, text_bytes: 0 }
    }
}

impl AnswerSink for CollectedAnswer {
    fn begin(&mut self, columns: &[AnswerColumn]) {
        self.columns = columns.to_vec();
    }

    fn row(&mut self, row: Vec<Value<'static>>) -> bool {
        self.text_bytes += text_bytes(&row);
        self.is_cut = self.rows.len() == self.most || self.text_bytes > MOST_TEXT;
        if !self.is_cut {
            self.rows.push(row);
        }
        !self.is_cut
    }
}
