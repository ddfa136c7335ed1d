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

    /// Packs several rows, 64 at a time if these are short.
    pub(super) fn extend(&mut self, degrees: &[u32]) {
        let in_group = self.few.len() % GROUP;
        let (first, groups) = degrees.split_at(degrees.len().min((GROUP - in_group) % GROUP));
        first.iter().for_each(|&degree| self.push(degree));
        for group in groups.chunks(GROUP) {
            if group.iter().any(|&degree| degree >= MANY.into()) {
                group.iter().for_each(|&degree| self.push(degree));
                continue;
            }
            self.bases.push(self.edges);
            self.edges += u64::from(group.iter().sum::<u32>());
            self.few.extend(group.iter().map(|&degree| degree as u8));
        }
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
        let (first, at) = (row / GROUP * GROUP, row % GROUP);
        // The last group may be shorter.
        let group = match self.few.range(first..first.saturating_add(GROUP)) {
            [] => self.few.range(first..row.saturating_add(1)),
            all => all,
        };
        let Some((before, &own)) = group.get(..at).zip(group.get(at)) else { return 0..0 };
        let base = self.bases.get(row / GROUP).unwrap_or_default() as usize;
        let SumOfEntries { sum, may_have_many } =
            <&[u8; GROUP]>::try_from(group).map_or_else(|_| sum_of(before), |group| sum_before(group, at));
        let mut start = base.saturating_add(sum);
        if may_have_many {
            let many = (first..row).zip(before).filter(|&(_, &degree)| degree == MANY);
            start = many.fold(start, |at, (row, _)| at.saturating_add(self.long(row)).saturating_sub(MANY.into()));
        }
        start..start.saturating_add(self.length(row, own))
    }

    /// Loads what [`Degrees::range`] reads in the background.
    #[inline]
    pub(super) fn prefetch(&self, row: usize) {
        self.few.prefetch(row);
        self.bases.prefetch(row / GROUP);
    }

    /// Length of a row.
    pub(super) fn degree(&self, row: usize) -> usize {
        self.few.get(row).map_or(0, |few| self.length(row, few))
    }

    /// Length of a row with this entry.
    #[inline]
    fn length(&self, row: usize, few: u8) -> usize {
        if few == MANY { self.long(row) } else { few.into() }
    }

    /// Lengths of consecutive rows.
    pub(super) fn degrees(&self, rows: Range<usize>) -> impl Iterator<Item = usize> {
        rows.clone().zip(self.few.range(rows)).map(|(row, &few)| self.length(row, few))
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

struct SumOfEntries {
    sum: usize,
    /// False if none of them is [`MANY`].
    may_have_many: bool,
}

/// Sum of the first `count` entries of a group: eight at a time, since every lookup of a row needs it.
#[inline]
fn sum_before(group: &[u8; GROUP], count: usize) -> SumOfEntries {
    /// The low byte of each pair.
    const PAIRS: u64 = 0x00ff_00ff_00ff_00ff;
    let words = group.as_chunks::<8>().0;
    let (mut sums, mut any) = (0, 0);
    let mut add = |word: u64| {
        // Sums of pairs have 16 bits each, which so few entries cannot exceed.
        sums += (word & PAIRS) + (word >> 8 & PAIRS);
        any |= word;
    };
    words[..count / 8].iter().for_each(|word| add(u64::from_le_bytes(*word)));
    if let Some(last) = words.get(count / 8) {
        add(u64::from_le_bytes(*last) & !(u64::MAX << (count % 8 * 8)));
    }
    let sum = sums.wrapping_mul(0x0001_0001_0001_0001) >> 48;
    SumOfEntries { sum: sum as usize, may_have_many: any & 0x8080_8080_8080_8080 != 0 }
}

/// Sum of less than [`GROUP`] entries.
fn sum_of(entries: &[u8]) -> SumOfEntries {
    let mut group = [0; GROUP];
    group[..entries.len()].copy_from_slice(entries);
    sum_before(&group, entries.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows packed 64 at a time, from any row on, are those packed one by one.
    #[test]
    fn rows_packed_together_are_as_packed_one_by_one() {
        let degrees: Vec<u32> = (0..1_000_u32).map(|row| if row % 190 == 7 { 200 + row } else { row % 255 }).collect();
        let packed = |packer: &Packer| {
            let Packer { few, bases, long_rows, many, edges } = packer;
            (few.clone(), bases.clone(), long_rows.clone(), many.clone(), *edges)
        };
        let mut one_by_one = Packer::new(degrees.len());
        degrees.iter().for_each(|&degree| one_by_one.push(degree));
        for at_once in [1, 3, 63, 64, 65, 200, 1_000] {
            let mut together = Packer::new(degrees.len());
            degrees.chunks(at_once).for_each(|degrees| together.extend(degrees));
            assert_eq!(packed(&together), packed(&one_by_one), "{at_once} at once");
        }
    }

    #[test]
    fn ranges_follow_each_other() {
        for rows in [0_usize, 1, 63, 64, 65, 128, 300] {
            let lengths: Vec<u32> =
                (0..rows as u32).map(|row| if row % 90 == 7 { 300 + row } else { row % 255 }).collect();
            let mut packer = Packer::new(rows);
            packer.extend(&lengths);
            let Packer { few, bases, long_rows, many, .. } = packer;
            let packed =
                Degrees { few: few.into(), bases: bases.into(), long_rows: long_rows.into(), many: many.into() };
            let mut begin = 0;
            for (row, &length) in lengths.iter().enumerate() {
                assert_eq!(packed.range(row), begin..begin + length as usize, "row {row} of {rows}");
                begin += length as usize;
            }
            for past in [rows, rows + 1, rows + 64, usize::MAX] {
                assert_eq!(packed.range(past), 0..0, "row {past} of {rows}");
            }
        }
    }

    #[test]
    fn sums_are_those_of_the_entries() {
        let entries: Vec<u8> = (0..GROUP as u32 - 1).map(|at| (at * 37 % 128) as u8).collect();
        let with_many: Vec<u8> = entries.iter().map(|&entry| if entry % 2 == 0 { MANY } else { entry }).collect();
        for entries in [&entries, &with_many, &vec![MANY; GROUP - 1]] {
            for entries in (0..=entries.len()).map(|len| &entries[..len]) {
                let sum: usize = entries.iter().map(|&entry| usize::from(entry)).sum();
                // Entries after those that are summed do not count.
                let mut group = [MANY; GROUP];
                group[..entries.len()].copy_from_slice(entries);
                for sums in [sum_of(entries), sum_before(&group, entries.len())] {
                    assert_eq!((sums.sum, sums.may_have_many), (sum, entries.contains(&MANY)), "{entries:?}");
                }
            }
        }
    }
}
