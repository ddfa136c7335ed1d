//! Ids of the rows of a heap. An id is its row number and is not stored; it wraps a `u32` and has no arithmetic.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! row_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// Id of row `index`; `None` past the maximum of 2³²−2 rows.
            pub fn new(index: usize) -> Option<Self> {
                u32::try_from(index).ok().and_then(Self::from_raw)
            }

            /// Id of row `raw`; `None` for the number that means *no row*.
            pub fn from_raw(raw: u32) -> Option<Self> {
                (raw != heaplens_graph::NONE).then_some(Self(raw))
            }

            /// The row number, to index a column with.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// Row number as a graph node.
            #[inline]
            pub fn raw(self) -> u32 {
                self.0
            }
        }
    };
}

row_id! {
    /// An object: its row in every per-object column. Rows are in address order.
    ObjectId
}
row_id! {
    /// A class: its row in the class table.
    ClassId
}

impl ClassId {
    /// Past the end of every class table: class of an object in a damaged file.
    pub(super) const NOWHERE: Self = Self(heaplens_graph::NONE - 1);
}

/// Id of an object in the file. For HPROF, its address in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:#x}", self.0))
    }
}
