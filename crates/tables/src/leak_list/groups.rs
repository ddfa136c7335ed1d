//! Groups of the list of leaks.

use super::android_leaks::AndroidLeakGroup;
use heaplens_analysis::leaks::Group;

/// First group number of Android leaks, after those of findings.
const ANDROID_GROUPS: u8 = 32;

/// Heading of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupHead {
    /// Android leaks.
    Gone(AndroidLeakGroup),
    /// Findings.
    Group(Group),
}

impl GroupHead {
    /// All groups in list order: leaks first, unreachable objects last.
    pub fn all() -> impl Iterator<Item = Self> {
        let held = [AndroidLeakGroup::Application, AndroidLeakGroup::Library].map(Self::Gone);
        held.into_iter().chain(Group::ALL.map(Self::Group)).chain([Self::Gone(AndroidLeakGroup::Unreachable)])
    }

    /// All groups with their numbers in a saved state.
    pub fn numbered() -> impl Iterator<Item = (u8, Self)> {
        let groups = (0..).zip(Group::ALL.map(Self::Group));
        groups.chain((ANDROID_GROUPS..).zip(AndroidLeakGroup::ALL.map(Self::Gone)))
    }
}
