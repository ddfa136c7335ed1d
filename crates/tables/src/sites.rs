//! Allocation sites: a call tree with allocated objects.

use super::{Table, TableError};
use crate::export::columns;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::sites::{Sites as SiteTree, sites};
use heaplens_base::task::Task;
use heaplens_base::units::Share;
use heaplens_core::heap::regions::RegionKind;

const COLUMNS: [Column; 8] = [
    column_with_help("site", "Site", "Number of the row, for use on the command line"),
    column_with_help("frame", "Frame", "Stack frame: method, file and line"),
    columns::DEPTH,
    column_with_help("objects", "Objects", "Objects allocated by this frame and the frames it called"),
    column_with_help("shallow_bytes", "Shallow size", "Shallow size of those objects"),
    columns::SHARE_OF_SHALLOW,
    column_with_help("own_objects", "Self objects", "Objects allocated by this frame itself"),
    column_with_help("own_shallow_bytes", "Self size", "Shallow size of the objects allocated by this frame itself"),
];
/// Columns of Android heaps, after the others: bytes in each.
const REGIONS: [Column; 5] = [
    column_with_help("app_bytes", "In app", "Bytes of those objects in the app heap"),
    column_with_help("zygote_bytes", "In zygote", "Bytes of those objects in the zygote heap"),
    column_with_help("image_bytes", "In image", "Bytes of those objects in the boot image"),
    column_with_help("default_bytes", "In default", "Bytes of those objects in the default heap"),
    column_with_help("other_bytes", "In other heaps", "Bytes of those objects in other heaps"),
];
const FIRST_REGION: usize = COLUMNS.len();

/// The tree; rows are numbered from 1.
pub struct Sites {
    /// The tree of allocation sites.
    pub found: SiteTree,
    depths: Vec<u32>,
}

impl Sites {
    /// Computes the rows.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn of(from: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        let found = sites(from.heap, from.contents, from.analysis, task)?;
        let depths = found.rows.iter().map(|row| row.depth).collect();
        Ok(Self { found, depths })
    }

    /// Columns available for a dump.
    pub fn all_columns(&self, from: TableContext<'_>) -> Vec<(usize, Column)> {
        COLUMNS.into_iter().enumerate().chain(self.optional_columns(from)).collect()
    }
}

impl Table for Sites {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn optional_columns(&self, from: TableContext<'_>) -> Vec<(usize, Column)> {
        if from.heap.regions().is_none() {
            return Vec::new();
        }
        let has = |at: usize| self.found.rows.iter().any(|row| row.depth == 0 && row.regions[at].0 > 0);
        (0..RegionKind::ALL.len()).filter(|&at| has(at)).map(|at| (FIRST_REGION + at, REGIONS[at])).collect()
    }

    fn column(&self, key: &str) -> Option<usize> {
        COLUMNS.iter().chain(&REGIONS).position(|column| column.key == key)
    }

    fn count(&self) -> usize {
        self.found.rows.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(of) = self.found.rows.get(row) else { return Cell::Nothing };
        match column {
            0 => Cell::Count(row as u64 + 1),
            1 => Cell::Text(of.frame.to_string()),
            2 => Cell::Count(u64::from(of.depth)),
            3 => Cell::Count(of.below.objects),
            4 => Cell::Size(of.below.shallow),
            5 => Cell::Share(Share::of(of.below.shallow, from.analysis.shown.shallow)),
            6 => Cell::Count(of.own.objects),
            7 => Cell::Size(of.own.shallow),
            region => of.regions.get(region - FIRST_REGION).map_or(Cell::Nothing, |&bytes| Cell::Size(bytes)),
        }
    }

    fn passes(&self, _from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.found.rows.get(row).is_some_and(|row| filter.matches(&row.frame))
    }

    fn totals(&self, from: TableContext<'_>, _rows: &[u32]) -> Vec<(&'static str, Cell)> {
        let (known, all) = (self.found.known, from.analysis.shown);
        vec![
            ("objects", Cell::Count(known.objects)),
            ("shallow_bytes", Cell::Size(known.shallow)),
            ("objects_without_site", Cell::Count(all.objects - known.objects)),
        ]
    }

    fn depths(&self) -> Option<&[u32]> {
        Some(&self.depths)
    }
}
