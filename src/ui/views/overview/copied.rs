//! What a row offers besides its link: the text of a copy, and the entries of its menu.

use std::sync::Arc;

use heaplens_analysis::LeakFinding;
use heaplens_session::VerdictTargets;
use heaplens_tables::story::Lead;

/// What a copy of the row at the cursor is.
pub(super) enum Copied {
    /// The finding, as Leaks copies it.
    Finding(Arc<LeakFinding>),
    /// A text.
    Text(String),
}

impl Copied {
    /// What is copied of a row that leads there and reads so.
    pub(super) fn of(lead: &Lead, text: String) -> Self {
        match lead {
            Lead::Finding(finding) => Self::Finding(Arc::clone(finding)),
            _ => Self::Text(text),
        }
    }
}

/// A line with a menu.
#[derive(Clone, Copy)]
pub(super) struct MenuLine<'a> {
    pub(super) lead: &'a Lead,
    /// The text to copy, and the name of the menu entry for that.
    pub(super) text: &'a str,
    pub(super) copy: &'static str,
    /// Target of a verdict; Android leaks only.
    pub(super) about: Option<&'a VerdictTargets>,
}
