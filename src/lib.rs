//! heaplens: a heap dump analyzer with a window and a command line.
//!
//! The engine is in `crates/`. Here are its two users:
//!
//! - [`glossary`]: terms of the field with their definitions, from `docs/glossary.md`.
//! - [`version`]: version, commit and compiler of this program.
//! - [`view`]: views of the window, as menus, manual and command line name them.
//! - [`cli`]: arguments → session → tables → output; the only module that prints.
//! - `ui`: the window, with the feature `gui`.

pub mod glossary;
pub mod version;
pub mod view;

pub mod cli;

#[cfg(feature = "gui")]
pub mod ui;
