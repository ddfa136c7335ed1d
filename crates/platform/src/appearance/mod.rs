//! Detects a dark or light desktop on Linux, where the window toolkit does not. The settings portal is queried on a
//! thread of its own and monitored; without one, the GTK settings file decides.

#[cfg(all(feature = "desktop", target_os = "linux"))]
mod portal;
mod scheme;
mod settings_file;

pub use scheme::Appearance;
pub use settings_file::of_settings;

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
