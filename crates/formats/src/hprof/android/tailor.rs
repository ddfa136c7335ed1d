//! Dumps in the form of Tailor: HPROF reduced to what most tools need. No header except its text, no times, lengths,
//! stacks, characters and bytes.

use super::conversion_output::ConversionOutput;
use crate::hprof::record_sizes::{members, record};
use crate::hprof::tags::sub::{self, RootShape};
use crate::hprof::tags::{BasicType, record as tags};
use crate::{cursor::Cursor, error::OpenError, hprof::records::ANDROID_VERSION};

/// First bytes of such a file, without a NUL.
const MAGIC: &[u8] = b"JAVA PROFILE 6.0.1";
/// Bytes of an id.
const ID: u32 = 4;
/// No frame, or an unknown thread.
const NONE: [u8; 4] = [0xff; 4];

pub(super) fn recognises(file: &[u8]) -> bool {
    file.starts_with(MAGIC)
}

struct Reader<'a, 'p, 'o> {
    cursor: Cursor<'a>,
    output: &'p mut ConversionOutput<'o>,
    /// Number of classes and threads so far: they are renumbered.
    classes: u32,
    threads: u32,
}

/// Writes the dump in the form of ART. Returns the offset at which reading stopped, if it is before the end.
pub(super) fn rewrite(file: &[u8], output: &mut ConversionOutput<'_>) -> Result<Option<u64>, OpenError> {
    output.write(ANDROID_VERSION.as_bytes())?;
    output.write(&[0])?;
    output.write(&ID.to_be_bytes())?;
    // The timestamp is lost.
    output.write(&[0; 8])?;
    let mut reader = Reader { cursor: Cursor::new(file, MAGIC.len() as u64), output, classes: 0, threads: 0 };
    while reader.cursor.left() > 0 {
        let at = reader.cursor.offset();
        if !reader.one()? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

impl Reader<'_, '_, '_> {
    /// Copies one record; returns true if it was complete.
    fn one(&mut self) -> Result<bool, OpenError> {
        let (mut out, mut body) = (Vec::new(), Vec::new());
        let is_whole = match self.cursor.u8() {
            Some(tag @ tags::STRING) => {
                let text = self.cursor.u16().and_then(|length| self.cursor.take(length.into()));
                text.map(|text| record(&mut out, tag, text)).is_some()
            }
            Some(tag @ tags::LOAD_CLASS) => {
                let ids = self.cursor.take(u64::from(2 * ID)).and_then(|ids| ids.split_at_checked(ID as usize));
                ids.map(|(class, name)| {
                    self.classes += 1;
                    body.extend(self.classes.to_be_bytes());
                    body.extend_from_slice(class);
                    body.extend([0; 4]);
                    body.extend_from_slice(name);
                    record(&mut out, tag, &body);
                })
                .is_some()
            }
            Some(tag @ tags::HEAP_DUMP_SEGMENT) => {
                let is_whole = self.segment(&mut body)?;
                record(&mut out, tag, &body);
                is_whole
            }
            Some(tag @ tags::HEAP_DUMP_END) => {
                record(&mut out, tag, &[]);
                true
            }
            _ => false,
        };
        self.output.write(&out)?;
        Ok(is_whole)
    }

    /// Copies the sub-records of a segment, up to the first unknown one.
    fn segment(&mut self, out: &mut Vec<u8>) -> Result<bool, OpenError> {
        loop {
            let before = self.cursor;
            let Some(tag) = self.cursor.u8() else { return Ok(true) };
            if matches!(tag, tags::HEAP_DUMP_SEGMENT | tags::HEAP_DUMP_END) {
                self.cursor = before;
                return Ok(true);
            }
            let length = out.len();
            out.push(tag);
            if self.sub_record(tag, out).is_none() {
                out.truncate(length);
                return Ok(false);
            }
            self.output.checkpoint()?;
        }
    }

    fn copy(&mut self, bytes: u32, out: &mut Vec<u8>) -> Option<()> {
        out.extend_from_slice(self.cursor.take(bytes.into())?);
        Some(())
    }

    fn sub_record(&mut self, tag: u8, out: &mut Vec<u8>) -> Option<()> {
        match tag {
            sub::ROOT_THREAD_OBJECT => {
                self.copy(ID, out)?;
                self.threads += 1;
                out.extend(self.threads.to_be_bytes());
                out.extend(NONE);
            }
            _ if let Some((_, shape)) = sub::root(tag) => match shape {
                RootShape::Nothing => self.copy(ID, out)?,
                RootShape::Id => self.copy(2 * ID, out)?,
                RootShape::Thread | RootShape::ThreadAndFrame => {
                    self.copy(ID, out)?;
                    out.extend(NONE.repeat(shape.bytes(ID) as usize / NONE.len()));
                }
            },
            sub::HEAP_DUMP_INFO => self.copy(2 * ID, out)?,
            sub::CLASS_DUMP => {
                self.copy(ID, out)?;
                out.extend([0; 4]);
                // Superclass, loader, signers, protection domain; the two reserved ids are omitted.
                self.copy(4 * ID, out)?;
                out.extend([0; 2 * ID as usize]);
                out.extend(u32::from(self.cursor.u16()?).to_be_bytes());
                let mut after = self.cursor;
                members(&mut after, ID)?;
                self.copy((after.offset() - self.cursor.offset()) as u32, out)?;
            }
            sub::INSTANCE_DUMP => {
                self.copy(ID, out)?;
                out.extend([0; 4]);
                self.copy(ID, out)?;
                let length = self.cursor.u32()?;
                out.extend(length.to_be_bytes());
                self.copy(length, out)?;
            }
            sub::OBJECT_ARRAY_DUMP => {
                self.copy(ID, out)?;
                out.extend([0; 4]);
                let length = self.cursor.u32()?;
                out.extend(length.to_be_bytes());
                self.copy(ID.checked_add(length.checked_mul(ID)?)?, out)?;
            }
            sub::PRIMITIVE_ARRAY_DUMP => {
                let last = out.len().checked_sub(1)?;
                self.copy(ID, out)?;
                out.extend([0; 4]);
                let (length, tag) = (self.cursor.u32()?, self.cursor.u8()?);
                out.extend(length.to_be_bytes());
                out.push(tag);
                let kind = BasicType::from_tag(tag)?;
                if matches!(kind, BasicType::Char | BasicType::Byte) {
                    *out.get_mut(last)? = sub::PRIMITIVE_ARRAY_NODATA;
                } else {
                    self.copy(length.checked_mul(kind.bytes(ID))?, out)?;
                }
            }
            _ => return None,
        }
        Some(())
    }
}
