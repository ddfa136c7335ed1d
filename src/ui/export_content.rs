//! Content of an exported file: rows, an answer, findings or a bitmap.

use std::io::Write;
use std::sync::Arc;

use super::answered_query::AnsweredQuery;
use super::pictures;
use heaplens_analysis::LeakFinding;
use heaplens_analysis::android::bitmaps::Bitmap;
use heaplens_analysis::android::shark::LeakReport;
use heaplens_base::Task;
use heaplens_session::OpenDump;
use heaplens_tables::export::identity::Identity;
use heaplens_tables::export::leaks::{self, Counts, finding_table, write_leaks_json, write_leaks_markdown};
use heaplens_tables::export::traces::write_traces_markdown;
use heaplens_tables::{OutputForm, RowQuery, TableContext, TableError, TableQuery};

/// Content of an exported file.
#[derive(Debug, Clone, PartialEq)]
pub enum ExportContent {
    /// Rows of a query, as csv or json.
    Rows(TableQuery),
    /// Answer of a query, as csv or json.
    Answer(Arc<AnsweredQuery>),
    /// Leak findings, as csv, json or Markdown.
    Findings(Arc<Findings>),
    /// A bitmap, as an image file.
    Picture(Box<Bitmap>),
}

/// Leak findings that match the filter.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// The findings.
    pub findings: Vec<LeakFinding>,
    /// Text to write if there are none.
    pub nothing: &'static str,
    /// Number of findings without the filter.
    pub counts: Counts,
    /// For an Android dump, also its leaking objects.
    pub report: Option<LeakReport>,
}

impl ExportContent {
    /// Forms in which it can be written, the default first; none for an image.
    pub fn forms(&self) -> &'static [OutputForm] {
        match self {
            Self::Rows(_) | Self::Answer(_) => &[OutputForm::Csv, OutputForm::Json],
            Self::Findings(_) => &[OutputForm::Csv, OutputForm::Json, OutputForm::Markdown],
            Self::Picture(_) => &[],
        }
    }

    /// Default file extension.
    pub fn extension(&self) -> &'static str {
        match self {
            Self::Picture(bitmap) => pictures::extension(bitmap),
            Self::Rows(_) | Self::Answer(_) | Self::Findings(_) => "csv",
        }
    }

    /// Writes the content to `out` in a form. Requests checkpoints of the task.
    ///
    /// # Errors
    /// If rows or pixels cannot be read, the file cannot be written, or the task is cancelled.
    pub fn write(&self, dump: &OpenDump, form: OutputForm, out: &mut dyn Write, task: &Task) -> Result<(), TableError> {
        match self {
            Self::Rows(query) => {
                let namer = query.kind.names_objects().then(|| dump.namer(task)).transpose()?;
                let ages = query.rows.age.then(|| dump.ages(task)).transpose()?;
                query.write(TableContext::of(dump).with_namer(namer).with_ages(ages), form, out, task)
            }
            Self::Answer(answer) => answer.write(dump, form, out, task),
            Self::Picture(bitmap) => {
                let file = pictures::file(dump, bitmap);
                let file = file.ok_or_else(|| TableError::InvalidQuery("its pixels cannot be read".to_owned()))?;
                Ok(out.write_all(&file)?)
            }
            Self::Findings(of) if form == OutputForm::Markdown => {
                if let Some(report) = &of.report {
                    write_traces_markdown(&mut *out, report, usize::MAX)?;
                }
                let identity = Identity::new(&dump.opened.file, dump);
                Ok(write_leaks_markdown(out, &identity, &of.findings, of.nothing)?)
            }
            Self::Findings(of) => {
                if form == OutputForm::Json {
                    let report = of.report.as_ref().map(|report| (&*dump.heap, report));
                    return Ok(write_leaks_json(out, &of.findings, of.counts, report)?);
                }
                let table = finding_table(leaks::rows(&of.findings, of.report.as_ref()));
                heaplens_tables::write(&table, TableContext::of(dump), &RowQuery::default(), form, out, task)
            }
        }
    }
}
