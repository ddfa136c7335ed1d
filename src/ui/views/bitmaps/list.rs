//! List of bitmaps with a thumbnail in each row.

use eframe::egui::{Rect, Ui, pos2, vec2};

use super::tile::{alike_words, end_of, picture_ui, size_words};
use super::{BitmapActions, Bitmaps, Order};
use crate::ui::ViewContext;
use crate::ui::theme::fonts;
use crate::ui::widgets::{Column, Table as Rows, line_ui};
use heaplens_base::Share;
use heaplens_tables::Bitmaps as Table;
use heaplens_tables::export::printable::one_line;

const COLUMNS: [Column; 6] = [
    Column::words("Owner", "", 230.0)
        .about("Nearest application object or field that holds the bitmap; below it: object id, format and storage"),
    Column::words("Dimensions", "Width × height in pixels", 104.0).fixed(9),
    Column::numbers("Size", "Bytes of the pixel data, in the heap and in native memory", 96.0, 9),
    Column::numbers("Native", "Bytes of the pixel data in native memory, that is, outside the heap", 96.0, 6),
    Column::numbers("Retained size", "", 140.0, 8),
    Column::words("Identical", "", 120.0)
        .about("Number of bitmaps with the same pixels; “possibly”: pixels not recorded, size and format match")
        .fixed(7),
];
/// Height of a row, in points.
const HIGH: f32 = 44.0;
/// Width of the thumbnail, in points.
const PICTURE: f32 = 52.0;

impl Bitmaps {
    pub(super) fn list_ui(
        &mut self,
        ui: &mut Ui,
        context: &mut ViewContext<'_>,
        table: &Table,
        active: bool,
    ) -> BitmapActions {
        let now = ui.ctx().cumulative_pass_nr();
        if std::mem::take(&mut self.bring)
            && let Some(cursor) = self.cursor
        {
            self.table.select_and_show(cursor as u64);
        }
        let rows = Rows::new("Bitmaps", &COLUMNS, self.shown.len() as u64)
            .sorted(ORDER_OF.iter().position(|&of| of == self.order).map(|at| (at, self.order != Order::Owner)))
            .active(active)
            .row_height(HIGH);
        let (shown, pictures) = (&self.shown, &mut self.pictures);
        let total = context.dump.analysis.shown.shallow;
        let output = rows.show(ui, &mut self.table, |row| {
            let Some(&at) = shown.get(row.index as usize) else { return };
            let Some(bitmap) = table.bitmaps_of_heap.bitmaps.get(at) else { return };
            let t = row.tokens;
            let by = one_line(table.owner(at).or(table.name(at)).unwrap_or("No application owner"));
            if let Some(cell) = row.cell(0) {
                let area = Rect::from_min_size(cell.min, vec2(PICTURE, cell.height())).shrink2(vec2(2.0, 4.0));
                picture_ui(row.ui, area, bitmap, pictures.of(bitmap, now));
                let left = cell.left() + PICTURE + 8.0;
                let area =
                    Rect::from_min_max(pos2(left, cell.top()), pos2(cell.right().max(left + 10.0), cell.bottom()));
                let head = end_of(row.ui, &by, &fonts::medium(), t.text, area.width());
                let y = cell.center().y - 9.0 - head.size().y / 2.0;
                row.ui.painter().galley(pos2(left, y), head, t.text);
                let id = context.dump.heap.id_text(bitmap.object);
                let recycled = if bitmap.is_recycled { " · recycled" } else { "" };
                let storage = bitmap.storage.map(|storage| format!(" · {storage}")).unwrap_or_default();
                let config = bitmap.config().map(|config| format!(" · {config}")).unwrap_or_default();
                let below = format!("{id}{config}{storage}{recycled}");
                line_ui(row.ui, area.translate(vec2(0.0, 9.0)), below, fonts::small(), t.faint);
            }
            row.text(1, size_words(bitmap), fonts::text(), t.text);
            row.size(2, bitmap.bytes());
            row.small_size(3, bitmap.native);
            let retained = context.dump.analysis.retained(bitmap.object);
            row.size_with_bar(4, retained, Share::of(retained, total));
            let alike = table.bitmaps_of_heap.alike(bitmap);
            if let Some(alike) = alike {
                row.text(5, alike_words(alike), fonts::text(), if alike.is_certain { t.warn } else { t.muted });
            }
            row.object(bitmap.object);
            let also = alike.map(|alike| format!(", {}", alike_words(alike))).unwrap_or_default();
            row.name(format!("Bitmap {}: {}{also}, owner: {by}", row.index + 1, size_words(bitmap)));
        });
        let at = |row: Option<u64>| row.map(|row| row as usize);
        if let Some(order) = output.sort.and_then(|column| ORDER_OF.get(column).copied()) {
            self.put_order(order);
        }
        BitmapActions {
            clicked: at(output.clicked),
            moved: at(output.moved),
            opened: at(output.activated),
            ..BitmapActions::default()
        }
    }
}

/// Order selected by a click on each column.
const ORDER_OF: [Order; 6] = [Order::Owner, Order::Pixels, Order::Bytes, Order::Bytes, Order::Bytes, Order::Alike];
