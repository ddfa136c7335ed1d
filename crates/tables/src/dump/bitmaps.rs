//! Bitmaps of an Android dump: sizes, duplicates and owners.

use std::sync::Arc;

use crate::columns::{Columns, Record, Value, heading, headings};
use crate::query::number_keys;
use crate::relation::{Relation, relation};
use crate::{RowOf, TableContext, TableError, Totals, TypedTable, table::any_text_passes};
use heaplens_analysis::TextFilter;
use heaplens_analysis::android::bitmaps::{Bitmap, Bitmaps as HeapBitmaps, BitmapsQuestion, DuplicateBitmaps};
use heaplens_base::{Task, Unit};

pub(crate) const COLUMNS: Columns<BitmapRow<'static>> = &[&[
    headings::ID.object(|row, _| Some(row.bitmap.object)),
    heading("width", "Width", "Width in pixels").number(|row, _| Some(row.bitmap.size?.0)),
    heading("height", "Height", "Height in pixels").number(|row, _| Some(row.bitmap.size?.1)),
    heading(
        "config",
        "Config",
        "Pixel format (Bitmap.Config), such as ARGB_8888; from Android 8 on derived from the bytes per pixel",
    )
    .text(|row, _| row.bitmap.config().map(Into::into)),
    heading("java_bytes", "In heap", "Bytes of pixel data in the Java heap (up to Android 7)")
        .bytes(|row, _| Some(row.bitmap.in_heap)),
    heading(
        "native_bytes",
        "Native",
        "Bytes of pixel data in native memory, as registered with the runtime (from Android 8 on)",
    )
    .bytes(|row, _| Some(row.bitmap.native)),
    headings::RETAINED.bytes(|row, dump| Some(dump.analysis.retained(row.bitmap.object))),
    heading("density", "Density", "Screen density the bitmap is made for, in dots per inch")
        .number(|row, _| row.bitmap.density),
    heading("recycled", "Recycled", "\"yes\" if Bitmap.recycle() has freed the pixels")
        .flag(|row, _| Some(row.bitmap.is_recycled)),
    heading("storage", "Storage", "Kind of native pixel memory: wrapped, heap, ashmem or hardware")
        .text(|row, _| row.bitmap.storage.map(Into::into)),
    heading("pixels", "Pixels", "Form in which the dump contains the pixels: in the heap, or as PNG, JPEG or WebP")
        .text(|row, _| row.bitmap.pixels.map(|pixels| pixels.name().into())),
    heading("group", "Group", "Number of the group of duplicate bitmaps this one belongs to")
        .number(|row, _| row.bitmap.group.map(|group| group + 1)),
    heading(
        "alike",
        "Duplicate",
        "\"same pixels\" if the pixels were compared, \"possible\" if only size and format agree",
    )
    .text(|row, _| Some(if row.alike()?.is_certain { "same pixels" } else { "possible" }.into())),
    heading("copies", "Copies", "Number of bitmaps in the group of duplicates")
        .count(|row, _| Some(row.alike()?.members.len() as u64)),
    headings::OWNER.text(|row, _| row.table.owner(row.nth).map(Into::into)),
    headings::NAME.text(|row, _| row.table.name(row.nth).map(Into::into)),
]];

/// Bitmaps of Android.
pub const BITMAPS: Relation = relation!("bitmaps", COLUMNS)
    .named("bitmaps", "Android bitmaps")
    .naming_objects()
    .computed("Bitmaps", |dump, _, task| Ok(Arc::new(Bitmaps::of(dump, task)?)));

/// A bitmap in its table.
#[derive(Clone, Copy)]
pub struct BitmapRow<'a> {
    table: &'a Bitmaps,
    bitmap: &'a Bitmap,
    nth: usize,
}

impl Record for BitmapRow<'static> {
    type Row<'a> = BitmapRow<'a>;
}

impl<'a> BitmapRow<'a> {
    fn alike(self) -> Option<&'a DuplicateBitmaps> {
        self.table.bitmaps_of_heap.alike(self.bitmap)
    }
}

/// Bitmaps, largest first.
pub struct Bitmaps {
    /// All bitmaps with their duplicates.
    pub bitmaps_of_heap: Arc<HeapBitmaps>,
    /// Owner and name of each.
    called: Vec<(Option<String>, Option<String>)>,
}

impl Bitmaps {
    /// Finds all bitmaps, and names them if a namer is available.
    pub fn of(dump: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        let found_bitmaps = dump.answer(&BitmapsQuestion, task)?;
        let mut called = Vec::new();
        if let Some(namer) = dump.namer {
            task.step("Naming bitmaps", Unit::Objects, found_bitmaps.bitmaps.len() as u64);
            for bitmap in &found_bitmaps.bitmaps {
                task.advance_checked(1)?;
                let owner = namer.owner(bitmap.object, task)?.map(|owner| owner.text);
                called.push((owner, namer.name(bitmap.object, task)?));
            }
        }
        Ok(Self { bitmaps_of_heap: found_bitmaps, called })
    }

    /// Owner of a bitmap.
    pub fn owner(&self, row: usize) -> Option<&str> {
        self.called.get(row)?.0.as_deref()
    }

    /// Name of a bitmap.
    pub fn name(&self, row: usize) -> Option<&str> {
        self.called.get(row)?.1.as_deref()
    }
}

impl Bitmaps {
    /// Keys of the columns that conditions on numbers may name, each at its place.
    pub fn number_keys() -> Vec<&'static str> {
        number_keys(COLUMNS, |_| true)
    }
}

impl TypedTable for Bitmaps {
    type Record = BitmapRow<'static>;
    const COLUMNS: Columns<BitmapRow<'static>> = COLUMNS;

    fn count(&self) -> usize {
        self.bitmaps_of_heap.bitmaps.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        Some(BitmapRow { table: self, bitmap: self.bitmaps_of_heap.bitmaps.get(row)?, nth: row })
    }

    fn passes(&self, dump: TableContext<'_>, row: RowOf<'_, Self>, filter: &TextFilter) -> bool {
        let is_size = |size: (u32, u32)| filter.matches(&format!("{}x{}", size.0, size.1));
        any_text_passes(COLUMNS, dump, row, filter) || row.bitmap.size.is_some_and(is_size)
    }

    fn totals(&self, _from: TableContext<'_>, _rows: &[u32]) -> Totals {
        let (in_heap, native, wasted) = self.bitmaps_of_heap.totals();
        vec![
            ("bitmaps", Value::Count(self.bitmaps_of_heap.bitmaps.len() as u64)),
            ("java_bytes", Value::Bytes(in_heap)),
            ("native_bytes", Value::Bytes(native)),
            ("wasted_bytes", Value::Bytes(wasted)),
        ]
    }
}
