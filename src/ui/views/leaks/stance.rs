//! How the view stands: which groups are folded, what is filtered, which row is at the upper edge.

use super::Leaks;
use crate::analysis::leaks::Group;
use crate::ui::place::Stance;

impl Leaks {
    /// The groups that are folded, by number.
    pub fn folded(&self) -> Vec<u8> {
        let numbered = (0..).zip(Group::ALL);
        numbered.filter(|(_, group)| self.folded.contains(group)).map(|(number, _)| number).collect()
    }

    /// Folds these groups and no others.
    pub fn put_folded(&mut self, folded: &[u8]) {
        let numbered = (0_u8..).zip(Group::ALL);
        self.folded = numbered.filter(|(number, _)| folded.contains(number)).map(|(_, group)| group).collect();
        self.lay_out();
    }

    /// How the view stands.
    pub fn stance(&self) -> Stance {
        let filter = self.filter.text().to_owned();
        Stance { filter, sort: None, top: self.table.top(), folded: self.folded() }
    }

    /// Puts it as it stood.
    pub fn stand(&mut self, stance: &Stance) {
        self.filter.set(&stance.filter);
        self.put_folded(&stance.folded);
        self.table.come_back_to(stance.top);
    }
}
