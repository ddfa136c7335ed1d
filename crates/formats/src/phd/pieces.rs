//! Divides a dump into pieces that threads can read in parallel. The position of a record, and its address, depend on
//! all records before it: one thread walks over them all, and other threads count the pieces it has passed.

use super::records::{End, Form, State, Walker};
use heaplens_base::{Cancelled, Task};

/// Target size of a piece, in bytes.
const PIECE: u64 = 2 << 20;

/// Consecutive records.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// Its index among the pieces.
    pub(super) at: usize,
    begin: (u64, State),
    end: u64,
}

impl Piece {
    pub(super) fn walker<'a>(&self, file: &'a [u8], form: Form) -> Walker<'a> {
        Walker::new(file, form, self.begin, self.end)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.end - self.begin.0
    }
}

/// All pieces of a file from `body` on, with the offset and reason of their end; `on_piece` is called for each one
/// immediately.
pub(super) fn pieces(
    file: &[u8],
    form: Form,
    body: u64,
    on_piece: impl Fn(Piece),
    task: &Task,
) -> Result<(Vec<Piece>, u64, End), Cancelled> {
    let mut pieces = Vec::new();
    let mut walker = Walker::new(file, form, (body, State::default()), file.len() as u64);
    let mut begin = walker.position();
    loop {
        let ended = walker.next().err();
        let (offset, _) = walker.position();
        if offset - begin.0 >= PIECE || ended.is_some() && offset > begin.0 {
            let piece = Piece { at: pieces.len(), begin, end: offset };
            on_piece(piece);
            pieces.push(piece);
            begin = walker.position();
            task.checkpoint()?;
        }
        if let Some(end) = ended {
            return Ok((pieces, offset, end));
        }
    }
}
