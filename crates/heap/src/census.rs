//! First histogram: objects and bytes by class, counted in the first pass over the file, before any reference is known.
//! It includes every object in the file, reachable or not.

use serde::{Deserialize, Serialize};

use super::Origin;
use heaplens_base::Bytes;

/// Objects of one class in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CensusRow {
    /// Class name in source notation.
    pub class: Box<str>,
    /// Number of objects.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
}

/// Objects by class, biggest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Census {
    /// Format, producer and size model of the file.
    pub origin: Origin,
    /// One row per class that has objects.
    pub rows: Vec<CensusRow>,
    /// All objects.
    pub objects: u64,
    /// All bytes.
    pub shallow: Bytes,
}

impl Census {
    /// Sorts the rows, biggest first, and sums them.
    pub fn new(origin: Origin, mut rows: Vec<CensusRow>) -> Self {
        rows.sort_by(|a, b| {
            b.shallow.cmp(&a.shallow).then_with(|| a.class.cmp(&b.class)).then_with(|| b.objects.cmp(&a.objects))
        });
        let objects = rows.iter().map(|r| r.objects).sum();
        let shallow = rows.iter().map(|r| r.shallow).sum();
        Self { origin, rows, objects, shallow }
    }
}
