//! Undo and redo of the list of removals: each change is a list of its own.

use super::removal::RemovalList;

/// Maximum number of lists; the oldest are forgotten first.
const LISTS: usize = 200;

/// The list of removals as it was after each change.
pub(super) struct History {
    /// Lists, oldest first; never empty.
    lists: Vec<RemovalList>,
    /// Index of the current one.
    now: usize,
    /// Number of changes that were made, without undo and redo.
    changes: u64,
}

impl Default for History {
    fn default() -> Self {
        Self { lists: vec![RemovalList::default()], now: 0, changes: 0 }
    }
}

impl History {
    /// The current list.
    pub(super) fn now(&self) -> &RemovalList {
        &self.lists[self.now]
    }

    /// Replaces the current list; what was undone cannot be redone any more. An equal list is no change.
    pub(super) fn put(&mut self, list: RemovalList) {
        if *self.now() == list {
            return;
        }
        self.lists.truncate(self.now + 1);
        self.lists.push(list);
        if self.lists.len() > LISTS {
            self.lists.remove(0);
        }
        self.now = self.lists.len() - 1;
        self.changes += 1;
    }

    /// Number of changes that were made, without undo and redo.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Goes back to the list before the last change, if there is one.
    pub(super) fn undo(&mut self) {
        self.now = self.now.saturating_sub(1);
    }

    /// Goes forward to the list before the last undo, if there is one.
    pub(super) fn redo(&mut self) {
        self.now = (self.now + 1).min(self.lists.len() - 1);
    }

    /// True if there is a list to go back to.
    pub(super) fn can_undo(&self) -> bool {
        self.now > 0
    }

    /// True if there is a list to go forward to.
    pub(super) fn can_redo(&self) -> bool {
        self.now + 1 < self.lists.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::Removal;
    use heaplens_analysis::Cut;
    use heaplens_heap::ObjectId;

    fn list(rows: &[u32]) -> RemovalList {
        let object = |&row| ObjectId::from_raw(row).expect("a row");
        let removal = |cut| Removal { cut, is_on: true, note: String::new(), step: 0 };
        let removals = rows.iter().map(object).map(Cut::Object).map(removal).collect();
        RemovalList { removals, ..RemovalList::default() }
    }

    #[test]
    fn undo_and_redo_go_through_all_lists() {
        let mut history = History::default();
        assert!(!history.can_undo() && !history.can_redo());
        for length in 1..=3_u32 {
            history.put(list(&(0..length).collect::<Vec<_>>()));
        }
        history.put(list(&[0, 1, 2]));
        history.undo();
        history.undo();
        assert_eq!((history.now().removals.len(), history.can_undo(), history.can_redo()), (1, true, true));
        history.redo();
        assert_eq!(history.now().removals.len(), 2);
        history.put(list(&[7]));
        assert!(!history.can_redo());
        history.redo();
        assert_eq!(*history.now(), list(&[7]));
        (0..9).for_each(|_| history.undo());
        assert!(history.now().removals.is_empty() && !history.can_undo());
    }

    #[test]
    fn a_name_is_a_change_to_undo() {
        let mut history = History::default();
        history.put(list(&[1]));
        history.put(RemovalList { name: "bounded cache".into(), ..list(&[1]) });
        history.undo();
        assert_eq!((*history.now() == list(&[1]), history.can_redo()), (true, true));
    }

    #[test]
    fn the_oldest_lists_are_forgotten() {
        let mut history = History::default();
        (1..=LISTS as u32 + 5).for_each(|row| history.put(list(&[row])));
        assert_eq!(history.lists.len(), LISTS);
        (0..LISTS * 2).for_each(|_| history.undo());
        assert_eq!(*history.now(), list(&[6]));
    }
}
