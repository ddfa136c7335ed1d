//! What is copied, as plain data, and the forms it is written in for somebody
//! else: the same bytes every time, headed by which dump it is from.

mod findings;
mod json;
mod markdown;
mod trace;
pub mod traces;
mod tree;

use serde::{Deserialize, Serialize};

use super::command_line::CommandLine;
use super::identity::Identity;
use super::path_text::path_text;
use super::printable::one_line;
use super::table::Cell;
use crate::analysis::leaks::Finding;
use crate::analysis::paths::Path;

/// In which form something is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Form {
    /// Aligned columns, trees with their lines.
    #[default]
    Text,
    /// For tickets and pull requests.
    Markdown,
    /// The path as LeakCanary writes it.
    Trace,
    /// Cells between tabs.
    Cells,
    /// For programs.
    Json,
    /// The command line that prints the same.
    Command,
}

impl Form {
    /// All forms, as they are offered.
    pub const ALL: [Self; 6] = [Self::Text, Self::Markdown, Self::Trace, Self::Cells, Self::Json, Self::Command];

    /// What people call it.
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

    /// Its name within a sentence.
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

/// Something copied.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// From which dump.
    pub identity: Identity,
    /// What it is: `Dominator tree`.
    pub title: String,
    /// What prints it.
    pub command: CommandLine,
    /// What is copied.
    pub body: Body,
}

/// What is copied.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Rows of a table or an outline.
    Rows(Rows),
    /// What holds an object.
    Path(Path),
    /// An object as a whole: what is said of it, its fields, and both as json.
    Object(String, Rows, String),
    /// Findings of the leak finder.
    Findings(Vec<Finding>),
    /// Leaks of Android as LeakCanary writes them, and the same as rows.
    Traces(String, Rows),
}

/// Some rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    /// The titles of the columns.
    pub headings: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
    /// What the list is called in json, and the rows as json objects of the command line.
    pub json: (&'static str, Vec<String>),
}

/// One row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Rows deeper than the one before hang below it.
    pub depth: usize,
    /// One for each heading; fewer where the others have nothing to say.
    pub cells: Vec<Cell>,
}

impl Clip {
    /// Written in a form. Equal clips give equal bytes.
    pub fn render(&self, form: Form) -> String {
        match form {
            Form::Command => format!("{}\n", self.command),
            Form::Json => json::json(self),
            Form::Markdown => markdown::markdown(self),
            Form::Cells => match &self.body {
                Body::Rows(rows) | Body::Object(_, rows, _) | Body::Traces(_, rows) => tree::cells(rows),
                Body::Findings(found) => tree::cells(&findings::rows(found)),
                Body::Path(path) => path_text(path),
            },
            // Who sends a trace of LeakCanary sends just that.
            Form::Text | Form::Trace if let Body::Traces(text, _) = &self.body => text.clone(),
            Form::Text | Form::Trace => {
                let body = match &self.body {
                    Body::Path(path) if form == Form::Trace => trace::trace(path),
                    body => text(body),
                };
                format!("{}\n{}\n\n{body}", self.identity.line(), one_line(&self.title))
            }
        }
    }
}

/// The body for a font of one width.
fn text(body: &Body) -> String {
    match body {
        Body::Rows(rows) => tree::aligned(rows),
        Body::Path(path) => path_text(path),
        Body::Findings(found) => findings::text(found),
        Body::Traces(text, _) => text.clone(),
        Body::Object(facts, rows, _) if rows.rows.is_empty() => facts.clone(),
        Body::Object(facts, rows, _) => format!("{facts}\n{}", tree::aligned(rows)),
    }
}
