//! Which heaplens this is: the words of `heaplens version`, of the window's help, and of a report of a fault.

/// Name and version: `heaplens 0.1.0`.
pub const SHORT: &str = concat!("heaplens ", env!("CARGO_PKG_VERSION"));

/// Whether the window is part of this program.
const WINDOW: &str = if cfg!(feature = "gui") { "window and command line" } else { "command line only" };

/// What is known of how this program was built: a name and a value each.
pub fn facts() -> impl Iterator<Item = (&'static str, &'static str)> {
    // Empty where `assets/build.rs` found out nothing: without git, and in programs that are not for others.
    let commit = env!("HEAPLENS_COMMIT");
    let commit = if commit.is_empty() { "not recorded" } else { commit };
    [("Commit", commit), ("Built", WINDOW), ("Compiler", env!("HEAPLENS_RUSTC")), ("Target", env!("HEAPLENS_TARGET"))]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
}

/// All of it, a line each.
pub fn long() -> String {
    facts().fold(SHORT.to_owned(), |text, (name, value)| format!("{text}\n{name}: {value}"))
}
