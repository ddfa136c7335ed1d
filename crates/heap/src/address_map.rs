//! Map between addresses of objects and rows.
//!
//! The usual form is a bitmap with ranks: one bit per possible object start between the lowest and the highest address.
//! A line of 64 bytes contains 384 bits, the number of bits set before it, and the counts before each of its words. A
//! lookup costs one cache line and one population count, and the rank *is* the address order: no sort, no stored
//! addresses. Only windows of the address space that contain objects have lines; two small directories find them, so
//! gaps between distant regions (ZGC, class data at a separate address) cost nothing.
//!
//! Ids too sparse for that fall back to a sorted list. Files that number their objects in arbitrary order, possibly
//! with duplicates, use the list of these numbers.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Address, ObjectId, sections};
use heaplens_base::storage::{Buffer, Column, MemoryBudget, StoredAnalysis, count_ones};
use heaplens_graph::bits::select;

pub(super) const WORDS: usize = 6;
const LINE_BITS: u64 = 64 * WORDS as u64;
/// Number of lookups of one id by linear search.
const FEW_LOOKUPS: u32 = 64;
pub(super) const PAGE_LINES: usize = 64;
pub(super) const PAGE_BITS: u64 = LINE_BITS * PAGE_LINES as u64;
pub(super) const FOLDER_PAGES: u64 = 4096;
pub(super) const FOLDER_BITS: u64 = PAGE_BITS * FOLDER_PAGES;
pub(super) const ABSENT: u32 = u32::MAX;

/// Number of bits before the line, followed by its own.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Line {
    before: u32,
    /// Number of bits in the line before each of its words.
    counts: [u16; WORDS],
    words: [u64; WORDS],
}

impl Line {
    /// Creates a line from words; `before` is the number of bits set before it.
    pub(super) fn new(before: u32, words: [u64; WORDS]) -> Self {
        let mut counted = 0;
        let counts = words.map(|word| {
            counted += word.count_ones() as u16;
            counted - word.count_ones() as u16
        });
        Self { before, counts, words }
    }

    /// Number of bits set before one, in this line and all before; `None` if it is not set.
    #[inline]
    fn rank(&self, Bit { at, .. }: Bit) -> Option<u32> {
        let (word, mask) = (at as usize / 64, 1_u64 << (at % 64));
        let bits = *self.words.get(word)?;
        if bits & mask == 0 {
            return None;
        }
        let before = self.before.checked_add(u32::from(self.counts[word]))?;
        before.checked_add(count_ones(bits & (mask - 1)))
    }

    /// First bit that is set, from `at` on.
    fn first_from(&self, at: u32) -> Option<u32> {
        let later = |word: usize| if word == at as usize / 64 { u64::MAX << (at % 64) } else { u64::MAX };
        let words = self.words.iter().enumerate().skip(at as usize / 64);
        let mut left = words.map(|(word, bits)| (word, bits & later(word)));
        left.find(|&(_, bits)| bits != 0).map(|(word, bits)| 64 * word as u32 + bits.trailing_zeros())
    }
}

/// Map: addresses ↔ rows.
pub struct AddressMap(Form);

enum Form {
    Ranked(Ranked),
    Sorted(Column<u64>),
    Listed(UnorderedIds),
}

/// Ids in arbitrary order, possibly not unique.
pub(super) struct UnorderedIds {
    low: Column<u32>,
    /// Bits 32 to 63; empty if all are zero.
    high: Column<u32>,
    /// Rows sorted by id; built on the first bulk lookup, or after many of one id each.
    sorted: OnceLock<Vec<(u64, u32)>>,
    /// Number of lookups of one id.
    lookups: AtomicU32,
}

pub(super) struct Ranked {
    pub(super) shift: u32,
    /// Start of the entries of each folder in `pages`. The directories are small, and read for every lookup.
    pub(super) folders: Vec<u32>,
    /// Start of the lines of each page in `lines`.
    pub(super) pages: Vec<u32>,
    pub(super) lines: Column<Line>,
    /// First bit of each page with lines, in order, for the reverse lookup.
    pub(super) bases: Vec<u64>,
    pub(super) len: usize,
}

/// Parameters of a map that a stored analysis keeps besides its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Shape {
    /// Bitmap with ranks: low bits that are zero, and how many objects.
    Ranked {
        /// Low bits of every address that are zero.
        shift: u32,
        len: u32,
    },
    Sorted,
    Listed,
}

/// Map with columns as slices, for many lookups.
#[derive(Clone, Copy)]
pub struct Finder<'a>(Slices<'a>);

#[derive(Clone, Copy)]
enum Slices<'a> {
    Ranked { shift: u32, folders: &'a [u32], pages: &'a [u32], lines: &'a [Line] },
    Sorted(&'a [u64]),
    Listed(&'a [(u64, u32)]),
}

impl Finder<'_> {
    /// The row of the object at `address`.
    #[inline]
    pub fn row(&self, address: u64) -> Option<u32> {
        match self.0 {
            Slices::Ranked { shift, folders, pages, lines } => {
                let bit = bit_of(address, shift, folders, pages)?;
                lines.get(bit.line)?.rank(bit)
            }
            Slices::Sorted(list) => list.binary_search(&address).ok().map(|row| row as u32),
            // Of several equal addresses, the first one.
            Slices::Listed(list) => {
                let at = list.partition_point(|&(other, _)| other < address);
                list.get(at).filter(|&&(other, _)| other == address).map(|&(_, row)| row)
            }
        }
    }
}

/// A bit of the bitmap.
#[derive(Clone, Copy)]
struct Bit {
    line: usize,
    /// Number of bits of the line before it.
    at: u32,
}

/// Bit of an address, if the map has a page for it.
#[inline]
fn bit_of(address: u64, shift: u32, folders: &[u32], pages: &[u32]) -> Option<Bit> {
    let slot = address >> shift;
    if slot << shift != address {
        return None;
    }
    // One division, and that by a constant; pages of a folder and lines of a page are powers of two.
    let (line, at) = (slot / LINE_BITS, (slot % LINE_BITS) as u32);
    let page = line / PAGE_LINES as u64;
    let &folder = folders.get(usize::try_from(page / FOLDER_PAGES).ok()?).filter(|&&at| at != ABSENT)?;
    let &page = pages.get(folder as usize + (page % FOLDER_PAGES) as usize).filter(|&&at| at != ABSENT)?;
    Some(Bit { line: page as usize + line as usize % PAGE_LINES, at })
}

impl AddressMap {
    pub(super) fn ranked(map: Ranked) -> Self {
        Self(Form::Ranked(map))
    }

    /// A list, ascending, each address once.
    pub(super) fn sorted(list: Vec<u64>) -> Self {
        Self(Form::Sorted(list.into()))
    }

    /// Ids by row, in any order; those over 32 bits are in a list by row. They are written to the column file.
    pub fn of_numbers(low: Buffer<u32>, wide: Vec<(u32, u64)>, budget: &MemoryBudget) -> Self {
        let mut high = Vec::new();
        if !wide.is_empty() {
            high = vec![0; low.len()];
            for (row, number) in wide {
                high.get_mut(row as usize).into_iter().for_each(|high| *high = (number >> 32) as u32);
            }
        }
        Self(Form::Listed(UnorderedIds {
            low: budget.keep(sections::ID_LOW, low),
            high: budget.keep(sections::ID_HIGH, high),
            sorted: OnceLock::new(),
            lookups: AtomicU32::new(0),
        }))
    }

    /// True if rows are in address order.
    pub fn is_in_order(&self) -> bool {
        !matches!(self.0, Form::Listed(_))
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Ranked(map) => map.len,
            Form::Sorted(list) => list.len(),
            Form::Listed(list) => list.low.len(),
        }
    }

    /// True if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Map as slices. For a stored analysis, this reads and checks everything.
    pub fn finder(&self) -> Finder<'_> {
        Finder(match &self.0 {
            Form::Ranked(map) => {
                Slices::Ranked { shift: map.shift, folders: &map.folders, pages: &map.pages, lines: map.lines.all() }
            }
            Form::Sorted(list) => Slices::Sorted(list.all()),
            Form::Listed(list) => Slices::Listed(list.sorted()),
        })
    }

    /// The row of the object at `address`.
    pub fn row(&self, address: u64) -> Option<u32> {
        match &self.0 {
            Form::Ranked(Ranked { shift, folders, pages, lines, len, .. }) => {
                let bit = bit_of(address, *shift, folders, pages)?;
                // One value, not a range: readers of ranges wait while the column is written.
                let row = lines.get(bit.line)?.rank(bit)?;
                // A damaged stored map may contain any row.
                Some(row).filter(|&row| (row as usize) < *len)
            }
            Form::Sorted(list) => row_in_order(list, address),
            Form::Listed(list) => list.row(address),
        }
    }

    /// Loads in the background what [`AddressMap::row`] reads.
    #[inline]
    pub fn prefetch(&self, address: u64) {
        if let Form::Ranked(Ranked { shift, folders, pages, lines, .. }) = &self.0
            && let Some(bit) = bit_of(address, *shift, folders, pages)
        {
            lines.prefetch(bit.line);
        }
    }

    /// The object at `address`.
    pub fn object(&self, address: Address) -> Option<ObjectId> {
        self.row(address.0).and_then(ObjectId::from_raw)
    }

    /// Address of the object in `row`; 0 if there is no such row.
    pub fn address(&self, row: u32) -> Address {
        match &self.0 {
            Form::Ranked(map) => Address(map.address(row).unwrap_or_default()),
            Form::Sorted(list) => Address(list.get(row as usize).unwrap_or_default()),
            Form::Listed(list) => Address(list.number(row as usize).unwrap_or_default()),
        }
    }

    /// Distance in bytes from the object at `address` to the next one in memory; `None` if there is no such object, if
    /// it is the last one, or if rows are not in address order.
    pub fn distance_to_next(&self, address: u64) -> Option<u64> {
        let next = match &self.0 {
            Form::Ranked(map) => map.next(address)?,
            Form::Sorted(list) => list.get(row_in_order(list, address)? as usize + 1)?,
            Form::Listed(_) => return None,
        };
        next.checked_sub(address)
    }

    /// Addresses in the order of their rows, from `row` on.
    pub fn addresses_from(&self, row: u32) -> impl Iterator<Item = u64> + '_ {
        let (ranked, sorted, listed) = match &self.0 {
            Form::Ranked(map) => (Some(map.addresses_from(row)), None, None),
            Form::Sorted(list) => (None, Some(list.all().iter().skip(row as usize).copied()), None),
            Form::Listed(list) => (None, None, Some((row as usize..).map_while(|row| list.number(row)))),
        };
        let in_order = ranked.into_iter().flatten().chain(sorted.into_iter().flatten());
        in_order.chain(listed.into_iter().flatten())
    }

    /// All addresses, each with its row, ascending.
    pub fn in_order(&self) -> Vec<(u64, u32)> {
        in_order(self.addresses_from(0))
    }

    /// Writes the columns to the column file.
    pub(super) fn keep(self, budget: &MemoryBudget) -> Self {
        Self(match self.0 {
            Form::Ranked(map) => {
                // They stay in memory too.
                let _folders = budget.keep(sections::ADDRESS_FOLDERS, map.folders.clone());
                let _pages = budget.keep(sections::ADDRESS_PAGES, map.pages.clone());
                let _bases = budget.keep(sections::ADDRESS_BASES, map.bases.clone());
                Form::Ranked(Ranked { lines: budget.keep(sections::ADDRESS_LINES, map.lines), ..map })
            }
            Form::Sorted(list) => Form::Sorted(budget.keep(sections::ADDRESS_LIST, list)),
            Form::Listed(list) => Form::Listed(list),
        })
    }

    /// Parameters that a stored analysis keeps besides the columns.
    pub(super) fn shape(&self) -> Shape {
        match &self.0 {
            Form::Ranked(map) => Shape::Ranked { shift: map.shift, len: map.len as u32 },
            Form::Sorted(_) => Shape::Sorted,
            Form::Listed(_) => Shape::Listed,
        }
    }

    /// Loads a stored map.
    pub(super) fn find(stored: &StoredAnalysis, shape: Shape) -> Option<Self> {
        Some(Self(match shape {
            Shape::Ranked { shift, len } => Form::Ranked(Ranked {
                shift: Some(shift).filter(|&shift| shift < 64)?,
                folders: stored.column(sections::ADDRESS_FOLDERS)?.all().to_vec(),
                pages: stored.column(sections::ADDRESS_PAGES)?.all().to_vec(),
                lines: stored.column(sections::ADDRESS_LINES)?,
                bases: stored.column(sections::ADDRESS_BASES)?.all().to_vec(),
                len: len as usize,
            }),
            Shape::Sorted => Form::Sorted(stored.column(sections::ADDRESS_LIST)?),
            Shape::Listed => Form::Listed(UnorderedIds {
                low: stored.column(sections::ID_LOW)?,
                high: stored.column(sections::ID_HIGH)?,
                sorted: OnceLock::new(),
                lookups: AtomicU32::new(0),
            }),
        }))
    }
}

impl UnorderedIds {
    fn number(&self, row: usize) -> Option<u64> {
        let high = self.high.get(row).map_or(0, u64::from);
        Some(high << 32 | u64::from(self.low.get(row)?))
    }

    /// First row with an id. Linear search, fast enough for the few ids that a user enters; a query may have one for
    /// each object.
    #[inline(never)]
    fn row(&self, number: u64) -> Option<u32> {
        if self.sorted.get().is_some() || self.lookups.fetch_add(1, Ordering::Relaxed) >= FEW_LOOKUPS {
            let sorted = self.sorted();
            let first = sorted.partition_point(|&(other, _)| other < number);
            return sorted.get(first).filter(|(other, _)| *other == number).map(|&(_, row)| row);
        }
        let low = self.low.all();
        let matches = low.par_iter().enumerate().filter(|&(_, &of)| of == number as u32);
        matches.map(|(row, _)| row).filter(|&row| self.number(row) == Some(number)).min().map(|row| row as u32)
    }

    fn sorted(&self) -> &[(u64, u32)] {
        self.sorted.get_or_init(|| in_order((0..self.low.len()).map_while(|row| self.number(row))))
    }
}

/// Pairs of address and row, ascending.
fn in_order(addresses: impl Iterator<Item = u64>) -> Vec<(u64, u32)> {
    let mut sorted: Vec<(u64, u32)> = addresses.zip(0..).collect();
    sorted.par_sort_unstable();
    sorted
}

impl Ranked {
    /// Bit by bit, without a search.
    fn addresses_from(&self, row: u32) -> impl Iterator<Item = u64> + '_ {
        let lines = self.lines.all();
        let first = lines.partition_point(|line| line.before <= row).saturating_sub(1);
        let skipped = lines.get(first).map_or(0, |line| row.saturating_sub(line.before));
        let slots = lines.iter().enumerate().skip(first).filter_map(|(at, line)| Some((self.base(at)?, line)));
        let bits = slots.flat_map(|(base, line)| {
            (0_u64..).zip(line.words).flat_map(move |(nth, word)| {
                let ones = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
                let ones = ones.take_while(|&word| word != 0);
                ones.map(move |word| base + 64 * nth + u64::from(word.trailing_zeros()))
            })
        });
        bits.skip(skipped as usize).map(|slot| slot << self.shift)
    }

    fn address(&self, row: u32) -> Option<u64> {
        if row as usize >= self.len {
            return None;
        }
        // Lines without bits repeat the count of the next one: the last with this count holds the row.
        let behind = |at| self.lines.get(at).is_none_or(|line| line.before > row);
        let at = first_from(self.lines.len(), behind).unwrap_or(self.lines.len()).checked_sub(1)?;
        let line = self.lines.get(at)?;
        let left = row - line.before;
        // The first word has none before it.
        let word = line.counts.iter().rposition(|&count| u32::from(count) <= left)?;
        let bit = 64 * word as u32 + select(line.words[word], left - u32::from(line.counts[word]));
        self.address_of(Bit { line: at, at: bit })
    }

    /// Address of the object after the one at `address`.
    fn next(&self, address: u64) -> Option<u64> {
        let bit = bit_of(address, self.shift, &self.folders, &self.pages)?;
        let (own, later) = self.lines.all().get(bit.line..)?.split_first()?;
        own.rank(bit)?;
        let next = own.first_from(bit.at + 1).map(|at| Bit { at, ..bit });
        let in_later = || {
            let mut lines = (bit.line + 1..).zip(later);
            lines.find_map(|(line, bits)| Some(Bit { line, at: bits.first_from(0)? }))
        };
        self.address_of(next.or_else(in_later)?)
    }

    fn address_of(&self, Bit { line, at }: Bit) -> Option<u64> {
        Some((self.base(line)? + u64::from(at)) << self.shift)
    }

    /// First slot of a line.
    fn base(&self, line: usize) -> Option<u64> {
        Some(self.bases.get(line / PAGE_LINES)? + (line % PAGE_LINES) as u64 * LINE_BITS)
    }
}

/// Row of an address in an ascending list. A function of its own keeps that of the usual form small.
#[inline(never)]
fn row_in_order(list: &Column<u64>, address: u64) -> Option<u32> {
    let at = first_from(list.len(), |at| list.get(at).is_none_or(|other| other >= address))?;
    (list.get(at) == Some(address)).then_some(at as u32)
}

/// First index in `0..len` for which `behind` is true; it must be true for all later ones.
fn first_from(len: usize, behind: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low + (high - low) / 2;
        if behind(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    (low < len).then_some(low)
}
