//! Columns of a table: which are shown, how wide, and the header that sorts
//! and resizes them.

use eframe::egui;
use egui::{CursorIcon, Id, Rect, Role, Sense, Ui, pos2, vec2};

use super::state::WIDTHS;
use super::{Table, TableOutput, TableState};
use crate::ui::theme::icons::{self, Icon};
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::controls;

/// On which side the texts of a column stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// One column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its title.
    pub title: &'static str,
    /// What it means, for the tooltip of the header.
    pub about: &'static str,
    /// Its width; of the column that fills the room the least there must be.
    pub width: f32,
    /// Where its texts stand.
    pub align: Align,
    /// Whether a click on the header sorts by it.
    pub sorts: bool,
    /// Whether it takes the room that is left; one column does.
    pub fills: bool,
    /// In a narrow window columns of the lowest rank go first.
    pub rank: u8,
    /// Whether this dump has nothing for it: the places of the others stay what they are.
    pub absent: bool,
}

impl Column {
    /// The column of words that takes the room that is left.
    pub const fn words(title: &'static str, about: &'static str, width: f32) -> Self {
        Self { title, about, width, align: Align::Left, sorts: true, fills: true, rank: 9, absent: false }
    }

    /// A column of numbers.
    pub const fn numbers(title: &'static str, about: &'static str, width: f32, rank: u8) -> Self {
        Self { title, about, width, align: Align::Right, sorts: true, fills: false, rank, absent: false }
    }

    /// The same column with a width of its own.
    #[must_use]
    pub const fn fixed(mut self, rank: u8) -> Self {
        self.fills = false;
        self.rank = rank;
        self
    }

    /// The same column, that cannot be sorted by.
    #[must_use]
    pub const fn unsorted(mut self) -> Self {
        self.sorts = false;
        self
    }
}

/// Places of the columns that are shown: left edge and width, by column.
pub(super) struct Shown {
    pub(super) places: Vec<Option<(f32, f32)>>,
    pub(super) aligns: Vec<Align>,
}

const LEAST: f32 = WIDTHS.0;

/// Gives every column its place in `room` points.
pub(super) fn lay_out(columns: &[Column], widths: &[Option<f32>], room: f32) -> Shown {
    let width = |i: usize| widths.get(i).copied().flatten().unwrap_or(columns[i].width);
    let filling = columns.iter().position(|c| c.fills).unwrap_or(0);
    let mut kept: Vec<bool> = columns.iter().map(|column| !column.absent).collect();
    let others = |kept: &[bool]| -> Vec<usize> { (0..columns.len()).filter(|&i| i != filling && kept[i]).collect() };
    let rest = |kept: &[bool]| room - others(kept).into_iter().map(width).sum::<f32>();
    let least = columns.get(filling).map_or(0.0, |c| c.width);
    while rest(&kept) < least {
        let lowest = others(&kept).into_iter().filter(|&i| columns[i].rank < 9).min_by_key(|&i| columns[i].rank);
        match lowest {
            Some(i) => kept[i] = false,
            None => break,
        }
    }
    let mut x = 0.0;
    let first = rest(&kept).max(LEAST);
    let places = (0..columns.len())
        .map(|i| {
            kept[i].then(|| {
                let place = (x, if i == filling { first } else { width(i) });
                x += place.1;
                place
            })
        })
        .collect();
    Shown { places, aligns: columns.iter().map(|c| c.align).collect() }
}

pub(super) fn header_ui(
    ui: &Ui,
    id: Id,
    rect: Rect,
    shown: &Shown,
    table: &Table<'_>,
    state: &mut TableState,
    output: &mut TableOutput,
) {
    let tokens = tokens(ui);
    ui.painter().rect_filled(rect, 0.0, tokens.panel);
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, (1.0, tokens.border));
    for (i, column) in table.columns.iter().enumerate() {
        let Some((x, width)) = shown.places[i] else { continue };
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
            let place = Rect::from_center_size(pos2(centre, cell.center().y), vec2(8.0, 8.0));
            icons::paint(ui.painter(), icon, place, 8.0, tokens.accent);
        }
        if response.clicked() {
            output.sort = Some(i);
        }
        if !column.about.is_empty() {
            response.on_hover_text(column.about);
        }
        if !column.fills {
            let from_left = table.columns[..i].iter().any(|c| c.fills);
            resize_ui(ui, id, cell, i, from_left, state);
        }
    }
}

/// The edge of a column towards the one that fills the room, to be dragged; a
/// double click gives the first width back.
fn resize_ui(ui: &Ui, id: Id, cell: Rect, column: usize, at_left: bool, state: &mut TableState) {
    let x = if at_left { cell.left() } else { cell.right() };
    let edge = Rect::from_center_size(pos2(x, cell.center().y), vec2(7.0, cell.height()));
    let response = ui.interact(edge, id.with(("edge", column)), Sense::CLICK | Sense::DRAG);
    let tokens = tokens(ui);
    let hot = response.hovered() || response.dragged();
    let line = if hot { tokens.accent } else { tokens.border };
    ui.painter().vline(x, (cell.top() + 7.0)..=(cell.bottom() - 7.0), (1.0, line));
    if hot {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.dragged() || response.double_clicked() {
        if state.widths.len() <= column {
            state.widths.resize(column + 1, None);
        }
        let dragged = response.drag_delta().x * if at_left { -1.0 } else { 1.0 };
        let wider = (cell.width() + dragged).clamp(LEAST, WIDTHS.1);
        state.widths[column] = (!response.double_clicked()).then_some(wider);
    }
}
