//! Rows of an answer, as a table whose rows are objects if a column has ids.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::ui::ViewContext;
use crate::ui::controllers::{Placeholder, TableController, TableSource};
use crate::ui::theme::{Icon, fonts};
use crate::ui::widgets::table::Align;
use crate::ui::widgets::{Column, ObjectName, Row};
use heaplens_base::{Bytes, Progress};
use heaplens_heap::{Heap, ObjectId};
use heaplens_sql::{AnswerColumn, CollectedAnswer, SqlType};
use heaplens_tables::columns::Value;
use heaplens_tables::export::copy::{self, ClipBody, Rows};
use heaplens_tables::{Question, RowTarget, clips};

/// Name of the table.
pub(super) const NAME: &str = "Answer";
/// Rows from which the width of a column is taken.
const MEASURED: usize = 200;
/// Narrowest and widest column, and the width of a character, in points.
const NARROWEST: f32 = 72.0;
const WIDEST: f32 = 190.0;
const CHARACTER: f32 = 7.4;
/// Width of a column of objects, in points.
const OBJECTS: f32 = 200.0;
/// Longest title of a column, in characters.
const TITLE: usize = 60;

/// An answer of a query.
pub(super) struct Answer {
    pub(super) query: String,
    columns: Vec<AnswerColumn>,
    rows: Vec<Vec<Value<'static>>>,
    shown: Vec<Column>,
    /// True if there are more rows.
    pub(super) is_cut: bool,
    pub(super) took: Duration,
}

impl Answer {
    pub(super) fn new(query: String, answer: CollectedAnswer, took: Duration) -> Self {
        let CollectedAnswer { columns, rows, is_cut, .. } = answer;
        let shown = columns.iter().enumerate().map(|(index, column)| shown(column, index, &rows));
        let mut shown: Vec<Column> = shown.collect();
        // One column takes the remaining width: the first of words, if there is one.
        let filling = shown.iter().position(|column| column.align == Align::Left).unwrap_or(0);
        shown.get_mut(filling).into_iter().for_each(|column| column.fills = true);
        Self { query, columns, rows, shown, is_cut, took }
    }

    /// The columns, and the rows in their order on screen.
    pub(super) fn all(&self) -> (Vec<AnswerColumn>, Vec<Vec<Value<'static>>>) {
        (self.columns.clone(), self.rows.clone())
    }

    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }

    fn value(&self, row: u64, column: usize) -> Option<&Value<'static>> {
        self.rows.get(row as usize)?.get(column)
    }

    /// The object of a row: that of the first column with one.
    pub(super) fn object(&self, heap: &Heap, row: u64) -> Option<ObjectId> {
        let values = self.rows.get(row as usize)?;
        self.columns.iter().zip(values).find_map(|(column, value)| column.object(heap, value))
    }

    /// Sorts the rows; those without a value are least.
    fn sort(&mut self, column: usize, descending: bool) {
        self.rows.sort_by(|a, b| {
            let order = a.get(column).zip(b.get(column)).map_or(Ordering::Equal, |(a, b)| a.order(b));
            if descending { order.reverse() } else { order }
        });
    }
}

/// A column of the table: numbers at the right, as wide as its first values.
fn shown(column: &AnswerColumn, index: usize, rows: &[Vec<Value<'static>>]) -> Column {
    let values = || rows.iter().take(MEASURED).filter_map(|row| row.get(index));
    let is_object = column.kind == Some(SqlType::Object);
    let is_id = column.kind.is_some_and(SqlType::is_id);
    let is_number = !is_id && values().any(|value| !matches!(value, Value::Null | Value::Text(_)));
    let longest = values().map(|value| plain(value).chars().count()).max().unwrap_or(0);
    let title = title(&column.name);
    let width = (longest.max(title.chars().count() + 2) as f32).mul_add(CHARACTER, 28.0).clamp(NARROWEST, WIDEST);
    if is_number {
        return Column::numbers(title, "", width, 8);
    }
    // In a narrow window the last words go first.
    let rank = 7 - index.min(6) as u8;
    Column { fills: false, rank, ..Column::words(title, "", if is_object { OBJECTS } else { width }) }
}

/// A title that lives as long as the window, which has few different ones.
fn title(name: &str) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(TITLE).collect();
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(title) = known.get(&*name) {
        return title;
    }
    let title: &'static str = Box::leak(name.into_boxed_str());
    known.insert(title);
    title
}

fn plain(value: &Value<'_>) -> String {
    if *value == Value::Null { String::new() } else { value.exact() }
}

/// The answer on screen; `None` before the first.
pub(super) struct AnswerRows<'a> {
    pub(super) answer: Option<&'a mut Answer>,
    pub(super) is_running: bool,
    pub(super) progress: Option<Progress>,
}

impl TableSource for AnswerRows<'_> {
    const NAME: &'static str = NAME;

    fn columns(&self, _context: &ViewContext<'_>) -> Cow<'static, [Column]> {
        Cow::Owned(self.answer.as_ref().map(|answer| answer.shown.clone()).unwrap_or_default())
    }

    fn count(&self) -> u64 {
        self.answer.as_ref().map_or(0, |answer| answer.rows.len() as u64)
    }

    fn target(&self, context: &ViewContext<'_>, row: u64) -> Option<RowTarget> {
        let object = self.answer.as_ref()?.object(&context.dump.heap, row);
        Some(object.map_or(RowTarget::None, RowTarget::Object))
    }

    fn text(&self, _context: &ViewContext<'_>, row: u64) -> Option<String> {
        let values = self.answer.as_ref()?.rows.get(row as usize)?;
        Some(values.iter().map(plain).collect::<Vec<_>>().join(" "))
    }

    fn draw(&mut self, row: &mut Row<'_>, context: &mut ViewContext<'_>) {
        let Some(answer) = &self.answer else { return };
        let heap = &context.dump.heap;
        let mut spoken = Vec::new();
        for (index, column) in answer.columns.iter().enumerate() {
            let (Some(value), Some(cell)) = (answer.value(row.index, index), row.cell(index)) else { continue };
            let is_id = column.kind.is_some_and(SqlType::is_id);
            if let Some(object) = column.object(heap, value) {
                let lead = context.labels.member_name(object, true).map_or_else(String::new, ToString::to_string);
                let (name, cut) = ObjectName::with(context.labels, heap, object, |name| {
                    let named = name.after(&lead);
                    (named.plain(), named.paint(row.ui, row.tokens, cell))
                });
                if cut {
                    row.hover_in(index, || &name);
                }
                spoken.push(name);
                continue;
            }
            let (faint, color) = (row.tokens.faint, row.tokens.text);
            match value {
                Value::Null => row.text(index, "–", fonts::text(), faint),
                Value::Integer(bytes @ 0..) if column.kind == Some(SqlType::Bytes) => {
                    row.size(index, Bytes(*bytes as u64));
                    spoken.push(bytes.to_string());
                }
                // An id of an object of the other dump.
                value if is_id => {
                    let text = column.cell(Some(heap), value).exact();
                    row.text(index, text.clone(), fonts::mono(), faint);
                    spoken.push(text);
                }
                value => {
                    let text = plain(value);
                    // A cut text is whole in the tooltip.
                    if text.chars().count() as f32 * CHARACTER > cell.width() {
                        row.hover_in(index, || &text);
                    }
                    row.text(index, text.clone(), fonts::text(), color);
                    spoken.push(text);
                }
            }
        }
        if let Some(object) = answer.object(heap, row.index) {
            row.object(object);
        }
        row.name(spoken.join(" "));
    }

    fn placeholder(&self, _context: &ViewContext<'_>, _table: &TableController) -> Placeholder<'_> {
        let page = match &self.answer {
            None if self.is_running => Placeholder::default(),
            None => {
                Placeholder::empty(Icon::Table, "No answer yet", "Write a query, or choose an example, and press F5")
            }
            Some(answer) if answer.rows.is_empty() => {
                Placeholder::empty(Icon::Table, "No rows", "No row meets the conditions of the query")
            }
            Some(_) => Placeholder::default(),
        };
        page.with_progress(self.is_running, self.progress.clone())
    }

    fn sort(&mut self, _context: &ViewContext<'_>, table: &mut TableController, column: usize) {
        let Some(answer) = &mut self.answer else { return };
        table.sort_by(&answer.shown, column);
        if let Some((column, descending)) = table.sort {
            answer.sort(column, descending);
        }
    }

    fn copy(&self, context: &mut ViewContext<'_>, _table: &TableController, rows: RangeInclusive<u64>) {
        let Some(answer) = &self.answer else { return };
        let headings: Vec<String> = answer.columns.iter().map(|column| column.name.clone()).collect();
        let (first, last) = (*rows.start() as usize, (*rows.end() as usize + 1).min(answer.rows.len()));
        let copied = answer.rows.get(first..last).unwrap_or_default();
        let cells = |row: &Vec<Value<'static>>| -> Vec<Value<'static>> {
            answer
                .columns
                .iter()
                .zip(row)
                .map(|(column, value)| column.cell(Some(&context.dump.heap), value).into_static())
                .collect()
        };
        let rows: Vec<Vec<Value<'static>>> = copied.iter().map(cells).collect();
        let command = Question::new("query", &context.dump.opened).argument(answer.query.clone());
        context.copy(move |dump, _| {
            let json = |row: &Vec<Value<'static>>| {
                let entries: serde_json::Map<String, serde_json::Value> = headings
                    .iter()
                    .zip(row)
                    .map(|(key, cell)| (key.clone(), serde_json::to_value(cell).unwrap_or_default()))
                    .collect();
                serde_json::Value::Object(entries).to_string()
            };
            let json = rows.iter().map(json).collect();
            let rows = rows.into_iter().map(|cells| copy::Row { depth: 0, cells }).collect();
            let body = ClipBody::Rows(Rows { headings, rows, json: ("rows", json) });
            Ok(clips::clip(dump, NAME, command, body))
        });
    }
}
