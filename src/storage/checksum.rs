//! The checksum of what is stored.

/// XXH3 of `bytes`. To a fuzzer all bytes are right: it is to find what lies behind the checksums, which anybody can
/// compute who means harm.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    if cfg!(fuzzing) { 0 } else { xxhash_rust::xxh3::xxh3_64(bytes) }
}
