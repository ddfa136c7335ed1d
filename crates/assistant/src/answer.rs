//! Answer of a tool, before it is fenced.

use serde_json::{Value, json};

use heaplens_base::Cancelled;
use heaplens_session::JobError;
use heaplens_tables::TableError;

/// What a tool found.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// Sentences of heaplens: numbers and ids, no text of the heap.
    pub(crate) words: String,
    /// Data with text of the heap; null if there are none.
    pub(crate) data: Value,
    /// The list that is shortened to fit the budget, and continued by `skip`.
    pub(crate) list: Option<ListPart>,
    /// A picture, as PNG.
    pub(crate) picture: Option<Vec<u8>>,
}

/// Part of a list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListPart {
    /// Key of the list in the data.
    pub(crate) key: &'static str,
    /// Number of rows before it.
    pub(crate) skip: usize,
    /// Number of rows of the whole list; `None` if there are more, but not how many.
    pub(crate) total: Option<usize>,
}

impl Answer {
    pub(crate) fn new(words: impl Into<String>, data: Value) -> Self {
        Self { words: words.into(), data, ..Self::default() }
    }

    /// With a list that is continued by `skip`.
    pub(crate) fn listing(self, list: ListPart) -> Self {
        Self { list: Some(list), ..self }
    }
}

/// Why a tool has no answer.
#[derive(Debug)]
pub(crate) enum ToolError {
    /// The client cancelled the call.
    Cancelled,
    /// The call cannot be answered.
    Refused {
        /// What is wrong and what to call instead, in words of heaplens.
        words: String,
        /// Details that may hold text of the heap; null if there are none.
        data: Value,
    },
}

/// Result of a tool.
pub(crate) type ToolResult = Result<Answer, ToolError>;

impl ToolError {
    /// An error in words of heaplens only.
    pub(crate) fn new(words: impl Into<String>) -> Self {
        Self::Refused { words: words.into(), data: Value::Null }
    }

    /// An error with a message that may hold text of the heap.
    pub(crate) fn with(words: impl Into<String>, message: &impl ToString) -> Self {
        Self::Refused { words: words.into(), data: json!({"error": message.to_string()}) }
    }
}

impl From<Cancelled> for ToolError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<JobError> for ToolError {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Cancelled => Self::Cancelled,
            JobError::Failed(why) => {
                Self::with("The question could not be answered. Ask for less, or try again.", &why)
            }
        }
    }
}

impl From<TableError> for ToolError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Cancelled => Self::Cancelled,
            error => Self::with("An argument is wrong: correct it by the message below.", &error),
        }
    }
}

/// Writing to memory fails only without memory.
impl From<std::io::Error> for ToolError {
    fn from(error: std::io::Error) -> Self {
        Self::with("The answer could not be written.", &error)
    }
}

impl From<serde_json::Error> for ToolError {
    fn from(error: serde_json::Error) -> Self {
        Self::with("The answer could not be written.", &error)
    }
}
