//! Columns of tables as the user arranged them: which are shown, their order and widths, by table and by column title.
//! The window keeps them in its context and in its settings, so that every table of a name looks the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use eframe::egui::{Context, Id};
use serde::{Deserialize, Serialize};

use super::columns::Column;

/// Minimum and maximum width of a column, in points.
pub(super) const MIN_WIDTH: f32 = 44.0;
pub(super) const MAX_WIDTH: f32 = 800.0;

/// Arranged tables, by name.
pub type Arrangements = BTreeMap<String, Arrangement>;

/// Arrangement of the columns of one table; columns have their titles as keys.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Arrangement {
    /// Widths in points.
    widths: BTreeMap<String, f32>,
    /// Columns that the user hid.
    hidden: BTreeSet<String>,
    /// Columns that the user wants to see also where there is little room.
    shown: BTreeSet<String>,
    /// Order of the columns after the one that fills the table; those not named follow in their usual order.
    order: Vec<String>,
}

fn id() -> Id {
    Id::unique("arranged columns")
}

/// All arrangements of the window.
pub fn all(ctx: &Context) -> Arc<Arrangements> {
    ctx.data(|data| data.get_temp(id())).unwrap_or_default()
}

/// Sets all arrangements of the window.
pub fn set_all(ctx: &Context, arrangements: &Arrangements) {
    ctx.data_mut(|data| data.insert_temp(id(), Arc::new(arrangements.clone())));
}

/// Changes the arrangement of a table.
pub(super) fn change(ctx: &Context, table: &str, change: impl FnOnce(&mut Arrangement)) {
    let mut arrangements = all(ctx);
    let all = Arc::make_mut(&mut arrangements);
    let arrangement = all.entry(table.to_owned()).or_default();
    change(arrangement);
    if *arrangement == Arrangement::default() {
        all.remove(table);
    }
    ctx.data_mut(|data| data.insert_temp(id(), arrangements));
}

impl Arrangement {
    /// Width of a column in points.
    pub(super) fn width(&self, column: &Column) -> f32 {
        let set = self.widths.get(column.title).filter(|width| width.is_finite());
        set.map_or(column.width, |width| width.clamp(MIN_WIDTH, MAX_WIDTH))
    }

    /// True if the user set the width of a column.
    pub(super) fn sets_width(&self, column: &Column) -> bool {
        self.widths.contains_key(column.title)
    }

    /// Sets the width of a column; `None` for the usual one.
    pub(super) fn set_width(&mut self, column: &Column, width: Option<f32>) {
        match width {
            Some(width) => drop(self.widths.insert(column.title.to_owned(), width)),
            None => drop(self.widths.remove(column.title)),
        }
    }

    /// True if the user hid a column.
    pub(super) fn hides(&self, column: &Column) -> bool {
        !column.fills && self.hidden.contains(column.title)
    }

    /// True if the user wants to see a column also where there is little room.
    pub(super) fn insists_on(&self, column: &Column) -> bool {
        self.shown.contains(column.title)
    }

    /// Shows or hides a column.
    pub(super) fn show(&mut self, column: &Column, is_shown: bool) {
        let title = column.title.to_owned();
        if is_shown {
            self.hidden.remove(&title);
            self.shown.insert(title);
        } else {
            self.shown.remove(&title);
            self.hidden.insert(title);
        }
    }

    /// Indices of the columns in display order. Columns up to the one that fills the table stay where they are.
    pub(super) fn order(&self, columns: &[Column]) -> Vec<usize> {
        let filling = columns.iter().position(|column| column.fills).unwrap_or(0);
        let mut order: Vec<usize> = (0..columns.len()).collect();
        let area = |at: usize| {
            if at <= filling {
                return (0, at);
            }
            let named = self.order.iter().position(|title| title == columns[at].title);
            named.map_or((2, at), |named| (1, named))
        };
        order.sort_by_key(|&at| area(at));
        order
    }

    /// Moves a column before another one; `None` moves it to the end.
    pub(super) fn put_before(&mut self, columns: &[Column], moved: usize, before: Option<usize>) {
        let mut order = self.order(columns);
        order.retain(|&at| at != moved);
        let to = before.and_then(|before| order.iter().position(|&at| at == before)).unwrap_or(order.len());
        order.insert(to, moved);
        let filling = columns.iter().position(|column| column.fills).unwrap_or(0);
        let movable = order.into_iter().filter(|&at| at > filling);
        self.order = movable.map(|at| columns[at].title.to_owned()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 4] = [
        Column::words("Object", "", 200.0),
        Column::numbers("A", "", 100.0, 3),
        Column::numbers("B", "", 100.0, 1),
        Column::numbers("C", "", 100.0, 2),
    ];

    #[test]
    fn columns_are_moved_and_new_ones_follow() {
        let mut arrangement = Arrangement::default();
        assert_eq!(arrangement.order(&COLUMNS), [0, 1, 2, 3]);
        arrangement.put_before(&COLUMNS, 3, Some(1));
        assert_eq!(arrangement.order(&COLUMNS), [0, 3, 1, 2]);
        arrangement.put_before(&COLUMNS, 3, None);
        assert_eq!(arrangement.order(&COLUMNS), [0, 1, 2, 3]);
        arrangement.put_before(&COLUMNS, 1, None);
        // Nothing moves before the column that names the rows.
        arrangement.put_before(&COLUMNS, 2, Some(0));
        assert_eq!(arrangement.order(&COLUMNS)[0], 0);
        // A comparison adds a column that the user has not seen when arranging.
        let more = [COLUMNS[0], COLUMNS[1], Column::numbers("New", "", 80.0, 4), COLUMNS[2], COLUMNS[3]];
        assert_eq!(*arrangement.order(&more).last().expect("columns"), 2);
    }

    #[test]
    fn stored_widths_that_make_no_sense_are_not_used() {
        let stored = r#"{"widths":{"A":1e9,"B":-3.0},"order":["gone","C"]}"#;
        let arrangement: Arrangement = serde_json::from_str(stored).expect("an arrangement");
        let is = |at: usize, width: f32| (arrangement.width(&COLUMNS[at]) - width).abs() < 0.01;
        assert!(is(1, MAX_WIDTH) && is(2, MIN_WIDTH) && is(3, 100.0));
        assert_eq!(arrangement.order(&COLUMNS), [0, 3, 1, 2]);
    }
}
