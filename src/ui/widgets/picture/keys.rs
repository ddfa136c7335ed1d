//! Keyboard navigation in a chart: up and down between levels, left and right within a level.

use eframe::egui;
use egui::{Key, Modifiers, Ui};

use super::area::{Area, Node};

/// Action of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Select a cell.
    To(usize),
    /// Zoom in to the cell.
    In(usize),
    /// Zoom out by one level.
    Out,
    /// Zoom out to the root.
    Whole,
}

/// Handles the keys of this frame; `at` is the selected cell.
pub(super) fn take(ui: &Ui, nodes: &[Node], areas: &[Area], at: Option<usize>) -> Option<Step> {
    if nodes.is_empty() || ui.ctx().egui_wants_keyboard_input() || egui::Popup::is_any_open(ui.ctx()) {
        return None;
    }
    let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
    if pressed(Key::Backspace) {
        return Some(Step::Out);
    }
    if pressed(Key::Home) {
        return Some(Step::Whole);
    }
    let cell = at.filter(|&at| at < nodes.len()).unwrap_or(0);
    if pressed(Key::Enter) {
        return Some(Step::In(cell));
    }
    let keys = [Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight];
    let key = keys.into_iter().find(|&key| pressed(key))?;
    Some(Step::To(neighbour(nodes, areas, cell, key)))
}

/// The nearest visible cell in a direction, or the cell itself if there is none.
pub(super) fn neighbour(nodes: &[Node], areas: &[Area], cell: usize, key: Key) -> usize {
    let is_seen = |&n: &u32| areas.get(n as usize).is_some_and(Area::is_seen);
    let node = &nodes[cell];
    let level = nodes[node.above as usize].below.clone();
    let answer = match key {
        Key::ArrowUp => Some(node.above),
        Key::ArrowDown => node.below.clone().find(is_seen),
        Key::ArrowLeft if cell > 0 => (level.start..cell as u32).rev().find(is_seen),
        Key::ArrowRight if cell > 0 => (cell as u32 + 1..level.end).find(is_seen),
        _ => None,
    };
    answer.map_or(cell, |answer| answer as usize)
}
