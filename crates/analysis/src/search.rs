//! Full-text search in strings. Hits come in address order and during the search, since all strings of a large dump
//! have to be read from the file.

use rayon::prelude::*;

use super::filter::TextFilter;
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::{ObjectId, Role};

/// Maximum number of characters searched per string.
pub const CHARACTERS: usize = 1_000_000;
/// Objects processed between two checkpoints: each may touch a page of the file.
const BLOCK: usize = 1 << 12;
/// Maximum number of blocks reported at once; the first ones come sooner.
const WAVE: usize = 128;

/// Statistics of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// Number of strings that match.
    pub hits: u64,
    /// Number of searched strings.
    pub strings: u64,
    /// Number of unreadable strings: all of them if the dump file is missing.
    pub unreadable: u64,
}

impl SearchResult {
    fn and(self, other: Self) -> Self {
        Self {
            hits: self.hits + other.hits,
            strings: self.strings + other.strings,
            unreadable: self.unreadable + other.unreadable,
        }
    }
}

/// True if a string is only a part of concatenated strings: those contain it, and a string
/// built line by line has as many parts as lines.
fn is_part_alone(dump: DumpData<'_>, object: ObjectId) -> bool {
    let (retainers, class) = (dump.analysis.retainers(object), dump.heap.class_id(object));
    let is_same = |&row: &u32| ObjectId::from_raw(row).is_some_and(|retainer| dump.heap.class_id(retainer) == class);
    !retainers.is_empty() && retainers.iter().all(is_same)
}

/// Searches `wanted` in every reachable string that is not only a part of others, and passes matches to `on_hits` in
/// address order, a few at a time.
pub fn search(
    dump: DumpData<'_>,
    wanted: &TextFilter,
    task: &Task,
    on_hits: &mut dyn FnMut(Vec<ObjectId>),
) -> Result<SearchResult, Cancelled> {
    let heap = dump.heap;
    task.step("Searching strings", Unit::Objects, heap.len() as u64);
    let is_text: Vec<bool> = heap.classes.iter().map(|(class, _)| dump.contents.role(class) == Role::Text).collect();
    let block = |block: usize| {
        let rows = block * BLOCK..heap.len().min((block + 1) * BLOCK);
        task.advance_checked(rows.len() as u64)?;
        let (mut hits, mut counts) = (Vec::new(), SearchResult::default());
        for object in rows.filter_map(ObjectId::new) {
            let text = is_text.get(heap.class_id(object).index()).is_some_and(|&text| text);
            if !text || !dump.analysis.is_reachable(object) || is_part_alone(dump, object) {
                continue;
            }
            // A string of a million characters may be concatenated of as many parts.
            task.checkpoint()?;
            counts.strings += 1;
            match dump.contents.text(heap, object, CHARACTERS) {
                Some(text) if wanted.matches(&text) => hits.push(object),
                Some(_) => {}
                None => counts.unreadable += 1,
            }
        }
        counts.hits = hits.len() as u64;
        Ok((hits, counts))
    };
    let blocks = heap.len().div_ceil(BLOCK);
    let (mut at, mut wave, mut all) = (0, 1, SearchResult::default());
    while at < blocks {
        let end = (at + wave).min(blocks);
        let answers = (at..end).into_par_iter().map(block).collect::<Result<Vec<_>, Cancelled>>()?;
        for (hits, counts) in answers {
            all = all.and(counts);
            if !hits.is_empty() {
                on_hits(hits);
            }
        }
        (at, wave) = (end, (wave * 2).min(WAVE));
    }
    Ok(all)
}
