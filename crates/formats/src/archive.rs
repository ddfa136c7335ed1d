//! Dumps packed by bzip2, xz or zstd, and dumps inside a tar file.

mod blocks;
#[cfg(feature = "tar")]
mod tar;
#[cfg(feature = "zstd")]
mod zstd;

#[cfg(feature = "bzip2")]
use bzip2::read::MultiBzDecoder;
#[cfg(feature = "xz")]
use lzma_rust2::XzReader;

#[cfg(feature = "xz")]
use self::blocks::MEMORY;
#[cfg(any(feature = "bzip2", feature = "xz"))]
use self::blocks::copy;
use super::entries::Unpacked;
use super::error::OpenError;
use heaplens_base::Task;

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
    match form {
        #[cfg(feature = "bzip2")]
        Archived::Bzip2 => Ok(copy(MultiBzDecoder::new(packed), write, task)?.into()),
        #[cfg(feature = "xz")]
        Archived::Xz => Ok(copy(XzReader::new_mem_limit(packed, true, MEMORY >> 10), write, task)?.into()),
        #[cfg(feature = "zstd")]
        Archived::Zstd => Ok(zstd::unpack(packed, write, task)?.into()),
        #[cfg(feature = "tar")]
        Archived::Tar => tar::unpack(packed, write, task),
        #[cfg(not(all(feature = "bzip2", feature = "xz", feature = "zstd", feature = "tar")))]
        form => {
            let _unused = (packed, write, task);
            let actual = format!("a file packed by {}, which this build does not unpack", form.name());
            Err(super::error::FormatError::new(form.name(), 0, "a dump that is not packed", actual, "Unpack it first.")
                .into())
        }
    }
}
