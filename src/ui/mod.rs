//! The desktop window. Everything in it reads answers and shows them; user input is sent up as a
//! [`command::Command`].
//!
//! - [`app`]: one frame: take answers, draw, apply commands.
//! - [`tab`], [`view_context`], [`view_request`]: an open dump, the data that its views receive, and what a frame
//!   requests of them.
//! - [`command`], [`verb`], [`key_names`], [`location`]: requested actions, the table of all actions, names of their
//!   keys, and the current location.
//! - [`page_kind`], [`fleet`], [`processes`]: pages that belong to no single dump.
//! - [`typed_keys`], [`tooltips`]: which keys are shortcuts, and when tooltips may appear.
//! - [`panes`], [`layout`], [`view_selection`]: side panes, layouts and selections of views.
//! - [`cuts`], [`mod@reference`]: what-if cuts, and the references that they cut.
//! - [`clipboard`], [`exporting`], [`export_content`], [`file_dialog`], [`pictures`]: copies, exported files and what
//!   is in them, selection of files.
//! - [`controllers`]: what all tables and trees of views have in common.
//! - [`views`], [`shell`], [`widgets`], [`theme`]: drawing, from pages to colours.
//! - [`display`], [`screenshot`], [`software_renderer`]: a window on a display, or an image without one.
//!
//! No file imports from one that imports from it: what two need is in a third, below both.

pub mod theme;
pub mod tooltips;
pub mod typed_keys;

pub mod widgets;

pub mod answered_query;
pub mod clipboard;
pub mod command;
pub mod cuts;
pub mod export_content;
pub mod fleet;
pub mod key_names;
pub mod layout;
pub mod location;
pub mod page_kind;
pub mod panes;
pub mod pictures;
pub mod processes;
pub mod reference;
pub mod view_context;
pub mod view_request;
pub mod view_selection;

pub mod controllers;

pub mod shell;
pub mod views;

pub mod app;
pub mod tab;
pub mod verb;

pub mod alert;
pub mod display;
pub mod exporting;
pub mod file_dialog;
pub mod screenshot;
pub mod software_renderer;

pub use self::command::{Command, SelectedBy, Target};
pub use self::location::{DumpKey, Location, View, ViewState};
pub use self::panes::Pane;
pub use self::reference::Reference;
pub use self::verb::Verb;
pub use self::view_context::ViewContext;
pub use self::views::page::ViewPage;
