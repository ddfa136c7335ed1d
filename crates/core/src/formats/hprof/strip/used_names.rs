//! Strings of the string table that something refers to: names of classes, fields, methods, source files and heaps.
//! HotSpot writes every symbol, and the constants of the source are symbols, too: texts of the program. Nothing but names is kept.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::formats::cursor::Cursor;
use crate::formats::hprof::pieces::Piece;
use crate::formats::hprof::records::Index;
use crate::formats::hprof::subrecords::{RawClass, RawHeap, Visitor, walk};
use crate::formats::hprof::tags::record as tags;
use heaplens_base::{Cancelled, Task};

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
pub(super) fn used_names(
    file: &[u8],
    index: &Index,
    pieces: &[Piece],
    task: &Task,
) -> Result<FxHashSet<u64>, Cancelled> {
    let of_pieces = pieces.par_iter().with_max_len(1).map(|piece| {
        let mut reader = NameReader::default();
        for range in &piece.ranges {
            task.advance_checked(range.end - range.start)?;
            // A damaged segment ends the walk where writing it ends, too.
            let _ended = walk(file, range.clone(), index.id_bytes, &mut reader);
        }
        Ok(reader.used)
    });
    let mut used = of_pieces.try_reduce(FxHashSet::default, |mut all, more| {
        all.extend(more);
        Ok(all)
    })?;
    used.extend(index.loaded.iter().map(|loaded| loaded.name));
    let mut cursor = Cursor::new(file, index.version.len() as u64 + 13);
    while let (Some(tag), Some(_), Some(length)) = (cursor.u8(), cursor.u32(), cursor.u32()) {
        if tag == tags::STACK_FRAME {
            let mut frame = cursor;
            // Its own id, then method, signature and source file.
            let ids = (0..4).map_while(|_| frame.id(index.id_bytes)).skip(1);
            used.extend(ids);
        }
        if cursor.skip(length.into()).is_none() || !tags::is_known(tag) {
            break;
        }
    }
    Ok(used)
}

/// True if the text of a string is blank.
pub(super) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| *byte == b'?')
}
