//! Error of a packed file that would fill the disk.

use std::fmt;

use heaplens_base::Bytes;

/// Error of a file that is unpacked to more than the allowed multiple of its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnpackLimit {
    /// Size of the packed file in bytes.
    pub packed: Bytes,
    /// Allowed ratio.
    pub ratio: u32,
    /// Size in bytes at which unpacking ended.
    pub reached: Bytes,
}

impl fmt::Display for UnpackLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { packed, ratio, reached } = self;
        write!(f, "{packed} are unpacked to more than {reached}, above the limit of {ratio} times the packed size")
    }
}

impl std::error::Error for UnpackLimit {}
