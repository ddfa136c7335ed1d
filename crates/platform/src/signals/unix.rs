//! Linux and macOS. The handler only calls what the system allows in one: it takes names from a list of atomics and
//! removes their files.
#![expect(unsafe_code, reason = "the language cannot check what a signal handler may call")]

use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, absolute};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::time::Duration;

use libc::c_int;

/// Names of unfinished files; null where there is none. Who takes a name out of the list owns it.
static UNFINISHED: [AtomicPtr<c_char>; 64] = [const { AtomicPtr::new(ptr::null_mut()) }; 64];

/// Number of files that are being created: they exist soon, and are in the list after that.
static CREATING: AtomicUsize = AtomicUsize::new(0);
/// True once a signal ends the process: no further file is created.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Time between looks at what another thread does, and the number of looks before the process ends all the same, as when a
/// disk does not answer.
const INTERVAL: Duration = Duration::from_millis(1);
const LOOKS: u32 = 1000;

/// Signals that end a program from outside.
const ENDING_SIGNALS: [c_int; 3] = [libc::SIGHUP, libc::SIGINT, libc::SIGTERM];

pub(super) fn prepare() {
    // A handler, not `SIG_IGN`: programs that this one starts would inherit that.
    handle(libc::SIGXFSZ, on_limit);
    for signal in ENDING_SIGNALS {
        handle(signal, on_end);
    }
}

/// Sets a handler, unless the parent chose that the signal is ignored, as `nohup` does.
fn handle(signal: c_int, handler: extern "C" fn(c_int)) {
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: both structures are whole (zeros are a valid `sigaction`) and outlive the calls; the handlers call only
    // functions that POSIX allows in them, and touch only atomics that live for ever.
    unsafe {
        if libc::sigaction(signal, ptr::null(), before.as_mut_ptr()) != 0
            || before.assume_init().sa_sigaction == libc::SIG_IGN
        {
            return;
        }
        let mut ours = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        ours.sa_sigaction = handler as usize;
        ours.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        libc::sigaction(signal, &raw const ours, ptr::null_mut());
    }
}

/// The write that reached the limit returns an error.
extern "C" fn on_limit(_signal: c_int) {}

/// Removes the unfinished files, and lets the signal end the process.
extern "C" fn on_end(signal: c_int) {
    ENDING.store(true, Ordering::SeqCst);
    for _ in 0..LOOKS {
        if CREATING.load(Ordering::SeqCst) == 0 {
            break;
        }
        wait();
    }
    for entry in &UNFINISHED {
        let name = entry.swap(ptr::null_mut(), Ordering::AcqRel);
        if !name.is_null() {
            // SAFETY: the name ends with a zero and was taken out of the list, so nobody frees it.
            unsafe { libc::unlink(name) };
        }
    }
    // SAFETY: both are what the system offers to handlers. The signal is blocked until this one returns.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// Waits for [`INTERVAL`]. The standard library does not promise that its own function may be called in a handler.
fn wait() {
    let time = libc::timespec { tv_sec: 0, tv_nsec: INTERVAL.subsec_nanos().into() };
    // SAFETY: the time outlives the call, and the rest of the time is not asked for.
    unsafe { libc::nanosleep(&raw const time, ptr::null_mut()) };
}

/// While this exists, its thread creates and lists a file: no handler runs on this thread, and one on another thread waits.
pub(super) struct Creation {
    /// Signals that the thread blocked before; `None` if the system refused to block others.
    before: Option<libc::sigset_t>,
}

impl Creation {
    pub(super) fn begin() -> Self {
        let before = block();
        CREATING.fetch_add(1, Ordering::SeqCst);
        // The handler has seen all files. It ends the process, unless the system refuses that.
        if ENDING.load(Ordering::SeqCst) {
            CREATING.fetch_sub(1, Ordering::SeqCst);
            for _ in 0..LOOKS {
                wait();
            }
            CREATING.fetch_add(1, Ordering::SeqCst);
        }
        Self { before }
    }
}

impl Drop for Creation {
    fn drop(&mut self) {
        CREATING.fetch_sub(1, Ordering::SeqCst);
        if let Some(before) = self.before {
            // SAFETY: the set is from `pthread_sigmask`.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut()) };
        }
    }
}

/// Blocks the signals of [`ENDING_SIGNALS`] in this thread. Returns those that were blocked before.
fn block() -> Option<libc::sigset_t> {
    let mut blocked = MaybeUninit::<libc::sigset_t>::zeroed();
    let mut before = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: both sets are whole (`sigemptyset` fills the first, zeros are a valid set) and outlive the calls.
    unsafe {
        libc::sigemptyset(blocked.as_mut_ptr());
        for signal in ENDING_SIGNALS {
            libc::sigaddset(blocked.as_mut_ptr(), signal);
        }
        let refused = libc::pthread_sigmask(libc::SIG_BLOCK, blocked.as_ptr(), before.as_mut_ptr());
        (refused == 0).then(|| before.assume_init())
    }
}

/// An entry of the list, if there was a free one.
#[derive(Debug)]
pub(super) struct Entry(Option<&'static AtomicPtr<c_char>>, *mut c_char);

// SAFETY: the pointer is compared and freed only by who takes it out of the list, on whichever thread.
unsafe impl Send for Entry {}
// SAFETY: a shared reference gives no access to the pointer.
unsafe impl Sync for Entry {}

impl Entry {
    pub(super) fn new(path: &Path) -> Self {
        // The working folder may be another one by then.
        let path = absolute(path).unwrap_or_else(|_| path.to_owned());
        let Ok(name) = CString::new(path.as_os_str().as_bytes()) else { return Self(None, ptr::null_mut()) };
        let name = name.into_raw();
        let is_free = |entry: &&AtomicPtr<c_char>| {
            entry.compare_exchange(ptr::null_mut(), name, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        };
        let entry = UNFINISHED.iter().find(is_free);
        if entry.is_none() {
            free(name);
        }
        Self(entry, name)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let Some(entry) = self.0 else { return };
        // If the handler has it, the process ends.
        if entry.compare_exchange(self.1, ptr::null_mut(), Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            free(self.1);
        }
    }
}

fn free(name: *mut c_char) {
    // SAFETY: it is from `CString::into_raw`, and was taken out of the list.
    drop(unsafe { CString::from_raw(name) });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_free_again_once_its_file_is_finished() {
        let listed = || UNFINISHED.iter().filter(|entry| !entry.load(Ordering::Acquire).is_null()).count();
        for _ in 0..3 {
            let entries: Vec<Entry> = (0..70).map(|n| Entry::new(Path::new(&format!("{n}")))).collect();
            assert_eq!(listed(), UNFINISHED.len());
            drop(entries);
            assert_eq!(listed(), 0);
        }
    }
}
