//! Linux and macOS: a mapping, and the handler for SIGBUS.
#![expect(
    unsafe_code,
    reason = "the language cannot check access to a mapped file, nor what a signal handler may call"
)]

use std::fs::File;
use std::io;
use std::mem::{MaybeUninit, transmute};
use std::ops::Deref;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use libc::{c_int, c_void, siginfo_t};
use memmap2::{Mmap, MmapOptions};

use super::slots;

/// Pages of a file.
pub(super) struct Pages(Mmap);

impl Pages {
    pub(super) fn map(file: &File, offset: u64, len: usize) -> io::Result<Self> {
        // SAFETY: the map is read-only and shared as `&[u8]`. The language requires that these bytes never
        // change. A program that writes to the file while it is open violates that and changes results, but
        // every read is bounds-checked against the mapped length, nothing read is used as a pointer, index or
        // length without a check, and no reference is kept to data whose validity depends on its value. Bytes
        // that can no longer be read become zeros.
        unsafe { MmapOptions::new().offset(offset).len(len).map(file) }.map(Self)
    }
}

impl Deref for Pages {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Previous signal handler.
static BEFORE: AtomicUsize = AtomicUsize::new(libc::SIG_DFL);
static PAGE: AtomicUsize = AtomicUsize::new(0);

/// Installs the signal handler on the first call.
pub(super) fn handle_faults() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: `sysconf` only looks up a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        PAGE.store(usize::try_from(page).unwrap_or(4096), Ordering::Relaxed);
        let mut before = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: both structures are whole (zeros are a valid `sigaction`) and outlive the calls. The handler
        // touches nothing but atomics that live for ever and calls nothing that locks or allocates.
        unsafe {
            let mut ours = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            ours.sa_sigaction = on_fault as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
            // Runs on the alternate stack, like Rust's stack overflow handler, to which ours delegates.
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            if libc::sigaction(libc::SIGBUS, ptr::null(), before.as_mut_ptr()) == 0 {
                BEFORE.store(before.assume_init().sa_sigaction, Ordering::Relaxed);
                libc::sigaction(libc::SIGBUS, &raw const ours, ptr::null_mut());
            }
        }
    });
}

extern "C" fn on_fault(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system hands over a whole `siginfo_t`, which for this signal says the address.
    let address = unsafe { (*info).si_addr() }.addr();
    let replaced = slots::at(address).is_some_and(|slot| {
        slot.lose(address);
        let end = slot.range().end;
        let page = PAGE.load(Ordering::Relaxed);
        let at = address - address % page;
        // Replace one page; if the process has too many mappings already, all pages up to the end.
        zeros(at, page) || zeros(at, end - at)
    });
    if !replaced {
        pass_on(signal, info, context);
    }
}

/// Maps zeros over pages that cannot be read.
fn zeros(at: usize, len: usize) -> bool {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
    // SAFETY: the pages are part of a mapping of ours, read-only and shared as bytes, which live as long as its
    // guard does; their addresses stay valid, and their content was already lost to readers.
    let mapped = unsafe { libc::mmap(ptr::with_exposed_provenance_mut(at), len, libc::PROT_READ, flags, -1, 0) };
    mapped != libc::MAP_FAILED
}

/// Passes a fault outside our mappings to the previous handler.
fn pass_on(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let before = BEFORE.load(Ordering::Relaxed);
    if before == libc::SIG_DFL || before == libc::SIG_IGN {
        // SAFETY: both are what the system itself offers; the read that failed is tried again and ends the process.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    } else {
        // SAFETY: it is what `sigaction` said was the handler; the runtime's takes these three.
        let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = unsafe { transmute(before) };
        handler(signal, info, context);
    }
}
