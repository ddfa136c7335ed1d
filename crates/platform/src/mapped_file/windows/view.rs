//! Calls of the system that reserve addresses and map files there.
#![expect(unsafe_code, reason = "the language cannot check access to a mapped file")]

use std::ffi::c_void;
use std::fs::File;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::{io, ptr, slice};

use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Memory::{
    CreateFileMappingW, MEM_PRESERVE_PLACEHOLDER, MEM_RELEASE, MEM_REPLACE_PLACEHOLDER, MEM_RESERVE,
    MEM_RESERVE_PLACEHOLDER, MEMORY_BASIC_INFORMATION, MEMORY_MAPPED_VIEW_ADDRESS, MapViewOfFile3, PAGE_NOACCESS,
    PAGE_READONLY, PAGE_READWRITE, UnmapViewOfFile2, VirtualAlloc2, VirtualFree, VirtualQuery,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

/// Bytes of a page.
pub(super) const PAGE: usize = 1 << 12;
/// Offsets in a file at which views begin are multiples of this.
pub(super) const GRANULARITY: usize = 1 << 16;
/// Bytes of a view, which are lost together: few views for large files, and few megabytes lost for an unreadable page.
pub(super) const VIEW: usize = 1 << 26;

/// A file, or memory, of which views are made.
pub(super) struct Section(OwnedHandle);

impl Section {
    pub(super) fn of(file: &File) -> io::Result<Self> {
        Self::create(file.as_raw_handle(), PAGE_READONLY, 0)
    }

    /// Zeros for one view.
    pub(super) fn zeros() -> io::Result<Self> {
        Self::create(INVALID_HANDLE_VALUE, PAGE_READWRITE, VIEW as u32)
    }

    fn create(file: HANDLE, protection: u32, len: u32) -> io::Result<Self> {
        // SAFETY: the handle is open; of the other arguments, pointers may be null.
        let handle = unsafe { CreateFileMappingW(file, ptr::null(), protection, 0, len, ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was just created, and nothing else closes it.
        Ok(Self(unsafe { OwnedHandle::from_raw_handle(handle) }))
    }

    /// Maps `len` bytes from `offset` over the placeholder at `at`, which is as long, up to the end of the last page.
    pub(super) fn view(&self, at: usize, offset: u64, len: usize, protection: u32) -> io::Result<()> {
        // SAFETY: only a placeholder is replaced: nothing refers to its bytes. The system refuses any other address.
        let view = unsafe {
            MapViewOfFile3(
                self.0.as_raw_handle(),
                GetCurrentProcess(),
                pointer(at),
                offset,
                len,
                MEM_REPLACE_PLACEHOLDER,
                protection,
                ptr::null_mut(),
                0,
            )
        };
        if view.Value.is_null() { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

/// Reserved addresses, filled with views from the start.
pub(super) struct Range {
    start: usize,
    len: usize,
    /// Number of bytes from the start that have views.
    filled: usize,
}

impl Range {
    /// Reserves addresses for so many bytes, up to the end of the last page.
    pub(super) fn reserve(bytes: usize) -> io::Result<Self> {
        let len = bytes.next_multiple_of(PAGE);
        let kind = MEM_RESERVE | MEM_RESERVE_PLACEHOLDER;
        // SAFETY: the system chooses addresses that are free.
        let start =
            unsafe { VirtualAlloc2(GetCurrentProcess(), ptr::null(), len, kind, PAGE_NOACCESS, ptr::null_mut(), 0) };
        if start.is_null() {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { start: start.expose_provenance(), len, filled: 0 })
    }

    /// Fills the range with views of `bytes` bytes of the section from `offset`.
    pub(super) fn fill(&mut self, section: &Section, offset: u64, bytes: usize) -> io::Result<()> {
        while self.filled < self.len {
            let (first, len) = part(self.filled, self.len);
            let at = self.start + first;
            if self.filled + len < self.len {
                // SAFETY: it divides a placeholder, to whose bytes nothing refers.
                check(unsafe { VirtualFree(pointer(at), len, MEM_RELEASE | MEM_PRESERVE_PLACEHOLDER) })?;
            }
            // A view longer than the file is refused; the system adds the rest of its last page, although the
            // documentation of `MapViewOfFile3` asks for whole pages.
            section.view(at, offset + self.filled as u64, len.min(bytes - self.filled), PAGE_READONLY)?;
            self.filled += len;
        }
        Ok(())
    }

    /// `len` bytes after the first `skipped`. The whole range must be filled, and `skipped` and `len` be in it.
    #[inline]
    pub(super) fn bytes(&self, skipped: usize, len: usize) -> &[u8] {
        // SAFETY: the bytes are mapped as long as the range lives, read-only and shared as `&[u8]`. The language requires
        // that they never change: `unix.rs` says why it is enough that they are only ever used as bytes.
        unsafe { slice::from_raw_parts(pointer::<u8>(self.start + skipped), len) }
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        for at in (0..self.filled).step_by(VIEW) {
            // SAFETY: the range is not used any more. The result is true for a view of ours.
            let _unmapped = unsafe { UnmapViewOfFile2(GetCurrentProcess(), address(self.start + at), 0) };
        }
        // After an error one placeholder or two are left. The second first: if there is only one, its address is refused.
        for at in [self.filled + VIEW, self.filled].into_iter().filter(|&at| at < self.len) {
            // SAFETY: it is the address of a placeholder of ours, or inside of one.
            let _released = unsafe { VirtualFree(pointer(self.start + at), 0, MEM_RELEASE) };
        }
    }
}

/// Offset and length of the view that contains the byte at `offset` of a range of `len` bytes.
pub(super) fn part(offset: usize, len: usize) -> (usize, usize) {
    let first = offset / VIEW * VIEW;
    (first, VIEW.min(len - first))
}

/// Puts zeros in the place of a view at `at`, `len` bytes long, unless they are there already.
///
/// # Safety
/// The view is one of a [`Range`], to which nothing refers but slices of bytes.
pub(super) unsafe fn replace(at: usize, len: usize, zeros: &Section) -> io::Result<()> {
    let mut about = MEMORY_BASIC_INFORMATION::default();
    // SAFETY: the structure is whole and outlives the call.
    let size = unsafe { VirtualQuery(pointer(at), &raw mut about, size_of_val(&about)) };
    // Views of files are read-only.
    if size != 0 && about.AllocationProtect == PAGE_READWRITE {
        return Ok(());
    }
    // SAFETY: the addresses stay reserved, and what was there is lost to readers already. Reads of other threads before
    // the next call fail, and are tried again by their handlers.
    check(unsafe { UnmapViewOfFile2(GetCurrentProcess(), address(at), MEM_PRESERVE_PLACEHOLDER) })?;
    zeros.view(at, 0, len, PAGE_READWRITE)
}

fn pointer<T>(address: usize) -> *mut T {
    ptr::with_exposed_provenance_mut(address)
}

fn address(at: usize) -> MEMORY_MAPPED_VIEW_ADDRESS {
    MEMORY_MAPPED_VIEW_ADDRESS { Value: pointer::<c_void>(at) }
}

fn check(succeeded: i32) -> io::Result<()> {
    if succeeded == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
