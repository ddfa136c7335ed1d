//! Commands for the target of a row.

use crate::ui::RowCommand;
use heaplens_tables::RowTarget;

/// Command that selects the target: by a click, or as the keyboard cursor moves. A row without an object or class of
/// this dump leaves the panes empty.
pub(super) fn select(target: RowTarget, is_click: bool) -> RowCommand {
    match target {
        RowTarget::Object(object) if is_click => RowCommand::Select(object),
        RowTarget::Object(object) => RowCommand::MoveCursor(object),
        RowTarget::Class(class) if is_click => RowCommand::SelectClass(class),
        RowTarget::Class(class) => RowCommand::MoveCursorToClass(class),
        RowTarget::Group(class) => RowCommand::MoveCursorToGroup(Some(class)),
        RowTarget::BaselineObject(_) | RowTarget::BaselineClass(_) | RowTarget::None => {
            RowCommand::MoveCursorToGroup(None)
        }
    }
}

/// Command for a double click or Enter, if there is a target.
pub(super) fn open(target: RowTarget) -> Option<RowCommand> {
    Some(match target {
        RowTarget::Object(object) => RowCommand::Reveal(object),
        RowTarget::Class(class) => RowCommand::ObjectsOf(class),
        RowTarget::BaselineObject(object) => RowCommand::RevealBefore(object),
        RowTarget::BaselineClass(class) => RowCommand::ObjectsBefore(class),
        RowTarget::Group(_) | RowTarget::None => return None,
    })
}
