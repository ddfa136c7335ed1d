//! Copied content as plain data.

use serde::{Deserialize, Serialize};

use crate::{Question, Table, TableContext, columns::Value, export::identity::Identity};
use heaplens_analysis::{LeakFinding, ReferencePath};
use heaplens_base::Count;

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
    /// Set if the content has only the first of the rows that were to be copied.
    pub excerpt: Option<Excerpt>,
}

/// What a copy lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// Number of rows that were to be copied.
    pub of: u64,
    /// How to get all of them; empty if nothing else does.
    pub hint: String,
}

impl Clip {
    /// The clip as the beginning of `all` rows, if these are more. `hint` says how to get all of them.
    #[must_use]
    pub fn out_of(self, all: u64, hint: &str) -> Self {
        let excerpt = (all > self.rows()).then(|| Excerpt { of: all, hint: hint.to_owned() });
        Self { excerpt, ..self }
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        match &self.body {
            ClipBody::Rows(rows) | ClipBody::Object(_, rows, _) | ClipBody::Traces(_, rows) => rows.rows.len() as u64,
            ClipBody::Findings(findings, _) => findings.len() as u64,
            ClipBody::Path(_) => 1,
        }
    }

    /// Number of rows in words: `10,000 of 49,921 rows`.
    pub fn counted(&self) -> String {
        match &self.excerpt {
            Some(excerpt) => format!("{} of {}", Count(self.rows()), Count(excerpt.of).of("row", "rows")),
            None => Count(self.rows()).of("row", "rows"),
        }
    }

    /// Sentence about what is missing, without a full stop.
    pub(super) fn missing(&self) -> Option<String> {
        let hint = &self.excerpt.as_ref()?.hint;
        let separator = if hint.is_empty() { "" } else { "; " };
        Some(format!("{} copied{separator}{hint}", self.counted()))
    }
}

/// The content.
#[derive(Debug, Clone, PartialEq)]
pub enum ClipBody {
    /// Rows of a table or an outline.
    Rows(Rows),
    /// Path to a GC root.
    Path(ReferencePath),
    /// An object: its facts, its fields, and both as JSON.
    Object(String, Rows, String),
    /// Findings of the leak finder, and as rows.
    Findings(Vec<LeakFinding>, Rows),
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

impl Rows {
    /// All rows of a table in its default order.
    pub fn of_table(table: &dyn Table, dump: TableContext<'_>, json: (&'static str, Vec<String>)) -> Self {
        let columns = table.columns(dump);
        let cells = |row| columns.iter().map(|column| table.cell(dump, row, column.index).into_static()).collect();
        let rows = (0..table.count()).map(|row| Row { depth: 0, cells: cells(row) }).collect();
        Self { headings: columns.iter().map(|column| column.title.to_owned()).collect(), rows, json }
    }
}

/// One row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Depth: deeper rows are children of the row before.
    pub depth: usize,
    /// Cells, one for each heading; missing ones are empty.
    pub cells: Vec<Value<'static>>,
}
