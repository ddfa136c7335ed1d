//! Columns of a table: visibility, widths, and the header that sorts and resizes them.

use eframe::egui;
use egui::{CursorIcon, Id, Rect, Role, Sense, Ui, pos2, vec2};

use super::state::WIDTHS;
use super::{Table, TableOutput, TableState};
use crate::ui::theme::icons::{self, Icon};
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::{controls, definition};
use heaplens_tables::ColumnInfo;
use heaplens_tables::declared::is_same;
use heaplens_tables::heading::Heading;

/// Alignment of the texts of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Key of the command line's table to sort by; empty if only the window has the column.
    pub key: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Definition for the tooltip of the header; empty if the title is a term of the glossary.
    pub about: &'static str,
    /// Width in points; the minimum width for the filling column.
    pub width: f32,
    /// Alignment of its texts.
    pub align: Align,
    /// True if a click on the header sorts by it.
    pub sorts: bool,
    /// True if it takes the remaining width; one column does.
    pub fills: bool,
    /// Columns with the lowest rank are hidden first in a narrow window.
    pub rank: u8,
    /// True if this dump has no data for it. It is hidden, and other columns keep their indices.
    pub absent: bool,
}

impl Column {
    /// A column of words that takes the remaining width.
    pub const fn words(title: &'static str, about: &'static str, width: f32) -> Self {
        Self { key: "", title, about, width, align: Align::Left, sorts: true, fills: true, rank: 9, absent: false }
    }

    /// A column of numbers.
    pub const fn numbers(title: &'static str, about: &'static str, width: f32, rank: u8) -> Self {
        Self { key: "", title, about, width, align: Align::Right, sorts: true, fills: false, rank, absent: false }
    }

    /// The first column of a table, which names its rows and takes the remaining width.
    pub const fn naming(column: ColumnInfo, about: &'static str, width: f32) -> Self {
        Self::words(column.heading.title, about, width).key(column.heading.key)
    }

    /// A column as its table declares it.
    pub const fn of(column: ColumnInfo, width: f32, rank: u8) -> Self {
        let Heading { key, title, about, .. } = column.heading;
        if column.kind.is_number() {
            Self::numbers(title, about, width, rank).key(key)
        } else {
            Self::words(title, about, width).fixed(rank).key(key)
        }
    }

    /// The same column with another title, which fits the rows of the window.
    #[must_use]
    pub const fn titled(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    /// The same column with another definition, which fits the rows of the window.
    #[must_use]
    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// The same column, sorted by the command line with this key.
    #[must_use]
    pub const fn key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// The same column with a fixed width.
    #[must_use]
    pub const fn fixed(mut self, rank: u8) -> Self {
        self.fills = false;
        self.rank = rank;
        self
    }

    /// The same column without sorting.
    #[must_use]
    pub const fn unsorted(mut self) -> Self {
        self.sorts = false;
        self
    }
}

/// Index of the column with a title, for constants.
///
/// # Panics
/// If no column has the title: then the program does not compile.
pub const fn place_of(columns: &[Column], title: &str) -> usize {
    let mut at = 0;
    while !is_same(columns[at].title, title) {
        at += 1;
    }
    at
}

/// Left edge and width of each visible column, by column index.
pub(super) struct ColumnLayout {
    pub(super) spans: Vec<Option<(f32, f32)>>,
    pub(super) aligns: Vec<Align>,
}

const MIN_WIDTH: f32 = WIDTHS.0;

/// Computes the position of every column in a table of `available` points.
pub(super) fn lay_out(columns: &[Column], widths: &[Option<f32>], available: f32) -> ColumnLayout {
    let width = |i: usize| widths.get(i).copied().flatten().unwrap_or(columns[i].width);
    let filling = columns.iter().position(|c| c.fills).unwrap_or(0);
    let mut visible: Vec<bool> = columns.iter().map(|column| !column.absent).collect();
    let others =
        |visible: &[bool]| -> Vec<usize> { (0..columns.len()).filter(|&i| i != filling && visible[i]).collect() };
    let rest = |visible: &[bool]| available - others(visible).into_iter().map(width).sum::<f32>();
    let min_width = columns.get(filling).map_or(0.0, |c| c.width);
    while rest(&visible) < min_width {
        let lowest = others(&visible).into_iter().filter(|&i| columns[i].rank < 9).min_by_key(|&i| columns[i].rank);
        match lowest {
            Some(i) => visible[i] = false,
            None => break,
        }
    }
    let mut x = 0.0;
    let first = rest(&visible).max(MIN_WIDTH);
    let spans = (0..columns.len())
        .map(|i| {
            visible[i].then(|| {
                let span = (x, if i == filling { first } else { width(i) });
                x += span.1;
                span
            })
        })
        .collect();
    ColumnLayout { spans, aligns: columns.iter().map(|c| c.align).collect() }
}

pub(super) fn header_ui(
    ui: &Ui,
    id: Id,
    rect: Rect,
    shown: &ColumnLayout,
    table: &Table<'_>,
    state: &mut TableState,
    output: &mut TableOutput,
) {
    let tokens = tokens(ui);
    ui.painter().rect_filled(rect, 0.0, tokens.panel);
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, (1.0, tokens.border));
    for (i, column) in table.columns.iter().enumerate() {
        let Some((x, width)) = shown.spans[i] else { continue };
        let cell = Rect::from_min_size(pos2(rect.left() + x, rect.top()), vec2(width, rect.height()));
        let sense = if column.sorts { Sense::click() } else { Sense::HOVER };
        let response = ui.interact(cell, id.with(("header", i)), sense);
        let sorted = table.sort.filter(|&(by, _)| by == i).map(|(_, descending)| descending);
        response.widget_info(|| {
            let order = match sorted {
                Some(true) => ", descending",
                Some(false) => ", ascending",
                None => "",
            };
            let what = if column.sorts { "Sort by " } else { "" };
            egui::WidgetInfo::labeled(Role::ColumnHeader, true, format!("{what}{}{order}", column.title))
        });
        controls::focus_ring(ui, &response, cell.shrink(2.0));
        let color = if sorted.is_some() || (column.sorts && response.hovered()) { tokens.text } else { tokens.muted };
        let text = ui.painter().layout_no_wrap(column.title.to_owned(), fonts::small_medium(), color);
        let arrow = if sorted.is_some() { 12.0 } else { 0.0 };
        let y = cell.center().y - text.size().y / 2.0;
        let x = match column.align {
            Align::Left => cell.left() + super::row::PAD,
            Align::Right => cell.right() - super::row::PAD - text.size().x,
        };
        let end = x + text.size().x;
        ui.painter().with_clip_rect(cell.intersect(ui.clip_rect())).galley(pos2(x, y), text, color);
        if let Some(descending) = sorted {
            let icon = if descending { Icon::Down } else { Icon::Up };
            let centre = match column.align {
                Align::Left => end + arrow,
                Align::Right => x - arrow + 2.0,
            };
            let icon_rect = Rect::from_center_size(pos2(centre, cell.center().y), vec2(8.0, 8.0));
            icons::paint(ui.painter(), icon, icon_rect, 8.0, tokens.accent);
        }
        if response.clicked() {
            output.sort = Some(i);
        }
        definition::tooltip(response, column.title, column.about);
        if !column.fills {
            let from_left = table.columns[..i].iter().any(|c| c.fills);
            resize_ui(ui, id, cell, i, from_left, state);
        }
    }
}

/// The draggable edge of a column towards the filling column; a double click resets the width.
fn resize_ui(ui: &Ui, id: Id, cell: Rect, column: usize, at_left: bool, state: &mut TableState) {
    let x = if at_left { cell.left() } else { cell.right() };
    let edge = Rect::from_center_size(pos2(x, cell.center().y), vec2(7.0, cell.height()));
    let response = ui.interact(edge, id.with(("edge", column)), Sense::CLICK | Sense::DRAG);
    let tokens = tokens(ui);
    let is_active = response.hovered() || response.dragged();
    let line = if is_active { tokens.accent } else { tokens.border };
    ui.painter().vline(x, (cell.top() + 7.0)..=(cell.bottom() - 7.0), (1.0, line));
    if is_active {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.dragged() || response.double_clicked() {
        if state.widths.len() <= column {
            state.widths.resize(column + 1, None);
        }
        let dragged = response.drag_delta().x * if at_left { -1.0 } else { 1.0 };
        let wider = (cell.width() + dragged).clamp(MIN_WIDTH, WIDTHS.1);
        state.widths[column] = (!response.double_clicked()).then_some(wider);
    }
}
