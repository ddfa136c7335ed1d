//! String table: indexed, and decoded on demand. It may have any size.

use std::ops::Range;

use memchr::{memchr, memchr2};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::text;
use heaplens_base::{Cancelled, Task};

/// Bytes of a piece.
const PIECE: usize = 1 << 20;
/// Number of strings between two marks.
const APART: u32 = 16;
/// Length in bytes from which on a string is indexed instead of scanned to its end: the table contains the source of
/// whole programs.
const LONG: usize = 4096;

/// Positions of the strings in a file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Strings {
    /// First string of each piece, and number of marks before it.
    pieces: Vec<(u32, u32)>,
    /// Offset of the quote before every sixteenth string of a piece.
    marks: Vec<u64>,
    /// Offsets of the opening and closing quotes of long strings.
    long: Vec<(u64, u64)>,
    count: u32,
}

/// String table, and its end in the file.
pub(super) struct IndexedStrings<T> {
    pub(super) strings: Strings,
    /// Findings of each piece.
    pub(super) seen: Vec<T>,
    /// End of the table after its bracket; the end of the file if there is none.
    pub(super) end: usize,
    /// True if the table was closed.
    pub(super) is_closed: bool,
}

/// Result of one piece.
struct Piece<T> {
    marks: Vec<u64>,
    long: Vec<(u64, u64)>,
    count: u32,
    seen: T,
    end: usize,
    ended: PieceEnd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PieceEnd {
    /// The piece ends at the start of the next one.
    AtNext,
    /// At the bracket.
    Closed,
    /// Truncated, or followed by something other than a string.
    Broken,
}

impl Strings {
    /// Finds all strings of the table whose content begins at `from`. Calls `see` with each string as in the file, and
    /// its index in its piece.
    pub(super) fn index<T: Send + Default>(
        file: &[u8],
        from: usize,
        see: impl Fn(&mut T, u32, &[u8]) + Sync,
        task: &Task,
    ) -> Result<IndexedStrings<T>, Cancelled> {
        let mut starts = vec![from];
        let mut at = from;
        // Raw line breaks occur only between strings; within strings they are escaped.
        while let Some(line) = file.get(at + PIECE..).and_then(|rest| memchr(b'\n', rest)) {
            at += PIECE + line + 1;
            starts.push(at);
        }
        let ends: Vec<usize> = starts.iter().copied().skip(1).chain([file.len()]).collect();
        let pieces = starts.par_iter().with_max_len(1).zip(&ends).map(|(&start, &end)| {
            task.checkpoint()?;
            task.advance((end - start) as u64);
            Ok(piece(file, start..end, &see))
        });
        let mut pieces: Vec<Piece<T>> = pieces.collect::<Result<_, Cancelled>>()?;
        let follows = |(piece, &end): (&Piece<T>, &usize)| piece.ended == PieceEnd::AtNext && piece.end <= end;
        let in_order = pieces.iter().zip(&ends).take_while(|&pair| follows(pair)).count();
        if pieces.get(in_order).is_some_and(|piece| piece.ended == PieceEnd::AtNext) {
            // Raw line break in a string: the rest is read again from there, as one piece.
            let from = pieces.get(in_order).map_or(file.len(), |piece| piece.end);
            pieces.truncate(in_order + 1);
            pieces.push(piece(file, from..file.len(), &see));
        } else {
            pieces.truncate(in_order + 1);
        }
        let (end, ended) = pieces.last().map_or((file.len(), PieceEnd::Broken), |piece| (piece.end, piece.ended));
        let mut strings = Self::default();
        let mut seen = Vec::with_capacity(pieces.len());
        for Piece { marks, long, count, seen: of_piece, .. } in pieces {
            strings.pieces.push((strings.count, strings.marks.len() as u32));
            strings.marks.extend(marks);
            strings.long.extend(long);
            strings.count = strings.count.saturating_add(count);
            seen.push(of_piece);
        }
        Ok(IndexedStrings { strings, seen, end, is_closed: ended == PieceEnd::Closed })
    }

    /// True if stored positions are ascending.
    pub(super) fn is_sound(&self) -> bool {
        let ascend = self.pieces.windows(2).all(|two| matches!(two, [a, b] if a.0 <= b.0 && a.1 <= b.1));
        let long = || self.long.iter().flat_map(|&(start, end)| [start, end]);
        let mut offsets = self.marks.iter().copied().chain(long());
        ascend && long().is_sorted() && offsets.all(|at| at < 1 << 62)
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The first string of each piece.
    pub(super) fn firsts(&self) -> impl Iterator<Item = u32> {
        self.pieces.iter().map(|&(first, _)| first)
    }

    /// String as stored in the file, between its quotes.
    pub(super) fn raw<'a>(&self, file: &'a [u8], string: u32) -> Option<&'a [u8]> {
        if string >= self.count {
            return None;
        }
        let piece = self.pieces.partition_point(|&(first, _)| first <= string).checked_sub(1)?;
        let &(first, marks) = self.pieces.get(piece)?;
        let inside = string - first;
        let mark = self.marks.get(marks as usize + (inside / APART) as usize)?;
        let mut at = usize::try_from(*mark).ok()?;
        for _ in 0..inside % APART {
            at = next_string(file, self.close(file, at)? + 1)?;
        }
        file.get(at + 1..self.close(file, at)?)
    }

    /// The closing quote of the string whose opening quote is at `at`.
    fn close(&self, file: &[u8], at: usize) -> Option<usize> {
        let near = file.get(..file.len().min(at + 1 + LONG))?;
        close(near, at).or_else(|| {
            let long = self.long.binary_search_by_key(&(at as u64), |&(start, _)| start).ok()?;
            usize::try_from(self.long.get(long)?.1).ok()
        })
    }

    /// A string as a name: [`text::name`].
    pub(super) fn name(&self, file: &[u8], string: u32) -> Option<String> {
        self.raw(file, string).map(text::name)
    }

    pub(super) fn text(&self, file: &[u8], string: u32) -> Option<String> {
        self.raw(file, string).map(text::decode)
    }
}

/// The closing quote of the string whose opening quote is at `at`.
fn close(file: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        at += memchr2(b'"', b'\\', file.get(at..)?)?;
        if file.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// The opening quote of the next string.
fn next_string(file: &[u8], from: usize) -> Option<usize> {
    let rest = file.get(from..)?;
    let skipped = rest.iter().position(|&byte| byte != b',' && !byte.is_ascii_whitespace())?;
    (rest.get(skipped) == Some(&b'"')).then_some(from + skipped)
}

fn piece<T: Default>(file: &[u8], range: Range<usize>, see: &impl Fn(&mut T, u32, &[u8])) -> Piece<T> {
    let (marks, long) = (Vec::new(), Vec::new());
    let mut piece = Piece { marks, long, count: 0, seen: T::default(), end: range.start, ended: PieceEnd::Broken };
    loop {
        let rest = file.get(piece.end..).unwrap_or_default();
        let Some(skipped) = rest.iter().position(|&byte| byte != b',' && !byte.is_ascii_whitespace()) else {
            piece.end = file.len();
            piece.ended = if range.end < file.len() { PieceEnd::AtNext } else { PieceEnd::Broken };
            return piece;
        };
        let at = piece.end + skipped;
        if at >= range.end {
            piece.ended = PieceEnd::AtNext;
            return piece;
        }
        match (file.get(at), close(file, at)) {
            (Some(b'"'), Some(end)) if piece.count < u32::MAX => {
                if piece.count.is_multiple_of(APART) {
                    piece.marks.push(at as u64);
                }
                if end - at > LONG {
                    piece.long.push((at as u64, end as u64));
                }
                see(&mut piece.seen, piece.count, file.get(at + 1..end).unwrap_or_default());
                piece.count += 1;
                piece.end = end + 1;
            }
            (Some(b']'), _) => {
                (piece.end, piece.ended) = (at + 1, PieceEnd::Closed);
                return piece;
            }
            _ => {
                piece.end = at;
                return piece;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_any_length_are_found() {
        let around_long = (LONG - 3..LONG + 3).flat_map(|length| [length, 0, 1]);
        let lengths: Vec<usize> = [5, 0, 40_000, 3, PIECE + 7, 2].into_iter().chain(around_long).collect();
        // Some contain an escaped quote where a reader that skips to the end would stop.
        let string = |(at, &length): (usize, &usize)| match at % 3 {
            0 => "a".repeat(length),
            1 => r#"\""#.repeat(length / 2),
            _ => "a".repeat(length % 2) + &r"\\".repeat(length / 2),
        };
        let strings: Vec<String> = lengths.iter().enumerate().map(string).collect();
        let table = strings.iter().map(|string| format!("\"{string}\"")).collect::<Vec<_>>().join(",\n") + "]";
        let indexed = Strings::index(table.as_bytes(), 0, |(), _, _| (), &Task::new()).expect("nobody cancels");
        assert!(indexed.is_closed && indexed.strings.is_sound());
        assert_eq!(indexed.strings.count() as usize, strings.len());
        assert!(indexed.strings.long.len() >= 4 && indexed.strings.pieces.len() > 1);
        for (at, string) in (0..).zip(&strings) {
            let raw = indexed.strings.raw(table.as_bytes(), at);
            assert!(raw == Some(string.as_bytes()), "string {at} of {} bytes", string.len());
        }
        assert_eq!(indexed.strings.raw(table.as_bytes(), indexed.strings.count()), None);
    }
}
