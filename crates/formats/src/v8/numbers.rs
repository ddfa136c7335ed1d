//! Array of numbers in JSON text, read by several threads: it is divided after commas, and the commas are counted
//! first, so that each piece knows the index of its first number.

use std::ops::Range;

use memchr::{memchr, memchr_iter};
use rayon::prelude::*;

use heaplens_base::{Cancelled, Task};

/// Bytes of a piece.
const PIECE: usize = 1 << 20;
/// Maximum number of values in a record.
pub(super) const MOST_FIELDS: usize = 32;

/// Array of numbers, divided into pieces.
pub(super) struct Numbers {
    /// Offset of each piece and index of its first number.
    pieces: Vec<(usize, u64)>,
    end: usize,
    count: u64,
}

/// Records of an array, of a fixed number of values each, from one piece.
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    fields: usize,
    next: u64,
    end: u64,
    /// Number of malformed values: signs, fractions, exponents, words, nothing.
    pub(super) odd: u64,
    pub(super) first_odd: Option<u64>,
}

impl Numbers {
    /// Indexes the array between its brackets. If the file is truncated (`is_closed` is false), the last number may be
    /// incomplete and is ignored.
    pub(super) fn index(file: &[u8], array: Range<usize>, is_closed: bool, task: &Task) -> Result<Self, Cancelled> {
        let bytes = file.get(..array.end).unwrap_or(file);
        let mut starts = vec![array.start];
        let mut at = array.start;
        while let Some(comma) = bytes.get(at + PIECE..).and_then(|rest| memchr(b',', rest)) {
            at += PIECE + comma + 1;
            starts.push(at);
        }
        let ends = starts.iter().copied().skip(1).chain([bytes.len()]);
        let pieces: Vec<&[u8]> =
            starts.iter().zip(ends).map(|(&from, to)| bytes.get(from..to).unwrap_or_default()).collect();
        let counted = pieces.par_iter().with_max_len(1).map(|piece| {
            task.checkpoint()?;
            Ok(memchr_iter(b',', piece).count() as u64)
        });
        let counts = counted.collect::<Result<Vec<u64>, Cancelled>>()?;
        let mut first = 0;
        let pieces_from = starts.into_iter().zip(&counts).map(|(start, count)| {
            first += count;
            (start, first - count)
        });
        let pieces_from = pieces_from.collect();
        // A comma follows every number but the last.
        let last = pieces.last().copied().unwrap_or_default();
        let tail = last.rsplit(|&byte| byte == b',').next().unwrap_or_default();
        let has_last = is_closed && tail.iter().any(|byte| !byte.is_ascii_whitespace());
        Ok(Self { pieces: pieces_from, end: bytes.len(), count: first + u64::from(has_last) })
    }

    /// Number of complete records of `fields` numbers each.
    pub(super) fn records(&self, fields: usize) -> u64 {
        self.count / fields.max(1) as u64
    }

    /// True if numbers are left after the last record.
    pub(super) fn has_rest(&self, fields: usize) -> bool {
        !self.count.is_multiple_of(fields.max(1) as u64)
    }

    /// Reads all records in parallel, piece by piece; results are in the order of the pieces.
    pub(super) fn read<T: Send>(
        &self,
        file: &[u8],
        fields: usize,
        task: &Task,
        read: impl Fn(&mut Records<'_>) -> T + Sync,
    ) -> Result<Vec<T>, Cancelled> {
        let bytes = file.get(..self.end).unwrap_or(file);
        let size = fields.clamp(1, MOST_FIELDS) as u64;
        let all = self.records(fields);
        let firsts = self.pieces.iter().map(|&(_, first)| first).skip(1).chain([u64::MAX]);
        let pieces: Vec<(usize, u64, u64)> =
            self.pieces.iter().zip(firsts).map(|(&(at, first), next)| (at, first, next)).collect();
        let done = pieces.into_par_iter().with_max_len(1).map(|(at, first, next)| {
            task.checkpoint()?;
            // A record belongs to the piece with its first number.
            let begin = first.div_ceil(size).min(all);
            let end = next.div_ceil(size).min(all);
            let mut records =
                Records { bytes, at, fields: fields.clamp(1, MOST_FIELDS), next: begin, end, odd: 0, first_odd: None };
            for _ in 0..(begin * size).saturating_sub(first) {
                records.pass();
            }
            let answer = read(&mut records);
            task.advance((records.at - at) as u64);
            Ok(answer)
        });
        done.collect()
    }
}

impl<'a> Records<'a> {
    /// Records from a file offset on, up to the end of the array or to `end`.
    pub(super) fn at(bytes: &'a [u8], at: u64, fields: usize, next: u64, end: u64) -> Self {
        let at = usize::try_from(at).unwrap_or(bytes.len()).min(bytes.len());
        Self { bytes, at, fields: fields.clamp(1, MOST_FIELDS), next, end, odd: 0, first_odd: None }
    }

    /// Remaining records: index of the next, and end.
    pub(super) fn left(&self) -> Range<u64> {
        self.next..self.end
    }

    /// Reads the next record; returns its index and file offset.
    #[inline]
    pub(super) fn next(&mut self, into: &mut [u64; MOST_FIELDS]) -> Option<(u64, u64)> {
        if self.next >= self.end {
            return None;
        }
        let (record, offset) = (self.next, self.at as u64);
        for slot in into.iter_mut().take(self.fields) {
            *slot = self.number();
        }
        self.next += 1;
        Some((record, offset))
    }

    /// Passes over a number.
    fn pass(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += memchr(b',', rest).map_or(rest.len(), |comma| comma + 1);
    }

    #[inline]
    fn number(&mut self) -> u64 {
        let mut value = 0_u64;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        for (at, &byte) in rest.iter().enumerate() {
            let digit = byte.wrapping_sub(b'0');
            if digit < 10 {
                value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
            } else if byte == b',' {
                if at == 0 {
                    self.odd += 1;
                    self.first_odd.get_or_insert(self.at as u64);
                }
                self.at += at + 1;
                return value;
            } else if !byte.is_ascii_whitespace() {
                // Digits after a decimal point or sign are not parsed: they would yield another number.
                self.odd += 1;
                self.first_odd.get_or_insert((self.at + at) as u64);
                self.at += at;
                self.pass();
                return value;
            }
        }
        self.at = self.bytes.len();
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dividing an array into records in any way yields the same numbers as splitting at commas.
    #[test]
    fn records_are_the_numbers_between_commas() {
        let text = (0..300_000_u64).map(|n| (n * n % 1_000_003).to_string()).collect::<Vec<_>>().join(",\n");
        for fields in [1, 3, 7] {
            let task = Task::new();
            let numbers = Numbers::index(text.as_bytes(), 0..text.len(), true, &task).unwrap();
            let read = numbers.read(text.as_bytes(), fields, &task, |records| {
                let (mut into, mut all) = ([0; MOST_FIELDS], Vec::<u64>::new());
                while let Some((record, offset)) = records.next(&mut into) {
                    let at = usize::try_from(offset).unwrap();
                    let begins = text.get(at..).is_some_and(|rest| rest.trim_start().starts_with(&into[0].to_string()));
                    assert!(begins, "record {record}");
                    all.extend(&into[..fields]);
                }
                all
            });
            let expected: Vec<u64> = (0..300_000 / fields as u64 * fields as u64).map(|n| n * n % 1_000_003).collect();
            assert_eq!(read.unwrap().concat(), expected);
        }
    }

    #[test]
    fn a_possibly_truncated_number_is_ignored() {
        let count = |text: &str, is_closed| {
            let numbers = Numbers::index(text.as_bytes(), 0..text.len(), is_closed, &Task::new()).unwrap();
            (numbers.records(1), numbers.records(2), numbers.has_rest(2))
        };
        assert_eq!(count("1,2,34", true), (3, 1, true));
        assert_eq!(count("1,2,34", false), (2, 1, false));
        assert_eq!(count(" ", true), (0, 0, false));
    }

    #[test]
    fn odd_numbers_are_one_number_each() {
        let text = "-16,1.5,1e3,x,,7";
        let numbers = Numbers::index(text.as_bytes(), 0..text.len(), true, &Task::new()).unwrap();
        let read = numbers.read(text.as_bytes(), 1, &Task::new(), |records| {
            let (mut into, mut all) = ([0; MOST_FIELDS], Vec::new());
            while records.next(&mut into).is_some() {
                all.push(into[0]);
            }
            (all, records.odd, records.first_odd)
        });
        assert_eq!(read.unwrap(), [(vec![0, 1, 1, 0, 0, 7], 5, Some(0))]);
    }
}
