//! Dumps that have a leak. Enter opens one at the finding.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui;
use egui::{RichText, Ui};

use crate::ui::Command;
use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::widgets::table::{order_after_click, place_of};
use crate::ui::widgets::{Column, Row, Table, TableState, controls, toolbar};
use heaplens_base::{Bytes, Count};
use heaplens_fleet::{DigestRecord, FleetTable};

const COLUMNS: [Column; 6] = [
    Column::words("Dump", "File of the dump; Enter opens it at the leak", 260.0),
    Column::words("Version", "Version of the program", 96.0).fixed(8),
    Column::words("Device", "Host or device", 130.0).fixed(6),
    Column::words("Taken at", "Time of the dump in UTC", 140.0).fixed(5),
    Column::numbers("Objects", "Objects that a fix frees", 92.0, 4),
    Column::numbers("Size", "Bytes that a fix frees", 100.0, 7),
];
const DUMP: usize = place_of(&COLUMNS, "Dump");
const VERSION: usize = place_of(&COLUMNS, "Version");
const DEVICE: usize = place_of(&COLUMNS, "Device");
const TAKEN: usize = place_of(&COLUMNS, "Taken at");
const OBJECTS: usize = place_of(&COLUMNS, "Objects");
const SIZE: usize = place_of(&COLUMNS, "Size");

/// The list.
pub(super) struct DumpsOfLeak {
    name: Arc<str>,
    rows: Vec<DigestRecord>,
    sort: (usize, bool),
    state: TableState,
}

impl DumpsOfLeak {
    /// Dumps of the leak at a place, largest first.
    pub(super) fn new(table: &FleetTable, leak: usize) -> Option<Self> {
        let leak = table.leaks.get(leak)?;
        let rows = table.findings_of(leak).into_iter().cloned().collect();
        let mut dumps = Self { name: Arc::clone(&leak.name), rows, sort: (SIZE, true), state: TableState::default() };
        dumps.sort();
        dumps.state.select_and_show(0);
        Some(dumps)
    }

    /// Row of the cursor.
    pub(super) fn cursor(&self) -> Option<u64> {
        self.state.cursor()
    }

    fn sort(&mut self) {
        let (column, descending) = self.sort;
        self.rows.sort_by(|a, b| {
            let order = match column {
                DUMP => a.dump.cmp(&b.dump),
                VERSION => a.version_order.cmp(&b.version_order),
                DEVICE => a.device.cmp(&b.device),
                TAKEN => a.taken_at.cmp(&b.taken_at),
                OBJECTS => a.objects.cmp(&b.objects),
                _ => a.retained_bytes.cmp(&b.retained_bytes),
            };
            if descending { order.reverse() } else { order }
        });
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
        let table = Table::new("Dumps with the leak", &COLUMNS, self.rows.len() as u64);
        let rows = &self.rows;
        let output = table.active(is_active).sorted(Some(self.sort)).show(ui, &mut self.state, |row| {
            if let Some(record) = rows.get(row.index as usize) {
                draw(row, record);
            }
        });
        if let Some(record) = output.activated.and_then(|row| self.rows.get(row as usize)) {
            let path = record.dump.as_deref().unwrap_or_default();
            let path = PathBuf::from(path.strip_prefix("file:").unwrap_or(path));
            commands.push(Command::OpenFinding(path, record.fingerprint.as_deref().unwrap_or_default().to_owned()));
        }
        if let Some(column) = output.sort {
            self.sort = order_after_click(&COLUMNS, Some(self.sort), column);
            self.sort();
        }
        back
    }
}

fn draw(row: &mut Row<'_>, record: &DigestRecord) {
    let t = row.tokens;
    let text = |text: &Option<Arc<str>>| text.as_deref().unwrap_or("–").to_owned();
    let dump = text(&record.dump);
    // Its end tells dumps apart.
    let short = dump.rsplit(['/', '\\']).take(2).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("/");
    row.text(DUMP, short, fonts::text(), t.text);
    row.hover_in(DUMP, || dump.clone());
    row.text(VERSION, text(&record.version), fonts::text(), t.text);
    row.text(DEVICE, text(&record.device), fonts::text(), t.muted);
    // To the minute: 2026-11-26 12:00.
    let taken = text(&record.taken_at).chars().take(16).collect::<String>().replace('T', " ");
    row.text(TAKEN, taken, fonts::text(), t.muted);
    row.number(OBJECTS, record.objects.map_or_else(|| "–".to_owned(), |objects| Count(objects).to_string()));
    let size = Bytes(record.retained_bytes.unwrap_or(0));
    row.size(SIZE, size);
    row.name(format!("{dump}, {}, {size}", text(&record.version)));
}
