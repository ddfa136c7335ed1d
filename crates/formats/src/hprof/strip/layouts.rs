//! How many bytes of the instances of a class their fields take: what follows them has no known meaning.

use rustc_hash::FxHashMap;

use crate::hprof::pieces::Piece;
use crate::hprof::subrecords::{RawClass, Visitor, walk};
use heaplens_base::{Cancelled, Task};

/// Bytes of the described fields of an instance, by class.
#[derive(Default)]
pub(super) struct Layouts {
    bytes: FxHashMap<u64, u32>,
}

#[derive(Default)]
struct ClassReader {
    id_bytes: u32,
    /// Superclass, and bytes of the own fields.
    classes: FxHashMap<u64, (u64, u32)>,
}

impl Visitor<'_> for ClassReader {
    fn class(&mut self, class: RawClass) {
        let own = class.fields.iter().fold(0, |sum: u32, of| sum.saturating_add(of.kind.bytes(self.id_bytes)));
        self.classes.entry(class.id).or_insert((class.superclass, own));
    }
}

impl Layouts {
    /// Reads the descriptions of all classes in `pieces`.
    pub(super) fn find(file: &[u8], id_bytes: u32, pieces: &[Piece], task: &Task) -> Result<Self, Cancelled> {
        let mut reader = ClassReader { id_bytes, ..ClassReader::default() };
        for range in pieces.iter().flat_map(|piece| &piece.ranges) {
            task.checkpoint()?;
            // A damaged segment ends the walk where writing it ends, too.
            let _ended = walk(file, range.clone(), id_bytes, &mut reader);
        }
        let mut layouts = Self::default();
        let mut chain = Vec::new();
        let mut classes: Vec<u64> = reader.classes.keys().copied().collect();
        classes.sort_unstable();
        for class in classes {
            let mut at = class;
            chain.clear();
            // Upwards to a class that is known, or not described, or a superclass of itself.
            while let Some(&(superclass, own)) = reader.classes.get(&at).filter(|_| !layouts.bytes.contains_key(&at)) {
                layouts.bytes.insert(at, 0);
                chain.push((at, own));
                at = superclass;
            }
            let mut above = layouts.bytes.get(&at).copied().unwrap_or_default();
            for (class, own) in chain.drain(..).rev() {
                above = own.saturating_add(above);
                layouts.bytes.insert(class, above);
            }
        }
        Ok(layouts)
    }

    /// Bytes of the described fields of an instance; none if its class is not described.
    pub(super) fn bytes(&self, class: u64) -> usize {
        self.bytes.get(&class).copied().unwrap_or_default() as usize
    }
}
