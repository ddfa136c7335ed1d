//! The two colour schemes, and their numbers in the settings portal.

/// Colour scheme of the desktop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appearance {
    /// Light text on dark.
    Dark,
    /// Dark text on light.
    Light,
}

impl Appearance {
    /// Meaning of the portal's `color-scheme`; `None` without a preference.
    pub fn of_color_scheme(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::Dark),
            2 => Some(Self::Light),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_portal_counts_from_no_preference() {
        let schemes = [0, 1, 2, 3].map(Appearance::of_color_scheme);
        assert_eq!(schemes, [None, Some(Appearance::Dark), Some(Appearance::Light), None]);
    }
}
