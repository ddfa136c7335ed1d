//! Copied content as plain data.

use serde::{Deserialize, Serialize};

use crate::{Question, columns::Cell, export::identity::Identity};
use heaplens_analysis::{LeakFinding, Path};

/// Form of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum CopyFormat {
    /// Aligned columns, trees with their lines.
    #[default]
    Text,
    /// For tickets and pull requests.
    Markdown,
    /// Path in LeakCanary's form.
    Trace,
    /// Tab-separated cells.
    Cells,
    /// JSON for programs.
    Json,
    /// Command line that prints the same.
    Command,
}

impl CopyFormat {
    /// All forms, in menu order.
    pub const ALL: [Self; 6] = [Self::Text, Self::Markdown, Self::Trace, Self::Cells, Self::Json, Self::Command];

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "Plain text",
            Self::Markdown => "Markdown",
            Self::Trace => "Leak trace",
            Self::Cells => "Spreadsheet cells",
            Self::Json => "JSON",
            Self::Command => "Command line",
        }
    }

    /// Name within a sentence.
    pub fn name_in_sentence(self) -> &'static str {
        match self {
            Self::Text => "plain text",
            Self::Trace => "leak trace",
            Self::Cells => "spreadsheet cells",
            Self::Command => "command line",
            Self::Markdown | Self::Json => self.name(),
        }
    }
}

/// Copied content.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// Identity of the dump.
    pub identity: Identity,
    /// Title: `Dominator tree`.
    pub title: String,
    /// Command that prints it.
    pub command: Question,
    /// The content.
    pub body: ClipBody,
}

/// The content.
#[derive(Debug, Clone, PartialEq)]
pub enum ClipBody {
    /// Rows of a table or an outline.
    Rows(Rows),
    /// Path to a GC root.
    Path(Path),
    /// An object: its facts, its fields, and both as JSON.
    Object(String, Rows, String),
    /// Findings of the leak finder.
    Findings(Vec<LeakFinding>),
    /// Android leaks in LeakCanary's form, and as rows.
    Traces(String, Rows),
}

/// Some rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    /// Heading titles.
    pub headings: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Name of the list in JSON, and the rows as JSON objects of the command line.
    pub json: (&'static str, Vec<String>),
}

/// One row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Depth: deeper rows are children of the row before.
    pub depth: usize,
    /// Cells, one for each heading; missing ones are empty.
    pub cells: Vec<Cell>,
}
