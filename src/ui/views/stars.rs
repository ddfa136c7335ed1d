//! The objects of this dump that have a star or a note.

use eframe::egui;
use egui::{Rect, Ui, vec2};

use crate::heap::ids::ObjectId;
use crate::ui::command::Command;
use crate::ui::scene::Scene;
use crate::ui::theme::icons::{self, Icon};
use crate::ui::theme::{fonts, sizes};
use crate::ui::widgets::table::{Column, Table, TableState};
use crate::ui::widgets::waiting;
use crate::units::Share;

const COLUMNS: [Column; 3] = [
    Column::words("Object", "Class, label and id", 230.0).unsorted(),
    Column::words("Note", "What was written about it", 260.0).fixed(7).unsorted(),
    Column::numbers("Retained size", "Bytes that would be freed without the object", 152.0, 8).unsorted(),
];

/// The view.
#[derive(Default)]
pub struct Stars {
    table: TableState,
}

impl Stars {
    /// Draws the view.
    pub fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let answers = scene.answers;
        let marked: Vec<(ObjectId, _)> = scene.marks.in_dump(&answers.identity, &answers.heap).collect();
        let room = ui.available_rect_before_wrap();
        if marked.is_empty() {
            let hint = "Press M on an object to put a star on it, N to write a note";
            waiting::empty_ui(ui, room, Icon::Star, "No stars in this dump", hint);
            return;
        }
        let at = marked.iter().position(|(object, _)| Some(*object) == scene.place.object);
        if let Some(at) = at {
            self.table.select(Some(at as u64));
        }
        let table = Table {
            name: "Starred objects",
            columns: &COLUMNS,
            rows: marked.len() as u64,
            sort: None,
            active: true,
            header: true,
            row_height: sizes::ROW,
        };
        let output = table.show(ui, &mut self.table, |row| {
            let (Some((object, mark)), Some(cell)) = (marked.get(row.index as usize), row.cell(0)) else { return };
            let tokens = row.tokens;
            let icon = if mark.star { Icon::Starred } else { Icon::Star };
            let star = Rect::from_min_size(cell.min, vec2(14.0, cell.height()));
            icons::paint(row.ui.painter(), icon, star, 11.0, if mark.star { tokens.label } else { tokens.faint });
            let name = Rect::from_min_max(cell.min + vec2(22.0, 0.0), cell.max);
            let said = scene.labels.named(&answers.heap, *object, |of| {
                of.paint(row.ui, tokens, name);
                of.plain()
            });
            row.text(1, mark.note.replace('\n', " "), fonts::text(), tokens.muted);
            let retained = answers.analyzed.retained(*object);
            row.size_with_bar(2, retained, Share::of(retained, answers.analyzed.shown.shallow));
            row.object(*object);
            if row.pointer_in(1) && !mark.note.is_empty() {
                row.hover(mark.note.clone());
            }
            row.name(format!("Starred {said}"));
        });
        let at = |row: Option<u64>| row.and_then(|row| marked.get(row as usize)).map(|&(object, _)| object);
        if let Some(object) = at(output.clicked) {
            scene.push(Command::Select(object));
        } else if let Some(object) = at(output.moved) {
            scene.push(Command::Pass(object));
        }
        if let Some(object) = at(output.activated) {
            scene.push(Command::Reveal(object));
        }
    }
}
