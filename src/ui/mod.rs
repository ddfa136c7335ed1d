//! The desktop window. Everything in it reads answers and shows them; user input is sent up as a
//! [`command::Command`].
//!
//! - [`app`]: one frame: take answers, draw, apply commands.
//! - [`tab`], [`view_context`], [`label_cache`]: an open dump, the data that its views receive, and cached labels of
//!   rows.
//! - [`command`], [`verb`], [`location`]: requested actions, the table of all actions, and the current location.
//! - [`selection`], [`view_selection`]: selected objects, now and by view.
//! - [`panes`], [`layout`]: side panes and layouts of views, both saved with the session.
//! - [`marks`], [`cuts`], [`verdict_target`]: stars and notes, what-if cuts, targets of verdicts.
//! - [`baseline`], [`over_time`]: comparison with a baseline, and growth over more than two dumps.
//! - [`clipboard`], [`exporting`], [`file_dialog`]: copies, exported files, selection of files.
//! - [`controllers`]: what all tables and trees of views have in common.
//! - [`views`], [`shell`], [`widgets`], [`theme`]: drawing, from pages to colours.
//! - [`display`], [`screenshot`], [`software_renderer`]: a window on a display, or an image without one.

pub mod theme;

pub mod widgets;

pub mod clipboard;
pub mod command;
pub mod cuts;
pub mod export_content;
pub mod layout;
pub mod location;
pub mod panes;
pub mod pictures;
pub mod reference;
pub mod view_context;
pub mod view_selection;

pub mod controllers;

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
