//! From the address an object had to its row, and back.
//!
//! The usual form is a bitmap with ranks: one bit per possible object start
//! between the lowest and the highest address. A line of 64 bytes holds 448
//! bits and the number of bits set before it, so a look-up costs one cache
//! line and a few population counts, and the rank *is* the address order: no
//! sort, no stored addresses. Only windows of the address space that hold
//! objects have lines; two small directories find them, so that regions far
//! apart (ZGC, class data at its own place) cost nothing between them.
//!
//! Ids that are spread too thinly for that fall back to a sorted list.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use bytemuck::{Pod, Zeroable};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::ids::{Address, ObjectId};
use super::sections;
use crate::graph::bits::select;
use crate::storage::column::Column;
use crate::storage::space::Space;
use crate::storage::stored::Stored;

const WORDS: usize = 7;
const LINE_BITS: u64 = 64 * WORDS as u64;
const PAGE_LINES: usize = 64;
const PAGE_BITS: u64 = LINE_BITS * PAGE_LINES as u64;
const FOLDER_PAGES: u64 = 4096;
const FOLDER_BITS: u64 = PAGE_BITS * FOLDER_PAGES;
/// Addresses above this are no machine's: such ids go into a list.
const HIGHEST: u64 = 1 << 48;
const ABSENT: u32 = u32::MAX;
/// Rows are numbered in 32 bits, of which graphs keep one number for *none* and one for the root above all.
const MOST_OBJECTS: usize = u32::MAX as usize - 1;

/// Bits before the line, then the line's own.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line {
    before: u32,
    _unused: u32,
    words: [u64; WORDS],
}

/// Finished map: addresses ↔ rows.
pub struct AddressMap(Form);

enum Form {
    Ranked(Ranked),
    Sorted(Column<u64>),
}

struct Ranked {
    shift: u32,
    /// Where the entries of each folder begin in `pages`.
    folders: Column<u32>,
    /// Where the lines of each page begin in `lines`.
    pages: Column<u32>,
    lines: Column<Line>,
    /// The first bit of each page that has lines, in their order: the way back to addresses.
    bases: Column<u64>,
    len: usize,
}

/// What a stored analysis must say beside the columns of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Shape {
    /// Bitmap with ranks: low bits that are zero, and how many objects.
    Ranked {
        /// Low bits of every address that are zero.
        shift: u32,
        /// How many objects.
        len: u32,
    },
    /// List.
    Sorted,
}

/// A map whose columns are slices, for many look-ups.
#[derive(Clone, Copy)]
pub struct Finder<'a>(Slices<'a>);

#[derive(Clone, Copy)]
enum Slices<'a> {
    Ranked { shift: u32, folders: &'a [u32], pages: &'a [u32], lines: &'a [Line] },
    Sorted(&'a [u64]),
}

impl Finder<'_> {
    /// The row of the object at `address`.
    #[inline]
    pub fn row(&self, address: u64) -> Option<u32> {
        match self.0 {
            Slices::Ranked { shift, folders, pages, lines } => rank(
                address,
                shift,
                |at| folders.get(at).copied(),
                |at| pages.get(at).copied(),
                |at| lines.get(at).copied(),
            ),
            Slices::Sorted(list) => list.binary_search(&address).ok().map(|row| row as u32),
        }
    }
}

/// How many addresses of the map lie below `address`, if it is one of them.
#[inline]
fn rank(
    address: u64,
    shift: u32,
    folder: impl Fn(usize) -> Option<u32>,
    page: impl Fn(usize) -> Option<u32>,
    line: impl Fn(usize) -> Option<Line>,
) -> Option<u32> {
    let slot = address >> shift;
    if slot << shift != address {
        return None;
    }
    let folder = folder(usize::try_from(slot / FOLDER_BITS).ok()?).filter(|&at| at != ABSENT)?;
    let page = page(folder as usize + (slot % FOLDER_BITS / PAGE_BITS) as usize).filter(|&at| at != ABSENT)?;
    let bit = slot % PAGE_BITS;
    let line = line(page as usize + (bit / LINE_BITS) as usize)?;
    let bit = (bit % LINE_BITS) as usize;
    let (word, mask) = (bit / 64, 1_u64 << (bit % 64));
    if line.words[word] & mask == 0 {
        return None;
    }
    let mut rank = line.before + (line.words[word] & (mask - 1)).count_ones();
    for w in &line.words[..word] {
        rank += w.count_ones();
    }
    Some(rank)
}

impl AddressMap {
    /// How many objects.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Ranked(map) => map.len,
            Form::Sorted(list) => list.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The map as slices. Of one from a stored analysis this reads, and checks, everything.
    pub fn finder(&self) -> Finder<'_> {
        Finder(match &self.0 {
            Form::Ranked(map) => Slices::Ranked {
                shift: map.shift,
                folders: map.folders.all(),
                pages: map.pages.all(),
                lines: map.lines.all(),
            },
            Form::Sorted(list) => Slices::Sorted(list.all()),
        })
    }

    /// The row of the object at `address`.
    pub fn row(&self, address: u64) -> Option<u32> {
        match &self.0 {
            Form::Ranked(Ranked { shift, folders, pages, lines, len, .. }) => {
                let row = rank(address, *shift, |at| folders.get(at), |at| pages.get(at), |at| lines.get(at))?;
                // A stored map may say anything.
                Some(row).filter(|&row| (row as usize) < *len)
            }
            Form::Sorted(list) => first_from(list.len(), |at| list.get(at).is_none_or(|a| a >= address))
                .filter(|&at| list.get(at) == Some(address))
                .map(|at| at as u32),
        }
    }

    /// The object at `address`.
    pub fn object(&self, address: Address) -> Option<ObjectId> {
        self.row(address.0).and_then(ObjectId::from_raw)
    }

    /// Where the object of `row` was; 0 if there is no such row.
    pub fn address(&self, row: u32) -> Address {
        match &self.0 {
            Form::Ranked(map) => Address(map.address(row).unwrap_or_default()),
            Form::Sorted(list) => Address(list.get(row as usize).unwrap_or_default()),
        }
    }

    /// The map with its columns on the shelf.
    pub(super) fn keep(self, space: &Space) -> Self {
        Self(match self.0 {
            Form::Ranked(Ranked { shift, folders, pages, lines, bases, len }) => Form::Ranked(Ranked {
                shift,
                folders: space.keep(sections::ADDRESS_FOLDERS, folders),
                pages: space.keep(sections::ADDRESS_PAGES, pages),
                lines: space.keep(sections::ADDRESS_LINES, lines),
                bases: space.keep(sections::ADDRESS_BASES, bases),
                len,
            }),
            Form::Sorted(list) => Form::Sorted(space.keep(sections::ADDRESS_LIST, list)),
        })
    }

    /// What a stored analysis must say beside the columns.
    pub(super) fn shape(&self) -> Shape {
        match &self.0 {
            Form::Ranked(map) => Shape::Ranked { shift: map.shift, len: map.len as u32 },
            Form::Sorted(_) => Shape::Sorted,
        }
    }

    /// A map that was kept.
    pub(super) fn find(stored: &Stored, shape: Shape) -> Option<Self> {
        Some(Self(match shape {
            Shape::Ranked { shift, len } => Form::Ranked(Ranked {
                shift: Some(shift).filter(|&shift| shift < 64)?,
                folders: stored.column(sections::ADDRESS_FOLDERS)?,
                pages: stored.column(sections::ADDRESS_PAGES)?,
                lines: stored.column(sections::ADDRESS_LINES)?,
                bases: stored.column(sections::ADDRESS_BASES)?,
                len: len as usize,
            }),
            Shape::Sorted => Form::Sorted(stored.column(sections::ADDRESS_LIST)?),
        }))
    }
}

impl Ranked {
    fn address(&self, row: u32) -> Option<u64> {
        if row as usize >= self.len {
            return None;
        }
        // Lines without bits repeat the count of the next one: the last with this count holds the row.
        let behind = |at| self.lines.get(at).is_none_or(|line| line.before > row);
        let at = first_from(self.lines.len(), behind).unwrap_or(self.lines.len()).checked_sub(1)?;
        let line = self.lines.get(at)?;
        let mut left = row - line.before;
        let mut bit = 0;
        for &word in &line.words {
            let ones = word.count_ones();
            if left < ones {
                bit += select(word, left);
                break;
            }
            left -= ones;
            bit += 64;
        }
        let slot = self.bases.get(at / PAGE_LINES)? + (at % PAGE_LINES) as u64 * LINE_BITS + u64::from(bit);
        Some(slot << self.shift)
    }
}

/// The first of `0..len` that is `behind` a point, where all after one are.
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

type Page = [AtomicU64; PAGE_LINES * WORDS];
type Folder = [OnceLock<Box<Page>>];

/// Collects addresses from many threads. The bitmap form needs to know how
/// many low bits of the ids are always zero, and ids that are not scattered;
/// when that turns out wrong, [`AddressCollector::finish`] says with what to
/// begin again.
pub struct AddressCollector {
    plan: AddressPlan,
    folders: Vec<OnceLock<Box<Folder>>>,
    list: Mutex<Vec<Vec<u64>>>,
    memory: AtomicUsize,
    allowed: usize,
    most_objects: usize,
    unfit_shift: AtomicBool,
    unfit_spread: AtomicBool,
}

/// How addresses are kept while they are collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressPlan {
    /// A bitmap of ids whose `shift` low bits are zero.
    Bitmap {
        /// How many low bits are always zero.
        shift: u32,
    },
    /// A list, to be sorted.
    List,
}

/// Why addresses make no map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// They are to be collected again, by this plan.
    Plan(AddressPlan),
    /// There are more of them than rows can be numbered.
    TooMany,
}

impl AddressCollector {
    /// A collector that may spend `allowed` bytes on its bitmap.
    pub fn new(plan: AddressPlan, allowed: usize) -> Self {
        let folders = match plan {
            AddressPlan::Bitmap { shift } => (HIGHEST >> shift).div_ceil(FOLDER_BITS) as usize,
            AddressPlan::List => 0,
        };
        // Ids of odd alignment are small numbers in practice; a directory for 2⁴⁸ of them would not be.
        let folders = folders.min(1 << 19);
        Self {
            plan,
            folders: std::iter::repeat_with(OnceLock::new).take(folders).collect(),
            list: Mutex::new(Vec::new()),
            memory: AtomicUsize::new(0),
            allowed,
            most_objects: MOST_OBJECTS,
            unfit_shift: AtomicBool::new(false),
            unfit_spread: AtomicBool::new(false),
        }
    }

    /// A worker's own way in.
    pub fn worker(&self) -> AddressWorker<'_> {
        AddressWorker { collector: self, list: Vec::new() }
    }

    /// Whether the address is new. One that does not fit the plan counts as new.
    fn insert_bit(&self, address: u64, shift: u32) -> bool {
        let slot = address >> shift;
        if slot << shift != address {
            self.unfit_shift.store(true, Ordering::Relaxed);
            return true;
        }
        let Some(folder) = self.folders.get((slot / FOLDER_BITS) as usize) else {
            self.unfit_spread.store(true, Ordering::Relaxed);
            return true;
        };
        if let Some(page) = folder.get().and_then(|f| f[(slot % FOLDER_BITS / PAGE_BITS) as usize].get()) {
            return set(page, slot % PAGE_BITS);
        }
        // A new page: make sure that scattered ids cannot eat the memory.
        if self.memory.load(Ordering::Relaxed) > self.allowed {
            self.unfit_spread.store(true, Ordering::Relaxed);
            return true;
        }
        let folder = folder.get_or_init(|| {
            self.memory.fetch_add(FOLDER_PAGES as usize * size_of::<OnceLock<Box<Page>>>(), Ordering::Relaxed);
            std::iter::repeat_with(OnceLock::new).take(FOLDER_PAGES as usize).collect()
        });
        let page = folder[(slot % FOLDER_BITS / PAGE_BITS) as usize].get_or_init(|| {
            self.memory.fetch_add(size_of::<Page>() + PAGE_LINES * size_of::<Line>(), Ordering::Relaxed);
            Box::new([const { AtomicU64::new(0) }; PAGE_LINES * WORDS])
        });
        set(page, slot % PAGE_BITS)
    }

    /// The map.
    ///
    /// # Errors
    /// Why these addresses make no map; it may be that another plan fits them.
    pub fn finish(self) -> Result<Collected, Unfit> {
        if self.unfit_spread.load(Ordering::Relaxed) {
            return Err(Unfit::Plan(AddressPlan::List));
        }
        if self.unfit_shift.load(Ordering::Relaxed) {
            // Rare (the hprof agent of JDK 6): one bit per number always fits what is not scattered.
            return Err(Unfit::Plan(AddressPlan::Bitmap { shift: 0 }));
        }
        let list = self.list.into_inner().unwrap_or_else(PoisonError::into_inner);
        let AddressPlan::Bitmap { shift } = self.plan else {
            let mut list: Vec<u64> = list.into_iter().flatten().collect();
            list.sort_unstable();
            let duplicates = list.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
            list.dedup();
            if list.len() > self.most_objects {
                return Err(Unfit::TooMany);
            }
            return Ok(Collected { map: AddressMap(Form::Sorted(list.into())), duplicates });
        };
        let duplicates = list.into_iter().flatten().collect();
        let used = self.folders.iter().rposition(|f| f.get().is_some()).map_or(0, |last| last + 1);
        let mut folders = vec![ABSENT; used];
        let mut pages = Vec::new();
        let mut lines: Vec<Line> = Vec::new();
        let mut bases = Vec::new();
        let mut before = 0_u32;
        for (at, folder) in self.folders.into_iter().take(used).enumerate() {
            let Some(folder) = folder.into_inner() else { continue };
            folders[at] = pages.len() as u32;
            for (in_folder, page) in folder.into_iter().enumerate() {
                let Some(page) = page.into_inner() else {
                    pages.push(ABSENT);
                    continue;
                };
                pages.push(lines.len() as u32);
                bases.push(at as u64 * FOLDER_BITS + in_folder as u64 * PAGE_BITS);
                for words in page.chunks_exact(WORDS) {
                    let mut line = Line { before, ..Line::default() };
                    for (to, from) in line.words.iter_mut().zip(words) {
                        *to = from.load(Ordering::Relaxed);
                        before = before.checked_add(to.count_ones()).ok_or(Unfit::TooMany)?;
                    }
                    lines.push(line);
                }
            }
        }
        if before as usize > self.most_objects {
            return Err(Unfit::TooMany);
        }
        lines.shrink_to_fit();
        let (folders, pages, lines, bases) = (folders.into(), pages.into(), lines.into(), bases.into());
        let map = Ranked { shift, folders, pages, lines, bases, len: before as usize };
        Ok(Collected { map: AddressMap(Form::Ranked(map)), duplicates })
    }
}

fn set(page: &Page, bit: u64) -> bool {
    let mask = 1_u64 << (bit % 64);
    page[(bit / 64) as usize].fetch_or(mask, Ordering::Relaxed) & mask == 0
}

/// What a collector found.
pub struct Collected {
    /// Every address once.
    pub map: AddressMap,
    /// The addresses that came more than once.
    pub duplicates: FxHashSet<u64>,
}

/// One thread's access to an [`AddressCollector`].
pub struct AddressWorker<'a> {
    collector: &'a AddressCollector,
    /// All addresses (list), or those that were there already (bitmap).
    list: Vec<u64>,
}

impl AddressWorker<'_> {
    /// Adds an address.
    #[inline]
    pub fn insert(&mut self, address: u64) {
        let keep = match self.collector.plan {
            AddressPlan::Bitmap { shift } => !self.collector.insert_bit(address, shift),
            AddressPlan::List => true,
        };
        if keep {
            self.list.push(address);
        }
    }
}

impl Drop for AddressWorker<'_> {
    fn drop(&mut self) {
        if !self.list.is_empty() {
            let list = std::mem::take(&mut self.list);
            self.collector.list.lock().unwrap_or_else(PoisonError::into_inner).push(list);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(addresses: &[u64], plan: AddressPlan) -> Result<Collected, Unfit> {
        collect_at_most(MOST_OBJECTS, addresses, plan)
    }

    fn collect_at_most(most_objects: usize, addresses: &[u64], plan: AddressPlan) -> Result<Collected, Unfit> {
        let collector = AddressCollector { most_objects, ..AddressCollector::new(plan, 64 << 20) };
        let mut worker = collector.worker();
        for &a in addresses {
            worker.insert(a);
        }
        drop(worker);
        collector.finish()
    }

    fn check(mut addresses: Vec<u64>, plan: AddressPlan) {
        let Collected { map, duplicates } = collect(&addresses, plan).unwrap_or_else(|unfit| {
            let Unfit::Plan(plan) = unfit else { panic!("there are few") };
            collect(&addresses, plan).unwrap_or_else(|unfit| panic!("{plan:?} does not fit either: {unfit:?}"))
        });
        addresses.sort_unstable();
        let twice: FxHashSet<u64> = addresses.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
        assert_eq!(duplicates, twice);
        addresses.dedup();
        assert_eq!(map.len(), addresses.len());
        for (row, &a) in addresses.iter().enumerate() {
            assert_eq!(map.row(a), Some(row as u32), "{a:#x}");
            assert_eq!(map.address(row as u32), Address(a));
            assert_eq!(map.row(a + 1).is_some(), addresses.binary_search(&(a + 1)).is_ok());
        }
    }

    #[test]
    fn ranks_are_address_order_in_every_form() {
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 20
        };
        let bitmap = AddressPlan::Bitmap { shift: 3 };
        check(vec![], bitmap);
        check(vec![0], bitmap);
        check((0..5_000).map(|_| 0xe000_0000 + random() % 100_000 * 8).collect(), bitmap);
        // Regions far apart: compressed class space, a low heap, ZGC's view at 4 TiB.
        let far = [0, 0x8000_0000, 0x7f00_0000_0000, 0x400_0000_0000];
        check((0..5_000).map(|i| far[i % 4] + random() % 3_000_000 * 8).collect(), bitmap);
        // Odd ids begin again with one bit a number, scattered ones with a list.
        check((1..5_000).map(|i| i * 3).collect(), bitmap);
        check((0..5_000).map(|_| random().wrapping_mul(0x9e37_79b9_7f4a_7c15) & !7 & !(1 << 63)).collect(), bitmap);
        check((0..500).map(|_| random()).collect(), AddressPlan::List);
    }

    #[test]
    fn scattered_ids_cannot_eat_memory() {
        let collector = AddressCollector::new(AddressPlan::Bitmap { shift: 3 }, 1 << 20);
        let mut worker = collector.worker();
        for i in 0..100_000_u64 {
            worker.insert(i << 28);
        }
        drop(worker);
        assert!(collector.memory.load(Ordering::Relaxed) < 2 << 20);
        assert_eq!(collector.finish().err(), Some(Unfit::Plan(AddressPlan::List)));
    }

    #[test]
    fn more_objects_than_rows_are_refused() {
        for plan in [AddressPlan::Bitmap { shift: 3 }, AddressPlan::List] {
            let most = |most| collect_at_most(most, &[8, 16, 16, 0x7f00_0000_0000, 4096], plan).err();
            assert_eq!((most(4), most(3)), (None, Some(Unfit::TooMany)), "{plan:?}");
        }
    }
}
