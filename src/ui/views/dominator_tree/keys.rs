//! Keys that expand and collapse: → and ← for a row, `*` for all rows below it, `-` to collapse it again.

use eframe::egui;
use egui::{Event, Key, Modifiers, Ui};

use super::levels::Levels;
use crate::ui::widgets::filter::Filter;
use crate::ui::widgets::table::TableState;
use crate::ui::widgets::tree_row::{self, Step};
use heaplens_session::jobs::Jobs;
use heaplens_session::open_dump::OpenDump;

/// Request for a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowAction {
    /// Expand or collapse the row.
    Toggle(u64),
    /// Go to the row.
    Go(u64),
    /// Expand all rows below it.
    Branch(u64),
    /// Collapse it, or its parent.
    Fold(u64),
}

/// Maximum number of rows that `*` expands.
const BRANCH: u64 = 2_000;

/// Right expands or goes to the first child, left collapses or goes to the parent.
pub(super) fn take(ui: &Ui, levels: &Levels, table: &TableState) -> Option<RowAction> {
    let row = table.cursor()?;
    if ui.ctx().egui_wants_keyboard_input() {
        return None;
    }
    match tree_row::side_step(ui, &levels.tree, row) {
        Some(Step::Toggle) => return Some(RowAction::Toggle(row)),
        Some(Step::To(row)) => return Some(RowAction::Go(row)),
        None => {}
    }
    let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
    if pressed(Key::Minus) {
        return Some(RowAction::Fold(row));
    }
    // The key of the star differs between keyboard layouts.
    let is_star = |event: &Event| matches!(event, Event::Text(text) if text == "*");
    ui.input_mut(|i| {
        let before = i.events.len();
        i.events.retain(|event| !is_star(event));
        i.events.len() < before
    })
    .then_some(RowAction::Branch(row))
}

impl Levels {
    /// Expands or collapses a row.
    pub(super) fn toggle(&mut self, dump: &OpenDump, jobs: &Jobs, row: u64, table: &mut TableState, filter: &Filter) {
        let Some(spot) = self.tree.locate(row) else { return };
        self.stop_branch();
        let cursor = table.cursor().and_then(|c| self.tree.locate(c));
        let Some(node) = spot.open else {
            self.unfold(dump, jobs, (spot.parent, spot.index), filter);
            if let Some(spot) = cursor {
                table.select(Some(self.tree.row_of(spot.parent, spot.index)));
            }
            return;
        };
        let mut below = cursor.map(|spot| spot.parent);
        while let Some(at) = below.filter(|&at| at != node) {
            below = self.tree.above(at).map(|(above, _)| above);
        }
        // Rows below move up; the cursor stays, or goes to the collapsed row.
        self.tree.close(node);
        match cursor {
            _ if below.is_some() => table.select(Some(row)),
            Some(spot) => table.select(Some(self.tree.row_of(spot.parent, spot.index))),
            None => {}
        }
    }

    /// Collapses a row, or its parent if it is collapsed.
    pub(super) fn fold(&mut self, row: u64, table: &mut TableState) {
        let Some(spot) = self.tree.locate(row) else { return };
        self.stop_branch();
        if let Some(node) = spot.open {
            self.tree.close(node);
        } else if let Some((above, index)) = self.tree.above(spot.parent) {
            self.tree.close(spot.parent);
            table.select_and_show(self.tree.row_of(above, index));
        }
    }

    /// Expands all rows below a row, up to a few thousand.
    pub(super) fn branch(&mut self, dump: &OpenDump, jobs: &Jobs, row: u64, filter: &Filter) {
        let Some(spot) = self.tree.locate(row) else { return };
        let open = spot.open.or_else(|| self.unfold(dump, jobs, (spot.parent, spot.index), filter));
        if let Some(node) = open {
            self.unfold_branch(node, BRANCH);
        }
    }
}
