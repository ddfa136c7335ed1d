//! Dumps packed by zstd.

use std::io::{self, Read};

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::blocks::{MEMORY, copy};
use crate::{entries::wrong_checksum, error::OpenError};
use heaplens_base::Task;

/// Unpacks all frames; returns what is damaged.
pub(super) fn unpack(
    packed: &[u8],
    write: impl FnMut(&[u8]) -> Result<(), OpenError>,
    task: &Task,
) -> Result<Option<String>, OpenError> {
    let mut frames = Frames { packed, frame: None, is_intact: true };
    let damage = copy(&mut frames, write, task)?;
    Ok(damage.or_else(|| (!frames.is_intact).then(|| wrong_checksum("zstd"))))
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
