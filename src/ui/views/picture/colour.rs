//! Colours of cells: a function from the item of a cell to a colour of the theme. A name has the same colour in every
//! dump.

use crate::ui::theme::Tokens;
use crate::ui::theme::tokens::{CHANGES, HUES, Hue, LEVELS};
use heaplens_session::OpenDump;
use heaplens_session::compared_outline::BaselineWeight;

/// Property that determines the colour of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourBy {
    /// Class.
    Class,
    /// Package.
    Package,
    /// Depth: cooler colours for deeper cells.
    Depth,
    /// Change since the baseline.
    Growth,
}

impl ColourBy {
    /// True if a dump supports the colouring: growth needs a comparison.
    pub fn is_known(self, dump: &OpenDump) -> bool {
        self != Self::Growth || dump.baseline.is_some()
    }

    /// Label.
    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "Class",
            Self::Package => "Package",
            Self::Depth => "Depth",
            Self::Growth => "Growth",
        }
    }
}

/// Change of the weight of a cell since the baseline, in the order of `Tokens::change`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WeightChange {
    /// Less than half.
    UnderHalf,
    /// Less, but at least half.
    Shrank,
    /// Less than a hundredth more or less.
    Same,
    /// More, but at most double.
    Grew,
    /// More than double.
    OverDouble,
    /// Absent from the baseline.
    New,
    /// Without a match in the baseline.
    Unknown,
}

impl WeightChange {
    /// Position and label in the legend.
    fn legend(self) -> (u8, &'static str) {
        match self {
            Self::New => (0, "New"),
            Self::OverDouble => (1, "Over double"),
            Self::Grew => (2, "Grew"),
            Self::Same => (3, "Unchanged"),
            Self::Shrank => (4, "Shrank"),
            Self::UnderHalf => (5, "Under half"),
            Self::Unknown => (8, "Ambiguous"),
        }
    }
}

/// Colour of a cell, independent of the theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColourRole {
    /// A hue, by index.
    Kind(u8),
    /// Number of levels below the root.
    Level(u32),
    /// Growth or shrinkage.
    Change(WeightChange),
    /// Removed objects; hatched.
    Gone,
    /// Cells without a kind.
    Rest,
}

impl ColourRole {
    pub(super) fn hue(self, tokens: &Tokens) -> Hue {
        match self {
            Self::Kind(n) => tokens.hues[usize::from(n) % HUES],
            Self::Level(depth) => tokens.ramp[(depth.saturating_sub(1) as usize).min(LEVELS - 1)],
            Self::Change(change) => tokens.change[change as usize % CHANGES],
            Self::Gone => Hue { fill: tokens.surface.lerp_to_gamma(tokens.shrank, 0.07), ink: tokens.text },
            Self::Rest => tokens.rest,
        }
    }

    /// Position and label of a change in the legend: new ones first.
    fn legend(self) -> Option<(u8, &'static str)> {
        match self {
            Self::Change(change) => Some(change.legend()),
            Self::Gone => Some((7, "Removed")),
            _ => None,
        }
    }

    /// Label of a colour of change.
    pub(super) fn label(self) -> Option<&'static str> {
        self.legend().map(|(_, label)| label)
    }

    /// Position in the legend; other colours come last.
    pub(super) fn legend_index(self) -> u8 {
        self.legend().map_or(9, |(index, _)| index)
    }
}

/// Changes below this fraction of a weight count as unchanged: a hundredth.
const NOTHING: u64 = 100;

/// Colour for a weight and its value in the baseline.
pub(super) fn of_change(was: BaselineWeight, now: u64) -> ColourRole {
    match was {
        BaselineWeight::Gone => ColourRole::Gone,
        BaselineWeight::Unknown => ColourRole::Change(WeightChange::Unknown),
        BaselineWeight::Absent => ColourRole::Change(WeightChange::New),
        BaselineWeight::Weighed(then) if now.abs_diff(then) <= then / NOTHING => ColourRole::Change(WeightChange::Same),
        BaselineWeight::Weighed(then) if now / 2 > then => ColourRole::Change(WeightChange::OverDouble),
        BaselineWeight::Weighed(then) if now > then => ColourRole::Change(WeightChange::Grew),
        BaselineWeight::Weighed(then) if now >= then / 2 => ColourRole::Change(WeightChange::Shrank),
        BaselineWeight::Weighed(_) => ColourRole::Change(WeightChange::UnderHalf),
    }
}

/// Hue of a name, always the same (FNV-1a, folded).
pub(super) fn of_name(name: &str) -> ColourRole {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    ColourRole::Kind(((hash ^ hash >> 29 ^ hash >> 47) % HUES as u64) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_colours_and_use_all_of_them() {
        let mut uses = [0_u32; HUES];
        for n in 0..800 {
            let name = format!("shop.model.Thing{n}");
            assert_eq!(of_name(&name), of_name(&name.clone()));
            if let ColourRole::Kind(n) = of_name(&name) {
                uses[usize::from(n)] += 1;
            }
        }
        assert!(uses.iter().all(|&n| (60..150).contains(&n)), "{uses:?}");
    }
}
