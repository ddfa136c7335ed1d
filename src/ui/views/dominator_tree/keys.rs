//! Keys that fold and unfold: → and ← for a row, `*` for all below it, `-` to fold it again.

use eframe::egui;
use egui::{Event, Key, Modifiers, Ui};

use super::levels::Levels;
use crate::session::jobs::Jobs;
use crate::ui::view_context::Answers;
use crate::ui::widgets::filter::Filter;
use crate::ui::widgets::table::TableState;
use crate::ui::widgets::tree_row::{self, Step};

/// Request for a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// Unfold it, or fold it if it is unfolded.
    Toggle(u64),
    /// Go to it.
    Go(u64),
    /// Unfold all below it.
    Branch(u64),
    /// Fold it, or what it is in.
    Fold(u64),
}

/// Rows that `*` unfolds at most.
const BRANCH: u64 = 2_000;

/// Right unfolds or goes to the first child, left folds or goes to the row above.
pub(super) fn take(ui: &Ui, levels: &Levels, table: &TableState) -> Option<Wish> {
    let row = table.cursor()?;
    if ui.ctx().egui_wants_keyboard_input() {
        return None;
    }
    match tree_row::side_step(ui, &levels.tree, row) {
        Some(Step::Toggle) => return Some(Wish::Toggle(row)),
        Some(Step::To(row)) => return Some(Wish::Go(row)),
        None => {}
    }
    let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
    if pressed(Key::Minus) {
        return Some(Wish::Fold(row));
    }
    // The key of the star differs between keyboard layouts.
    let is_star = |event: &Event| matches!(event, Event::Text(text) if text == "*");
    ui.input_mut(|i| {
        let before = i.events.len();
        i.events.retain(|event| !is_star(event));
        i.events.len() < before
    })
    .then_some(Wish::Branch(row))
}

impl Levels {
    /// Opens a closed row, or closes an open one.
    pub(super) fn toggle(&mut self, answers: &Answers, jobs: &Jobs, row: u64, table: &mut TableState, filter: &Filter) {
        let Some(spot) = self.tree.locate(row) else { return };
        self.stop_branch();
        let cursor = table.cursor().and_then(|c| self.tree.locate(c));
        let Some(node) = spot.open else {
            self.unfold(answers, jobs, (spot.parent, spot.index), filter);
            if let Some(spot) = cursor {
                table.select(Some(self.tree.row_of(spot.parent, spot.index)));
            }
            return;
        };
        let mut below = cursor.map(|spot| spot.parent);
        while let Some(at) = below.filter(|&at| at != node) {
            below = self.tree.above(at).map(|(above, _)| above);
        }
        // Rows below move up; the cursor stays where it is, or goes to the folded row.
        self.tree.close(node);
        match cursor {
            _ if below.is_some() => table.select(Some(row)),
            Some(spot) => table.select(Some(self.tree.row_of(spot.parent, spot.index))),
            None => {}
        }
    }

    /// Folds a row, or the one it is in if it is folded.
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

    /// Unfolds all below a row, up to some thousand rows.
    pub(super) fn branch(&mut self, answers: &Answers, jobs: &Jobs, row: u64, filter: &Filter) {
        let Some(spot) = self.tree.locate(row) else { return };
        let open = spot.open.or_else(|| self.unfold(answers, jobs, (spot.parent, spot.index), filter));
        if let Some(node) = open {
            self.unfold_branch(node, BRANCH);
        }
    }
}
