//! Controller of a tree: a table whose rows expand and collapse.

use std::ops::{Deref, DerefMut};

use eframe::egui;
use egui::{Key, Modifiers, Popup, Ui};

use super::table::{Activation, TableController, TableSource};
use crate::ui::ViewContext;
use crate::ui::widgets::TableOutput;
use heaplens_tables::TypedFilter;
use heaplens_tables::trees::row_anchor::RowAnchor;
use heaplens_tables::trees::tree::Tree;

/// Rows that expand and collapse.
pub trait Outline: TableSource {
    /// True if the row is expanded.
    fn is_open(&self, row: u64) -> bool;

    /// Row of the parent.
    fn parent(&self, row: u64) -> Option<u64>;

    /// Expands or collapses a row; the cursor stays on its row.
    fn toggle(&mut self, context: &ViewContext<'_>, table: &mut TableController, row: u64);
}

/// Rows of a [`Tree`].
pub trait TreeSource: TableSource {
    /// Data of an expanded node.
    type Node;

    /// Expanded nodes; `None` while the top level is computed.
    fn tree(&self) -> Option<&Tree<Self::Node>>;

    /// Expands or collapses a row.
    fn toggle_node(&mut self, context: &ViewContext<'_>, filter: &TypedFilter, row: u64);
}

impl<T: TreeSource> Outline for T {
    fn is_open(&self, row: u64) -> bool {
        self.tree().and_then(|tree| tree.locate(row)).is_some_and(|spot| spot.open.is_some())
    }

    fn parent(&self, row: u64) -> Option<u64> {
        let tree = self.tree()?;
        let (above, index) = tree.above(tree.locate(row)?.parent)?;
        Some(tree.row_of(above, index))
    }

    fn toggle(&mut self, context: &ViewContext<'_>, table: &mut TableController, row: u64) {
        let anchor = self.tree().and_then(|tree| RowAnchor::of(tree, table.state.cursor(), Some(row)));
        self.toggle_node(context, &table.filter, row);
        keep(table, self, anchor);
    }
}

/// Puts the cursor on its row after the tree has changed.
fn keep<T: TreeSource>(table: &mut TableController, source: &T, anchor: Option<RowAnchor>) {
    if let Some((anchor, tree)) = anchor.zip(source.tree()) {
        table.state.select(Some(anchor.row(tree)));
    }
}

/// State of a tree that is the same for all views.
#[derive(Default)]
pub struct TreeController(TableController);

impl Deref for TreeController {
    type Target = TableController;

    fn deref(&self) -> &TableController {
        &self.0
    }
}

impl DerefMut for TreeController {
    fn deref_mut(&mut self) -> &mut TableController {
        &mut self.0
    }
}

impl TreeController {
    /// A tree with an initial order.
    pub fn sorted(sort: Option<(usize, bool)>) -> Self {
        Self(TableController::sorted(sort))
    }

    /// Draws the tree and acts on clicks and keys; returns them for what only the view knows.
    pub fn ui<S: Outline>(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, source: &mut S) -> TableOutput {
        let output = self.0.ui(ui, context, source);
        let activated = output.activated.filter(|&row| source.activation(context, row) == Activation::Toggle);
        if let Some(row) = output.toggled.or(activated) {
            source.toggle(context, &mut self.0, row);
        }
        output
    }

    /// Acts on the side keys: right expands a row or goes to its first child, left collapses it or goes to its parent.
    /// Returns the row to which the cursor has moved.
    pub fn side_keys<S: Outline>(&mut self, ui: &Ui, context: &mut ViewContext<'_>, source: &mut S) -> Option<u64> {
        let row = self.0.state.cursor().filter(|&row| row < source.count())?;
        if ui.ctx().egui_wants_keyboard_input() || Popup::is_any_open(ui.ctx()) {
            return None;
        }
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let to = match (pressed(Key::ArrowRight), pressed(Key::ArrowLeft), source.is_open(row)) {
            (true, _, true) => row + 1,
            (true, _, false) | (_, true, true) => {
                source.toggle(context, &mut self.0, row);
                return None;
            }
            (_, true, false) => source.parent(row)?,
            (false, false, _) => return None,
        };
        self.0.go(context, source, to).then_some(to)
    }

    /// Changes the tree by `change`; the cursor stays on its row if it returns true.
    pub fn change<S: TreeSource>(&mut self, source: &mut S, change: impl FnOnce(&mut S) -> bool) {
        let anchor = source.tree().and_then(|tree| RowAnchor::of(tree, self.0.state.cursor(), None));
        if change(source) {
            keep(&mut self.0, source, anchor);
        }
    }
}
