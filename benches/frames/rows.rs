//! Cost of drawing a table and a tree of a hundred million generated rows.

use eframe::egui;
use egui::{Context, Event, Key, Modifiers, Pos2, RawInput, Rect, Vec2};
use heaplens::ui::theme::{sizes, style};
use heaplens::ui::widgets::table::{Column, Row, Table, TableState};
use heaplens_base::{Bytes, Count, Share};
use heaplens_tables::trees::tree::{ROOT, Tree};

use crate::stage::{Cost, Measurement};

/// Rows of the table; children of the node that is open in the tree.
pub(crate) const ROWS: u64 = 100_000_000;
/// Frames per kind of movement.
const FRAMES: usize = 300;

const COLUMNS: [Column; 4] = [
    Column::words("Object", "", 230.0),
    Column::numbers("Retained size", "", 152.0, 8),
    Column::numbers("Share", "", 74.0, 7),
    Column::numbers("Dominated", "", 96.0, 5),
];

/// Prints the cost of frames of both.
pub(crate) fn bench() {
    measure_frames("table", ROWS, |row| {
        let index = row.index;
        draw(row, index, 0);
    });
    let mut tree = Tree::new(1_000, ());
    let wide = tree.open(ROOT, 7, ROWS, ());
    // Some children are expanded too, so that rows must be found among them.
    for child in (0..ROWS).step_by((ROWS / 500) as usize) {
        tree.open(wide, child, 40, ());
    }
    measure_frames("tree", tree.rows(), |row| {
        if let Some(spot) = tree.locate(row.index) {
            draw(row, spot.index, spot.depth);
        }
    });
}

fn draw(row: &mut Row<'_>, index: u64, depth: usize) {
    let size = Bytes(index.wrapping_mul(0x9e37_79b9) % 10_000_000);
    if let Some(cell) = row.cell(0) {
        let at = cell.left_top() + Vec2::new(sizes::INDENT * depth as f32, 5.0);
        let color = row.tokens.text;
        row.ui.painter().text(
            at,
            egui::Align2::LEFT_TOP,
            format!("shop.Session {index:#x}"),
            egui::FontId::default(),
            color,
        );
    }
    row.number_with_bar(1, size.to_string(), Share::of(size, Bytes(10_000_000)));
    row.small_number(2, Share::of(size, Bytes(10_000_000)).to_string());
    row.small_number(3, Count(index % 1_000).to_string());
    row.name(format!("shop.Session {index:#x}"));
}

/// Goes over rows by lines, by pages, to the ends, and by jumps.
fn measure_frames(name: &str, rows: u64, mut draw: impl FnMut(&mut Row<'_>)) {
    let ctx = Context::default();
    style::install(&ctx);
    let mut state = TableState::default();
    let paths: [(&str, Option<[Key; 2]>); 4] = [
        ("line by line", Some([Key::ArrowDown; 2])),
        ("page by page", Some([Key::PageDown; 2])),
        ("end and back", Some([Key::End, Key::Home])),
        ("jumps to anywhere", None),
    ];
    for (path, keys) in paths {
        let mut measurement = Measurement::default();
        for n in 0..FRAMES {
            let mut events = Vec::new();
            match keys {
                Some(keys) => events.extend([true, false].map(|pressed| Event::Key {
                    key: keys[n % 2],
                    physical_key: None,
                    pressed,
                    repeat: false,
                    modifiers: Modifiers::NONE,
                })),
                None => state.show_row((n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) % rows),
            }
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(1440.0, 900.0)));
            let input = RawInput { screen_rect, events, ..RawInput::default() };
            measurement.frames.push(Cost::of(|| {
                let mut output = ctx.run_ui(input, |ui| {
                    let table = Table::new(name, &COLUMNS, rows).sorted(Some((1, true)));
                    table.show(ui, &mut state, &mut draw);
                });
                output.textures_delta.clear();
                let _triangles = ctx.tessellate(std::mem::take(&mut output.shapes), output.pixels_per_point);
            }));
        }
        measurement.print(&format!("{name} of {} rows: {path}", Count(rows)));
    }
}
