//! Commands for the target of a row.

use crate::ui::command::Command;
use heaplens_tables::row_target::RowTarget;

/// Command that selects the target: by a click, or as the keyboard cursor moves. A row without an object or class of
/// this dump leaves the panes empty.
pub(super) fn select(target: RowTarget, is_click: bool) -> Command {
    match target {
        RowTarget::To(object) if is_click => Command::Select(object),
        RowTarget::To(object) => Command::MoveCursor(object),
        RowTarget::ToClass(class) if is_click => Command::SelectClass(class),
        RowTarget::ToClass(class) => Command::MoveCursorToClass(class),
        RowTarget::Before(_) | RowTarget::ClassBefore(_) | RowTarget::Nowhere => Command::MoveCursorToGroup(None),
    }
}

/// Command for a double click or Enter, if there is a target.
pub(super) fn open(target: RowTarget) -> Option<Command> {
    Some(match target {
        RowTarget::To(object) => Command::Reveal(object),
        RowTarget::ToClass(class) => Command::ObjectsOf(class),
        RowTarget::Before(object) => Command::RevealBefore(object),
        RowTarget::ClassBefore(class) => Command::ObjectsBefore(class),
        RowTarget::Nowhere => return None,
    })
}
