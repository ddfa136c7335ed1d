//! Leaks of a fleet as a table.

use eframe::egui;
use egui::{Color32, Id, Rect, Role, Sense, Ui, vec2};

use crate::ui::Command;
use crate::ui::theme::{Tokens, fonts};
use crate::ui::widgets::table::{RecordColumn, Records, elided, two_lines_ui};
use crate::ui::widgets::{Row, sparkline};
use heaplens_base::{Bytes, Count};
use heaplens_fleet::{FleetLeak, FleetTable, LeakChange, LeakInVersion};
use heaplens_tables::TypedFilter;
use heaplens_tables::columns::Value;

const COLUMNS: &[RecordColumn<FleetLeak>] = &[
    RecordColumn::words(
        "name",
        ("Leak", "Name of the reference that holds it; below it, what accumulates"),
        (240.0, 9),
        |leak| Value::text(&*leak.name),
    ),
    RecordColumn::words("app", ("Program", "Program of the dumps"), (90.0, 7), |leak| Value::text(&*leak.app)),
    RecordColumn::words(
        "change",
        ("Change", "What became of it in the last version of the program"),
        (76.0, 8),
        |leak: &FleetLeak| Value::text(leak.change.word()),
    )
    .ordered_by(|leak| Value::Count(leak.change as u64)),
    RecordColumn::numbers("dumps", ("Dumps", "Dumps with the leak"), (76.0, 8), |leak| Value::Count(leak.dumps.part)),
    RecordColumn::numbers(
        "share",
        ("Share", "Share of the dumps of the program that were read as a whole"),
        (76.0, 6),
        |leak| Value::Share(leak.dumps),
    ),
    RecordColumn::words(
        "versions",
        ("Versions", "First and last version with the leak"),
        (110.0, 5),
        |leak: &FleetLeak| Value::text(format!("{} – {}", leak.versions.0, leak.versions.1)),
    )
    .ordered_by(|leak| Value::text(&*leak.first_order)),
    RecordColumn::numbers(
        "mean_bytes",
        ("Mean size", "Bytes that a fix frees, on average of the dumps with the leak"),
        (92.0, 7),
        |leak| Value::Bytes(leak.mean),
    ),
    RecordColumn::numbers("total_bytes", ("Total size", "The same in all dumps together"), (92.0, 4), |leak| {
        Value::Bytes(leak.total)
    }),
    RecordColumn::words(
        "by_version",
        ("By version", "Mean size times share of dumps, from the first version to the last"),
        (120.0, 6),
        |_: &FleetLeak| Value::Null,
    )
    .drawn(),
];

/// Height of a row of two lines, in points.
const HIGH: f32 = 46.0;

/// Rows of the table: leaks that pass the filter, in order.
pub(super) struct LeakRows {
    /// Filter on name, class, program and fingerprint.
    pub(super) filter: TypedFilter,
    table: Records<FleetLeak>,
    is_stale: bool,
}

impl Default for LeakRows {
    fn default() -> Self {
        let table = Records::new("Leaks of a fleet", COLUMNS, Some("total_bytes"));
        Self { filter: TypedFilter::default(), table, is_stale: true }
    }
}

impl LeakRows {
    /// Rows have to be chosen and sorted again.
    pub(super) fn set_stale(&mut self) {
        self.is_stale = true;
    }

    /// Row of the cursor.
    pub(super) fn cursor(&self) -> Option<u64> {
        self.table.state.cursor()
    }

    /// Indices of the leaks on screen, in order.
    pub(super) fn shown(&self) -> &[u32] {
        &self.table.shown
    }

    /// Chooses and sorts the rows, if something changed.
    pub(super) fn update(&mut self, table: &FleetTable, only: Option<LeakChange>) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        self.table.order(&table.leaks, |leak| {
            let text = format!("{} {} {} {} {}", leak.name, leak.class, leak.app, leak.owner, leak.fingerprint);
            only.is_none_or(|only| leak.change == only) && self.filter.passes(&text)
        });
        self.table.state.to_top();
    }

    /// Copies the selected leaks as spreadsheet cells.
    pub(super) fn copied(&self, table: &FleetTable) -> Option<Command> {
        let (text, count) = self.table.copied(&table.leaks)?;
        Some(Command::Copy(text, Count(count).of("leak", "leaks")))
    }

    /// Draws the table; returns the index of a leak whose dumps are asked for.
    pub(super) fn ui(&mut self, ui: &mut Ui, table: &FleetTable, is_active: bool) -> Option<usize> {
        let output = self.table.ui(ui, &table.leaks, (is_active, HIGH), draw);
        output.activated.and_then(|row| self.table.index(row))
    }
}

/// Draws what is not drawn by its value, and names the row.
fn draw(row: &mut Row<'_>, leak: &FleetLeak, key: &str) -> bool {
    let t = row.tokens;
    let (first, last) = &leak.versions;
    let versions = if first == last { first.to_string() } else { format!("{first} – {last}") };
    match key {
        "name" => {
            let below = if leak.class.is_empty() { &leak.fingerprint } else { &leak.class };
            if two_lines(row, key, &leak.name, below) {
                row.hover_in(key, || format!("{}\n{}", leak.name, leak.class));
            }
            let dumps = Count(leak.dumps.part).of("dump", "dumps");
            let change = leak.change.word();
            row.name(format!("{}, {}, {dumps}, {}, {versions}, {change}", leak.name, leak.app, leak.mean));
        }
        "app" => row.text(key, &*leak.app, fonts::text(), t.text),
        "change" => row.text(key, title(leak.change.word()), fonts::medium(), color(leak.change, t)),
        "versions" => row.text(key, versions, fonts::text(), t.muted),
        "by_version" => trend_ui(row, leak, key),
        _ => return false,
    }
    true
}

/// Two lines in a cell; true if one is cut.
fn two_lines(row: &Row<'_>, column: &str, first: &str, second: &str) -> bool {
    let Some(cell) = row.cell(column) else { return false };
    let t = row.tokens;
    let elided_text = |text: &str, font, color| elided(row.ui, text.to_owned(), font, color, cell.width());
    let (first, second) = (elided_text(first, fonts::medium(), t.text), elided_text(second, fonts::small(), t.muted));
    let cut = first.elided || second.elided;
    two_lines_ui(row.ui, cell, (first, t.text), (second, t.muted));
    cut
}

/// Sizes over the versions as a line.
fn trend_ui(row: &mut Row<'_>, leak: &FleetLeak, column: &str) {
    let Some(cell) = row.cell(column) else { return };
    let area = Rect::from_center_size(cell.center(), vec2(cell.width() - 8.0, 22.0));
    let weight =
        |of: &LeakInVersion| Bytes((of.mean.0 as f64 * of.share.part as f64 / of.share.total.max(1) as f64) as u64);
    let sizes: Vec<Bytes> = leak.by_version.iter().map(weight).collect();
    sparkline::paint(row.ui.painter(), area, &sizes, (0, sizes.len().saturating_sub(1)), row.tokens);
    let of = |of: &LeakInVersion| format!("{}: {} in {}", of.version, of.mean, of.share);
    let label = leak.by_version.iter().map(of).collect::<Vec<_>>().join("\n");
    let response = row.ui.interact(cell, Id::unique(("by version", row.index)), Sense::HOVER);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, format!("By version: {label}")));
    row.hover_in(column, || label.clone());
}

/// Word of a change with a capital.
pub(super) fn title(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn color(change: LeakChange, t: &Tokens) -> Color32 {
    match change {
        LeakChange::New | LeakChange::Back | LeakChange::Worse => t.grew,
        LeakChange::Better | LeakChange::Fixed => t.shrank,
        LeakChange::Same | LeakChange::Gone => t.muted,
    }
}
