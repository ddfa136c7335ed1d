//! Hash of a text that can be put together from the hashes of its parts: a concatenated string is hashed without reading
//! its parts again. Two polynomials of the code units modulo a prime of 61 bits (Karp and Rabin, 1987): different texts of a
//! million units have the same hash with a probability below 2^-80.

/// A Mersenne prime, by which the remainder needs no division.
const PRIME: u64 = (1 << 61) - 1;
/// Where the polynomials are evaluated: digits of π and of e.
const BASES: [u64; 2] = [0x1243_f6a8_885a_308d, 0x15bf_0a8b_1457_6953];

/// Hash of a sequence of UTF-16 code units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TextHash {
    /// Number of units.
    pub(super) units: u64,
    pub(super) sums: [u64; 2],
}

fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let folded = (product as u64 & PRIME) + (product >> 61) as u64;
    if folded >= PRIME { folded - PRIME } else { folded }
}

fn plus(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut power = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = times(power, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    power
}

impl TextHash {
    /// Appends a code unit.
    #[inline]
    pub(super) fn push(&mut self, unit: u16) {
        self.units += 1;
        for (sum, base) in self.sums.iter_mut().zip(BASES) {
            // Not 0, which would not count at the beginning.
            *sum = plus(times(*sum, base), u64::from(unit) + 1);
        }
    }

    /// Hash of this text followed by another.
    pub(super) fn followed_by(self, next: Self) -> Self {
        let mut sums = self.sums;
        for ((sum, base), more) in sums.iter_mut().zip(BASES).zip(next.sums) {
            *sum = plus(times(*sum, power(base, next.units)), more);
        }
        Self { units: self.units.saturating_add(next.units), sums }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_hash_wherever_it_is_divided() {
        let units: Vec<u16> = (0..200_u32).map(|at| (at * at * 7_919 % 65_536) as u16).collect();
        let hash = |units: &[u16]| {
            let mut hash = TextHash::default();
            units.iter().for_each(|&unit| hash.push(unit));
            hash
        };
        for at in 0..=units.len() {
            let (first, second) = units.split_at(at);
            assert_eq!(hash(first).followed_by(hash(second)), hash(&units), "divided at {at}");
        }
        let mut begins: Vec<[u64; 2]> = (0..=units.len()).map(|end| hash(&units[..end]).sums).collect();
        begins.sort_unstable();
        begins.dedup();
        assert_eq!(begins.len(), units.len() + 1);
        assert_ne!(hash(&[0]), hash(&[0, 0]));
    }
}
