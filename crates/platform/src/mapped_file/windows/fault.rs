//! The handler for reads that fail: `EXCEPTION_IN_PAGE_ERROR`, which the system raises when a page of a mapped file cannot
//! be read, and `EXCEPTION_ACCESS_VIOLATION` while another thread replaces the same view.
#![expect(unsafe_code, reason = "a handler of exceptions")]

use std::sync::{Mutex, Once, PoisonError};

use windows_sys::Win32::Foundation::{EXCEPTION_ACCESS_VIOLATION, EXCEPTION_IN_PAGE_ERROR};
use windows_sys::Win32::System::Diagnostics::Debug::{
    AddVectoredExceptionHandler, EXCEPTION_CONTINUE_EXECUTION, EXCEPTION_CONTINUE_SEARCH, EXCEPTION_POINTERS,
    EXCEPTION_RECORD,
};

use super::view::{self, GRANULARITY, PAGE, Section};
use crate::mapped_file::slots;

/// First parameter of these exceptions if a read failed, not a write or a jump.
const READ: usize = 0;

/// Zeros for all lost views, made for the first of them; held while a view is replaced.
static ZEROS: Mutex<Option<Section>> = Mutex::new(None);

/// Installs the handler on the first call.
pub(in crate::mapped_file) fn handle_faults() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handler lives as long as the program. The result is null if memory is short: then a lost page ends
        // the process, as without a handler.
        let _added = unsafe { AddVectoredExceptionHandler(1, Some(on_exception)) };
    });
}

unsafe extern "system" fn on_exception(info: *mut EXCEPTION_POINTERS) -> i32 {
    // SAFETY: the system hands over a whole record.
    let record = unsafe { &*(*info).ExceptionRecord };
    let is_replaced = failed_read(record).is_some_and(|address| replace(address).is_some());
    if is_replaced { EXCEPTION_CONTINUE_EXECUTION } else { EXCEPTION_CONTINUE_SEARCH }
}

/// The address that could not be read.
fn failed_read(record: &EXCEPTION_RECORD) -> Option<usize> {
    let is_read = matches!(record.ExceptionCode, EXCEPTION_IN_PAGE_ERROR | EXCEPTION_ACCESS_VIOLATION)
        && record.NumberParameters >= 2
        && record.ExceptionInformation[0] == READ;
    is_read.then_some(record.ExceptionInformation[1])
}

/// Replaces the view that contains `address`; `None` if it is not one of ours.
fn replace(address: usize) -> Option<()> {
    let slot = slots::at(address)?;
    let range = slot.range();
    let start = range.start / GRANULARITY * GRANULARITY;
    let (first, len) = view::part(address - start, range.end.next_multiple_of(PAGE) - start);
    let at = start + first;
    // No thread fails to read while it holds the lock: nothing here reads a mapped file.
    let mut zeros = ZEROS.lock().unwrap_or_else(PoisonError::into_inner);
    if zeros.is_none() {
        *zeros = Section::zeros().ok();
    }
    // First: a thread that reads zeros finds out that they are none of the file.
    slot.lose(at.max(range.start));
    // SAFETY: it is a view of a range of ours, which lives as long as its place in the table.
    unsafe { view::replace(at, len, zeros.as_ref()?) }.ok()
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{Seek, SeekFrom, Write};

    use windows_sys::Win32::System::Memory::{PAGE_NOACCESS, VirtualProtect};

    use super::super::view::VIEW;
    use super::*;
    use crate::mapped_file::MappedFile;

    /// A file that is almost a page longer than so many views, with sevens in the first page of each.
    fn file(views: usize) -> File {
        let mut file = tempfile::tempfile().expect("a file");
        for view in 0..views as u64 {
            file.seek(SeekFrom::Start(view * VIEW as u64)).expect("a place");
            file.write_all(&[7; PAGE]).expect("room for it");
        }
        file.seek(SeekFrom::Start((views * VIEW) as u64)).expect("a place");
        file.write_all(&[7; PAGE - 1]).expect("room for it");
        file
    }

    /// Makes a page unreadable, as a network share does that vanishes.
    fn revoke(mapped: &MappedFile, offset: usize) {
        let mut before = 0;
        let page = mapped.as_ptr().wrapping_add(offset).cast_mut().cast();
        // SAFETY: reads of the page are handled: that is what is tested.
        assert_ne!(unsafe { VirtualProtect(page, PAGE, PAGE_NOACCESS, &raw mut before) }, 0);
    }

    #[test]
    fn a_lost_page_takes_its_view_along_and_no_other() {
        let file = file(2);
        let mapped = MappedFile::of(&file, 0, 2 * VIEW + PAGE - 1).expect("mapped");
        assert_eq!((mapped[0], mapped[VIEW], mapped[2 * VIEW], mapped.lost_at()), (7, 7, 7, None));
        revoke(&mapped, VIEW + PAGE);
        assert_eq!((mapped[VIEW + PAGE], mapped.lost_at()), (0, Some(VIEW as u64)));
        assert_eq!((mapped[0], mapped[VIEW], mapped[2 * VIEW + PAGE - 2]), (7, 0, 7));
        revoke(&mapped, 2 * VIEW);
        assert_eq!((mapped[2 * VIEW + 9], mapped[0], mapped.lost_at()), (0, 7, Some(VIEW as u64)));
    }

    #[test]
    fn a_part_begins_where_it_was_asked_for() {
        let file = file(1);
        let (offset, len) = (VIEW as u64 - 10, 10 + PAGE - 1);
        let mapped = MappedFile::of(&file, offset, len).expect("mapped");
        assert_eq!((mapped.len(), &mapped[9..12]), (len, [0, 7, 7].as_slice()));
        revoke(&mapped, 10);
        assert_eq!((mapped[10], mapped.lost_at()), (0, Some(0)));
        assert!(MappedFile::of(&file, offset, len + 1).is_err(), "the file is too short");
    }

    #[test]
    fn threads_that_read_a_lost_view_at_once_all_go_on() {
        let file = file(1);
        for _ in 0..20 {
            let mapped = MappedFile::of(&file, 0, VIEW + PAGE - 1).expect("mapped");
            revoke(&mapped, 0);
            std::thread::scope(|scope| {
                for thread in 0..8 {
                    let mapped = &mapped;
                    scope.spawn(move || assert_eq!(mapped[thread * 100], 0));
                }
            });
            assert_eq!(mapped.lost_at(), Some(0));
        }
    }
}
