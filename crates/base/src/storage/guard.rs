//! Handler for SIGBUS, which the system sends on access to a mapped page that can no longer be read: another program
//! truncated the file, the disk failed, or the device was removed. Without a handler it ends the process.
//!
//! The handler maps zeros over the page and records its offset. The read continues, and the caller checks afterwards
//! whether data was lost ([`Guard::lost`]), so intact files have no overhead. libwayland protects compositors against
//! clients that shrink a shared buffer in the same way (`wl_shm_buffer_begin_access`).

/// Protects a mapping during the guard's lifetime. Does nothing if the table is full, or on systems without SIGBUS.
pub(super) struct Guard(Option<&'static places::GuardSlot>);

impl Guard {
    /// Protects `len` bytes from `start`, which must stay mapped during the guard's lifetime.
    pub(super) fn over(start: *const u8, len: usize) -> Self {
        Self(places::take(start.addr(), len))
    }

    /// Offset of the first byte that could not be read; `None` if nothing was lost.
    pub(super) fn lost(&self) -> Option<u64> {
        self.0.and_then(places::GuardSlot::lost)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(place) = self.0 {
            place.leave();
        }
    }
}

/// Table of protected mappings. It is static and of fixed size, since the signal handler reads it while threads are
/// interrupted at arbitrary points.
mod places {
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Maximum number of protected mappings. A dump needs up to a few dozen.
    const PLACES: usize = 2048;
    /// `end` of a free entry.
    const FREE: usize = 0;
    /// `end` of an entry that is being filled in.
    const TAKEN: usize = 1;

    pub(super) struct GuardSlot {
        /// End address of the mapping, exclusive; or [`FREE`] or [`TAKEN`].
        end: AtomicUsize,
        start: AtomicUsize,
        /// Offset of the first lost byte plus 1; 0 if nothing was lost.
        lost: AtomicUsize,
    }

    static TABLE: [GuardSlot; PLACES] =
        [const { GuardSlot { end: AtomicUsize::new(FREE), start: AtomicUsize::new(0), lost: AtomicUsize::new(0) } };
            PLACES];

    pub(super) fn take(start: usize, len: usize) -> Option<&'static GuardSlot> {
        super::signal::expect();
        let free = |place: &&GuardSlot| {
            place.end.load(Ordering::Relaxed) == FREE
                && place.end.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok()
        };
        let place = TABLE.iter().find(free)?;
        place.start.store(start, Ordering::Relaxed);
        place.lost.store(0, Ordering::Relaxed);
        // Stored last: it makes the entry visible to the handler.
        place.end.store(start + len, Ordering::Release);
        Some(place)
    }

    /// Entry of the mapping that contains `address`.
    pub(super) fn at(address: usize) -> Option<&'static GuardSlot> {
        TABLE.iter().find(|place| {
            let end = place.end.load(Ordering::Acquire);
            address < end && place.start.load(Ordering::Relaxed) <= address
        })
    }

    impl GuardSlot {
        pub(super) fn leave(&self) {
            self.end.store(FREE, Ordering::Release);
        }

        pub(super) fn lost(&self) -> Option<u64> {
            self.lost.load(Ordering::Acquire).checked_sub(1).map(|at| at as u64)
        }

        /// Records that the byte at `address` is lost and returns the end address of the mapping.
        pub(super) fn lose(&self, address: usize) -> usize {
            let at = address - self.start.load(Ordering::Relaxed) + 1;
            let first = |lost| (lost == 0 || at < lost).then_some(at);
            // An error means that an earlier offset is already recorded.
            let _earlier = self.lost.fetch_update(Ordering::Release, Ordering::Relaxed, first);
            self.end.load(Ordering::Relaxed)
        }
    }
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "a signal handler and what it may call")]
mod signal {
    use std::mem::{MaybeUninit, transmute};
    use std::ptr;
    use std::sync::Once;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use libc::{c_int, c_void, siginfo_t};

    use super::places;

    /// Previous signal handler.
    static BEFORE: AtomicUsize = AtomicUsize::new(libc::SIG_DFL);
    static PAGE: AtomicUsize = AtomicUsize::new(0);

    /// Installs the signal handler on the first call.
    pub(super) fn expect() {
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
        let replaced = places::at(address).is_some_and(|place| {
            let end = place.lose(address);
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
}

#[cfg(not(unix))]
mod signal {
    /// Mapped files cannot be truncated on this system.
    pub(super) fn expect() {}
}

#[cfg(all(unix, not(miri)))]
#[cfg(test)]
mod tests {
    use std::io::Write;

    use crate::storage::mapping::Mapping;

    const PAGE: usize = 1 << 16; // a multiple of all page sizes

    fn mapped(pages: usize) -> (std::fs::File, Mapping) {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(&vec![7; pages * PAGE]).expect("room for it");
        let mapping = Mapping::of(&file).expect("it is mapped");
        (file, mapping)
    }

    #[test]
    fn pages_lost_by_truncation_are_zeros_and_reported() {
        let (file, mapping) = mapped(4);
        let (other_file, other) = mapped(4);
        assert_eq!(mapping.lost(), None);
        file.set_len(PAGE as u64).expect("it can be made shorter");
        assert_eq!(mapping[PAGE - 1], 7);
        assert_eq!(mapping.lost(), None, "nothing was missed yet");
        assert_eq!(mapping[3 * PAGE + 5], 0);
        assert_eq!(mapping.lost(), Some(3 * PAGE as u64 + 5));
        assert_eq!(mapping[PAGE], 0);
        assert_eq!(mapping.clone().lost(), Some(PAGE as u64), "the first of all, by all who share it");
        assert_eq!(mapping.iter().map(|&b| u64::from(b)).sum::<u64>(), 7 * PAGE as u64);
        assert_eq!(other.lost(), None);
        drop(mapping);
        other_file.set_len(0).expect("it can be made shorter");
        assert_eq!((other[0], other.lost()), (0, Some(0)));
    }

    #[test]
    fn every_thread_survives_truncation() {
        let (file, mapping) = mapped(64);
        file.set_len(0).expect("it can be made shorter");
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let mapping = &mapping;
                scope.spawn(move || {
                    for page in 0..64 {
                        assert_eq!(mapping[(page * 7 + thread * 5) % 64 * PAGE], 0);
                    }
                });
            }
        });
        assert_eq!(mapping.lost(), Some(0));
    }
}
