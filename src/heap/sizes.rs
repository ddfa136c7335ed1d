//! Shallow sizes, 32 bits an object: the few objects of 4 GiB and more stand
//! in a list of their own.

use crate::units::Bytes;

/// One size per object, in bytes.
#[derive(Debug, Default)]
pub struct Sizes {
    narrow: Vec<u32>,
    /// Rows whose narrow entry is [`Sizes::WIDE`], ascending.
    wide: Vec<(u32, u64)>,
}

impl Sizes {
    /// The narrow entry of a size that stands in the list.
    pub const WIDE: u32 = u32::MAX;

    /// From narrow entries and the list of those that do not fit, in any order.
    pub fn new(narrow: Vec<u32>, mut wide: Vec<(u32, u64)>) -> Self {
        wide.sort_unstable();
        Self { narrow, wide }
    }

    /// The size of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn get(&self, row: u32) -> Bytes {
        let narrow = self.narrow[row as usize];
        if narrow != Self::WIDE {
            return Bytes(u64::from(narrow));
        }
        match self.wide.binary_search_by_key(&row, |&(r, _)| r) {
            Ok(at) => Bytes(self.wide[at].1),
            Err(_) => Bytes(u64::from(narrow)),
        }
    }
}
