//! Leaks of a fleet as a table.

use std::cmp::Ordering;

use eframe::egui;
use egui::{Color32, Id, Rect, Role, Sense, Ui, vec2};

use crate::ui::Command;
use crate::ui::theme::{Tokens, fonts};
use crate::ui::widgets::table::{elided, order_after_click, place_of, two_lines_ui};
use crate::ui::widgets::{Column, Row, Table, TableState, sparkline};
use heaplens_base::{Bytes, Count};
use heaplens_fleet::{FleetLeak, FleetTable, LeakChange, LeakInVersion};
use heaplens_tables::TypedFilter;
use heaplens_tables::export::printable::one_line;

const COLUMNS: [Column; 9] = [
    Column::words("Leak", "Name of the reference that holds it; below it, what accumulates", 240.0),
    Column::words("Program", "Program of the dumps", 90.0).fixed(7),
    Column::words("Change", "What became of it in the last version of the program", 76.0).fixed(8),
    Column::numbers("Dumps", "Dumps with the leak", 76.0, 8),
    Column::numbers("Share", "Share of the dumps of the program that were read as a whole", 76.0, 6),
    Column::words("Versions", "First and last version with the leak", 110.0).fixed(5),
    Column::numbers("Mean size", "Bytes that a fix frees, on average of the dumps with the leak", 92.0, 7),
    Column::numbers("Total size", "The same in all dumps together", 92.0, 4),
    Column::words("By version", "Mean size times share of dumps, from the first version to the last", 120.0)
        .fixed(6)
        .unsorted(),
];
const LEAK: usize = place_of(&COLUMNS, "Leak");
const PROGRAM: usize = place_of(&COLUMNS, "Program");
const CHANGE: usize = place_of(&COLUMNS, "Change");
const DUMPS: usize = place_of(&COLUMNS, "Dumps");
const SHARE: usize = place_of(&COLUMNS, "Share");
const VERSIONS: usize = place_of(&COLUMNS, "Versions");
const MEAN: usize = place_of(&COLUMNS, "Mean size");
const TOTAL: usize = place_of(&COLUMNS, "Total size");
const TREND: usize = place_of(&COLUMNS, "By version");

/// Rows of the table: leaks that pass the filter, in order.
pub(super) struct LeakRows {
    /// Filter on name, class, program and fingerprint.
    pub(super) filter: TypedFilter,
    sort: (usize, bool),
    /// Places of the leaks.
    shown: Vec<u32>,
    is_stale: bool,
    state: TableState,
}

impl Default for LeakRows {
    fn default() -> Self {
        let (filter, state) = (TypedFilter::default(), TableState::default());
        Self { filter, sort: (TOTAL, true), shown: Vec::new(), is_stale: true, state }
    }
}

impl LeakRows {
    /// Rows have to be chosen and sorted again.
    pub(super) fn set_stale(&mut self) {
        self.is_stale = true;
    }

    /// Row of the cursor.
    pub(super) fn cursor(&self) -> Option<u64> {
        self.state.cursor()
    }

    /// Places of the leaks on screen, in order.
    pub(super) fn shown(&self) -> &[u32] {
        &self.shown
    }

    /// Chooses and sorts the rows, if something changed.
    pub(super) fn update(&mut self, table: &FleetTable, only: Option<LeakChange>) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        let passes = |leak: &FleetLeak| {
            let text = format!("{} {} {} {} {}", leak.name, leak.class, leak.app, leak.owner, leak.fingerprint);
            only.is_none_or(|only| leak.change == only) && self.filter.passes(&text)
        };
        self.shown = (0..table.leaks.len() as u32).filter(|&index| passes(&table.leaks[index as usize])).collect();
        let (column, descending) = self.sort;
        self.shown.sort_by(|&a, &b| {
            let order = compare(&table.leaks[a as usize], &table.leaks[b as usize], column);
            let order = if descending { order.reverse() } else { order };
            order.then(a.cmp(&b))
        });
        self.state.to_top();
    }

    /// Copies the selected leaks as spreadsheet cells.
    pub(super) fn copied(&self, table: &FleetTable) -> Option<Command> {
        let selected = self.state.selection()?;
        let titles = COLUMNS.iter().filter(|column| column.sorts).map(|column| column.title.to_owned());
        let leaks = selected.filter_map(|row| table.leaks.get(*self.shown.get(row as usize)? as usize));
        let cells = |leak: &FleetLeak| -> Vec<String> {
            let (first, last) = (&leak.versions.0, &leak.versions.1);
            let versions = format!("{first} – {last}");
            let share = leak.dumps.to_string();
            let (dumps, mean, total) = (leak.dumps.part.to_string(), leak.mean.0.to_string(), leak.total.0.to_string());
            let (name, app, change) = (one_line(&leak.name), one_line(&leak.app), leak.change.word().to_owned());
            vec![name, app, change, dumps, share, versions, mean, total]
        };
        let rows: Vec<String> =
            std::iter::once(titles.collect()).chain(leaks.map(cells)).map(|row: Vec<String>| row.join("\t")).collect();
        let count = Count(rows.len() as u64 - 1).of("leak", "leaks");
        Some(Command::Copy(rows.join("\n") + "\n", count))
    }

    /// Draws the table; returns the place of a leak whose dumps are asked for.
    pub(super) fn ui(&mut self, ui: &mut Ui, table: &FleetTable, is_active: bool) -> Option<usize> {
        let rows = Table::new("Leaks of a fleet", &COLUMNS, self.shown.len() as u64);
        let rows = rows.active(is_active).sorted(Some(self.sort)).row_height(46.0);
        let shown = &self.shown;
        let leak = |row: u64| table.leaks.get(*shown.get(row as usize)? as usize);
        let output = rows.show(ui, &mut self.state, |row| {
            if let Some(leak) = leak(row.index) {
                draw(row, leak);
            }
        });
        if let Some(column) = output.sort {
            self.sort = order_after_click(&COLUMNS, Some(self.sort), column);
            self.is_stale = true;
        }
        output.activated.and_then(|row| shown.get(row as usize)).map(|&index| index as usize)
    }
}

fn compare(one: &FleetLeak, other: &FleetLeak, column: usize) -> Ordering {
    match column {
        LEAK => one.name.cmp(&other.name),
        PROGRAM => one.app.cmp(&other.app),
        CHANGE => one.change.cmp(&other.change),
        DUMPS => one.dumps.part.cmp(&other.dumps.part),
        SHARE => one.dumps.per_mille().cmp(&other.dumps.per_mille()),
        VERSIONS => one.first_order.cmp(&other.first_order),
        MEAN => one.mean.cmp(&other.mean),
        _ => one.total.cmp(&other.total),
    }
}

fn draw(row: &mut Row<'_>, leak: &FleetLeak) {
    let t = row.tokens;
    let below = match &*leak.class {
        "" => leak.fingerprint.to_string(),
        class => class.to_owned(),
    };
    let cut = two_lines(row, LEAK, &leak.name, &below);
    if cut {
        row.hover_in(LEAK, || format!("{}\n{}", leak.name, leak.class));
    }
    row.text(PROGRAM, &*leak.app, fonts::text(), t.text);
    row.text(CHANGE, title(leak.change.word()), fonts::medium(), color(leak.change, t));
    row.number(DUMPS, Count(leak.dumps.part).to_string());
    row.number(SHARE, leak.dumps.to_string());
    let versions = if leak.versions.0 == leak.versions.1 {
        leak.versions.0.to_string()
    } else {
        format!("{} – {}", leak.versions.0, leak.versions.1)
    };
    row.text(VERSIONS, versions.clone(), fonts::text(), t.muted);
    row.size(MEAN, leak.mean);
    row.size(TOTAL, leak.total);
    trend_ui(row, leak);
    let (dumps, mean) = (Count(leak.dumps.part).of("dump", "dumps"), leak.mean);
    row.name(format!("{}, {}, {dumps}, {mean}, {versions}, {}", leak.name, leak.app, leak.change.word()));
}

/// Two lines in a cell; true if one is cut.
fn two_lines(row: &Row<'_>, column: usize, first: &str, second: &str) -> bool {
    let Some(cell) = row.cell(column) else { return false };
    let t = row.tokens;
    let elided_text = |text: &str, font, color| elided(row.ui, text.to_owned(), font, color, cell.width());
    let (first, second) = (elided_text(first, fonts::medium(), t.text), elided_text(second, fonts::small(), t.muted));
    let cut = first.elided || second.elided;
    two_lines_ui(row.ui, cell, (first, t.text), (second, t.muted));
    cut
}

/// Sizes over the versions as a line.
fn trend_ui(row: &mut Row<'_>, leak: &FleetLeak) {
    let Some(cell) = row.cell(TREND) else { return };
    let area = Rect::from_center_size(cell.center(), vec2(cell.width() - 8.0, 22.0));
    let weight =
        |of: &LeakInVersion| Bytes((of.mean.0 as f64 * of.share.part as f64 / of.share.total.max(1) as f64) as u64);
    let sizes: Vec<Bytes> = leak.by_version.iter().map(weight).collect();
    sparkline::paint(row.ui.painter(), area, &sizes, (0, sizes.len().saturating_sub(1)), row.tokens);
    let of = |of: &LeakInVersion| format!("{}: {} in {}", of.version, of.mean, of.share);
    let label = leak.by_version.iter().map(of).collect::<Vec<_>>().join("\n");
    let response = row.ui.interact(cell, Id::unique(("by version", row.index)), Sense::HOVER);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, format!("By version: {label}")));
    row.hover_in(TREND, || label.clone());
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
