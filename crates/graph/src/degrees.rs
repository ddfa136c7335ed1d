//! Start of each row of edges, in little more than a byte per row: the number of its edges, and for every 64 rows the
//! start of the first. The few rows with many edges are in a separate list.

use std::ops::Range;

use heaplens_base::storage::{Column, ColumnFile, StoredAnalysis, out_of_memory::room_for};

/// Number of rows per stored start.
const GROUP: usize = 64;
/// Entry of a row that is in the list.
const MANY: u8 = u8::MAX;

/// The names of the four columns.
#[derive(Debug, Clone, Copy)]
pub struct DegreeNames {
    /// Edges of each row.
    pub degrees: &'static str,
    /// Starts of every 64th row.
    pub bases: &'static str,
    /// Rows of many edges.
    pub long_rows: &'static str,
    /// Lengths of the long rows.
    pub long_degrees: &'static str,
}

/// Starts of rows, packed.
pub(super) struct Degrees {
    few: Column<u8>,
    bases: Column<u64>,
    long_rows: Column<u32>,
    many: Column<u32>,
}

/// Packs rows one after the other while they are written.
#[derive(Default)]
pub(super) struct Packer {
    few: Vec<u8>,
    bases: Vec<u64>,
    long_rows: Vec<u32>,
    many: Vec<u32>,
    edges: u64,
}

impl Packer {
    /// For `rows` rows.
    pub(super) fn new(rows: usize) -> Self {
        let (few, bases) = (room_for(rows), room_for(rows.div_ceil(GROUP)));
        Self { few, bases, ..Self::default() }
    }

    #[inline]
    pub(super) fn push(&mut self, degree: u32) {
        let row = self.few.len();
        if row.is_multiple_of(GROUP) {
            self.bases.push(self.edges);
        }
        self.edges += u64::from(degree);
        let short = u8::try_from(degree).ok().filter(|&short| short != MANY);
        if short.is_none() {
            self.long_rows.push(row as u32);
            self.many.push(degree);
        }
        self.few.push(short.unwrap_or(MANY));
    }

    /// Writes them to the column file.
    pub(super) fn put(self, column_file: &ColumnFile, names: DegreeNames) -> std::io::Result<Degrees> {
        Ok(Degrees {
            few: column_file.put(names.degrees, &self.few)?,
            bases: column_file.put(names.bases, &self.bases)?,
            long_rows: column_file.put(names.long_rows, &self.long_rows)?,
            many: column_file.put(names.long_degrees, &self.many)?,
        })
    }
}

impl Degrees {
    /// Loads stored degrees.
    pub(super) fn find(stored: &StoredAnalysis, names: DegreeNames) -> Option<Self> {
        Some(Self {
            few: stored.column(names.degrees)?,
            bases: stored.column(names.bases)?,
            long_rows: stored.column(names.long_rows)?,
            many: stored.column(names.long_degrees)?,
        })
    }

    pub(super) fn rows(&self) -> usize {
        self.few.len()
    }

    /// Positions of a row's edges among all edges.
    pub(super) fn range(&self, row: usize) -> Range<usize> {
        let first = row / GROUP * GROUP;
        let (before, own) = match self.few.range(first..row.saturating_add(1)) {
            [before @ .., own] => (before, *own),
            [] => return 0..0,
        };
        let (short, most) = sum_and_most(before);
        let base = self.bases.get(row / GROUP).unwrap_or_default() as usize;
        let mut start = base.saturating_add(short);
        if most == MANY {
            let many = (first..row).zip(before).filter(|&(_, &degree)| degree == MANY);
            start = many.fold(start, |at, (row, _)| at.saturating_add(self.long(row)).saturating_sub(MANY.into()));
        }
        let degree = if own == MANY { self.long(row) } else { usize::from(own) };
        start..start.saturating_add(degree)
    }

    /// Lengths of consecutive rows.
    pub(super) fn degrees(&self, rows: Range<usize>) -> impl Iterator<Item = usize> {
        let degree = |(row, &few)| if few == MANY { self.long(row) } else { usize::from(few) };
        rows.clone().zip(self.few.range(rows)).map(degree)
    }

    /// Rows with more than `few` edges, where `few` exceeds what an entry can hold.
    pub(super) fn long_rows(&self, few: usize) -> Vec<u32> {
        debug_assert!(few >= MANY.into(), "rows this short are not in the list");
        let long = self.long_rows.all().iter().zip(self.many.all());
        long.filter(|&(_, &degree)| degree as usize > few).map(|(&row, _)| row).collect()
    }

    #[cold]
    fn long(&self, row: usize) -> usize {
        let at = self.long_rows.all().binary_search(&(row as u32));
        at.ok().and_then(|at| self.many.get(at)).unwrap_or_default() as usize
    }
}

/// Sum of some entries, and the largest: sixteen at a time, since every lookup of a row needs both.
#[inline]
fn sum_and_most(entries: &[u8]) -> (usize, u8) {
    let (chunks, rest) = entries.as_chunks::<16>();
    let add = |(sum, most): (u32, u8), entry: &u8| (sum + u32::from(*entry), most.max(*entry));
    let of_chunk = |chunk: &[u8; 16]| chunk.iter().fold((0, 0), add);
    let of_chunks = chunks.iter().map(of_chunk).fold((0, 0), |a, b| (a.0 + b.0, a.1.max(b.1)));
    let (sum, most) = rest.iter().fold(of_chunks, add);
    (sum as usize, most)
}
