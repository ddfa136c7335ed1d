//! Reachable objects of some classes, in the order of the heap.

use std::ops::Range;
use std::sync::Arc;

use crate::relation::RowsError;
use crate::source::QuerySource;
use heaplens_base::Task;
use heaplens_heap::ObjectId;

/// Goes through rows of the heap.
pub(crate) struct OfClasses {
    source: Arc<QuerySource>,
    /// By class, true if its objects are wanted.
    classes: Arc<Vec<bool>>,
    /// Rows of the heap that are not passed.
    left: Range<usize>,
    current: Option<ObjectId>,
    task: Task,
}

impl OfClasses {
    pub(crate) fn new(source: &Arc<QuerySource>, classes: Arc<Vec<bool>>, rows: Range<usize>, task: &Task) -> Self {
        Self { source: Arc::clone(source), classes, left: rows, current: None, task: task.clone() }
    }

    /// Goes to the next object; false after the last.
    pub(crate) fn advance(&mut self) -> Result<bool, RowsError> {
        let rows = self.source.heap().class_column().slices();
        self.current = None;
        for row in self.left.by_ref() {
            self.task.checkpoint_at(row)?;
            let class = rows.get(row).map_or(usize::MAX, |class| class as usize);
            let object = ObjectId::new(row).filter(|_| self.classes.get(class) == Some(&true));
            self.current = object.filter(|&object| self.source.analysis().is_reachable(object));
            if self.current.is_some() {
                break;
            }
        }
        Ok(self.current.is_some())
    }

    /// The object, `None` before the first and after the last.
    pub(crate) fn current(&self) -> Option<ObjectId> {
        self.current
    }

    /// Number of the row: that of the object.
    pub(crate) fn number(&self) -> i64 {
        self.current.map_or(0, |object| i64::from(object.raw()))
    }
}
