//! The window. Everything in it reads answers and shows them; what a person
//! wants goes up as a [`command::Command`].
//!
//! - [`app`]: one frame: take answers, draw, apply commands.
//! - [`baseline`]: what a comparison tab has beside its own dump.
//! - [`clipboard`]: what is copied, and whether the desktop has it.
//! - [`command`], [`location`]: the verbs, and where the reader is.
//! - [`tab`], [`view_context`]: one open dump, and what its views are given.
//! - [`selection`], [`view_selection`], [`panes`], [`marks`], [`cuts`]: what is selected, in which view, where the panes stand, what was starred, what is
//!   cut to see what that would free.
//! - [`tab`], [`view_context`], [`label_cache`]: one open dump, what its views are given, what is read for its rows.
//! - [`views`], [`shell`], [`widgets`], [`theme`]: what is drawn, from pages to colours.
//! - [`display`], [`screenshot`], [`software_renderer`]: a window on a display, or a picture without one.

pub mod theme;

pub mod widgets;

pub mod baseline;
pub mod clipboard;
pub mod command;
pub mod cuts;
pub mod label_cache;
pub mod layout;
pub mod location;
pub mod marks;
pub mod over_time;
pub mod panes;
pub mod pictures;
pub mod reference;
pub mod selection;
pub mod verdict_target;
pub mod view_context;
pub mod view_selection;

pub mod shell;
pub mod views;

pub mod app;
pub mod tab;
pub mod verb;

pub mod display;
pub mod exporting;
pub mod file_dialog;
pub mod screenshot;
pub mod software_renderer;
