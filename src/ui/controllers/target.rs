//! Commands for the target of a row.

use crate::ui::RowCommand;
use heaplens_tables::RowTarget;

/// Command that selects the target: by a click, or as the keyboard cursor moves. A row without an object or class of
/// this dump leaves the panes empty.
pub(super) fn select(target: RowTarget, is_click: bool) -> RowCommand {
    match target {
        RowTarget::To(object) if is_click => RowCommand::Select(object),
        RowTarget::To(object) => RowCommand::MoveCursor(object),
        RowTarget::ToClass(class) if is_click => RowCommand::SelectClass(class),
        RowTarget::ToClass(class) => RowCommand::MoveCursorToClass(class),
        RowTarget::Group(class) => RowCommand::MoveCursorToGroup(Some(class)),
        RowTarget::Before(_) | RowTarget::ClassBefore(_) | RowTarget::Nowhere => RowCommand::MoveCursorToGroup(None),
    }
}

/// Command for a double click or Enter, if there is a target.
pub(super) fn open(target: RowTarget) -> Option<RowCommand> {
    Some(match target {
        RowTarget::To(object) => RowCommand::Reveal(object),
        RowTarget::ToClass(class) => RowCommand::ObjectsOf(class),
        RowTarget::Before(object) => RowCommand::RevealBefore(object),
        RowTarget::ClassBefore(class) => RowCommand::ObjectsBefore(class),
        RowTarget::Group(_) | RowTarget::Nowhere => return None,
    })
}
