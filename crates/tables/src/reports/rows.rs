//! Rows of a report: an outline of names and figures, with sorting, filtering and expansion. Independent of the window.

use crate::query::TableKind;
use crate::query::number_condition::{NumberCondition, Quantity, all_are_met};
use crate::{ColumnInfo, List, RowTarget, Table, TableContext};
use std::{borrow::Cow, cmp::Ordering, collections::HashSet, sync::Arc};

use super::second_line::SecondLine;
use crate::columns::{Condition, Value};
use heaplens_base::{ByteDelta, Bytes, Count, CountDelta};
use heaplens_heap::{ClassId, ObjectId};
use heaplens_session::OpenDump;

/// Contents of the first column.
#[derive(Debug, Clone, PartialEq)]
pub enum Name {
    /// Text.
    Words(String),
    /// A name of several parts, such as a package: its end tells it from its neighbours.
    Qualified(String),
    /// A class.
    Class(Box<str>),
    /// A class, after the name of what holds its objects.
    Held(Box<str>, Box<str>),
    /// An object: class, label and id, optionally with the reference that holds it.
    Object(Option<Box<str>>, ObjectId),
    /// An object after what it is to the row above: `held by`.
    Related(&'static str, ObjectId),
    /// Name without addresses.
    Called(RowLabel),
}

/// An address-free name on one or two lines.
#[derive(Debug, Clone, PartialEq)]
pub struct RowLabel {
    /// `desk.SessionCache.ENTRIES`
    pub name: Box<str>,
    /// Number of objects in the row.
    pub times: u64,
    /// The second line.
    pub more: SecondLine,
    /// Object with this name.
    pub object: Option<ObjectId>,
}

impl RowLabel {
    /// The name on one line.
    pub fn plain(&self) -> String {
        let times = if self.times > 1 { format!(" ×{}", Count(self.times)) } else { String::new() };
        let more = if self.more.is_empty() { String::new() } else { format!(": {}", self.more.plain()) };
        format!("{}{times}{more}", self.name)
    }

    /// The package with its last dot, and the rest. Package names begin with lower-case letters.
    pub fn split(&self) -> (&str, &str) {
        let end = self.name.find(|c: char| !c.is_alphanumeric() && c != '.' && c != '_').unwrap_or(self.name.len());
        let mut cut = 0;
        for (at, _) in self.name[..end].match_indices('.') {
            if !self.name[cut..].starts_with(|c: char| c.is_lowercase()) {
                break;
            }
            cut = at + 1;
        }
        // A name of lower-case letters only has no package, nor has a file or a namespace: `desk.js sessions`, `my.ns/all`.
        let (package, rest) = self.name.split_at(cut);
        if rest.starts_with(char::is_uppercase) { (package, rest) } else { ("", &self.name) }
    }
}

/// Cell of a row: a value, and how it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Its value.
    pub value: Value<'static>,
    /// How it is drawn.
    pub style: CellStyle,
}

/// How a cell is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum CellStyle {
    /// By its value: bytes with a bar of their share of the reachable bytes.
    Usual,
    /// Less important bytes: small, without a bar.
    Minor,
    /// A change in bytes with a bar that so many bytes fill.
    Bar(u64),
    /// Bytes in several dumps, oldest first, as a line.
    OverTime(Arc<[Bytes]>),
    /// A value that does not exist, drawn as a dash; the tooltip gives the reason.
    Missing(&'static str),
}

impl From<Value<'static>> for Cell {
    fn from(value: Value<'static>) -> Self {
        Self { value, style: CellStyle::Usual }
    }
}

impl Cell {
    /// An empty cell.
    pub const EMPTY: Self = Self { value: Value::Null, style: CellStyle::Usual };

    /// A value that does not exist, and the reason.
    pub fn missing(why: &'static str) -> Self {
        Self { value: Value::Null, style: CellStyle::Missing(why) }
    }

    /// A count.
    pub fn count(count: u64) -> Self {
        Value::Count(count).into()
    }

    /// Bytes with their share of the reachable bytes.
    pub fn bytes(bytes: Bytes) -> Self {
        Value::Bytes(bytes).into()
    }

    /// Less important bytes.
    pub fn minor(bytes: Bytes) -> Self {
        Self { value: Value::Bytes(bytes), style: CellStyle::Minor }
    }

    /// Text.
    pub fn words(words: impl Into<String>) -> Self {
        Value::text(words.into()).into()
    }

    /// A change in a count.
    pub fn count_delta(delta: CountDelta) -> Self {
        Value::CountDelta(delta).into()
    }

    /// A change in bytes.
    pub fn byte_delta(delta: ByteDelta) -> Self {
        Value::ByteDelta(delta).into()
    }

    /// A change in bytes with a bar that `most` bytes fill.
    pub fn grown(delta: ByteDelta, most: u64) -> Self {
        Self { value: Value::ByteDelta(delta), style: CellStyle::Bar(most) }
    }

    /// Bytes in several dumps, oldest first.
    pub fn over_time(sizes: Arc<[Bytes]>) -> Self {
        let text = sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        Self { value: Value::text(text), style: CellStyle::OverTime(sizes) }
    }

    /// Displayed text.
    pub fn text(&self) -> String {
        self.style.text(&self.value)
    }
}

impl CellStyle {
    /// Displayed text of a value.
    pub fn text(&self, value: &Value<'_>) -> String {
        match (value, self) {
            (Value::Null, Self::Usual) => String::new(),
            (value, _) => value.words().map_or_else(|| value.short(), Cow::into_owned),
        }
    }
}

/// A row.
#[derive(Debug, Clone)]
pub struct Row {
    /// Indentation level: a row is a child of the nearest earlier row of lower depth.
    pub depth: usize,
    /// The first column.
    pub name: Name,
    /// Further text that the filter searches: labels of objects.
    pub found_by: String,
    /// The first of the other columns; the rest of a row at the top is read from its table.
    pub cells: Vec<Cell>,
    /// Target of the row.
    pub leads: RowTarget,
}

impl Row {
    /// Row of a text, found by it.
    pub fn words(depth: usize, words: impl Into<String>, cells: Vec<Cell>) -> Self {
        let words = words.into();
        Self { depth, found_by: words.clone(), name: Name::Words(words), cells, leads: RowTarget::None }
    }

    /// Row of a class, found by its name.
    pub fn class(dump: &OpenDump, depth: usize, class: ClassId, cells: Vec<Cell>) -> Self {
        let name = &dump.heap.classes.get(class).name;
        let leads = RowTarget::Class(class);
        Self { depth, name: Name::Class(name.clone()), found_by: name.to_string(), cells, leads }
    }

    /// Row of an object, found by its class; `by` is the reference that holds it.
    pub fn object(dump: &OpenDump, depth: usize, by: Option<&str>, object: ObjectId, cells: Vec<Cell>) -> Self {
        let (name, found_by) = (Name::Object(by.map(Into::into), object), dump.heap.class(object).name.to_string());
        Self { depth, name, found_by, cells, leads: RowTarget::Object(object) }
    }

    /// Row of an object that is something to the row above: `held by`.
    pub fn related(dump: &OpenDump, depth: usize, words: &'static str, object: ObjectId, cells: Vec<Cell>) -> Self {
        Self { name: Name::Related(words, object), ..Self::object(dump, depth, None, object, cells) }
    }

    /// Row at the top of a name without addresses, found by it.
    pub fn called(label: RowLabel, cells: Vec<Cell>) -> Self {
        let leads = label.object.map_or(RowTarget::None, RowTarget::Object);
        Self { depth: 0, found_by: label.plain(), name: Name::Called(label), cells, leads }
    }

    /// Row of a table with its name.
    fn of_table(table: &dyn Table, row: usize, name: Value<'static>) -> Self {
        let leads = table.target(row);
        let text = Cell::from(name).text();
        let name = match leads {
            RowTarget::Object(object) => Name::Object(None, object),
            RowTarget::Class(_) => Name::Class(text.clone().into()),
            _ => Name::Words(text.clone()),
        };
        Self { depth: 0, name, found_by: text, cells: Vec::new(), leads }
    }

    /// True if the row grew, in a table of changes.
    pub fn grew(&self) -> bool {
        self.cells.iter().any(
            |cell| matches!(cell, Cell { value: Value::ByteDelta(delta), style: CellStyle::Bar(_) } if delta.0 > 0),
        )
    }

    /// True if the row grew in every interval.
    pub fn grew_every_time(&self) -> bool {
        let grows = |cell: &Cell| matches!(&cell.style, CellStyle::OverTime(sizes) if sizes.is_sorted_by(|one, next| one < next));
        self.grew() && self.cells.iter().any(grows)
    }
}

/// All rows, each parent before its children.
pub struct Rows {
    /// Table of the command line that contains the top-level rows, in the same order.
    pub table: Arc<dyn Table>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Summary of all rows.
    pub summary: String,
    /// True if any row has a parent.
    pub is_outline: bool,
    /// True if the rows are those of the table, which are made when its values are read.
    is_of_table: bool,
    /// By row of the table, further text that the filter searches, if there is any.
    found_by: Vec<String>,
    /// True if the order of the rows below a row means something, such as the frames of a stack.
    is_ordered_below: bool,
    /// Subject of the top-level rows, if the kind of report does not define it.
    pub subject: Option<Arc<dyn TableKind>>,
    /// Row of the table by top-level row, unless these are its first rows in order.
    indexes: Option<Vec<u32>>,
    /// Names of one row and of several, if the summary counts those on screen.
    pub counted: Option<(&'static str, &'static str)>,
    /// Bytes that fill a bar; the reachable ones if not given.
    pub total: Option<Bytes>,
    /// Number of rows of the baseline that the target does not have.
    pub removed: u64,
    /// Keys of columns in whose order equal rows are sorted by name.
    pub tied_by_name: &'static [&'static str],
    /// Columns of the table that the dump has, and those that only sort.
    pub columns: Vec<ColumnInfo>,
    /// Keys of the columns on screen.
    keys: Vec<&'static str>,
    /// Values by top-level row and column on screen.
    values: Vec<Vec<Value<'static>>>,
    /// By row: its top-level row.
    tops_of: Vec<usize>,
    /// By column on screen: most bytes in it.
    greatest: Vec<Bytes>,
}

impl Rows {
    /// Report with these rows; the top-level rows are the first rows of `table`, in the same order.
    pub fn new(table: impl Table + 'static, rows: Vec<Row>, summary: String) -> Self {
        Self::shared(Arc::new(table), rows, summary)
    }

    /// Report as [`new`](Self::new) makes it, of a table that others hold too.
    pub fn shared(table: Arc<dyn Table>, rows: Vec<Row>, summary: String) -> Self {
        Self {
            is_outline: rows.iter().any(|row| row.depth > 0),
            table,
            rows,
            summary,
            is_of_table: false,
            found_by: Vec::new(),
            is_ordered_below: false,
            subject: None,
            indexes: None,
            counted: None,
            total: None,
            removed: 0,
            tied_by_name: &[],
            columns: Vec::new(),
            keys: Vec::new(),
            values: Vec::new(),
            tops_of: Vec::new(),
            greatest: Vec::new(),
        }
    }

    /// Report before there is a table: rows with a cell for each of these columns, the first of which is the name.
    pub fn of_cells(columns: Vec<ColumnInfo>, rows: Vec<Row>, summary: String, keys: &[&'static str]) -> Self {
        let mut report = Self::new(List::<()>::new(&[], Vec::new()), rows, summary);
        let cell = |row: &Row, column: usize| match column.checked_sub(1) {
            Some(column) => row.cells.get(column).map(|cell| cell.value.clone()),
            None => Some(Value::text(row.found_by.clone())),
        };
        let position = |key: &&str| columns.iter().position(|column| column.key == *key);
        let value = |row: &Row, key: &&str| position(key).and_then(|column| cell(row, column)).unwrap_or(Value::Null);
        report.values = report.rows.iter().map(|row| keys.iter().map(|key| value(row, key)).collect()).collect();
        report.tops_of = (0..report.rows.len()).collect();
        report.rows.iter_mut().for_each(|row| row.cells.clear());
        report.keys = keys.to_vec();
        report.columns = columns;
        report
    }

    /// Summary with so many rows on screen.
    pub fn summary_of(&self, shown: usize) -> String {
        let Some((one, many)) = self.counted else { return self.summary.clone() };
        let all = Count(self.rows.len() as u64).of(one, many);
        let part = if shown == self.rows.len() { String::new() } else { format!("{} of ", Count(shown as u64)) };
        format!("{part}{all} · {}", self.summary)
    }

    /// Keeps the order of the rows below each top-level row, whatever column the report is sorted by.
    #[must_use]
    pub fn ordered_below(self) -> Self {
        Self { is_ordered_below: true, ..self }
    }

    /// Report with the rows of a table and none below them.
    pub fn of_table(table: impl Table + 'static, summary: String) -> Self {
        Self { is_of_table: true, ..Self::new(table, Vec::new(), summary) }
    }

    /// With further text, by row of the table, that the filter searches.
    #[must_use]
    pub(super) fn found_by(self, found_by: Vec<String>) -> Self {
        Self { found_by, ..self }
    }

    /// Sets which rows of the table are shown at the top.
    #[must_use]
    pub fn at(mut self, indexes: Vec<u32>) -> Self {
        self.indexes = Some(indexes);
        self
    }

    /// Row of the table for the top-level row `nth`.
    fn top(&self, nth: usize) -> usize {
        self.indexes.as_ref().and_then(|indexes| indexes.get(nth)).map_or(nth, |&row| row as usize)
    }

    /// Reads the values of the top-level rows in the columns on screen, whose keys `keys` chooses for the columns that
    /// the dump has. A column without a key has the values of the rows.
    #[must_use]
    pub fn read(mut self, dump: TableContext<'_>, keys: impl Fn(&[ColumnInfo]) -> Vec<&'static str>) -> Self {
        self.columns = [self.table.columns(dump), self.table.sort_keys()].concat();
        self.keys = keys(&self.columns);
        let index = |key: &&str| self.columns.iter().find(|column| column.key == *key).map(|column| column.index);
        let columns: Vec<Option<usize>> = self.keys.iter().map(index).collect();
        let cell = |row, column: usize| self.table.cell(dump, row, column).into_static();
        if self.is_of_table {
            let name = |row| columns.first().copied().flatten().map_or(Value::Null, |column| cell(row, column));
            self.rows = (0..self.table.count()).map(|row| Row::of_table(&*self.table, row, name(row))).collect();
            for (row, more) in self.rows.iter_mut().zip(std::mem::take(&mut self.found_by)) {
                row.found_by = format!("{}\n{more}", row.found_by);
            }
        }
        let mut tops = 0;
        for row in &self.rows {
            if row.depth == 0 {
                let of = self.top(tops);
                // Cells without a column in the table come from the row.
                let own = |at: usize| at.checked_sub(1).and_then(|at| row.cells.get(at)).map(|cell| cell.value.clone());
                let value = |(at, column): (usize, &Option<usize>)| match *column {
                    Some(column) => cell(of, column),
                    None => own(at).unwrap_or(Value::Null),
                };
                self.values.push(columns.iter().enumerate().map(value).collect());
                tops += 1;
            }
            self.tops_of.push(tops.saturating_sub(1));
        }
        let bytes = |at: usize, column: usize| match self.cell(at, column) {
            (Value::Bytes(bytes), CellStyle::Usual) => Some(*bytes),
            _ => None,
        };
        let most = |column| (0..self.rows.len()).filter_map(|at| bytes(at, column)).max().unwrap_or_default();
        self.greatest = (0..self.keys.len()).map(most).collect();
        self
    }

    /// Value of a row in a column on screen, and how it is drawn; the name has column 0.
    pub fn cell(&self, at: usize, column: usize) -> (&Value<'static>, &CellStyle) {
        let row = self.rows.get(at);
        match row.and_then(|row| row.cells.get(column.checked_sub(1)?)) {
            Some(cell) => (&cell.value, &cell.style),
            None => {
                (self.values(at).get(column).filter(|_| self.is_top(at)).unwrap_or(&Value::Null), &CellStyle::Usual)
            }
        }
    }

    fn is_top(&self, at: usize) -> bool {
        self.rows.get(at).is_some_and(|row| row.depth == 0)
    }

    /// Values of the top-level row of a row, by column on screen.
    pub fn values(&self, at: usize) -> &[Value<'static>] {
        self.tops_of.get(at).and_then(|&top| self.values.get(top)).map_or(&[], Vec::as_slice)
    }

    /// True if the top-level row of a row meets conditions, each with its column.
    pub fn meets(&self, at: usize, conditions: &[(usize, NumberCondition)], reachable: Bytes) -> bool {
        all_are_met(conditions, |column| Quantity::of_cell(self.values(at).get(column)?, reachable))
    }

    /// Most bytes in a column.
    pub fn greatest(&self, column: usize) -> Bytes {
        self.greatest.get(column).copied().unwrap_or_default()
    }

    /// True if names take two lines.
    pub fn are_high(&self) -> bool {
        self.rows.first().is_some_and(|row| matches!(row.name, Name::Called(_)))
    }

    /// Row of the table for a row or its top-level ancestor.
    pub fn table_row(&self, at: usize) -> u32 {
        self.top(self.tops_of.get(at).copied().unwrap_or(0)) as u32
    }

    /// Index after the last descendant of a row.
    fn end(&self, at: usize) -> usize {
        let depth = self.rows.get(at).map_or(0, |row| row.depth);
        let below = self.rows.iter().skip(at + 1).take_while(|row| row.depth > depth).count();
        at + 1 + below
    }

    /// True if a row has children.
    pub fn expands(&self, at: usize) -> bool {
        matches!((self.rows.get(at), self.rows.get(at + 1)), (Some(row), Some(next)) if next.depth > row.depth)
    }

    /// Parent of a row.
    pub fn above(&self, at: usize) -> Option<usize> {
        let depth = self.rows.get(at)?.depth;
        (0..at).rev().find(|&row| self.rows[row].depth < depth)
    }

    /// Indices of the rows to show: `open` rows are expanded; rows are sorted by a column, if given, below each row too;
    /// with a filter, only matching rows and their ancestors, which are expanded.
    pub fn ordered_rows(
        &self,
        open: &HashSet<usize>,
        sort: Option<(usize, bool)>,
        passes: Option<&dyn Fn(&Row) -> bool>,
    ) -> Vec<usize> {
        let mut shown = Vec::new();
        // Ancestors of the current row that are not shown yet.
        let mut above: Vec<usize> = Vec::new();
        // Rows to visit, the next one last.
        let mut next = self.sorted_siblings(0, self.rows.len(), sort);
        next.reverse();
        while let Some(row) = next.pop() {
            let is_entered = match passes {
                None => {
                    shown.push(row);
                    open.contains(&row)
                }
                Some(passes) => {
                    above.retain(|&a| self.rows[a].depth < self.rows[row].depth);
                    if passes(&self.rows[row]) {
                        shown.append(&mut above);
                        shown.push(row);
                    } else {
                        above.push(row);
                    }
                    true
                }
            };
            if is_entered {
                let below = self.sorted_siblings(row + 1, self.end(row), sort);
                next.extend(below.into_iter().rev());
            }
        }
        shown
    }

    /// The rows between two indices that are on the level of the first, in the order of a column.
    fn sorted_siblings(&self, first: usize, end: usize, sort: Option<(usize, bool)>) -> Vec<usize> {
        let mut siblings = Vec::new();
        let mut at = first;
        while at < end {
            siblings.push(at);
            at = self.end(at);
        }
        let Some((column, descending)) = sort else { return siblings };
        let directed = |order: Ordering| if descending { order.reverse() } else { order };
        if self.is_top(first) {
            let key = self.keys.get(column).copied().unwrap_or_default();
            let is_tied_by_name = self.tied_by_name.contains(&key);
            let is_change = self.columns.iter().any(|info| info.key == key && info.when == Condition::Baseline);
            let value = |at: usize| self.values(at).get(column).unwrap_or(&Value::Null);
            let name = |at: usize| self.rows.get(at).and_then(|row| row.found_by.lines().next());
            siblings.sort_by(|&a, &b| {
                // Rows of unknown change come last, in either direction.
                let unknown = |at| is_change && *value(at) == Value::Null;
                let order = unknown(a).cmp(&unknown(b)).then_with(|| directed(value(a).order(value(b))));
                order
                    .then_with(|| if is_tied_by_name { name(a).cmp(&name(b)) } else { Ordering::Equal })
                    .then(a.cmp(&b))
            });
        } else if !self.is_ordered_below {
            // Rows without a value, such as those that say how many more there are, stay where they are.
            let mut keyed: Vec<(Value<'static>, usize)> =
                siblings.iter().map(|&at| (self.own_key(at, column), at)).collect();
            for run in keyed.chunk_by_mut(|(a, _), (b, _)| (*a == Value::Null) == (*b == Value::Null)) {
                run.sort_by(|(a, _), (b, _)| directed(a.order(b)));
            }
            siblings = keyed.into_iter().map(|(_, at)| at).collect();
        }
        siblings
    }

    /// Value of a row in a column, as the row shows it.
    fn own_key(&self, at: usize, column: usize) -> Value<'static> {
        match column {
            0 => self.rows.get(at).map_or(Value::Null, |row| Value::text(row.found_by.clone())),
            _ => self.cell(at, column).0.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::List;
    use crate::dump::javascript::CLOSURES;

    fn row(depth: usize, name: &str, bytes: u64) -> Row {
        Row::words(depth, name, vec![Cell::bytes(Bytes(bytes))])
    }

    fn names<'a>(rows: &'a Rows, shown: &[usize]) -> Vec<&'a str> {
        shown.iter().map(|&at| rows.rows[at].found_by.as_str()).collect()
    }

    #[test]
    fn an_outline_sorts_its_top_level_and_expands() {
        let rows = vec![row(0, "main", 5), row(1, "run", 2), row(2, "map", 1), row(1, "wait", 1), row(0, "gc", 9)];
        let mut rows = Rows::new(List::new(CLOSURES, Vec::new()), rows, String::new());
        // Two threads, by name and bytes.
        rows.values = vec![
            vec![Value::text("main".to_owned()), Value::Bytes(Bytes(5))],
            vec![Value::text("gc".to_owned()), Value::Bytes(Bytes(9))],
        ];
        rows.tops_of = vec![0, 0, 0, 0, 1];
        let mut open = HashSet::new();
        assert_eq!(names(&rows, &rows.ordered_rows(&open, None, None)), ["main", "gc"]);
        open.insert(0);
        assert_eq!(names(&rows, &rows.ordered_rows(&open, Some((1, true)), None)), ["gc", "main", "run", "wait"]);
        assert_eq!(names(&rows, &rows.ordered_rows(&open, Some((0, false)), None)), ["gc", "main", "run", "wait"]);
        let passes = |row: &Row| row.found_by.starts_with('m');
        assert_eq!(names(&rows, &rows.ordered_rows(&open, None, Some(&passes))), ["main", "run", "map"]);
        // Below a row by the same column; rows without a value stay.
        let more = Row::words(1, "2 more", vec![Cell::EMPTY]);
        rows.rows = vec![
            row(0, "main", 5),
            row(1, "run", 1),
            row(2, "map", 1),
            row(2, "set", 3),
            row(1, "wait", 2),
            more,
            row(0, "gc", 9),
        ];
        rows.tops_of = vec![0, 0, 0, 0, 0, 0, 1];
        let all: HashSet<usize> = (0..rows.rows.len()).collect();
        let expected = ["gc", "main", "wait", "run", "set", "map", "2 more"];
        assert_eq!(names(&rows, &rows.ordered_rows(&all, Some((1, true)), None)), expected);
        let passes = |row: &Row| matches!(row.found_by.as_str(), "map" | "set" | "wait");
        let expected = ["main", "run", "map", "set", "wait"];
        assert_eq!(names(&rows, &rows.ordered_rows(&open, Some((1, false)), Some(&passes))), expected);
        rows.is_ordered_below = true;
        let expected = ["gc", "main", "run", "map", "set", "wait", "2 more"];
        assert_eq!(names(&rows, &rows.ordered_rows(&all, Some((1, true)), None)), expected);
        assert!(rows.expands(0) && rows.expands(1) && !rows.expands(2) && !rows.expands(4));
        assert_eq!((rows.above(2), rows.above(4), rows.above(6)), (Some(1), Some(0), None));
    }
}
