//! Collects the addresses of all objects, on any number of threads, into an
//! [`AddressMap`].

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;

use super::AddressMap;
use super::address_map::{ABSENT, FOLDER_BITS, FOLDER_PAGES, Line, PAGE_BITS, PAGE_LINES, Ranked, WORDS};
use heaplens_base::storage::MemoryBudget;

/// Highest plausible address; larger ids go into a list.
const HIGHEST: u64 = 1 << 48;
/// Maximum number of objects: rows are numbered in 32 bits, of which graphs reserve one number for *none* and one for
/// the virtual root.
const MOST_OBJECTS: usize = u32::MAX as usize - 1;

type Page = [AtomicU64; PAGE_LINES * WORDS];
type Folder = [OnceLock<Box<Page>>];
type Drawer = [OnceLock<Box<Folder>>];

/// Folders of a drawer. All folders together would take megabytes to clear, for a few of them in use.
const DRAWER_FOLDERS: usize = 1 << 10;
/// Maximum number of drawers: ids of odd alignment are small numbers in practice, so a directory for 2⁴⁸ of them is not
/// needed.
const MOST_DRAWERS: usize = 1 << 9;

/// Collects addresses from many threads. The bitmap form requires a known number of low bits that are always zero, and
/// ids that are not scattered; if these assumptions fail, [`AddressCollector::finish`] returns the plan for a second
/// attempt.
pub struct AddressCollector {
    plan: AddressPlan,
    drawers: Vec<OnceLock<Box<Drawer>>>,
    list: Mutex<Vec<Vec<u64>>>,
    memory: AtomicUsize,
    allowed: usize,
    most_objects: usize,
    unfit_shift: AtomicBool,
    unfit_spread: AtomicBool,
}

/// Data structure for addresses while they are collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressPlan {
    /// A bitmap of ids whose `shift` low bits are zero.
    Bitmap {
        /// Number of low bits that are always zero.
        shift: u32,
    },
    /// A list, to be sorted.
    List,
}

/// Reason why addresses do not form a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressMapError {
    /// Collect them again with this plan.
    Plan(AddressPlan),
    /// There are more of them than row numbers.
    TooMany,
}

impl AddressCollector {
    /// Creates a collector whose bitmap may take `allowed` bytes.
    pub fn new(plan: AddressPlan, allowed: usize) -> Self {
        let folders = match plan {
            AddressPlan::Bitmap { shift } => (HIGHEST >> shift).div_ceil(FOLDER_BITS) as usize,
            AddressPlan::List => 0,
        };
        let drawers = folders.div_ceil(DRAWER_FOLDERS).min(MOST_DRAWERS);
        Self {
            plan,
            drawers: empty(drawers),
            list: Mutex::new(Vec::new()),
            memory: AtomicUsize::new(0),
            allowed,
            most_objects: MOST_OBJECTS,
            unfit_shift: AtomicBool::new(false),
            unfit_spread: AtomicBool::new(false),
        }
    }

    /// Handle for one worker thread.
    pub fn worker(&self) -> AddressWorker<'_> {
        AddressWorker { collector: self, list: Vec::new(), first: 0, bits: 0 }
    }

    /// Sets bits of the word of the bitmap that begins at `slot`; returns those that were set before. None are if the
    /// word does not fit the plan.
    fn insert_bits(&self, slot: u64, bits: u64) -> u64 {
        let folder_at = (slot / FOLDER_BITS) as usize;
        let (drawer_at, folder_at) = (folder_at / DRAWER_FOLDERS, folder_at % DRAWER_FOLDERS);
        let page_at = (slot % FOLDER_BITS / PAGE_BITS) as usize;
        let Some(drawer) = self.drawers.get(drawer_at) else {
            self.unfit_spread.store(true, Ordering::Relaxed);
            return 0;
        };
        let folder = drawer.get().and_then(|drawer| drawer[folder_at].get());
        if let Some(page) = folder.and_then(|folder| folder[page_at].get()) {
            return set(page, slot % PAGE_BITS, bits);
        }
        // New page: limit the memory that scattered ids can take.
        if self.memory.load(Ordering::Relaxed) > self.allowed {
            self.unfit_spread.store(true, Ordering::Relaxed);
            return 0;
        }
        let takes = |bytes: usize| self.memory.fetch_add(bytes, Ordering::Relaxed);
        let drawer = drawer.get_or_init(|| {
            takes(DRAWER_FOLDERS * size_of::<OnceLock<Box<Folder>>>());
            empty(DRAWER_FOLDERS).into()
        });
        let folder = drawer[folder_at].get_or_init(|| {
            takes(FOLDER_PAGES as usize * size_of::<OnceLock<Box<Page>>>());
            empty(FOLDER_PAGES as usize).into()
        });
        let page = folder[page_at].get_or_init(|| {
            takes(size_of::<Page>() + PAGE_LINES * size_of::<Line>());
            Box::new([const { AtomicU64::new(0) }; PAGE_LINES * WORDS])
        });
        set(page, slot % PAGE_BITS, bits)
    }

    /// The map, in memory of `budget`.
    ///
    /// # Errors
    /// [`AddressMapError`] if these addresses do not form a map; another plan may fit them.
    pub fn finish(self, budget: &MemoryBudget) -> Result<CollectedAddresses, AddressMapError> {
        if self.unfit_spread.load(Ordering::Relaxed) {
            return Err(AddressMapError::Plan(AddressPlan::List));
        }
        if self.unfit_shift.load(Ordering::Relaxed) {
            // Rare (the hprof agent of JDK 6): one bit per number always suffices unless ids are scattered.
            return Err(AddressMapError::Plan(AddressPlan::Bitmap { shift: 0 }));
        }
        let list = std::mem::take(&mut *self.list.lock().unwrap_or_else(PoisonError::into_inner));
        let AddressPlan::Bitmap { shift } = self.plan else {
            let mut list: Vec<u64> = list.into_iter().flatten().collect();
            list.sort_unstable();
            let duplicates = list.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
            list.dedup();
            if list.len() > self.most_objects {
                return Err(AddressMapError::TooMany);
            }
            return Ok(CollectedAddresses { map: AddressMap::sorted(list), duplicates });
        };
        let duplicates = list.into_iter().flatten().collect();
        let folders_used = || {
            let drawers = (0..).step_by(DRAWER_FOLDERS).zip(&self.drawers);
            let drawers = drawers.filter_map(|(first, drawer)| Some((first..).zip(drawer.get()?)));
            drawers.flatten().filter_map(|(at, folder): (usize, _)| Some((at, folder.get()?)))
        };
        let pages_used = folders_used().map(|(_, pages)| pages.iter().filter(|page| page.get().is_some()).count());
        let lines_used = PAGE_LINES * pages_used.sum::<usize>();
        // Accessed at random for every reference.
        let mut lines = budget.scratch::<Line>(lines_used);
        let mut left = lines.iter_mut();
        let mut folders = vec![ABSENT; folders_used().last().map_or(0, |(at, _)| at + 1)];
        let mut pages = Vec::new();
        let mut bases = Vec::new();
        let mut before = 0_u32;
        for (at, folder) in folders_used() {
            folders[at] = pages.len() as u32;
            for (in_folder, page) in folder.iter().enumerate() {
                let Some(page) = page.get() else {
                    pages.push(ABSENT);
                    continue;
                };
                pages.push((bases.len() * PAGE_LINES) as u32);
                bases.push(at as u64 * FOLDER_BITS + in_folder as u64 * PAGE_BITS);
                for (words, line) in page.as_chunks::<WORDS>().0.iter().zip(&mut left) {
                    let words = words.each_ref().map(|word| word.load(Ordering::Relaxed));
                    *line = Line::new(before, words);
                    let ones = words.iter().map(|word| word.count_ones()).sum();
                    before = before.checked_add(ones).ok_or(AddressMapError::TooMany)?;
                }
            }
        }
        if before as usize > self.most_objects {
            return Err(AddressMapError::TooMany);
        }
        let map = Ranked { shift, folders, pages, lines: lines.into(), bases, len: before as usize };
        let map = AddressMap::ranked(map);
        Ok(CollectedAddresses { map, duplicates })
    }
}

/// Sets bits of the word that begins at `bit` of a page; returns those that were set before.
fn set(page: &Page, bit: u64, bits: u64) -> u64 {
    page[(bit / 64) as usize].fetch_or(bits, Ordering::Relaxed) & bits
}

fn empty<T>(len: usize) -> Vec<OnceLock<T>> {
    std::iter::repeat_with(OnceLock::new).take(len).collect()
}

/// Result of a collector.
pub struct CollectedAddresses {
    /// Every address once.
    pub map: AddressMap,
    /// Addresses that occurred more than once.
    pub duplicates: FxHashSet<u64>,
}

/// One thread's access to an [`AddressCollector`].
pub struct AddressWorker<'a> {
    collector: &'a AddressCollector,
    /// All addresses (list), or duplicates only (bitmap).
    list: Vec<u64>,
    /// Slot at which a word of the bitmap begins, and its bits to be set: objects come in the order of their addresses,
    /// mostly, and other threads need not see each of them at once.
    first: u64,
    bits: u64,
}

impl AddressWorker<'_> {
    /// Adds an address.
    #[inline]
    pub fn insert(&mut self, address: u64) {
        let AddressPlan::Bitmap { shift } = self.collector.plan else {
            self.list.push(address);
            return;
        };
        let slot = address >> shift;
        if slot << shift != address {
            self.collector.unfit_shift.store(true, Ordering::Relaxed);
            return;
        }
        if slot & !63 != self.first {
            self.insert_bits();
            self.first = slot & !63;
        }
        let bit = 1 << (slot % 64);
        if self.bits & bit != 0 {
            self.list.push(address);
        }
        self.bits |= bit;
    }

    /// Sets the bits of the current word.
    fn insert_bits(&mut self) {
        let bits = std::mem::take(&mut self.bits);
        let AddressPlan::Bitmap { shift } = self.collector.plan else { return };
        let mut twice = if bits == 0 { 0 } else { self.collector.insert_bits(self.first, bits) };
        while twice != 0 {
            self.list.push((self.first + u64::from(twice.trailing_zeros())) << shift);
            twice &= twice - 1;
        }
    }
}

impl Drop for AddressWorker<'_> {
    fn drop(&mut self) {
        self.insert_bits();
        if !self.list.is_empty() {
            let list = std::mem::take(&mut self.list);
            self.collector.list.lock().unwrap_or_else(PoisonError::into_inner).push(list);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Address;

    fn collect(addresses: &[u64], plan: AddressPlan) -> Result<CollectedAddresses, AddressMapError> {
        collect_at_most(MOST_OBJECTS, addresses, plan)
    }

    fn collect_at_most(
        most_objects: usize,
        addresses: &[u64],
        plan: AddressPlan,
    ) -> Result<CollectedAddresses, AddressMapError> {
        let collector = AddressCollector { most_objects, ..AddressCollector::new(plan, 64 << 20) };
        let mut worker = collector.worker();
        for &a in addresses {
            worker.insert(a);
        }
        drop(worker);
        collector.finish(&MemoryBudget::default())
    }

    fn check(mut addresses: Vec<u64>, plan: AddressPlan) {
        let CollectedAddresses { map, duplicates } = collect(&addresses, plan).unwrap_or_else(|unfit| {
            let AddressMapError::Plan(plan) = unfit else { panic!("there are few") };
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
            assert_eq!(map.distance_to_next(a), addresses.get(row + 1).map(|next| next - a), "{a:#x}");
            assert_eq!(
                map.distance_to_next(a + 1).is_some(),
                map.row(a + 1).is_some_and(|row| row + 1 < map.len() as u32)
            );
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
        // Distant regions: compressed class space, a low heap, ZGC's view at 4 TiB.
        let far = [0, 0x8000_0000, 0x7f00_0000_0000, 0x400_0000_0000];
        check((0..5_000).map(|i| far[i % 4] + random() % 3_000_000 * 8).collect(), bitmap);
        // Odd ids are collected again with one bit per number, scattered ones in a list.
        check((1..5_000).map(|i| i * 3).collect(), bitmap);
        check((0..5_000).map(|_| random().wrapping_mul(0x9e37_79b9_7f4a_7c15) & !7 & !(1 << 63)).collect(), bitmap);
        check((0..500).map(|_| random()).collect(), AddressPlan::List);
    }

    #[test]
    fn workers_share_the_words_of_the_bitmap() {
        // Neighbours of two workers, an address of both, and one that comes again later.
        let of_workers: [&[u64]; 2] = [&[0x1000, 0x1010, 0x1000, 0x9000, 0x1018], &[0x1008, 0x1010, 0x7f00_0000_0000]];
        let collector = AddressCollector::new(AddressPlan::Bitmap { shift: 3 }, 64 << 20);
        let mut workers = [collector.worker(), collector.worker()];
        for at in 0..5 {
            let next = workers.iter_mut().zip(of_workers).filter_map(|(worker, of)| Some((worker, of.get(at)?)));
            next.for_each(|(worker, &address)| worker.insert(address));
        }
        drop(workers);
        let CollectedAddresses { map, duplicates } = collector.finish(&MemoryBudget::default()).expect("they fit");
        assert_eq!(duplicates, [0x1000, 0x1010].into_iter().collect());
        let all: Vec<u64> = map.addresses_from(0).collect();
        assert_eq!(all, [0x1000, 0x1008, 0x1010, 0x1018, 0x9000, 0x7f00_0000_0000]);
    }

    #[test]
    fn scattered_ids_use_bounded_memory() {
        let collector = AddressCollector::new(AddressPlan::Bitmap { shift: 3 }, 1 << 20);
        let mut worker = collector.worker();
        for i in 0..100_000_u64 {
            worker.insert(i << 28);
        }
        drop(worker);
        assert!(collector.memory.load(Ordering::Relaxed) < 2 << 20);
        assert_eq!(collector.finish(&MemoryBudget::default()).err(), Some(AddressMapError::Plan(AddressPlan::List)));
    }

    #[test]
    fn more_objects_than_rows_are_refused() {
        for plan in [AddressPlan::Bitmap { shift: 3 }, AddressPlan::List] {
            let most = |most| collect_at_most(most, &[8, 16, 16, 0x7f00_0000_0000, 4096], plan).err();
            assert_eq!((most(4), most(3)), (None, Some(AddressMapError::TooMany)), "{plan:?}");
        }
    }
}
