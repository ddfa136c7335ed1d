//! Entries of a collection added and removed since the baseline, by key.

use eframe::egui::{self, Ui};
use heaplens_tables::RowTarget;

use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::widgets::{Column, ObjectName, Row, Table, TableState, toolbar, waiting};
use crate::ui::{Pane, ViewContext};
use heaplens_analysis::diff::Entries;
use heaplens_analysis::diff::entries::Entry;
use heaplens_base::{Count, CountDelta};
use heaplens_heap::{LogicalKind, ObjectId};
use heaplens_tables::export::diff::words;

const COLUMNS: [Column; 3] = [
    Column::words("Key", "Key of the entry; index for lists", 156.0).fixed(9).unsorted(),
    Column::words("Value", "Value of the entry", 100.0).unsorted(),
    Column::numbers("Retained", "Bytes freed if the value were collected", 80.0, 5).unsorted(),
];

/// One line of the list.
enum Line<'a> {
    /// Heading of the added (true) or removed entries, with their number.
    Heading(u64, bool),
    Entry(&'a Entry, bool),
    /// Number of entries that are not listed.
    More(u64),
    /// Entries of both dumps of which nothing tells whether the other one has them.
    NotCompared(String),
}

/// Contents of a line: added entries first, then removed ones.
fn line(entries: &Entries, at: u64) -> Option<Line<'_>> {
    let mut at = at as usize;
    for (list, all, added) in [(&entries.new, entries.added, true), (&entries.removed_entries, entries.removed, false)]
    {
        if all == 0 {
            continue;
        }
        let more = all.saturating_sub(list.len() as u64);
        match at {
            0 => return Some(Line::Heading(all, added)),
            _ if at <= list.len() => return list.get(at - 1).map(|entry| Line::Entry(entry, added)),
            _ if at == list.len() + 1 && more > 0 => return Some(Line::More(more)),
            _ => at -= list.len() + 1 + usize::from(more > 0),
        }
    }
    not_compared(entries).filter(|_| at == 0).map(Line::NotCompared)
}

fn not_compared(entries: &Entries) -> Option<String> {
    words::not_compared(entries.not_compared_before, entries.not_compared_after)
}

fn lines(entries: &Entries) -> u64 {
    let of = |list: &[Entry], all: u64| {
        if all == 0 { 0 } else { 1 + list.len() as u64 + u64::from(all > list.len() as u64) }
    };
    of(&entries.new, entries.added)
        + of(&entries.removed_entries, entries.removed)
        + u64::from(not_compared(entries).is_some())
}

/// Summary of added and removed entries: `1,200 entries, +1,000 −3`.
pub fn summary(entries: &Entries) -> String {
    let what = if entries.kind == LogicalKind::Map { "entries" } else { "elements" };
    let signed = |delta, none: &str| if delta == 0 { none.to_owned() } else { CountDelta(delta).to_string() };
    let added = signed(entries.added.cast_signed(), "+0");
    let removed = signed(-entries.removed.cast_signed(), "−0");
    format!("{} {what}, {added} {removed}", Count(entries.after))
}

/// Draws the list.
pub fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, state: &mut TableState, entries: &Entries) {
    toolbar::tools(ui, |ui| {
        let t = tokens(ui);
        ui.label(egui::RichText::new(summary(entries)).font(fonts::medium()).color(t.text));
        toolbar::hint(ui, &format!("{} in the baseline", Count(entries.before)));
    });
    let area = ui.available_rect_before_wrap();
    let count = lines(entries);
    if count == 0 {
        let hint = "The collection has the same entries in the baseline and in the target";
        return waiting::empty_ui(ui, area, Icon::Check, "No entries added or removed", hint);
    }
    let table = Table::new("Added and removed entries", &COLUMNS, count).active(context.focus == Pane::Inspector);
    let mut go = None;
    let output = table.show(ui, state, |row| {
        let t = row.tokens;
        match line(entries, row.index) {
            Some(Line::Heading(all, added)) => heading(row, all, added),
            Some(Line::Entry(entry, added)) => go = entry_ui(row, context, entry, added).or(go),
            Some(Line::More(more)) => {
                let text = format!("… {} more", Count(more));
                row.text(0, &*text, fonts::text(), t.faint);
                row.name(text);
            }
            Some(Line::NotCompared(text)) => {
                row.text(0, &*text, fonts::text(), t.warn);
                row.name(text);
            }
            None => {}
        }
    });
    let activated = output.activated.and_then(|at| match line(entries, at)? {
        Line::Entry(entry, added) => Some((entry.value?, added)),
        _ => None,
    });
    match go.or(activated) {
        Some((value, true)) => context.select(value),
        // Removed entries exist only in the baseline, so show them there.
        Some((value, false)) => context.open(RowTarget::BaselineObject(value)),
        None => {}
    }
}

fn heading(row: &mut Row<'_>, all: u64, added: bool) {
    let t = row.tokens;
    let (word, color) = if added { ("added", t.grew) } else { ("removed", t.shrank) };
    let text = format!("{} {word}", Count(all));
    row.ui.painter().rect_filled(row.rect, 0.0, t.panel);
    row.text(0, &*text, fonts::medium(), color);
    row.name(text);
}

/// Draws an entry; if it was clicked, returns its value, and true if it was added.
fn entry_ui(row: &mut Row<'_>, context: &mut ViewContext<'_>, entry: &Entry, added: bool) -> Option<(ObjectId, bool)> {
    let t = row.tokens;
    row.text(0, &*entry.key, fonts::mono(), t.field);
    let word = if added { "Added" } else { "Removed" };
    row.name(format!("{word}: {}", entry.key));
    row.hover_in(0, || &*entry.key);
    let (Some(value), Some(cell)) = (entry.value, row.cell(1)) else { return None };
    if added {
        let dump = context.dump;
        row.small_size(2, dump.analysis.retained(value));
        let salt = egui::Id::unique(("new value", row.index));
        let response =
            ObjectName::with(context.labels, &dump.heap, value, |name| name.as_value().link_ui(row.ui, cell, salt));
        crate::ui::widgets::object_menu::of(&response, value);
        return response.clicked().then_some((value, added));
    }
    let (before, _) = context.dump.compared()?;
    row.small_size(2, before.analysis.retained(value));
    let id = before.heap.id_text(value);
    let name = ObjectName { class: &before.heap.class(value).name, label: None, id: &id };
    let response = name.link_ui(row.ui, cell, egui::Id::unique(("gone value", row.index)));
    let response = response.on_hover_text("Removed: click to show it in the baseline");
    response.clicked().then_some((value, added))
}
