//! Page shown instead of the rows of a table: failed, computing, or empty; and the progress of the job.

use std::borrow::Cow;

use eframe::egui;
use egui::{Rect, Ui, vec2};

use crate::ui::theme::{Icon, sizes};
use crate::ui::widgets::waiting;
use heaplens_base::Progress;

/// Text of a page.
type Text<'a> = Cow<'a, str>;

/// A page instead of rows, and a line for a running job. The default is neither.
#[derive(Default)]
pub struct Placeholder<'a> {
    /// Icon, title and hint.
    page: Option<(Icon, Text<'a>, Text<'a>)>,
    /// True while a job is running.
    is_running: bool,
    /// Progress of the job, if known.
    progress: Option<Progress>,
}

impl<'a> Placeholder<'a> {
    /// The job failed.
    pub fn failed(title: impl Into<Text<'a>>, why: &'a str) -> Self {
        Self::empty(Icon::Warning, title, why)
    }

    /// The first rows are being computed.
    pub fn waiting(title: impl Into<Text<'a>>, hint: &'a str) -> Self {
        Self::empty(Icon::Search, title, hint)
    }

    /// There are no rows.
    pub fn empty(icon: Icon, title: impl Into<Text<'a>>, hint: &'a str) -> Self {
        Self { page: Some((icon, title.into(), hint.into())), ..Self::default() }
    }

    /// No row passes the filter; rows are called `one` and `all`, such as "class" and "classes".
    pub fn unmatched(one: &str, all: &str) -> Self {
        let hint = format!("Clear the filter to see all {all}");
        Self {
            page: Some((Icon::Search, format!("No {one} matches the filter").into(), hint.into())),
            ..Self::default()
        }
    }

    /// Adds a line for a running job.
    #[must_use]
    pub fn with_progress(self, is_running: bool, progress: Option<Progress>) -> Self {
        Self { is_running, progress, ..self }
    }

    /// Draws it over the table in `area`.
    pub fn ui(&self, ui: &Ui, area: Rect) {
        if let Some((icon, title, hint)) = &self.page {
            let below = Rect::from_min_max(area.min + vec2(0.0, sizes::HEADER), area.max);
            waiting::empty_ui(ui, below, *icon, title, hint);
        }
        if self.is_running {
            waiting::progress_ui(ui, area, self.progress.as_ref());
        }
    }
}
