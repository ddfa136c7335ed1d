//! Bitmaps of an Android dump: sizes, duplicates and owners.

use super::{Table, TableError, optional};
use crate::export::columns;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::android::bitmaps::{Bitmap, Bitmaps as HeapBitmaps};
use heaplens_analysis::android::pixels::Pixels;
use heaplens_analysis::filter::TextFilter;
use heaplens_base::task::{Task, Unit};

const COLUMNS: [Column; 16] = [
    columns::ID,
    column_with_help("width", "Width", "Width in pixels"),
    column_with_help("height", "Height", "Height in pixels"),
    column_with_help(
        "config",
        "Config",
        "Pixel format (Bitmap.Config), such as ARGB_8888; from Android 8 on derived from the bytes per pixel",
    ),
    column_with_help("java_bytes", "In heap", "Bytes of pixel data in the Java heap (up to Android 7)"),
    column_with_help(
        "native_bytes",
        "Native",
        "Bytes of pixel data in native memory, as registered with the runtime (from Android 8 on)",
    ),
    columns::RETAINED,
    column_with_help("density", "Density", "Screen density the bitmap is made for, in dots per inch"),
    column_with_help("recycled", "Recycled", "\"yes\" if Bitmap.recycle() has freed the pixels"),
    column_with_help("storage", "Storage", "Kind of native pixel memory: wrapped, heap, ashmem or hardware"),
    column_with_help(
        "pixels",
        "Pixels",
        "Form in which the dump contains the pixels: in the heap, or as PNG, JPEG or WebP",
    ),
    column_with_help("group", "Group", "Number of the group of duplicate bitmaps this one belongs to"),
    column_with_help(
        "alike",
        "Duplicate",
        "\"same pixels\" if the pixels were compared, \"possible\" if only size and format agree",
    ),
    column_with_help("copies", "Copies", "Number of bitmaps in the group of duplicates"),
    columns::OWNER,
    columns::NAME,
];

/// Bitmaps, largest first.
pub struct Bitmaps {
    /// All bitmaps with their duplicates.
    pub found: HeapBitmaps,
    /// Owner and name of each.
    called: Vec<(Option<String>, Option<String>)>,
}

impl Bitmaps {
    /// Finds all bitmaps, and names them if a namer is available.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn of(from: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        let found = HeapBitmaps::find(from.heap, from.contents, from.analysis, task)?;
        let mut called = Vec::new();
        if let Some(namer) = from.namer {
            task.step("Naming bitmaps", Unit::Objects, found.bitmaps.len() as u64);
            for bitmap in &found.bitmaps {
                task.advance_checked(1)?;
                let owner = namer.owner(bitmap.object, task)?.map(|owner| owner.text);
                called.push((owner, namer.name(bitmap.object, task)?));
            }
        }
        Ok(Self { found, called })
    }

    /// Owner of a bitmap.
    pub fn owner(&self, row: usize) -> Option<&str> {
        self.called.get(row)?.0.as_deref()
    }

    /// Name of a bitmap.
    pub fn name(&self, row: usize) -> Option<&str> {
        self.called.get(row)?.1.as_deref()
    }

    fn cell_of(&self, from: TableContext<'_>, bitmap: &Bitmap, row: usize, column: usize) -> Cell {
        let count = |number: Option<u32>| number.map_or(Cell::Nothing, |number| Cell::Count(number.into()));
        let word = |word: Option<&str>| optional(word.map(str::to_owned));
        let alike = self.found.alike(bitmap);
        match column {
            0 => Cell::Text(from.heap.id_text(bitmap.object)),
            1 => count(bitmap.size.map(|size| size.0)),
            2 => count(bitmap.size.map(|size| size.1)),
            3 => optional(bitmap.config()),
            4 => Cell::Size(bitmap.in_heap),
            5 => Cell::Size(bitmap.native),
            6 => Cell::Size(from.analysis.retained(bitmap.object)),
            7 => count(bitmap.density),
            8 => word(Some(if bitmap.is_recycled { "yes" } else { "no" })),
            9 => word(bitmap.storage),
            10 => word(bitmap.pixels.map(Pixels::name)),
            11 => count(bitmap.group.map(|group| group + 1)),
            12 => word(alike.map(|alike| if alike.is_certain { "same pixels" } else { "possible" })),
            13 => alike.map_or(Cell::Nothing, |alike| Cell::Count(alike.members.len() as u64)),
            14 => word(self.owner(row)),
            _ => word(self.name(row)),
        }
    }
}

impl Table for Bitmaps {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn count(&self) -> usize {
        self.found.bitmaps.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        self.found.bitmaps.get(row).map_or(Cell::Nothing, |bitmap| self.cell_of(from, bitmap, row, column))
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        let is_size = |size: (u32, u32)| filter.matches(&format!("{}x{}", size.0, size.1));
        let words = (0..COLUMNS.len()).any(|column| match self.cell(from, row, column) {
            Cell::Text(text) => filter.matches(&text),
            _ => false,
        });
        words || self.found.bitmaps.get(row).and_then(|bitmap| bitmap.size).is_some_and(is_size)
    }

    fn totals(&self, _from: TableContext<'_>, _rows: &[u32]) -> Vec<(&'static str, Cell)> {
        let (in_heap, native, wasted) = self.found.totals();
        vec![
            ("bitmaps", Cell::Count(self.found.bitmaps.len() as u64)),
            ("java_bytes", Cell::Size(in_heap)),
            ("native_bytes", Cell::Size(native)),
            ("wasted_bytes", Cell::Size(wasted)),
        ]
    }
}
