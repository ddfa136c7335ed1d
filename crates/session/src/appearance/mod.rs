//! Detects a dark or light desktop on Linux, where the window toolkit does not. The settings portal is queried on a
//! thread of its own and monitored; without one, the GTK settings file decides.

#[cfg(all(feature = "desktop", target_os = "linux"))]
mod portal;
mod settings_file;

pub use settings_file::of_settings;

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

/// Reports the colour scheme as soon as it is known and whenever it changes. Returns at once.
#[cfg(all(feature = "desktop", target_os = "linux"))]
pub fn watch(tell: impl Fn(Appearance) + Send + 'static) {
    let watching = std::thread::Builder::new().name("appearance".to_owned());
    // Without the thread the default is used: dark.
    let _unwatched = watching.spawn(move || {
        let as_written = || settings_file::read().unwrap_or(Appearance::Dark);
        let tell_scheme = |scheme| tell(Appearance::of_color_scheme(scheme).unwrap_or_else(as_written));
        if portal::watch(tell_scheme).is_err() {
            tell(as_written());
        }
    });
}

/// On other platforms the window toolkit detects it.
#[cfg(not(all(feature = "desktop", target_os = "linux")))]
pub fn watch(_tell: impl Fn(Appearance) + Send + 'static) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_portal_counts_from_no_preference() {
        let schemes = [0, 1, 2, 3].map(Appearance::of_color_scheme);
        assert_eq!(schemes, [None, Some(Appearance::Dark), Some(Appearance::Light), None]);
    }
}
