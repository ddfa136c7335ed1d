//! Dumps packed by bzip2, xz or zstd, and dumps inside a tar file.

use std::io::{self, Read};
use std::iter;

use bzip2::read::MultiBzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use tar::{Archive, EntryType};

use super::entries::{Rank, Unpacked, other_dumps, wrong_checksum};
use super::error::{FormatError, OpenError};
use heaplens_base::library_call::{guarded, guarded_read};
use heaplens_base::{Count, Task};

/// Block size, in unpacked bytes. The blocks before damage are kept.
const BLOCK: usize = 1 << 20;
/// Memory that a decoder may use, whatever the file says: what `xz -9` needs, and more than any level of zstd does
/// without `--ultra` and `--long`.
const MEMORY: u32 = 256 << 20;
/// Largest directory of a tar file that is searched, in entries.
const ENTRIES: usize = 100_000;
/// Place of the word `ustar` in a header of tar.
const USTAR: usize = 257;

/// Form of a packed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Archived {
    Bzip2,
    Xz,
    Zstd,
    Tar,
}

impl Archived {
    /// Name for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
            Self::Tar => "tar",
        }
    }
}

/// Form of a file that begins with these bytes; `None` if it is not packed in one of these forms.
pub(super) fn form_of(bytes: &[u8]) -> Option<Archived> {
    match bytes {
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Some(Archived::Bzip2),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Archived::Xz),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Archived::Zstd),
        _ if bytes.get(USTAR..).is_some_and(|word| word.starts_with(b"ustar")) => Some(Archived::Tar),
        _ => None,
    }
}

/// Unpacks a file, of a tar file the entry with a dump. Damage in the middle keeps the data before it and is reported.
pub(super) fn unpack(
    form: Archived,
    packed: &[u8],
    write: impl FnMut(&[u8]) -> Result<(), OpenError>,
    task: &Task,
) -> Result<Unpacked, OpenError> {
    let damage = match form {
        Archived::Bzip2 => copy(MultiBzDecoder::new(packed), write, task)?,
        Archived::Xz => copy(XzReader::new_mem_limit(packed, true, MEMORY >> 10), write, task)?,
        Archived::Zstd => {
            let mut frames = Frames { packed, frame: None, is_intact: true };
            copy(&mut frames, write, task)?.or_else(|| (!frames.is_intact).then(|| wrong_checksum(form.name())))
        }
        Archived::Tar => return unpack_tar(packed, write, task),
    };
    Ok(damage.into())
}

/// Frames of zstd, one after the other.
struct Frames<'a> {
    packed: &'a [u8],
    frame: Option<StreamingDecoder<&'a [u8], FrameDecoder>>,
    /// False once the checksum of a frame is not that of its contents, which the decoder leaves to its caller to compare.
    is_intact: bool,
}

impl<'a> Frames<'a> {
    /// Compares the checksum of a frame that was read to its end; returns what follows it.
    fn end(&mut self, frame: StreamingDecoder<&'a [u8], FrameDecoder>) -> &'a [u8] {
        let (rest, decoder) = frame.into_parts();
        let recorded = decoder.get_checksum_from_data();
        self.is_intact &= recorded.is_none() || recorded == decoder.get_calculated_checksum();
        rest
    }
}

impl Read for Frames<'_> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(mut frame) = self.frame.take() {
                match frame.read(block)? {
                    0 => self.packed = self.end(frame),
                    read => {
                        self.frame = Some(frame);
                        return Ok(read);
                    }
                }
            }
            match self.packed {
                [] => return Ok(0),
                // A frame to skip: its mark, and its length.
                [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, rest @ ..] => {
                    let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
                    self.packed = rest.get(length..).unwrap_or_default();
                }
                packed => {
                    let frame = StreamingDecoder::new_with_max_window_size(packed, u64::from(MEMORY));
                    self.frame = Some(frame.map_err(io::Error::other)?);
                }
            }
        }
    }
}

fn copy(
    mut from: impl Read,
    mut write: impl FnMut(&[u8]) -> Result<(), OpenError>,
    task: &Task,
) -> Result<Option<String>, OpenError> {
    let (mut block, mut unpacked) = (vec![0; BLOCK], 0_u64);
    loop {
        task.checkpoint()?;
        match guarded_read(&mut from, &mut block) {
            Ok(0) => return Ok(None),
            Ok(read) => {
                block.get(..read).map_or(Ok(()), &mut write)?;
                unpacked += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Some(damage(unpacked, &error))),
        }
    }
}

fn damage(unpacked: u64, error: &io::Error) -> String {
    format!(
        "packed data is truncated or damaged after {} unpacked bytes ({error}): the rest of the dump is missing",
        Count(unpacked)
    )
}

/// Unpacks the dump of a tar file.
fn unpack_tar(
    packed: &[u8],
    mut write: impl FnMut(&[u8]) -> Result<(), OpenError>,
    task: &Task,
) -> Result<Unpacked, OpenError> {
    let mut archive = Archive::new(packed);
    let (mut dumps, mut damaged) = (Vec::new(), None);
    let mut entries = archive.entries()?;
    let entries = iter::from_fn(|| guarded(|| entries.next()).unwrap_or_else(|error| Some(Err(error.into()))));
    for entry in entries.take(ENTRIES) {
        task.checkpoint()?;
        let entry = match entry {
            Ok(entry) => entry,
            // Damage ends the list: the entries before it are whole.
            Err(error) => {
                damaged = Some(format!("none before its damaged part ({error})"));
                break;
            }
        };
        if !matches!(entry.header().entry_type(), EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse) {
            continue;
        }
        let Ok(begin) = usize::try_from(entry.raw_file_position()) else { continue };
        let (name, size) = (entry.path_bytes().into_owned(), entry.size());
        let rank = Rank::of(packed.get(begin..).unwrap_or_default(), &name, size);
        if rank.is_dump() {
            dumps.push((rank, begin, name, size));
        }
    }
    // Of equals the first.
    let best = dumps.iter().rev().max_by_key(|(rank, ..)| *rank).map(|&(_, begin, ..)| begin);
    let Some(at) = best.and_then(|best| dumps.iter().position(|&(_, begin, ..)| begin == best)) else {
        let advice = "Unpack the tar file and open the dump inside.";
        let found = damaged.unwrap_or_else(|| "none".to_owned());
        return Err(FormatError::new("tar", 0, "a tar entry with a heap dump", found, advice).into());
    };
    let (_, begin, name, size) = dumps.remove(at);
    let rest = packed.get(begin..).unwrap_or_default();
    let body = usize::try_from(size).ok().and_then(|size| rest.get(..size)).unwrap_or(rest);
    for block in body.chunks(BLOCK) {
        task.checkpoint()?;
        write(block)?;
    }
    let missing = size.saturating_sub(body.len() as u64);
    let damage =
        (missing > 0).then(|| format!("the tar file is truncated: {} bytes of the dump are missing", Count(missing)));
    let others: Vec<(&[u8], Rank)> = dumps.iter().map(|(rank, _, name, _)| (&name[..], *rank)).collect();
    Ok(Unpacked { damage, other_dumps: other_dumps("tar", &name, &others) })
}
