//! Charts that a view can show, instead of its table or below it.

use serde::{Deserialize, Serialize};

use heaplens_base::{Name, Named};

/// Kind of chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// Treemap: rectangles inside rectangles.
    Treemap,
    /// Icicle: rows of bars, each below its parent; an upside-down flame graph.
    Icicle,
    /// Sunburst: rings around the root.
    Sunburst,
}

/// Display mode of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Mode {
    /// Table only.
    #[default]
    Table,
    /// Chart only.
    Picture(Kind),
    /// Table with a chart below it.
    Split(Kind),
}

impl Mode {
    /// The chart, if one is shown.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Self::Table => None,
            Self::Picture(kind) | Self::Split(kind) => Some(kind),
        }
    }

    /// True if the table is shown.
    pub fn has_table(self) -> bool {
        !matches!(self, Self::Picture(_))
    }

    /// Next mode in the cycle: the table, then each chart; with a chart below the table, the charts only.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Table => Self::Picture(Kind::Treemap),
            Self::Picture(Kind::Treemap) => Self::Picture(Kind::Icicle),
            Self::Picture(Kind::Icicle) => Self::Picture(Kind::Sunburst),
            Self::Picture(Kind::Sunburst) => Self::Table,
            Self::Split(Kind::Treemap) => Self::Split(Kind::Icicle),
            Self::Split(Kind::Icicle) => Self::Split(Kind::Sunburst),
            Self::Split(Kind::Sunburst) => Self::Split(Kind::Treemap),
        }
    }

    /// The mode with another chart.
    #[must_use]
    pub fn with(self, kind: Kind) -> Self {
        if let Self::Split(_) = self { Self::Split(kind) } else { Self::Picture(kind) }
    }

    /// The mode with or without the table.
    #[must_use]
    pub fn split(self) -> Self {
        match self {
            Self::Table => Self::Split(Kind::Treemap),
            Self::Picture(kind) => Self::Split(kind),
            Self::Split(kind) => Self::Picture(kind),
        }
    }
}

/// The modes of `--picture`.
impl Named for Mode {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(Self::Picture(Kind::Treemap), "treemap", "Treemap: nested rectangles"),
        Name::new(Self::Picture(Kind::Icicle), "icicle", "Icicle chart: bars below their parents"),
        Name::new(Self::Picture(Kind::Sunburst), "sunburst", "Sunburst chart: concentric rings"),
        Name::new(Self::Split(Kind::Treemap), "split", "Table with a treemap below"),
    ];
}
