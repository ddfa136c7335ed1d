//! The dumps of a folder: open one, or compare several.

use eframe::egui;
use egui::{RichText, Ui};

use crate::ui::Command;
use crate::ui::key_names::in_text;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::widgets::table::{RecordColumn, Records};
use crate::ui::widgets::{Row, dates, toolbar};
use heaplens_base::Count;
use heaplens_session::folder_dumps::FolderDump;
use heaplens_tables::columns::Value;
use heaplens_tables::export::command_line::quoted;

const COLUMNS: &[RecordColumn<FolderDump>] = &[
    RecordColumn::words("dump", ("Dump", "File of the dump; Enter opens it"), (280.0, 9), |dump| {
        Value::text(dump.name.as_str())
    }),
    RecordColumn::numbers("size", ("Size", "Size of the file"), (110.0, 6), |dump| Value::Bytes(dump.size)),
    RecordColumn::words("written", ("Written", "When the file was written last"), (190.0, 5), |dump: &FolderDump| {
        Value::text(written(dump))
    })
    .ordered_by(|dump| Value::optional(dump.modified_at_millis, Value::Count)),
];

/// When a dump was written; empty if it is not known.
fn written(dump: &FolderDump) -> String {
    dates::written(dump.modified_at_millis).unwrap_or_default()
}

/// The list.
pub(super) struct FolderDumps {
    dumps: Vec<FolderDump>,
    table: Records<FolderDump>,
}

impl FolderDumps {
    /// A list of dumps, newest first.
    pub(super) fn new(dumps: Vec<FolderDump>) -> Self {
        let mut table = Records::new("Dumps of the folder", COLUMNS, Some("written"));
        table.order(&dumps, |_| true);
        table.state.pick_rows();
        table.state.select((!dumps.is_empty()).then_some(0));
        Self { dumps, table }
    }

    /// Number of dumps.
    pub(super) fn len(&self) -> usize {
        self.dumps.len()
    }

    /// Row of the cursor.
    pub(super) fn cursor(&self) -> Option<u64> {
        self.table.state.cursor()
    }

    /// Draws the list.
    pub(super) fn ui(&mut self, ui: &mut Ui, is_active: bool, commands: &mut Vec<Command>) {
        let selected = self.table.state.selected();
        let paths = |rows: &[u64]| {
            let of_row = |&row: &u64| self.dumps.get(self.table.index(row)?).map(|dump| dump.path.clone());
            rows.iter().filter_map(of_row).collect::<Vec<_>>()
        };
        toolbar::tools(ui, |ui| {
            let t = tokens(ui);
            ui.label(RichText::new("Dumps").font(fonts::heading()).color(t.text));
            ui.add_space(8.0);
            let open = ui.add_enabled(!selected.is_empty(), egui::Button::new("Open"));
            if open.on_hover_text("Open the selected dump (Enter)").clicked() {
                commands.extend(paths(&selected[..1]).pop().map(|path| Command::Open(vec![path])));
            }
            ui.add_space(4.0);
            let compare = ui.add_enabled(selected.len() > 1, egui::Button::new("Compare"));
            let about =
                "Open the selected dumps and compare the oldest with the newest; Ctrl+click or Shift+↓ selects several";
            let about = in_text(ui.ctx(), about);
            if compare.on_hover_text(&*about).on_disabled_hover_text(&*about).clicked() {
                commands.push(Command::Open(paths(&selected)));
            }
            ui.add_space(4.0);
            let about = "Copy the command that writes digests of these dumps; a folder of digests opens as a fleet";
            if ui.button("Copy command for digests").on_hover_text(about).clicked() {
                let files = self.dumps.iter().map(|dump| quoted(dump.path.as_os_str()));
                let command = format!("heaplens digest {}\n", files.collect::<Vec<_>>().join(" "));
                commands.push(Command::Copy(command, "the command".to_owned()));
            }
            toolbar::hint(ui, &Count(self.dumps.len() as u64).of("dump", "dumps"));
        });
        let output = self.table.ui(ui, &self.dumps, (is_active, sizes::ROW), draw);
        let opened = output.activated.and_then(|row| self.dumps.get(self.table.index(row)?));
        commands.extend(opened.map(|dump| Command::Open(vec![dump.path.clone()])));
    }
}

fn draw(row: &mut Row<'_>, dump: &FolderDump, key: &str) -> bool {
    if key != "dump" {
        return false;
    }
    row.text(key, dump.name.clone(), fonts::medium(), row.tokens.text);
    row.hover_in(key, || dump.path.display().to_string());
    row.name(format!("{}, {}, {}", dump.name, dump.size, written(dump)));
    true
}
