//! Allocation sites: a call tree with allocated objects.

use std::sync::Arc;

use crate::columns::{Column, Columns, Condition, Record, Value, heading, headings};
use crate::relation::{Relation, relation};
use crate::{RowOf, TableContext, TableError, Totals, TypedTable};
use heaplens_analysis::TextFilter;
use heaplens_analysis::sites::{SiteRow, Sites as SiteTree, SitesQuestion};
use heaplens_base::Task;
use heaplens_heap::RegionKind;

pub(crate) const COLUMNS: Columns<NumberedSite<'static>> = &[
    &[
        heading("site", "Site", "Number of the row, for use on the command line")
            .count(|row, _| Some(row.nth as u64 + 1)),
        heading("frame", "Frame", "Stack frame: method, file and line")
            .text(|row, _| Some(row.site.frame.as_ref().into())),
        headings::DEPTH.number(|row, _| Some(row.site.depth)),
        heading("objects", "Objects", "Objects allocated by this frame and the frames it called")
            .count(|row, _| Some(row.site.below.objects)),
        heading("shallow_bytes", "Shallow size", "Shallow size of those objects")
            .bytes(|row, _| Some(row.site.below.shallow)),
        headings::SHARE_OF_SHALLOW.share(|row, dump| Some(dump.share(row.site.below.shallow))),
        heading("own_objects", "Self objects", "Objects allocated by this frame itself")
            .count(|row, _| Some(row.site.own.objects)),
        heading("own_shallow_bytes", "Self size", "Shallow size of the objects allocated by this frame itself")
            .bytes(|row, _| Some(row.site.own.shallow)),
    ],
    &[
        in_heap("app_bytes", "In app", "Bytes of those objects in the app heap", 0),
        in_heap("zygote_bytes", "In zygote", "Bytes of those objects in the zygote heap", 1),
        in_heap("image_bytes", "In image", "Bytes of those objects in the boot image", 2),
        in_heap("default_bytes", "In default", "Bytes of those objects in the default heap", 3),
        in_heap("other_bytes", "In other heaps", "Bytes of those objects in other heaps", 4),
    ],
];

/// Allocation sites.
pub const SITES: Relation = relation!("sites", COLUMNS)
    .named("sites", "Allocation sites")
    .computed("Allocation sites", |dump, _, task| Ok(Arc::new(Sites::of(dump, task)?)));

/// Column of bytes in an Android heap.
const fn in_heap(
    key: &'static str,
    title: &'static str,
    about: &'static str,
    nth: usize,
) -> Column<NumberedSite<'static>> {
    let heading = heading(key, title, about).when(Condition::InHeap(RegionKind::ALL[nth]));
    heading.bytes_at(nth, |row, _, nth| row.site.regions.get(nth).copied())
}

/// A row of the tree with its number, from 0.
#[derive(Clone, Copy)]
pub struct NumberedSite<'a> {
    nth: usize,
    site: &'a SiteRow,
}

impl Record for NumberedSite<'static> {
    type Row<'a> = NumberedSite<'a>;
}

/// The tree; rows are numbered from 1.
pub struct Sites {
    /// The tree of allocation sites.
    pub tree: Arc<SiteTree>,
    depths: Vec<u32>,
}

impl Sites {
    /// Computes the rows.
    pub fn of(dump: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        let tree = dump.answer(&SitesQuestion, task)?;
        let depths = tree.rows.iter().map(|row| row.depth).collect();
        Ok(Self { tree, depths })
    }
}

impl TypedTable for Sites {
    type Record = NumberedSite<'static>;
    const COLUMNS: Columns<NumberedSite<'static>> = COLUMNS;

    fn count(&self) -> usize {
        self.tree.rows.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        Some(NumberedSite { nth: row, site: self.tree.rows.get(row)? })
    }

    fn has(&self, dump: TableContext<'_>, condition: Condition) -> bool {
        let has = |at: usize| self.tree.rows.iter().any(|row| row.depth == 0 && row.regions[at].0 > 0);
        condition.holds(dump)
            && match condition {
                Condition::InHeap(kind) => RegionKind::ALL.iter().position(|&of| of == kind).is_some_and(has),
                _ => true,
            }
    }

    fn passes(&self, _from: TableContext<'_>, row: RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(&row.site.frame)
    }

    fn totals(&self, dump: TableContext<'_>, _rows: &[u32]) -> Totals {
        let (known, all) = (self.tree.known, dump.analysis.shown);
        vec![
            ("objects", Value::Count(known.objects)),
            ("shallow_bytes", Value::Bytes(known.shallow)),
            ("objects_without_site", Value::Count(all.objects - known.objects)),
        ]
    }

    fn depths(&self) -> Option<&[u32]> {
        Some(&self.depths)
    }
}
