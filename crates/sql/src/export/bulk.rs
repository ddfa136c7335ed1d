//! The three tables with a row for each object or reference: their columns are computed a group at a time, on all cores.
//! What would be looked up for each row is read in one pass before: 16 bytes an object.

use std::ops::Range;

use parquet::data_type::ByteArray;
use rayon::prelude::*;

use crate::output::ColumnData;
use crate::relation::RowsError;
use crate::source::QuerySource;
use crate::value::SqlType;
use heaplens_analysis::DumpData;
use heaplens_base::{CHECKPOINT_EVERY, Named, Task};
use heaplens_graph::NONE;
use heaplens_graph::tree::TreeStep;
use heaplens_heap::{ObjectId, Strength};

/// Objects for one thread at a time.
const PIECE: usize = 1 << 14;

/// Name and type of a column.
pub(super) type Declared = (&'static str, SqlType);

pub(super) const OBJECTS: [Declared; 10] = [
    ("id", SqlType::Object),
    ("class", SqlType::Text),
    ("shallow_bytes", SqlType::Bytes),
    ("retained_bytes", SqlType::Bytes),
    ("immediate_dominator", SqlType::Object),
    ("distance", SqlType::Integer),
    ("reachable", SqlType::Flag),
    ("heap", SqlType::Text),
    ("root", SqlType::Text),
    ("dominated", SqlType::Integer),
];

pub(super) const DOMINATORS: [Declared; 4] = [
    ("id", SqlType::Object),
    ("place", SqlType::Integer),
    ("last", SqlType::Integer),
    ("immediate_dominator", SqlType::Object),
];

pub(super) const REFERENCES: [Declared; 4] = [
    ("source", SqlType::Object),
    ("target", SqlType::Object),
    ("position", SqlType::Integer),
    ("strength", SqlType::Text),
];

/// What the tables read of each object.
pub(super) struct Bulk<'a> {
    source: &'a QuerySource,
    /// Id of each object.
    ids: Vec<i64>,
    /// Row of the immediate dominator of each object, or [`NONE`]; and place of the last object it dominates.
    parents: Vec<u32>,
    lasts: Vec<u32>,
    /// Names of classes, and of reference strengths.
    classes: Vec<ByteArray>,
    strengths: Vec<(Strength, ByteArray)>,
}

impl<'a> Bulk<'a> {
    pub(super) fn new(source: &'a QuerySource, task: &Task) -> Result<Self, RowsError> {
        let heap = source.heap();
        let ids = heap.addresses_from(0).take(heap.len()).map(|address| address.0 as i64).collect();
        let (parents, lasts) = tree(source.data(), task)?;
        let classes = heap.classes.iter().map(|(_, class)| ByteArray::from(&*class.name)).collect();
        let strengths = Strength::NAMES.iter().map(|name| (name.value, ByteArray::from(name.word))).collect();
        Ok(Self { source, ids, parents, lasts, classes, strengths })
    }

    /// Columns of `objects` for some rows.
    pub(super) fn objects(&self, rows: Range<usize>, task: &Task) -> Result<Vec<ColumnData>, RowsError> {
        let (heap, analysis) = (self.source.heap(), self.source.analysis());
        columns(&OBJECTS, rows, task, |object, columns| {
            let preorder = analysis.preorder(object);
            let subtree = preorder.map(|preorder| preorder..self.lasts[object.index()] + 1);
            let class = self.classes.get(heap.class_id(object).index());
            let retained = subtree.clone().map_or(0, |preorders| analysis.bytes_of(preorders).0 as i64);
            columns[0].integer(Some(self.ids[object.index()]));
            columns[1].text(class.cloned());
            columns[2].integer(Some(heap.shallow(object).0 as i64));
            columns[3].integer(Some(retained));
            columns[4].integer(self.parent(object));
            columns[5].integer(analysis.shown_distance(heap, object).map(i64::from));
            columns[6].flag(Some(preorder.is_some()));
            columns[7].text(heap.region_name(object).map(ByteArray::from));
            let root = analysis.roots().of(object).first();
            columns[8].text(root.map(|root| ByteArray::from(root.kind.name())));
            columns[9].integer(Some(subtree.map_or(0, |preorders| preorders.len() as i64 - 1)));
        })
    }

    /// Columns of `dominators` for some rows: reachable objects only.
    pub(super) fn dominators(&self, rows: Range<usize>, task: &Task) -> Result<Vec<ColumnData>, RowsError> {
        let analysis = self.source.analysis();
        columns(&DOMINATORS, rows, task, |object, columns| {
            let Some(preorder) = analysis.preorder(object) else { return };
            columns[0].integer(Some(self.ids[object.index()]));
            columns[1].integer(Some(preorder.into()));
            columns[2].integer(Some(self.lasts[object.index()].into()));
            columns[3].integer(self.parent(object));
        })
    }

    /// Columns of `references` for the sources in some rows.
    pub(super) fn references(&self, rows: Range<usize>, task: &Task) -> Result<Vec<ColumnData>, RowsError> {
        let heap = self.source.heap();
        columns(&REFERENCES, rows, task, |from, columns| {
            for (position, &to) in heap.references(from).iter().enumerate() {
                let strength = heap.strength(from, position);
                let word = self.strengths.iter().find(|(of, _)| *of == strength);
                columns[0].integer(Some(self.ids[from.index()]));
                columns[1].integer(self.ids.get(to as usize).copied());
                columns[2].integer(Some(position as i64));
                columns[3].text(word.map(|(_, word)| word.clone()));
            }
        })
    }

    fn parent(&self, object: ObjectId) -> Option<i64> {
        self.ids.get(self.parents[object.index()] as usize).copied()
    }
}

/// Columns that `add` fills, object by object.
fn columns(
    declared: &[Declared],
    rows: Range<usize>,
    task: &Task,
    add: impl Fn(ObjectId, &mut [ColumnData]) + Sync,
) -> Result<Vec<ColumnData>, RowsError> {
    let pieces: Vec<Range<usize>> =
        rows.clone().step_by(PIECE).map(|begin| begin..(begin + PIECE).min(rows.end)).collect();
    let empty = || declared.iter().map(|&(_, kind)| ColumnData::new(kind)).collect::<Vec<_>>();
    let fill = |piece: Range<usize>| {
        task.checkpoint()?;
        let mut columns = empty();
        piece.filter_map(ObjectId::new).for_each(|object| add(object, &mut columns));
        Ok(columns)
    };
    let parts = pieces.into_par_iter().map(fill).collect::<Result<Vec<_>, RowsError>>()?;
    let mut columns = empty();
    for part in parts {
        columns.iter_mut().zip(part).for_each(|(column, part)| column.append(part));
    }
    Ok(columns)
}

/// By row, the row of the immediate dominator, and the place of the last object dominated.
fn tree(dump: DumpData<'_>, task: &Task) -> Result<(Vec<u32>, Vec<u32>), RowsError> {
    let DumpData { heap, analysis, .. } = dump;
    let (mut parents, mut lasts) = (vec![NONE; heap.len()], vec![0; heap.len()]);
    // The root of a snapshot, which the steps leave out, is above all others.
    let top = analysis.top(heap);
    let mut above: Vec<u32> = top.into_iter().map(ObjectId::raw).collect();
    let mut preorder = top.and_then(|top| analysis.preorder(top)).unwrap_or(0);
    for (at, step) in analysis.tree_steps().enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        match step {
            TreeStep::Into(row) => {
                preorder = ObjectId::from_raw(row).and_then(|object| analysis.preorder(object)).unwrap_or(preorder);
                if let (Some(parent), Some(of_row)) = (above.last(), parents.get_mut(row as usize)) {
                    *of_row = *parent;
                }
                above.push(row);
            }
            TreeStep::OutOf => {
                let row = above.pop().unwrap_or(NONE);
                lasts.get_mut(row as usize).into_iter().for_each(|last| *last = preorder);
            }
        }
    }
    top.into_iter().for_each(|top| lasts[top.index()] = preorder);
    Ok((parents, lasts))
}
