//! What happens when a mapped file is no longer there to be read: another program made it shorter, the disk failed,
//! the device was pulled out. The system then sends SIGBUS to whoever reads such a page, and that ends a process.
//!
//! Here the page is replaced by zeros and the place noted: the read goes on, and whoever asked looks afterwards
//! whether anything was lost ([`Guard::lost`]). That way reading costs nothing while all is well. Compositors survive
//! clients that shrink a shared buffer in the same manner (`wl_shm_buffer_begin_access` of libwayland).

/// Watches a mapping for as long as it lives. Where all places are taken, or on systems without such signals, it
/// watches nothing.
pub(super) struct Guard(Option<&'static places::Place>);

impl Guard {
    /// Watches `len` bytes from `start`, which are mapped and stay so as long as the guard lives.
    pub(super) fn over(start: *const u8, len: usize) -> Self {
        Self(places::take(start.addr(), len))
    }

    /// From which byte on something of the mapping could not be read; `None`: all was there.
    pub(super) fn lost(&self) -> Option<u64> {
        self.0.and_then(places::Place::lost)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(place) = self.0 {
            place.leave();
        }
    }
}

/// Where mappings lie: a table of fixed size that never moves, since it is read while any thread may be stopped
/// anywhere.
mod places {
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Mappings that are watched at a time. A dump has up to some dozens.
    const PLACES: usize = 2048;
    /// Of a place that nobody has.
    const FREE: usize = 0;
    /// Of a place that somebody is about to fill in.
    const TAKEN: usize = 1;

    pub(super) struct Place {
        /// First byte after the mapping; [`FREE`], [`TAKEN`].
        end: AtomicUsize,
        start: AtomicUsize,
        /// One more than the first byte that was lost, as a distance from the start; 0 if none was.
        lost: AtomicUsize,
    }

    static TABLE: [Place; PLACES] =
        [const { Place { end: AtomicUsize::new(FREE), start: AtomicUsize::new(0), lost: AtomicUsize::new(0) } };
            PLACES];

    pub(super) fn take(start: usize, len: usize) -> Option<&'static Place> {
        super::signal::expect();
        let free = |place: &&Place| {
            place.end.load(Ordering::Relaxed) == FREE
                && place.end.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok()
        };
        let place = TABLE.iter().find(free)?;
        place.start.store(start, Ordering::Relaxed);
        place.lost.store(0, Ordering::Relaxed);
        // Last: from now on the place counts.
        place.end.store(start + len, Ordering::Release);
        Some(place)
    }

    /// The place that has the byte at `address`.
    pub(super) fn at(address: usize) -> Option<&'static Place> {
        TABLE.iter().find(|place| {
            let end = place.end.load(Ordering::Acquire);
            address < end && place.start.load(Ordering::Relaxed) <= address
        })
    }

    impl Place {
        pub(super) fn leave(&self) {
            self.end.store(FREE, Ordering::Release);
        }

        pub(super) fn lost(&self) -> Option<u64> {
            self.lost.load(Ordering::Acquire).checked_sub(1).map(|at| at as u64)
        }

        /// Notes that the byte at `address` is lost. Says where the mapping ends.
        pub(super) fn lose(&self, address: usize) -> usize {
            let at = address - self.start.load(Ordering::Relaxed) + 1;
            let first = |lost| (lost == 0 || at < lost).then_some(at);
            // What others noted before is further in front.
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

    /// What was to be done on the signal before.
    static BEFORE: AtomicUsize = AtomicUsize::new(libc::SIG_DFL);
    static PAGE: AtomicUsize = AtomicUsize::new(0);

    /// Has the signal come to us, from the first call on.
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
                // On a stack of its own, as the runtime's handler for overflowing stacks has it, which stays behind ours.
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
            // One page; where there are too many pieces already, all that follows.
            zeros(at, page) || zeros(at, end - at)
        });
        if !replaced {
            pass_on(signal, info, context);
        }
    }

    /// Puts zeros in the place of pages that cannot be read.
    fn zeros(at: usize, len: usize) -> bool {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        // SAFETY: the pages are part of a mapping of ours, read-only and shared as bytes, which live as long as its
        // guard does; their addresses stay valid, and to whoever reads them they were lost before.
        let mapped = unsafe { libc::mmap(ptr::with_exposed_provenance_mut(at), len, libc::PROT_READ, flags, -1, 0) };
        mapped != libc::MAP_FAILED
    }

    /// A fault that is none of ours: what would have been done without us.
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
    /// Files that are mapped cannot be made shorter there.
    pub(super) fn expect() {}
}

#[cfg(all(test, unix, not(miri)))]
mod tests {
    use std::io::Write;

    use crate::storage::mapping::Mapping;

    const PAGE: usize = 1 << 16; // a multiple of every page size there is

    fn mapped(pages: usize) -> (std::fs::File, Mapping) {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(&vec![7; pages * PAGE]).expect("room for it");
        let mapping = Mapping::of(&file).expect("it is mapped");
        (file, mapping)
    }

    #[test]
    fn what_a_shorter_file_no_longer_has_is_zeros_and_known() {
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
    fn every_thread_survives_it() {
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
