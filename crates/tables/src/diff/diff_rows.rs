//! Lists of a comparison.

use heaplens_base::{Name, Named};
use heaplens_session::SideRowKind;

/// Kind of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiffRows {
    /// Owners of added and removed objects.
    Owners,
    /// Classes.
    Classes,
    /// Rows matched by name.
    Side(SideRowKind),
}

/// All lists of a comparison.
impl Named for DiffRows {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(Self::Owners, "owners", "Owners of added and removed objects"),
        Name::new(Self::Classes, "classes", "Classes, matched by name and class loader class"),
        Name::new(Self::Side(SideRowKind::Packages), "packages", "Packages"),
        Name::new(Self::Side(SideRowKind::Loaders), "loaders", "Class loaders, matched by class and name"),
        Name::new(Self::Side(SideRowKind::Threads), "threads", "Threads, matched by name"),
        Name::new(Self::Side(SideRowKind::Strings), "strings", "Duplicate strings"),
        Name::new(Self::Side(SideRowKind::Collections), "collections", "Collections by class"),
        Name::new(Self::Side(SideRowKind::Leaks), "leaks", "Leak suspects, matched by owner"),
        Name::new(
            Self::Side(SideRowKind::Outside),
            "outside",
            "Native memory, open files and sockets by what holds them",
        ),
    ];
}

impl DiffRows {
    /// Title for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Owners => "Owners",
            Self::Classes => "Classes",
            Self::Side(SideRowKind::Packages) => "Packages",
            Self::Side(SideRowKind::Loaders) => "Class loaders",
            Self::Side(SideRowKind::Threads) => "Threads",
            Self::Side(SideRowKind::Strings) => "Duplicate strings",
            Self::Side(SideRowKind::Collections) => "Collections",
            Self::Side(SideRowKind::Leaks) => "Leaks",
            Self::Side(SideRowKind::Outside) => "Outside the heap",
        }
    }

    /// True if it requires matched objects.
    pub fn needs_matches(self) -> bool {
        matches!(self, Self::Owners | Self::Classes)
    }
}
