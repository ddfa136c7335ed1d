//! What is copied, as plain data, and the forms it is written in for somebody
//! else: the same bytes every time, headed by which dump it is from.

mod json;
mod markdown;
mod trace;
mod tree;

use serde::{Deserialize, Serialize};

use super::command_line::CommandLine;
use super::path_text::path_text;
use super::printable::is_order;
use super::table::Cell;
use crate::analysis::paths::Path;
use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::units::{Bytes, Count};

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
            Self::Cells => "Cells for a spreadsheet",
            Self::Json => "JSON",
            Self::Command => "Command line",
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

/// Which dump something is from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// The name of the file, without its folder.
    pub file: String,
    /// Its format.
    pub format: String,
    /// Who wrote it.
    pub producer: String,
    /// When, as the file says.
    pub taken_at: Option<String>,
    /// Objects that are shown.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How sizes are worked out.
    pub size_model: &'static str,
    /// Whether what no GC root reaches counts as kept.
    pub unreachable_kept: bool,
    /// Who says so.
    pub heaplens: &'static str,
}

impl Identity {
    /// The identity of an opened dump.
    pub fn new(file: &std::path::Path, heap: &Heap, analyzed: &Analyzed) -> Self {
        Self {
            file: file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned(),
            format: heap.origin.format.to_string(),
            producer: heap.origin.producer.clone(),
            taken_at: super::json::taken_at(heap),
            objects: analyzed.shown.objects,
            bytes: analyzed.shown.shallow.0,
            size_model: heap.origin.size_model.name(),
            unreachable_kept: analyzed.rules.keep_unreachable,
            heaplens: env!("CARGO_PKG_VERSION"),
        }
    }

    /// In one line.
    fn line(&self) -> String {
        let taken = self.taken_at.as_ref().map(|at| format!(" · taken {at}")).unwrap_or_default();
        let kept = if self.unreachable_kept { "unreachable objects kept" } else { "reachable" };
        let (objects, bytes) = (Count(self.objects), Bytes(self.bytes));
        let Self { file, producer, size_model, heaplens, .. } = self;
        let line = format!(
            "{file} · {producer}{taken} · {objects} objects, {bytes} {kept} · {size_model} sizes · heaplens {heaplens}"
        );
        plain(&line)
    }
}

impl Clip {
    /// Written in a form. Equal clips give equal bytes.
    pub fn render(&self, form: Form) -> String {
        match form {
            Form::Command => format!("{}\n", self.command),
            Form::Json => json::json(self),
            Form::Markdown => markdown::markdown(self),
            Form::Cells => match &self.body {
                Body::Rows(rows) | Body::Object(_, rows, _) => tree::cells(rows),
                Body::Path(path) => path_text(path),
            },
            Form::Text | Form::Trace => {
                let body = match &self.body {
                    Body::Path(path) if form == Form::Trace => trace::trace(path),
                    body => text(body),
                };
                format!("{}\n{}\n\n{body}", self.identity.line(), plain(&self.title))
            }
        }
    }
}

/// The body for a font of one width.
fn text(body: &Body) -> String {
    match body {
        Body::Rows(rows) => tree::aligned(rows),
        Body::Path(path) => path_text(path),
        Body::Object(facts, rows, _) if rows.rows.is_empty() => facts.clone(),
        Body::Object(facts, rows, _) => format!("{facts}\n{}", tree::aligned(rows)),
    }
}

/// Without what a terminal would obey; a line stays a line.
fn plain(text: &str) -> String {
    text.chars().map(|c| if is_order(c) { ' ' } else { c }).collect()
}
