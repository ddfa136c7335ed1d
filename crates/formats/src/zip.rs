//! Dumps inside a `.zip` file or a zlib stream. The entry with a dump is unpacked: zip files of croppers and phones
//! contain one.

use std::{collections::HashSet, ops::Range};

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::entries::{Rank, Unpacked, other_dumps, wrong_checksum};
use super::error::{FormatError, OpenError};
use heaplens_base::{Count, Task, library_call::guarded};

/// Block size, in unpacked bytes.
const BLOCK: usize = 1 << 20;
/// Number of bytes searched for the end of the directory: it may be followed by a comment of 64 KiB.
const END: usize = 22 + (1 << 16);

const LOCAL: [u8; 4] = *b"PK\x03\x04";
const ENTRY: [u8; 4] = *b"PK\x01\x02";
const DIRECTORY_END: [u8; 4] = *b"PK\x05\x06";
/// Signature of the checksum and the lengths after an entry.
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";
/// Flag of an entry whose checksum and lengths are after its data.
const AFTER: u64 = 1 << 3;

/// True if a file that begins with these bytes is treated as zip.
pub(super) fn recognises(bytes: &[u8]) -> bool {
    bytes.starts_with(&LOCAL)
}

/// True if a file that begins with these bytes is a dump in a single zlib stream.
pub(super) fn is_zlib(bytes: &[u8]) -> bool {
    // The first byte gives the compression method; both bytes together are a multiple of 31.
    matches!(bytes, [0x78, flags, ..] if (0x7800 + u16::from(*flags)).is_multiple_of(31))
        && beginning(&mut Stream::new(bytes, true)).starts_with(DUMP)
}

/// Compressed stream, unpacked block by block.
struct Stream<'a> {
    packed: &'a [u8],
    decompress: Decompress,
    ended: bool,
}

impl<'a> Stream<'a> {
    fn new(packed: &'a [u8], is_zlib: bool) -> Self {
        Self { packed, decompress: Decompress::new(is_zlib), ended: false }
    }

    /// Fills as much as possible of a block; returns 0 at the end, or the reason of a failure.
    fn read(&mut self, block: &mut [u8]) -> Result<usize, String> {
        while !self.ended {
            let (before_in, before_out) = (self.decompress.total_in(), self.decompress.total_out());
            let status = guarded(|| self.decompress.decompress(self.packed, block, FlushDecompress::None));
            let status = status.map_err(|panic| panic.to_string())?.map_err(|error| error.to_string())?;
            let read = (self.decompress.total_in() - before_in) as usize;
            self.packed = self.packed.get(read..).unwrap_or_default();
            self.ended = status == Status::StreamEnd;
            match (self.decompress.total_out() - before_out) as usize {
                0 if self.ended => {}
                0 if read == 0 => return Err("unexpected end of data".to_owned()),
                0 => {}
                filled => return Ok(filled),
            }
        }
        Ok(0)
    }
}

/// First bytes of a dump in a zlib stream.
const DUMP: &[u8] = b"JAVA PROFILE";
/// Number of compressed bytes sufficient to unpack these: the first block describes its encoding in a few hundred. The
/// limit matters because a zip may list the same entry any number of times.
const BEGINNING: usize = 4096;

/// Unpacked first bytes of a stream.
fn beginning(stream: &mut Stream<'_>) -> Vec<u8> {
    stream.packed = stream.packed.get(..BEGINNING).unwrap_or(stream.packed);
    let mut start = vec![0; 64];
    let read = stream.read(&mut start).unwrap_or_default();
    start.truncate(read);
    start
}

#[derive(Debug)]
struct Entry<'a> {
    name: &'a [u8],
    is_packed: bool,
    bytes: Range<usize>,
    unpacked: u64,
    /// CRC-32 of the unpacked bytes; `None` if it is recorded after them only.
    checksum: Option<u32>,
}

/// Unpacks the dump of a zip. Damage in the middle keeps the data before it and is reported.
pub(super) fn unpack(
    packed: &[u8],
    mut write: impl FnMut(&[u8]) -> Result<(), OpenError>,
    task: &Task,
) -> Result<Unpacked, OpenError> {
    let rank = |entry: &Entry<'_>| {
        let body = packed.get(entry.bytes.clone()).unwrap_or_default();
        let unpacked = entry.is_packed.then(|| beginning(&mut Stream::new(body, false)));
        Rank::of(unpacked.as_deref().unwrap_or(body), entry.name, entry.unpacked)
    };
    let mut ranked: Vec<(Rank, Entry<'_>)> = entries(packed).into_iter().map(|entry| (rank(&entry), entry)).collect();
    let best = (0..ranked.len()).max_by_key(|&at| ranked.get(at).map(|&(rank, _)| rank));
    let Some(at) = best else {
        let advice = "Unpack the zip and open the dump inside.";
        return Err(FormatError::new("zip", 0, "a zip entry with a heap dump", "no readable one", advice).into());
    };
    let (_, entry) = ranked.remove(at);
    let others: Vec<(&[u8], Rank)> = ranked.iter().map(|(rank, entry)| (entry.name, *rank)).collect();
    let other_dumps = other_dumps("zip", entry.name, &others);
    let mut recorded = entry.checksum;
    let body = packed.get(entry.bytes).unwrap_or_default();
    let mut checksum = Crc::new();
    let mut write = |block: &[u8]| {
        checksum.update(block);
        write(block)
    };
    let damage = if entry.is_packed {
        let mut from = Stream::new(body, false);
        let damage = stream(&mut from, write, task)?;
        recorded = recorded.or_else(|| described_after(from.packed));
        damage
    } else {
        for block in body.chunks(BLOCK) {
            task.checkpoint()?;
            write(block)?;
        }
        let missing = entry.unpacked.saturating_sub(body.len() as u64);
        (missing > 0).then(|| format!("the zip file is truncated: {} bytes of the dump are missing", Count(missing)))
    };
    let is_intact = recorded.is_none_or(|recorded| recorded == checksum.sum());
    let damage = damage.or_else(|| (!is_intact).then(|| wrong_checksum("zip")));
    Ok(Unpacked { damage, other_dumps })
}

pub(super) fn unpack_zlib(
    packed: &[u8],
    write: impl FnMut(&[u8]) -> Result<(), OpenError>,
    task: &Task,
) -> Result<Option<String>, OpenError> {
    stream(&mut Stream::new(packed, true), write, task)
}

fn stream(
    from: &mut Stream<'_>,
    mut write: impl FnMut(&[u8]) -> Result<(), OpenError>,
    task: &Task,
) -> Result<Option<String>, OpenError> {
    let (mut block, mut unpacked) = (vec![0; BLOCK], 0_u64);
    loop {
        task.checkpoint()?;
        match from.read(&mut block) {
            Ok(0) => return Ok(None),
            Ok(n) => {
                block.get(..n).map_or(Ok(()), &mut write)?;
                unpacked += n as u64;
            }
            Err(error) => {
                return Ok(Some(format!(
                    "compressed data is truncated or damaged after {unpacked} uncompressed bytes ({error}): the rest of the dump is missing"
                )));
            }
        }
    }
}

/// Entries listed in the directory; in a truncated zip, the first entry, which can be found without it.
fn entries(packed: &[u8]) -> Vec<Entry<'_>> {
    let tail = packed.len().saturating_sub(END);
    let end = packed.get(tail..).and_then(|tail| tail.windows(4).rposition(|mark| *mark == DIRECTORY_END));
    let directory = end.and_then(|at| number(packed, tail + at + 16, 4));
    let mut entries = Vec::new();
    let mut at = directory.and_then(|at| usize::try_from(at).ok());
    let mut begin = HashSet::new();
    while let Some((entry, next)) = at.and_then(|at| listed(packed, at)) {
        entries.extend(entry.filter(|entry| begin.insert(entry.bytes.start)));
        at = Some(next);
    }
    if entries.is_empty() {
        // Without a directory, the entry extends to the end of the file; the compressed stream knows its own end.
        // Of a stored one the length is not known, so neither are the bytes that the checksum is of.
        let checksum =
            || number(packed, 14, 4).filter(|_| number(packed, 6, 2).is_some_and(|flags| flags & AFTER == 0));
        entries.extend(local(packed, 0).map(|(name, is_packed, begin)| Entry {
            name,
            is_packed,
            bytes: begin..packed.len(),
            unpacked: 0,
            checksum: checksum().filter(|_| is_packed).map(|checksum| checksum as u32),
        }));
    }
    entries
}

/// Entry of the directory, if readable, and the offset of the next one.
fn listed(packed: &[u8], at: usize) -> Option<(Option<Entry<'_>>, usize)> {
    if packed.get(at..at + 4)? != ENTRY {
        return None;
    }
    let lengths = [28, 30, 32].map(|field| number(packed, at + field, 2));
    let [name, extra, comment] = [lengths[0]? as usize, lengths[1]? as usize, lengths[2]? as usize];
    let next = at + 46 + name + extra + comment;
    let (mut length, mut unpacked) = (number(packed, at + 20, 4)?, number(packed, at + 24, 4)?);
    let (mut begin, checksum) = (number(packed, at + 42, 4)?, number(packed, at + 16, 4)?);
    // Values over 32 bits are in an extra field after the name, in this order.
    let mut wide = wide_field(packed.get(at + 46 + name..at + 46 + name + extra)?);
    for value in [&mut unpacked, &mut length, &mut begin] {
        if *value == u64::from(u32::MAX) {
            let (first, rest) = wide.split_at_checked(8)?;
            (*value, wide) = (number(first, 0, 8)?, rest);
        }
    }
    let entry = || {
        let (name, is_packed, begin) = local(packed, usize::try_from(begin).ok()?)?;
        let end = begin.checked_add(usize::try_from(length).ok()?)?.min(packed.len());
        Some(Entry { name, is_packed, bytes: begin..end, unpacked, checksum: Some(checksum as u32) })
    };
    Some((entry(), next))
}

/// Extra field of zip64.
fn wide_field(mut extra: &[u8]) -> &[u8] {
    while let (Some(kind), Some(length)) = (number(extra, 0, 2), number(extra, 2, 2)) {
        let end = 4 + length as usize;
        if kind == 1 {
            return extra.get(4..end).unwrap_or_default();
        }
        extra = extra.get(end..).unwrap_or_default();
    }
    &[]
}

/// Name of the entry at an offset, its compression, and the offset of its data.
fn local(packed: &[u8], at: usize) -> Option<(&[u8], bool, usize)> {
    if packed.get(at..at.checked_add(4)?)? != LOCAL {
        return None;
    }
    let is_packed = match number(packed, at + 8, 2)? {
        0 => false,
        8 => true,
        _ => return None,
    };
    let (name, extra) = (number(packed, at + 26, 2)? as usize, number(packed, at + 28, 2)? as usize);
    Some((packed.get(at + 30..at + 30 + name)?, is_packed, at + 30 + name + extra))
}

/// Checksum after the data of an entry, which `rest` begins behind.
fn described_after(rest: &[u8]) -> Option<u32> {
    number(rest.strip_prefix(&DESCRIPTOR)?, 0, 4).map(|checksum| checksum as u32)
}

/// Little-endian number.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(width)?)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}
