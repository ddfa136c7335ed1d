//! Pseudo-random numbers that are the same on every machine, so that a seed reproduces a failure.
//!
//! Generator: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).

/// Seeded random number generator.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
    /// Predetermined first numbers, in reverse order.
    chosen: Vec<u16>,
}

impl Random {
    /// Generator for a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed, chosen: Vec::new() }
    }

    /// Source whose first numbers are given, two bytes each: for a fuzzer, which thereby learns their meaning.
    pub fn chosen(bytes: &[u8]) -> Self {
        let numbers = bytes.chunks(2).rev().map(|two| two.iter().rev().fold(0, |all, &b| all << 8 | u16::from(b)));
        Self { state: bytes.len() as u64, chosen: numbers.collect() }
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        if let Some(chosen) = self.chosen.pop() {
            return u64::from(chosen);
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 { 0 } else { (self.number() % u64::from(bound)) as u32 }
    }

    /// Number from `low` to `high`, inclusive.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// True once in `times` times.
    pub fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of `choices`.
    ///
    /// # Panics
    /// If there is nothing to choose from.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len() as u32) as usize]
    }

    /// Shuffles `items`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}
