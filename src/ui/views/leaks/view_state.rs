//! State of the view: collapsed groups, filter, and scroll position.

use super::Leaks;
use super::android_leaks::AndroidLeakGroup;
use crate::ui::location::ViewState;
use heaplens_analysis::leaks::Group;

/// First group number of Android leaks, after those of findings.
const GONE: u8 = 32;

/// Heading of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupHead {
    /// Android leaks.
    Gone(AndroidLeakGroup),
    /// Findings.
    Group(Group),
}

impl GroupHead {
    /// All groups in list order: leaks first, unreachable objects last.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let held = [AndroidLeakGroup::Application, AndroidLeakGroup::Library].map(Self::Gone);
        held.into_iter().chain(Group::ALL.map(Self::Group)).chain([Self::Gone(AndroidLeakGroup::Unreachable)])
    }

    fn numbered() -> impl Iterator<Item = (u8, Self)> {
        let groups = (0..).zip(Group::ALL.map(Self::Group));
        groups.chain((GONE..).zip(AndroidLeakGroup::ALL.map(Self::Gone)))
    }
}

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

    /// State of the view, for later restoring.
    pub fn view_state(&self) -> ViewState {
        let filter = self.filter.text().to_owned();
        ViewState { filter, sort: None, top: self.table.top(), folded: self.folded(), selected: None }
    }

    /// Restores the state.
    pub fn restore(&mut self, view_state: &ViewState) {
        self.came_back = true;
        self.filter.set(&view_state.filter);
        self.put_folded(&view_state.folded);
        self.table.come_back_to(view_state.top);
    }
}
