//! Version information for `heaplens version`, the About window, and crash reports.

use heaplens_tables::export::identity::HEAPLENS;

/// Text that tells whether the window is included.
const WINDOW: &str = if cfg!(feature = "gui") { "window and command line" } else { "command line only" };

/// Build information as names and values.
pub fn facts() -> impl Iterator<Item = (&'static str, &'static str)> {
    // Empty if `assets/build.rs` could not determine it: without git, and in development builds.
    let commit = env!("HEAPLENS_COMMIT");
    let commit = if commit.is_empty() { "not recorded" } else { commit };
    [("Commit", commit), ("Built", WINDOW), ("Compiler", env!("HEAPLENS_RUSTC")), ("Target", env!("HEAPLENS_TARGET"))]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
}

/// All version information, one line each.
pub fn long() -> String {
    facts().fold(HEAPLENS.to_owned(), |text, (name, value)| format!("{text}\n{name}: {value}"))
}
