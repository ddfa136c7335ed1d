//! Random sample of the objects of a location, the same for every order in which these are visited: those with low
//! hashes. A sample at regular distances would miss classes whose objects come at regular distances, too.

use heaplens_heap::ObjectId;

/// Chooses about one of `stride` objects.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chooser {
    /// Hashes below this are in the sample.
    limit: u64,
}

impl Chooser {
    pub(super) fn one_of(stride: u64) -> Self {
        Self { limit: (1 << 32) / stride.max(1) }
    }

    /// True if an object is in the sample.
    #[inline]
    pub(super) fn takes(self, object: ObjectId) -> bool {
        // Multiplicative hash (Knuth), twice: neighbours are far apart, at any regular distance.
        let hash = object.raw().wrapping_mul(0x9e37_79b1).rotate_left(15).wrapping_mul(0x85eb_ca6b);
        u64::from(hash) < self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_their_share_of_objects_at_regular_distances() {
        let chooser = Chooser::one_of(40);
        for distance in [1, 2, 7, 40, 64, 230, 461] {
            let objects = (0..20_000_u32).map(|n| ObjectId::from_raw(n * distance).expect("an object"));
            let taken = objects.filter(|&object| chooser.takes(object)).count();
            assert!((350..650).contains(&taken), "{taken} of 20,000 objects at a distance of {distance}");
        }
        assert!(Chooser::one_of(0).takes(ObjectId::from_raw(5).expect("an object")));
    }
}
