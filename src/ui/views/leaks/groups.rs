//! Groups of the list, and which of them are collapsed.

use super::Leaks;
use super::android_leaks::AndroidLeakGroup;
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
}
