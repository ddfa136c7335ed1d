//! Asks the processor to load what is needed soon. Algorithms on graphs read columns at random, and each read is a cache
//! miss that takes as long as a hundred steps; misses that are announced early overlap.

/// Loads the cache line of `values[at]` in the background; does nothing past the end, or on processors without such an
/// instruction.
#[inline]
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub fn prefetch<T>(values: &[T], at: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    if let Some(value) = values.get(at) {
        #[expect(unsafe_code, reason = "an instruction of the processor")]
        // SAFETY: a prefetch reads nothing that the program can see, and cannot fail, whatever the address.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
        }
    }
}

/// Does nothing: stable Rust has no such instruction for this processor.
#[inline]
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub fn prefetch<T>(_values: &[T], _at: usize) {}
