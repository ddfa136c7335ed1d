//! The table is exact at any number of rows.

use eframe::egui;
use egui::{Pos2, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use super::arrangement::Arrangement;
use super::{Column, Table, TableState};
use crate::ui::theme::{sizes, style};

const COLUMNS: [Column; 2] = [Column::words("Row", "", 100.0), Column::numbers("Number", "", 100.0, 1)];
const SIZE: Vec2 = vec2(600.0, 430.0);

struct Shown {
    state: TableState,
    rows: u64,
    /// Row and upper edge of each drawn row.
    drawn: Vec<(u64, f32)>,
    moved: Option<u64>,
}

fn harness(rows: u64) -> Harness<'static, Shown> {
    let shown = Shown { state: TableState::default(), rows, drawn: Vec::new(), moved: None };
    let draw = |ui: &mut egui::Ui, shown: &mut Shown| {
        style::install(ui.ctx());
        let table = Table::new("Rows", &COLUMNS, shown.rows).sorted(Some((0, false)));
        let (drawn, state) = (&mut shown.drawn, &mut shown.state);
        drawn.clear();
        let output = table.show(ui, state, |row| {
            drawn.push((row.index, row.rect.top()));
            row.number(1, row.index.to_string());
            row.name(format!("Row number {}", row.index));
        });
        shown.moved = output.moved.or(shown.moved);
    };
    Harness::builder().with_size(SIZE).build_ui_state(draw, shown)
}

/// Checks that rows have equal distances for any row count.
fn check_rows(shown: &Shown) {
    for pair in shown.drawn.windows(2) {
        assert_eq!(pair[0].0 + 1, pair[1].0);
        assert!((pair[1].1 - pair[0].1 - sizes::ROW).abs() < 0.01, "{pair:?}");
    }
}

#[test]
fn a_wheel_notch_scrolls_a_hundred_million_rows_evenly() {
    let rows = 100_000_000;
    let mut h = harness(rows);
    for start in [0, 12_345_678, 50_000_000, rows - 1_000] {
        h.state_mut().state.show_row(start);
        h.run();
        let before = h.state().state.top();
        h.hover_at(Pos2::new(200.0, 200.0));
        for _ in 0..40 {
            h.event(egui::Event::MouseWheel {
                unit: egui::MouseWheelUnit::Point,
                delta: vec2(0.0, -sizes::ROW),
                phase: egui::TouchPhase::Move,
                modifiers: egui::Modifiers::NONE,
                source: egui::MouseWheelSource::Unknown,
            });
            h.run();
            check_rows(h.state());
        }
        let moved = h.state().state.top() - before;
        assert!((moved - 40.0).abs() < 0.01, "{moved} rows from {start}");
    }
}

#[test]
fn the_last_of_a_billion_rows_is_at_the_bottom() {
    let rows = 1_000_000_000;
    let mut h = harness(rows);
    h.key_press(egui::Key::End);
    h.run();
    h.run();
    assert_eq!(h.state().moved, Some(rows - 1));
    let (last, top) = h.state().drawn.last().copied().expect("rows");
    assert_eq!(last, rows - 1);
    let screen = h.ctx.content_rect().bottom();
    assert!((top + sizes::ROW - screen).abs() < 12.0, "{top} {screen}");
    check_rows(h.state());
    h.key_press(egui::Key::ArrowUp);
    h.run();
    assert_eq!(h.state().moved, Some(rows - 2));
    h.key_press(egui::Key::Home);
    h.run();
    assert_eq!(h.state().moved, Some(0));
    h.key_press(egui::Key::PageDown);
    h.run();
    let page = h.state().moved.expect("moved");
    assert!((10..16).contains(&page), "{page}");
    h.get_by_label("Row number 3");
}

#[test]
fn narrow_tables_leave_out_the_columns_of_the_lowest_rank() {
    let columns = [
        Column::words("Object", "", 200.0),
        Column::numbers("A", "", 100.0, 3),
        Column::numbers("B", "", 100.0, 1),
        Column::numbers("C", "", 100.0, 2),
    ];
    let shown = |available, sort| {
        let spans = super::layout::lay_out(&columns, sort, &Arrangement::default(), available).spans;
        spans.iter().map(Option::is_some).collect::<Vec<_>>()
    };
    assert_eq!(shown(600.0, None), [true, true, true, true]);
    assert_eq!(shown(450.0, None), [true, true, false, true]);
    assert_eq!(shown(350.0, None), [true, true, false, false]);
    assert_eq!(shown(100.0, None), [true, false, false, false]);
    // The column by which the rows are sorted stays as long as any.
    assert_eq!(shown(350.0, Some((2, true))), [true, false, true, false]);
}

#[test]
fn columns_of_words_grow_with_the_table() {
    let columns = [
        Column::words("Object", "", 200.0),
        Column::words("Owner", "", 100.0).fixed(3),
        Column::numbers("Size", "", 100.0, 4),
    ];
    let widths = |available| -> Vec<f32> {
        let spans = super::layout::lay_out(&columns, None, &Arrangement::default(), available).spans;
        spans.into_iter().flatten().map(|(_, width)| width).collect()
    };
    assert_eq!(widths(600.0), [400.0, 100.0, 100.0]);
    let wide = widths(1_600.0);
    assert!(wide[1] > 200.0 && wide[0] > 900.0 && (wide[2] - 100.0).abs() < 0.01, "{wide:?}");
    assert!((wide.iter().sum::<f32>() - 1_600.0).abs() < 0.01, "{wide:?}");
}

#[test]
fn rows_are_picked_one_by_one() {
    let mut state = TableState::default();
    state.fit(9, 9.0);
    state.select(Some(1));
    state.pick(4);
    assert_eq!(state.selected(), [1, 4]);
    assert!(state.is_selected(1) && !state.is_selected(2) && state.is_selected(4));
    state.pick(1);
    assert_eq!((state.selected(), state.cursor()), (vec![4], Some(1)));
    state.move_cursor(5, false);
    assert_eq!(state.selected(), [5]);
}
