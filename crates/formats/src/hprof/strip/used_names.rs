//! Strings of the string table that something refers to: names of classes, fields, methods, source files and heaps.
//! HotSpot writes every symbol, and the constants of the source are symbols, too: texts of the program. Nothing but names is kept.

use std::borrow::Cow;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::hprof::java::name_text;
use crate::hprof::pieces::Piece;
use crate::hprof::records::Index;
use crate::hprof::subrecords::{RawClass, RawHeap, Visitor, walk};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::value_rules::{DataKind, disclosed};

#[derive(Default)]
struct NameReader {
    used: FxHashSet<u64>,
}

impl Visitor<'_> for NameReader {
    fn class(&mut self, class: RawClass) {
        self.used.extend(class.fields.iter().map(|field| field.name));
        self.used.extend(class.statics.iter().map(|field| field.name));
    }

    fn heap(&mut self, heap: RawHeap) {
        self.used.insert(heap.name);
    }
}

/// Ids of the strings that are names.
#[derive(Default)]
pub(super) struct UsedNames {
    /// Of classes, fields, methods, signatures and heaps.
    names: FxHashSet<u64>,
    /// Of source files.
    sources: FxHashSet<u64>,
}

impl UsedNames {
    /// Finds the names in the tables and in `pieces`.
    pub(super) fn find(file: &[u8], index: &Index, pieces: &[Piece], task: &Task) -> Result<Self, Cancelled> {
        let of_pieces = pieces.par_iter().with_max_len(1).map(|piece| {
            let mut reader = NameReader::default();
            for range in &piece.ranges {
                task.advance_checked(range.end - range.start)?;
                // A damaged segment ends the walk where writing it ends, too.
                let _ended = walk(file, range.clone(), index.id_bytes, &mut reader);
            }
            Ok(reader.used)
        });
        let mut names = of_pieces.try_reduce(FxHashSet::default, |mut all, more| {
            all.extend(more);
            Ok(all)
        })?;
        names.extend(index.loaded.iter().map(|loaded| loaded.name));
        names.extend(index.frames.values().flat_map(|frame| [frame.method, frame.signature]));
        let sources = index.frames.values().map(|frame| frame.source).collect();
        Ok(Self { names, sources })
    }

    /// Text of a string as others may see it: `None` if nothing refers to the string.
    pub(super) fn disclosed<'t>(&self, id: u64, text: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        let kind = match (self.names.contains(&id), self.sources.contains(&id)) {
            (true, _) => DataKind::ClassName,
            (false, true) => DataKind::SourcePath,
            (false, false) => return None,
        };
        let name = name_text(text);
        let shown = disclosed(kind, &name);
        Some(if *shown == *name { Cow::Borrowed(text) } else { Cow::Owned(shown.into_owned().into_bytes()) })
    }
}
