//! Checksum of stored data.

/// XXH3 of `bytes`. Always 0 under a fuzzer, so that it reaches the code behind the checksums: an attacker can compute
/// valid ones.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    if cfg!(fuzzing) { 0 } else { xxhash_rust::xxh3::xxh3_64(bytes) }
}
