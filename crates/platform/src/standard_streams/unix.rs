//! Linux and macOS. A function that the loader calls before the language's own start looks at the descriptors.
#![expect(unsafe_code, reason = "the language opens closed descriptors before any of its code runs")]

use std::sync::atomic::{AtomicU8, Ordering};

/// A bit for each closed descriptor.
static CLOSED: AtomicU8 = AtomicU8::new(0);

// SAFETY: the loader calls the functions of this section, which take nothing that ours needs and return nothing.
#[used]
#[cfg_attr(not(target_os = "macos"), unsafe(link_section = ".init_array"))]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
static AT_LOAD: extern "C" fn() = look;

extern "C" fn look() {
    for descriptor in 0..=2_u8 {
        // SAFETY: asks for flags of a number, and fails if no file stands for it.
        if unsafe { libc::fcntl(descriptor.into(), libc::F_GETFD) } == -1 {
            CLOSED.fetch_or(1 << descriptor, Ordering::Relaxed);
        }
    }
}

pub(super) fn is_closed(descriptor: u8) -> bool {
    CLOSED.load(Ordering::Relaxed) & 1 << descriptor != 0
}
