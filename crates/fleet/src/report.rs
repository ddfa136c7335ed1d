//! Report of a fleet: what is new, what got worse, what was fixed, as text, Markdown, HTML and JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::fleet::Fleet;
use super::questions::{FleetAnswer, ask};
use super::record::{INCOMPLETE, UNREADABLE};
use heaplens_base::{Bytes, Count, Share, Task};
use heaplens_sql::QueryError;
use heaplens_tables::columns::Value;
use heaplens_tables::export::html::{PageTable, escaped as html, write_page, write_table};
use heaplens_tables::export::markdown::{escaped as markdown, line, rule};
use heaplens_tables::export::printable::{Printable, one_line};
use heaplens_tables::export::table::write_text_by;
use heaplens_tables::export::text_width::TextWidth;

/// Changes in the order of a report, with their titles. What stayed as it was has none.
const CHANGES: [(&str, &str); 5] =
    [("new", "New"), ("back", "Back after it was fixed"), ("worse", "Worse"), ("better", "Better"), ("fixed", "Fixed")];
/// Titles of the columns of changes, and of damaged dumps.
const COLUMNS: [&str; 7] =
    ["Leak", "Class", "Dumps", "Share of dumps", "Share before", "Mean size", "Mean size before"];
const DAMAGED: [&str; 4] = ["Dump", "Version", "Status", "Reason"];
/// Rows of a table that a report for people lists.
const LISTED: usize = 20;

/// A report.
pub struct FleetReport {
    dumps: usize,
    unreadable: usize,
    incomplete: usize,
    changes: FleetAnswer,
    versions: FleetAnswer,
    damaged: FleetAnswer,
    /// Files of digests that could not be read.
    failed: Vec<String>,
    repeated: u64,
}

/// A table with its title.
struct Section {
    title: String,
    columns: &'static [&'static str],
    rows: Vec<Vec<Value<'static>>>,
}

impl FleetReport {
    /// Report of a fleet.
    ///
    /// # Errors
    /// If the task is cancelled, or there is no memory.
    pub fn new(fleet: &Arc<Fleet>, task: &Task) -> Result<Self, QueryError> {
        let with = |status: &str| fleet.dumps.iter().filter(|dump| dump.status.as_deref() == Some(status)).count();
        Ok(Self {
            dumps: fleet.dumps.len(),
            unreadable: with(UNREADABLE),
            incomplete: with(INCOMPLETE),
            changes: ask(fleet, "changes", task)?,
            versions: ask(fleet, "versions", task)?,
            damaged: ask(fleet, "damaged", task)?,
            failed: fleet.failed.clone(),
            repeated: fleet.repeated,
        })
    }

    /// The report in a sentence.
    fn lead(&self) -> String {
        let count = |count: usize, word: &str| (count > 0).then(|| format!("{} {word}", Count(count as u64)));
        let dumps = [
            Some(Count(self.dumps as u64).of("dump", "dumps")),
            count(self.unreadable, "unreadable"),
            count(self.incomplete, "incomplete"),
        ];
        let of = |change: &str| {
            (0..self.changes.rows.len()).filter(|&row| self.changes.text(row, "change") == change).count()
        };
        let leaks: Vec<String> =
            CHANGES.iter().map(|(change, _)| format!("{} {change}", Count(of(change) as u64))).collect();
        let repeated = Count(self.repeated).of("digest", "digests");
        let repeated = (self.repeated > 0).then(|| format!("; {repeated} left out that were there twice"));
        let dumps = dumps.into_iter().flatten().collect::<Vec<_>>().join(", ");
        format!("{dumps}; leaks: {}{}", leaks.join(", "), repeated.unwrap_or_default())
    }

    /// Tables for people, by program.
    fn sections(&self) -> Vec<Section> {
        let changes = &self.changes;
        let mut by_app: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for row in 0..changes.rows.len() {
            by_app.entry(changes.text(row, "app")).or_default().push(row);
        }
        let mut sections = Vec::new();
        for (app, rows) in by_app {
            for (change, title) in CHANGES {
                let of_change: Vec<usize> =
                    rows.iter().copied().filter(|&row| changes.text(row, "change") == change).collect();
                let Some(&first) = of_change.first() else { continue };
                let (version, before) = (changes.text(first, "version"), changes.text(first, "version_before"));
                let versions = if before.is_empty() { version.to_owned() } else { format!("{before} to {version}") };
                let title = format!("{app}, {versions}: {}{}", title.to_lowercase(), cut("largest", of_change.len()));
                let rows = of_change.into_iter().take(LISTED).map(|row| self.change(row)).collect();
                sections.push(Section { title, columns: &COLUMNS, rows });
            }
        }
        let damaged = &self.damaged;
        if !damaged.rows.is_empty() {
            let row = |row: usize| {
                let text = |column: &str| Value::text(damaged.text(row, column).to_owned());
                vec![text("dump"), text("version"), text("status"), text("error")]
            };
            let rows = (0..damaged.rows.len().min(LISTED)).map(row).collect();
            let title = format!("Damaged dumps{}", cut("first", damaged.rows.len()));
            sections.push(Section { title, columns: &DAMAGED, rows });
        }
        if !self.failed.is_empty() {
            let rows = self.failed.iter().take(LISTED).map(|why| vec![Value::text(one_line(why))]).collect();
            let title = format!("Files that are no digests{}", cut("first", self.failed.len()));
            sections.push(Section { title, columns: &["File"], rows });
        }
        sections
    }

    /// A leak that changed.
    fn change(&self, row: usize) -> Vec<Value<'static>> {
        let text = |column: &str| Value::text(self.changes.text(row, column).to_owned());
        let number = |column: &str| self.changes.number(row, column);
        let size = |column: &str| match number(column) {
            mean if mean > 0.0 => Value::Bytes(Bytes(mean.round() as u64)),
            _ => Value::Null,
        };
        let share = |column: &str| match number(column) {
            share if share > 0.0 => Value::Share(Share { part: (share * 10_000.0).round() as u64, total: 10_000 }),
            _ => Value::Null,
        };
        let name = if self.changes.text(row, "name").is_empty() { text("fingerprint") } else { text("name") };
        let dumps = match number("dumps") {
            dumps if dumps > 0.0 => Value::Count(dumps as u64),
            _ => Value::Null,
        };
        vec![
            name,
            text("class"),
            dumps,
            share("share_of_dumps"),
            share("share_before"),
            size("mean_bytes"),
            size("mean_before"),
        ]
    }
}

/// What a title says of a table that is cut: `, the largest 20 of 70`.
fn cut(first: &str, count: usize) -> String {
    if count > LISTED { format!(", the {first} {LISTED} of {count}") } else { String::new() }
}

/// Title of every report.
const TITLE: &str = "Leaks of a fleet";

/// Writes a report as text.
///
/// # Errors
/// If writing fails.
pub fn write_text(mut out: impl Write, report: &FleetReport, width: TextWidth) -> io::Result<()> {
    writeln!(out, "{}", one_line(&report.lead()))?;
    for Section { title, columns, rows } in report.sections() {
        writeln!(out, "\n{}", one_line(&title))?;
        write_text_by(Printable(&mut out), columns, rows.into_iter(), width)?;
    }
    Ok(())
}

/// Writes a report as Markdown.
///
/// # Errors
/// If writing fails.
pub fn write_markdown(mut out: impl Write, report: &FleetReport) -> io::Result<()> {
    writeln!(out, "# {TITLE}\n\n{}", markdown(&report.lead()))?;
    for Section { title, columns, rows } in report.sections() {
        writeln!(out, "\n## {}\n", markdown(&title))?;
        let numbers = rows.first().into_iter().flatten().map(Value::is_number);
        write!(out, "{}{}", line(columns.iter().map(|column| (*column).to_owned())), rule(numbers))?;
        for row in &rows {
            write!(out, "{}", line(row.iter().map(|cell| markdown(&cell.exact()))))?;
        }
    }
    Ok(())
}

/// Writes a report as one HTML file.
///
/// # Errors
/// If writing fails.
pub fn write_html(out: impl Write, report: &FleetReport) -> io::Result<()> {
    write_page(out, TITLE, |out| {
        writeln!(out, "<header>\n<h1>{TITLE}</h1>\n<p class=\"lead\">{}</p>\n</header>", html(&report.lead()))?;
        for Section { title, columns, rows } in report.sections() {
            write_table(out, &PageTable { title: &title, columns, rows: &rows, bar: None })?;
        }
        Ok(())
    })
}

/// Writes a report as JSON: rows of the questions it is made of.
///
/// # Errors
/// If writing fails.
pub fn write_json(mut out: impl Write, report: &FleetReport) -> io::Result<()> {
    let json = json!({
        "dumps": report.dumps,
        "unreadable": report.unreadable,
        "incomplete": report.incomplete,
        "repeated": report.repeated,
        "changes": objects(&report.changes),
        "versions": objects(&report.versions),
        "damaged": objects(&report.damaged),
        "failed": report.failed,
    });
    serde_json::to_writer(&mut out, &json)?;
    writeln!(out)
}

fn objects(answer: &FleetAnswer) -> Vec<Json> {
    let object = |row: &Vec<Value<'static>>| -> Map<String, Json> {
        let cells = answer.columns.iter().zip(row);
        cells.map(|(column, value)| (column.name.clone(), json!(column.cell(None, value)))).collect()
    };
    answer.rows.iter().map(|row| Json::Object(object(row))).collect()
}
