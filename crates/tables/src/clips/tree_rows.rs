//! Copied rows of the grouped dominator tree; groups are described as on the command line.

use super::name;
use crate::TableContext;
use crate::TableQuery;
use crate::columns::{Condition, Value};
use crate::dump::folded;
use crate::export::copy::{Clip, Row};
use crate::export::written;
use heaplens_analysis::dominator_tree::{Fold, LevelPart, Shared};
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_session::{JobError, OpenDump};

/// A row of the tree.
pub struct TreeRow {
    /// Depth in the tree.
    pub depth: usize,
    /// Its object, or the representative of a group.
    pub object: ObjectId,
    /// Group of objects in the row, if it is not a single object.
    pub fold: Option<Fold>,
    /// Level that has it.
    pub part: LevelPart,
}

impl TreeRow {
    fn row<'a>(&'a self, shared: Option<&'a Shared>) -> folded::Row<'a> {
        folded::Row { object: self.object, fold: self.fold.as_ref(), part: self.part, shared }
    }

    /// Object that the row names: itself, or the first of a chain.
    pub fn id(&self) -> Option<ObjectId> {
        self.row(None).id()
    }
}

/// Columns of the command line, in the order of the window; the number of objects comes last.
const COLUMNS: [(&str, &str); 6] = [
    ("row", "Object"),
    ("retained_bytes", "Retained size"),
    ("share", "Share"),
    ("shallow_bytes", "Shallow size"),
    ("dominated", "Dominated"),
    ("objects", "Objects"),
];

/// Rows of the tree, and the command that prints them.
pub fn tree_rows(
    dump: &OpenDump,
    title: &str,
    rows: &[TreeRow],
    shared: Option<&Shared>,
    request: &TableQuery,
    task: &Task,
) -> Result<Clip, JobError> {
    let context = TableContext::of(dump).with_namer(dump.namer(task)?);
    let has_folds = rows.iter().any(|row| row.fold.is_some());
    let columns = &COLUMNS[..COLUMNS.len() - usize::from(!has_folds)];
    let all = folded::Row::columns(context);
    let of_all = columns.iter().filter_map(|(key, _)| all.iter().find(|column| column.heading.key == *key));
    let figures: Vec<_> = all.iter().filter(|column| matches!(column.heading.when, Condition::Figure(_))).collect();
    let shown: Vec<_> = of_all.chain(figures.iter().copied()).collect();
    let (mut copied, mut json) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
    for tree_row in rows {
        task.checkpoint()?;
        let row = tree_row.row(shared);
        let mut cells: Vec<Value<'static>> =
            shown.iter().map(|column| column.cell(row, context).into_static()).collect();
        if let Some(first) = cells.first_mut() {
            // An object is also identified by its id, a chain by that of its first object.
            *first = Value::text(match (&tree_row.fold, row.id()) {
                (None, _) => name(dump, tree_row.object),
                (Some(_), Some(head)) => format!("{} from {}", row.name(context), dump.heap.id_text(head)),
                (Some(_), None) => row.name(context),
            });
        }
        copied.push(Row { depth: tree_row.depth, cells });
        json.push(written(|out| row.write(context, out)));
    }
    let figures = figures.iter().map(|column| column.heading.title);
    let titles = columns.iter().map(|&(_, title)| title).chain(figures);
    Ok(super::rows(dump, title, request, titles, copied, ("rows", json)))
}
