//! The bitmaps as tiles, row by row: only those on screen are laid out and decoded.

use eframe::egui::{self, Key, Modifiers, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::tile::{alike_words, badge, end_of, picture_ui, size_words};
use super::{BitmapActions, Bitmaps, menu_ui};
use crate::ui::ViewContext;
use crate::ui::pictures::Pictures;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::widgets::{controls, elided, object_menu, units};
use heaplens_analysis::android::bitmaps::Bitmap;
use heaplens_tables::Bitmaps as Table;
use heaplens_tables::export::printable::one_line;

/// Minimum width and height of a tile, and height of its preview, in points.
const WIDE: f32 = 172.0;
const HIGH: f32 = 204.0;
const PICTURE: f32 = 128.0;
/// Space between tiles, in points.
const GAP: f32 = 10.0;

impl Bitmaps {
    pub(super) fn gallery_ui(
        &mut self,
        ui: &mut Ui,
        context: &mut ViewContext<'_>,
        table: &Table,
        active: bool,
    ) -> BitmapActions {
        let mut actions = BitmapActions::default();
        let area = ui.available_rect_before_wrap();
        let width = area.width() - 2.0 * sizes::PAD - 8.0;
        let columns = (((width + GAP) / (WIDE + GAP)).floor() as usize).max(1);
        let wide = (width - GAP * (columns - 1) as f32) / columns as f32;
        let rows = self.shown.len().div_ceil(columns);
        self.keys(ui, active, columns, area.height(), &mut actions);
        let bring = std::mem::take(&mut self.bring);
        let now = ui.ctx().cumulative_pass_nr();
        let scroll = ScrollArea::vertical().id_salt("gallery").auto_shrink(false);
        scroll.show_viewport(ui, |ui, viewport| {
            let origin = ui.max_rect().min + vec2(sizes::PAD, sizes::PAD);
            ui.set_height(rows as f32 * (HIGH + GAP) + 2.0 * sizes::PAD);
            let tile_rect = |nth: usize| {
                let (row, column) = (nth / columns, nth % columns);
                let min = origin + vec2(column as f32 * (wide + GAP), row as f32 * (HIGH + GAP));
                Rect::from_min_size(min, vec2(wide, HIGH))
            };
            if let Some(nth) = bring.then_some(self.cursor).flatten() {
                ui.scroll_to_rect(tile_rect(nth).expand(GAP), None);
            }
            let first = ((viewport.top() - sizes::PAD) / (HIGH + GAP)).floor().max(0.0) as usize;
            let end = ((viewport.bottom() / (HIGH + GAP)).ceil().max(0.0) as usize).min(rows);
            for nth in first * columns..(end * columns).min(self.shown.len()) {
                let row = self.shown[nth];
                let Some(bitmap) = table.bitmaps_of_heap.bitmaps.get(row) else { continue };
                let is_chosen = self.cursor == Some(nth);
                let tile = Tile { nth, row, bitmap, is_chosen, now };
                tile.ui(ui, context, table, &mut self.pictures, tile_rect(nth), &mut actions);
            }
        });
        actions
    }

    fn keys(&mut self, ui: &Ui, active: bool, columns: usize, high: f32, actions: &mut BitmapActions) {
        let last = self.shown.len().saturating_sub(1);
        if !active || self.shown.is_empty() {
            return;
        }
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let page = columns * ((high / (HIGH + GAP)) as usize).max(1);
        let at = self.cursor.unwrap_or(0);
        let to = match () {
            () if pressed(Key::ArrowRight) => at + 1,
            () if pressed(Key::ArrowLeft) => at.saturating_sub(1),
            () if pressed(Key::ArrowDown) && at + columns <= last => at + columns,
            () if pressed(Key::ArrowUp) && at >= columns => at - columns,
            () if pressed(Key::PageDown) => at + page,
            () if pressed(Key::PageUp) => at.saturating_sub(page),
            () if pressed(Key::Home) => 0,
            () if pressed(Key::End) => last,
            () => {
                if pressed(Key::Enter) {
                    actions.opened = self.cursor;
                }
                return;
            }
        };
        let to = to.min(last);
        self.bring = true;
        if Some(to) != self.cursor {
            actions.moved = Some(to);
        }
    }
}

/// A visible tile.
struct Tile<'a> {
    nth: usize,
    row: usize,
    bitmap: &'a Bitmap,
    is_chosen: bool,
    now: u64,
}

impl Tile<'_> {
    fn ui(
        &self,
        ui: &mut Ui,
        context: &mut ViewContext<'_>,
        table: &Table,
        pictures: &mut Pictures,
        rect: Rect,
        actions: &mut BitmapActions,
    ) {
        let Self { nth, row, bitmap, is_chosen, now } = *self;
        let t = tokens(ui);
        let response = ui.interact(rect, egui::Id::unique(("bitmap", nth)), Sense::click());
        let fill = match (is_chosen, response.hovered()) {
            (true, _) => t.selected,
            (false, true) => t.hover,
            (false, false) => t.panel,
        };
        let line = if is_chosen { (1.5, t.accent) } else { (1.0, t.border) };
        ui.painter().rect(rect, f32::from(sizes::CORNER), fill, line, egui::StrokeKind::Inside);
        let above = Rect::from_min_size(rect.min, vec2(rect.width(), PICTURE + 8.0)).shrink(8.0);
        picture_ui(ui, above, bitmap, pictures.of(bitmap, now));
        let alike = table.bitmaps_of_heap.alike(bitmap);
        if let Some(alike) = alike {
            let ink = if alike.is_certain { t.warn } else { t.muted };
            badge(ui, pos2(above.left(), above.bottom() - 16.0), &alike_words(alike), ink);
        }
        let (left, width) = (rect.left() + 10.0, rect.width() - 20.0);
        let top = above.bottom() + 8.0;
        let size = elided(ui, size_words(bitmap), fonts::medium(), t.text, width);
        let (end, high) = (left + size.size().x + 8.0, size.size().y);
        ui.painter().galley(pos2(left, top), size, t.text);
        let config = bitmap.config().map(|config| format!(", {config}")).unwrap_or_default();
        let short = bitmap.layout.map(|layout| layout.name().to_owned());
        let short = short.or_else(|| Some(format!("{} B per pixel", bitmap.bytes_per_pixel()?))).unwrap_or_default();
        let short = elided(ui, short, fonts::small(), t.faint, (left + width - end).max(1.0));
        ui.painter().galley(pos2(left + width - short.size().x, top + high - short.size().y - 1.0), short, t.faint);
        let bytes = bytes_words(ui, bitmap);
        let galley = elided(ui, bytes.clone(), fonts::small(), t.muted, width);
        ui.painter().galley(pos2(left, top + high + 2.0), galley, t.muted);
        let by = one_line(table.owner(row).or(table.name(row)).unwrap_or("No application owner"));
        let galley = end_of(ui, &by, &fonts::small(), t.faint, width);
        ui.painter().galley(pos2(left, top + high * 2.0 + 1.0), galley, t.faint);
        controls::focus_ring(ui, &response, rect);
        let also = alike.map(|alike| format!(", {}", alike_words(alike))).unwrap_or_default();
        let recycled = match (bitmap.is_recycled, bitmap.pixels) {
            (true, _) => ", recycled",
            (false, None) => ", pixels not recorded",
            (false, Some(_)) => "",
        };
        let label = format!("Bitmap {}: {}{config}, {bytes}{also}{recycled}, owner: {by}", nth + 1, size_words(bitmap));
        response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_chosen, &label));
        if response.secondary_clicked() && !is_chosen {
            actions.clicked = Some(nth);
        }
        response.context_menu(|ui| object_menu::scrolling_ui(ui, |ui| menu_ui(ui, bitmap, actions)));
        if response.clicked() {
            actions.clicked = Some(nth);
            ui.memory_mut(egui::Memory::stop_text_input);
        }
        if response.double_clicked() {
            actions.opened = Some(nth);
        }
        if response.hovered() {
            let id = context.dump.heap.id_text(bitmap.object);
            let name = table.name(row).map(|name| format!("\n{}", one_line(name))).unwrap_or_default();
            response.on_hover_text_at_pointer(format!("{} {id}{name}", size_words(bitmap)));
        }
    }
}

/// `36.9 kB in the heap · 4 kB native`
pub(super) fn bytes_words(ui: &Ui, bitmap: &Bitmap) -> String {
    let written = |bytes| units::written(ui.ctx(), bytes);
    match (bitmap.in_heap.0, bitmap.native.0) {
        (0, 0) => "Size in bytes not recorded".to_owned(),
        (_, 0) => format!("{} in the heap", written(bitmap.in_heap)),
        (0, _) => format!("{} native", written(bitmap.native)),
        _ => format!("{} in the heap · {} native", written(bitmap.in_heap), written(bitmap.native)),
    }
}
