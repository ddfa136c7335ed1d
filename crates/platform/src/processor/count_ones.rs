//! Counts bits with one instruction. Nearly all x86-64 processors have it, but programs for all of them do without and
//! take twelve instead, for each reference whose target is looked up.

/// Number of bits of `word` that are 1.
#[inline]
#[cfg(all(target_arch = "x86_64", not(target_feature = "popcnt"), not(miri)))]
pub fn count_ones(word: u64) -> u32 {
    if !std::arch::is_x86_feature_detected!("popcnt") {
        return word.count_ones();
    }
    let ones: u64;
    #[expect(unsafe_code, reason = "an instruction of the processor")]
    // SAFETY: the processor has this instruction, as was just asked. It reads one register and writes another.
    unsafe {
        std::arch::asm!(
            "popcnt {ones}, {word}",
            ones = lateout(reg) ones,
            word = in(reg) word,
            options(pure, nomem, nostack),
        );
    }
    ones as u32
}

/// Number of bits of `word` that are 1.
#[inline]
#[cfg(not(all(target_arch = "x86_64", not(target_feature = "popcnt"), not(miri))))]
pub fn count_ones(word: u64) -> u32 {
    word.count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_the_library_does() {
        let mut word = 1_u64;
        for _ in 0..1_000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            assert_eq!(count_ones(word), word.count_ones(), "{word:#x}");
            assert_eq!(count_ones(word >> (word % 64)), (word >> (word % 64)).count_ones(), "{word:#x}");
        }
        assert_eq!([0, 1, u64::MAX, 1 << 63].map(count_ones), [0, 1, 64, 1]);
    }
}
