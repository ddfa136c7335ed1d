//! Lines of a text file, read without copying it.

use memchr::memchr;

use heaplens_base::{Cancelled, Task};

/// Number of lines between cancellation checks.
const LINES_PER_CHECK: u32 = 1 << 12;

/// The lines of a part of a file.
#[derive(Debug, Clone)]
pub(super) struct Lines<'a> {
    file: &'a [u8],
    at: usize,
    bound: usize,
    /// Number of lines until the next check of [`Self::next_checked`].
    left: u32,
}

impl<'a> Lines<'a> {
    /// Lines that begin in `at..bound`.
    pub(super) fn new(file: &'a [u8], at: u64, bound: u64) -> Self {
        let offset = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).min(file.len());
        Self { file, at: offset(at), bound: offset(bound), left: LINES_PER_CHECK }
    }

    /// Next line without its end, and its offset.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(u64, &'a [u8])> {
        if self.at >= self.bound {
            return None;
        }
        let begin = self.at;
        let rest = self.file.get(begin..)?;
        let end = memchr(b'\n', rest).unwrap_or(rest.len());
        self.at = begin + end + 1;
        Some((begin as u64, rest.get(..end)?))
    }

    /// Next line; cancellable.
    #[inline]
    pub(super) fn next_checked(&mut self, task: &Task) -> Result<Option<(u64, &'a [u8])>, Cancelled> {
        self.left -= 1;
        if self.left == 0 {
            task.checkpoint()?;
            self.left = LINES_PER_CHECK;
        }
        Ok(self.next())
    }
}
