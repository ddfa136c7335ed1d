//! Collapsed groups of the list.

use super::Leaks;
use heaplens_tables::leak_list::groups::GroupHead;

impl Leaks {
    /// Numbers of the collapsed groups.
    pub fn folded(&self) -> Vec<u8> {
        GroupHead::numbered().filter(|(_, head)| self.folded.contains(head)).map(|(number, _)| number).collect()
    }

    /// Collapses these groups and no others.
    pub fn put_folded(&mut self, folded: &[u8]) {
        self.folded =
            GroupHead::numbered().filter(|(number, _)| folded.contains(number)).map(|(_, head)| head).collect();
        self.lay_out();
    }
}
