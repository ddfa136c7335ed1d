//! Rows with a target: one cursor moves over all rows of the page, across cards.

use std::hash::{DefaultHasher, Hash, Hasher};

use eframe::egui::{self, Rect, Response, Role, Sense, Ui, vec2};

use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::widgets::fitting::fitted;
use crate::ui::widgets::{bar, elided, object_menu};
use heaplens_analysis::overview::Target;
use heaplens_base::{Bytes, Share};
use heaplens_tables::export::printable::shortened;
use heaplens_tables::reports::elide::UsualCut;
use heaplens_tables::story::Lead;

/// Height of a row.
pub(super) const ROW: f32 = 27.0;
/// Width of the colour mark of a row, in points.
const MARK: f32 = 16.0;
/// Maximum number of characters of a name that are laid out.
const CHARACTERS: usize = 300;

/// The cursor, and the rows of the current frame.
#[derive(Default)]
pub(super) struct Rows {
    cursor: usize,
    /// Number of rows drawn so far in this frame, and in the previous frame.
    drawn: usize,
    count: usize,
    /// Hashes of the names of the rows drawn so far in this frame, and that of the row at the cursor: rows that are added
    /// above it as they are known do not move the cursor to another row.
    names: Vec<u64>,
    anchor: Option<u64>,
    /// True if a key moved the cursor: its row is scrolled into view.
    moved: bool,
    enter: bool,
    chosen: Option<Lead>,
}

impl Rows {
    /// Moves the cursor by the number of key presses.
    pub(super) fn step(&mut self, down: usize, up: usize, first: bool, last: bool, enter: bool) {
        let most = self.count.saturating_sub(1);
        let before = self.cursor;
        self.cursor = match (first, last) {
            (true, _) => 0,
            (_, true) => most,
            _ => (self.cursor + down).saturating_sub(up).min(most),
        };
        self.moved |= self.cursor != before;
        self.enter = enter;
    }

    pub(super) fn begin(&mut self) {
        self.drawn = 0;
        self.names.clear();
        self.chosen = None;
    }

    /// What the activated row leads to, if any.
    pub(super) fn end(&mut self) -> Option<Lead> {
        self.count = self.drawn;
        // The first row is the answer of the page: a cursor that was not moved stays there.
        if self.cursor > 0 && !self.moved && self.names.get(self.cursor) != self.anchor.as_ref() {
            let row = self.names.iter().position(|name| Some(name) == self.anchor.as_ref());
            self.cursor = row.unwrap_or(self.cursor).min(self.count.saturating_sub(1));
        }
        self.anchor = self.names.get(self.cursor).copied();
        (self.moved, self.enter) = (false, false);
        self.chosen.take()
    }

    pub(super) fn choose(&mut self, target: Target) {
        self.chosen = Some(Lead::View(target));
    }

    /// Adds the next row in `rect`, with `name` for screen readers; true if it is highlighted.
    pub(super) fn add_row(&mut self, ui: &Ui, rect: Rect, name: &str, lead: &Lead) -> (Response, bool) {
        let at = self.drawn;
        self.drawn += 1;
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let hash = hasher.finish();
        self.names.push(hash);
        let response = ui.interact(rect, egui::Id::unique(("row of the overview", at)), Sense::CLICK);
        let is_cursor = at == self.cursor;
        let role = if *lead == Lead::Nothing { Role::ListItem } else { Role::Button };
        response.widget_info(|| egui::WidgetInfo::selected(role, true, is_cursor, name));
        if is_cursor && self.moved {
            // For the first row, scroll to the top of the page.
            let above = if at == 0 { 400.0 } else { 40.0 };
            let seen = Rect::from_min_max(rect.min - vec2(0.0, above), rect.max + vec2(0.0, 40.0));
            ui.scroll_to_rect(seen, None);
        }
        if response.clicked() || response.secondary_clicked() {
            (self.cursor, self.anchor) = (at, Some(hash));
        }
        if response.clicked() || is_cursor && self.enter {
            self.chosen = Some(lead.clone());
        }
        if response.hovered() && *lead != Lead::Nothing {
            ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        let stands_out = is_cursor || response.has_focus();
        (response, stands_out)
    }

    /// True if the cursor is on the row placed last.
    pub(super) fn was_at_cursor(&self) -> bool {
        self.drawn == self.cursor + 1
    }

    /// Draws a row of a card: name, secondary text, bar, figure.
    pub(super) fn row_ui(&mut self, ui: &mut Ui, row: &Row<'_>) {
        let t = tokens(ui);
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::HOVER);
        let back = rect.expand2(vec2(8.0, 0.0));
        let figure = row.bytes.map_or_else(String::new, |bytes| bytes.to_string());
        let label = [row.name, row.more, &figure].into_iter().filter(|part| !part.is_empty());
        let label = label.collect::<Vec<_>>().join(" ");
        let (response, stands_out) = self.add_row(ui, back, &label, &Lead::View(row.target));
        match row.target {
            Target::Class(class) => object_menu::of_class(&response, class),
            Target::Object(object) | Target::Threads(Some(object)) => object_menu::of(&response, object),
            _ => {}
        }
        let fill = if stands_out { t.selected } else { t.hover };
        if stands_out || response.hovered() {
            ui.painter().rect_filled(back, f32::from(sizes::CORNER), fill);
        }
        let width = 66.0;
        let right = ui.painter().layout_no_wrap(figure, fonts::text(), t.text);
        let y = |height: f32| rect.center().y - height / 2.0;
        ui.painter().galley(egui::pos2(rect.right() - right.size().x, y(right.size().y)), right, t.text);
        let bar_width = (rect.width() * 0.22).clamp(40.0, 96.0);
        let bar_left = rect.right() - width - bar_width;
        if let Some(bytes) = row.bytes {
            let spot = Rect::from_min_size(egui::pos2(bar_left, rect.center().y - 3.0), vec2(bar_width, 6.0));
            bar::paint(ui.painter(), spot, Share::of(bytes, row.total), t);
        }
        let area = bar_left - 12.0 - rect.left() - if row.mark.is_some() { MARK } else { 0.0 };
        let more = elided(ui, line(row.more), fonts::small(), t.faint, (area * 0.45).max(0.0));
        let more_room = if row.more.is_empty() { 0.0 } else { more.size().x + 10.0 };
        let (package, short) = if row.is_class { heaplens_heap::split_class(row.name) } else { ("", row.name) };
        let mut left = rect.left();
        if let Some(color) = row.mark {
            let square = Rect::from_center_size(egui::pos2(left + 4.0, rect.center().y), vec2(8.0, 8.0));
            ui.painter().rect_filled(square, 2.0, color);
            left += MARK;
        }
        let title = ui.painter().layout_no_wrap(line(row.name), fonts::medium(), t.text);
        let cut = title.size().x > area - more_room;
        // In a narrow card, the package is dropped first.
        if !package.is_empty() && !cut {
            let galley = ui.painter().layout_no_wrap(line(package), fonts::text(), t.muted);
            ui.painter().galley(egui::pos2(left, y(galley.size().y)), galley.clone(), t.muted);
            left += galley.size().x;
        }
        let room = (area - more_room - (left - rect.left())).max(20.0);
        let (name, _) = fitted(ui, "overview", (&line(short), UsualCut::Middle), (fonts::medium(), t.text), room);
        left += name.size().x;
        ui.painter().galley(egui::pos2(left - name.size().x, y(name.size().y)), name.clone(), t.text);
        ui.painter().galley(egui::pos2(left + 10.0, y(more.size().y)), more.clone(), t.faint);
        let exact = row.bytes.map(|bytes| format!("\n{} bytes, {}", bytes.exact(), Share::of(bytes, row.total)));
        response.on_hover_text(line(row.name) + " " + &line(row.more) + &exact.unwrap_or_default());
    }
}

/// Contents of a row.
pub(super) struct Row<'a> {
    pub(super) name: &'a str,
    /// True if the name is a class name with its package.
    pub(super) is_class: bool,
    pub(super) more: &'a str,
    pub(super) bytes: Option<Bytes>,
    pub(super) total: Bytes,
    pub(super) target: Target,
    /// Colour in the bar above, if any.
    pub(super) mark: Option<egui::Color32>,
}

/// A text as one line, truncated if it is long.
pub(super) fn line(text: &str) -> String {
    shortened(text, CHARACTERS)
}

#[cfg(test)]
mod tests {
    use super::Rows;

    #[test]
    fn the_cursor_follows_its_row() {
        let mut rows = Rows { cursor: 1, anchor: Some(7), names: vec![5, 6, 7], drawn: 3, ..Rows::default() };
        rows.end();
        assert_eq!((rows.cursor, rows.anchor), (2, Some(7)));
        // A row that is gone leaves the cursor among the others.
        rows.begin();
        (rows.names, rows.drawn) = (vec![5, 6], 2);
        rows.end();
        assert_eq!((rows.cursor, rows.anchor), (1, Some(6)));
        // The answer of the page comes first, when it is known.
        let mut rows = Rows { anchor: Some(5), names: vec![4, 5], drawn: 2, ..Rows::default() };
        rows.end();
        assert_eq!((rows.cursor, rows.anchor), (0, Some(4)));
    }

    #[test]
    fn the_cursor_stays_among_the_rows() {
        let mut rows = Rows { count: 3, ..Rows::default() };
        rows.step(0, 5, false, false, false);
        assert_eq!((rows.cursor, rows.moved), (0, false));
        rows.step(9, 0, false, false, false);
        assert_eq!((rows.cursor, rows.moved), (2, true));
        rows.step(0, 0, true, false, true);
        assert_eq!((rows.cursor, rows.enter), (0, true));
        rows.step(0, 0, false, true, false);
        assert_eq!(rows.cursor, 2);
    }
}
