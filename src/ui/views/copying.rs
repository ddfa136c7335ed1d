//! Copies requested by the views. Copies are prepared in the background, because names are read from the dump.

use crate::ui::ViewContext;
use heaplens_heap::ObjectId;
use heaplens_tables::{TableQuery, clips};

/// Copies rows of objects, each with its depth in the tree, and the command that prints them.
pub fn objects(context: &mut ViewContext<'_>, title: &str, rows: Vec<(usize, ObjectId)>, request: TableQuery) {
    if rows.is_empty() {
        return;
    }
    let title = title.to_owned();
    context.copy(move |dump, task| clips::objects::objects(dump, &title, &rows, &request, task));
}

/// Copies an object with its contents.
pub fn object(context: &mut ViewContext<'_>, object: ObjectId) {
    context.copy(move |dump, task| clips::object::object_clip(dump, object, task));
}
