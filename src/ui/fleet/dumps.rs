//! Dumps that have a leak. Enter opens one at the finding.

use std::cmp::Reverse;
use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui;
use egui::{RichText, Ui};

use crate::ui::Command;
use crate::ui::theme::{Icon, fonts, sizes, tokens};
use crate::ui::widgets::table::{RecordColumn, Records};
use crate::ui::widgets::{Row, controls, dates, toolbar};
use heaplens_base::{Bytes, Count};
use heaplens_fleet::{DigestRecord, FleetTable};
use heaplens_tables::columns::Value;

const COLUMNS: &[RecordColumn<DigestRecord>] = &[
    RecordColumn::words("dump", ("Dump", "File of the dump; Enter opens it at the leak"), (260.0, 9), |record| {
        text(record.dump.as_ref())
    }),
    RecordColumn::words("version", ("Version", "Version of the program"), (96.0, 8), |record: &DigestRecord| {
        text(record.version.as_ref())
    })
    .ordered_by(|record| text(record.version_order.as_ref())),
    RecordColumn::words("device", ("Device", "Host or device"), (130.0, 6), |record| text(record.device.as_ref())),
    RecordColumn::words("taken_at", ("Taken at", "Time of the dump in UTC"), (140.0, 5), |record| {
        text(record.taken_at.as_ref())
    }),
    RecordColumn::numbers("objects", ("Objects", "Objects that a fix frees"), (92.0, 4), |record| {
        Value::optional(record.objects, Value::Count)
    }),
    RecordColumn::numbers("retained_bytes", ("Size", "Bytes that a fix frees"), (100.0, 7), |record| {
        Value::Bytes(Bytes(record.retained_bytes.unwrap_or(0)))
    }),
];

fn text(text: Option<&Arc<str>>) -> Value<'_> {
    Value::optional(text, |text| Value::text(&**text))
}

/// The list.
pub(super) struct DumpsOfLeak {
    name: Arc<str>,
    rows: Vec<DigestRecord>,
    table: Records<DigestRecord>,
}

impl DumpsOfLeak {
    /// Dumps of the leak at a place, largest first.
    pub(super) fn new(table: &FleetTable, leak: usize) -> Option<Self> {
        let leak = table.leaks.get(leak)?;
        let mut rows: Vec<DigestRecord> = table.findings_of(leak).into_iter().cloned().collect();
        // The order within equal values of another column.
        rows.sort_by_key(|record| Reverse(record.retained_bytes));
        let mut table = Records::new("Dumps with the leak", COLUMNS, Some("retained_bytes"));
        table.order(&rows, |_| true);
        table.state.select_and_show(0);
        Some(Self { name: Arc::clone(&leak.name), rows, table })
    }

    /// Row of the cursor.
    pub(super) fn cursor(&self) -> Option<u64> {
        self.table.state.cursor()
    }

    /// Draws the list; true to go back to the leaks.
    pub(super) fn ui(&mut self, ui: &mut Ui, is_active: bool, commands: &mut Vec<Command>) -> bool {
        let mut back = false;
        toolbar::tools(ui, |ui| {
            let t = tokens(ui);
            back = controls::icon_button(ui, Icon::Back, "Back to the leaks (Esc)", true).clicked();
            ui.add_space(4.0);
            let title = RichText::new(format!("Dumps with {}", self.name)).font(fonts::heading()).color(t.text);
            ui.add(egui::Label::new(title).truncate());
            toolbar::hint(ui, &Count(self.rows.len() as u64).of("dump", "dumps"));
        });
        let output = self.table.ui(ui, &self.rows, (is_active, sizes::ROW), draw);
        if let Some(record) = output.activated.and_then(|row| self.rows.get(self.table.index(row)?)) {
            let path = record.dump.as_deref().unwrap_or_default();
            let path = PathBuf::from(path.strip_prefix("file:").unwrap_or(path));
            commands.push(Command::OpenFinding(path, record.fingerprint.as_deref().unwrap_or_default().to_owned()));
        }
        back
    }
}

/// Draws what is not drawn by its value, and names the row.
fn draw(row: &mut Row<'_>, record: &DigestRecord, key: &str) -> bool {
    let t = row.tokens;
    match key {
        "dump" => {
            let dump = text(record.dump.as_ref()).short();
            // Its end tells dumps apart.
            let end: Vec<&str> = dump.rsplit(['/', '\\']).take(2).collect();
            row.text(key, end.into_iter().rev().collect::<Vec<_>>().join("/"), fonts::text(), t.text);
            row.hover_in(key, || dump.clone());
            let size = Bytes(record.retained_bytes.unwrap_or(0));
            row.name(format!("{dump}, {}, {size}", text(record.version.as_ref()).short()));
        }
        "version" => row.text(key, text(record.version.as_ref()).short(), fonts::text(), t.text),
        "taken_at" => {
            // To the minute: 2026-11-26 12:00.
            let taken = dates::to_minute(&text(record.taken_at.as_ref()).short());
            row.text(key, taken, fonts::text(), t.muted);
        }
        _ => return false,
    }
    true
}
