//! Ranks in a set of numbers with a single memory access: a binary search among millions takes twenty.

use heaplens_base::storage::count_ones;

/// A set of numbers below a bound.
#[derive(Debug, Default)]
pub struct Ranks {
    /// By 64 numbers, bits of those in the set, and the count of those before.
    words: Vec<(u64, u32)>,
}

impl Ranks {
    /// Set of `members`; those past `bound` are omitted.
    pub fn new(bound: usize, members: &[u32]) -> Self {
        let mut words = vec![(0_u64, 0_u32); bound.div_ceil(64)];
        for &member in members.iter().filter(|&&member| (member as usize) < bound) {
            words[member as usize / 64].0 |= 1 << (member % 64);
        }
        let mut count = 0;
        for (bits, before) in &mut words {
            *before = count;
            count += bits.count_ones();
        }
        Self { words }
    }

    /// Number of elements that are at most `number`, which is below the bound.
    pub fn up_to(&self, number: u32) -> usize {
        let Some(&(bits, before)) = self.words.get(number as usize / 64) else { return 0 };
        (before + count_ones(bits & (u64::MAX >> (63 - number % 64)))) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_a_search_does() {
        for step in [1, 2, 3, 63, 64, 65, 200] {
            let members: Vec<u32> = (0..1_000).filter(|n| n % step == step / 2).collect();
            let ranks = Ranks::new(1_000, &members);
            for number in 0..1_000 {
                let searched = members.partition_point(|&member| member <= number);
                assert_eq!(ranks.up_to(number), searched, "{number} of every {step}th");
            }
        }
        assert_eq!(Ranks::default().up_to(7), 0);
    }
}
