//! By what cells are coloured: a plain function from what a cell stands for to
//! a colour of the theme. A name has the same colour in every dump.

use crate::ui::theme::Tokens;
use crate::ui::theme::tokens::{HUES, Hue, LEVELS};

/// By what cells are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourBy {
    /// A colour for a class.
    Class,
    /// A colour for a package.
    Package,
    /// The farther from the top, the cooler.
    Depth,
}

impl ColourBy {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "Class",
            Self::Package => "Package",
            Self::Depth => "Depth",
        }
    }
}

/// The colour of a cell, whichever theme it is drawn in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Paint {
    /// One of the hues.
    Kind(u8),
    /// So many levels from the top.
    Level(u32),
    /// What has no kind.
    Rest,
}

impl Paint {
    /// In the colours of a theme.
    pub(super) fn hue(self, tokens: &Tokens) -> Hue {
        match self {
            Self::Kind(n) => tokens.hues[usize::from(n) % HUES],
            Self::Level(depth) => tokens.ramp[(depth.saturating_sub(1) as usize).min(LEVELS - 1)],
            Self::Rest => tokens.rest,
        }
    }
}

/// One of the hues for a name: always the same (FNV-1a, its bits folded).
pub(super) fn of_name(name: &str) -> Paint {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    Paint::Kind(((hash ^ hash >> 29 ^ hash >> 47) % HUES as u64) as u8)
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
            if let Paint::Kind(n) = of_name(&name) {
                uses[usize::from(n)] += 1;
            }
        }
        assert!(uses.iter().all(|&n| (60..150).contains(&n)), "{uses:?}");
    }
}
