//! Traces with compressed packets are converted to ones without, since objects are read in place.

use std::io::{self, Write};

use super::trace::{compressed, recognises};
use super::wire::Message;
use crate::{error::FormatError, error::OpenError, options::ReadOptions, source::Source, zip};
use heaplens_base::{Count, Task, Unit};

/// Unpacks the compressed packets of a trace; returns the file itself if it has none, or is no trace.
///
/// # Errors
/// If nothing can be unpacked, or the unpacked form cannot be written.
pub(crate) fn unpacked(source: Source, options: &ReadOptions, task: &Task) -> Result<Source, OpenError> {
    let file = source.bytes();
    if !recognises(file) || !Message::of(file).any(|packet| compressed(&packet).is_some()) {
        return Ok(source);
    }
    task.step("Unpacking", Unit::Bytes, file.len() as u64);
    let mut damage = None;
    let mut unpacked = source.rewrite(options, |out, blame| {
        let mut packets = Message::of(file);
        while let Some(packet) = packets.next() {
            if let Some(packed) = compressed(&packet) {
                let write = |bytes: &[u8]| out.write_all(bytes).map_err(blame);
                let cause = zip::unpack_zlib(packed, write, task)?;
                damage = damage.take().or_else(|| {
                    cause.map(|cause| format!("compressed packet at offset {}: {cause}", Count(packet.at)))
                });
            } else {
                copy(file, packet.at, packets.offset(), out).map_err(blame)?;
            }
            task.advance_checked(packets.offset() - packet.at)?;
        }
        // Damage of the last packet is found again when it is read.
        let end = packets.broken_at.filter(|&at| at >= packets.offset());
        end.map_or(Ok(()), |at| copy(file, at, file.len() as u64, out)).map_err(blame)
    })?;
    if let Some(cause) = damage.as_ref().filter(|_| unpacked.bytes().is_empty()) {
        return Err(FormatError::new("Perfetto", 0, "compressed packets", cause, "Copy the file again.").into());
    }
    unpacked.damage = unpacked.damage.or(damage);
    Ok(unpacked)
}

fn copy(file: &[u8], from: u64, to: u64, out: &mut dyn Write) -> io::Result<()> {
    let range = usize::try_from(from).ok().zip(usize::try_from(to).ok());
    out.write_all(range.and_then(|(from, to)| file.get(from..to)).unwrap_or_default())
}
