//! HPROF.
use crate::formats::{Opened, ReadOptions, error::OpenError, source::Source};
use crate::heap::census::Census;
use crate::task::Task;
pub(super) fn recognises(_b: &[u8]) -> bool { false }
pub(super) fn open(_s: Source, _o: &ReadOptions, _t: &Task, _c: &mut dyn FnMut(Census)) -> Result<Opened, OpenError> { Err(OpenError::Cancelled) }
