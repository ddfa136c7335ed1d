//! Heap of Android (app, zygote, image) of each object. A record applies to all objects after it, up to the next such
//! record or the end of the segment, so the heap follows from the file offset of an object.

use rustc_hash::FxHashMap;

use crate::{hprof::records::Index, hprof::subrecords::RawHeap};
use heaplens_heap::regions::{MOST_REGIONS, RegionRuns};

/// Heap at the beginning of every segment.
const DEFAULT: u32 = 0;

/// Heaps by file offset, and their names.
#[derive(Debug, Default)]
pub(in crate::hprof) struct HeapRuns {
    /// Offset, and the id of the heap from there on; adjacent ones differ.
    runs: Vec<(u64, u32)>,
    /// Id of the string with the name of each heap.
    names: FxHashMap<u32, u64>,
}

impl HeapRuns {
    pub(in crate::hprof) fn segment(&mut self, offset: u64) {
        self.begin(offset, DEFAULT);
    }

    /// Handles the record that switches heaps.
    pub(in crate::hprof) fn heap(&mut self, heap: RawHeap) {
        self.begin(heap.offset, heap.id);
        self.names.entry(heap.id).or_insert(heap.name);
    }

    fn begin(&mut self, offset: u64, heap: u32) {
        // Usually a segment begins with the record of its heap: then nothing before it is in the default heap.
        self.runs.pop_if(|(from, _)| *from == offset);
        if self.runs.last().is_none_or(|&(_, last)| last != heap) {
            self.runs.push((offset, heap));
        }
    }

    /// Merges the following part of the file.
    pub(in crate::hprof) fn join(&mut self, next: Self) {
        for (offset, heap) in next.runs {
            self.begin(offset, heap);
        }
        let mut names: Vec<(u32, u64)> = next.names.into_iter().collect();
        names.sort_unstable();
        for (heap, name) in names {
            self.names.entry(heap).or_insert(name);
        }
    }

    /// Heaps by name, and the offsets where each begins. `None` if the file names none.
    pub(in crate::hprof) fn regions(&self, file: &[u8], index: &Index) -> Option<RegionRuns> {
        if self.names.is_empty() {
            return None;
        }
        let mut names: Vec<Box<str>> = Vec::new();
        let mut regions: FxHashMap<u32, u8> = FxHashMap::default();
        let runs = self.runs.iter().map(|&(offset, heap)| {
            let region = *regions.entry(heap).or_insert_with(|| {
                let text = self.names.get(&heap).and_then(|&name| index.text(file, name));
                let name = text.unwrap_or_else(|| if heap == DEFAULT { "default" } else { "unnamed" }.to_owned());
                // A malformed file may name millions: those above the limit share the last index.
                let known = names.iter().position(|known| **known == *name);
                let region = known.unwrap_or_else(|| names.len().min(MOST_REGIONS - 1));
                if region == names.len() {
                    let is_last = region == MOST_REGIONS - 1;
                    names.push(if is_last { "other".into() } else { name.into() });
                }
                region as u8
            });
            (offset, region)
        });
        let runs = runs.collect();
        Some(RegionRuns { names, runs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_begins_in_the_default_heap() {
        let heap = |id, offset| RawHeap { id, name: u64::from(id), offset };
        let mut runs = HeapRuns::default();
        runs.segment(10);
        runs.heap(heap(65, 10));
        runs.segment(50);
        runs.heap(heap(65, 50));
        runs.heap(heap(90, 70));
        let mut next = HeapRuns::default();
        next.segment(100);
        next.heap(heap(90, 130));
        runs.join(next);
        assert_eq!(runs.runs, [(10, 65), (70, 90), (100, 0), (130, 90)]);
    }
}
